//! The database that several nodes share: the journal's SQLite store in one simulated process, reached over connections
//! that break. Leases, fences, locks and the hash chain belong to the store; this file only adds the round trips.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jackpot::TableId;
use journal::archive::Pruning;
use journal::checkpoint::{Checkpoint, Signer};
use journal::sqlite::SqliteStore;
use journal::{
    Account, Amount, Answered, Books, CommandId, Direction, Entry, Head, Lease, Listener, NodeId, Reader,
    Sealed, Store, StoreError, Stream, Subject, Transaction, Version,
};

use super::coverage::{Coverage, Fault};
use super::shared::Shared;
use crate::dice::Dice;
use crate::disk::Disk;

/// The database: open, or down until it is opened again.
pub(crate) struct Database {
    pub(crate) store: Option<SqliteStore>,
    pub(crate) disk: Disk,
}

/// Which nodes have written to which tables.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    last: BTreeMap<TableId, Lease>,
    /// Writes to a table that another node runs.
    pub(crate) fence_violations: Vec<String>,
    /// The first entry that each node wrote to a table after taking it over.
    pub(crate) takeovers: BTreeSet<(Stream, Version)>,
}

/// One node's connection to the database.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) dice: Dice,
    /// After how many more round trips the node crashes, in the middle of its work.
    pub(crate) crash_after: Option<u64>,
    /// No request gets through.
    pub(crate) cut: bool,
    /// How many in 1,000 requests are lost, and how many in 1,000 answers.
    pub(crate) lost: u64,
    /// How many in 1,000 commits find that another transaction was first.
    pub(crate) conflicts: u64,
    pub(crate) coverage: Shared<Coverage>,
}

impl Writers {
    /// Records a commit: the first version written to each table, and the leases it was written under.
    fn record_commit(&mut self, tables: &BTreeMap<TableId, Version>, fences: Vec<Lease>) {
        for lease in fences {
            let Some(first) = tables.get(&lease.table) else { continue };
            let table = lease.table.clone();
            let before = self.last.insert(table.clone(), lease);
            if before.is_some_and(|before| before != self.last[&table]) {
                self.takeovers.insert((Stream::Table(table), *first));
            }
        }
    }
}

/// The store as a node sees it: every call is a round trip.
#[derive(Clone)]
pub(crate) struct RemoteStore {
    pub(crate) database: Shared<Database>,
    pub(crate) connection: Shared<Connection>,
    /// The node that uses this store.
    pub(crate) node: NodeId,
    pub(crate) writers: Shared<Writers>,
}

fn unavailable(what: &str) -> StoreError {
    StoreError::Unavailable(what.to_owned())
}

impl RemoteStore {
    /// One round trip. A failure inside the database stops it; the caller cannot know how far the work came.
    fn call<T>(&self, work: impl FnOnce(&mut SqliteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.connection.with(Connection::send_request)?;
        let done = self.database.with(|database| {
            let store = database.store.as_mut().ok_or_else(|| unavailable("connection refused"))?;
            let done = work(store);
            if matches!(done, Err(StoreError::Failed(_))) {
                // A database that stops like this does not close its file.
                database.disk.kill();
                database.store = None;
                return Err(unavailable("the server closed the connection"));
            }
            done
        })?;
        self.connection.with(Connection::receive_answer)?;
        Ok(done)
    }
}

impl Connection {
    fn send_request(&mut self) -> Result<(), StoreError> {
        if let Some(left) = &mut self.crash_after {
            if *left == 0 {
                // The node has crashed. Nothing that it still does takes effect.
                return Err(StoreError::Failed("the node has crashed".to_owned()));
            }
            *left -= 1;
            if *left == 0 {
                self.coverage.fault(Fault::CrashDuringWork);
            }
        }
        if self.cut {
            self.coverage.fault(Fault::DatabaseCutOff);
            return Err(unavailable("no route to the database"));
        }
        if self.dice.permille(self.lost) {
            self.coverage.fault(Fault::RequestLostToDatabase);
            return Err(unavailable("the connection was lost"));
        }
        Ok(())
    }

    fn receive_answer(&mut self) -> Result<(), StoreError> {
        if self.dice.permille(self.lost) {
            self.coverage.fault(Fault::AnswerLostFromDatabase);
            return Err(unavailable("the connection was lost before the answer came"));
        }
        Ok(())
    }
}

impl Reader for RemoteStore {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.call(Reader::heads)
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.call(Reader::headless)
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.call(|store| store.entries(stream, after, limit))
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.call(|store| store.carried(stream, up_to))
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.call(|store| store.about(stream, subject, wanted, limit))
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.call(|store| store.answered(command))
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.call(|store| Reader::balance(store, account))
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.call(Reader::balances)
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.call(|store| Reader::sealed(store, kind, key))
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.call(|store| store.sealed_all(kind))
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.call(|store| store.checkpoints(after, limit))
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.call(|store| store.checkpoints_back(up_to, limit))
    }
}

impl Store for RemoteStore {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        self.call(|_| Ok(()))?;
        Ok(Box::new(RemoteTransaction::new(self.clone())))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.call(|_| Ok(()))?;
        Ok(Box::new(self.clone()))
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        self.call(|_| Ok(()))?;
        Ok(Some(Box::new(Poller { remote: self.clone(), known: BTreeMap::new() })))
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        self.call(|store| store.checkpoint(signer))
    }

    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError> {
        self.call(|store| store.lease(table, node, term))
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        self.call(|store| store.renew(node, term))
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.call(|store| store.release(lease))
    }

    fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError> {
        self.call(|store| store.prune(pruning, at_most))
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        self.call(Store::leases)
    }
}

/// A transaction in progress. Nothing reaches the database before the commit, which checks that every stream is still
/// where the transaction found it.
struct RemoteTransaction {
    remote: RemoteStore,
    locked: BTreeMap<Stream, Head>,
    heads: BTreeMap<Stream, Head>,
    moved: BTreeMap<Account, i64>,
    entries: Vec<Entry>,
    answers: Vec<Answered>,
    sealed: BTreeMap<(String, String), Option<Vec<u8>>>,
    fences: Vec<Lease>,
}

impl RemoteTransaction {
    fn new(remote: RemoteStore) -> RemoteTransaction {
        RemoteTransaction {
            remote,
            locked: BTreeMap::new(),
            heads: BTreeMap::new(),
            moved: BTreeMap::new(),
            entries: Vec::new(),
            answers: Vec::new(),
            sealed: BTreeMap::new(),
            fences: Vec::new(),
        }
    }
}

impl Transaction for RemoteTransaction {
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.remote.call(|store| store.begin()?.answered(commands))
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        if let Some(head) = self.heads.get(stream) {
            return Ok(head.clone());
        }
        let head = self.remote.call(|store| store.begin()?.lock(stream))?;
        self.locked.insert(stream.clone(), head.clone());
        self.heads.insert(stream.clone(), head.clone());
        Ok(head)
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        self.remote.call(|store| store.begin()?.entries(stream, after))
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        let held = self.remote.call(|store| Reader::balance(store, account))?;
        Ok(Amount(held.0 + self.moved.get(account).copied().unwrap_or_default()))
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        self.remote.call(|store| store.begin()?.books())
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.sealed.get(&(kind.to_owned(), key.to_owned())) {
            Some(kept) => Ok(kept.clone()),
            None => self.remote.call(|store| Reader::sealed(store, kind, key)),
        }
    }

    fn fence(&mut self, lease: &Lease) {
        self.fences.push(lease.clone());
    }

    fn append(&mut self, entry: Entry) {
        for moved in &entry.transfers {
            *self.moved.entry(moved.from.clone()).or_default() -= moved.amount.0;
            *self.moved.entry(moved.to.clone()).or_default() += moved.amount.0;
        }
        self.heads.insert(entry.stream.clone(), entry.head());
        self.entries.push(entry);
    }

    fn answer(&mut self, answered: Answered) {
        self.answers.push(answered);
    }

    fn keep(&mut self, sealed: Sealed) {
        self.sealed.insert((sealed.kind, sealed.key), sealed.value);
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let RemoteTransaction { remote, locked, entries, answers, sealed, fences, .. } = *self;
        let conflicts = remote.connection.with(|connection| connection.dice.permille(connection.conflicts));
        if conflicts {
            remote.connection.with(|connection| connection.coverage.fault(Fault::CommitConflict));
            return Err(StoreError::Conflict("a deadlock was broken".to_owned()));
        }
        let mut tables: BTreeMap<TableId, Version> = BTreeMap::new();
        for entry in &entries {
            if let Stream::Table(table) = &entry.stream {
                tables.entry(table.clone()).or_insert(entry.version);
            }
        }
        let (writer, writers, connection) =
            (remote.node.clone(), remote.writers.clone(), remote.connection.clone());
        remote.call(|store| {
            let leases = store.leases()?.into_iter();
            let others: Vec<Lease> =
                leases.filter(|lease| tables.contains_key(&lease.table) && lease.node != writer).collect();
            let mut transaction = store.begin()?;
            for (stream, head) in &locked {
                if transaction.lock(stream)? != *head {
                    return Err(StoreError::Conflict(format!("{stream} has grown")));
                }
            }
            for lease in &fences {
                transaction.fence(lease);
            }
            for entry in entries {
                transaction.append(entry);
            }
            for answered in answers {
                transaction.answer(answered);
            }
            for ((kind, key), value) in sealed {
                transaction.keep(Sealed { kind, key, value });
            }
            if let Err(error) = transaction.commit() {
                if matches!(error, StoreError::Fenced(_)) {
                    connection.with(|connection| connection.coverage.fault(Fault::FencedOff));
                }
                return Err(error);
            }
            let violation = |lease: &Lease| {
                format!("{} wrote to table {}, which {} runs", writer.name(), lease.table, lease.node.name())
            };
            writers.with(|writers| {
                writers.fence_violations.extend(others.iter().map(violation));
                writers.record_commit(&tables, fences);
            });
            Ok(())
        })
    }
}

/// Reports the streams that have grown since the last call; the first time it reports all of them.
struct Poller {
    remote: RemoteStore,
    known: BTreeMap<Stream, Version>,
}

impl Listener for Poller {
    fn wait(&mut self, _: Duration) -> Result<Vec<(Stream, Version)>, StoreError> {
        let heads = self.remote.call(Reader::heads)?;
        let grown = heads.into_iter().filter(|head| self.known.get(&head.stream) != Some(&head.version));
        let grown: Vec<(Stream, Version)> = grown.map(|head| (head.stream, head.version)).collect();
        self.known.extend(grown.iter().cloned());
        Ok(grown)
    }
}
