//! Where the log is kept, as the floor sees it. Everything a batch of commands does goes into one [`Transaction`]:
//! nobody hears of it before it is durable, and if it fails nothing of it has happened.

use std::time::Duration;

use jackpot::TableId;

use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Hash, NodeId, Stream, Version};

/// Why the store could not do as asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No space, or no permission to write: nothing was written, and it may work again later.
    #[error("there is no space to write to: {0}")]
    Full(String),
    /// The disk failed: what is durable cannot be known, so the node must stop and begin again from the disk.
    #[error("the storage failed: {0}")]
    Failed(String),
    /// The database cannot be reached, or went away in the middle: whether a commit happened is unknown until the
    /// commands are looked up by their ids.
    #[error("the database cannot be reached: {0}")]
    Unavailable(String),
    /// Somebody else wrote first, or a deadlock was broken: nothing was written; catch up and decide again.
    #[error("another node was first: {0}")]
    Conflict(String),
    /// This node no longer owns a table: nothing was written.
    #[error("table {0} is run by another node now")]
    Fenced(TableId),
    /// An account would fall below nought: nothing was written.
    #[error("account {0} holds too little")]
    Short(Account),
    /// What is stored contradicts itself.
    #[error("{stream} entry {version}: {what}")]
    Corrupt {
        /// In which stream, or other place.
        stream: String,
        /// The first bad version.
        version: u64,
        /// What is wrong.
        what: String,
    },
    /// The database is not one this program can use.
    #[error("the database cannot be used: {0}")]
    Schema(String),
}

/// A command that was answered before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Its id.
    pub command: CommandId,
    /// The digest of what was asked, actor included.
    pub request: Hash,
    /// The answer, as JSON.
    pub answer: String,
}

impl Answered {
    /// The digest over all of it, kept beside it: a changed answer is noticed when it is read.
    pub fn digest(&self) -> Hash {
        Hash::of([
            &b"megalink.journal.answer.1"[..],
            &self.command.0,
            &self.request.0,
            self.answer.as_bytes(),
        ])
    }

    /// The answer as it was read, or that its digest is another.
    pub(crate) fn checked(self, digest: &[u8]) -> Result<Answered, StoreError> {
        if self.digest().0 == digest {
            return Ok(self);
        }
        let what = format!("the answer to {} has been changed", self.command);
        Err(StoreError::Corrupt { stream: "command".to_owned(), version: 0, what })
    }
}

/// Something kept beside the log because it must not stand in it: a seed not yet opened, a password's hash, a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// What kind of thing: `seed`, `credential`, `session`.
    pub kind: String,
    /// Which one.
    pub key: String,
    /// The thing; `None` takes it away.
    pub value: Option<Vec<u8>>,
}

/// A table owned by a node until somebody with a higher epoch takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The table.
    pub table: TableId,
    /// Who runs it.
    pub node: NodeId,
    /// Counts the owners: a write under an older epoch is refused.
    pub epoch: u64,
}

/// What can be asked without changing anything. Sees only what is committed.
pub trait Reader: Send {
    /// The newest entry of every stream, by stream.
    fn heads(&mut self) -> Result<Vec<Head>, StoreError>;

    /// Streams that have entries but no head, by whatever the database calls them. There are none unless somebody took
    /// the head away.
    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Entries of a stream after a version, at most so many, in order.
    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// A command that was answered.
    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError>;

    /// Those of some commands that were never answered, in the order given.
    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        let mut missing = Vec::new();
        for command in commands {
            if self.answered(*command)?.is_none() {
                missing.push(*command);
            }
        }
        Ok(missing)
    }

    /// What an account holds.
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError>;

    /// Every account and what it holds, by account.
    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError>;

    /// A thing kept beside the log.
    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Every thing of a kind, by key.
    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// The checkpoints after a number, at most so many, in order.
    fn checkpoints(
        &mut self,
        after: u64,
        limit: usize,
    ) -> Result<Vec<crate::checkpoint::Checkpoint>, StoreError>;
}

/// Everything a batch of commands does, all or nothing.
pub trait Transaction {
    /// The answers given before to any of these commands.
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError>;

    /// Locks a stream for this transaction and says where it ends. Locked in the order of [`Stream`], nobody waits for
    /// another in a circle.
    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError>;

    /// Entries of a stream after a version, those of this transaction not among them.
    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError>;

    /// What an account holds, with what this transaction has moved. Not locked: a transfer that leaves too little
    /// fails the commit as [`StoreError::Short`].
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError>;

    /// A thing kept beside the log, with what this transaction keeps.
    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Refuses everything unless the node still owns the table.
    fn fence(&mut self, lease: &Lease);

    /// Adds an entry at the end of its stream, and moves the money it moves.
    fn append(&mut self, entry: Entry);

    /// Keeps a command's answer.
    fn answer(&mut self, answered: Answered);

    /// Keeps something beside the log, or takes it away.
    fn keep(&mut self, sealed: Sealed);

    /// Makes it all durable. On any error nothing of it happened, but for [`StoreError::Unavailable`] and
    /// [`StoreError::Failed`], after which it is unknown.
    fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// A place the log is kept in. One writer.
pub trait Store: Reader {
    /// Begins a transaction.
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError>;

    /// A second connection, for reading alone, to hand to another thread.
    fn reader(&self) -> Result<Box<dyn Reader>, StoreError>;

    /// A connection that hears of what other nodes commit; `None` where there can be no other.
    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError>;

    /// Seals the streams as they are with a signed checkpoint, where anything was written since the last.
    fn checkpoint(
        &mut self,
        signer: &crate::checkpoint::Signer,
    ) -> Result<Option<crate::checkpoint::Checkpoint>, StoreError>;

    /// Takes a table for a node for so long, where nobody else holds it; a lease of one's own is renewed and keeps its
    /// epoch. Time is the database's.
    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError>;

    /// Renews every lease of a node that nobody took meanwhile, and says which it still has.
    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError>;

    /// Gives a table up, so that another node may have it at once.
    fn release(&mut self, lease: &Lease) -> Result<(), StoreError>;

    /// Who holds which table now.
    fn leases(&mut self) -> Result<Vec<Lease>, StoreError>;
}

/// Hears of what other nodes commit.
pub trait Listener: Send {
    /// Waits at most so long, and says which streams have grown and to which version. A hint that may be missed: what
    /// has not been heard of for a while is asked for.
    fn wait(&mut self, at_most: Duration) -> Result<Vec<(Stream, Version)>, StoreError>;
}
