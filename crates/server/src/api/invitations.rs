//! Invitations: somebody of the staff invites, and the invited person chooses the password.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use floor::node::Request;
use floor::permissions::{self, RESET_OF_PLAYER};
use floor::{Command, HouseCommand};
use journal::{AccountHolder, CredentialChange, PlayerKind, SignInMeans};
use round::PlayerId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::session::{begin, check_free, random_id, record_credential};
use crate::app::App;
use crate::auth::accounts::{RowChange, no_invitation};
use crate::auth::cookie::SessionCookie;
use crate::auth::guard::Staff;
use crate::auth::sessions::Subject;
use crate::auth::trail;
use crate::caller::Caller;
use crate::problem::Problem;

/// Whom to invite.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "invite", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum InvitationForm {
    /// Somebody of the staff. By each of the two people who agreed to it, who get one half of the token each: a proposal to
    /// appoint a new person, or to invite one who has lost the password, was confirmed before.
    Staff { person: String },
    /// A Player, who becomes known. By anybody of the staff; for one who has a password, by a Pit Supervisor.
    Player { player: String },
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Invitation {
    /// Who is invited.
    name: String,
    /// What the invited person needs to choose a password, within three days. It is shown only now.
    token: String,
    /// Whether it is one half of what the person needs: the other person who agreed gives out the other half.
    half: bool,
}

/// Invites somebody.
///
/// Staff are invited by the two people who agreed to it (a confirmed proposal), with a repeated password: each gets one half
/// of the token, and gives it to the person, who needs both. Players are invited by anybody of the staff. To offer a Player who has a password another one takes a Pit Supervisor with a repeated
/// password. Earlier invitations of the same person end.
#[utoipa::path(post, path = "/api/invitations", tag = "session",
    request_body(content = InvitationForm, example = json!({ "invite": "player", "player": "Ann" })),
    responses((status = 200, description = "Invited", body = Invitation)))]
pub(super) async fn invite(
    State(app): State<App>,
    who: Staff,
    asked: JsonBody<InvitationForm>,
) -> Result<Json<Invitation>, Problem> {
    let subject = match asked.form {
        InvitationForm::Staff { person } => Subject::Staff(person),
        InvitationForm::Player { player } => {
            register(&app, &who, &player).await?;
            Subject::Player(player)
        }
    };
    let is_second_half = app.board.house().is_half_invited(&subject.holder(), &who.person);
    let (token, RowChange { digest, rows }) = if is_second_half {
        app.accounts.invite_by_second_half(&subject).await?
    } else {
        app.accounts.invite(&subject).await?
    };
    let command = HouseCommand::Invite { who: subject.holder(), row: Some(digest) };
    if permissions::of_house(&command).password {
        who.check_stepped_up()?;
    }
    let request = Request::new(random_id(), who.actor.clone(), Command::House(command));
    app.ask(request.with_rows(rows)).await?;
    trail::invited(&who.actor.code(), &subject);
    let half = match subject {
        Subject::Staff(_) => true,
        Subject::Player(_) => false,
    };
    Ok(Json(Invitation { name: subject.name().to_owned(), token, half }))
}

async fn register(app: &App, who: &Staff, name: &str) -> Result<(), Problem> {
    let player = PlayerId::new(name);
    match app.board.house().player(&player) {
        // The house says who may invite somebody who has a password already.
        Some(PlayerKind::Member)
            if app.board.house().has_password(&AccountHolder::Player(player.clone())) =>
        {
            if RESET_OF_PLAYER.password { who.check_stepped_up() } else { Ok(()) }
        }
        Some(PlayerKind::Member | PlayerKind::Guest | PlayerKind::House) => Ok(()),
        None => {
            check_free(app, name).await?;
            let command = Command::House(HouseCommand::RegisterPlayer { player, kind: PlayerKind::Member });
            app.ask(Request::new(random_id(), who.actor.clone(), command)).await?;
            Ok(())
        }
    }
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
    params(("token" = String, Path, description = "The invitation's token; of the staff both halves, with a dot between them")),
    responses((status = 200, description = "The password is set; signed in", body = super::session::SessionStarted)))]
pub(super) async fn take_up(
    State(app): State<App>,
    caller: Caller,
    cookie: SessionCookie,
    PathParams(token): PathParams<String>,
    asked: JsonBody<TakeUp>,
) -> Result<Response, Problem> {
    let subject = app.accounts.invited(&token).await?;
    let actor = subject.actor(&app.board.house()).ok_or_else(no_invitation)?;
    let change = app.accounts.prepare(&subject, &asked.form.password).await?;
    record_credential(&app, &actor, &subject, CredentialChange::Invitation, change).await?;
    trail::signed_in(&subject, caller, "invitation");
    begin(&app, subject, &actor, SignInMeans::Invitation, caller, cookie).await
}
