//! The pages, which are part of the program. The build compressed them; a browser gets the form it takes.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::problem::Problem;

/// What the build put there.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Page;

/// The forms a file may have beside its plain one, the shortest first: the name in headers, and the file's ending.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// A file of the page. What has a digest in its name never changes and is cached without limit; the rest is revalidated.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return Problem::not_found("There is nothing here; see /docs for what there is.").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let detail = "Pages are read only.";
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", detail).into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let file = Page::get(path).map(|file| (path.to_owned(), file));
    // A console has a page of its own, reached without the ending.
    let file = file.or_else(|| {
        let page = format!("{path}.html");
        Page::get(&page).map(|file| (page, file))
    });
    match file {
        Some((path, file)) => answer(&path, file, &headers),
        None => Problem::not_found("There is no such page.").into_response(),
    }
}

fn answer(path: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Response {
    let mut short = ENCODINGS.into_iter().filter(|(name, _)| takes(headers, name));
    let short = short.find_map(|(name, ending)| Some((name, Page::get(&format!("{path}.{ending}"))?)));
    let (encoding, file) = short.map_or((None, plain), |(name, file)| (Some(name), file));
    let tag = format!("\"{}\"", journal::Hash(file.metadata.sha256_hash()));
    let kept = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response =
        if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Body::from(file.data).into_response()
        };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
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
