//! Runs the database migrations.

use tokio_postgres::types::ToSql;

use super::connect::{Connection, Connector};
use super::error::{AskError, store_error};
use super::repack::repack;
use crate::entry::Body;
use crate::migrate::{Applied, Migration, pending};
use crate::names::Hash;
use crate::row::{body_of, event_name};
use crate::store::StoreError;
use crate::subject::{self, Subject};

const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, name: "journal", sql: include_str!("../../migrations/postgres/0001_journal.sql") },
    Migration { number: 2, name: "subject", sql: include_str!("../../migrations/postgres/0002_subject.sql") },
    Migration { number: 3, name: "carried", sql: include_str!("../../migrations/postgres/0003_carried.sql") },
    Migration { number: 4, name: "packed", sql: include_str!("../../migrations/postgres/0004_packed.sql") },
    Migration { number: 5, name: "period", sql: include_str!("../../migrations/postgres/0005_period.sql") },
    Migration {
        number: 6,
        name: "reported",
        sql: include_str!("../../migrations/postgres/0006_reported.sql"),
    },
    Migration { number: 7, name: "guarded", sql: include_str!("../../migrations/postgres/0007_guarded.sql") },
    Migration { number: 8, name: "planned", sql: include_str!("../../migrations/postgres/0008_planned.sql") },
];

/// The migration after which the rows of older programs are packed.
const PACKED: u32 = 4;

/// The migration after which the index says what is reported.
const REPORTED: u32 = 6;

/// How many entries are read at a time for what they are about.
const PAGE: i64 = 10_000;

/// How many migrations this program knows. Every connection says so: a node that knows fewer than have run writes nothing.
pub(super) const fn known() -> usize {
    MIGRATIONS.len()
}

/// Nodes may start at the same time: one after another migrates the database. The number is arbitrary.
const ALONE: &str = "
    BEGIN;
    SET LOCAL lock_timeout = '60s';
    SET LOCAL statement_timeout = 0;
    SELECT pg_advisory_xact_lock(7305808869231650000)";

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS migration (
        number bigint PRIMARY KEY,
        name text NOT NULL,
        checksum bytea NOT NULL CHECK (octet_length(checksum) = 32),
        at timestamptz NOT NULL DEFAULT now()
    )";

/// Lets those finish who are writing, and holds up all others until the commit: what they write is seen here, or refused there.
/// Whoever writes entries locks rows of their streams before, and keeps them locked. It is the first lock of a table that a
/// migration takes, and whoever has one of another table before waits for nothing that this transaction holds.
const WITHOUT_WRITERS: &str = "LOCK TABLE stream IN EXCLUSIVE MODE";

/// Runs the migrations that have not run yet: all of them or none.
pub(super) fn migrate(connector: &Connector) -> Result<(), StoreError> {
    let connection = connector.connect()?;
    batch(&connection, ALONE)?;
    let mut applied = Vec::new();
    if is_there(&connection)? {
        applied = read(&connection)?;
    } else {
        batch(&connection, TABLE)?;
    }
    let pending = pending(MIGRATIONS, &applied)?;
    if !applied.is_empty() && !pending.is_empty() {
        batch(&connection, WITHOUT_WRITERS)?;
    }
    for migration in pending {
        run(&connection, migration)?;
    }
    fill_subjects(&connection).map_err(|error| store_error(&error))?;
    batch(&connection, "COMMIT")
}

/// Writes what the entries are about, if that was never written or has been lost.
fn fill_subjects(connection: &Connection) -> Result<(), AskError> {
    if is_indexed(connection)? {
        return Ok(());
    }
    connection.wait(None, connection.client.batch_execute(WITHOUT_WRITERS))?;
    if is_indexed(connection)? {
        return Ok(());
    }
    // What cannot be read is about nothing; the audit names it.
    add_subjects(connection, &|body| subject::of_body(&body).into_iter().collect())
}

/// Whether anything is in the index of subjects.
fn is_indexed(connection: &Connection) -> Result<bool, AskError> {
    let any = connection.client.query_one("SELECT EXISTS (SELECT FROM subject)", &[]);
    connection.wait(None, any).map(|row| row.get(0))
}

fn reported(body: &Body) -> Option<Subject> {
    subject::is_reported(&body.kind, event_name(body)).then_some(Subject::Reported)
}

/// Adds to the index what the entries are about.
fn add_subjects(connection: &Connection, about: &dyn Fn(Body) -> Vec<Subject>) -> Result<(), AskError> {
    let client = &connection.client;
    let (mut stream, mut version, mut text) = (i64::MIN, 0_i64, Vec::new());
    loop {
        let page = "SELECT stream, version, content FROM entry WHERE (stream, version) > ($1, $2)
                    ORDER BY stream, version LIMIT $3";
        let rows = connection.wait(None, client.query(page, &[&stream, &version, &PAGE]))?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        (stream, version) = (last.get(0), last.get(1));
        let (mut streams, mut subjects, mut versions) = (Vec::new(), Vec::new(), Vec::new());
        for row in &rows {
            for subject in body_of(row.get(2), &mut text).map(about).unwrap_or_default() {
                streams.push(row.get::<_, i64>(0));
                subjects.push(subject.to_string());
                versions.push(row.get::<_, i64>(1));
            }
        }
        let insert = "INSERT INTO subject (stream, subject, version)
                      SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])";
        connection.wait(None, client.execute(insert, &[&streams, &subjects, &versions]))?;
    }
}

/// Refuses a database on which a migration is missing.
pub(super) fn check(connector: &Connector) -> Result<(), StoreError> {
    let connection = connector.connect()?;
    let applied = if is_there(&connection)? { read(&connection)? } else { Vec::new() };
    match pending(MIGRATIONS, &applied)?.first() {
        None => Ok(()),
        Some(due) if applied.is_empty() => {
            Err(StoreError::Schema(format!("it contains no log: migration {} has not run", due.number)))
        }
        Some(due) => Err(StoreError::Schema(format!(
            "migration {} ({}) has not run; start a node of this program on it first",
            due.number, due.name
        ))),
    }
}

fn batch(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.wait(None, connection.client.batch_execute(sql)).map_err(|error| store_error(&error))
}

fn is_there(connection: &Connection) -> Result<bool, StoreError> {
    let row = connection.client.query_typed_one("SELECT to_regclass('migration') IS NOT NULL", &[]);
    connection.wait(None, row).map(|row| row.get(0)).map_err(|error| store_error(&error))
}

fn read(connection: &Connection) -> Result<Vec<Applied>, StoreError> {
    let rows =
        connection.client.query_typed("SELECT number, name, checksum FROM migration ORDER BY number", &[]);
    let rows = connection.wait(None, rows).map_err(|error| store_error(&error))?;
    let applied = rows.iter().map(|row| {
        let (number, checksum): (i64, &[u8]) = (row.get(0), row.get(2));
        let unreadable = || StoreError::Schema(format!("cannot read its record of migration {number}"));
        Ok(Applied {
            number: u32::try_from(number).map_err(|_| unreadable())?,
            name: row.get(1),
            checksum: checksum.try_into().map(Hash).map_err(|_| unreadable())?,
        })
    });
    applied.collect()
}

fn run(connection: &Connection, migration: &Migration) -> Result<(), StoreError> {
    let failed = |error: AskError| {
        let error = store_error(&error);
        if matches!(error, StoreError::Unavailable(_)) {
            return error;
        }
        StoreError::Schema(format!("migration {} ({}): {error}", migration.number, migration.name))
    };
    connection.wait(None, connection.client.batch_execute(migration.sql)).map_err(failed)?;
    if migration.number == PACKED {
        repack(connection).map_err(failed)?;
    }
    if migration.number == REPORTED && is_indexed(connection).map_err(failed)? {
        add_subjects(connection, &|body| reported(&body).into_iter().collect()).map_err(failed)?;
    }
    let (number, checksum) = (i64::from(migration.number), migration.checksum());
    let checksum = checksum.0.as_slice();
    let row: [&(dyn ToSql + Sync); 3] = [&number, &migration.name, &checksum];
    let sql = "INSERT INTO migration (number, name, checksum) VALUES ($1, $2, $3)";
    connection.wait(None, connection.client.execute(sql, &row)).map_err(failed)?;
    Ok(())
}
