//! The settlements of a table's day, each with the one that it corrects.

use std::sync::Arc;

use floor::audit::{AuditError, Span, floor_at};
use jackpot::TableId;
use journal::{Entry, Event, Stream, TableEvent, decode};
use round::{Line, Settlement};
use rulebook::PlayingArea;

use crate::log::Log;

/// How the stored text of a settlement begins: the other events of a round need not be read.
const SETTLED: &str = "{\"settled\"";

/// The kind of the entries of a round.
const ROUND: &str = "table.round.v1";

/// A table as far as the settlements of a stretch of its log need it.
pub(crate) struct TableCursor {
    /// The id of the rulebook it is open under.
    pub(crate) rulebook: String,
    /// The digest of its figures and readings.
    pub(crate) digest: String,
    /// The number of its round.
    pub(crate) number: u64,
    /// How often the round was settled.
    pub(crate) settlements: u32,
    /// How it was settled last.
    pub(crate) settlement: Option<Arc<Settlement>>,
}

/// A round was settled, or settled again.
pub(crate) struct Settled {
    /// The settlement before it, if it corrects one.
    pub(crate) earlier: Option<Arc<Settlement>>,
    pub(crate) settlement: Arc<Settlement>,
}

impl TableCursor {
    /// A table where a stretch begins.
    pub(crate) fn at(log: &mut Log<'_>, table: &TableId, span: Span) -> Result<TableCursor, AuditError> {
        let stream = Stream::Table(table.clone());
        let floor = floor_at(log.reader, &log.library, &stream, span.after)?;
        let settlement = floor.table(table).and_then(|table| table.round().settlement());
        Ok(TableCursor {
            rulebook: floor.table(table).map(|table| table.setup().rulebook.clone()).unwrap_or_default(),
            digest: floor
                .table(table)
                .map(|table| table.setup().rulebook_digest.to_string())
                .unwrap_or_default(),
            number: floor.table(table).map_or(0, |table| table.number()),
            settlements: u32::from(settlement.is_some()),
            settlement: settlement.map(|settlement| Arc::new(settlement.clone())),
        })
    }

    /// Goes on with an entry, and says so if it settles the round.
    pub(crate) fn follow(&mut self, entry: &Entry) -> Result<Option<Settled>, AuditError> {
        if entry.body.kind == ROUND && !entry.body.json.starts_with(SETTLED) {
            return Ok(None);
        }
        match event_of(entry)? {
            Event::Table(TableEvent::Opened { setup }) => {
                (self.rulebook, self.digest) = (setup.rulebook, setup.rulebook_digest.to_string());
            }
            Event::Table(TableEvent::RulesTaken { rulebook, digest, .. }) => {
                (self.rulebook, self.digest) = (rulebook, digest.to_string());
            }
            Event::Table(TableEvent::RoundBegan { number, .. }) => {
                (self.number, self.settlements, self.settlement) = (number, 0, None);
            }
            Event::Table(TableEvent::Round(round::Event::Settled { settlement })) => {
                let earlier = self.settlement.replace(Arc::clone(&settlement));
                self.settlements = self.settlements.saturating_add(1);
                return Ok(Some(Settled { earlier, settlement }));
            }
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
        }
        Ok(None)
    }
}

/// The event of an entry.
pub(crate) fn event_of(entry: &Entry) -> Result<Event, AuditError> {
    let broken =
        |what: String| AuditError::Broken(format!("{} entry {}: {what}", entry.stream, entry.version));
    decode(&entry.body).map_err(|error| broken(error.to_string()))
}

/// Money of wagers, in cents. Below zero where a correction took something back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) staked: i64,
    pub(crate) paid: i64,
    pub(crate) returned: i64,
    pub(crate) collected: i64,
}

impl Moved {
    /// What the house won: what it collected less what it paid.
    pub(crate) const fn win(self) -> i64 {
        self.collected.saturating_sub(self.paid)
    }

    pub(crate) const fn plus(self, other: Moved) -> Moved {
        Moved {
            staked: self.staked.saturating_add(other.staked),
            paid: self.paid.saturating_add(other.paid),
            returned: self.returned.saturating_add(other.returned),
            collected: self.collected.saturating_add(other.collected),
        }
    }

    const fn minus(self, other: Moved) -> Moved {
        Moved {
            staked: self.staked.saturating_sub(other.staked),
            paid: self.paid.saturating_sub(other.paid),
            returned: self.returned.saturating_sub(other.returned),
            collected: self.collected.saturating_sub(other.collected),
        }
    }

    fn of(line: &Line) -> Moved {
        let cents = |amount: money::Money| i64::try_from(amount.cents()).unwrap_or(i64::MAX);
        Moved {
            staked: cents(line.staked),
            paid: cents(line.paid),
            returned: cents(line.returned),
            collected: cents(line.collected),
        }
    }
}

impl Settled {
    /// The money on an area: of a correction, what it changed.
    pub(crate) fn on(&self, area: PlayingArea) -> Moved {
        self.sum(|line| line.area == area)
    }

    /// The money of the lines that are wanted: of a correction, what it changed.
    pub(crate) fn sum(&self, is_wanted: impl Fn(&Line) -> bool) -> Moved {
        let of = |settlement: &Settlement| {
            let lines = settlement.lines.iter().filter(|line| is_wanted(line));
            lines.map(Moved::of).fold(Moved::default(), Moved::plus)
        };
        of(&self.settlement).minus(self.earlier.as_ref().map(|earlier| of(earlier)).unwrap_or_default())
    }
}
