//! What a verification has read, kept for whoever follows the same entries next: they are neither read nor unpacked a second
//! time, and what is followed is what was hashed.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;

use crate::checkpoint::Checkpoint;
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, Reader, StoreError};
use crate::subject::{Direction, Indexed, Subject};

/// The entries of a period, by stream, and the answers to their commands.
#[derive(Debug, Default)]
pub struct Kept {
    /// How many more entries are kept.
    room: usize,
    /// The pages of each stream, in order.
    streams: BTreeMap<Stream, VecDeque<Vec<Entry>>>,
    answers: HashMap<CommandId, Answered>,
}

impl Kept {
    /// Keeps so many entries and their answers, and no more.
    pub fn at_most(entries: usize) -> Kept {
        Kept { room: entries, ..Kept::default() }
    }

    /// Keeps a page of a stream, unless there is no room: then nothing more is kept, so that what is kept of a stream has no
    /// gap that the log does not have.
    pub(super) fn page(&mut self, entries: Vec<Entry>, answers: Vec<Answered>) {
        let Some(room) = self.room.checked_sub(entries.len()) else {
            self.room = 0;
            return;
        };
        let Some(first) = entries.first() else { return };
        self.room = room;
        self.answers.extend(answers.into_iter().map(|answered| (answered.command, answered)));
        self.streams.entry(first.stream.clone()).or_default().push_back(entries);
    }

    /// A reader that hands out what was kept, each entry once and page by page, and reads the rest.
    pub fn with<'a>(&'a mut self, reader: &'a mut dyn Reader) -> impl Reader + use<'a> {
        Again { kept: self, reader }
    }
}

/// Reads what was not kept.
struct Again<'a> {
    kept: &'a mut Kept,
    reader: &'a mut dyn Reader,
}

impl Reader for Again<'_> {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.reader.heads()
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.reader.headless()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        match self.kept.streams.get_mut(stream).and_then(|pages| next_page(pages, after, limit)) {
            Some(page) => Ok(page),
            None => self.reader.entries(stream, after, limit),
        }
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        self.reader.unreported()
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.reader.carried(stream, up_to)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.reader.about(stream, subject, wanted, limit)
    }

    fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        self.reader.indexed(after, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        match self.kept.answers.get(&command) {
            Some(answered) => Ok(Some(answered.clone())),
            None => self.reader.answered(command),
        }
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.reader.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.reader.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.reader.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.reader.sealed_all(kind)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.reader.checkpoints(after, limit)
    }

    fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
        self.reader.handovers()
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.reader.checkpoints_back(up_to, limit)
    }
}

/// The next of some pages, where it follows a version: at most so many entries of it.
fn next_page(pages: &mut VecDeque<Vec<Entry>>, after: Version, limit: usize) -> Option<Vec<Entry>> {
    while pages.front()?.last().is_none_or(|last| last.version <= after) {
        pages.pop_front();
    }
    let page = pages.front_mut()?;
    let passed = page.partition_point(|entry| entry.version <= after);
    if page.get(passed)?.version != after.next() {
        return None;
    }
    if 0 < passed {
        page.drain(..passed);
    }
    if limit < page.len() {
        let rest = page.split_off(limit);
        return Some(mem::replace(page, rest));
    }
    pages.pop_front()
}
