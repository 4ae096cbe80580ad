//! A Player who waits for nothing more: the dealer of a table without staff goes on as soon as everybody is ready.

use axum::extract::State;
use axum::http::StatusCode;
use journal::Actor;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::tables::{known, no_table};
use crate::app::App;
use crate::auth::guard::SignedIn;
use crate::problem::Problem;

/// Whether you wait for nothing more.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Readiness {
    ready: bool,
}

/// Tells the dealer of a table without staff that you wait for nothing more, or that you do again.
///
/// Bets close, or the next round begins, as soon as every seated Player is ready. It changes no wager and no card, and it is
/// not part of the log. At a table with staff the Dealer decides.
#[utoipa::path(post, path = "/api/tables/{table}/ready", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    request_body(content = Readiness, example = json!({ "ready": true })),
    responses((status = 204, description = "The dealer was told")))]
pub(super) async fn ready(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: SignedIn,
    asked: JsonBody<Readiness>,
) -> Result<StatusCode, Problem> {
    let id = known(&app, &table)?;
    let table = app.board.table(&id).ok_or_else(no_table)?;
    let Actor::Player(player) = who.actor else {
        return Err(Problem::forbidden("NotAPlayer", "Only a Player at the table can be ready."));
    };
    if !table.round().seats().any(|(_, seat)| seat.holder() == Some(&player)) {
        return Err(Problem::forbidden("NotAtTheTable", "Take a position first."));
    }
    app.conducted.player_is_ready(id, player, asked.form.ready);
    Ok(StatusCode::NO_CONTENT)
}
