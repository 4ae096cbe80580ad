//! What a gaming day came to at the tables and in cash: the totals of which months and years are made. They are computed from
//! the entries of the day alone, and those of a day that is over can be kept in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use floor::audit::AuditError;
use journal::{Code, Entry, FoundBy, Sealed, Stream, VaultKey, Version, code_text, is_ordinary};
use round::{Line, Outcome, Settlement};
use rulebook::PlayingArea;
use serde::{Deserialize, Serialize};

use crate::day::{Days, GamingDay};
use crate::log::Log;
use crate::table_day::{Moved, Settled, each_seen};

/// The totals of one gaming day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayTotals {
    /// Up to where each stream was read: version and hash.
    pub heads: BTreeMap<String, (u64, String)>,
    /// By table and rulebook.
    pub tables: BTreeMap<String, BTreeMap<String, TableTotals>>,
    /// Money that came in and went out, by the code of the transfer, in cents.
    pub cash: BTreeMap<String, i64>,
    /// Where something irregular stands, by table: the versions of its entries.
    pub irregular: BTreeMap<String, Vec<u64>>,
}

/// What a table came to under one rulebook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableTotals {
    /// Rounds settled for the first time.
    pub rounds: u64,
    /// Of these, rounds that are void.
    pub voids: u64,
    /// Settlements that corrected an earlier one.
    pub corrections: u64,
    /// Money by area.
    pub areas: BTreeMap<String, AreaTotals>,
    /// The Antes that were played for.
    pub antes: Units,
    /// The Bonus wagers that were played for.
    pub bonuses: Units,
    /// Antes and Bonus wagers of the same rounds.
    pub both: Both,
}

/// Money on an area, in cents; corrections as what they changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaTotals {
    pub staked: i64,
    pub paid: i64,
    pub returned: i64,
    pub collected: i64,
}

/// Wagers on which an expectation and its spread depend, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Units {
    pub sum: i64,
    pub squares: i128,
    /// The products of the wagers of different positions in one round, each pair once.
    pub pairs: i128,
}

/// Products of Antes and Bonus wagers, in square cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both {
    /// Of one position.
    pub own: i128,
    /// Of different positions in one round.
    pub others: i128,
}

impl Both {
    const fn plus(self, other: Both) -> Both {
        Both { own: self.own.saturating_add(other.own), others: self.others.saturating_add(other.others) }
    }

    fn of(antes: &BTreeMap<u8, i64>, bonuses: &BTreeMap<u8, i64>) -> Both {
        let mut both = Both::default();
        for (position, ante) in antes {
            for (other, bonus) in bonuses {
                let product = i128::from(*ante).saturating_mul((*bonus).into());
                let sum = if position == other { &mut both.own } else { &mut both.others };
                *sum = sum.saturating_add(product);
            }
        }
        both
    }
}

impl AreaTotals {
    /// What the house won.
    pub const fn win(self) -> i64 {
        self.collected.saturating_sub(self.paid)
    }

    /// Both together.
    pub const fn plus(self, other: AreaTotals) -> AreaTotals {
        AreaTotals {
            staked: self.staked.saturating_add(other.staked),
            paid: self.paid.saturating_add(other.paid),
            returned: self.returned.saturating_add(other.returned),
            collected: self.collected.saturating_add(other.collected),
        }
    }
}

impl From<Moved> for AreaTotals {
    fn from(moved: Moved) -> AreaTotals {
        let Moved { staked, paid, returned, collected } = moved;
        AreaTotals { staked, paid, returned, collected }
    }
}

impl Units {
    const fn plus(self, other: Units) -> Units {
        Units {
            sum: self.sum.saturating_add(other.sum),
            squares: self.squares.saturating_add(other.squares),
            pairs: self.pairs.saturating_add(other.pairs),
        }
    }

    fn of(positions: &BTreeMap<u8, i64>) -> Units {
        let mut units = Units::default();
        for staked in positions.values() {
            let wide = i128::from(*staked);
            units.pairs = units.pairs.saturating_add(wide.saturating_mul(units.sum.into()));
            units.squares = units.squares.saturating_add(wide.saturating_mul(wide));
            units.sum = units.sum.saturating_add(*staked);
        }
        units
    }
}

/// The wagers on an area in one round by position, of those that were neither returned nor void.
fn played(settlement: &Settlement, area: PlayingArea) -> BTreeMap<u8, i64> {
    let is_played = |line: &&Line| line.area == area && line.outcome != Outcome::Returned;
    let mut positions: BTreeMap<u8, i64> = BTreeMap::new();
    for line in settlement.lines.iter().filter(is_played) {
        let staked = positions.entry(line.position.0).or_default();
        *staked = staked.saturating_add(i64::try_from(line.staked.cents()).unwrap_or(i64::MAX));
    }
    positions
}

impl TableTotals {
    fn add(&mut self, settled: &Settled) {
        for (area, moved) in PlayingArea::ALL.into_iter().zip(settled.by_area()) {
            let moved = AreaTotals::from(moved);
            if moved == AreaTotals::default() {
                continue;
            }
            match self.areas.get_mut(area.name()) {
                Some(totals) => *totals = totals.plus(moved),
                None => drop(self.areas.insert(area.name().to_owned(), moved)),
            }
        }
        if settled.earlier.is_some() {
            self.corrections = self.corrections.saturating_add(1);
            return;
        }
        self.rounds = self.rounds.saturating_add(1);
        if settled.settlement.void.is_some() {
            self.voids = self.voids.saturating_add(1);
            return;
        }
        let antes = played(&settled.settlement, PlayingArea::Ante);
        let bonuses = played(&settled.settlement, PlayingArea::Bonus);
        self.antes = self.antes.plus(Units::of(&antes));
        self.bonuses = self.bonuses.plus(Units::of(&bonuses));
        self.both = self.both.plus(Both::of(&antes, &bonuses));
    }

    /// Both together.
    pub fn plus(mut self, other: &TableTotals) -> TableTotals {
        self.rounds = self.rounds.saturating_add(other.rounds);
        self.voids = self.voids.saturating_add(other.voids);
        self.corrections = self.corrections.saturating_add(other.corrections);
        for (area, totals) in &other.areas {
            let sum = self.areas.entry(area.clone()).or_default();
            *sum = sum.plus(*totals);
        }
        self.antes = self.antes.plus(other.antes);
        self.bonuses = self.bonuses.plus(other.bonuses);
        self.both = self.both.plus(other.both);
        self
    }

    /// The money of all areas, or of all but the Jackpot.
    pub fn money(&self, with_jackpot: bool) -> AreaTotals {
        let jackpot = PlayingArea::Jackpot.name();
        let areas = self.areas.iter().filter(|(area, _)| with_jackpot || *area != jackpot);
        areas.fold(AreaTotals::default(), |sum, (_, totals)| sum.plus(*totals))
    }

    /// The money of one area.
    pub fn area(&self, area: PlayingArea) -> AreaTotals {
        self.areas.get(area.name()).copied().unwrap_or_default()
    }
}

impl DayTotals {
    /// Both together; heads and irregular entries are those of single days and left out.
    pub fn plus(mut self, other: &DayTotals) -> DayTotals {
        for (table, books) in &other.tables {
            let sums = self.tables.entry(table.clone()).or_default();
            for (book, totals) in books {
                let sum = std::mem::take(sums.entry(book.clone()).or_default());
                sums.insert(book.clone(), sum.plus(totals));
            }
        }
        for (code, cents) in &other.cash {
            let sum = self.cash.entry(code.clone()).or_default();
            *sum = sum.saturating_add(*cents);
        }
        self.heads = BTreeMap::new();
        self.irregular = BTreeMap::new();
        self
    }
}

/// What totals are sealed as.
const TOTALS: &str = "totals";

/// Days whose totals are known: in memory, and of days that are over in a folder.
#[derive(Debug, Default)]
pub struct DayCache {
    folder: Option<(PathBuf, VaultKey)>,
    known: BTreeMap<GamingDay, DayTotals>,
}

impl DayCache {
    /// Keeps the totals of days that are over in this folder, sealed with a key: whoever can write there cannot change a report.
    pub fn in_folder(folder: &Path, key: VaultKey) -> DayCache {
        DayCache { folder: Some((folder.to_owned(), key)), known: BTreeMap::new() }
    }

    /// The totals of a day.
    pub fn day(&mut self, log: &mut Log<'_>, day: GamingDay) -> Result<DayTotals, AuditError> {
        if let Some(totals) = log.totals.get(&day) {
            return Ok(totals.clone());
        }
        let totals = self.read(log, day)?;
        log.totals.insert(day, totals.clone());
        Ok(totals)
    }

    /// The totals of a day that this log was not asked for yet.
    fn read(&mut self, log: &mut Log<'_>, day: GamingDay) -> Result<DayTotals, AuditError> {
        if log.opened_after(day)? {
            return Ok(DayTotals::default());
        }
        if let Some(totals) = self.known.get(&day).cloned().or_else(|| self.kept(day))
            && is_of(log, day, &totals)?
        {
            return Ok(totals);
        }
        // What is kept or signed for rests on the entries alone. The index is good enough to look at a day that goes on.
        let is_over = log.newest_day()?.is_some_and(|newest| day < newest);
        let by = if is_over || log.reads_every_entry { FoundBy::Entries } else { FoundBy::Index };
        let totals = totals_of(log, day, by)?;
        if is_over {
            self.keep(day, &totals);
            self.known.insert(day, totals.clone());
        }
        Ok(totals)
    }

    /// The sum of some days.
    pub fn days(&mut self, log: &mut Log<'_>, days: Days) -> Result<DayTotals, AuditError> {
        let mut sum = DayTotals::default();
        for day in days.each() {
            sum = sum.plus(&self.day(log, day)?);
        }
        Ok(sum)
    }

    fn path(&self, day: GamingDay) -> Option<(PathBuf, &VaultKey)> {
        self.folder.as_ref().map(|(folder, key)| (folder.join(format!("{day}.totals")), key))
    }

    /// What is kept of a day. What does not open with the key was written by somebody else, and is not taken.
    fn kept(&self, day: GamingDay) -> Option<DayTotals> {
        let (path, key) = self.path(day)?;
        let text = key.open(TOTALS, &day.to_string(), &std::fs::read(path).ok()?)?;
        serde_json::from_slice(&text).ok()
    }

    /// A folder that cannot be written to costs time the next time, and nothing else.
    fn keep(&self, day: GamingDay, totals: &DayTotals) {
        let Some(((path, key), text)) = self.path(day).zip(serde_json::to_vec(totals).ok()) else { return };
        let row = Sealed { kind: TOTALS.to_owned(), key: day.to_string(), value: Some(text) };
        let Some(text) = key.seal(row).value else { return };
        let new = path.with_extension("new");
        let folder = path.parent().map(std::fs::create_dir_all);
        if folder.is_some_and(|made| made.is_ok()) && std::fs::write(&new, text).is_ok() {
            let _ = std::fs::rename(&new, &path);
        }
    }
}

/// Whether totals are of this log: every stream has the entry that they end with, and no later one of that day.
fn is_of(log: &mut Log<'_>, day: GamingDay, totals: &DayTotals) -> Result<bool, AuditError> {
    for (stream, (version, hash)) in &totals.heads {
        let Ok(stream) = stream.parse::<Stream>() else { return Ok(false) };
        let head = log.head_at(&stream, Version(*version))?;
        // What was archived since cannot be looked at; an archive is verified by itself.
        if head.is_some_and(|head| head.hash.to_string() != *hash) {
            return Ok(false);
        }
        let next = Version(*version).next();
        let later = if next <= log.end(&stream) { log.reader.entry(&stream, next)? } else { None };
        if later.is_some_and(|later| later.at < day.next().begins(log.day_rule())) {
            return Ok(false);
        }
    }
    Ok(!totals.heads.is_empty())
}

/// Reads a day.
fn totals_of(log: &mut Log<'_>, day: GamingDay, by: FoundBy) -> Result<DayTotals, AuditError> {
    let mut totals = DayTotals::default();
    let mut tables = Vec::new();
    for stream in log.streams() {
        let span = log.span(&stream, day)?;
        if let Some(head) = log.head_at(&stream, span.up_to)? {
            totals.heads.insert(stream.to_string(), (head.version.0, head.hash.to_string()));
        }
        if span.after == span.up_to {
            continue;
        }
        match stream {
            Stream::House => {
                log.each(&stream, span, &mut |entry| -> Result<(), AuditError> {
                    note_cash(&mut totals.cash, &entry);
                    Ok(())
                })?;
            }
            Stream::Table(table) => tables.push((table, span)),
            Stream::Link(_) => {}
        }
    }
    let names: Vec<String> = tables.iter().map(|(table, _)| table.to_string()).collect();
    each_seen(log, &tables, by, &mut |place, cursor, seen, settled| -> Result<(), AuditError> {
        let Some(table) = names.get(place) else { return Ok(()) };
        if seen.is_irregular || settled.is_some_and(|settled| settled.earlier.is_some()) {
            totals.irregular.entry(table.clone()).or_default().push(seen.version.0);
        }
        let Some(settled) = settled else { return Ok(()) };
        if let Some(known) = totals.tables.get_mut(table).and_then(|books| books.get_mut(&cursor.rulebook)) {
            known.add(settled);
        } else {
            let books = totals.tables.entry(table.clone()).or_default();
            books.entry(cursor.rulebook.clone()).or_default().add(settled);
        }
        Ok(())
    })?;
    Ok(totals)
}

fn note_cash(cash: &mut BTreeMap<String, i64>, entry: &Entry) {
    for transfer in &entry.transfers {
        if matches!(
            transfer.code,
            Code::BuyIn | Code::CashOut | Code::Grant | Code::GrantEnded | Code::Repaid
        ) {
            let sum = cash.entry(code_text(transfer.code).to_owned()).or_default();
            *sum = sum.saturating_add(transfer.amount.0.div_euclid(10_000));
        }
    }
}

/// Whether an entry of a table is about an irregularity, a ruling or a Player's admission.
pub(crate) fn is_irregular(entry: &Entry) -> bool {
    let text = entry.body.json.trim_start_matches('{').trim_start_matches('"');
    entry.body.kind == "table.round.v1" && !text.split('"').next().is_some_and(is_ordinary)
}
