//! A stream carried forward: its whole state as the log keeps it, and the stream restored from that. What follows in the
//! log is folded onto it as if everything before had been read.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::{Counts, Terms};
use journal::{Carried, DayRule, Hash, Moment, StateText, Stream, TableSetup};
use money::Money;
use round::{PlayerId, TableMemory};
use rulebook::Position;
use serde::{Deserialize, Serialize};

use crate::day::TableDay;
use crate::desk::Desk;
use crate::floor::{EvolveError, Floor};
use crate::house::House;
use crate::library::Library;
use crate::table::{Call, Decks, PlannedLimits, Reader, Shuffle, Table};

/// A table between two rounds: as one round begins, before anybody has placed a wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CarriedTable {
    pub(crate) setup: TableSetup,
    pub(crate) open: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) planned: Vec<PlannedLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_round: Option<u64>,
    pub(crate) number: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) terms: Option<Terms>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) jackpot_minimum: Option<Money>,
    pub(crate) counted: Counts,
    pub(crate) memory: TableMemory,
    pub(crate) positions: Vec<(Position, PlayerId)>,
    /// Whether bets are open.
    pub(crate) bets_open: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shuffle: Option<Shuffle>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) previous_shuffle: Option<(u64, Shuffle)>,
    pub(crate) anchors: BTreeMap<PlayerId, Hash>,
    pub(crate) next_anchors: BTreeMap<PlayerId, Hash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asked: Option<Moment>,
    pub(crate) slips: u64,
    pub(crate) decks: Decks,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<Call>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reader: Option<Reader>,
    /// The figures of its gaming day. Earlier programs did not keep them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) day: Option<TableDay>,
}

/// A link, with its rulebooks by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CarriedLink {
    books: Vec<String>,
    desk: Desk,
}

impl Floor {
    /// The state of a stream; `None` of a table in the middle of a round, and where there is no such stream.
    pub(crate) fn state_of(&self, stream: &Stream) -> Option<StateText> {
        match stream {
            Stream::House => Some(StateText::of(&**self.house())),
            Stream::Table(id) => Some(StateText::of(&self.table(id)?.carried(self.library())?)),
            Stream::Link(id) => Some(StateText::of(&CarriedLink::of(self.link(id)?))),
        }
    }

    /// Refuses a state that is not what a stream has come to.
    pub(crate) fn check_carried(&self, stream: &Stream, carried: &Carried) -> Result<(), EvolveError> {
        let is_same = match stream {
            Stream::House => is_house(carried, self.house())?,
            Stream::Table(id) => match self.table(id) {
                Some(table) => is_table(carried, table, self.library())?,
                None => false,
            },
            Stream::Link(id) => match self.link(id) {
                Some(desk) => is_link(carried, desk, self.library())?,
                None => false,
            },
        };
        if is_same { Ok(()) } else { Err(EvolveError::NotTheState) }
    }

    /// Puts a stream in place as it was carried forward.
    pub(crate) fn restore(&mut self, stream: &Stream, carried: &Carried) -> Result<(), EvolveError> {
        match stream {
            Stream::House => self.put_house(Arc::new(read::<House>(&carried.state)?))?,
            Stream::Table(id) => {
                let table = Table::restored(id, self.library(), read(&carried.state)?)?;
                self.put_table(id, Some(Arc::new(table)));
            }
            Stream::Link(id) => {
                let desk = restored_desk(carried, self.library())?;
                self.put_link(id, Some(Arc::new(desk)));
            }
        }
        Ok(())
    }
}

/// When the gaming days begin of a house that was carried forward. The rest of it is not read.
pub(crate) fn day_rule_in(carried: &Carried) -> Result<DayRule, EvolveError> {
    #[derive(Deserialize)]
    struct Ruled {
        #[serde(default)]
        gaming_day: DayRule,
    }
    Ok(read::<Ruled>(&carried.state)?.gaming_day)
}

/// Whether a house was carried forward as it is, with the books.
pub(crate) fn is_house(carried: &Carried, house: &House) -> Result<bool, EvolveError> {
    Ok(carried.books.is_some() && read::<House>(&carried.state)? == *house)
}

/// Whether a table was carried forward as it is. The figures of its day are aside: they stop no node that reads what another
/// wrote, and the audit compares them.
pub(crate) fn is_table(carried: &Carried, table: &Table, library: &Library) -> Result<bool, EvolveError> {
    let restored = Table::restored(table.id(), library, read(&carried.state)?)?.with_day_of(table);
    Ok(carried.books.is_none() && restored == *table)
}

/// Whether a table was carried forward with the figures of its day, on which the limits of Players rest. Earlier programs did
/// not keep them.
pub(crate) fn is_day_of(carried: &Carried, table: &Table) -> Result<bool, EvolveError> {
    let CarriedTable { day, .. } = read(&carried.state)?;
    Ok(day.is_none_or(|day| day == *table.day()))
}

/// Whether a link was carried forward as it is.
pub(crate) fn is_link(carried: &Carried, desk: &Desk, library: &Library) -> Result<bool, EvolveError> {
    Ok(carried.books.is_none() && restored_desk(carried, library)? == *desk)
}

fn restored_desk(carried: &Carried, library: &Library) -> Result<Desk, EvolveError> {
    let CarriedLink { books, desk } = read(&carried.state)?;
    desk.with_books(library, &books)
}

impl CarriedLink {
    fn of(desk: &Desk) -> CarriedLink {
        let books = desk.link().books().iter().map(|book| book.id.clone()).collect();
        CarriedLink { books, desk: desk.clone() }
    }
}

fn read<'t, T: Deserialize<'t>>(state: &'t StateText) -> Result<T, EvolveError> {
    state.read().map_err(|error| EvolveError::State(error.to_string()))
}
