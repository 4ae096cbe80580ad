//! The log in one SQLite file, for one server. One connection writes and keeps the state it wrote in memory; any
//! number of others read.
//!
//! A commit is durable before it returns: write-ahead log, `synchronous=FULL`. An error leaves the file unchanged
//! and the store usable. The exception is a disk error: after that the store refuses everything until it is
//! reopened.

mod backup;
mod failure;
mod lease;
mod medium;
mod open;
mod prune;
mod read;
mod register;
mod repack;
mod subjects;
mod transaction;

use std::any::Any;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jackpot::TableId;
use rusqlite::{Connection, params};

use self::medium::LocalDisk;
use self::read::{Source, integer};
use self::register::Register;
use crate::archive::Pruning;
use crate::checkpoint::{Checkpoint, Signer, heads_text};
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, NodeId, Stream, Version};
use crate::store::{
    Answered, FoundBy, Happened, HappenedText, Lease, Listener, Reader, Sieve, Sifted, Store, StoreError,
    Transaction,
};
use crate::subject::{Direction, Indexed, Subject};

pub use self::medium::Medium;

/// How many pages, roughly, the write-ahead log may have before they are moved into the file.
const LOG_PAGES_MAX: usize = 4096;

/// How many checkpoints are searched, from the newest back, for what they seal. A stream that none of them names
/// is sealed again.
const CHECKPOINTS_SEEN_MAX: usize = 512;

/// The log in one SQLite file, opened by the one server that writes it.
pub struct SqliteStore {
    // Dropped in this order: the file is closed before its lock is released.
    connection: Connection,
    medium: Arc<dyn Medium>,
    path: PathBuf,
    streams: Register<Stream, Head>,
    accounts: Register<Account, Amount>,
    /// The version of each stream that the checkpoints seal, once looked up.
    sealed: Option<BTreeMap<Stream, Version>>,
    /// SQLite's counter of writes by other connections.
    others: i64,
    log_pages: usize,
    failed: Option<String>,
    _lock: Box<dyn Any + Send>,
}

/// A connection that only reads.
pub struct SqliteReader {
    connection: Connection,
    path: PathBuf,
    /// The disk of a log that may be written to; a copy that nobody writes to has none.
    medium: Option<Arc<dyn Medium>>,
}

impl SqliteStore {
    /// Opens the log, or creates it if there is no file. Refuses a file that another server has open, that is
    /// damaged, or that this program did not create.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_on(Arc::new(LocalDisk), path)
    }

    /// The same, on a given disk instead of the machine's own.
    pub fn open_on(medium: Arc<dyn Medium>, path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        let lock = open::lock(&*medium, path)?;
        let connection = open::writer(&*medium, path)?;
        let source = Source { connection: &connection, path };
        let streams = source.streams()?.into_iter().map(|(id, head)| (id, head.stream.clone(), head));
        let streams = Register::new(streams);
        let accounts = Register::new(source.accounts()?.into_iter());
        let others = source.others()?;
        let mut store = SqliteStore {
            connection,
            medium,
            path: path.to_owned(),
            streams,
            accounts,
            sealed: None,
            others,
            log_pages: 0,
            failed: None,
            _lock: lock,
        };
        store.end_old_leases()?;
        Ok(store)
    }

    /// Opens a copy of the log for reading. Changes nothing, neither the file nor its folder; a write-ahead log
    /// beside the copy is read too.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<SqliteReader, StoreError> {
        let path = path.as_ref().to_owned();
        Ok(SqliteReader { connection: open::auditor(&path)?, path, medium: None })
    }

    /// A reader of the log of a file, whether or not a server has it open.
    pub fn open_beside(path: impl AsRef<Path>) -> Result<Box<dyn Reader>, StoreError> {
        let path = path.as_ref().to_owned();
        let connection = open::reader(&LocalDisk, &path)?;
        Ok(Box::new(SqliteReader { connection, path, medium: Some(Arc::new(LocalDisk)) }))
    }

    /// Copies the present log into a new file, which can be opened like the log itself.
    pub fn backup_to(&self, path: impl AsRef<Path>) -> Result<(), StoreError> {
        self.usable()?;
        backup::backup(&open::reader(&*self.medium, &self.path)?, &self.path, path.as_ref())
    }

    /// Copies the present log of a file into a new file, whether or not a server has it open.
    pub fn backup(path: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), StoreError> {
        backup::backup(&open::reader(&LocalDisk, path.as_ref())?, path.as_ref(), to.as_ref())
    }

    /// The connection to read from, unless the disk has failed.
    fn source(&self) -> Result<Source<'_>, StoreError> {
        self.usable()?;
        Ok(Source { connection: &self.connection, path: &self.path })
    }

    fn usable(&self) -> Result<(), StoreError> {
        match &self.failed {
            None => Ok(()),
            Some(why) => Err(StoreError::Failed(format!("{why}; reopen the log"))),
        }
    }

    /// Runs `work` as one durable transaction of `entries` entries.
    fn write<T>(
        &mut self,
        entries: usize,
        work: impl FnOnce(&SqliteStore) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.usable()?;
        match self.attempt(work) {
            Ok(done) => {
                self.shorten_log(entries);
                Ok(done)
            }
            Err(error) => {
                self.roll_back();
                if let StoreError::Failed(why) = &error {
                    self.failed = Some(why.clone());
                }
                Err(error)
            }
        }
    }

    fn attempt<T>(&self, work: impl FnOnce(&SqliteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.execute("BEGIN IMMEDIATE", [])?;
        if self.source()?.others()? != self.others {
            let what = format!("another program has written to {}", self.path.display());
            return Err(StoreError::Failed(what));
        }
        let done = work(self)?;
        self.execute("COMMIT", [])?;
        Ok(done)
    }

    fn roll_back(&mut self) {
        if self.connection.is_autocommit() {
            return;
        }
        if let Err(error) = self.execute("ROLLBACK", []) {
            self.failed = Some(error.to_string());
        }
    }

    /// Moves the write-ahead log into the file once it has grown. The commit is already durable, so the last
    /// writer does not get an error from this: if there is no room it is tried again later, and a failing disk
    /// stops the next write.
    fn shorten_log(&mut self, entries: usize) {
        // A transaction writes a few pages besides those of its entries.
        self.log_pages = self.log_pages.saturating_add(entries).saturating_add(4);
        if self.log_pages < LOG_PAGES_MAX {
            return;
        }
        self.log_pages = 0;
        let moved = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = moved
            && let StoreError::Failed(why) = failure::meaning(&error, &self.path)
        {
            self.failed = Some(why);
        }
    }

    /// Where the newest checkpoints seal each stream.
    fn sealed_versions(&self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        let mut sealed = BTreeMap::new();
        let mut number = i64::MAX;
        for _ in 0..CHECKPOINTS_SEEN_MAX {
            let Some(checkpoint) = self.source()?.checkpoint_up_to(number)? else {
                break;
            };
            for head in checkpoint.heads {
                sealed.entry(head.stream).or_insert(head.version);
            }
            number = i64::try_from(checkpoint.number).unwrap_or(i64::MAX).saturating_sub(1);
        }
        Ok(sealed)
    }
}

impl Store for SqliteStore {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        self.usable()?;
        Ok(Box::new(transaction::Batch::new(self)))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.usable()?;
        let connection = open::reader(&*self.medium, &self.path)?;
        let (path, medium) = (self.path.clone(), Some(Arc::clone(&self.medium)));
        Ok(Box::new(SqliteReader { connection, path, medium }))
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        Ok(None)
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        let mut sealed = match self.sealed.take() {
            Some(sealed) => sealed,
            None => self.sealed_versions()?,
        };
        let source = self.source()?;
        let (last, at) = (source.checkpoint_up_to(i64::MAX)?, source.now()?);
        let next = Checkpoint::following(last.as_ref(), source.heads()?, &sealed, at, signer);
        if let Some(next) = &next {
            self.write(1, |store| {
                let insert = "INSERT INTO checkpoint (number, previous, heads, at, key, signature, successor) \
                              VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let heads = heads_text(&next.heads);
                let row = params![
                    integer(next.number),
                    next.previous.0,
                    heads,
                    integer(next.at.0),
                    next.key,
                    next.signature,
                    next.successor,
                ];
                store.execute(insert, row)
            })?;
            sealed.extend(next.heads.iter().map(|head| (head.stream.clone(), head.version)));
        }
        self.sealed = Some(sealed);
        Ok(next)
    }

    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError> {
        self.take_lease(table, node, term)
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        self.renew_leases(node, term)
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.release_lease(lease)
    }

    fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError> {
        self.take_out(pruning, at_most)
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        self.current_leases()
    }
}

/// Implements reading for a type that can provide a [`Source`].
macro_rules! read_through {
    ($type:ty, $source:expr, $another:expr) => {
        impl Reader for $type {
            fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
                $source(self)?.heads()
            }

            fn headless(&mut self) -> Result<Vec<String>, StoreError> {
                $source(self)?.headless()
            }

            fn entries(
                &mut self,
                stream: &Stream,
                after: Version,
                limit: usize,
            ) -> Result<Vec<Entry>, StoreError> {
                $source(self)?.entries(stream, after, limit)
            }

            fn sifted(
                &mut self,
                stream: &Stream,
                after: Version,
                limit: usize,
                is_wanted: Sieve<'_>,
            ) -> Result<Sifted, StoreError> {
                $source(self)?.sifted(stream, after, limit, is_wanted)
            }

            fn happened(
                &mut self,
                stream: &Stream,
                after: Version,
                limit: usize,
            ) -> Result<Vec<Happened>, StoreError> {
                $source(self)?.happened(stream, after, limit)
            }

            fn each_happened(
                &mut self,
                stream: &Stream,
                after: Version,
                limit: usize,
                each: &mut dyn FnMut(HappenedText<'_>) -> bool,
            ) -> Result<(), StoreError> {
                $source(self)?.each_happened(stream, after, limit, each)
            }

            fn reported(
                &mut self,
                stream: &Stream,
                after: Version,
                up_to: Version,
                by: FoundBy,
            ) -> Result<Option<Vec<Happened>>, StoreError> {
                match by {
                    FoundBy::Index => $source(self)?.reported(stream, after, up_to),
                    FoundBy::Entries => $source(self)?.reported_of_all(stream, after, up_to),
                }
            }

            fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
                $source(self)?.unreported()
            }

            fn another(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
                $another(self).map(Some)
            }

            fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
                $source(self)?.carried(stream, up_to)
            }

            fn about(
                &mut self,
                stream: &Stream,
                subject: &Subject,
                wanted: Direction,
                limit: usize,
            ) -> Result<Vec<Version>, StoreError> {
                $source(self)?.about(stream, subject, wanted, limit)
            }

            fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
                $source(self)?.indexed(after, limit).map(Some)
            }

            fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
                $source(self)?.answered(command)
            }

            fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
                $source(self)?.answers(commands)
            }

            fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
                $source(self)?.missing_answers(commands)
            }

            fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
                $source(self)?.balance(account)
            }

            fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
                $source(self)?.balances()
            }

            fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
                $source(self)?.sealed(kind, key)
            }

            fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
                $source(self)?.sealed_all(kind)
            }

            fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
                $source(self)?.checkpoints(after, limit)
            }

            fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
                $source(self)?.handovers()
            }

            fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
                $source(self)?.checkpoints_back(up_to, limit)
            }
        }
    };
}

read_through!(SqliteStore, SqliteStore::source, Store::reader);
read_through!(SqliteReader, SqliteReader::source, SqliteReader::again);

impl SqliteReader {
    /// Another connection to the same file.
    fn again(&self) -> Result<Box<dyn Reader>, StoreError> {
        let (path, medium) = (self.path.clone(), self.medium.clone());
        let connection = match &medium {
            Some(medium) => open::reader(&**medium, &path)?,
            None => open::auditor(&path)?,
        };
        Ok(Box::new(SqliteReader { connection, path, medium }))
    }

    #[expect(clippy::unnecessary_wraps, reason = "the store's own source can refuse")]
    fn source(&self) -> Result<Source<'_>, StoreError> {
        Ok(Source { connection: &self.connection, path: &self.path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Body;
    use crate::names::{Actor, Hash, Moment};

    fn write(store: &mut SqliteStore, number: u8, length: usize) -> Result<(), StoreError> {
        let mut transaction = store.begin()?;
        let head = transaction.lock(&Stream::House)?;
        let command = CommandId([number; 16]);
        let noise = (0..length.div_ceil(64)).map(|part| Hash::of([part.to_be_bytes()]).to_string());
        let body = Body { kind: "house.test.v1".to_owned(), json: noise.collect() };
        transaction.append(Entry::after(&head, command, Actor::System, Moment(0), body, Vec::new()));
        transaction.answer(Answered { command, request: head.hash, answer: String::new() });
        transaction.commit()
    }

    /// A full disk: nothing is lost or half done, and writing works again when there is room.
    #[test]
    fn a_full_file_refuses_and_resumes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("floor.db");
        let mut store = SqliteStore::open(&path).expect("a fresh store");
        write(&mut store, 1, 10).expect("there is room");
        let pages: i64 =
            store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("a count");
        let limit = |store: &SqliteStore, pages: i64| {
            let pragma = format!("PRAGMA max_page_count = {pages}");
            store.connection.query_row(&pragma, [], |_| Ok(())).expect("a limit");
        };
        limit(&store, pages + 4);
        let before = store.heads().expect("heads");
        for _ in 0..3 {
            let error = write(&mut store, 2, 100_000).expect_err("there is no room");
            assert!(matches!(error, StoreError::Full(_)), "{error}");
            assert_eq!(store.heads().expect("heads"), before);
            assert_eq!(store.answered(CommandId([2; 16])).expect("answered"), None);
        }
        write(&mut store, 3, 10).expect("a small one still fits");
        limit(&store, 1_000_000);
        write(&mut store, 2, 100_000).expect("there is room again");
        drop(store);
        let mut store = SqliteStore::open(&path).expect("it opens again");
        let report = crate::verify::verify_log(&mut store, &crate::verify::Known::default(), &mut |_| ());
        assert_eq!(report.expect("a log").expect("nothing is wrong").entries, 3);
    }

    /// The write-ahead log is moved into the file as it grows, so it stays small.
    #[test]
    fn the_write_ahead_log_stays_short() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("floor.db");
        let mut store = SqliteStore::open(&path).expect("a fresh store");
        for round in 0..12_u8 {
            store.log_pages = LOG_PAGES_MAX;
            write(&mut store, round, 200_000).expect("there is room");
        }
        let log = std::fs::metadata(folder.path().join("floor.db-wal")).expect("the log").len();
        assert!(log < 1_000_000, "{log} bytes");
    }
}
