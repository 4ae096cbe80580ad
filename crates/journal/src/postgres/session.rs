//! One connection that reopens itself, with statements prepared once.

use std::collections::HashMap;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::ToSql;
use postgres::{Row, Statement};

use super::connect::{Connection, Connector};
use super::error::{is_lost, store_error};
use crate::store::StoreError;

/// The parameters of a statement.
pub(super) type Parameters<'a> = [&'a (dyn ToSql + Sync)];

/// A connection and what is prepared on it.
pub(super) struct Session {
    connector: Connector,
    /// Statements to run on every new connection.
    on_connect: &'static str,
    open: Option<Open>,
    /// How many connections there have been.
    connections: u64,
    /// If true, a lost connection is not reopened: its locks are lost too.
    in_transaction: bool,
}

struct Open {
    connection: Connection,
    statements: HashMap<&'static str, Statement>,
}

impl Open {
    fn query(&mut self, sql: &'static str, parameters: &Parameters<'_>) -> Result<Vec<Row>, postgres::Error> {
        let statement = if let Some(statement) = self.statements.get(sql) {
            statement.clone()
        } else {
            let statement = self.connection.client.prepare(sql)?;
            self.statements.insert(sql, statement.clone());
            statement
        };
        self.connection.client.query(&statement, parameters)
    }
}

impl Session {
    /// A session that runs `on_connect` on each of its connections.
    pub(super) fn open(connector: Connector, on_connect: &'static str) -> Result<Session, StoreError> {
        let mut session =
            Session { connector, on_connect, open: None, connections: 0, in_transaction: false };
        session.connect()?;
        Ok(session)
    }

    /// Whether the connection is open, as far as known.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// How many connections there have been.
    pub(super) fn connections(&self) -> u64 {
        self.connections
    }

    /// Opens this session's connections.
    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Runs a read. Reading twice is harmless, so outside a transaction a lost connection is reopened and the
    /// read retried once.
    pub(super) fn read(
        &mut self,
        sql: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        self.twice(|open| open.query(sql, parameters))
    }

    /// Runs a write or takes a lock. Never retried, because the first attempt may have succeeded.
    pub(super) fn write(
        &mut self,
        sql: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        self.once(|open| open.query(sql, parameters))
    }

    /// Runs several statements without parameters.
    pub(super) fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.once(|open| open.connection.client.batch_execute(sql))
    }

    /// Whether a transaction is open.
    pub(super) fn in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Begins a transaction, on a new connection if the old one was lost.
    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
        self.twice(|open| open.connection.client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED"))?;
        self.in_transaction = true;
        Ok(())
    }

    /// Begins a read-only transaction on a snapshot of the database, until the session is closed.
    pub(super) fn begin_snapshot(&mut self) -> Result<(), StoreError> {
        self.batch(
            "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0;
             BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
             SELECT 'the first question fixes what is seen'",
        )?;
        self.in_transaction = true;
        Ok(())
    }

    /// Commits the open transaction.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.durably(|session| session.batch("COMMIT"))?;
        self.in_transaction = false;
        Ok(())
    }

    /// Rolls back the open transaction, and drops the connection if that fails.
    pub(super) fn roll_back(&mut self) {
        if self.in_transaction && self.open.is_some() && self.batch("ROLLBACK").is_err() {
            self.open = None;
        }
        self.in_transaction = false;
    }

    /// Runs a statement that makes something durable. A warning means that the standby may not have it, so the
    /// result is unknown.
    pub(super) fn durably<T>(
        &mut self,
        run: impl FnOnce(&mut Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.take_warning();
        let answer = run(self)?;
        if self.take_warning() {
            return Err(StoreError::Unavailable(
                "the commit is on this server's disk, but perhaps not on its standby's".to_owned(),
            ));
        }
        Ok(answer)
    }

    fn take_warning(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.connection.take_warning())
    }

    /// Waits at most `at_most` for notifications and returns all that arrived; empty after a timeout.
    pub(super) fn notifications(&mut self, at_most: Duration) -> Result<Vec<String>, StoreError> {
        let received = self.once(|open| {
            let mut notifications = open.connection.client.notifications();
            let mut received = Vec::from_iter(notifications.timeout_iter(at_most).next()?);
            while let Some(more) = notifications.iter().next()? {
                received.push(more);
            }
            Ok(received)
        })?;
        if received.is_empty() && self.open.as_ref().is_some_and(|open| open.connection.client.is_closed()) {
            self.open = None;
            return Err(StoreError::Unavailable("the connection was closed".to_owned()));
        }
        Ok(received.into_iter().map(|received| received.payload().to_owned()).collect())
    }

    fn connect(&mut self) -> Result<&mut Open, StoreError> {
        let mut connection = self.connector.connect()?;
        connection.client.batch_execute(self.on_connect).map_err(|error| store_error(&error))?;
        self.connections = self.connections.saturating_add(1);
        Ok(self.open.insert(Open { connection, statements: HashMap::new() }))
    }

    fn twice<T>(&mut self, ask: impl Fn(&mut Open) -> Result<T, postgres::Error>) -> Result<T, StoreError> {
        let was_open = self.open.is_some();
        match self.once(&ask) {
            Err(StoreError::Unavailable(_)) if was_open && self.open.is_none() && !self.in_transaction => {
                self.once(&ask)
            }
            answer => answer,
        }
    }

    fn once<T>(
        &mut self,
        ask: impl FnOnce(&mut Open) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        let open = match &mut self.open {
            Some(open) => open,
            None if self.in_transaction => {
                return Err(StoreError::Unavailable(
                    "the connection was lost during a transaction".to_owned(),
                ));
            }
            None => self.connect()?,
        };
        ask(open).map_err(|error| {
            if is_lost(&error) {
                self.open = None;
            }
            store_error(&error)
        })
    }
}
