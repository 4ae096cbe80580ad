//! Going on from the last version seen: what was missed comes first, then everything new.

use floor::view::Viewer;
use journal::{Stream, Version};

use crate::api::history;
use crate::app::App;
use crate::hub::{Following, Sent};
use crate::problem::Problem;

/// More than so many missed entries are not told: the thing as it is now says enough.
const MISSED_MAX: u64 = 5000;

/// Follows a stream from a version on, or from now. The first message leads up to where the stream stands.
pub(super) async fn follow(
    app: &App,
    stream: Stream,
    viewer: Viewer,
    after: Option<Version>,
) -> Result<(Sent, Following), Problem> {
    let following = app.hub.follow(stream.clone(), viewer.clone()).await;
    let following =
        following.ok_or_else(|| Problem::unavailable("The feed cannot be followed at present."))?;
    let version = following.version;
    // A sign is for the eye: what lies between is not told one by one.
    let by_sign = matches!(stream, Stream::Link(_)) && !matches!(viewer, Viewer::Staff(..));
    let missed = after.map_or(0, |after| version.0.saturating_sub(after.0));
    let skipped = MISSED_MAX < missed;
    let told = match after {
        Some(after) if 0 < missed && !skipped && !by_sign => {
            history::told(app, stream.clone(), after, version, &viewer).await?
        }
        _ => Vec::new(),
    };
    let text = following.sight.message(&stream.to_string(), version, &told, skipped);
    Ok((Sent { version, text: text.into() }, following))
}
