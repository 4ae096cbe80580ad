//! Things as they are now, to somebody: the floor's views with what only a server adds to them.
//!
//! What lies face down is kept from a viewer by the floor. What is added here is made of where cards lie and of timers,
//! never of a card.

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
    /// Whether earlier entries were left out, because they are too old.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    skipped: bool,
    /// The table as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a TableNow>,
    /// The link as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a LinkView>,
}

/// A thing as it is now, to somebody.
#[derive(Debug)]
pub enum Sight {
    /// A table.
    Table(Box<TableNow>),
    /// A link.
    Link(Box<LinkView>),
    /// The house has no picture of its own: it is told of alone.
    House,
}

impl Sight {
    /// The message that leads up to it.
    pub fn message(&self, stream: &str, version: Version, events: &[EventView], skipped: bool) -> String {
        let (table, link) = match self {
            Sight::Table(view) => (Some(&**view), None),
            Sight::Link(view) => (None, Some(&**view)),
            Sight::House => (None, None),
        };
        let message = Message { stream, version: version.0, events, skipped, table, link };
        serde_json::to_string(&message).expect("views and events have a JSON form")
    }
}

/// A stream's thing as it is now, to a viewer; `None` where there is none.
pub(crate) fn sight(
    floor: &Floor,
    timers: &Timers,
    stream: &Stream,
    version: Version,
    viewer: &Viewer,
) -> Option<Sight> {
    match stream {
        Stream::House => Some(Sight::House),
        Stream::Link(link) => LinkView::of(floor, link, version).map(|view| Sight::Link(Box::new(view))),
        Stream::Table(id) => {
            let table = floor.table(id)?;
            let desk = table.setup().link.as_ref().and_then(|link| floor.link(link));
            let view = TableNow::of(table, desk.map(Arc::as_ref), version, viewer, timers);
            Some(Sight::Table(Box::new(view)))
        }
    }
}

/// The same of what was last committed. A table is taken from the board by itself: a copy of the whole floor for every
/// command would cost the more, the more tables there are.
pub(crate) fn sight_on(board: &Board, timers: &Timers, stream: &Stream, viewer: &Viewer) -> Option<Sight> {
    let version = board.head(stream).map_or(Version(0), |head| head.version);
    let Stream::Table(id) = stream else {
        return sight(&board.floor(), timers, stream, version, viewer);
    };
    let table = board.table(id)?;
    let desk = table.setup().link.as_ref().and_then(|link| board.link(link));
    let view = TableNow::of(&table, desk.as_deref(), version, viewer, timers);
    Some(Sight::Table(Box::new(view)))
}
