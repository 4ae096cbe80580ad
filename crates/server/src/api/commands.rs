//! What changes something: one command to a table, to a link's desk, to the house.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::permissions;
use floor::{Command, DeskCommand, HouseCommand, TableCommand};
use jackpot::TableId;
use journal::{Actor, Hash, LinkId, PlayerKind, Proposal, Sealed, Stream};

use super::answer::Done;
use super::body::{JsonBody, Key, PathParams};
use super::{reports, rules};
use crate::app::{App, request, viewer};
use crate::auth::guard::{Commander, Staff};
use crate::auth::second_factor::SecondFactors;
use crate::auth::sessions::Subject;
use crate::auth::trail;
use crate::heartbeat;
use crate::problem::Problem;

/// Gives a command to a table.
///
/// A Player acts for themselves; the staff by their office; a shoe by its key enters cards. Rulings and limits take a repeated password
/// (`/api/session/step-up`). The same `Idempotency-Key` again gets the first answer.
#[utoipa::path(post, path = "/api/tables/{table}/commands", operation_id = "command_table", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    request_body(content = TableCommand, example = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "amount": 5000, "means": "credits" })),
    responses((status = 200, description = "It was done", body = Done)))]
pub(super) async fn table(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: Commander,
    Key(id): Key,
    asked: JsonBody<TableCommand>,
) -> Result<Json<Done>, Problem> {
    let table = TableId::new(&table);
    if app.board.table(&table).is_none() {
        return Err(Problem::not_found("There is no table of this name."));
    }
    let stream = Stream::Table(table.clone());
    let given = asked.form;
    let command = Command::Table { table: table.clone(), command: given.clone() };
    let actor = who.actor();
    if let Commander::Person(person) = &who
        && permissions::of(&command).password
        && matches!(actor, Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..))
    {
        person.check_stepped_up()?;
    }
    match &actor {
        Actor::Player(_) => {}
        Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) | Actor::Device(_) | Actor::System => {
            heartbeat::answered(&app, &table).await;
        }
    }
    let watched = app.practice.as_ref().and_then(|practice| {
        let before = practice.before(&app, &table, &actor)?;
        Some((practice, before, given))
    });
    let asking = Asking { id, text: &asked.text, about: &stream, rows: Vec::new() };
    let done = send(&app, actor.clone(), asking, command).await;
    if let Some((practice, before, given)) = watched {
        practice.moved(&before, &actor, &given, &done);
    }
    let done = done?;
    if let (Actor::Player(player), Commander::Person(person)) = (&actor, &who) {
        if !done.0.events.is_empty() {
            app.departures.note_command(player);
        }
        app.departures.watch_session(&app, &person.session, player);
    }
    Ok(done)
}

/// Gives a command to a link's jackpot desk.
///
/// For the staff. To approve and to pay, repeat your password first (`/api/session/step-up`).
#[utoipa::path(post, path = "/api/links/{link}/commands", operation_id = "command_link", tag = "links",
    params(("link" = String, Path, description = "The link", example = "Megalink")),
    request_body(content = DeskCommand, example = json!({ "do": "verify", "award": 1, "checklist": { "cards_checked": true, "deck_cards": 52 } })),
    responses((status = 200, description = "It was done", body = Done)))]
pub(super) async fn desk(
    State(app): State<App>,
    PathParams(link): PathParams<String>,
    who: Staff,
    Key(id): Key,
    asked: JsonBody<DeskCommand>,
) -> Result<Json<Done>, Problem> {
    let link = LinkId::new(&link);
    if app.board.link(&link).is_none() {
        return Err(Problem::not_found("There is no link of this name."));
    }
    let command = asked.form;
    if permissions::of_desk(&command).password {
        who.check_stepped_up()?;
    }
    let stream = Stream::Link(link.clone());
    let asking = Asking { id, text: &asked.text, about: &stream, rows: Vec::new() };
    send(&app, who.actor, asking, Command::Desk { link, command }).await
}

/// Gives a command to the house.
///
/// For the staff. What moves money, people or settings takes a repeated password (`/api/session/step-up`).
#[utoipa::path(post, path = "/api/house/commands", operation_id = "command_house", tag = "house",
    request_body(content = HouseCommand, example = json!({ "do": "register-player", "player": "Ann", "kind": "member" })),
    responses((status = 200, description = "It was done", body = Done)))]
pub(super) async fn house(
    State(app): State<App>,
    who: Staff,
    Key(id): Key,
    asked: JsonBody<HouseCommand>,
) -> Result<Json<Done>, Problem> {
    match &asked.form {
        // Guests sign in by themselves, and only the demonstration has Players of the house.
        HouseCommand::RegisterPlayer { kind: PlayerKind::Guest | PlayerKind::House, .. } => {
            let detail = "Only members are registered here. Send kind \"member\".";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FormIsWrong", detail).at("kind"));
        }
        // These go with a token or a password, which a command does not carry.
        HouseCommand::Invite { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Use /api/invitations to invite somebody."));
        }
        HouseCommand::MakeDeviceKey { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Use POST /api/devices to make a key."));
        }
        HouseCommand::SetCredential { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Use /api/password to change your password."));
        }
        HouseCommand::SetSecondFactor { .. } => {
            return Err(Problem::forbidden(
                "SystemOnly",
                "Use /api/second-factor to change your second factor.",
            ));
        }
        HouseCommand::EndSession { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Use DELETE /api/session to sign out."));
        }
        HouseCommand::SetPlayLimits { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Players set their own limits at /api/me/limits."));
        }
        HouseCommand::BeginSession { .. } => {
            return Err(Problem::forbidden("SystemOnly", "Use POST /api/session to sign in."));
        }
        HouseCommand::Propose { proposal: Proposal::Appoint { person, .. } } => {
            check_no_player(&app, person.name())?;
        }
        _ => {}
    }
    check_no_practice_name(&app, &asked.form)?;
    check_password(&asked.form, &who)?;
    check_figures(&app, &who, &asked.form).await?;
    let changed = changed_by(&app, &asked.form);
    let rows = match &changed {
        Some((subject, true)) => {
            let mut rows = app.accounts.removal(subject).await?;
            rows.extend(app.sessions.removal(subject).await?);
            rows
        }
        Some((_, false)) => Vec::new(),
        None => lost_by(&app, &asked.form),
    };
    let asking = Asking { id, text: &asked.text, about: &Stream::House, rows };
    let done = send(&app, who.actor, asking, asked.form.into()).await?;
    if let Some((subject, is_dismissed)) = changed {
        if is_dismissed {
            app.sessions.forget(&subject);
        } else {
            app.sessions.end_all_of(&subject).await?;
        }
        trail::ended(&subject, "the office changed");
    }
    Ok(done)
}

/// Refuses a command without the password repeated where it must be.
fn check_password(command: &HouseCommand, who: &Staff) -> Result<(), Problem> {
    if permissions::of_house(command).password { who.check_stepped_up() } else { Ok(()) }
}

/// Holds what people sign for against the log and the lab, when it is proposed and when it is confirmed: the check list of a
/// gaming day, the lab's figures of a change of rules or settings.
/// Whoever may never sign is left to the house to refuse. What the house would refuse at this moment is held against the log and
/// the lab all the same: a moment later it may not refuse it.
async fn check_figures(app: &App, who: &Staff, command: &HouseCommand) -> Result<(), Problem> {
    let floor = app.board.floor();
    let signed = match command {
        HouseCommand::Propose { proposal } => Some(proposal),
        HouseCommand::Confirm { number } => floor.house().proposal(*number).map(|open| &open.proposal),
        _ => None,
    };
    let Some(
        proposal @ (Proposal::SignDay { .. } | Proposal::ChangeRules { .. } | Proposal::Reconfigure { .. }),
    ) = signed
    else {
        return Ok(());
    };
    if who.may_look_from(permissions::signatures(proposal).each).is_err() {
        return Ok(());
    }
    let checked = match proposal {
        Proposal::SignDay { day, log, checks, .. } => reports::check_day(app, *day, *log, *checks).await,
        Proposal::ChangeRules { change } => rules::changes::check_proposed(app, change).await,
        Proposal::Reconfigure { link, settings, from, check } if from.is_some() || !check.is_empty() => {
            rules::changes::check_settings(app, link, *settings, check).await
        }
        _ => Ok(()),
    };
    // Where the house would refuse it too, the house says why.
    checked.map_err(|problem| {
        let command = Command::House(command.clone());
        floor.would_refuse(&who.actor, &command, app.config.clock.now()).map_or(problem, Problem::from)
    })
}

/// Whose office a command changes at once, and whether it ends. Where it begins later, their sessions end then.
fn changed_by(app: &App, command: &HouseCommand) -> Option<(Subject, bool)> {
    if let HouseCommand::EndActing { person } = command {
        return Some((Subject::Staff(person.name().to_owned()), false));
    }
    let HouseCommand::Confirm { number } = command else { return None };
    match &app.board.house().proposal(*number)?.proposal {
        Proposal::Appoint { person, .. } => Some((Subject::Staff(person.name().to_owned()), false)),
        Proposal::Dismiss { person } => Some((Subject::Staff(person.name().to_owned()), true)),
        _ => None,
    }
}

/// What a confirmation takes away beside the log: the second factor of somebody who has lost it.
fn lost_by(app: &App, command: &HouseCommand) -> Vec<Sealed> {
    let HouseCommand::Confirm { number } = command else { return Vec::new() };
    match app.board.house().proposal(*number).map(|open| &open.proposal) {
        Some(Proposal::RemoveSecondFactor { person }) => SecondFactors::removal(person),
        _ => Vec::new(),
    }
}

/// Refuses a name that a Player has: Players and staff sign in by the same form.
fn check_no_player(app: &App, name: &str) -> Result<(), Problem> {
    if app.board.house().is_player_name(name) {
        let detail = "A Player goes by this name; choose another.";
        return Err(Problem::new(StatusCode::CONFLICT, "NameIsTaken", detail));
    }
    Ok(())
}

/// Refuses a table or a link of a real floor that could be taken for one of a practice floor.
fn check_no_practice_name(app: &App, command: &HouseCommand) -> Result<(), Problem> {
    let name = match command {
        HouseCommand::OpenTable { table, .. }
        | HouseCommand::Propose { proposal: Proposal::OpenTable { table, .. } } => table.name(),
        HouseCommand::Propose { proposal: Proposal::OpenLink { link, .. } } => link.name(),
        _ => return Ok(()),
    };
    if app.is_practice() || !floor::is_practice_name(name) {
        return Ok(());
    }
    let detail = "Only a practice floor has names that begin with PRACTICE; choose another.";
    Err(Problem::new(StatusCode::CONFLICT, "NameIsWrong", detail))
}

/// What a command is asked with.
pub(super) struct Asking<'a> {
    pub(super) id: journal::CommandId,
    /// Its body, as it was read.
    pub(super) text: &'a str,
    /// The stream it is about.
    pub(super) about: &'a Stream,
    /// What is taken away beside the log with it.
    pub(super) rows: Vec<Sealed>,
}

/// Gives the floor one command and tells what it did.
pub(super) async fn send(
    app: &App,
    actor: Actor,
    asking: Asking<'_>,
    command: Command,
) -> Result<Json<Done>, Problem> {
    let Asking { id, text, about, rows } = asking;
    let name = serde_json::from_str::<Name>(text).map_or_else(|_| String::new(), |name| name.command);
    let (viewer, code) = (viewer(Some(&actor)), actor.code());
    let digest = digest(&code, about, text);
    let outcome = app.ask(request(id, actor, command, digest).with_rows(rows)).await;
    let said = outcome.as_ref().map_or_else(|problem| problem.reason.clone(), |_| "done".to_owned());
    trail::commanded(&code, &about.to_string(), &name, &said);
    let outcome = outcome.map_err(|problem| Problem { command: Some(name), ..problem })?;
    Ok(Json(Done::of(app, outcome, about, &viewer).await))
}

/// The word that names a command.
#[derive(serde::Deserialize)]
struct Name {
    #[serde(rename = "do")]
    command: String,
}

/// The digest of who asks what of whom: another under the same id is an error.
fn digest(actor: &str, about: &Stream, text: &str) -> Hash {
    Hash::of(["megalink.form.1", actor, &about.to_string(), text])
}
