//! The page, which is part of the program.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::problem::Problem;

/// What the build put there.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Page;

/// A file of the page. What has a digest in its name never changes and is kept for ever; the rest is asked after.
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

fn answer(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
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
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
    response
}

/// What kind of file it is, by its ending.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
