//! The checkpoints: chained and signed, and what each says of the streams still so.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::Chains;
use super::{Finding, Known, Opening, Place};
use crate::checkpoint::{Checkpoint, Succession};
use crate::entry::{GENESIS, Head};
use crate::names::{Hash, Stream, Version};
use crate::store::{Reader, StoreError};

/// How many checkpoints are read at a time.
const PAGE: usize = 64;

/// What the checkpoints turned out to be.
#[derive(Default)]
pub(super) struct Seals {
    pub(super) checkpoints: u64,
    pub(super) keys: Vec<[u8; 32]>,
    /// Up to where each stream is sealed.
    sealed: BTreeMap<Stream, Version>,
    /// The streams a checkpoint was found to contradict: the first such entry is enough.
    contradicted: BTreeSet<Stream>,
    /// The most entries of a stream that a checkpoint sealed at once, with its number.
    widest: BTreeMap<Stream, (u64, u64)>,
}

impl Seals {
    /// How many entries of streams that end so are not sealed.
    pub(super) fn unsealed(&self, heads: &[Head]) -> u64 {
        let of = |head: &Head| {
            let sealed = self.sealed.get(&head.stream).copied().unwrap_or_default();
            head.version.0.saturating_sub(sealed.0)
        };
        heads.iter().map(of).fold(0, u64::saturating_add)
    }

    /// Where the books that the log is verified from were closed, if none of the checkpoints seals that entry: then nothing
    /// was held against what it says.
    fn unsealed_closing(&self, opening: &Opening) -> Option<Finding> {
        let closing = opening.closed_by.as_ref()?;
        let is_sealed = self.sealed.get(&Stream::House).is_some_and(|sealed| closing.version <= *sealed);
        let what = "it closes the books, and no checkpoint after the one that it names seals it".to_owned();
        (!is_sealed).then_some(Finding { place: Place::Entry(Stream::House, closing.version), what })
    }

    /// Where checkpoints must have been removed, because more entries of a stream than `max` stand without one.
    pub(super) fn missing(&self, heads: &[Head], max: u64) -> Vec<Finding> {
        let entries = heads.iter().fold(0_u64, |sum, head| sum.saturating_add(head.version.0));
        if self.checkpoints == 0 && 1 < entries {
            let what = format!(
                "no checkpoint seals its {entries} entries, and the first is signed when the house opens: the \
                 checkpoints were removed"
            );
            return vec![Finding { place: Place::Log, what }];
        }
        let mut findings = Vec::new();
        for (stream, (number, gap)) in self.widest.iter().filter(|(_, (_, gap))| max < *gap) {
            let what = format!(
                "it seals {gap} entries of {stream} at once, and at most {max} are written without a checkpoint: \
                 checkpoints before it were removed"
            );
            findings.push(Finding { place: Place::Checkpoint(*number), what });
        }
        for head in heads {
            let sealed = self.sealed.get(&head.stream).copied().unwrap_or_default();
            let tail = head.version.0.saturating_sub(sealed.0);
            if max < tail {
                let what = format!(
                    "no checkpoint seals this entry and those after it, {tail} in all, and at most {max} are \
                     written without one: checkpoints were removed"
                );
                findings.push(Finding { place: Place::Entry(head.stream.clone(), sealed.next()), what });
            }
        }
        findings
    }
}

/// Checks the checkpoints in the log, and those known from elsewhere, against each other and against the streams.
pub(super) fn verify_seals(
    reader: &mut dyn Reader,
    known: &Known,
    opening: &Opening,
    chains: &Chains,
    findings: &mut Vec<Finding>,
) -> Result<Seals, StoreError> {
    let (first, mut previous) = opening.checkpoint.unwrap_or((0, GENESIS));
    let sealed = opening.heads.values().map(|head| (head.stream.clone(), head.version));
    let mut seals = Seals { checkpoints: first, sealed: sealed.collect(), ..Seals::default() };
    match named(reader, opening)? {
        Ok(None) => {}
        // The books may have been read a moment before it was signed.
        Ok(Some(named)) => seals.hold_against(&named, reader, opening, chains, findings)?,
        Err(finding) => {
            findings.push(finding);
            return Ok(seals);
        }
    }
    let signers = Signers::new(known, reader)?;
    let elsewhere: BTreeMap<u64, &Checkpoint> =
        known.checkpoints.iter().map(|checkpoint| (checkpoint.number, checkpoint)).collect();
    loop {
        let page = match reader.checkpoints(seals.checkpoints, PAGE) {
            Ok(page) if page.is_empty() => break,
            Ok(page) => page,
            Err(error) => {
                findings.push(error.try_into()?);
                return Ok(seals);
            }
        };
        for checkpoint in page {
            let due = seals.checkpoints.saturating_add(1);
            if let Some(what) = fault(&checkpoint, due, previous, &signers, elsewhere.get(&due).copied()) {
                findings.push(Finding { place: Place::Checkpoint(due), what });
                return Ok(seals);
            }
            seals.hold_against(&checkpoint, reader, opening, chains, findings)?;
            seals.checkpoints = due;
            previous = checkpoint.digest();
        }
    }
    findings.extend(seals.unsealed_closing(opening));
    for (number, checkpoint) in elsewhere.range(seals.checkpoints.saturating_add(1)..) {
        if let Some(what) = signers.fault(checkpoint) {
            findings.push(Finding { place: Place::Checkpoint(*number), what });
            continue;
        }
        let what = "it was signed, but the log does not have it: the log was rolled back".to_owned();
        findings.push(Finding { place: Place::Checkpoint(*number), what });
        seals.hold_against(checkpoint, reader, opening, chains, findings)?;
    }
    Ok(seals)
}

/// The checkpoint that an opening names, which was signed before the books were closed.
pub(super) fn named(
    reader: &mut dyn Reader,
    opening: &Opening,
) -> Result<Result<Option<Checkpoint>, Finding>, StoreError> {
    let (Some((number, digest)), Some(closing)) = (opening.checkpoint, &opening.closed_by) else {
        return Ok(Ok(None));
    };
    let found = match reader.checkpoints(number.saturating_sub(1), 1) {
        Ok(mut found) => found.pop().filter(|found| found.number == number && found.digest() == digest),
        Err(error) => return Ok(Err(error.try_into()?)),
    };
    let is_later = |head: &Head| head.stream == Stream::House && closing.version <= head.version;
    let why = match &found {
        None => "is not in this log",
        Some(found) if found.heads.iter().any(is_later) => "was signed after it",
        Some(_) => return Ok(Ok(found)),
    };
    let what = format!("it closes the books and names checkpoint {number}, which {why}");
    Ok(Err(Finding { place: Place::Entry(Stream::House, closing.version), what }))
}

/// What is wrong with a checkpoint of the log.
fn fault(
    checkpoint: &Checkpoint,
    due: u64,
    previous: Hash,
    signers: &Signers,
    elsewhere: Option<&Checkpoint>,
) -> Option<String> {
    if checkpoint.number != due {
        return Some(format!("it is missing; {} follows", checkpoint.number));
    }
    if checkpoint.previous != previous {
        return Some("it is not chained to the checkpoint before it".to_owned());
    }
    if let Some(what) = signers.fault(checkpoint) {
        return Some(what);
    }
    if elsewhere.is_some_and(|elsewhere| elsewhere.digest() != checkpoint.digest()) {
        return Some("the one kept elsewhere says something else".to_owned());
    }
    None
}

/// Who may sign: the keys that are known, and those before and after them that they signed for.
struct Signers {
    /// Empty where any key will do.
    trusted: Vec<[u8; 32]>,
    succession: Succession,
}

impl Signers {
    fn new(known: &Known, reader: &mut dyn Reader) -> Result<Signers, StoreError> {
        // What cannot be read is found where it stands.
        let succession = match Succession::of(reader) {
            Ok(succession) => succession,
            Err(error) => Finding::try_from(error).map(|_| Succession::default())?,
        };
        let trusted = known.keys.iter().flat_map(|key| succession.trusted(*key)).collect();
        Ok(Signers { trusted, succession })
    }

    /// What is wrong with the signature of a checkpoint.
    fn fault(&self, checkpoint: &Checkpoint) -> Option<String> {
        let what = if !self.trusted.is_empty() && !self.trusted.contains(&checkpoint.key) {
            "it is signed by a key nobody knows"
        } else if checkpoint.verify().is_err() {
            "its signature is not of what it says"
        } else if self.succession.at(checkpoint.number).is_some_and(|due| due != checkpoint.key) {
            "it is signed by another key than the one that signed for the house then"
        } else {
            return None;
        };
        Some(what.to_owned())
    }
}

impl Seals {
    /// Looks up what a checkpoint says of the streams.
    fn hold_against(
        &mut self,
        checkpoint: &Checkpoint,
        reader: &mut dyn Reader,
        opening: &Opening,
        chains: &Chains,
        findings: &mut Vec<Finding>,
    ) -> Result<(), StoreError> {
        if !self.keys.contains(&checkpoint.key) {
            self.keys.push(checkpoint.key);
        }
        for head in &checkpoint.heads {
            // What the opening vouches for already is not looked at again.
            if head.version <= opening.end_of(&head.stream).version {
                continue;
            }
            let before = self.sealed.insert(head.stream.clone(), head.version).unwrap_or_default();
            let gap = head.version.0.saturating_sub(before.0);
            let widest = self.widest.entry(head.stream.clone()).or_default();
            if widest.1 < gap {
                *widest = (checkpoint.number, gap);
            }
            if self.contradicted.contains(&head.stream) {
                continue;
            }
            if let Some((version, what)) = contradiction(checkpoint.number, head, reader, chains)? {
                self.contradicted.insert(head.stream.clone());
                findings.push(Finding { place: Place::Entry(head.stream.clone(), version), what });
            }
        }
        Ok(())
    }
}

/// Where the log says something else than a checkpoint does of a stream. What is known to be wrong is not told twice.
fn contradiction(
    number: u64,
    sealed: &Head,
    reader: &mut dyn Reader,
    chains: &Chains,
) -> Result<Option<(Version, String)>, StoreError> {
    let end = chains.ends.get(&sealed.stream);
    if end.is_some_and(|end| end.first_wrong.is_some_and(|wrong| wrong <= sealed.version)) {
        return Ok(None);
    }
    let last = end.map_or(Version(0), |end| end.version);
    if last < sealed.version {
        let what = format!("it is missing; checkpoint {number} saw the stream reach {}", sealed.version);
        return Ok(Some((last.next(), what)));
    }
    let before = Version(sealed.version.0.saturating_sub(1));
    let entry = match reader.entries(&sealed.stream, before, 1) {
        Ok(entries) => entries.into_iter().next(),
        Err(error) => return Ok(Some((sealed.version, Finding::try_from(error)?.what))),
    };
    if entry.is_some_and(|entry| entry.head() == *sealed) {
        return Ok(None);
    }
    let what = format!("checkpoint {number} sealed another entry here: the stream was written anew up to it");
    Ok(Some((sealed.version, what)))
}
