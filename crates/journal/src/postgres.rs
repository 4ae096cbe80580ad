//! The log in PostgreSQL, for several nodes.
//!
//! Each node writes through one [`PostgresStore`], on one thread. Nodes share the rows of the streams: a link's
//! row is locked while a round is entered into it, a table's entries are fenced by its lease, and constraints
//! guard everything that was decided. A transaction is sent in one statement, a call of `journal_write_in_period`, a
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
mod period;
mod presence;
mod prune;
mod read;
mod repack;
mod seal;
mod session;
mod tls;
mod transaction;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use jackpot::TableId;

use self::connect::Connector;
use self::listener::NotificationListener;
use self::period::Periods;
use self::seal::Seals;
use self::session::Session;
use self::transaction::Pending;
use crate::archive::Pruning;
use crate::checkpoint::{Checkpoint, Signer};
use crate::entry::{Entry, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, NodeId, Stream, Version};
use crate::store::{
    Answered, FoundBy, Happened, Lease, Listener, Presence, Reader, Store, StoreError, Transaction,
};
use crate::subject::{Direction, Indexed, Subject};

/// Whether commits wait for a standby. Where one is named and none is connected, they wait until one is.
const STANDBYS: &str = "SELECT current_setting('synchronous_standby_names') <> ''";

/// A database of a PostgreSQL server, version 15 or newer.
pub struct PostgresStore {
    session: Session,
    seals: Seals,
    periods: Periods,
}

impl PostgresStore {
    /// Connects to the database of a URL (`postgresql://USER@HOST/DATABASE`) and runs the migrations it lacks.
    /// Several nodes may do so at once.
    ///
    /// The URL's `sslmode` is `disable`, `prefer`, `require` or `verify-full`; the last needs the file of a root
    /// certificate as `sslrootcert`. `PGSSLMODE` and `PGSSLROOTCERT` apply where the URL does not say.
    /// Connections to the same machine use no TLS by default.
    ///
    /// Of several hosts (`postgresql://USER@ONE,TWO/DATABASE`) the one that takes writes is used, also after a standby
    /// was promoted.
    pub fn connect(url: &str) -> Result<PostgresStore, StoreError> {
        let connector = Connector::new(url)?;
        migrations::migrate(&connector)?;
        let session = Session::open(connector, "")?;
        Ok(PostgresStore { session, seals: Seals::default(), periods: Periods::default() })
    }

    /// What could be lost although it was acknowledged, each in a sentence. Nothing is changed.
    pub fn risks_of(url: &str) -> Result<Vec<String>, StoreError> {
        risks(&mut Session::open(Connector::new(url)?, "")?)
    }

    /// A read-only snapshot of the log as it is now. Nodes may continue to write, and the snapshot does not show
    /// it. All migrations must have run already; nothing is changed.
    pub fn open_read_only(url: &str) -> Result<Box<dyn Reader>, StoreError> {
        let connector = Connector::new(url)?;
        migrations::check(&connector)?;
        snapshot(connector)
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

    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        self.session.happened(stream, after, limit)
    }

    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        self.session.reported(stream, after, up_to, by)
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        self.session.unreported()
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.session.carried(stream, up_to)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.session.about(stream, subject, wanted, limit)
    }

    fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        self.session.indexed(after, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.session.answered(command)
    }

    fn entries_after(&mut self, known: &[(Stream, Version)], limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.session.entries_after(known, limit)
    }

    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.session.answers(commands)
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

    fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
        self.session.handovers()
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.session.checkpoints_back(up_to, limit)
    }
}

impl Store for PostgresStore {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        Ok(Box::new(Pending::new(&mut self.session)))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        Ok(Box::new(Session::open(self.session.connector().clone(), "")?))
    }

    fn snapshot(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        snapshot(self.session.connector().clone()).map(Some)
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        Ok(Some(Box::new(NotificationListener::new(self.session.connector().clone())?)))
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        let checkpoint = self.seals.sign(&mut self.session, signer)?;
        self.periods.tend(&mut self.session);
        Ok(checkpoint)
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

    fn prune(&mut self, pruning: &Pruning, _at_most: usize) -> Result<usize, StoreError> {
        prune::take_out(&mut self.session, pruning)
    }

    fn presence(&mut self, node: &NodeId) -> Result<Option<Presence>, StoreError> {
        presence::look(&mut self.session, node).map(Some)
    }

    fn end_leases(&mut self, node: &NodeId) -> Result<(), StoreError> {
        presence::end_leases(&mut self.session, node)
    }

    fn risks(&mut self) -> Result<Vec<String>, StoreError> {
        risks(&mut self.session)
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        lease::held(&mut self.session)
    }
}

/// A connection on which the database stays as it is now.
fn snapshot(connector: Connector) -> Result<Box<dyn Reader>, StoreError> {
    let mut session = Session::open(connector, "")?;
    session.begin_snapshot()?;
    Ok(Box::new(session))
}

fn risks(session: &mut Session) -> Result<Vec<String>, StoreError> {
    let rows = session.read(STANDBYS, &[])?;
    let is_safe = rows.first().is_some_and(|row| row.get(0));
    let risk = "The database has no synchronous standby: what was acknowledged is lost with its disk, and with a \
                failover to a standby that lags behind. Set synchronous_standby_names.";
    Ok(if is_safe { Vec::new() } else { vec![risk.to_owned()] })
}
