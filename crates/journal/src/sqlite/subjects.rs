//! What entries are about: written with them, looked up, and made again where they are missing.

use rusqlite::params;

use super::SqliteStore;
use super::read::{Source, integer};
use crate::entry::{Body, Entry};
use crate::names::{Stream, Version};
use crate::row::body_of;
use crate::store::StoreError;
use crate::subject::{self, Direction, Indexed, Subject};

const INSERT: &str = "INSERT INTO subject (stream, subject, version) VALUES ($1, $2, $3)";

/// How many entries are read at a time for what they are about.
const PAGE: i64 = 10_000;

impl SqliteStore {
    /// Writes what new entries are about.
    pub(super) fn write_subjects(
        &self,
        entries: &[Entry],
        id: impl Fn(&Stream) -> i64,
    ) -> Result<(), StoreError> {
        for entry in entries {
            for subject in subject::of_body(&entry.body) {
                let row = params![id(&entry.stream), subject.to_string(), integer(entry.version.0)];
                self.execute(INSERT, row)?;
            }
        }
        Ok(())
    }
}

impl Source<'_> {
    pub(super) fn about(
        self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let of = "stream = (SELECT id FROM stream WHERE name = $1) AND subject = $2";
        let (end, order, version) = match wanted {
            Direction::Before(version) => ("version < $3", "DESC", version),
            Direction::After(version) => ("$3 < version", "ASC", version),
        };
        let select =
            format!("SELECT version FROM subject WHERE {of} AND {end} ORDER BY version {order} LIMIT $4");
        let version = i64::try_from(version.0).unwrap_or(i64::MAX);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let asked = params![stream.to_string(), subject.to_string(), version, limit];
        let versions: Vec<i64> = self.rows(&select, asked, |row| Ok(row.get(0)?))?;
        Ok(versions.into_iter().map(|version| Version(u64::try_from(version).unwrap_or_default())).collect())
    }
}

impl Source<'_> {
    pub(super) fn indexed(self, after: &Indexed, limit: usize) -> Result<Vec<Indexed>, StoreError> {
        let page = "SELECT subject.stream, stream.name, subject.subject, subject.version \
                    FROM subject CROSS JOIN stream ON stream.id = subject.stream \
                    WHERE ($1, $2, $3) < (subject.stream, subject.subject, subject.version) \
                    ORDER BY subject.stream, subject.subject, subject.version LIMIT $4";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.rows(page, params![after.number, after.subject, integer(after.version), limit], |row| {
            let version: i64 = row.get(3)?;
            Ok(Indexed {
                number: row.get(0)?,
                stream: row.get(1)?,
                subject: row.get(2)?,
                version: u64::try_from(version).unwrap_or_default(),
            })
        })
    }
}

/// Writes what the entries are about, if that was never written or has been lost: all of it or nothing.
pub(super) fn fill(source: Source<'_>) -> Result<(), StoreError> {
    let fails = |error| super::failure::meaning(&error, source.path);
    if source.one("SELECT 1 FROM subject LIMIT 1", [], |_| Ok(()))?.is_some() {
        return Ok(());
    }
    let transaction = source.connection.unchecked_transaction().map_err(fails)?;
    let mut last = (i64::MIN, 0_i64);
    loop {
        let page = "SELECT stream, version, content FROM entry WHERE ($1, $2) < (stream, version) \
                    ORDER BY stream, version LIMIT $3";
        let rows: Vec<(i64, i64, Option<Body>)> = source.rows(page, [last.0, last.1, PAGE], |row| {
            Ok((row.get(0)?, row.get(1)?, body_of(row.get_ref(2)?.as_bytes().unwrap_or_default())))
        })?;
        for (stream, version, body) in &rows {
            // What cannot be read is about nothing; the audit names it.
            for subject in body.iter().flat_map(subject::of_body) {
                let mut insert = source.connection.prepare_cached(INSERT).map_err(fails)?;
                insert.execute(params![stream, subject.to_string(), version]).map_err(fails)?;
            }
        }
        match rows.last() {
            Some((stream, version, _)) => last = (*stream, *version),
            None => break,
        }
    }
    transaction.commit().map_err(fails)
}
