//! The description of the API, made from the code.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::{api, ops};

/// What the description says of itself.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Megalink",
        description = "A casino floor under Marina Bay Sands' rulebooks: tables, links and their meters, the house, the \
                       audit. Amounts are whole cents. What changes something carries an `Idempotency-Key` (a UUID of \
                       your own) and the header `X-Megalink: 1`; the same key again gets the first answer. What the \
                       rules refuse is a problem document with its reason, its clause and a sentence.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(crate::problem::Problem, crate::view::Message<'_>))
)]
struct Head;

/// Every described route.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Head::openapi()).merge(api::routes()).merge(ops::routes())
}

pub fn description() -> Description {
    router().into_openapi()
}

/// Where the description is read. The page `/docs` shows it and lets one try it.
pub(crate) fn file(description: &Description) -> Router<App> {
    let text = description.to_json().expect("a description has a JSON form");
    let read =
        move || async move { ([(header::CONTENT_TYPE, "application/json")], text.clone()).into_response() };
    Router::new().route("/openapi.json", get(read))
}
