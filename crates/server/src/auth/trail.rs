//! The trail of who came and what was denied them: log lines of the target `audit`. Names are written in quotes with
//! their special characters escaped, so no name can pass for a line of its own. Never a password or a token.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use floor::view::changes_in_words;
use journal::{Identity, ServiceChange};

use super::cookie::token;
use super::refusals;
use super::sessions::Subject;
use crate::app::App;
use crate::caller::Caller;

/// Somebody signed in, or did so again for payments.
pub fn signed_in(subject: &Subject, caller: Caller, how: &'static str) {
    tracing::info!(target: "audit", who = ?subject.name(), from = %caller.0, how, "signed in");
}

/// A wrong name or password.
pub fn sign_in_failed(name: &str, caller: Caller) {
    // A name of any length may be sent; a line of the log has its bounds.
    let name: String = name.chars().take(60).collect();
    tracing::warn!(target: "audit", who = ?name, from = %caller.0, "a sign-in failed");
}

/// A wrong code of a second factor, after the right password.
pub fn code_failed(name: &str, caller: Caller) {
    tracing::warn!(target: "audit", who = ?name, from = %caller.0, "a code of a second factor was wrong");
}

/// Somebody signed out.
pub fn signed_out(subject: &Subject) {
    tracing::info!(target: "audit", who = ?subject.name(), "signed out");
}

/// Somebody's sessions were ended because of what became of their account or office.
pub fn ended(subject: &Subject, why: &'static str) {
    tracing::info!(target: "audit", who = ?subject.name(), why, "sessions ended");
}

/// Somebody was invited.
pub fn invited(by: &str, subject: &Subject) {
    tracing::info!(target: "audit", by = ?by, who = ?subject.name(), "invited");
}

/// A command was taken or refused.
pub fn commanded(actor: &str, place: &str, command: &str, outcome: &str) {
    tracing::info!(target: "audit", by = ?actor, place = ?place, command, outcome, "command");
}

/// A path without the token of an invitation, which is a secret until it is used.
fn without_token(path: &str) -> &str {
    const INVITATIONS: &str = "/invitations/";
    path.find(INVITATIONS).map_or(path, |at| &path[..at + INVITATIONS.len()])
}

/// A node started: what runs, and what is different from its last start.
pub fn service_started(node: &str, identity: &Identity, changes: &[ServiceChange]) {
    let (version, program) = (&identity.version, identity.program);
    let rulebooks: Vec<String> =
        identity.rulebooks.iter().map(|(id, digest)| format!("{id} {digest}")).collect();
    let rulebooks = rulebooks.join(", ");
    tracing::info!(target: "audit", node = ?node, version, %program, rulebooks, "started");
    if !changes.is_empty() {
        let what = changes_in_words(changes);
        tracing::warn!(target: "audit", node = ?node, what, "different from the last start");
    }
}

/// Why a request was denied, and which command it was. Stands with the response until the denial is noted.
#[derive(Clone, Debug)]
pub(crate) struct Denied {
    pub(crate) reason: String,
    pub(crate) command: Option<String>,
}

/// Reasons that say somebody's office is not high enough, or that they have none.
const LACK_OF_OFFICE: [&str; 4] = ["StaffOnly", "OfficeIsTooLow", "NotOfTheStaff", "SystemOnly"];

/// Notes every request that was denied for want of a session, an office or an origin. What somebody asked for without the
/// office for it is in the log too.
pub async fn denials(State(app): State<App>, request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), without_token(request.uri().path()).to_owned());
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let token = token(&app, request.headers());
    let response = next.run(request).await;
    if matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        tracing::warn!(target: "audit", %method, path = ?path, status = response.status().as_u16(), "denied");
    }
    let denied = response.extensions().get::<Denied>().cloned();
    if let (Some(denied), Some(token)) = (denied, token)
        && !matches!(method, Method::GET | Method::HEAD | Method::OPTIONS)
        && LACK_OF_OFFICE.contains(&denied.reason.as_str())
        && let Ok(Some(session)) = app.sessions.find(&token).await
    {
        let asked = || format!("{method} {}", route.as_deref().unwrap_or("elsewhere"));
        let what = denied.command.unwrap_or_else(asked);
        refusals::command(&app, session.subject.holder(), &what, &denied.reason).await;
    }
    response
}
