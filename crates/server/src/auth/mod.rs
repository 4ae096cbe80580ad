//! Who asks, and whether they may: accounts, sessions, and what protects every route.
//!
//! [`protect`] puts a router behind everything that holds for every request: no panic ends a connection, foreign pages
//! change nothing, nobody asks too often, a machine does what its key opens, and every answer carries the headers that keep browsers safe.

pub mod accounts;
pub mod cookie;
pub mod csrf;
pub mod devices;
pub mod guard;
pub mod headers;
pub mod limits;
pub mod passwords;
pub mod refusals;
pub mod second_factor;
pub mod sessions;
pub mod throttle;
mod totp;
pub mod trail;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;
use crate::spans;

/// A router behind what holds for every request.
pub fn protect(router: Router, app: &App) -> Router {
    router
        .layer(from_fn_with_state(app.clone(), devices::check))
        .layer(from_fn_with_state(app.clone(), csrf::check))
        .layer(from_fn_with_state(app.clone(), limits::check))
        .layer(from_fn_with_state(app.clone(), trail::denials))
        .layer(CatchPanicLayer::custom(spans::panicked))
        .layer(from_fn_with_state(app.clone(), headers::add))
}

/// Ends sessions that have run out, were ended by another node, or whose holder's office has changed, until the server
/// stops. Feeds end with their sessions.
pub async fn watch(app: App) {
    let mut every = tokio::time::interval(sessions::SWEPT);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = app.stopping.cancelled() => return,
            _ = every.tick() => {}
        }
        // What cannot be read now is read at the next turn.
        if let Err(problem) = app.sessions.sweep(&app.board.house()).await {
            tracing::warn!(reason = problem.reason, "the sessions could not be swept");
        }
    }
}
