//! Resuming from the last version seen: what was missed comes first, then everything new. Where what was missed cannot be
//! read, the table or link as it is now comes all the same.

use floor::view::Viewer;
use journal::{Stream, Version};

use crate::api::history;
use crate::app::App;
use crate::hub::{Following, Update};
use crate::problem::Problem;

/// More missed entries than this are not sent: the table or link as it is now says enough.
const MISSED_MAX: u64 = 5000;

/// Follows a stream from a version on, or from now. The first message leads up to where the stream stands.
pub(super) async fn follow(
    app: &App,
    stream: Stream,
    viewer: Viewer,
    after: Option<Version>,
) -> Result<(Update, Following), Problem> {
    let following = app.hub.follow(stream.clone(), viewer.clone()).await;
    let following =
        following.ok_or_else(|| Problem::unavailable("The feed cannot be followed at present."))?;
    let version = following.version;
    // A sign is for the eye: the entries between are not sent.
    let by_sign = matches!(stream, Stream::Link(_)) && !matches!(viewer, Viewer::Staff(..));
    let missed = after.map_or(0, |after| version.0.saturating_sub(after.0));
    let mut skipped = MISSED_MAX < missed;
    let mut events = Vec::new();
    if let Some(after) = after.filter(|_| 0 < missed && !skipped && !by_sign) {
        match history::events(app, stream.clone(), after, version, &viewer).await {
            Ok(read) => events = read,
            // How it came to this can wait; what it is now cannot.
            Err(_) => skipped = true,
        }
    }
    let text = following.snapshot.message(&stream.to_string(), version, &events, skipped);
    Ok((Update { version, text: text.into() }, following))
}
