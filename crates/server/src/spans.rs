//! Each request gets an id, which it may bring along, and is written down with what became of it. Neither queries nor
//! headers nor bodies are: a token or a password is in no log.

use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use crate::caller::Caller;
use crate::problem::Problem;

/// What a request's id is called.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken from outside.
const ID_LENGTH_MAX: usize = 64;

tokio::task_local! {
    static CURRENT: String;
}

/// The id of the request that is being answered, where one is.
pub(crate) fn request_id() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Gives a request its id, counts it, and writes down what became of it.
pub(crate) async fn follow(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = brought(&request).unwrap_or_else(new_id);
    let method = request.method().clone();
    // Of a path that is no route nothing is known, least of all how many there are.
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let caller = request.extensions().get::<Caller>().map(|caller| caller.0.to_string());
    let caller = caller.unwrap_or_default();
    let span = tracing::info_span!("request", %id, %method, route, caller);
    let mut response = CURRENT.scope(id.clone(), next.run(request)).instrument(span.clone()).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let (status, took) = (response.status(), began.elapsed());
    let _entered = span.enter();
    match status.as_u16() {
        500.. if status.as_u16() != 503 => tracing::error!(status = status.as_u16(), ?took, "failed"),
        503 | 429 => tracing::warn!(status = status.as_u16(), ?took, "not now"),
        _ => tracing::debug!(status = status.as_u16(), ?took, "answered"),
    }
    let labels =
        [("method", counted(&method).to_owned()), ("route", route), ("status", status.as_u16().to_string())];
    metrics::counter!("megalink_http_requests_total", &labels).increment(1);
    metrics::histogram!("megalink_http_request_seconds", &labels[..2]).record(took.as_secs_f64());
    response
}

/// A method as the figures tell it. Any word may stand for one, and no figure is ever dropped: the words nobody knows are
/// counted together.
fn counted(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The id a request brings along, where it is one that can be written down as it is.
fn brought(request: &Request) -> Option<String> {
    let id = request.headers().get(REQUEST_ID)?.to_str().ok()?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let fits = !id.is_empty() && id.len() <= ID_LENGTH_MAX && id.chars().all(plain);
    fits.then(|| id.to_owned())
}

/// An id nobody else has.
fn new_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
}

/// A handler panicked. The message goes to the log, and none of it to the client.
#[expect(clippy::needless_pass_by_value, reason = "what a panic says is handed over")]
pub(crate) fn panicked(words: Box<dyn Any + Send>) -> Response {
    let text = words.downcast_ref::<&str>().copied();
    let text = text.or_else(|| words.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("it said nothing"), "a handler broke its promise");
    metrics::counter!("megalink_panics_total").increment(1);
    Problem::broken().into_response()
}
