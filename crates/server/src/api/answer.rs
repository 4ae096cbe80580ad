//! The answer to a command: what it wrote, as its sender may see it, and the table or link as it is now.

use floor::node::Wrote;
use floor::view::{EventView, LinkView, Viewer};
use journal::{Stream, Version};
use serde::Serialize;
use utoipa::ToSchema;

use super::history;
use crate::app::App;
use crate::view::{Snapshot, TableNow, snapshot_on};

/// What a command did.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// What it did, entry by entry, as you may see it.
    pub events: Vec<EventView>,
    /// The version of its stream after it; a feed goes on from here.
    pub version: u64,
    /// The table as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableNow>,
    /// The link as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkView>,
}

impl Done {
    /// What was written, as a viewer may see it; `about` is the stream the command was given to.
    pub(super) async fn of(app: &App, wrote: Vec<Wrote>, about: &Stream, viewer: &Viewer) -> Done {
        let version = wrote.iter().rev().find(|wrote| wrote.stream == *about).map(|wrote| wrote.last);
        let mut events = Vec::new();
        for Wrote { stream, first, last } in wrote {
            let after = Version(first.0.saturating_sub(1));
            // What was done stands, whether or not it can be read back at this moment.
            events.extend(history::events(app, stream, after, last, viewer).await.unwrap_or_default());
        }
        let version = version.unwrap_or_else(|| app.version(about));
        let (mut table, mut link) = (None, None);
        match look(app, about, viewer) {
            Some(Snapshot::Table(view)) => table = Some(*view),
            Some(Snapshot::Link(view)) => link = Some(*view),
            Some(Snapshot::House) | None => {}
        }
        Done { events, version: version.0, table, link }
    }
}

/// A stream's table or link as it is now.
pub(crate) fn look(app: &App, stream: &Stream, viewer: &Viewer) -> Option<Snapshot> {
    snapshot_on(&app.board, app.hub.timers(), stream, viewer)
}
