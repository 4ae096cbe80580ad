//! The store of the log, as the floor uses it. Everything a batch of commands does is one [`Transaction`]: nobody
//! is answered before it is durable, and if it fails nothing has happened.

use std::collections::BTreeMap;
use std::time::Duration;

use jackpot::TableId;

use crate::archive::Pruning;
use crate::carried::Books;
use crate::entry::{Body, Entry, Head};
use crate::event::Event;
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Hash, Moment, NodeId, Stream, Version};
use crate::packed;
use crate::row;
use crate::stored::{FormError, decode_text};
use crate::subject::{self, Direction, Indexed, Subject};

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No space, or no permission to write. Nothing was written; a later attempt may succeed.
    #[error("cannot write, because there is no space or no permission: {0}")]
    Full(String),
    /// The disk failed. What is durable is unknown, so the node must stop and restart from the disk.
    #[error("the storage failed: {0}")]
    Failed(String),
    /// The database cannot be reached, or the connection was lost. Whether a commit happened is unknown until the
    /// commands are looked up by their ids.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// Another node wrote first, or a deadlock was resolved. Nothing was written; read the new entries and decide
    /// again.
    #[error("another node wrote first: {0}")]
    Conflict(String),
    /// This node no longer owns a table. Nothing was written.
    #[error("another node runs table {0} now")]
    Fenced(TableId),
    /// An account would become negative. Nothing was written.
    #[error("account {0} holds too little")]
    Short(Account),
    /// The stored data contradicts itself.
    #[error("{stream} entry {version}: {what}")]
    Corrupt {
        /// The stream, or another place in the database.
        stream: String,
        /// The first bad version.
        version: u64,
        /// What is wrong with it.
        what: String,
    },
    /// This program cannot use the database.
    #[error("the database cannot be used: {0}")]
    Schema(String),
}

/// A command that was already answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The id of the command.
    pub command: CommandId,
    /// The digest of the request, including the actor.
    pub request: Hash,
    /// The answer, as JSON.
    pub answer: String,
}

impl Answered {
    /// The digest over everything, stored with it to detect a changed answer.
    pub fn digest(&self) -> Hash {
        Hash::of([
            &b"megalink.journal.answer.1"[..],
            &self.command.0,
            &self.request.0,
            self.answer.as_bytes(),
        ])
    }

    /// The answer as a database keeps it.
    pub fn packed(&self) -> Vec<u8> {
        packed::pack(self.answer.as_bytes())
    }

    /// The answer of a row, or an error if it does not match its stored digest.
    pub(crate) fn of_row(
        command: CommandId,
        request: Hash,
        answer: &[u8],
        digest: &[u8],
    ) -> Result<Answered, StoreError> {
        let answer = packed::unpack(answer).and_then(|answer| String::from_utf8(answer).ok());
        let answered = answer.map(|answer| Answered { command, request, answer });
        answered.filter(|answered| answered.digest().0 == digest).ok_or_else(|| {
            let what = format!("the answer to {command} has been changed");
            StoreError::Corrupt { stream: "command".to_owned(), version: 0, what }
        })
    }
}

/// Data kept beside the log because it must not be in it: a seed not yet opened, a password's hash, a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The kind: `seed`, `credential` or `session`.
    pub kind: String,
    /// The key within its kind.
    pub key: String,
    /// The value; `None` deletes it.
    pub value: Option<Vec<u8>>,
}

/// A table owned by a node, until a node with a higher epoch takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The table that is owned.
    pub table: TableId,
    /// The node that owns it.
    pub node: NodeId,
    /// Rises with every new owner: a write under an older epoch is refused.
    pub epoch: u64,
}

/// What can be seen of the nodes that share a log without reading every lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// How many nodes are connected to the database, this one among them.
    pub nodes: usize,
    /// The nodes that hold leases and are not connected.
    pub gone: Vec<NodeId>,
    /// Another one whenever a lease begins, ends or is released.
    pub mark: (i64, i64),
}

/// Says by the kind of an entry and the name of its event, such as `table.round.v1` and `settled`, whether it is wanted.
pub type Sieve<'a> = &'a (dyn Fn(&str, &str) -> bool + Sync);

/// The entries of a stretch that were wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sifted {
    /// In order.
    pub entries: Vec<Entry>,
    /// The last entry that was looked at. All before it were.
    pub up_to: Version,
    /// Whether the next entry is missing although later ones are there.
    pub is_torn: bool,
}

impl Sifted {
    /// Those that are wanted of the entries after a version.
    pub(crate) fn of(entries: Vec<Entry>, after: Version, is_wanted: Sieve<'_>) -> Sifted {
        let mut sifted = Sifted { entries: Vec::new(), up_to: after, is_torn: false };
        for entry in entries {
            if entry.version != sifted.up_to.next() {
                sifted.is_torn = true;
                break;
            }
            sifted.up_to = entry.version;
            if is_wanted(&entry.body.kind, row::event_name(&entry.body)) {
                sifted.entries.push(entry);
            }
        }
        sifted
    }
}

/// How the entries that reports are made of are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// By the index of subjects. Quick; a row that somebody took out of the index is not noticed.
    Index,
    /// By the names of all entries. One that is missing is noticed.
    Entries,
}

/// What happened, of an entry: not who did it, why, and which money moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// Its number in its stream.
    pub version: Version,
    /// The time, by the clock of the node that wrote it.
    pub at: Moment,
    /// The event that happened.
    pub body: Body,
}

/// The same, without memory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HappenedText<'a> {
    pub version: Version,
    pub at: Moment,
    /// The name of the stored form.
    pub kind: &'a str,
    /// The event as JSON.
    pub json: &'a str,
}

impl HappenedText<'_> {
    /// The name of the event.
    pub fn name(&self) -> &str {
        row::name_in(self.json.as_bytes())
    }

    /// The event.
    pub fn event(&self) -> Result<Event, FormError> {
        decode_text(self.kind, self.json)
    }
}

impl From<Entry> for Happened {
    fn from(entry: Entry) -> Happened {
        Happened { version: entry.version, at: entry.at, body: entry.body }
    }
}

/// Read access. Sees only what is committed.
pub trait Reader: Send {
    /// The newest entry of every stream, sorted by stream.
    fn heads(&mut self) -> Result<Vec<Head>, StoreError>;

    /// Streams that have entries but no head, by their names in the database. There are none unless somebody
    /// deleted a head.
    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Entries of a stream after a version, at most `limit`, in order.
    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// One entry of a stream.
    fn entry(&mut self, stream: &Stream, version: Version) -> Result<Option<Entry>, StoreError> {
        let entry = self.entries(stream, Version(version.0.saturating_sub(1)), 1)?.pop();
        Ok(entry.filter(|entry| entry.version == version))
    }

    /// The first entry of a stream that is in the database itself, and not only in an archive.
    fn begins(&mut self, stream: &Stream) -> Result<Option<Version>, StoreError> {
        Ok(self.entries(stream, Version(0), 1)?.first().map(|entry| entry.version))
    }

    /// Up to which entry of the house the beginning of the log is gone although its archives should have it; `None` where it
    /// is there, or where no archives were given.
    fn missing_up_to(&mut self) -> Result<Option<Version>, StoreError> {
        Ok(None)
    }

    /// Looks at the entries of a stream after a version, at most `limit`, and reads those that are wanted.
    fn sifted(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
        is_wanted: Sieve<'_>,
    ) -> Result<Sifted, StoreError> {
        Ok(Sifted::of(self.entries(stream, after, limit)?, after, is_wanted))
    }

    /// What happened in the entries of a stream after a version, at most `limit`, in order.
    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        Ok(self.entries(stream, after, limit)?.into_iter().map(Happened::from).collect())
    }

    /// Hands over what happened in the entries of a stream after a version, at most `limit`, in order, until one is the last that
    /// is wanted.
    fn each_happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
        each: &mut dyn FnMut(HappenedText<'_>) -> bool,
    ) -> Result<(), StoreError> {
        for Happened { version, at, body } in self.happened(stream, after, limit)? {
            if !each(HappenedText { version, at, kind: &body.kind, json: &body.json }) {
                break;
            }
        }
        Ok(())
    }

    /// What happened in the entries of a stream after a version and up to another that reports are made of
    /// ([`subject::is_reported`]), in order; `None` where entries between the two are not there.
    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        _by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        let limit = usize::try_from(up_to.0.saturating_sub(after.0)).unwrap_or(usize::MAX);
        let sifted = self.sifted(stream, after, limit, &subject::is_reported)?;
        let is_whole = !sifted.is_torn && up_to <= sifted.up_to;
        Ok(is_whole.then(|| sifted.entries.into_iter().map(Happened::from).collect()))
    }

    /// Up to which version of its streams the index does not say what is reported: what was archived before there was one.
    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        Ok(BTreeMap::new())
    }

    /// Another connection to the same log, for another thread; `None` where there is no cheap one. It may see more.
    fn another(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        Ok(None)
    }

    /// The newest entry up to a version that carries a stream forward.
    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError>;

    /// Where entries of a stream stand that are about a subject, at most `limit`.
    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError>;

    /// Rows of the index of subjects after one of them, in its order, at most `limit`; `None` where there is no index.
    fn indexed(&mut self, _after: &Indexed, _limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        Ok(None)
    }

    /// The answer to a command, if it was answered.
    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError>;

    /// Entries of many streams, each after a version, at most about `limit` in all and at least one where there is one:
    /// in the order given, each stream's without a gap.
    fn entries_after(&mut self, known: &[(Stream, Version)], limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut all = Vec::new();
        for (stream, after) in known {
            let room = limit.saturating_sub(all.len());
            if room == 0 {
                break;
            }
            all.extend(self.entries(stream, *after, room)?);
        }
        Ok(all)
    }

    /// The answers to those of the given commands that were answered, in any order.
    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let mut answers = Vec::new();
        for command in commands {
            answers.extend(self.answered(*command)?);
        }
        Ok(answers)
    }

    /// Those of the given commands that were never answered, in the order given.
    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        let mut missing = Vec::new();
        for command in commands {
            if self.answered(*command)?.is_none() {
                missing.push(*command);
            }
        }
        Ok(missing)
    }

    /// The balance of an account.
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError>;

    /// Every account with its balance, sorted by account.
    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError>;

    /// A value kept beside the log.
    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// All values of a kind, sorted by key.
    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// The newest checkpoints up to a number, at most `limit`, the newest first.
    fn checkpoints_back(
        &mut self,
        up_to: u64,
        limit: usize,
    ) -> Result<Vec<crate::checkpoint::Checkpoint>, StoreError>;

    /// The checkpoints after a number, at most `limit`, in order.
    fn checkpoints(
        &mut self,
        after: u64,
        limit: usize,
    ) -> Result<Vec<crate::checkpoint::Checkpoint>, StoreError>;

    /// The checkpoints in which one key names the next, in order.
    fn handovers(&mut self) -> Result<Vec<crate::checkpoint::Checkpoint>, StoreError> {
        let (mut handovers, mut after) = (Vec::new(), 0);
        loop {
            let page = self.checkpoints(after, 1000)?;
            let Some(last) = page.last() else { return Ok(handovers) };
            after = last.number;
            handovers.extend(page.into_iter().filter(|checkpoint| checkpoint.successor.is_some()));
        }
    }

    /// The newest checkpoint.
    fn last_checkpoint(&mut self) -> Result<Option<crate::checkpoint::Checkpoint>, StoreError> {
        Ok(self.checkpoints_back(u64::MAX, 1)?.pop())
    }
}

/// What a batch of commands is known to need before it is decided, so that it can be asked for at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The streams to lock, in the order of [`Stream`], and up to where their entries are known.
    pub streams: Vec<(Stream, Version)>,
    /// Whether these were answered.
    pub commands: Vec<CommandId>,
    /// The balances of these.
    pub accounts: Vec<Account>,
    /// These values beside the log, by kind and key.
    pub sealed: Vec<(String, String)>,
}

/// Everything a batch of commands does: all of it or nothing.
pub trait Transaction {
    /// Locks streams for this transaction and returns their heads, as [`Transaction::lock`] does one by one, and may
    /// read the rest of what is wanted with them. It comes first in a transaction.
    fn open(&mut self, wanted: &Wanted) -> Result<Vec<Head>, StoreError> {
        wanted.streams.iter().map(|(stream, _)| self.lock(stream)).collect()
    }

    /// The earlier answers to any of these commands.
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError>;

    /// Locks a stream for this transaction and returns its head. Lock streams in the order of [`Stream`], to
    /// avoid deadlocks.
    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError>;

    /// Entries of a stream after a version, without those of this transaction.
    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError>;

    /// The balance of an account, including this transaction's transfers. Not locked: a transfer that overdraws
    /// it fails the commit with [`StoreError::Short`].
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError>;

    /// Where every stream ends and what every account holds that is not empty, all at one moment, without what this
    /// transaction changes; and a checkpoint that was signed before.
    fn books(&mut self) -> Result<Books, StoreError>;

    /// A value kept beside the log, including this transaction's changes.
    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Fails the commit unless the node still owns the table.
    fn fence(&mut self, lease: &Lease);

    /// Appends an entry to its stream, and makes its transfers.
    fn append(&mut self, entry: Entry);

    /// Stores a command's answer.
    fn answer(&mut self, answered: Answered);

    /// Stores or deletes a value beside the log.
    fn keep(&mut self, sealed: Sealed);

    /// Makes everything durable. After an error nothing has happened, except after [`StoreError::Unavailable`]
    /// and [`StoreError::Failed`], where it is unknown.
    fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// A database that holds the log. One writer.
pub trait Store: Reader {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError>;

    /// A second, read-only connection, for another thread.
    fn reader(&self) -> Result<Box<dyn Reader>, StoreError>;

    /// A second connection that sees the log as it is now, whatever is written later; `None` if there can be no other node.
    fn snapshot(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        Ok(None)
    }

    /// A connection that reports other nodes' commits; `None` if there can be no other node.
    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError>;

    /// Seals the present streams with a signed checkpoint, if anything was written since the last one.
    fn checkpoint(
        &mut self,
        signer: &crate::checkpoint::Signer,
    ) -> Result<Option<crate::checkpoint::Checkpoint>, StoreError>;

    /// Takes a table for a node for the given time, if no other node holds it. The node's own lease is renewed
    /// and keeps its epoch. Uses the database's clock.
    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError>;

    /// Renews every lease of a node that no other node has taken, and returns those it still has.
    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError>;

    /// Releases a table, so that another node can take it at once.
    fn release(&mut self, lease: &Lease) -> Result<(), StoreError>;

    /// Takes up to so many entries out of the log that archives have, or answers to refused commands that are as old, and
    /// returns how many it took.
    fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError>;

    /// Shows the other nodes that this one is connected, and says who else is. `None` where that cannot be seen.
    fn presence(&mut self, _node: &NodeId) -> Result<Option<Presence>, StoreError> {
        Ok(None)
    }

    /// Ends the leases of a node unless it is connected, so that its tables can be taken at once. Its late writes are
    /// refused.
    fn end_leases(&mut self, _node: &NodeId) -> Result<(), StoreError> {
        Ok(())
    }

    /// What could be lost although it was acknowledged, each in a sentence.
    fn risks(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// The present owner of each table.
    fn leases(&mut self) -> Result<Vec<Lease>, StoreError>;
}

/// Reports other nodes' commits.
pub trait Listener: Send {
    /// Waits at most `at_most`, and returns the streams that have grown, with their versions. Only a hint that
    /// can be missed: after a quiet time the caller must read the versions itself.
    fn wait(&mut self, at_most: Duration) -> Result<Vec<(Stream, Version)>, StoreError>;
}
