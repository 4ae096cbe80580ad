//! The trail of who came and what was denied them: log lines of the target `audit`. Names are written in quotes with
//! their special characters escaped, so no name can pass for a line of its own. Never a password or a token.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;

use super::sessions::Subject;
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

/// Notes every request that was denied for want of a session, an office or an origin.
pub async fn denials(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), without_token(request.uri().path()).to_owned());
    let response = next.run(request).await;
    if matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        tracing::warn!(target: "audit", %method, path = ?path, status = response.status().as_u16(), "denied");
    }
    response
}
