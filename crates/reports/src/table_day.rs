//! The settlements of a table's day, each with the one that it corrects.

use std::sync::Arc;

use floor::audit::{AuditError, Span, floor_at};
use jackpot::TableId;
use journal::{
    Body, Entry, Event, FoundBy, Happened, Moment, Stream, TableEvent, Version, decode, is_ordinary,
};
use round::{Line, Settlement};
use rulebook::PlayingArea;

use crate::ahead::{ahead, reported, stretches};
use crate::log::Log;

/// The kinds of the entries of a round, and of the others of a table.
const ROUND: &str = "table.round.v1";
const TABLE: &str = "table.v1";

/// The event of a round that settles it. The others need not be read.
const SETTLED: &str = "settled";

/// An entry of a table, as far as its settlements need it.
pub(crate) struct Seen {
    pub(crate) version: Version,
    pub(crate) at: Moment,
    /// Whether it is about an irregularity, a ruling or a Player's admission.
    pub(crate) is_irregular: bool,
    event: Option<Event>,
}

impl Seen {
    fn of(stream: &Stream, Happened { version, at, body }: &Happened) -> Result<Seen, AuditError> {
        let name = body.json.split('"').nth(1).unwrap_or_default();
        let is_round = body.kind == ROUND;
        let is_read = if is_round { name == SETTLED } else { body.kind == TABLE };
        Ok(Seen {
            version: *version,
            at: *at,
            is_irregular: is_round && !is_ordinary(name),
            event: if is_read { Some(event_in(stream, *version, body)?) } else { None },
        })
    }
}

/// Takes what was seen of a table: which one it is, where it stands, and the settlement if it is one.
type Each<'a, E> = &'a mut dyn FnMut(usize, &TableCursor, &Seen, Option<&Settled>) -> Result<(), E>;

/// Hands over the settlements of stretches of tables and what is irregular, each with its table and what it is now. They are
/// read ahead.
pub(crate) fn each_seen<E: Send + From<AuditError>>(
    log: &mut Log<'_>,
    tables: &[(TableId, Span)],
    by: FoundBy,
    each: Each<'_, E>,
) -> Result<(), E> {
    let mut cursors = Vec::new();
    for (table, span) in tables {
        cursors.push(TableCursor::at(log, table, *span)?);
    }
    let streams: Vec<(Stream, Span)> =
        tables.iter().map(|(table, span)| (Stream::Table(table.clone()), *span)).collect();
    ahead(
        log,
        &stretches(&streams),
        &|reader, stretch| {
            let entries = reported(reader, stretch, by)?;
            let seen = entries.iter().map(|entry| Seen::of(stretch.stream, entry));
            Ok(seen.collect::<Result<Vec<Seen>, AuditError>>()?)
        },
        &mut |stretch, all| {
            let Some(cursor) = cursors.get_mut(stretch.place) else { return Ok(()) };
            for mut seen in all {
                let settled = seen.event.take().and_then(|event| cursor.take(event));
                each(stretch.place, cursor, &seen, settled.as_ref())?;
            }
            Ok(())
        },
    )
}

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
        let seen = Seen::of(&entry.stream, &Happened::from(entry.clone()))?;
        Ok(seen.event.and_then(|event| self.take(event)))
    }

    /// Goes on with an event, and says so if it settles the round.
    fn take(&mut self, event: Event) -> Option<Settled> {
        match event {
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
                return Some(Settled { earlier, settlement });
            }
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
        }
        None
    }
}

/// The event of an entry.
pub(crate) fn event_of(entry: &Entry) -> Result<Event, AuditError> {
    event_in(&entry.stream, entry.version, &entry.body)
}

/// The event of an entry of a stream.
fn event_in(stream: &Stream, version: Version, body: &Body) -> Result<Event, AuditError> {
    decode(body).map_err(|error| AuditError::Broken(format!("{stream} entry {version}: {error}")))
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
    /// The money on each area, in the order of [`PlayingArea::ALL`]: of a correction, what it changed.
    pub(crate) fn by_area(&self) -> [Moved; PlayingArea::ALL.len()] {
        let of = |settlement: &Settlement| {
            let mut areas = [Moved::default(); PlayingArea::ALL.len()];
            for line in &settlement.lines {
                let place = PlayingArea::ALL.iter().position(|area| *area == line.area);
                if let Some(moved) = place.and_then(|place| areas.get_mut(place)) {
                    *moved = moved.plus(Moved::of(line));
                }
            }
            areas
        };
        let mut areas = of(&self.settlement);
        if let Some(earlier) = &self.earlier {
            for (moved, before) in areas.iter_mut().zip(of(earlier)) {
                *moved = moved.minus(before);
            }
        }
        areas
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
