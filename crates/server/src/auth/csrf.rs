//! A page of another origin changes nothing here: only POST and DELETE change anything, they carry a header no form and
//! no foreign page can set, and a browser that says where a request comes from must say it is from here; where the money
//! is real, not by plain HTTP from another machine.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::cookie::SessionCookie;
use crate::app::App;
use crate::problem::Problem;

/// The header every state-changing request carries.
pub const HEADER: &str = "x-megalink";

/// Refuses what a foreign page could have sent.
pub async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if changes && let Err(problem) = check_change(&app, request.headers()) {
        return problem.into_response();
    }
    next.run(request).await
}

fn check_change(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    check_origin(app, headers)?;
    if app.plays_for_real() && SessionCookie::of(headers) == SessionCookie::Plain {
        let detail = "This page came by plain HTTP, so others on the way could read the password. Open the house by HTTPS: it \
                      needs a certificate, or a proxy with TLS in front of it.";
        return Err(Problem::forbidden("PlainHttp", detail));
    }
    if headers.get(HEADER).is_none_or(|value| value != "1") {
        let detail = "Send the header X-Megalink: 1 with everything that is not a GET.";
        return Err(Problem::forbidden("HeaderIsMissing", detail));
    }
    Ok(())
}

/// Refuses a request of a page from elsewhere. A program says nothing of pages and passes.
pub fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let foreign =
        || Problem::forbidden("ForeignOrigin", "This page is from elsewhere; open the floor's own.");
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return Err(foreign());
    }
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(origin) if is_own(app, headers, origin.as_bytes()) => Ok(()),
        Some(_) => Err(foreign()),
    }
}

/// Whether an origin is this server's own: the one it was told, or else the host the request was sent to.
fn is_own(app: &App, headers: &HeaderMap, origin: &[u8]) -> bool {
    if let Some(own) = &app.config.server.origin {
        return origin.eq_ignore_ascii_case(own.trim_end_matches('/').as_bytes());
    }
    let Some(host) = headers.get(header::HOST).map(HeaderValue::as_bytes) else {
        return false;
    };
    let bare = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
    bare.is_some_and(|bare| bare.eq_ignore_ascii_case(host))
}
