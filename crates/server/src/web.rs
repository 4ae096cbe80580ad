//! The pages, which are part of the program. The build compressed them; a browser gets the form it takes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::problem::Problem;

/// Every file that the build made, by its path.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Why there is only a plain page, where the build could not make the others.
pub const WITHOUT_PAGES: Option<&str> = option_env!("MEGALINK_WITHOUT_PAGES");

/// A file and its entity tag.
struct File {
    bytes: &'static [u8],
    tag: HeaderValue,
}

/// The files, with their tags worked out at the first request.
static PAGE: LazyLock<BTreeMap<&str, File>> = LazyLock::new(|| {
    let file = |(path, bytes): &(&'static str, &'static [u8])| {
        let tag = format!("\"{}\"", journal::Hash(Sha256::digest(bytes).into()));
        let tag = HeaderValue::from_str(&tag).expect("a digest is plain text");
        (*path, File { bytes, tag })
    };
    FILES.iter().map(file).collect()
});

/// What stands above every page of a practice floor.
const BAND: &str = "<aside class=\"practice-floor\" aria-label=\"Practice floor\"><b>PRACTICE FLOOR</b> <span>no money · no real meter · \
                    arranged cards</span> <a href=\"/practice\">Practice</a></aside>";

/// The page for an address that does not exist.
const MISSING: &str = "missing.html";

/// The forms a file may have beside its plain one, the shortest first: the name in headers, and the file's ending.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// A file of the page. What has a digest in its name never changes and is cached without limit; the rest is revalidated.
pub(crate) async fn page(State(app): State<App>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return Problem::not_found("There is nothing here; see /docs for what there is.").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let detail = "Pages are read only.";
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", detail).into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let file = PAGE.get(path).map(|file| (path.to_owned(), file));
    // A console has a page of its own, reached without the ending.
    let file = file.or_else(|| {
        let page = format!("{path}.html");
        PAGE.get(page.as_str()).map(|file| (page, file))
    });
    let file = file.filter(|(path, _)| path != MISSING);
    match file {
        Some((path, file)) if app.is_practice() && kind(&path) == kind("index.html") => marked(file),
        Some((path, file)) => answer(&path, file, &headers),
        None => missing(&app, &headers),
    }
}

/// The answer for an address that does not exist: a page with a way home for a browser, a problem for a program.
fn missing(app: &App, headers: &HeaderMap) -> Response {
    let Some(file) = PAGE.get(MISSING).filter(|_| shows_pages(headers)) else {
        return Problem::not_found("There is no such page.").into_response();
    };
    // Another address may have had the same page: it is sent whole.
    let mut headers = headers.clone();
    headers.remove(header::IF_NONE_MATCH);
    let mut response = if app.is_practice() { marked(file) } else { answer(MISSING, file, &headers) };
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Whether the answer is shown to a person: a browser that opens an address names the form of pages.
fn shows_pages(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|list| list.split(',')).any(|one| one.trim().starts_with("text/html"))
}

/// A page of a practice floor. The server writes what it is into every page, so that no page can leave it out.
fn marked(plain: &File) -> Response {
    let text = String::from_utf8_lossy(plain.bytes);
    let text =
        text.replacen("<title>", "<title>PRACTICE · ", 1).replacen("<body>", &format!("<body>{BAND}"), 1);
    let mut response = Body::from(text).into_response();
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind("index.html")));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn answer(path: &str, plain: &File, headers: &HeaderMap) -> Response {
    let mut short = ENCODINGS.into_iter().filter(|(name, _)| takes(headers, name));
    let short = short.find_map(|(name, ending)| Some((name, PAGE.get(format!("{path}.{ending}").as_str())?)));
    let (encoding, file) = short.map_or((None, plain), |(name, file)| (Some(name), file));
    let kept = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == file.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.bytes).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    answer.insert(header::ETAG, file.tag.clone());
    response
}

/// Whether a browser takes an encoding: it names it, and not with a weight of zero.
fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let named = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|list| list.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && weight.is_some_and(|weight| 0.0 < weight)
    })
}

/// What kind of file it is, by its ending.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
