//! Live feeds: one WebSocket for many streams, or one stream as server-sent events. Both go on from the last version
//! seen, and end when the session does.

mod events;
mod resume;
mod socket;

use journal::Stream;

use crate::app::App;
use crate::auth::sessions::Session;
use crate::problem::Problem;

pub(super) use events::{__path_events, __path_house_events, events, house_events};
pub(super) use socket::{__path_socket, socket};

/// A stream that can be followed, by its name.
fn stream(app: &App, name: &str) -> Result<Stream, Problem> {
    let no_stream =
        || Problem::not_found("There is no stream of this name; follow table/NAME, link/NAME or house.");
    let stream: Stream = name.parse().map_err(|_| no_stream())?;
    app.board.head(&stream).map(|_| stream).ok_or_else(no_stream)
}

/// Waits until a session ends; never returns where there is none.
async fn ended(session: Option<&Session>) {
    match session {
        Some(session) => session.ended.cancelled().await,
        None => std::future::pending().await,
    }
}
