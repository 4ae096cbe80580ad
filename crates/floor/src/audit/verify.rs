//! The whole log, from its first entry to its last.

use journal::checkpoint::Checkpoint;
use journal::verify::{Known, Place, verify_log};
use journal::witness::{AcceptedRollback, Witnessed, compare};
use journal::{Answered, Entry, Event, HouseEvent, Reader, StoreError, Stream, VaultKey, Version, encode};

use super::AuditError;
use super::dates::Dates;
use super::finding::{Finding, Kind, Report};
use super::groups::{Groups, LoggedEvent};
use super::house::HouseAudit;
use super::link::LinkAudit;
use super::matching::Notes;
use super::rows;
use super::table::TableAudit;
use crate::check;
use crate::decide::{SEED, seed_key};
use crate::floor::Floor;
use crate::library::Library;
use crate::node::{Answer, STREAM_UNSEALED_MAX, Wrote};

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
}

/// Checks a log: its chain, its checkpoints, its money, and everything the rules say. `progress` is called with how many
/// entries have been followed, and of how many.
pub fn verify(
    reader: &mut dyn Reader,
    library: &Library,
    options: &Options,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, AuditError> {
    let heads = reader.heads()?;
    let total = heads.iter().fold(0_u64, |sum, head| sum.saturating_add(head.version.0));
    let mut notes = Notes::default();
    let mut sealed = sealed_log(reader, options, &mut notes, progress)?;
    let mut audit = Following {
        reader,
        library,
        vault_key: options.vault_key.as_ref(),
        notes: &mut notes,
        floor: Floor::new(library.clone()),
        progress,
        total,
    };
    // The house comes first in the order of streams, and tables before the links they play for.
    for head in &heads {
        audit.follow(&head.stream)?;
    }
    let floor = audit.floor;
    sealed.extend(witnessed(reader, options, &floor, &mut notes)?);
    notes.check_actors();
    notes.check_whole_log();
    notes.close();
    let balances = reader.balances()?;
    let balance = check::check(&floor, &balances);
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
    rows::check(reader, options.vault_key.as_ref(), floor.house(), &mut notes, &mut sealed)?;
    let Notes { findings, counts, remarks, .. } = notes;
    sealed.extend(remarks);
    Ok(Report { counts, figure: balance.figure(), findings, notes: sealed })
}

/// The chain, the checkpoints and the money, which need no rules. Returns what could not be checked.
fn sealed_log(
    reader: &mut dyn Reader,
    options: &Options,
    notes: &mut Notes,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<String>, StoreError> {
    let mut remarks = Vec::new();
    let key = options.key.or_else(|| key_of(reader));
    if options.key.is_none() && key.is_some() {
        remarks.push(
            "no public key was given: checkpoints are checked with the key that the log itself names"
                .to_owned(),
        );
    }
    let known = Known {
        keys: key.into_iter().collect(),
        checkpoints: options.checkpoints.clone(),
        unsealed_max: Some(STREAM_UNSEALED_MAX),
    };
    match verify_log(reader, &known, &mut |so_far| progress(so_far.entries, so_far.of))? {
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
    let remark = |(AcceptedRollback { to, seen, .. }, reason): &(AcceptedRollback, String)| {
        let lost = to.saturating_add(1);
        format!(
            "an older log was restored on purpose: checkpoints {lost} to {seen} are lost; the reason given is {reason:?}"
        )
    };
    Ok(house.rollbacks().iter().map(remark).collect())
}

/// The key a house opened with, by its log.
pub fn key_of(reader: &mut dyn Reader) -> Option<[u8; 32]> {
    let entries = reader.entries(&Stream::House, Version(0), 1).ok()?;
    match LoggedEvent::of(entries.into_iter().next()?).ok()?.event {
        Event::House(HouseEvent::Opened { key, .. }) => Some(key),
        Event::House(_) | Event::Table(_) | Event::Link(_) => None,
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

/// Streams being followed, one after the other.
struct Following<'a> {
    reader: &'a mut dyn Reader,
    library: &'a Library,
    vault_key: Option<&'a VaultKey>,
    notes: &'a mut Notes,
    floor: Floor,
    progress: &'a mut dyn FnMut(u64, u64),
    total: u64,
}

impl Following<'_> {
    fn follow(&mut self, stream: &Stream) -> Result<(), AuditError> {
        self.notes.counts.streams();
        match stream {
            Stream::House => {
                let mut audit = HouseAudit::default();
                self.each(stream, |group, notes| audit.command(group, notes))?;
                self.floor.put_house(audit.into_house().into());
            }
            Stream::Table(id) => {
                let mut audit = TableAudit::new(self.library, id);
                self.each(stream, |group, notes| audit.command(group, notes))?;
                audit.check_complete(self.notes);
                if let (Some(table), Some(vault_key)) = (audit.table(), self.vault_key) {
                    let key = seed_key(id, table.number());
                    let stored = self.reader.sealed(SEED, &key)?;
                    let kept = stored.and_then(|stored| vault_key.open(SEED, &key, &stored));
                    audit.check_kept(kept.as_deref(), self.notes);
                }
                self.floor.put_table(id, audit.into_table().map(Into::into));
            }
            Stream::Link(id) => {
                let mut audit = LinkAudit::new(self.library, id);
                self.each(stream, |group, notes| audit.command(group, notes))?;
                audit.close(self.notes);
                self.floor.put_link(id, audit.into_desk().map(Into::into));
            }
        }
        Ok(())
    }

    /// Reads a stream command by command, as far as it can be read.
    fn each(
        &mut self,
        stream: &Stream,
        mut take: impl FnMut(&[LoggedEvent], &mut Notes),
    ) -> Result<(), AuditError> {
        let sealed = self.reader.last_checkpoint()?.map(|checkpoint| checkpoint.at);
        let mut dates = Dates::of(stream.clone());
        let mut groups = Groups::of(self.reader, stream.clone());
        loop {
            let entries = match groups.next() {
                Ok(Some(entries)) => entries,
                Ok(None) => {
                    dates.close(sealed, self.notes);
                    return Ok(());
                }
                Err(StoreError::Corrupt { stream, version, what }) => {
                    let what = format!("{what}; the stream cannot be followed from here on");
                    let finding = Finding { kind: Kind::Form, place: stream, version: Some(version), what };
                    self.notes.findings.add(finding);
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            };
            for entry in &entries {
                dates.follow(entry, self.notes);
            }
            if let Some(first) = entries.first() {
                let kept = groups.answered(first.command);
                check_answer(kept, &entries, self.notes)?;
            }
            let Some(group) = read(entries, self.notes) else { return Ok(()) };
            take(&group, self.notes);
            (self.progress)(self.notes.counts.entries, self.total);
        }
    }
}

/// The answer kept for a command is that it was done, and wrote these entries. That there is one, and that it fits its
/// digest, is checked with the chain; whoever alters it can compute that digest anew.
fn check_answer(
    kept: Result<Option<Answered>, StoreError>,
    entries: &[Entry],
    notes: &mut Notes,
) -> Result<(), StoreError> {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(()) };
    let answer = match kept {
        Ok(Some(kept)) => kept.answer,
        Ok(None) | Err(StoreError::Corrupt { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    let is_this = |wrote: &Wrote| {
        wrote.stream == first.stream && wrote.first == first.version && wrote.last == last.version
    };
    let agrees = matches!(Answer::from_text(&answer), Ok(Answer::Done(wrote)) if wrote.iter().any(is_this));
    if !agrees {
        let what = "the answer kept for this command says something else than that it wrote this";
        notes.findings.at(Kind::Matching, &first.stream, first.version, what);
    }
    Ok(())
}

/// The entries of one command, read; `None` where one cannot be.
fn read(entries: Vec<Entry>, notes: &mut Notes) -> Option<Vec<LoggedEvent>> {
    let actor = entries.first()?.actor.clone();
    let mut group = Vec::with_capacity(entries.len());
    for entry in entries {
        notes.counts.entries();
        let (stream, version) = (entry.stream.clone(), entry.version);
        if entry.actor != actor {
            notes.findings.at(Kind::People, &stream, version, "one command has two actors");
        }
        match LoggedEvent::of(entry) {
            Ok(item) => {
                if encode(&item.event) != item.entry.body {
                    let what = "the entry is not written the way its event is";
                    notes.findings.at(Kind::Form, &stream, version, what);
                }
                group.push(item);
            }
            Err(error) => {
                let what = format!("{error}; the stream cannot be followed from here on");
                notes.findings.at(Kind::Form, &stream, version, what);
                return None;
            }
        }
    }
    let first = group.first()?;
    notes.acted(&actor, &first.entry.stream, first.entry.version, first.entry.at);
    Some(group)
}
