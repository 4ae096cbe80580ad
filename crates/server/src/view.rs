//! Tables and links as they are now, for one viewer: the floor's views with what only a server adds to them.
//!
//! What lies face down is kept from a viewer by the floor. What is added here is made of where cards lie and of timers,
//! never of a card.

mod silence;
mod table;
mod timers;

use std::sync::Arc;

use floor::Floor;
use floor::node::Board;
use floor::view::{EventView, LinkView, Viewer};
use journal::{Stream, Version};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use table::TableNow;
pub(crate) use timers::Timers;

/// One message of a feed: what happened since the last, and the thing as it is now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FeedMessage)]
pub(crate) struct Message<'a> {
    /// The stream, such as `table/MTHB9-1`.
    stream: &'a str,
    /// The version of the last entry: where to go on from.
    version: u64,
    /// What happened, entry by entry without a gap.
    events: &'a [EventView],
    /// Whether earlier entries were left out, because they are too many or cannot be read at present.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    skipped: bool,
    /// The table as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a TableNow>,
    /// The link as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a LinkView>,
}

/// A stream's table or link as it is now, for one viewer.
#[derive(Debug)]
pub enum Snapshot {
    Table(Box<TableNow>),
    Link(Box<LinkView>),
    /// The house has no view of its own in a feed: only its events are sent.
    House,
}

impl Snapshot {
    /// The message of a feed that ends with it.
    pub fn message(&self, stream: &str, version: Version, events: &[EventView], skipped: bool) -> String {
        let (table, link) = match self {
            Snapshot::Table(view) => (Some(&**view), None),
            Snapshot::Link(view) => (None, Some(&**view)),
            Snapshot::House => (None, None),
        };
        let message = Message { stream, version: version.0, events, skipped, table, link };
        serde_json::to_string(&message).expect("views and events have a JSON form")
    }
}

/// A stream's table or link as it is now, for a viewer; `None` where there is none.
pub(crate) fn snapshot(
    floor: &Floor,
    timers: &Timers,
    stream: &Stream,
    version: Version,
    viewer: &Viewer,
) -> Option<Snapshot> {
    match stream {
        Stream::House => Some(Snapshot::House),
        Stream::Link(link) => LinkView::of(floor, link, version).map(|view| Snapshot::Link(Box::new(view))),
        Stream::Table(id) => {
            let table = floor.table(id)?;
            let desk = table.setup().link.as_ref().and_then(|link| floor.link(link));
            let view =
                TableNow::of(table, desk.map(Arc::as_ref), floor.house().limits(), version, viewer, timers);
            Some(Snapshot::Table(Box::new(view)))
        }
    }
}

/// The same of what was last committed. A table is taken from the board by itself: copying the whole floor for every
/// command would cost more with every table.
pub(crate) fn snapshot_on(
    board: &Board,
    timers: &Timers,
    stream: &Stream,
    viewer: &Viewer,
) -> Option<Snapshot> {
    let version = board.head(stream).map_or(Version(0), |head| head.version);
    let Stream::Table(id) = stream else {
        return snapshot(&board.floor(), timers, stream, version, viewer);
    };
    let table = board.table(id)?;
    let desk = table.setup().link.as_ref().and_then(|link| board.link(link));
    let view = TableNow::of(&table, desk.as_deref(), board.house().limits(), version, viewer, timers);
    Some(Snapshot::Table(Box::new(view)))
}
