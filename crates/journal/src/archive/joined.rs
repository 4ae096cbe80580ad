//! Archives and a live log, read as one.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use super::{Archive, ArchiveError};
use crate::checkpoint::Checkpoint;
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, FoundBy, Happened, Reader, Sieve, Sifted, StoreError};
use crate::subject::{Direction, Indexed, Subject};

/// A live log with the archives of what was taken out of it.
pub struct Joined {
    live: Box<dyn Reader>,
    /// In order.
    archives: Vec<Archive>,
    folder: PathBuf,
}

impl Joined {
    /// A log with every archive of a folder. The last of them must end in the log.
    pub fn open(mut live: Box<dyn Reader>, folder: &Path) -> Result<Joined, StoreError> {
        let archives = Archive::open_folder(folder)?;
        if let Some(last) = archives.last() {
            let closing = last.closed_by();
            let here = live.entry(&Stream::House, closing.version)?;
            if here.is_none_or(|entry| entry.head() != closing) {
                let what =
                    "it does not end in this log: it is of another log, or archives between are missing";
                let path = last.path().display().to_string();
                return Err(ArchiveError { path, what: what.to_owned() }.into());
            }
        }
        Ok(Joined { live, archives, folder: folder.to_owned() })
    }

    /// Entries of a stream after a version, from the archives that are known and from the log.
    fn found(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let (mut found, mut after) = (Vec::new(), after);
        for archive in &mut self.archives {
            if found.len() < limit
                && archive.begins_after(stream) <= after
                && after < archive.ends_with(stream)
            {
                found.extend(archive.entries(stream, after, limit.saturating_sub(found.len()))?);
                after = found.last().map_or(after, |entry| entry.version);
            }
        }
        if found.len() < limit {
            found.extend(self.live.entries(stream, after, limit.saturating_sub(found.len()))?);
        }
        Ok(found)
    }

    /// What happened, from the archives that are known and from the log.
    fn found_happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        let (mut found, mut after) = (Vec::new(), after);
        for archive in &mut self.archives {
            let room = u64::try_from(limit.saturating_sub(found.len())).unwrap_or(u64::MAX);
            let up_to = Version(after.0.saturating_add(room)).min(archive.ends_with(stream));
            if archive.begins_after(stream) <= after && after < up_to {
                let happened = archive.happened_between(stream, after, up_to, &|_, _| true)?;
                found.extend(happened.unwrap_or_default());
                after = found.last().map_or(after, |last: &Happened| last.version);
            }
        }
        if found.len() < limit {
            found.extend(self.live.happened(stream, after, limit.saturating_sub(found.len()))?);
        }
        Ok(found)
    }

    /// What reports are made of, from the archives that are known and from the log.
    fn found_reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        let (mut found, mut after) = (Vec::new(), after);
        for archive in &mut self.archives {
            let end = archive.ends_with(stream).min(up_to);
            if archive.begins_after(stream) <= after && after < end {
                let Some(reported) = archive.reported(stream, after, end, by)? else { return Ok(None) };
                found.extend(reported);
                after = end;
            }
        }
        if after < up_to {
            let Some(reported) = self.live.reported(stream, after, up_to, by)? else { return Ok(None) };
            found.extend(reported);
        }
        Ok(Some(found))
    }

    /// The answer to a command, from the log and from the archives that are known.
    fn found_answer(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        if let Some(answered) = self.live.answered(command)? {
            return Ok(Some(answered));
        }
        for archive in self.archives.iter_mut().rev() {
            if let Some(answered) = archive.answered(command)? {
                return Ok(Some(answered));
            }
        }
        Ok(None)
    }
}

impl Reader for Joined {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.live.heads()
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.live.headless()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let found = self.found(stream, after, limit)?;
        if found.first().is_none_or(|entry| entry.version == after.next()) {
            return Ok(found);
        }
        // They were archived and taken out of the log since the folder was read.
        self.archives = Archive::open_folder(&self.folder)?;
        self.found(stream, after, limit)
    }

    fn sifted(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
        is_wanted: Sieve<'_>,
    ) -> Result<Sifted, StoreError> {
        // Where nothing of the stretch is in an archive, the log looks itself.
        if self.archives.iter().all(|archive| archive.ends_with(stream) <= after) {
            let sifted = self.live.sifted(stream, after, limit, is_wanted)?;
            if !sifted.is_torn {
                return Ok(sifted);
            }
        }
        Ok(Sifted::of(self.entries(stream, after, limit)?, after, is_wanted))
    }

    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        let mut found = self.found_happened(stream, after, limit)?;
        if found.first().is_some_and(|first| first.version != after.next()) {
            // They were archived and taken out of the log since the folder was read.
            self.archives = Archive::open_folder(&self.folder)?;
            found = self.found_happened(stream, after, limit)?;
        }
        Ok(found)
    }

    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        if let Some(found) = self.found_reported(stream, after, up_to, by)? {
            return Ok(Some(found));
        }
        // They were archived and taken out of the log since the folder was read.
        self.archives = Archive::open_folder(&self.folder)?;
        self.found_reported(stream, after, up_to, by)
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        self.live.unreported()
    }

    fn another(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        let Some(live) = self.live.another()? else { return Ok(None) };
        Ok(Some(Box::new(Joined::open(live, &self.folder)?)))
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        let mut newest = self.live.carried(stream, up_to)?;
        for archive in &mut self.archives {
            newest = newest.max(archive.carried(stream, up_to)?);
        }
        Ok(newest)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        // What entries are about stays in the log when they are taken out.
        self.live.about(stream, subject, wanted, limit)
    }

    fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        self.live.indexed(after, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        if let Some(answered) = self.found_answer(command)? {
            return Ok(Some(answered));
        }
        // It may have been archived and taken out of the log since the folder was read.
        self.archives = Archive::open_folder(&self.folder)?;
        self.found_answer(command)
    }

    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let (mut answers, mut missing) = (Vec::new(), commands.to_vec());
        for archive in self.archives.iter_mut().rev() {
            take(archive, &mut missing, &mut answers)?;
        }
        take(&mut *self.live, &mut missing, &mut answers)?;
        // They may have been archived and taken out of the log since the folder was read.
        for command in missing {
            answers.extend(self.answered(command)?);
        }
        Ok(answers)
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        let mut missing = commands.to_vec();
        for archive in self.archives.iter_mut().rev() {
            if missing.is_empty() {
                break;
            }
            missing = archive.missing_answers(&missing)?;
        }
        missing = self.live.missing_answers(&missing)?;
        // They may have been archived and taken out of the log since the folder was read.
        let mut never = Vec::new();
        for command in missing {
            if self.answered(command)?.is_none() {
                never.push(command);
            }
        }
        Ok(never)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.live.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.live.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.live.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.live.sealed_all(kind)
    }

    fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
        self.live.handovers()
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.live.checkpoints_back(up_to, limit)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.live.checkpoints(after, limit)
    }
}

/// Takes the answers that a reader has to commands that are missing so far.
fn take(
    reader: &mut dyn Reader,
    missing: &mut Vec<CommandId>,
    answers: &mut Vec<Answered>,
) -> Result<(), StoreError> {
    if missing.is_empty() {
        return Ok(());
    }
    let found = reader.answers(missing)?;
    let known: HashSet<CommandId> = found.iter().map(|answered| answered.command).collect();
    missing.retain(|command| !known.contains(command));
    answers.extend(found);
    Ok(())
}
