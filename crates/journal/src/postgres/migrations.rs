//! Runs the database migrations.

use postgres::Client;

use super::connect::Connector;
use super::error::store_error;
use crate::entry::Body;
use crate::migrate::{Applied, Migration, pending};
use crate::names::Hash;
use crate::store::StoreError;
use crate::subject;

const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, name: "journal", sql: include_str!("../../migrations/postgres/0001_journal.sql") },
    Migration { number: 2, name: "subject", sql: include_str!("../../migrations/postgres/0002_subject.sql") },
];

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

/// Runs the migrations that have not run yet: all of them or none.
pub(super) fn migrate(connector: &Connector) -> Result<(), StoreError> {
    let mut client = connector.connect()?.client;
    client.batch_execute(ALONE).map_err(|error| store_error(&error))?;
    let mut applied = Vec::new();
    if is_there(&mut client)? {
        applied = read(&mut client)?;
    } else {
        client.batch_execute(TABLE).map_err(|error| store_error(&error))?;
    }
    for migration in pending(MIGRATIONS, &applied)? {
        run(&mut client, migration)?;
    }
    fill_subjects(&mut client).map_err(|error| store_error(&error))?;
    client.batch_execute("COMMIT").map_err(|error| store_error(&error))
}

/// Writes what the entries are about, if that was never written or has been lost.
fn fill_subjects(client: &mut Client) -> Result<(), postgres::Error> {
    let (mut stream, mut version) = (i64::MIN, 0_i64);
    if client.query_one("SELECT EXISTS (SELECT FROM subject)", &[])?.get(0) {
        return Ok(());
    }
    loop {
        let page = "SELECT stream, version, kind, body FROM entry WHERE (stream, version) > ($1, $2)
                    ORDER BY stream, version LIMIT $3";
        let rows = client.query(page, &[&stream, &version, &PAGE])?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        (stream, version) = (last.get(0), last.get(1));
        let (mut streams, mut subjects, mut versions) = (Vec::new(), Vec::new(), Vec::new());
        for row in &rows {
            for subject in subject::of_body(&Body { kind: row.get(2), json: row.get(3) }) {
                streams.push(row.get::<_, i64>(0));
                subjects.push(subject.to_string());
                versions.push(row.get::<_, i64>(1));
            }
        }
        let insert = "INSERT INTO subject (stream, subject, version)
                      SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])";
        client.execute(insert, &[&streams, &subjects, &versions])?;
    }
}

/// Refuses a database on which a migration is missing.
pub(super) fn check(connector: &Connector) -> Result<(), StoreError> {
    let mut client = connector.connect()?.client;
    let applied = if is_there(&mut client)? { read(&mut client)? } else { Vec::new() };
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

fn is_there(client: &mut Client) -> Result<bool, StoreError> {
    let row = client.query_typed_one("SELECT to_regclass('migration') IS NOT NULL", &[]);
    row.map(|row| row.get(0)).map_err(|error| store_error(&error))
}

fn read(client: &mut Client) -> Result<Vec<Applied>, StoreError> {
    let rows = client.query_typed("SELECT number, name, checksum FROM migration ORDER BY number", &[]);
    let rows = rows.map_err(|error| store_error(&error))?;
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

fn run(client: &mut Client, migration: &Migration) -> Result<(), StoreError> {
    let failed = |error: postgres::Error| {
        let error = store_error(&error);
        if matches!(error, StoreError::Unavailable(_)) {
            return error;
        }
        StoreError::Schema(format!("migration {} ({}): {error}", migration.number, migration.name))
    };
    client.batch_execute(migration.sql).map_err(failed)?;
    let checksum = migration.checksum();
    client
        .execute(
            "INSERT INTO migration (number, name, checksum) VALUES ($1, $2, $3)",
            &[&i64::from(migration.number), &migration.name, &checksum.0.as_slice()],
        )
        .map_err(failed)?;
    Ok(())
}
