//! The description of the API, made from the code, and the page to try it on.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

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

/// Where the description is read and tried.
pub(crate) fn pages(description: &Description) -> Router<App> {
    let text = description.to_json().expect("a description has a JSON form");
    let read =
        move || async move { ([(header::CONTENT_TYPE, "application/json")], text.clone()).into_response() };
    // The page has the description's address only: the text is served here.
    let config = Config::from("/openapi.json").try_it_out_enabled(true);
    let page: Router<App> = SwaggerUi::new("/docs").config(config).into();
    Router::new().route("/openapi.json", get(read)).merge(page.layer(map_response(relax)))
}

/// The page puts styles into itself as it goes along, which the policy of our own pages does not allow.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                           font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; \
                           frame-ancestors 'none'";

async fn relax(mut response: Response) -> Response {
    let policy = HeaderValue::from_static(PAGE_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}
