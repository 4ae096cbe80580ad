//! What is kept or signed for does not rest on the index of the log.

use std::path::Path;

use floor::Library;
use floor::audit::AuditError;
use journal::sqlite::SqliteStore;
use journal::{Hash, Reader, Stream, VaultKey, Version};
use reports::{DayCache, DayTotals, GamingDay, Log};

use crate::month::Played;

fn day() -> GamingDay {
    "2026-11-03".parse().expect("a day")
}

/// Two tables, played for two days and the first hours of a third.
fn played(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("log.db");
    let mut played = Played::open(&path, 2, day());
    played.day();
    played.day();
    path
}

/// Changes a log behind the program's back.
fn change(path: &Path, sql: &str) {
    let file = rusqlite::Connection::open(path).expect("a file");
    let names: Vec<String> = file
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .and_then(|mut query| query.query_map([], |row| row.get(0))?.collect())
        .expect("the guards can be read");
    for name in names {
        file.execute_batch(&format!("DROP TRIGGER {name}")).expect("an insider can");
    }
    assert_ne!(file.execute(sql, []).expect("an insider can"), 0, "{sql}");
}

fn totals(path: &Path, day: GamingDay, is_signed: bool) -> Result<DayTotals, AuditError> {
    let mut reader = SqliteStore::open_read_only(path).expect("a log");
    let log = Log::new(&mut reader, &Library::embedded())?;
    let mut log = if is_signed { log.by_every_entry() } else { log };
    DayCache::default().day(&mut log, day)
}

fn rounds(totals: &DayTotals) -> u64 {
    totals.tables.values().flat_map(|books| books.values()).map(|totals| totals.rounds).sum()
}

/// A settlement that was taken out of the index for a moment is in the totals of a day that is over, and of one that is signed for.
#[test]
fn totals_that_are_kept_are_made_of_every_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path());
    let whole = |day| totals(&path, day, true).expect("totals");
    let (over, last) = (whole(day()), whole(day().next().next()));
    assert_eq!((rounds(&over), last.irregular.len()), (2, 1), "{last:?}");
    change(&path, "DELETE FROM subject WHERE subject = 'reported'");
    assert_eq!(totals(&path, day(), false).expect("totals"), over);
    assert_eq!(totals(&path, day().next().next(), true).expect("totals"), last);
}

/// An entry that is missing is an error, and nothing that is left out.
#[test]
fn an_entry_that_is_missing_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path());
    let settled = "DELETE FROM entry WHERE (stream, version) IN
        (SELECT stream, version FROM subject WHERE subject LIKE 'settled/%' ORDER BY version LIMIT 1)";
    change(&path, settled);
    let refused = totals(&path, day(), false).expect_err("an entry is missing");
    assert!(matches!(refused, AuditError::Archived { .. }), "{refused}");
}

/// Totals that were kept while a round was in play are made again when the day has more.
#[test]
fn totals_of_a_part_of_a_day_are_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path());
    let key = folder.path().join("key");
    std::fs::write(&key, Hash([7; 32]).to_string()).expect("written");
    let cache = || {
        let key = VaultKey::from_source(&key.display().to_string()).expect("a key");
        DayCache::in_folder(&folder.path().join("totals"), key)
    };
    let (mut reader, library) = (SqliteStore::open_read_only(&path).expect("a log"), Library::embedded());
    let heads = reader.heads().expect("heads");
    let table = heads.iter().map(|head| &head.stream).find(|stream| matches!(stream, Stream::Table(_)));
    let log = Log::new(&mut reader, &library).expect("a log");
    let mut log = log.until(table.expect("a table"), Version(9));
    let part = cache().day(&mut log, day()).expect("totals");
    let mut log = Log::new(&mut reader, &library).expect("a log");
    let whole = cache().day(&mut log, day()).expect("totals");
    assert_eq!((rounds(&part), rounds(&whole)), (1, 2));
}
