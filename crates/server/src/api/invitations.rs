//! Invitations: somebody of the staff invites, and the invited person chooses the password.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use floor::node::Request;
use floor::{Command, HouseCommand};
use jackpot::Person;
use journal::PlayerKind;
use round::PlayerId;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::session::{begin, check_free, random_id};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::auth::sessions::Subject;
use crate::auth::trail;
use crate::caller::Caller;
use crate::problem::Problem;

/// Whom to invite.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "invite", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum InvitationForm {
    /// Somebody of the staff, who is appointed to the office. By a Gaming Shift Manager.
    Staff { person: String, office: Office },
    /// A Player, who becomes known. By anybody of the staff; for one who has a password, by a Pit Supervisor.
    Player { player: String },
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Invitation {
    /// Who is invited.
    name: String,
    /// What the invited person needs to choose a password, within three days. It is shown only now.
    token: String,
}

/// Invites somebody.
///
/// Staff are invited by a Gaming Shift Manager with a repeated password, and hold the office at once; Players by
/// anybody of the staff. To offer a Player who has a password another one takes a Pit Supervisor with a repeated password.
#[utoipa::path(post, path = "/api/invitations", tag = "session",
    request_body(content = InvitationForm, example = json!({ "invite": "player", "player": "Ann" })),
    responses((status = 200, description = "Invited", body = Invitation)))]
pub(super) async fn invite(
    State(app): State<App>,
    who: Staff,
    asked: JsonBody<InvitationForm>,
) -> Result<Json<Invitation>, Problem> {
    let subject = match asked.form {
        InvitationForm::Staff { person, office } => {
            who.at_least(Office::GamingShiftManager)?;
            who.check_stepped_up()?;
            appoint(&app, &who, &person, office).await?;
            Subject::Staff(person)
        }
        InvitationForm::Player { player } => {
            register(&app, &who, &player).await?;
            Subject::Player(player)
        }
    };
    let token = app.accounts.invite(&subject).await?;
    trail::invited(&who.actor.code(), &subject);
    Ok(Json(Invitation { name: subject.name().to_owned(), token }))
}

async fn appoint(app: &App, who: &Staff, name: &str, office: Office) -> Result<(), Problem> {
    let person = Person::new(name);
    let is_player = app.board.house().players().any(|(player, _)| player.name().eq_ignore_ascii_case(name));
    if is_player {
        let detail = "A Player goes by this name; choose another.";
        return Err(Problem::new(StatusCode::CONFLICT, "NameIsTaken", detail));
    }
    if app.board.house().office(&person) == Some(office) {
        return Ok(());
    }
    let command = Command::House(HouseCommand::Appoint { person, office });
    app.ask(Request::new(random_id(), who.actor.clone(), command)).await?;
    app.sessions.end_all_of(&Subject::Staff(name.to_owned())).await
}

async fn register(app: &App, who: &Staff, name: &str) -> Result<(), Problem> {
    let player = PlayerId::new(name);
    match app.board.house().player(&player) {
        Some(PlayerKind::Member) => check_may_renew(app, who, name).await,
        Some(PlayerKind::Guest | PlayerKind::House) => {
            let detail = "Guests and Players of the house have no password; choose another name.";
            Err(Problem::new(StatusCode::CONFLICT, "NotAMember", detail))
        }
        None => {
            check_free(app, name).await?;
            let command = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
            app.ask(Request::new(random_id(), who.actor.clone(), command)).await?;
            Ok(())
        }
    }
}

/// Refuses staff who may not offer a Player another password: the invitation opens the account to its holder.
async fn check_may_renew(app: &App, who: &Staff, name: &str) -> Result<(), Problem> {
    if app.accounts.holder(name).await?.is_none() {
        return Ok(());
    }
    if who.office < Office::PitSupervisor {
        let detail =
            "This Player has a password already; only a Pit Supervisor may offer another. Please call one.";
        return Err(Problem::forbidden("OfficeIsTooLow", detail));
    }
    who.check_stepped_up()
}

/// The password of the invited person.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeUp {
    /// The password from now on: twelve characters at least, and none that is tried first.
    #[schema(format = Password, min_length = 12, max_length = 256)]
    password: String,
}

/// Takes up an invitation: chooses the password, and signs in.
#[utoipa::path(post, path = "/api/invitations/{token}", tag = "session", request_body = TakeUp,
    params(("token" = String, Path, description = "The invitation's token")),
    responses((status = 200, description = "The password is set; signed in", body = super::session::SessionStarted)))]
pub(super) async fn take_up(
    State(app): State<App>,
    caller: Caller,
    PathParams(token): PathParams<String>,
    asked: JsonBody<TakeUp>,
) -> Result<Response, Problem> {
    let subject = app.accounts.take_up(&token, &asked.form.password).await?;
    app.sessions.end_all_of(&subject).await?;
    let actor = subject.actor(&app.board.house());
    let actor = actor
        .ok_or_else(|| Problem::not_found("This invitation is for somebody who is not known any more."))?;
    trail::signed_in(&subject, caller, "invitation");
    begin(&app, subject, &actor, false).await
}
