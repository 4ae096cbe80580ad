//! What goes wrong, as problem documents (RFC 9457): a reason for programs, a clause, and a sentence for people.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use floor::Refusal;
use floor::node::Failure;
use journal::NodeId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::trail::Denied;
use crate::spans;

/// A problem document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is: an address that names the reason.
    #[serde(rename = "type")]
    pub kind: String,
    /// The reason's name in words.
    pub title: String,
    /// The HTTP status.
    #[schema(example = 409)]
    pub status: u16,
    /// What is wrong and what to do instead, as a dealer could read it out.
    pub detail: String,
    /// The reason, for programs.
    #[schema(example = "BetsAreClosed")]
    pub reason: String,
    /// The clause it rests on, where a rulebook speaks of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "MTHB9 5.5")]
    pub clause: Option<String>,
    /// Where in the request it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The id of the request, for the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Which node can answer, where this one cannot.
    #[serde(skip)]
    pub elsewhere: Option<Elsewhere>,
    /// After how many seconds to retry.
    #[serde(skip)]
    pub retry_after: Option<u64>,
    /// The name of the command that was refused, where it is known.
    #[serde(skip)]
    pub command: Option<String>,
}

/// Another node runs the table: which, where it is known. Stands with the response until the request is sent on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere(pub Option<NodeId>);

impl Problem {
    /// The database does not answer. What was asked may still happen; asked again, it says so.
    pub fn silent_database() -> Problem {
        Problem::unavailable("The database does not answer. Retry with the same key.")
    }

    /// A problem of the server's own.
    pub fn new(status: StatusCode, reason: &str, detail: impl Into<String>) -> Problem {
        Problem {
            kind: format!("/problems/{}", kebab(reason)),
            title: words(reason),
            status: status.as_u16(),
            detail: detail.into(),
            reason: reason.to_owned(),
            clause: None,
            at: None,
            request_id: None,
            elsewhere: None,
            retry_after: None,
            command: None,
        }
    }

    /// Where in the request it is wrong.
    pub fn at(self, path: impl Into<String>) -> Problem {
        Problem { at: Some(path.into()), ..self }
    }

    /// When to try again.
    pub fn retry_after(self, seconds: u64) -> Problem {
        Problem { retry_after: Some(seconds), ..self }
    }

    /// Nobody is signed in, or no longer.
    pub fn signed_out() -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "SignedOut", "You are not signed in; sign in first.")
    }

    /// This is for others.
    pub fn forbidden(reason: &str, detail: &str) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, reason, detail)
    }

    /// There is no such thing.
    pub fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "NotFound", detail)
    }

    /// It cannot be done now, and may be later.
    pub fn unavailable(detail: &str) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "Unavailable", detail).retry_after(1)
    }

    /// Something broke here. What it was goes to the log alone.
    pub fn broken() -> Problem {
        let detail = "Something went wrong here. It has been noted; please call the floor's operator.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "Broken", detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        self.request_id = spans::request_id();
        let elsewhere = self.elsewhere.take();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let denied = (status == StatusCode::FORBIDDEN)
            .then(|| Denied { reason: self.reason.clone(), command: self.command.take() });
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(denied) = denied {
            response.extensions_mut().insert(denied);
        }
        if let Some(elsewhere) = elsewhere {
            response.extensions_mut().insert(elsewhere);
        }
        response
    }
}

/// Reasons that say who may rather than what the rules say.
const WHO_MAY: [&str; 16] = [
    "DeviceMayNot",
    "StaffOnly",
    "OfficeIsTooLow",
    "NotYourWager",
    "NotYourHand",
    "NotOfTheStaff",
    "NotYours",
    "SystemOnly",
    "NotYourAccount",
    "NotYourInvitation",
    "NotForYourself",
    "NotActing",
    "NotIndependent",
    "NotYourDepartment",
    "OneDepartmentTwice",
    "TooNew",
];

/// Reasons that say there is no such thing.
const NO_SUCH: [&str; 6] =
    ["NoSuchTable", "NoSuchLink", "NoSuchProposal", "NoSuchAward", "NoSuchPerson", "NoSuchDevice"];

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let status = match refusal.reason.as_str() {
            reason if WHO_MAY.contains(&reason) => StatusCode::FORBIDDEN,
            reason if NO_SUCH.contains(&reason) => StatusCode::NOT_FOUND,
            _ => StatusCode::CONFLICT,
        };
        let clause = refusal.clause.map(|clause| clause.to_string());
        Problem { clause, ..Problem::new(status, &refusal.reason, refusal.sentence) }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        match failure {
            Failure::IdReused(_) => {
                let detail = "This Idempotency-Key was used for another command. Use a new one.";
                Problem::new(StatusCode::CONFLICT, "IdReused", detail)
            }
            Failure::NotHere { node } => {
                let detail = "Another server runs this table now. Try again in a moment.";
                Problem { elsewhere: Some(Elsewhere(node)), ..Problem::unavailable(detail) }
            }
            Failure::StorageFull(what) => {
                tracing::error!(what, "nothing can be written");
                Problem::unavailable("The disk is full, so no command is accepted. Try again later.")
            }
            Failure::Unavailable(what) => {
                tracing::warn!(what, "the database cannot be reached");
                Problem::unavailable("The database cannot be reached. Retry with the same key.")
            }
            Failure::Busy => Problem::unavailable("The server is busy. Retry in a moment."),
            Failure::Stopped(what) => {
                tracing::error!(what, "the node has stopped");
                Problem::unavailable("This server has stopped its tables and must be restarted.")
            }
        }
    }
}

/// `BetsAreClosed` as `bets-are-closed`.
fn kebab(reason: &str) -> String {
    words(reason).to_lowercase().replace(' ', "-")
}

/// `BetsAreClosed` as `Bets are closed`.
fn words(reason: &str) -> String {
    let mut text = String::with_capacity(reason.len() + 8);
    for (place, letter) in reason.char_indices() {
        if place != 0 && letter.is_uppercase() {
            text.push(' ');
            text.extend(letter.to_lowercase());
        } else {
            text.push(letter);
        }
    }
    text
}
