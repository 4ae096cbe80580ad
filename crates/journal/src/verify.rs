//! Is the log what was written? Every entry is hashed anew and held against its chain, the money it moved is added up,
//! and the signed checkpoints are held against both. What the entries mean is not asked here: bytes, chain and money.
//!
//! Reads page by page, so memory does not grow with the log; one thread reads while another checks. Nobody may write
//! meanwhile.

mod chain;
mod kept;
mod opening;
mod seals;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use self::chain::{Chains, Part};
pub use self::kept::Kept;
pub(crate) use self::opening::closings_after;
pub use self::opening::{Opening, closings, newest_opening, opening_at, opening_sealed_by};
use crate::checkpoint::Checkpoint;
use crate::entry::Head;
use crate::ledger::{Account, Amount};
use crate::names::{Stream, Version};
use crate::store::{Reader, StoreError};

/// What is known from elsewhere, to hold the log against.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The public keys that may sign checkpoints. With none, any key will do, and the report says which were used.
    pub keys: Vec<[u8; 32]>,
    /// Checkpoints kept away from the database. They tell a log that was cut off, rolled back or written anew.
    pub checkpoints: Vec<Checkpoint>,
    /// How many entries of a stream may follow each other without a checkpoint, where whoever wrote the log guarantees
    /// that: more are a finding, and so is a log that has no checkpoint at all.
    pub unsealed_max: Option<u64>,
}

/// How far a verification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The entries checked.
    pub entries: u64,
    /// The entries there are, by the heads of the streams.
    pub of: u64,
}

/// What was found to be in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many streams there are.
    pub streams: usize,
    /// How many entries they have.
    pub entries: u64,
    /// How many transfers those made.
    pub transfers: u64,
    /// How many accounts they moved money between.
    pub accounts: usize,
    /// How many checkpoints seal them.
    pub checkpoints: u64,
    /// How many entries, at the ends of their streams, no checkpoint seals yet.
    pub unsealed: u64,
    /// The keys the checkpoints are signed with.
    pub keys: Vec<[u8; 32]>,
}

/// Something that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where. Of a stream, the first entry that is wrong.
    pub place: Place,
    /// What is wrong, in a sentence.
    pub what: String,
}

/// A place in the log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// An entry of a stream, there or missing.
    Entry(Stream, Version),
    /// What an account holds.
    Account(Account),
    /// A checkpoint, by its number.
    Checkpoint(u64),
    /// What a witness has seen, by the witness's name.
    Witness(String),
    /// The log as a whole.
    Log,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Entry(stream, version) => write!(f, "{stream} entry {version}: {}", self.what),
            Place::Account(account) => write!(f, "account {account}: {}", self.what),
            Place::Checkpoint(number) => write!(f, "checkpoint {number}: {}", self.what),
            Place::Witness(_) => f.write_str(&self.what),
            Place::Log => write!(f, "the log: {}", self.what),
        }
    }
}

/// What contradicts itself is found wrong. Any other error says nothing about the log.
impl TryFrom<StoreError> for Finding {
    type Error = StoreError;

    fn try_from(error: StoreError) -> Result<Finding, StoreError> {
        let unreadable = format!("it cannot be read: {error}");
        let StoreError::Corrupt { stream, version, what } = error else {
            return Err(error);
        };
        if let Ok(stream) = stream.parse() {
            return Ok(Finding { place: Place::Entry(stream, Version(version)), what });
        }
        let account = stream.strip_prefix("account ").and_then(|name| name.parse().ok());
        Ok(match account {
            Some(account) => Finding { place: Place::Account(account), what },
            None if stream == "checkpoint" => Finding { place: Place::Checkpoint(version), what },
            None => Finding { place: Place::Log, what: unreadable },
        })
    }
}

/// Verifies the whole log, or says what is wrong with it: of each stream the first wrong entry, then accounts and
/// checkpoints. Tells its progress from time to time. An error of the store means that the log could not be read, and
/// nothing about it is known.
pub fn verify_log(
    reader: &mut dyn Reader,
    known: &Known,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Report, Vec<Finding>>, StoreError> {
    let due = closings(reader)?;
    verify_periods(reader, known, &Opening::default(), due, progress)
}

/// Verifies what the log has itself: where its beginning was taken out of it, from the first books that it has.
pub fn verify_remaining(
    reader: &mut dyn Reader,
    known: &Known,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Report, Vec<Finding>>, StoreError> {
    let begins = reader.begins(&Stream::House)?.unwrap_or_default();
    let mut due = closings(reader)?;
    due.retain(|closing| begins <= *closing);
    if begins <= Version(0).next() || due.is_empty() {
        return verify_periods(reader, known, &Opening::default(), due, progress);
    }
    match opening_at(reader, due.remove(0))? {
        Ok(from) => verify_periods(reader, known, &from, due, progress),
        Err(finding) => Ok(Err(vec![finding])),
    }
}

/// Verifies one period after the other, each of which ends with an entry that closes the books, and what follows them.
fn verify_periods(
    reader: &mut dyn Reader,
    known: &Known,
    sealed_from: &Opening,
    due: Vec<Version>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Report, Vec<Finding>>, StoreError> {
    let mut earlier = Checked::default();
    let mut from = sealed_from.clone();
    for version in due {
        let to = match opening_at(reader, version)? {
            Ok(to) => to,
            Err(finding) => return Ok(Err(vec![finding])),
        };
        earlier.add(verify_period(reader, &from, &to, true, &mut Kept::default())?);
        from = to;
    }
    let span = Span { from: &from, sealed_from };
    verify_end(reader, known, &span, earlier, &mut Kept::default(), progress)
}

/// Verifies the log from an opening on.
pub fn verify_log_from(
    reader: &mut dyn Reader,
    known: &Known,
    opening: &Opening,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Report, Vec<Finding>>, StoreError> {
    let span = Span { from: opening, sealed_from: opening };
    verify_end(reader, known, &span, Checked::default(), &mut Kept::default(), progress)
}

/// What was checked of earlier periods.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    pub entries: u64,
    pub transfers: u64,
    pub findings: Vec<Finding>,
}

impl Checked {
    /// Adds what was checked of the next period.
    pub fn add(&mut self, next: Checked) {
        self.entries = self.entries.saturating_add(next.entries);
        self.transfers = self.transfers.saturating_add(next.transfers);
        self.findings.extend(next.findings);
    }
}

/// Verifies a period: from the books that open it, its entries come to the books that close it. Whether a second thread reads
/// ahead is for the caller to say. What was read is kept.
pub fn verify_period(
    reader: &mut dyn Reader,
    from: &Opening,
    to: &Opening,
    ahead: bool,
    kept: &mut Kept,
) -> Result<Checked, StoreError> {
    let heads: Vec<Head> = to.heads.values().cloned().collect();
    let part = Part { opening: from, heads: &heads, are_ends: false, ahead };
    let chains = chain::verify_chains(reader, &part, kept, &mut |_| ())?;
    let mut findings = chains.findings.clone();
    if let Some(closed_by) = &to.closed_by {
        let mut wrong = |what: String| {
            let place = Place::Entry(closed_by.stream.clone(), closed_by.version);
            findings.push(Finding { place, what });
        };
        for stream in from.heads.keys().filter(|stream| !to.heads.contains_key(stream)) {
            wrong(format!("the books were closed without stream {stream}"));
        }
        if chains.were_read {
            differences(&chains, to).into_iter().for_each(wrong);
        }
        findings.extend(check_named(reader, from, to)?);
    }
    Ok(Checked { entries: chains.entries, transfers: chains.transfers, findings })
}

/// Whether closed books name a checkpoint that was signed before them, and not before the one that the books before name.
fn check_named(reader: &mut dyn Reader, from: &Opening, to: &Opening) -> Result<Option<Finding>, StoreError> {
    let number = |opening: &Opening| opening.checkpoint.map_or(0, |(number, _)| number);
    let (earlier, named) = (number(from), number(to));
    match &to.closed_by {
        // An archive does not have the checkpoint that it begins after.
        _ if from.checkpoint == to.checkpoint => Ok(None),
        Some(closing) if named <= earlier => {
            let what = format!(
                "it closes the books and names checkpoint {named}, but the books before it name checkpoint {earlier}"
            );
            Ok(Some(Finding { place: Place::Entry(closing.stream.clone(), closing.version), what }))
        }
        Some(_) | None => Ok(seals::named(reader, to)?.err()),
    }
}

/// Where closed books say something else than the transfers come to.
fn differences(chains: &Chains, to: &Opening) -> Vec<String> {
    let closed: BTreeMap<&Account, i128> =
        to.balances.iter().map(|(account, held)| (account, i128::from(held.0))).collect();
    let accounts: BTreeSet<&Account> = closed.keys().copied().chain(chains.balances.keys()).collect();
    let different = accounts.into_iter().filter_map(|account| {
        let (said, moved) = (
            closed.get(account).copied().unwrap_or_default(),
            chains.balances.get(account).copied().unwrap_or_default(),
        );
        let what = || {
            format!(
                "the books were closed with {said} in account {account}, but the transfers come to {moved}"
            )
        };
        (said != moved).then(what)
    });
    different.collect()
}

/// Where the last period begins, and the checkpoints that are checked with it.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    /// The books that open the last period.
    pub from: &'a Opening,
    /// The same or earlier ones: checkpoints are checked from here on.
    pub sealed_from: &'a Opening,
}

/// Verifies the last period, to the ends of the streams, and the checkpoints. What was read is kept.
pub fn verify_end(
    reader: &mut dyn Reader,
    known: &Known,
    span: &Span<'_>,
    earlier: Checked,
    kept: &mut Kept,
    progress: &mut dyn FnMut(Progress),
) -> Result<Result<Report, Vec<Finding>>, StoreError> {
    let heads = match reader.heads() {
        Ok(heads) => heads,
        Err(error) => return Ok(Err(vec![error.try_into()?])),
    };
    let part = Part { opening: span.from, heads: &heads, are_ends: true, ahead: true };
    let mut chains = chain::verify_chains(reader, &part, kept, progress)?;
    let mut findings = first_of_each(&mut chains, earlier.findings);
    findings.extend(gone(span.from, &heads));
    match reader.headless() {
        Ok(streams) => findings.extend(streams.into_iter().map(|stream| Finding {
            place: Place::Log,
            what: format!("there are entries of a stream {stream} that is not there"),
        })),
        Err(error) => findings.push(error.try_into()?),
    }
    if chains.were_read {
        findings.extend(check_money(reader, &chains)?);
    }
    let seals = seals::verify_seals(reader, known, span.sealed_from, &chains, &mut findings)?;
    if let Some(unsealed_max) = known.unsealed_max {
        findings.extend(seals.missing(&heads, unsealed_max));
    }
    if !findings.is_empty() {
        return Ok(Err(findings));
    }
    Ok(Ok(Report {
        streams: heads.len(),
        entries: earlier.entries.saturating_add(chains.entries),
        transfers: earlier.transfers.saturating_add(chains.transfers),
        accounts: chains.balances.len(),
        checkpoints: seals.checkpoints,
        unsealed: seals.unsealed(&heads),
        keys: seals.keys,
    }))
}

/// The streams of an opening that the log no longer has.
fn gone(opening: &Opening, heads: &[Head]) -> Vec<Finding> {
    let streams: BTreeSet<&Stream> = heads.iter().map(|head| &head.stream).collect();
    let gone = opening.heads.keys().filter(|stream| !streams.contains(stream));
    let finding = |stream: &Stream| Finding {
        place: Place::Entry(stream.clone(), Version(0).next()),
        what: "the whole stream is missing; it was there when the books were closed".to_owned(),
    };
    gone.map(finding).collect()
}

/// The first thing wrong with each stream, of all periods.
fn first_of_each(chains: &mut Chains, earlier: Vec<Finding>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut wrong: BTreeSet<Stream> = BTreeSet::new();
    for finding in earlier.into_iter().chain(std::mem::take(&mut chains.findings)) {
        if let Place::Entry(stream, version) = &finding.place {
            if !wrong.insert(stream.clone()) {
                continue;
            }
            if let Some(end) = chains.ends.get_mut(stream) {
                end.first_wrong = Some(end.first_wrong.map_or(*version, |known| known.min(*version)));
            }
        }
        findings.push(finding);
    }
    findings
}

/// Holds the accounts against all that was ever moved.
fn check_money(reader: &mut dyn Reader, chains: &Chains) -> Result<Vec<Finding>, StoreError> {
    let kept: BTreeMap<Account, Amount> = match reader.balances() {
        Ok(balances) => balances.into_iter().collect(),
        Err(error) => return Ok(vec![error.try_into()?]),
    };
    let mut findings = Vec::new();
    let moved: BTreeMap<&Account, i128> =
        chains.balances.iter().map(|(account, sum)| (account, *sum)).collect();
    for (account, sum) in &moved {
        let held = kept.get(*account).copied().unwrap_or_default();
        if i128::from(held.0) != *sum {
            let what = format!("it holds {}, but its transfers add up to {sum}", held.0);
            findings.push(Finding { place: Place::Account((*account).clone()), what });
        } else if *sum < 0 && !account.may_be_negative() {
            let what = format!("it holds {sum}, and may not be below zero");
            findings.push(Finding { place: Place::Account((*account).clone()), what });
        }
    }
    for (account, held) in kept.iter().filter(|(account, _)| !moved.contains_key(account)) {
        if *held != Amount::ZERO {
            let what = format!("it holds {}, but no transfer ever reached it", held.0);
            findings.push(Finding { place: Place::Account(account.clone()), what });
        }
    }
    let sum: Option<i128> = kept.values().try_fold(0, |sum: i128, held| sum.checked_add(i128::from(held.0)));
    if sum != Some(0) {
        let what = format!("all accounts together hold {sum:?}, not zero");
        findings.push(Finding { place: Place::Log, what });
    }
    Ok(findings)
}
