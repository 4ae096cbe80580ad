//! What a node holds in memory: the floor, and where each stream ends. It is the log folded: it may be ahead of the log
//! only inside a batch, and is restored where the batch was not written.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use journal::{Entry, Event, GENESIS, Head, StoreError, Stream, Version};

use super::board::NewEntry;
use crate::desk::Desk;
use crate::floor::Floor;
use crate::house::House;
use crate::table::Table;

/// Why the rulebooks of a house that stood here can be read.
const READ_BEFORE: &str = "the rulebooks of this house were read when it was folded";

/// The log, folded.
pub(super) struct Memory {
    pub(super) floor: Floor,
    heads: HashMap<Stream, Head>,
}

/// What some streams were before a batch.
pub(super) struct Before(Vec<(Head, State)>);

enum State {
    House(Arc<House>),
    Table(Option<Arc<Table>>),
    Link(Option<Arc<Desk>>),
}

impl Memory {
    /// The memory of an empty log.
    pub(super) fn new(floor: Floor) -> Memory {
        Memory { floor, heads: HashMap::new() }
    }

    /// Where a stream ends.
    pub(super) fn head(&self, stream: &Stream) -> Head {
        let empty = || Head { stream: stream.clone(), version: Version(0), hash: GENESIS };
        self.heads.get(stream).cloned().unwrap_or_else(empty)
    }

    /// Where every stream ends.
    pub(super) fn heads(&self) -> impl Iterator<Item = &Head> {
        self.heads.values()
    }

    /// A stream goes on to here.
    pub(super) fn advance(&mut self, head: Head) {
        match self.heads.get_mut(&head.stream) {
            Some(known) => *known = head,
            None => {
                self.heads.insert(head.stream.clone(), head);
            }
        }
    }

    /// Folds further entries of a stream. What does not follow what is known, or cannot have happened, is corrupt.
    pub(super) fn fold(&mut self, entries: Vec<Entry>) -> Result<Vec<Arc<NewEntry>>, StoreError> {
        let folded = entries.into_iter().map(|entry| {
            let event = self.follow(&entry)?;
            let table = self.table_of(&entry);
            Ok(Arc::new(NewEntry { entry, event, table }))
        });
        folded.collect()
    }

    /// Whether entries that are not known are missing before some of these: they were taken out of the log. Those of one
    /// stream stand together.
    pub(super) fn lacks(&self, entries: &[Entry]) -> bool {
        let before = [None].into_iter().chain(entries.iter().map(|entry| Some(&entry.stream)));
        let mut firsts = before.zip(entries).filter(|(before, entry)| *before != Some(&entry.stream));
        firsts.any(|(_, entry)| self.head(&entry.stream).version.next() < entry.version)
    }

    /// The newest entry of a stream, as it is published.
    pub(super) fn newest(&self, entry: Entry) -> Result<Arc<NewEntry>, StoreError> {
        let event = journal::decode(&entry.body).map_err(|error| corrupt(&entry, error.to_string()))?;
        let table = self.table_of(&entry);
        Ok(Arc::new(NewEntry { entry, event, table }))
    }

    /// The table an entry happened to.
    fn table_of(&self, entry: &Entry) -> Option<Arc<Table>> {
        match &entry.stream {
            Stream::Table(id) => self.floor.table(id).cloned(),
            Stream::House | Stream::Link(_) => None,
        }
    }

    /// Takes a stream as an entry carries it forward, where nothing of it is known yet.
    pub(super) fn restore(&mut self, entry: &Entry) -> Result<Event, StoreError> {
        let corrupt = |what: String| corrupt(entry, what);
        if entry.digest() != entry.hash {
            return Err(corrupt("its hash is not that of its content".to_owned()));
        }
        let event = journal::decode(&entry.body).map_err(|error| corrupt(error.to_string()))?;
        let Event::Carried(carried) = &event else {
            return Err(corrupt("it does not carry the stream forward".to_owned()));
        };
        self.floor.restore(&entry.stream, carried).map_err(|error| corrupt(error.to_string()))?;
        self.floor.pass_carried(&entry.stream);
        self.advance(entry.head());
        Ok(event)
    }

    /// Folds entries that nobody waits for, without keeping what lies between, and counts them.
    pub(super) fn replay(&mut self, entries: &[Entry]) -> Result<u64, StoreError> {
        entries.iter().try_for_each(|entry| self.follow(entry).map(drop))?;
        Ok(u64::try_from(entries.len()).unwrap_or(u64::MAX))
    }

    pub(super) fn follow(&mut self, entry: &Entry) -> Result<Event, StoreError> {
        let corrupt = |what: String| corrupt(entry, what);
        let known = self.head(&entry.stream);
        if entry.version != known.version.next() || entry.previous != known.hash {
            return Err(corrupt(format!("it does not follow entry {} ({})", known.version, known.hash)));
        }
        if entry.digest() != entry.hash {
            return Err(corrupt("its hash is not that of its content".to_owned()));
        }
        let event = journal::decode(&entry.body).map_err(|error| corrupt(error.to_string()))?;
        let evolved = self.floor.evolve(&entry.stream, &event, entry.at, &entry.actor);
        evolved.map_err(|error| corrupt(error.to_string()))?;
        self.advance(entry.head());
        Ok(event)
    }

    /// Keeps what some streams are now.
    pub(super) fn keep(&self, streams: &BTreeSet<Stream>) -> Before {
        let state = |stream: &Stream| match stream {
            Stream::House => State::House(Arc::clone(self.floor.house())),
            Stream::Table(id) => State::Table(self.floor.table(id).cloned()),
            Stream::Link(id) => State::Link(self.floor.link(id).cloned()),
        };
        Before(streams.iter().map(|stream| (self.head(stream), state(stream))).collect())
    }

    /// Puts back what streams were.
    pub(super) fn put_back(&mut self, before: Before) {
        for (head, state) in before.0 {
            match (&head.stream, state) {
                (Stream::Table(id), State::Table(table)) => self.floor.put_table(id, table),
                (Stream::Link(id), State::Link(desk)) => self.floor.put_link(id, desk),
                (Stream::House, State::House(house)) => self.floor.put_house(house).expect(READ_BEFORE),
                (Stream::House | Stream::Table(_) | Stream::Link(_), _) => {
                    unreachable!("a stream's state is kept as its kind")
                }
            }
            self.advance(head);
        }
    }
}

/// An entry that cannot be.
fn corrupt(entry: &Entry, what: String) -> StoreError {
    StoreError::Corrupt { stream: entry.stream.to_string(), version: entry.version.0, what }
}
