//! The cookie that a page keeps its session in.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Uri, header};

use crate::app::App;

/// The cookie of a page that came by TLS, or from the browser's own machine. Nobody on the way can set it.
const SECURE: &str = "__Host-megalink";

/// The cookie of a page that came by plain HTTP from another machine: for such a page browsers keep no secure one.
const PLAIN: &str = "megalink";

/// Which cookie the page that asks can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionCookie {
    Secure,
    Plain,
}

impl SessionCookie {
    /// What the browser says of where its page came from decides. A program says nothing, and has its token.
    pub fn of(headers: &HeaderMap) -> SessionCookie {
        let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
        match origin.and_then(|origin| origin.parse::<Uri>().ok()) {
            Some(origin) if origin.scheme_str() == Some("http") && !is_local(origin.host()) => {
                SessionCookie::Plain
            }
            Some(_) | None => SessionCookie::Secure,
        }
    }

    /// Keeps a token.
    pub fn begin(self, token: &str) -> HeaderValue {
        self.set(token, "")
    }

    /// Forgets the token.
    pub fn end(self) -> HeaderValue {
        self.set("", "; Max-Age=0")
    }

    fn set(self, token: &str, age: &str) -> HeaderValue {
        let (name, secure) = match self {
            SessionCookie::Secure => (SECURE, "; Secure"),
            SessionCookie::Plain => (PLAIN, ""),
        };
        let cookie = format!("{name}={token}; Path=/{secure}; HttpOnly; SameSite=Strict{age}");
        HeaderValue::from_str(&cookie).expect("tokens are hexadecimal digits")
    }
}

impl<S: Sync> FromRequestParts<S> for SessionCookie {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<SessionCookie, Infallible> {
        Ok(SessionCookie::of(&parts.headers))
    }
}

/// Whether browsers trust a page of this host without TLS: it never left the machine.
fn is_local(host: Option<&str>) -> bool {
    let host = host.unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let is_loopback = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || host == "localhost" || host.ends_with(".localhost")
}

/// The token a request carries: as a program's bearer, or in the cookie of a page. Where the money is real the plain cookie
/// is worth nothing, because whoever is on the way can set it.
pub fn token(app: &App, headers: &HeaderMap) -> Option<String> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(bearer) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some(bearer.to_owned());
    }
    let plain = || value(headers, PLAIN).filter(|_| !app.plays_for_real());
    value(headers, SECURE).or_else(plain).map(str::to_owned)
}

/// Whether a request carries the cookie of a session.
pub fn is_sent(headers: &HeaderMap) -> bool {
    [SECURE, PLAIN].into_iter().any(|name| value(headers, name).is_some())
}

/// What the cookie of this name holds.
fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut cookies = sent.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.split_once('='));
    cookies.find_map(|(of, value)| (of.trim() == name).then_some(value.trim()))
}
