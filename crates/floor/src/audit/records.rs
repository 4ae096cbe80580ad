//! The finished rounds of a table as records, which `megalink settle` settles without the log.

use std::collections::BTreeMap;

use jackpot::{EntryId, Event as Jackpot, Settings, TableId};
use journal::{Event, LinkEvent, LinkId, Moment, Reader, Stream, TableEvent, Version};
use money::{Pool, Rate};
use record::{History, JackpotState, Record, record_of};
use round::Stage;

use super::AuditError;
use super::follow::{Span, each_between, restored};
use super::groups::{Groups, LoggedEvent};
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
    before: Table,
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
            if let Some(round) = &mut gathered {
                round.note(library, &part);
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

/// Follows links over a stretch of each of their streams.
pub fn meters_between(
    reader: &mut dyn Reader,
    library: &Library,
    spans: &[(LinkId, Span)],
) -> Result<Meters, AuditError> {
    let mut meters = Meters::default();
    for (link, span) in spans {
        let stream = Stream::Link(link.clone());
        let floor = super::follow::floor_at(reader, library, &stream, span.after)?;
        let mut following = floor.link(link).map_or_else(FollowedMeter::default, |desk| {
            let (meter, settings) = (desk.link().meter(), *desk.link().settings());
            let rate = settings.parameters().contribution;
            FollowedMeter { meter: Meter::default(), now: Some(Terms { meter, settings, rate }) }
        });
        following.meter.later.extend(following.now.map(|terms| (Moment::default(), terms)));
        each_between(reader, &stream, *span, &mut |item| {
            if let Event::Link(event) = &item.event {
                following.note(event, item.entry.at, None);
            }
            Ok(true)
        })?;
        meters.0.insert(link.clone(), following.meter);
    }
    Ok(meters)
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
    let (start, mut floor) = before_round(reader, library, &stream, table, span.after)?;
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
    let whole = Span { after: start, up_to: Version(u64::MAX) };
    each_between(reader, &stream, whole, &mut |item| {
        if span.up_to < item.entry.version && !gathered.as_ref().is_some_and(is_wanted) {
            gathered = None;
            return Ok(false);
        }
        if let Event::Table(began @ TableEvent::RoundBegan { number, .. }) = &item.event {
            gathered.take().as_ref().map_or(Ok(()), &mut finish)?;
            let before = floor.table(table).map(|before| Table::clone(before));
            gathered = before.map(|before| Gathered::new(*number, before, began));
        }
        super::follow::evolve(&mut floor, item)?;
        if let Some(round) = &mut gathered {
            round.note(library, std::slice::from_ref(item));
        }
        Ok(true)
    })?;
    let is_over =
        floor.table(table).is_some_and(|table| !table.is_open() || table.round().stage() == Stage::Closed);
    gathered.filter(|_| is_over).as_ref().map_or(Ok(()), &mut finish)?;
    Ok(written)
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
    Some(Gathered::new(number, audit.table()?.clone(), began))
}

impl Gathered {
    fn new(number: u64, before: Table, began: &TableEvent) -> Gathered {
        let (began, events) = (began.clone(), Vec::new());
        Gathered { number, before, began, events, settled: None, first_settled: None }
    }

    fn note(&mut self, library: &Library, part: &[LoggedEvent]) {
        for item in part {
            // The round is played under the rules that its table takes before bets open.
            if let Event::Table(event @ TableEvent::RulesTaken { .. }) = &item.event {
                let _ = self.before.evolve(library, event);
            }
            let Event::Table(TableEvent::Round(event)) = &item.event else { continue };
            if matches!(event, round::Event::Settled { .. }) {
                self.settled = Some(item.entry.at);
                self.first_settled.get_or_insert(item.entry.version);
            }
            self.events.push(event.clone());
        }
    }
}

/// The record of a round; `None` if it was never settled.
fn record(round: &Gathered, Meters(meters): &Meters) -> Result<Option<Record<'static>>, AuditError> {
    let TableEvent::RoundBegan { jackpot_minimum, positions, .. } = &round.began else {
        return Ok(None);
    };
    let (before, setup) = (&round.before, round.before.setup());
    let entry = EntryId { table: before.id().clone(), round: round.number };
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
        id: format!("{} {}", before.id(), round.number),
        book: before.book(),
        positions: setup.positions,
        layout: setup.layout,
        limits: &setup.limits,
        method: setup.method.as_deref(),
        jackpot_minimum: *jackpot_minimum,
        memory: before.round().memory(),
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
#[derive(Default)]
struct FollowedMeter {
    meter: Meter,
    now: Option<Terms>,
}

impl FollowedMeter {
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
