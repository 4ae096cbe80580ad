//! Signing in and out, as a Player, as staff, as a guest; repeating the password; changing it.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use floor::node::Request;
use floor::{Command, HouseCommand};
use jackpot::Department;
use journal::{
    AccountHolder, Actor, CommandId, CredentialChange, Direction, Moment, PlayerKind, Reader, SignInFault,
    SignInMeans, Stream, Version,
};
use money::Money;
use round::PlayerId;
use rulebook::{Means, Office};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::JsonBody;
use crate::app::App;
use crate::auth::accounts::RowChange;
use crate::auth::cookie::{SessionCookie, token};
use crate::auth::guard::Account;
use crate::auth::limits::{place, too_many};
use crate::auth::refusals;
use crate::auth::second_factor::Checked;
use crate::auth::sessions::{Session, Subject, TokenDigest};
use crate::auth::trail;
use crate::caller::Caller;
use crate::problem::Problem;

/// A name and its password.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    /// The name of the Player or of the person of the staff.
    #[schema(example = "Ann", max_length = 200)]
    name: String,
    #[schema(format = Password, max_length = 1000)]
    password: String,
    /// A code of the second factor, or a recovery code, of whoever has one.
    #[serde(default)]
    #[schema(max_length = 100)]
    code: Option<String>,
}

/// What somebody signs in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum HolderKind {
    Player,
    /// Somebody of the staff.
    Staff,
}

/// Whether somebody has a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SecondFactorState {
    /// There is none, and none is needed.
    None,
    /// The office needs one, and there is none yet: nothing can be done but to enrol.
    Required,
    /// A code is asked for wherever the password is.
    Enrolled,
}

impl SecondFactorState {
    fn of(app: &App, actor: &Actor) -> SecondFactorState {
        match actor {
            Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _)
                if app.second_factors.is_enrolled(person) =>
            {
                SecondFactorState::Enrolled
            }
            Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) if app.must_enrol(actor) => {
                SecondFactorState::Required
            }
            Actor::Staff(..)
            | Actor::Acting(..)
            | Actor::Department(..)
            | Actor::Player(_)
            | Actor::Device(_)
            | Actor::System => SecondFactorState::None,
        }
    }
}

/// Whose session it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Holder {
    name: String,
    /// What they signed in as.
    kind: HolderKind,
    /// The office, of the staff of Table Games.
    office: Option<Office>,
    /// Until when the office is held, by somebody who acts in it for a time.
    acting_until: Option<Moment>,
    /// The department, of the staff.
    department: Option<Department>,
    /// Whether they are a guest with play credits.
    guest: bool,
    /// Whether the password was repeated lately, for payments and adjustments.
    stepped_up: bool,
    /// Whether a code is asked for besides the password.
    second_factor: SecondFactorState,
}

/// A session that has started.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionStarted {
    /// For programs: send it as `Authorization: Bearer TOKEN`. A page has it in a cookie.
    token: String,
    /// Whose session it is.
    who: Holder,
}

/// Who is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionView {
    /// Whose session it is; `null` where nobody is signed in.
    who: Option<Holder>,
}

impl Holder {
    fn of(app: &App, actor: &Actor, stepped_up: bool) -> Holder {
        match actor {
            Actor::Staff(person, office) | Actor::Acting(person, office) => Holder {
                name: person.name().to_owned(),
                kind: HolderKind::Staff,
                office: Some(*office),
                acting_until: acting_until(app, actor),
                department: Some(Department::TableGames),
                guest: false,
                stepped_up,
                second_factor: SecondFactorState::of(app, actor),
            },
            Actor::Department(person, department) => Holder {
                name: person.name().to_owned(),
                kind: HolderKind::Staff,
                office: None,
                acting_until: None,
                department: Some(*department),
                guest: false,
                stepped_up,
                second_factor: SecondFactorState::of(app, actor),
            },
            Actor::Player(player) => Holder {
                name: player.name().to_owned(),
                kind: HolderKind::Player,
                office: None,
                acting_until: None,
                department: None,
                guest: app.board.house().player(player) == Some(PlayerKind::Guest),
                stepped_up,
                second_factor: SecondFactorState::None,
            },
            Actor::Device(_) | Actor::System => unreachable!("only people sign in"),
        }
    }
}

/// Until when somebody acts in the office they are in.
fn acting_until(app: &App, actor: &Actor) -> Option<Moment> {
    let Actor::Acting(person, _) = actor else { return None };
    app.board.house().acting(person).map(|acting| acting.until)
}

/// Signs in.
///
/// An earlier session of this client is signed out. After some wrong passwords an address has to wait, longer each time.
/// Whoever has a second factor is asked for its code once the password is right (`SecondFactorNeeded`): send all again
/// with it.
#[utoipa::path(post, path = "/api/session", tag = "session", request_body = SignIn,
    responses((status = 200, description = "Signed in; the token is in the cookie too", body = SessionStarted),
        (status = 401, description = "The name or the password is wrong", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn sign_in(
    State(app): State<App>,
    caller: Caller,
    cookie: SessionCookie,
    headers: HeaderMap,
    asked: JsonBody<SignIn>,
) -> Result<Response, Problem> {
    let SignIn { name, password, code } = asked.form;
    let subject = check_password(&app, caller, &name, &password).await?;
    let house = app.board.house();
    // A password that the log does not know opens nothing: its holder was dismissed meanwhile, or somebody put it there.
    let Some(actor) = subject.actor(&house).filter(|_| house.has_password(&subject.holder())) else {
        refusals::sign_in(&app, Some(subject.holder()), place(caller), SignInFault::Password).await;
        return Err(wrong());
    };
    if let Err(problem) = check_code(&app, caller, &actor, code.as_deref()).await {
        // Nobody is signed in yet.
        let status = StatusCode::UNAUTHORIZED.as_u16();
        let is_code = matches!(problem.reason.as_str(), "SecondFactorNeeded" | "CodeIsWrong" | "CodeIsUsed");
        return Err(if is_code { Problem { status, ..problem } } else { problem });
    }
    if let Some(earlier) = token(&app, &headers) {
        app.sessions.end(TokenDigest::of(&earlier), &Actor::System).await?;
    }
    trail::signed_in(&subject, caller, "password");
    begin(&app, subject, &actor, SignInMeans::Password, caller, cookie).await
}

/// Who is signed in.
#[utoipa::path(get, path = "/api/session", tag = "session",
    responses((status = 200, description = "Who is signed in", body = SessionView)))]
pub(super) async fn who(
    State(app): State<App>,
    account: Result<Account, Problem>,
) -> Result<Json<SessionView>, Problem> {
    match account {
        Ok(Account { session, actor }) => {
            Ok(Json(SessionView { who: Some(Holder::of(&app, &actor, session.stepped_up)) }))
        }
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED.as_u16() => {
            Ok(Json(SessionView { who: None }))
        }
        Err(problem) => Err(problem),
    }
}

/// Signs out. Open feeds end.
#[utoipa::path(delete, path = "/api/session", tag = "session",
    responses((status = 204, description = "Signed out")))]
pub(super) async fn sign_out(
    State(app): State<App>,
    who: Account,
    cookie: SessionCookie,
) -> Result<Response, Problem> {
    app.sessions.end(who.session.digest, &who.actor).await?;
    trail::signed_out(&who.session.subject);
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie.end());
    Ok(response)
}

/// A guest who comes in.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GuestForm {
    /// The name to go by; one is made up where none is given.
    #[serde(default)]
    #[schema(example = "Robin", max_length = 40)]
    name: Option<String>,
}

/// Comes in as a guest with play credits, where the house allows it.
#[utoipa::path(post, path = "/api/session/guest", tag = "session", request_body = GuestForm,
    responses((status = 200, description = "Signed in as a guest", body = SessionStarted)))]
pub(super) async fn guest(
    State(app): State<App>,
    caller: Caller,
    cookie: SessionCookie,
    asked: JsonBody<GuestForm>,
) -> Result<Response, Problem> {
    if !app.takes_guests() {
        return Err(Problem::forbidden("NoGuests", "This house takes no guests; ask for an account."));
    }
    app.limiter.guest(caller)?;
    let name = match asked.form.name {
        Some(name) => name,
        None => made_up(&app).await?,
    };
    check_free(&app, &name).await?;
    let player = PlayerId::new(&name);
    let amount = Money::from_cents(app.config.floor.guest_credits);
    let register =
        Command::House(HouseCommand::RegisterPlayer { player: player.clone(), kind: PlayerKind::Guest });
    let grant =
        Command::House(HouseCommand::GrantCredits { player: player.clone(), amount, means: Means::Credits });
    for command in [register, grant] {
        app.ask(Request::new(random_id(), Actor::System, command)).await?;
    }
    let subject = Subject::Player(name);
    trail::signed_in(&subject, caller, "guest");
    begin(&app, subject, &Actor::Player(player), SignInMeans::Password, caller, cookie).await
}

/// A password once more.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepUp {
    #[schema(format = Password, max_length = 1000)]
    password: String,
    /// A code of the second factor, or a recovery code, of whoever has one.
    #[serde(default)]
    #[schema(max_length = 100)]
    code: Option<String>,
}

/// Repeats the password, for payments and adjustments.
///
/// The session goes on under a new token; the old one is worth nothing any more.
#[utoipa::path(post, path = "/api/session/step-up", tag = "session", request_body = StepUp,
    responses((status = 200, description = "The session under its new token", body = SessionStarted)))]
pub(super) async fn step_up(
    State(app): State<App>,
    caller: Caller,
    who: Account,
    cookie: SessionCookie,
    asked: JsonBody<StepUp>,
) -> Result<Response, Problem> {
    check_own(&app, caller, &who, &asked.form.password, asked.form.code.as_deref()).await?;
    app.sessions.end(who.session.digest, &who.actor).await?;
    trail::signed_in(&who.session.subject, caller, "step-up");
    begin(&app, who.session.subject, &who.actor, SignInMeans::StepUp, caller, cookie).await
}

/// A password and the one to come.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordForm {
    /// The password until now.
    #[schema(format = Password, max_length = 1000)]
    old: String,
    /// The password from now on: twelve characters at least, and none that is tried first.
    #[schema(format = Password, min_length = 12, max_length = 256)]
    new: String,
    /// A code of the second factor, or a recovery code, of whoever has one.
    #[serde(default)]
    #[schema(max_length = 100)]
    code: Option<String>,
}

/// Changes the password. Every session ends, and a new one begins here.
#[utoipa::path(post, path = "/api/password", tag = "session", request_body = PasswordForm,
    responses((status = 200, description = "The password is changed; a new session", body = SessionStarted)))]
pub(super) async fn password(
    State(app): State<App>,
    caller: Caller,
    who: Account,
    cookie: SessionCookie,
    asked: JsonBody<PasswordForm>,
) -> Result<Response, Problem> {
    let subject = who.session.subject.clone();
    check_own(&app, caller, &who, &asked.form.old, asked.form.code.as_deref()).await?;
    let change = app.accounts.prepare(&subject, &asked.form.new).await?;
    record_credential(&app, &who.actor, &subject, CredentialChange::Changed, change).await?;
    trail::ended(&subject, "the password changed");
    begin(&app, subject, &who.actor, SignInMeans::PasswordChanged, caller, cookie).await
}

/// Writes to the log that somebody's password is another one, and keeps it. Every session of theirs ends.
pub(super) async fn record_credential(
    app: &App,
    actor: &Actor,
    subject: &Subject,
    how: CredentialChange,
    change: RowChange,
) -> Result<(), Problem> {
    let RowChange { digest, mut rows } = change;
    rows.extend(app.sessions.removal(subject).await?);
    let command = HouseCommand::SetCredential { who: subject.holder(), how, row: Some(digest) };
    let request = Request::new(random_id(), actor.clone(), Command::House(command));
    app.ask(request.with_rows(rows)).await?;
    app.sessions.forget(subject);
    Ok(())
}

/// Begins a session: its token in a cookie, and in the answer for programs.
pub(super) async fn begin(
    app: &App,
    subject: Subject,
    actor: &Actor,
    how: SignInMeans,
    Caller(from): Caller,
    cookie: SessionCookie,
) -> Result<Response, Problem> {
    let token = app.sessions.begin(subject, actor, how, from).await?;
    let stepped_up = how == SignInMeans::StepUp;
    let cookie = cookie.begin(&token);
    let started = SessionStarted { token, who: Holder::of(app, actor, stepped_up) };
    let mut response = Json(started).into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Whom a name and a password belong to, unless there were too many wrong ones.
async fn check_password(app: &App, caller: Caller, name: &str, password: &str) -> Result<Subject, Problem> {
    let (address, now): (IpAddr, Instant) = (place(caller), Instant::now());
    if let Err(wait) = app.throttle.check(address, name, now) {
        refusals::sign_in(app, account(app, name).await?, address, SignInFault::TooMany).await;
        return Err(too_many(wait, "There were too many wrong passwords from here; wait a moment."));
    }
    app.throttle.wrong(address, name, now);
    // Longer than any password there is: no work is done for it.
    let fits = name.len() <= 200 && password.len() <= 2000;
    let subject = if fits { app.accounts.check(name, password).await? } else { None };
    let Some(subject) = subject else {
        trail::sign_in_failed(name, caller);
        refusals::sign_in(app, account(app, name).await?, address, SignInFault::Password).await;
        return Err(wrong());
    };
    app.throttle.right(address, name);
    Ok(subject)
}

/// Whose account a name is, if it is anybody's. Another text is not for the log: somebody may have typed a password there.
async fn account(app: &App, name: &str) -> Result<Option<AccountHolder>, Problem> {
    if 200 < name.len() {
        return Ok(None);
    }
    Ok(app.accounts.holder(name).await?.map(|subject| subject.holder()))
}

/// Refuses a password that is not that of a session's holder, and a code that is not that of their second factor.
pub(super) async fn check_own(
    app: &App,
    caller: Caller,
    who: &Account,
    password: &str,
    code: Option<&str>,
) -> Result<(), Problem> {
    check_own_password(app, caller, &who.session, password).await?;
    check_code(app, caller, &who.actor, code).await
}

/// Refuses a wrong code, or none, of somebody who has a second factor. Wrong ones make them wait as wrong passwords do,
/// from wherever they come: whoever gets so far knows the password.
async fn check_code(app: &App, caller: Caller, actor: &Actor, code: Option<&str>) -> Result<(), Problem> {
    let (Actor::Staff(person, _) | Actor::Acting(person, _) | Actor::Department(person, _)) = actor else {
        return Ok(());
    };
    if !app.second_factors.is_enrolled(person) {
        return Ok(());
    }
    let Some(code) = code.filter(|code| !code.trim().is_empty()) else {
        let detail = "Give the code that your authenticator shows, or a recovery code.";
        return Err(Problem::forbidden("SecondFactorNeeded", detail).at("code"));
    };
    let (anywhere, account) = (IpAddr::V4(Ipv4Addr::UNSPECIFIED), format!("code of {person}"));
    let now = Instant::now();
    let who = AccountHolder::Staff(person.clone());
    if let Err(wait) = app.throttle.check(anywhere, &account, now) {
        refusals::sign_in(app, Some(who), place(caller), SignInFault::TooMany).await;
        return Err(too_many(wait, "There were too many wrong codes; wait a moment."));
    }
    app.throttle.wrong(anywhere, &account, now);
    match app.second_factors.check(actor, person, code).await? {
        Checked::Right => {
            app.throttle.right(anywhere, &account);
            Ok(())
        }
        Checked::Used => {
            let detail = "This code was used already; wait for the next one.";
            Err(Problem::forbidden("CodeIsUsed", detail).at("code"))
        }
        Checked::Wrong => {
            trail::code_failed(person.name(), caller);
            refusals::sign_in(app, Some(who), place(caller), SignInFault::Code).await;
            Err(Problem::forbidden("CodeIsWrong", "The code is wrong.").at("code"))
        }
    }
}

/// Refuses a password that is not that of a session's holder.
pub(super) async fn check_own_password(
    app: &App,
    caller: Caller,
    session: &Session,
    password: &str,
) -> Result<(), Problem> {
    let subject = check_password(app, caller, session.subject.name(), password).await;
    match subject {
        Ok(subject) if subject == session.subject => Ok(()),
        Ok(_) => Err(Problem::forbidden("PasswordIsWrong", "The password is wrong.")),
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED.as_u16() => {
            Err(Problem::forbidden("PasswordIsWrong", "The password is wrong."))
        }
        Err(problem) => Err(problem),
    }
}

/// The same words for an unknown name and a wrong password.
fn wrong() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "SignInIsWrong", "The name or the password is wrong.")
}

/// Refuses a name that somebody signs in by, or that is somebody's of the staff.
pub(super) async fn check_free(app: &App, name: &str) -> Result<(), Problem> {
    let lower = name.to_lowercase();
    let of_staff = app.board.house().staff().any(|(person, _)| person.name().to_lowercase() == lower);
    let is_player = app.board.house().is_player_name(name);
    if of_staff || app.accounts.holder(name).await?.is_some() || !is_player && has_played(app, name).await? {
        let detail = "This name is taken, in large letters or small; choose another.";
        return Err(Problem::new(StatusCode::CONFLICT, "NameIsTaken", detail));
    }
    Ok(())
}

/// Whether somebody played under this name, who may have been forgotten since: then the rounds are theirs for good.
async fn has_played(app: &App, name: &str) -> Result<bool, Problem> {
    let tables: Vec<Stream> =
        app.board.tables().iter().map(|table| Stream::Table(table.id().clone())).collect();
    let subject = journal::Subject::Settled(PlayerId::new(name));
    let look = move |reader: &mut dyn Reader| {
        for table in &tables {
            if !reader.about(table, &subject, Direction::Before(Version(u64::MAX)), 1)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    };
    app.vault.look_up(look).await
}

/// A name nobody chose and nobody has or had: a short one, or where many guests have come a long one.
async fn made_up(app: &App) -> Result<String, Problem> {
    let draw = |below: u128| format!("Guest {:06}", uuid::Uuid::from_bytes(random_id().0).as_u128() % below);
    for _ in 0..8 {
        let short = draw(1_000_000);
        if !app.board.house().is_player_name(&short) && !has_played(app, &short).await? {
            return Ok(short);
        }
    }
    Ok(draw(1 << 60))
}

/// An id for a command of the server's own.
pub(super) fn random_id() -> CommandId {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    CommandId(uuid::Builder::from_random_bytes(bytes).into_uuid().into_bytes())
}
