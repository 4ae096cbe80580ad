//! What entries are about: written with them, looked up, and made again where they are missing.

use std::collections::BTreeMap;

use rusqlite::params;
use rusqlite::types::ValueRef;

use super::SqliteStore;
use super::read::{Source, corrupt, happened_row, integer};
use crate::entry::{Body, Entry};
use crate::names::{Stream, Version};
use crate::row::{body_of, kind_and_name};
use crate::store::{Happened, StoreError};
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

impl Source<'_> {
    /// What reports are made of between two versions, by the index; `None` where entries are not there.
    pub(super) fn reported(
        self,
        stream: &Stream,
        after: Version,
        up_to: Version,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        let (Some(id), true) = (self.id_of(stream)?, after < up_to) else { return Ok(Some(Vec::new())) };
        // Entries are taken out of a log from the oldest on.
        let first = "SELECT 1 FROM entry WHERE stream = $1 AND version = $2";
        if self.one(first, [id, integer(after.next().0)], |_| Ok(()))?.is_none() {
            return Ok(None);
        }
        let select = "SELECT subject.version, entry.at, entry.content FROM subject LEFT JOIN entry \
                      ON entry.stream = subject.stream AND entry.version = subject.version \
                      WHERE subject.stream = $1 AND subject.subject = 'reported' \
                      AND $2 < subject.version AND subject.version <= $3 ORDER BY subject.version";
        let mut text = Vec::new();
        let up_to = i64::try_from(up_to.0).unwrap_or(i64::MAX);
        let rows = self.rows(select, [id, integer(after.0), up_to], |row| {
            let is_there = row.get_ref(2)? != ValueRef::Null;
            if is_there { happened_row(row, stream, &mut text).map(Some) } else { Ok(None) }
        })?;
        Ok(rows.into_iter().collect())
    }

    /// The same, by the names of all entries between the two.
    pub(super) fn reported_of_all(
        self,
        stream: &Stream,
        after: Version,
        up_to: Version,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        let (Some(id), true) = (self.id_of(stream)?, after < up_to) else { return Ok(Some(Vec::new())) };
        let select = "SELECT version, at, content FROM entry \
                      WHERE stream = $1 AND $2 < version AND version <= $3 ORDER BY version";
        let (mut text, mut reported) = (Vec::new(), Vec::new());
        let (mut last, up_to) = (integer(after.0), i64::try_from(up_to.0).unwrap_or(i64::MAX));
        self.each(select, [id, last, up_to], |row| {
            let version: i64 = row.get(0)?;
            if version != last.saturating_add(1) {
                return Ok(false);
            }
            last = version;
            let content = row.get_ref(2)?.as_blob().unwrap_or_default();
            // What cannot be read is read, so that somebody says what is wrong with it.
            if kind_and_name(content, &mut text).is_none_or(|(kind, name)| subject::is_reported(kind, name)) {
                reported.push(happened_row(row, stream, &mut text)?);
            }
            Ok(true)
        })?;
        Ok((last == up_to).then_some(reported))
    }

    pub(super) fn unreported(self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        // Nothing is in an archive alone that was not taken out.
        let select = "SELECT stream.name, min(unreported, taken) FROM archived \
                      JOIN stream ON stream.id = archived.stream WHERE unreported IS NOT NULL AND taken IS NOT NULL";
        let rows = self.rows(select, [], |row| {
            let (name, version): (String, i64) = (row.get(0)?, row.get(1)?);
            let stream = name.parse().map_err(|error| corrupt(&name, version, format!("{error}")))?;
            Ok((stream, Version(u64::try_from(version).unwrap_or_default())))
        })?;
        Ok(rows.into_iter().collect())
    }
}

/// Adds to the index which entries are reported. Where nothing is indexed yet, [`fill`] adds everything.
pub(super) fn add_reported(source: Source<'_>) -> Result<(), StoreError> {
    let fails = |error| super::failure::meaning(&error, source.path);
    if source.one("SELECT 1 FROM subject LIMIT 1", [], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    let (mut last, mut text) = ((i64::MIN, 0_i64), Vec::new());
    loop {
        let page = "SELECT stream, version, content FROM entry WHERE ($1, $2) < (stream, version) \
                    ORDER BY stream, version LIMIT $3";
        let rows: Vec<(i64, i64, bool)> = source.rows(page, [last.0, last.1, PAGE], |row| {
            let content = row.get_ref(2)?.as_bytes().unwrap_or_default();
            let name = kind_and_name(content, &mut text);
            Ok((row.get(0)?, row.get(1)?, name.is_some_and(|(kind, name)| subject::is_reported(kind, name))))
        })?;
        let Some((stream, version, _)) = rows.last() else { return Ok(()) };
        last = (*stream, *version);
        let mut insert = source.connection.prepare_cached(INSERT).map_err(fails)?;
        for (stream, version, _) in rows.iter().filter(|(_, _, is_reported)| *is_reported) {
            insert.execute(params![stream, Subject::Reported.to_string(), version]).map_err(fails)?;
        }
    }
}

/// Writes what the entries are about, if that was never written or has been lost: all of it or nothing.
pub(super) fn fill(source: Source<'_>) -> Result<(), StoreError> {
    let fails = |error| super::failure::meaning(&error, source.path);
    if source.one("SELECT 1 FROM subject LIMIT 1", [], |_| Ok(()))?.is_some() {
        return Ok(());
    }
    let transaction = source.connection.unchecked_transaction().map_err(fails)?;
    let (mut last, mut text) = ((i64::MIN, 0_i64), Vec::new());
    loop {
        let page = "SELECT stream, version, content FROM entry WHERE ($1, $2) < (stream, version) \
                    ORDER BY stream, version LIMIT $3";
        let rows: Vec<(i64, i64, Option<Body>)> = source.rows(page, [last.0, last.1, PAGE], |row| {
            let content = row.get_ref(2)?.as_bytes().unwrap_or_default();
            Ok((row.get(0)?, row.get(1)?, body_of(content, &mut text)))
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
