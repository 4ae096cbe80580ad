//! Who makes a request, as handlers ask for it: anybody, somebody signed in, the staff from an office up.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use floor::view::Viewer;
use jackpot::{Person, Post};
use journal::Actor;
use rulebook::Office;

use super::cookie::token;
use super::devices::{KnownDevice, is_key};
use super::sessions::Session;
use super::trail;
use crate::app::{App, viewer};
use crate::problem::Problem;

/// Anybody: with a session, or without.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The session, and the actor its holder is on the floor.
    pub signed_in: Option<(Session, Actor)>,
}

/// Somebody who is signed in, also without the second factor that the office needs: for what concerns the account itself.
#[derive(Clone, Debug)]
pub struct Account {
    pub session: Session,
    /// The actor they are on the floor.
    pub actor: Actor,
}

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub session: Session,
    /// The actor they are on the floor.
    pub actor: Actor,
}

/// Somebody of the staff.
#[derive(Clone, Debug)]
pub struct Staff {
    pub session: Session,
    /// The actor they are on the floor.
    pub actor: Actor,
    pub person: Person,
    /// Where they work.
    pub post: Post,
}

/// A machine with a key, whose scope opens the route.
#[derive(Clone, Debug)]
pub struct DeviceCaller(pub KnownDevice);

/// Who gives a table a command: somebody who is signed in, or the shoe of the table.
#[derive(Clone, Debug)]
pub enum Commander {
    Person(SignedIn),
    Device(KnownDevice),
}

/// Who reads what the log has of finished days: the staff, or a machine whose key opens it.
#[derive(Clone, Debug)]
pub enum LogReader {
    Staff(Staff),
    Device(KnownDevice),
}

impl Commander {
    /// The actor they are on the floor.
    pub fn actor(&self) -> Actor {
        match self {
            Commander::Person(who) => who.actor.clone(),
            Commander::Device(device) => Actor::Device(device.id.clone()),
        }
    }
}

impl LogReader {
    /// Refuses offices of Table Games below.
    pub fn may_look_from(&self, least: Office) -> Result<(), Problem> {
        match self {
            LogReader::Staff(who) => who.may_look_from(least),
            LogReader::Device(_) => Ok(()),
        }
    }
}

impl Visitor {
    /// As whom they look.
    pub fn viewer(&self) -> Viewer {
        viewer(self.signed_in.as_ref().map(|(_, actor)| actor))
    }
}

impl SignedIn {
    /// Refuses a session whose password was not repeated lately.
    pub fn check_stepped_up(&self) -> Result<(), Problem> {
        check_stepped_up(&self.session)
    }

    /// As whom they look.
    pub fn viewer(&self) -> Viewer {
        viewer(Some(&self.actor))
    }
}

impl Staff {
    /// Refuses a session whose password was not repeated lately.
    pub fn check_stepped_up(&self) -> Result<(), Problem> {
        check_stepped_up(&self.session)
    }

    /// Refuses offices of Table Games below. Other departments may look at what a supervisor may look at; what they may not
    /// do, the floor refuses.
    pub fn may_look_from(&self, least: Office) -> Result<(), Problem> {
        if self.post.office().is_some_and(|office| office < least) {
            return Err(Problem::forbidden(
                "OfficeIsTooLow",
                "This needs a more senior office; please call a supervisor or manager.",
            ));
        }
        Ok(())
    }

    /// As whom they look.
    pub fn viewer(&self) -> Viewer {
        viewer(Some(&self.actor))
    }
}

fn check_stepped_up(session: &Session) -> Result<(), Problem> {
    if session.stepped_up {
        return Ok(());
    }
    let detail = "This moves money or settings: repeat your password first.";
    Err(Problem::forbidden("StepUpNeeded", detail))
}

/// Who holds the session of a request.
async fn holder(parts: &Parts, app: &App) -> Result<Option<(Session, Actor)>, Problem> {
    let Some(token) = token(app, &parts.headers).filter(|token| !is_key(token)) else { return Ok(None) };
    let Some(session) = app.sessions.find(&token).await? else { return Ok(None) };
    let actor = session.subject.actor(&app.board.house());
    let Some(actor) = actor.filter(|actor| actor.code() == session.actor) else {
        app.sessions.end(session.digest, &Actor::System).await?;
        trail::ended(&session.subject, "the office changed");
        return Ok(None);
    };
    Ok(Some((session, actor)))
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, Problem> {
        let signed_in = holder(parts, app).await?;
        // Without the second factor that the office needs one sees what everybody sees.
        Ok(Visitor { signed_in: signed_in.filter(|(_, actor)| !app.must_enrol(actor)) })
    }
}

impl FromRequestParts<App> for Account {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Account, Problem> {
        match holder(parts, app).await? {
            Some((session, actor)) => Ok(Account { session, actor }),
            None => Err(Problem::signed_out()),
        }
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<SignedIn, Problem> {
        let Account { session, actor } = Account::from_request_parts(parts, app).await?;
        if app.must_enrol(&actor) {
            let detail = "Your office needs a second factor: enrol one first, on the page of your account.";
            return Err(Problem::forbidden("SecondFactorRequired", detail));
        }
        Ok(SignedIn { session, actor })
    }
}

impl FromRequestParts<App> for Staff {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Staff, Problem> {
        let SignedIn { session, actor } = SignedIn::from_request_parts(parts, app).await?;
        match viewer(Some(&actor)).post() {
            Some((person, post)) => Ok(Staff { session, person: person.clone(), post, actor }),
            None => Err(Problem::forbidden("StaffOnly", "This is for the staff; please ask the Dealer.")),
        }
    }
}

impl FromRequestParts<App> for DeviceCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<DeviceCaller, Problem> {
        let device = parts.extensions.get::<KnownDevice>().cloned();
        device.map(DeviceCaller).ok_or_else(|| match token(app, &parts.headers) {
            Some(_) => Problem::forbidden("DevicesOnly", "This is for devices, with their keys."),
            None => Problem::signed_out(),
        })
    }
}

impl FromRequestParts<App> for Commander {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Commander, Problem> {
        if let Ok(DeviceCaller(device)) = DeviceCaller::from_request_parts(parts, app).await {
            return Ok(Commander::Device(device));
        }
        SignedIn::from_request_parts(parts, app).await.map(Commander::Person)
    }
}

impl FromRequestParts<App> for LogReader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<LogReader, Problem> {
        if let Ok(DeviceCaller(device)) = DeviceCaller::from_request_parts(parts, app).await {
            return Ok(LogReader::Device(device));
        }
        Staff::from_request_parts(parts, app).await.map(LogReader::Staff)
    }
}
