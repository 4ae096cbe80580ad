//! Archives and a live log, read as one. What the log has is read there. An archive is looked into for what is no longer in the
//! log, and found by what the ends of the files say.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::Archive;
use super::shelf::{Shelf, Volumes, check_fit, place_after};
use crate::checkpoint::Checkpoint;
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, FoundBy, Happened, Reader, Sieve, Sifted, StoreError};
use crate::subject::{Direction, Indexed, Subject};

/// How many archives are open at once: their indexes and the blocks read last are in memory.
const OPEN_MAX: usize = 4;

/// A live log with the archives of what was taken out of it.
pub struct Joined {
    live: Box<dyn Reader>,
    shelf: Arc<Shelf>,
    volumes: Volumes,
    /// Those that are open, by their place among the volumes, the one used last at the end.
    open: Vec<(usize, Archive)>,
    /// The first entry of each stream that the log has, as far as known. Later there may be fewer.
    begins: BTreeMap<Stream, Version>,
    /// The archive that entries were read from last; none where it was the log. The answers to their commands are there too.
    source: Option<usize>,
}

impl Joined {
    /// A log with every archive of a folder. The last of them must end in the log.
    pub fn open(live: Box<dyn Reader>, folder: &Path) -> Result<Joined, StoreError> {
        Joined::on(live, Arc::new(Shelf::open(folder)?))
    }

    /// The same with archives that other readers of the log use too.
    pub fn on(mut live: Box<dyn Reader>, shelf: Arc<Shelf>) -> Result<Joined, StoreError> {
        let volumes = shelf.volumes();
        check_fit(&mut *live, &volumes)?;
        Ok(Joined::of(live, shelf, volumes))
    }

    fn of(live: Box<dyn Reader>, shelf: Arc<Shelf>, volumes: Volumes) -> Joined {
        Joined { live, shelf, volumes, open: Vec::new(), begins: BTreeMap::new(), source: None }
    }

    /// Looks for archives that were written since. They must fit like the first.
    fn look_again(&mut self) -> Result<(), StoreError> {
        let newest = self.shelf.newest()?;
        if !Arc::ptr_eq(&newest, &self.volumes) {
            check_fit(&mut *self.live, &newest)?;
            (self.volumes, self.source) = (newest, None);
            self.open.clear();
        }
        Ok(())
    }

    /// An archive by its place. Of those that are open, the one not used for the longest time is closed.
    fn archive(&mut self, place: usize) -> Option<&mut Archive> {
        let archive = match self.open.iter().position(|(open, _)| *open == place) {
            Some(position) => self.open.remove(position).1,
            None => Archive::of(Arc::clone(self.volumes.get(place)?)),
        };
        if OPEN_MAX <= self.open.len() {
            self.open.remove(0);
        }
        self.open.push((place, archive));
        self.open.last_mut().map(|(_, archive)| archive)
    }

    /// The archive with the first entries of a stream after a version, unless the log has them.
    fn archived(&mut self, stream: &Stream, after: Version) -> Result<Option<usize>, StoreError> {
        let begins = match self.begins.get(stream) {
            Some(begins) => Some(*begins),
            None => self.begins(stream)?,
        };
        let is_live = begins.is_none_or(|begins| begins <= after.next());
        Ok(if is_live { None } else { place_after(&self.volumes, stream, after) })
    }

    /// Reads a stretch from one archive after the other and from the log. `read` reads from one of them.
    fn stretch<T>(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
        version: impl Fn(&T) -> Version,
        read: impl Fn(&mut dyn Reader, Version, usize) -> Result<Vec<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let (mut found, mut looked_again) = (Vec::new(), false);
        while found.len() < limit {
            let last = found.last().map_or(after, &version);
            let room = limit.saturating_sub(found.len());
            self.source = self.archived(stream, last)?;
            let mut next = match self.source.and_then(|place| self.archive(place)) {
                Some(archive) => read(archive, last, room)?,
                None => read(&mut *self.live, last, room)?,
            };
            let Some(first) = next.first().map(&version) else { break };
            if first != last.next() && !looked_again {
                // They were archived and taken out of the log since the folder was read.
                looked_again = true;
                self.begins.remove(stream);
                self.look_again()?;
                continue;
            }
            if first != last.next() && !found.is_empty() {
                break;
            }
            found.append(&mut next);
            if self.source.is_none() {
                break;
            }
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
        while after < up_to {
            let place = self.archived(stream, after)?;
            let (end, reported) = match place.and_then(|place| self.archive(place)) {
                Some(archive) => {
                    let end = archive.ends_with(stream).min(up_to);
                    (end, archive.reported(stream, after, end, by)?)
                }
                None => (up_to, self.live.reported(stream, after, up_to, by)?),
            };
            let Some(reported) = reported else { return Ok(None) };
            found.extend(reported);
            after = end;
        }
        Ok(Some(found))
    }

    /// The newest entry up to a version that carries a stream forward, of those that only archives have.
    fn carried_in_archives(
        &mut self,
        stream: &Stream,
        up_to: Version,
    ) -> Result<Option<Version>, StoreError> {
        let volumes = Arc::clone(&self.volumes);
        let with_some = |place: &usize| {
            let volume = volumes.get(*place);
            volume.is_some_and(|volume| {
                let begins_after = volume.begins_after(stream);
                begins_after < up_to && begins_after < volume.ends_with(stream)
            })
        };
        for place in (0..volumes.len()).rev().filter(with_some) {
            let carried = self.archive(place).map(|archive| archive.carried(stream, up_to)).transpose()?;
            if let Some(version) = carried.flatten() {
                return Ok(Some(version));
            }
        }
        // The first archive has the books that it opens with.
        let opening =
            volumes.first().filter(|_| *stream == Stream::House).and_then(|first| first.opened_by());
        Ok(opening.map(|head| head.version).filter(|version| *version <= up_to))
    }

    /// The answers to commands: where their entries were read, in the log, in the archives that are open, and in all others.
    /// Takes them out of those that are missing.
    fn found_answers(&mut self, missing: &mut Vec<CommandId>) -> Result<Vec<Answered>, StoreError> {
        let mut answers = Vec::new();
        let mut seen: Vec<usize> = self.source.into_iter().collect();
        if let Some(archive) = self.source.and_then(|place| self.archive(place)) {
            take(archive, missing, &mut answers)?;
        }
        take(&mut *self.live, missing, &mut answers)?;
        for (place, archive) in &mut self.open {
            if !seen.contains(place) {
                take(archive, missing, &mut answers)?;
                seen.push(*place);
            }
        }
        for place in (0..self.volumes.len()).rev().filter(|place| !seen.contains(place)) {
            if missing.is_empty() {
                break;
            }
            if let Some(archive) = self.archive(place) {
                take(archive, missing, &mut answers)?;
            }
        }
        Ok(answers)
    }
}

impl Reader for Joined {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.live.heads()
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.live.headless()
    }

    fn begins(&mut self, stream: &Stream) -> Result<Option<Version>, StoreError> {
        let begins = self.live.begins(stream)?;
        if let Some(begins) = begins {
            self.begins.insert(stream.clone(), begins);
        }
        Ok(begins)
    }

    fn missing_up_to(&mut self) -> Result<Option<Version>, StoreError> {
        self.look_again()?;
        let missing = match self.volumes.first() {
            Some(first) => first.opened_by().map(|head| head.version),
            None => self.live.begins(&Stream::House)?.map(|begins| Version(begins.0.saturating_sub(1))),
        };
        Ok(missing.filter(|missing| Version(0) < *missing))
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let version = |entry: &Entry| entry.version;
        self.stretch(stream, after, limit, version, |reader, after, limit| {
            reader.entries(stream, after, limit)
        })
    }

    fn sifted(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
        is_wanted: Sieve<'_>,
    ) -> Result<Sifted, StoreError> {
        // Where nothing of the stretch is in an archive, the log looks itself.
        if self.archived(stream, after)?.is_none() {
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
        let version = |happened: &Happened| happened.version;
        self.stretch(stream, after, limit, version, |reader, after, limit| {
            reader.happened(stream, after, limit)
        })
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
        self.begins.remove(stream);
        self.look_again()?;
        self.found_reported(stream, after, up_to, by)
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        self.live.unreported()
    }

    fn another(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        let Some(live) = self.live.another()? else { return Ok(None) };
        Ok(Some(Box::new(Joined::of(live, Arc::clone(&self.shelf), Arc::clone(&self.volumes)))))
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        // What only archives have stands before what the log has.
        if let Some(version) = self.live.carried(stream, up_to)? {
            return Ok(Some(version));
        }
        self.look_again()?;
        self.carried_in_archives(stream, up_to)
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
        Ok(self.answers(&[command])?.pop())
    }

    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let (mut missing, known) = (commands.to_vec(), Arc::clone(&self.volumes));
        let mut answers = self.found_answers(&mut missing)?;
        if !missing.is_empty() {
            // They may have been archived and taken out of the log since the folder was read.
            self.look_again()?;
            if !Arc::ptr_eq(&known, &self.volumes) {
                answers.extend(self.found_answers(&mut missing)?);
            }
        }
        Ok(answers)
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        let answers = self.answers(commands)?;
        let answered: HashSet<CommandId> = answers.iter().map(|answered| answered.command).collect();
        Ok(commands.iter().copied().filter(|command| !answered.contains(command)).collect())
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
