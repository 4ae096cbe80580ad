//! The log in PostgreSQL, for several nodes.
//!
//! Each node writes through one [`PostgresStore`], on one thread. Nodes share the rows of the streams: a link's
//! row is locked while a round is entered into it, a table's entries are fenced by its lease, and constraints
//! guard everything that was decided. A transaction is sent in one statement, a call of `journal_write`, a
//! database function that only stores. Nodes learn of each other's commits by notifications, which are hints;
//! only versions are certain.
//!
//! A lost connection is reopened when it is next needed. Whether a commit in progress succeeded is then unknown,
//! and is looked up by the commands' ids.

mod batch;
mod connect;
mod error;
mod lease;
mod listener;
mod migrations;
mod read;
mod seal;
mod session;
mod tls;
mod transaction;

use std::fmt;
use std::time::Duration;

use jackpot::TableId;

use self::connect::Connector;
use self::listener::NotificationListener;
use self::seal::Seals;
use self::session::Session;
use self::transaction::Pending;
use crate::checkpoint::{Checkpoint, Signer};
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, NodeId, Stream, Version};
use crate::store::{Answered, Lease, Listener, Reader, Store, StoreError, Transaction};
use crate::subject::{Subject, Wanted};

/// A database of a PostgreSQL server, version 15 or newer.
pub struct PostgresStore {
    session: Session,
    seals: Seals,
}

impl PostgresStore {
    /// Connects to the database of a URL (`postgresql://USER@HOST/DATABASE`) and runs the migrations it lacks.
    /// Several nodes may do so at once.
    ///
    /// The URL's `sslmode` is `disable`, `prefer`, `require` or `verify-full`; the last needs the file of a root
    /// certificate as `sslrootcert`. `PGSSLMODE` and `PGSSLROOTCERT` apply where the URL does not say.
    /// Connections to the same machine use no TLS by default.
    pub fn connect(url: &str) -> Result<PostgresStore, StoreError> {
        let connector = Connector::new(url)?;
        migrations::migrate(&connector)?;
        Ok(PostgresStore { session: Session::open(connector, "")?, seals: Seals::default() })
    }

    /// A read-only snapshot of the log as it is now. Nodes may continue to write, and the snapshot does not show
    /// it. All migrations must have run already; nothing is changed.
    pub fn open_read_only(url: &str) -> Result<Box<dyn Reader>, StoreError> {
        let connector = Connector::new(url)?;
        migrations::check(&connector)?;
        let mut session = Session::open(connector, "")?;
        session.begin_snapshot()?;
        Ok(Box::new(session))
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("connector", self.session.connector()).finish_non_exhaustive()
    }
}

impl Reader for PostgresStore {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.session.heads()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        Reader::entries(&mut self.session, stream, after, limit)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.session.about(stream, subject, wanted, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.session.answered(command)
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        self.session.missing_answers(commands)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.session.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.session.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.session.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.session.sealed_all(kind)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.session.checkpoints(after, limit)
    }

    fn last_checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        self.session.last_checkpoint()
    }
}

impl Store for PostgresStore {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        Ok(Box::new(Pending::new(&mut self.session)))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        Ok(Box::new(Session::open(self.session.connector().clone(), "")?))
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        Ok(Some(Box::new(NotificationListener::new(self.session.connector().clone())?)))
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        self.seals.sign(&mut self.session, signer)
    }

    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError> {
        lease::take(&mut self.session, table, node, term)
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        lease::renew(&mut self.session, node, term)
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        lease::release(&mut self.session, lease)
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        lease::held(&mut self.session)
    }
}
