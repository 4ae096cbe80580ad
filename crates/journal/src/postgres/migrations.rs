//! Runs the database migrations.

use tokio_postgres::types::ToSql;

use super::connect::{Connection, Connector};
use super::error::{AskError, store_error};
use crate::migrate::{Applied, Migration, pending};
use crate::names::Hash;
use crate::store::StoreError;

const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, name: "journal", sql: include_str!("../../migrations/postgres/0001_journal.sql") },
    Migration { number: 2, name: "carried", sql: include_str!("../../migrations/postgres/0002_carried.sql") },
];

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
    for migration in pending(MIGRATIONS, &applied)? {
        run(&connection, migration)?;
    }
    batch(&connection, "COMMIT")
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
    let (number, checksum) = (i64::from(migration.number), migration.checksum());
    let checksum = checksum.0.as_slice();
    let row: [&(dyn ToSql + Sync); 3] = [&number, &migration.name, &checksum];
    let sql = "INSERT INTO migration (number, name, checksum) VALUES ($1, $2, $3)";
    connection.wait(None, connection.client.execute(sql, &row)).map_err(failed)?;
    Ok(())
}
