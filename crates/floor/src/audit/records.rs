//! The finished rounds of a table as records, which `megalink settle` settles without the log.

use std::collections::BTreeMap;

use jackpot::{EntryId, Event as Jackpot, Settings};
use journal::{Event, LinkEvent, LinkId, Moment, Reader, Stream, TableEvent};
use money::{Pool, Rate};
use record::{History, JackpotState, Record, record_of};
use round::Stage;

use super::AuditError;
use super::groups::{Groups, LoggedEvent};
use super::locate::{begins, house_notes, parted, streams, table_of};
use super::table::TableAudit;
use crate::library::Library;
use crate::table::Table;

/// What is known of a link, for the rounds of one table.
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
    let mut meters: BTreeMap<LinkId, Meter> = BTreeMap::new();
    for stream in streams(reader)? {
        if let Stream::Link(link) = stream {
            let meter = meter_of(reader, &link, table)?;
            meters.insert(link, meter);
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
                round.note(&part);
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

fn gather(audit: &TableAudit<'_>, part: &[LoggedEvent]) -> Option<Gathered> {
    let number = begins(part)?;
    let before = audit.table()?.clone();
    let Event::Table(began) = &part.first()?.event else {
        return None;
    };
    Some(Gathered { number, before, began: began.clone(), events: Vec::new(), settled: None })
}

impl Gathered {
    fn note(&mut self, part: &[LoggedEvent]) {
        for item in part {
            let Event::Table(TableEvent::Round(event)) = &item.event else { continue };
            if matches!(event, round::Event::Settled { .. }) {
                self.settled = Some(item.entry.at);
            }
            self.events.push(event.clone());
        }
    }
}

/// The record of a round; `None` if it was never settled.
fn record(round: &Gathered, meters: &BTreeMap<LinkId, Meter>) -> Result<Option<Record<'static>>, AuditError> {
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

/// Follows a link.
fn meter_of(reader: &mut dyn Reader, link: &LinkId, table: &str) -> Result<Meter, AuditError> {
    let mut meter = Meter::default();
    let mut now: Option<Terms> = None;
    let mut groups = Groups::of(reader, Stream::Link(link.clone()));
    while let Some(entries) = groups.next()? {
        for entry in entries {
            let at = entry.at;
            let Event::Link(event) = LoggedEvent::of(entry)?.event else { continue };
            if let LinkEvent::Opened { settings, opening, .. } = &event {
                let rate = settings.parameters().contribution;
                now = Some(Terms { meter: *opening, settings: *settings, rate });
            }
            let (Some(terms), LinkEvent::Jackpot(event)) = (&mut now, &event) else {
                meter.later.extend(now.map(|terms| (at, terms)));
                continue;
            };
            if let Jackpot::RoundEntered { entry, wagers, contribution, .. } = event
                && entry.table.name() == table
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
    Ok(meter)
}
