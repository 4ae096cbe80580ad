//! The finished rounds of a table as records, which `megalink settle` settles without the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::{EntryId, Event as Jackpot, Settings, TableId};
use journal::{Event, LinkEvent, LinkId, Moment, Reader, Stream, TableEvent, TableSetup, Version};
use money::{Pool, Rate};
use record::{History, JackpotState, Record, record_of};
use round::{Stage, TableMemory};
use rulebook::Rulebook;

use super::AuditError;
use super::follow::{Span, restored};
use super::groups::{Groups, LoggedEvent, checked};
use super::locate::{begins, house_notes, parted, streams, table_of};
use super::table::TableAudit;
use crate::floor::Floor;
use crate::library::Library;
use crate::table::Table;

/// What every link held before each round of a stretch of its log.
#[derive(Debug, Default)]
pub struct Meters(BTreeMap<LinkId, Meter>);

/// What is known of a link, for the rounds of one table or of all.
#[derive(Debug, Default)]
struct Meter {
    /// The link before each round that was entered.
    entered: BTreeMap<EntryId, Terms>,
    /// The link after each of its events.
    later: Vec<(Moment, Terms)>,
}

/// A meter, and what wagers do to it.
#[derive(Clone, Copy, Debug)]
struct Terms {
    meter: Pool,
    settings: Settings,
    rate: Rate,
}

/// A round being gathered.
struct Gathered {
    number: u64,
    /// The table before the round, as far as a record needs it.
    table: TableId,
    setup: TableSetup,
    book: Arc<Rulebook>,
    memory: TableMemory,
    began: TableEvent,
    events: Vec<round::Event>,
    /// When it was settled, for the last time so far.
    settled: Option<Moment>,
    /// The entry that settled it for the first time.
    first_settled: Option<Version>,
}

/// Hands over the records of a table's finished rounds, or of one of them, in order. Returns how many there are.
pub fn records(
    reader: &mut dyn Reader,
    library: &Library,
    table: &str,
    number: Option<u64>,
    each: &mut dyn FnMut(&Record<'_>),
) -> Result<u64, AuditError> {
    let id = table_of(reader, table)?;
    let mut notes = house_notes(reader)?;
    let mut meters = Meters::default();
    for stream in streams(reader)? {
        if let Stream::Link(link) = stream {
            let meter = meter_of(reader, &link, table)?;
            meters.0.insert(link, meter);
        }
    }
    let mut audit = TableAudit::new(library, &id);
    let mut gathered: Option<Gathered> = None;
    let (mut written, mut last) = (0_u64, 0);
    let mut finish = |round: Gathered, is_over: bool| -> Result<(), AuditError> {
        if number.is_some_and(|number| number != round.number) {
            return Ok(());
        }
        if !is_over && number.is_some() {
            return Err(AuditError::NotOver { table: table.to_owned(), round: round.number });
        }
        if let Some(record) = record(&round, &meters)?.filter(|_| is_over) {
            each(&record);
            written = written.saturating_add(1);
        }
        Ok(())
    };
    let mut groups = Groups::of(reader, Stream::Table(id.clone()));
    while let Some(entries) = groups.next()? {
        let group = entries.into_iter().map(LoggedEvent::of).collect::<Result<Vec<LoggedEvent>, _>>()?;
        for part in parted(group) {
            if let Some(begun) = begins(&part) {
                gathered.take().map_or(Ok(()), |round| finish(round, true))?;
                gathered = gather(&audit, &part);
                last = begun;
            }
            audit.command(&part, &mut notes);
            if !audit.is_followed() {
                return Err(AuditError::Broken(format!("round {last} of table {table} cannot be followed")));
            }
            if let (Some(round), Some(table)) = (&mut gathered, audit.table()) {
                for item in part {
                    round.note(table, item.event, item.entry.version, item.entry.at);
                }
            }
        }
    }
    let is_over =
        audit.table().is_some_and(|table| !table.is_open() || table.round().stage() == Stage::Closed);
    gathered.map_or(Ok(()), |round| finish(round, is_over))?;
    match number {
        Some(round) if last < round || round == 0 => {
            Err(AuditError::NoSuchRound { table: table.to_owned(), round, last })
        }
        Some(_) | None => Ok(written),
    }
}

impl Meters {
    /// Adds a link that was followed.
    pub fn add(&mut self, link: LinkId, followed: FollowedMeter) {
        self.0.insert(link, followed.meter);
    }
}

/// Hands over the records of the finished rounds of a table that were settled first in a stretch of its stream, in
/// order. Reads little more than the stretch. Returns how many there are.
pub fn records_between(
    reader: &mut dyn Reader,
    library: &Library,
    meters: &Meters,
    table: &TableId,
    span: Span,
    each: &mut dyn FnMut(&Record<'_>),
) -> Result<u64, AuditError> {
    let stream = Stream::Table(table.clone());
    let (start, floor) = before_round(reader, library, &stream, table, span.after)?;
    let (mut gathered, mut written): (Option<Gathered>, u64) = (None, 0);
    let is_wanted = |round: &Gathered| {
        round.first_settled.is_some_and(|settled| span.after < settled && settled <= span.up_to)
    };
    let mut finish = |round: &Gathered| -> Result<(), AuditError> {
        if let Some(record) = if is_wanted(round) { record(round, meters)? } else { None } {
            each(&record);
            written = written.saturating_add(1);
        }
        Ok(())
    };
    let mut following = floor.table(table).map(|table| Table::clone(table));
    let library = floor.library();
    each_event(reader, &stream, start, &mut |version, at, event| {
        if span.up_to < version && !gathered.as_ref().is_some_and(is_wanted) {
            gathered = None;
            return Ok(false);
        }
        let Event::Table(event) = event else { return Ok(true) };
        if let TableEvent::RoundBegan { number, .. } = &event {
            gathered.take().as_ref().map_or(Ok(()), &mut finish)?;
            gathered = following.as_ref().map(|before| Gathered::new(*number, before, &event));
        }
        // Who did it and when is no part of a record.
        let done = match &mut following {
            Some(following) => following.evolve(library, &event),
            None => Table::opened(table, library, &event).map(|opened| following = Some(opened)),
        };
        done.map_err(|error| AuditError::Broken(format!("{stream} entry {version}: {error}")))?;
        if let (Some(round), Some(table)) = (&mut gathered, &following) {
            round.note(table, Event::Table(event), version, at);
        }
        Ok(true)
    })?;
    let is_over = following.is_some_and(|table| !table.is_open() || table.round().stage() == Stage::Closed);
    gathered.filter(|_| is_over).as_ref().map_or(Ok(()), &mut finish)?;
    Ok(written)
}

/// Hands over what happened in a stream after a version, until `each` says that it has enough. A few entries are read at a
/// time: what is read and not asked for is read in vain.
fn each_event(
    reader: &mut dyn Reader,
    stream: &Stream,
    mut after: Version,
    each: &mut dyn FnMut(Version, Moment, Event) -> Result<bool, AuditError>,
) -> Result<(), AuditError> {
    const PAGE: usize = 512;
    loop {
        let (mut is_empty, mut done) = (true, Ok(true));
        reader.each_happened(stream, after, PAGE, &mut |happened| {
            is_empty = false;
            done = if happened.version == after.next() {
                after = happened.version;
                if happened.kind == "table.v1" && is_beside_rounds(happened.name()) {
                    return true;
                }
                let event = checked(stream, happened.version, happened.event());
                event.and_then(|event| each(happened.version, happened.at, event))
            } else {
                Err(AuditError::Archived { stream: stream.clone(), version: after.next() })
            };
            matches!(done, Ok(true))
        })?;
        if is_empty || !done? {
            return Ok(());
        }
    }
}

/// Whether an event of a table says nothing that a record has: how its cards were shuffled, and what its sign showed.
fn is_beside_rounds(name: &str) -> bool {
    matches!(
        name,
        "shuffle-committed"
            | "shuffle-salted"
            | "shuffle-opened"
            | "shuffle-lost"
            | "salts-committed"
            | "salts-awaited"
            | "salt-opened"
            | "salts-withheld"
            | "seed-discarded"
            | "meter-shown"
    )
}

/// A state to follow a table from so that every round that ends after a version is seen to begin, and where it stands.
fn before_round(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    table: &TableId,
    after: Version,
) -> Result<(Version, Floor), AuditError> {
    let mut newest: Option<u64> = None;
    let mut up_to = after;
    while let Some(version) = reader.carried(stream, up_to)? {
        let floor = restored(reader, library, stream, version)?;
        let number = floor.table(table).map_or(0, |table| table.number());
        if newest.is_some_and(|newest| number < newest) {
            return Ok((version, floor));
        }
        newest = Some(newest.unwrap_or(number));
        up_to = Version(version.0.saturating_sub(1));
    }
    Ok((Version(0), Floor::new(library.clone())))
}

fn gather(audit: &TableAudit<'_>, part: &[LoggedEvent]) -> Option<Gathered> {
    let number = begins(part)?;
    let Event::Table(began) = &part.first()?.event else {
        return None;
    };
    Some(Gathered::new(number, audit.table()?, began))
}

impl Gathered {
    fn new(number: u64, before: &Table, began: &TableEvent) -> Gathered {
        Gathered {
            number,
            table: before.id().clone(),
            setup: before.setup().clone(),
            book: Arc::clone(before.book()),
            memory: before.round().memory().clone(),
            began: began.clone(),
            events: Vec::new(),
            settled: None,
            first_settled: None,
        }
    }

    /// Notes an event of the round. The table has applied it already.
    fn note(&mut self, table: &Table, event: Event, version: Version, at: Moment) {
        let Event::Table(event) = event else { return };
        if let TableEvent::RulesTaken { .. } | TableEvent::LimitsTaken { .. } = event {
            // The round is played under the rules and limits that its table takes before bets open; what is taken later is of
            // the next round.
            if table.number() == self.number {
                self.book = Arc::clone(table.book());
                let limits = table.round().limits().clone();
                self.setup = TableSetup { limits, ..table.setup().clone() };
            }
        } else if let TableEvent::Round(event) = event {
            if matches!(event, round::Event::Settled { .. }) {
                self.settled = Some(at);
                self.first_settled.get_or_insert(version);
            }
            self.events.push(event);
        }
    }
}

/// The record of a round; `None` if it was never settled.
fn record(round: &Gathered, Meters(meters): &Meters) -> Result<Option<Record<'static>>, AuditError> {
    let TableEvent::RoundBegan { jackpot_minimum, positions, .. } = &round.began else {
        return Ok(None);
    };
    let setup = &round.setup;
    let entry = EntryId { table: round.table.clone(), round: round.number };
    let terms = setup.link.as_ref().and_then(|link| meters.get(link)?.at(&entry, round.settled));
    let jackpot = jackpot_minimum.zip(terms).map(|(minimum_wager, terms)| JackpotState {
        meter: terms.meter.displayed(),
        fraction: terms.meter.fraction(),
        reset: terms.settings.parameters().reset,
        minimum_wager,
        contribution_bps: terms.rate,
        cap: terms.settings.parameters().cap,
    });
    let history = History {
        id: format!("{} {}", round.table, round.number),
        book: &round.book,
        positions: setup.positions,
        layout: setup.layout,
        limits: &setup.limits,
        method: setup.method.as_deref(),
        jackpot_minimum: *jackpot_minimum,
        memory: &round.memory,
        holders: positions,
        events: &round.events,
    };
    let record = record_of(&history, jackpot).map_err(|error| AuditError::Broken(error.to_string()))?;
    Ok(record.map(|record| {
        let has_wager = record.positions.iter().any(|seat| seat.jackpot.is_some());
        Record { jackpot: record.jackpot.filter(|_| has_wager), ..record }
    }))
}

impl Meter {
    /// The link before a round; if the round was never entered, when it was settled.
    fn at(&self, entry: &EntryId, settled: Option<Moment>) -> Option<Terms> {
        let earlier =
            || self.later.iter().rev().find(|(at, _)| settled.is_some_and(|settled| *at <= settled));
        self.entered.get(entry).copied().or_else(|| earlier().or(self.later.first()).map(|(_, terms)| *terms))
    }
}

/// Follows a link from its beginning, for the rounds of one table.
fn meter_of(reader: &mut dyn Reader, link: &LinkId, table: &str) -> Result<Meter, AuditError> {
    let mut following = FollowedMeter::default();
    let mut groups = Groups::of(reader, Stream::Link(link.clone()));
    while let Some(entries) = groups.next()? {
        for entry in entries {
            let at = entry.at;
            if let Event::Link(event) = LoggedEvent::of(entry)?.event {
                following.note(&event, at, Some(table));
            }
        }
    }
    Ok(following.meter)
}

/// A link as far as it was followed.
#[derive(Debug, Default)]
pub struct FollowedMeter {
    meter: Meter,
    now: Option<Terms>,
}

impl FollowedMeter {
    /// A link as it is at a version of its stream.
    pub fn at(
        reader: &mut dyn Reader,
        library: &Library,
        link: &LinkId,
        version: Version,
    ) -> Result<FollowedMeter, AuditError> {
        let floor = super::follow::floor_at(reader, library, &Stream::Link(link.clone()), version)?;
        let now = floor.link(link).map(|desk| {
            let (meter, settings) = (desk.link().meter(), *desk.link().settings());
            Terms { meter, settings, rate: settings.parameters().contribution }
        });
        let mut meter = Meter::default();
        meter.later.extend(now.map(|terms| (Moment::default(), terms)));
        Ok(FollowedMeter { meter, now })
    }

    /// Goes on with what happened next in its stream.
    pub fn follow(&mut self, event: &Event, at: Moment) {
        if let Event::Link(event) = event {
            self.note(event, at, None);
        }
    }

    /// Notes one event, and what the link held before it where it enters a round of the table, or of any.
    fn note(&mut self, event: &LinkEvent, at: Moment, table: Option<&str>) {
        let FollowedMeter { meter, now } = self;
        if let LinkEvent::Opened { settings, opening, .. } = event {
            let rate = settings.parameters().contribution;
            *now = Some(Terms { meter: *opening, settings: *settings, rate });
        }
        let (Some(terms), LinkEvent::Jackpot(event)) = (&mut *now, event) else {
            meter.later.extend(now.map(|terms| (at, terms)));
            return;
        };
        if let Jackpot::RoundEntered { entry, wagers, contribution, .. } = event
            && table.is_none_or(|table| entry.table.name() == table)
        {
            // A round is entered under the terms it began with, which may be older than the settings.
            let wagered: u64 = wagers.iter().map(|wager| wager.amount.cents()).sum();
            let fed = contribution.meter.plus(contribution.overflow).unwrap_or(contribution.meter);
            let points = fed.ten_thousandths().checked_div(wagered);
            let rate = points.and_then(|points| Rate::from_basis_points(points).ok());
            let entered = Terms { rate: rate.unwrap_or(terms.rate), ..*terms };
            meter.entered.insert(entry.clone(), entered);
        }
        if let Jackpot::SettingsApplied { settings, .. } = event {
            (terms.settings, terms.rate) = (*settings, settings.parameters().contribution);
        }
        terms.meter = event.balances().map_or(terms.meter, |balances| balances.meter);
        meter.later.push((at, *terms));
    }
}
