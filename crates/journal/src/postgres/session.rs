//! One connection that reopens itself, with statements prepared once.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::join_all;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

use super::connect::{Connection, Connector};
use super::error::{AskError, store_error};
use crate::store::StoreError;

/// How long the server may be silent before the connection is given up. Longer than it waits for a lock.
const SILENCE_MAX: Duration = Duration::from_secs(15);

const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// The parameters of a statement.
pub(super) type Parameters<'a> = [&'a (dyn ToSql + Sync)];

/// A statement with its parameters.
pub(super) type Question<'a> = (&'static str, &'a Parameters<'a>);

/// A connection and what is prepared on it.
pub(super) struct Session {
    connector: Connector,
    /// Statements to run on every new connection.
    on_connect: &'static str,
    open: Option<Open>,
    /// How many connections there have been.
    connections: u64,
    /// The number of the connection that holds the node's lock.
    held_on: Option<u64>,
    is_alone: bool,
    /// If true, a lost connection is not reopened: its locks are lost too.
    in_transaction: bool,
    /// How long the server may be silent.
    silence_max: Option<Duration>,
}

struct Open {
    connection: Connection,
    statements: HashMap<&'static str, Statement>,
    silence_max: Option<Duration>,
}

impl Open {
    fn query(&mut self, sql: &'static str, parameters: &Parameters<'_>) -> Result<Vec<Row>, AskError> {
        let statement = self.prepared(sql)?;
        self.connection.wait(self.silence_max, self.connection.client.query(&statement, parameters))
    }

    fn batch(&self, sql: &str) -> Result<(), AskError> {
        self.connection.wait(self.silence_max, self.connection.client.batch_execute(sql))
    }

    /// Asks questions in one round trip, after a first statement that may be empty. Each sees what was committed when the one
    /// before it had its answer.
    fn ask_all(&mut self, first: &str, questions: &[Question<'_>]) -> Result<Vec<Vec<Row>>, AskError> {
        let mut statements = Vec::with_capacity(questions.len());
        for (sql, _) in questions {
            statements.push(self.prepared(sql)?);
        }
        let client = &self.connection.client;
        let answers = async {
            let queries = statements.iter().zip(questions);
            let queries =
                join_all(queries.map(|(statement, (_, parameters))| client.query(statement, parameters)));
            // A question is sent when it is first waited for: in this order.
            let (begun, answers) = tokio::join!(biased; client.batch_execute(first), queries);
            begun?;
            answers.into_iter().collect()
        };
        self.connection.wait(self.silence_max, answers)
    }

    /// Runs the last statement of a transaction and commits it, in one round trip. Where the statement fails, the server
    /// rolls back instead of committing.
    fn commit_with(&mut self, (sql, parameters): Question<'_>) -> Result<(), AskError> {
        let statement = self.prepared(sql)?;
        let client = &self.connection.client;
        let written = async {
            let (written, committed) =
                tokio::join!(biased; client.query(&statement, parameters), client.batch_execute("COMMIT"));
            written?;
            committed
        };
        self.connection.wait(self.silence_max, written)
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, AskError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.connection.wait(self.silence_max, self.connection.client.prepare(sql))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl Session {
    /// A session that runs `on_connect` on each of its connections.
    pub(super) fn open(connector: Connector, on_connect: &'static str) -> Result<Session, StoreError> {
        let mut session = Session {
            connector,
            on_connect,
            open: None,
            connections: 0,
            held_on: None,
            is_alone: false,
            in_transaction: false,
            silence_max: Some(SILENCE_MAX),
        };
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

    /// Whether no other node is connected, as far as this one has looked.
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Notes whether another node is connected.
    pub(super) fn note_alone(&mut self, is_alone: bool) {
        self.is_alone = is_alone;
    }

    /// Whether the present connection holds the node's lock.
    pub(super) fn is_held(&self) -> bool {
        self.open.is_some() && self.held_on == Some(self.connections)
    }

    /// The present connection holds the node's lock.
    pub(super) fn note_held(&mut self) {
        self.held_on = Some(self.connections);
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

    /// Sends a statement whose result nobody needs.
    pub(super) fn send(&mut self, sql: &'static str, parameters: &Parameters<'_>) {
        if let Some(open) = &mut self.open
            && let Ok(statement) = open.prepared(sql)
        {
            open.connection.send(open.connection.client.query(&statement, parameters));
        }
    }

    /// Runs several statements without parameters.
    pub(super) fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        self.once(|open| open.batch(sql))
    }

    /// Whether a transaction is open.
    pub(super) fn in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// Begins a transaction, on a new connection if the old one was lost.
    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
        self.twice(|open| open.batch(BEGIN))?;
        self.in_transaction = true;
        Ok(())
    }

    /// Asks questions that take locks and read, in a transaction: the open one, or one that begins with them, on a new
    /// connection if the old one was lost.
    pub(super) fn ask_in_transaction(
        &mut self,
        questions: &[Question<'_>],
    ) -> Result<Vec<Vec<Row>>, StoreError> {
        if self.in_transaction {
            return self.once(|open| open.ask_all("", questions));
        }
        let answers = self.twice(|open| open.ask_all(BEGIN, questions));
        // Where a question failed, the transaction is open all the same, and must be rolled back.
        self.in_transaction = self.open.is_some();
        answers
    }

    /// Runs the last statement of the open transaction and commits it.
    pub(super) fn commit_with(&mut self, question: Question<'_>) -> Result<(), StoreError> {
        let committed = self.durably(|session| session.once(|open| open.commit_with(question)));
        // The server has rolled back what it did not commit.
        self.in_transaction = false;
        committed
    }

    /// Begins a read-only transaction on a snapshot of the database, until the session is closed. No period is dropped
    /// meanwhile: a snapshot would not show what was dropped.
    pub(super) fn begin_snapshot(&mut self) -> Result<(), StoreError> {
        self.silence_max = None;
        if let Some(open) = &mut self.open {
            open.silence_max = None;
        }
        self.batch(
            "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0;
             BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
             LOCK TABLE entry, command IN ACCESS SHARE MODE;
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
        let received = self.once(|open| Ok(open.connection.notifications(at_most)))?;
        if received.is_empty() && self.open.as_ref().is_some_and(|open| open.connection.client.is_closed()) {
            self.open = None;
            return Err(StoreError::Unavailable("the connection was closed".to_owned()));
        }
        Ok(received)
    }

    fn connect(&mut self) -> Result<&mut Open, StoreError> {
        let connection = self.connector.connect()?;
        let open = Open { connection, statements: HashMap::new(), silence_max: self.silence_max };
        open.batch(self.on_connect).map_err(|error| store_error(&error))?;
        self.connections = self.connections.saturating_add(1);
        Ok(self.open.insert(open))
    }

    fn twice<T>(&mut self, ask: impl Fn(&mut Open) -> Result<T, AskError>) -> Result<T, StoreError> {
        let was_open = self.open.is_some();
        match self.once(&ask) {
            Err(StoreError::Unavailable(_)) if was_open && self.open.is_none() && !self.in_transaction => {
                self.once(&ask)
            }
            answer => answer,
        }
    }

    fn once<T>(&mut self, ask: impl FnOnce(&mut Open) -> Result<T, AskError>) -> Result<T, StoreError> {
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
            if error.is_lost() {
                self.open = None;
            }
            store_error(&error)
        })
    }
}
