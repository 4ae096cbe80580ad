//! The whole log, from its first entry to its last. It is followed in periods, from one closing of the books to the next:
//! each stands by itself, because the books say what every stream was when it began and what it must have come to. So
//! several are followed at once, and what was found in order need not be followed again.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use journal::checkpoint::Checkpoint;
use journal::verify::{
    Checked, Kept, Known, Opening, Place, Span, closings, opening_at, opening_sealed_by, verify_end,
    verify_period,
};
use journal::witness::{AcceptedRollback, Witnessed, compare};
use journal::{Currency, Event, Hash, HouseEvent, Reader, StoreError, Stream, VaultKey, Version};

use super::AuditError;
use super::finding::{Finding, Findings, Kind, Report};
use super::follow::library_of;
use super::groups::LoggedEvent;
use super::matching::Notes;
use super::memory::{Held, Memory};
use super::period::{Followed, Period, end_of};
use super::{index, rows};
use crate::check;
use crate::floor::Floor;
use crate::library::Library;
use crate::node::STREAM_UNSEALED_MAX;

/// How many entries of a period are kept between the check of their chain and their being followed, on each thread. The books
/// are closed after half as many; what is more is read again.
const KEPT_MAX: usize = 100_000;

/// What is said where only a part of the log was followed.
const INDEX_LEFT_OUT: &str = "the index of rounds, awards and settlements was not compared: that takes an audit of the whole log, \
     without --resume";

/// How many periods in a row a thread follows at most: each but the first begins where the one before ended.
const RUN_MAX: usize = 16;

/// What an audit knows besides the log.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The key the checkpoints must be signed with; the one the house opened with where none is given.
    pub key: Option<[u8; 32]>,
    /// Checkpoints kept away from the database: the log must contain what they seal.
    pub checkpoints: Vec<Checkpoint>,
    /// Opens the seeds of rounds in play; without it these are not checked.
    pub vault_key: Option<VaultKey>,
    /// What witnesses have seen: the log must have it all.
    pub witnessed: Vec<Witnessed>,
    /// A checkpoint that is trusted: what stands before the last closing of the books that it seals is not followed again.
    pub since: Option<Checkpoint>,
    /// The entries that closed the books up to which everything was found in order before.
    pub done: BTreeSet<Hash>,
}

/// Is told how far an audit is.
pub trait Watch: Sync {
    /// So many entries have been followed, of so many.
    fn progress(&self, _done: u64, _of: u64) {}

    /// The period that this entry closes is in order.
    fn in_order(&self, _closed_by: Hash) {}

    /// Something is wrong. It is told when its period has been followed, before the next one is.
    fn found(&self, _finding: &Finding) {}

    /// Whether no further period is to be followed.
    fn stops(&self) -> bool {
        false
    }
}

/// Watches nothing but the progress.
struct Bar<'a>(Mutex<&'a mut (dyn FnMut(u64, u64) + Send)>);

impl Watch for Bar<'_> {
    fn progress(&self, done: u64, of: u64) {
        (self.0.lock().unwrap_or_else(PoisonError::into_inner))(done, of);
    }
}

/// Checks a log: its chain, its checkpoints, its money, and everything the rules say. `progress` is called with how many
/// entries have been followed, and of how many.
pub fn verify(
    reader: &mut dyn Reader,
    library: &Library,
    options: &Options,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Report, AuditError> {
    verify_on(reader, Vec::new(), library, options, &Bar(Mutex::new(progress)))
}

/// The same, with further readers of the same log: each follows periods on a thread of its own.
pub fn verify_on(
    reader: &mut dyn Reader,
    others: Vec<Box<dyn Reader>>,
    library: &Library,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Report, AuditError> {
    let mut remarks = Vec::new();
    if is_practice(reader) {
        remarks.push(PRACTICE_LOG.to_owned());
    }
    let library = &library_or(reader, library);
    let key = options.key.or_else(|| key_of(reader));
    if options.key.is_none() && key.is_some() {
        remarks.push(
            "no public key was given: checkpoints are checked with the key that the log itself names"
                .to_owned(),
        );
    }
    let mut notes = Notes::default();
    let (begin, due) = match periods(reader, options)? {
        Ok(periods) => periods,
        Err(found) => {
            notes.findings.add(found);
            return Ok(Report { counts: notes.counts, figure: 0, findings: notes.findings, notes: remarks });
        }
    };
    if let Some(missing) = reader.missing_up_to()?.filter(|_| options.since.is_none()) {
        let what = format!(
            "it is missing, and so is everything up to entry {missing}: no archive in the folder has it; put the files back. What \
             stands before entry {} of the house was not followed",
            begin.closed_by.as_ref().map_or(missing, |head| head.version)
        );
        notes.findings.at(Kind::Chain, &Stream::House, Version(1), what);
    } else if let Some(closed_by) = &begin.closed_by {
        remarks.push(format!(
            "what stands before entry {} of the house was not followed: {}",
            closed_by.version,
            if options.since.is_some() {
                "the checkpoint that was given seals it"
            } else {
                "it is in archives; give their folder too"
            }
        ));
    }
    let heads = reader.heads()?;
    let ahead = |head: &journal::Head| head.version.0.saturating_sub(begin.end_of(&head.stream).version.0);
    let total = heads.iter().map(ahead).fold(0, u64::saturating_add);
    let shared = Shared { library, watch, done: &options.done, due: &due, begin: &begin, total };
    let progress = Progressed::default();
    let earlier = shared.follow_closed(reader, others, &progress, &mut notes)?;
    let last = match due.last() {
        None => Ok(begin.clone()),
        Some(last) => opening_at(reader, *last)?,
    };
    let from = match last {
        Ok(from) => from,
        Err(found) => {
            let found = earlier.findings.into_iter().chain([found]).map(finding);
            found.for_each(|finding| notes.findings.add(finding));
            return Ok(Report { counts: notes.counts, figure: 0, findings: notes.findings, notes: remarks });
        }
    };
    let known = Known {
        keys: key.into_iter().collect(),
        checkpoints: options.checkpoints.iter().chain(&options.since).cloned().collect(),
        unsealed_max: Some(STREAM_UNSEALED_MAX),
    };
    let followed_before = earlier.entries;
    let mut kept = Kept::at_most(KEPT_MAX);
    let span = Span { from: &from, sealed_from: &begin };
    remarks.extend(sealed_end(reader, &known, &span, earlier, &mut kept, &mut notes)?);
    let is_first = shared.is_unfollowed(&from);
    let period = Period { from: &from, to: None, is_first, vault_key: options.vault_key.as_ref() };
    let mut progress = |entries: u64| watch.progress(followed_before.saturating_add(entries), total);
    let last = period.follow(&mut kept.with(reader), library, &mut Memory::default(), &mut progress)?;
    notes.merge(last.notes);
    // Only where everything since the opening was followed.
    if !options.done.is_empty() || watch.stops() {
        remarks.push(INDEX_LEFT_OUT.to_owned());
    } else if notes.findings.is_empty() {
        index::check(reader, &begin, &mut notes)?;
    }
    finish(reader, options, &last.floor, notes, remarks)
}

/// Checks the closed periods of a log up to the entry that closed the books it was started from, one after the other, while
/// others go on writing after them. Returns what is wrong.
pub fn verify_closed(
    reader: &mut dyn Reader,
    library: &Library,
    up_to: Version,
    watch: &dyn Watch,
) -> Result<Findings, AuditError> {
    let mut notes = Notes::default();
    let library = &library_or(reader, library);
    let (begin, mut due) = match periods(reader, &Options::default())? {
        Ok(periods) => periods,
        Err(found) => {
            notes.findings.add(found);
            return Ok(notes.findings);
        }
    };
    due.retain(|closing| *closing <= up_to);
    let last = match due.last() {
        None => Ok(begin.clone()),
        Some(last) => opening_at(reader, *last)?,
    };
    let total = last.map_or(0, |to| length(&begin, &to));
    let shared = Shared { library, watch, done: &BTreeSet::new(), due: &due, begin: &begin, total };
    let checked = shared.follow_closed(reader, Vec::new(), &Progressed::default(), &mut notes)?;
    checked.findings.into_iter().map(finding).for_each(|finding| notes.findings.add(finding));
    Ok(notes.findings)
}

/// The rulebooks of a log, or where they cannot be read those given: then what cannot be followed is said.
fn library_or(reader: &mut dyn Reader, given: &Library) -> Library {
    let of_log = catch_unwind(AssertUnwindSafe(|| library_of(reader, given)));
    of_log.ok().and_then(Result::ok).unwrap_or_else(|| given.clone())
}

/// The opening to begin with, and the entries that close the periods after it.
fn periods(
    reader: &mut dyn Reader,
    options: &Options,
) -> Result<Result<(Opening, Vec<Version>), Finding>, AuditError> {
    let mut all = closings(reader)?;
    let Some(since) = &options.since else {
        let first = reader.entries(&Stream::House, Version(0), 1)?.into_iter().next();
        if all.is_empty() || first.is_none_or(|first| first.version == Version(0).next()) {
            return Ok(Ok((Opening::default(), all)));
        }
        // What stands before was taken out of the log.
        return Ok(first_whole(reader, all)?.map_err(finding));
    };
    let here = reader.checkpoints(since.number.saturating_sub(1), 1)?.pop();
    if here.is_none_or(|here| here.digest() != since.digest()) || since.verify().is_err() {
        let what = "the checkpoint that was given is not the one of this log".to_owned();
        let place = format!("checkpoint {}", since.number);
        return Ok(Err(Finding { kind: Kind::Checkpoint, place, version: None, what }));
    }
    let begin = match opening_sealed_by(reader, since.clone())? {
        Ok(begin) => begin,
        Err(found) => return Ok(Err(finding(found))),
    };
    let first = end_of(&begin, &Stream::House);
    all.retain(|closing| first < *closing);
    Ok(Ok((begin, all)))
}

/// Of the entries that closed the books the first at which the state of every stream is there, and those after it. Where archives
/// are missing, some streams are carried forward only later.
fn first_whole(
    reader: &mut dyn Reader,
    all: Vec<Version>,
) -> Result<Result<(Opening, Vec<Version>), journal::verify::Finding>, StoreError> {
    let mut begin = Opening::default();
    let mut closings = all.into_iter();
    for closing in closings.by_ref() {
        begin = match opening_at(reader, closing)? {
            Ok(opening) => opening,
            Err(finding) => return Ok(Err(finding)),
        };
        if is_whole(reader, &begin)? {
            break;
        }
    }
    Ok(Ok((begin, closings.collect())))
}

/// Whether the state that every stream but the house's had in the books can be read.
fn is_whole(reader: &mut dyn Reader, opening: &Opening) -> Result<bool, StoreError> {
    for (stream, head) in opening.heads.iter().filter(|(stream, _)| **stream != Stream::House) {
        if reader.carried(stream, head.version)?.is_none()
            && reader.entry(stream, Version(0).next())?.is_none()
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many entries have been followed, by all threads together.
#[derive(Default)]
struct Progressed(AtomicU64);

/// What the threads share.
struct Shared<'a> {
    library: &'a Library,
    watch: &'a dyn Watch,
    done: &'a BTreeSet<Hash>,
    due: &'a [Version],
    begin: &'a Opening,
    total: u64,
}

/// What became of one closed period.
type Outcome = Result<(Checked, Notes), AuditError>;

impl Shared<'_> {
    /// Follows all closed periods, and returns what was checked of them.
    fn follow_closed(
        &self,
        reader: &mut dyn Reader,
        others: Vec<Box<dyn Reader>>,
        progressed: &Progressed,
        notes: &mut Notes,
    ) -> Result<Checked, AuditError> {
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
        let threads = others.len().saturating_add(1);
        let runs = threads.saturating_mul(2);
        let run = self.due.len().checked_div(runs).unwrap_or_default().clamp(1, RUN_MAX);
        let work = |reader: &mut dyn Reader| {
            let mut memory = Memory::default();
            loop {
                let first = next.fetch_add(run, Ordering::Relaxed);
                // What another thread has followed is not known here.
                memory.held = Held::default();
                for place in first..first.saturating_add(run) {
                    if self.due.len() <= place || self.watch.stops() {
                        return;
                    }
                    let outcome = self.follow(reader, place, threads == 1, &mut memory, progressed);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((place, outcome));
                }
            }
        };
        std::thread::scope(|scope| {
            for mut other in others {
                let work = &work;
                scope.spawn(move || work(&mut *other));
            }
            work(reader);
        });
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_by_key(|(place, _)| *place);
        let mut earlier = Checked::default();
        for (_, outcome) in outcomes {
            let (checked, found) = outcome?;
            earlier.add(checked);
            notes.merge(found);
        }
        Ok(earlier)
    }

    /// Whether what stands before an opening is not followed by this audit.
    fn is_unfollowed(&self, opening: &Opening) -> bool {
        let is_done = |closing: &journal::Head| self.done.contains(&closing.hash);
        opening.closed_by == self.begin.closed_by || opening.closed_by.as_ref().is_some_and(is_done)
    }

    /// Follows one period.
    fn follow(
        &self,
        reader: &mut dyn Reader,
        place: usize,
        ahead: bool,
        memory: &mut Memory,
        progressed: &Progressed,
    ) -> Outcome {
        let held = std::mem::take(&mut memory.held);
        let from = match place.checked_sub(1).and_then(|before| self.due.get(before)) {
            None => Ok(self.begin.clone()),
            Some(before) => opening_at(reader, *before)?,
        };
        let Some(to) = self.due.get(place) else { return Ok((Checked::default(), Notes::default())) };
        let (from, to) = match (from, opening_at(reader, *to)?) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(found), _) | (_, Err(found)) => {
                return Ok((Checked { findings: vec![found], ..Checked::default() }, Notes::default()));
            }
        };
        let tell = |entries: u64| {
            let done = progressed.0.fetch_add(entries, Ordering::Relaxed).saturating_add(entries);
            self.watch.progress(done, self.total);
        };
        let closed_by = to.closed_by.as_ref().map(|head| head.hash);
        if closed_by.is_some_and(|closed_by| self.done.contains(&closed_by)) {
            tell(length(&from, &to));
            return Ok((Checked::default(), Notes::default()));
        }
        let mut kept = Kept::at_most(KEPT_MAX);
        let checked = verify_period(reader, &from, &to, ahead, &mut kept)?;
        memory.held = held;
        let is_first = self.is_unfollowed(&from);
        let period = Period { from: &from, to: Some(&to), is_first, vault_key: None };
        let mut told = 0;
        let mut progress = |entries: u64| {
            tell(entries.saturating_sub(told));
            told = entries;
        };
        let Followed { notes, .. } =
            period.follow(&mut kept.with(reader), self.library, memory, &mut progress)?;
        checked.findings.iter().cloned().map(finding).for_each(|finding| self.watch.found(&finding));
        notes.findings.iter().for_each(|finding| self.watch.found(finding));
        let is_in_order = checked.findings.is_empty() && notes.findings.is_empty();
        match closed_by.filter(|_| is_in_order) {
            Some(closed_by) => self.watch.in_order(closed_by),
            // The next period stands by itself.
            None => memory.held = Held::default(),
        }
        Ok((checked, notes))
    }
}

/// How many entries stand between two closings of the books.
fn length(from: &Opening, to: &Opening) -> u64 {
    let of = |head: &journal::Head| head.version.0.saturating_sub(from.end_of(&head.stream).version.0);
    to.heads.values().map(of).fold(0, u64::saturating_add)
}

/// The chain, the checkpoints and the money to the end, which need no rules. Returns what could not be checked.
fn sealed_end(
    reader: &mut dyn Reader,
    known: &Known,
    span: &Span<'_>,
    earlier: Checked,
    kept: &mut Kept,
    notes: &mut Notes,
) -> Result<Vec<String>, StoreError> {
    let mut remarks = Vec::new();
    match verify_end(reader, known, span, earlier, kept, &mut |_| ())? {
        Ok(report) => {
            notes.counts.checkpoints = report.checkpoints;
            if report.checkpoints == 0 {
                remarks.push(
                    "no checkpoint seals this log: anybody with the database could have rewritten it"
                        .to_owned(),
                );
            } else if report.unsealed != 0 {
                remarks.push(format!("no checkpoint seals the last {} entries yet", report.unsealed));
            }
        }
        Err(findings) => findings.into_iter().map(finding).for_each(|finding| notes.findings.add(finding)),
    }
    Ok(remarks)
}

/// What is held against the floor as it is at the end of the log.
fn finish(
    reader: &mut dyn Reader,
    options: &Options,
    floor: &Floor,
    mut notes: Notes,
    mut remarks: Vec<String>,
) -> Result<Report, AuditError> {
    remarks.extend(witnessed(reader, options, floor, &mut notes)?);
    let balance = check::check(floor, &reader.balances()?);
    for off in &balance.unaccounted {
        let what = format!(
            "the ledger holds {}, but the events come to {}",
            super::transfers::amount(off.ledger),
            super::transfers::amount(off.floor)
        );
        notes.findings.with(Kind::Money, &off.account, what);
    }
    if balance.sum != 0 {
        let what = format!("all accounts sum to {}", super::transfers::dollars(balance.sum));
        notes.findings.with(Kind::Money, "ledger", what);
    }
    rows::check(reader, options.vault_key.as_ref(), floor.house(), &mut notes, &mut remarks)?;
    let Notes { findings, counts, remarks: said, .. } = notes;
    remarks.extend(said);
    Ok(Report { counts, figure: balance.figure(), findings, notes: remarks })
}

/// What witnesses have seen. Returns what the house itself says about older logs that were restored.
fn witnessed(
    reader: &mut dyn Reader,
    options: &Options,
    floor: &Floor,
    notes: &mut Notes,
) -> Result<Vec<String>, StoreError> {
    let house = floor.house();
    let accepted: Vec<AcceptedRollback> =
        house.rollbacks().iter().map(|(rollback, _)| rollback.clone()).collect();
    let key = options.key.or_else(|| house.key()).unwrap_or_default();
    let compared = compare(reader, key, &options.witnessed, &accepted)?;
    compared.findings.into_iter().map(finding).for_each(|finding| notes.findings.add(finding));
    check_keys(reader, floor, notes)?;
    let remark = |(AcceptedRollback { to, seen, .. }, reason): &(AcceptedRollback, String)| {
        let lost = to.saturating_add(1);
        format!(
            "an older log was restored on purpose: checkpoints {lost} to {seen} are lost; the reason given is {reason:?}"
        )
    };
    Ok(house.rollbacks().iter().map(remark).collect())
}

/// A key that signs after another was signed for by two people, in the house's stream.
fn check_keys(reader: &mut dyn Reader, floor: &Floor, notes: &mut Notes) -> Result<(), StoreError> {
    // A key may be passed over that was replaced before it signed anything; none comes twice or out of order.
    let mut keys = floor.house().keys().into_iter();
    let mut current = keys.next();
    for handover in &reader.handovers()? {
        let is_from = current == Some(handover.key);
        current = keys.find(|key| Some(*key) == handover.successor);
        if !is_from || current.is_none() {
            let what = "it hands over to a key for which no two people signed";
            notes.findings.with(Kind::Checkpoint, format!("checkpoint {}", handover.number), what);
        }
    }
    Ok(())
}

/// What is said of the log of a practice floor, and of whatever was made from it.
pub const PRACTICE_LOG: &str =
    "PRACTICE FLOOR: no money, no real meter, decks may have been arranged; this is no evidence of play";

/// The key a house opened with, by its log.
pub fn key_of(reader: &mut dyn Reader) -> Option<[u8; 32]> {
    opening_of(reader).map(|opening| opening.key)
}

/// Whether a log is that of a practice floor, which is no evidence of play.
pub fn is_practice(reader: &mut dyn Reader) -> bool {
    opening_of(reader).is_some_and(|opening| opening.money == Currency::Practice)
}

/// What a house opened with and keeps for life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedHouse {
    pub name: String,
    pub key: [u8; 32],
    pub money: Currency,
}

/// What a house opened with, by its log.
pub fn opening_of(reader: &mut dyn Reader) -> Option<OpenedHouse> {
    let first = reader.entries(&Stream::House, Version(0), 1).ok()?.into_iter().next()?;
    if first.version != Version(0).next() {
        // The opening is in an archive; what was carried forward says the same.
        let mut floor = Floor::new(Library::embedded());
        let Event::Carried(carried) = LoggedEvent::of(first).ok()?.event else { return None };
        floor.restore(&Stream::House, &carried).ok()?;
        let house = floor.house();
        return Some(OpenedHouse {
            name: house.name()?.to_owned(),
            key: house.key()?,
            money: house.money()?,
        });
    }
    match LoggedEvent::of(first).ok()?.event {
        Event::House(HouseEvent::Opened { name, key, money, .. }) => Some(OpenedHouse { name, key, money }),
        Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => None,
    }
}

fn finding(found: journal::verify::Finding) -> Finding {
    let (kind, place, version) = match found.place {
        Place::Entry(stream, version) => (Kind::Chain, stream.to_string(), Some(version.0)),
        Place::Account(account) => (Kind::Money, account.to_string(), None),
        Place::Checkpoint(number) => (Kind::Checkpoint, format!("checkpoint {number}"), None),
        Place::Witness(name) => (Kind::Witness, format!("witness {name}"), None),
        Place::Log => (Kind::Chain, "log".to_owned(), None),
    };
    Finding { kind, place, version, what: found.what }
}
