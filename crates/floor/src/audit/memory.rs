//! What a thread knows from the periods that it has followed: texts that it has read, and where the streams stood at the end of
//! a period that was in order. The next period begins there, so nothing before it is read again.

use std::collections::BTreeMap;

use jackpot::TableId;
use journal::{LinkId, Stream};

use super::dates::Dates;
use super::forms::Forms;
use super::table::Known;
use crate::desk::Desk;
use crate::floor::Floor;
use crate::table::Table;

/// What is known from earlier periods.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) forms: Forms,
    /// The end of the period before; empty where that is not known.
    pub(super) held: Held,
}

/// The end of a period.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) floor: Option<Floor>,
    pub(super) streams: BTreeMap<Stream, Paused>,
}

/// Where a stream was left, besides its state.
#[derive(Debug)]
pub(super) struct Paused {
    /// The cards of the round in play that the log has.
    pub(super) known: Vec<Known>,
    pub(super) dates: Dates,
}

impl Held {
    /// A table that was followed to its end in the period before.
    pub(super) fn table(&mut self, id: &TableId) -> Option<(Table, Paused)> {
        let table = Table::clone(self.floor.as_ref()?.table(id)?);
        Some((table, self.streams.remove(&Stream::Table(id.clone()))?))
    }

    /// A link that was followed to its end in the period before.
    pub(super) fn link(&mut self, id: &LinkId) -> Option<(Desk, Paused)> {
        let desk = Desk::clone(self.floor.as_ref()?.link(id)?);
        Some((desk, self.streams.remove(&Stream::Link(id.clone()))?))
    }
}
