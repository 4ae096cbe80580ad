//! A Player who waits for nothing more: the dealer of a table without staff goes on as soon as everybody is ready.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use floor::{OwnWager, Reason};
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
    /// The wagers you mean, in credits. Where they are named and others lie on the table, you are not ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wagers: Option<BTreeSet<OwnWager>>,
}

/// Tells the dealer of a table without staff that you wait for nothing more, or that you do again.
///
/// Bets close, or the next round begins, as soon as every seated Player is ready. It changes no wager and no card, and it is
/// not part of the log. At a table with staff the Dealer decides. While bets are open, name the wagers you mean: a round is
/// not dealt on others. Whoever changes a wager afterwards is not ready any more.
#[utoipa::path(post, path = "/api/tables/{table}/ready", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    request_body(content = Readiness, example = json!({ "ready": true, "wagers": [{ "position": 1, "area": "ante", "amount": 2500 }] })),
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
    let Readiness { ready, wagers } = asked.form;
    let placed = table.wagers_of(&player);
    let has_changed = wagers.is_some_and(|meant| meant != placed);
    app.departures.note_command(&player);
    app.conducted.player_is_ready(id, player, (ready && !has_changed).then_some(placed));
    if has_changed { Err(Reason::WagersHaveChanged.refuse().into()) } else { Ok(StatusCode::NO_CONTENT) }
}
