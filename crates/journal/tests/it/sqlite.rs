//! The embedded store: the common suite, and what only a file can do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::verify::{Known, Place, verify_log};
use journal::{Account, Amount, Code, Reader, Store, StoreError, Transfer, Version};
use rusqlite::Connection;

use crate::suite::{append, id, store_suite, table, transfer, verified, write};

/// Opens stores in a folder that goes when the last one has.
fn fresh() -> impl FnMut() -> Box<dyn Store> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut opened = 0;
    move || {
        opened += 1;
        Box::new(SqliteStore::open(folder.path().join(format!("{opened}.db"))).expect("a fresh store opens"))
    }
}

store_suite!(fresh());

/// A log of three entries in a file, closed.
fn closed_log(folder: &Path) -> PathBuf {
    let path = folder.join("floor.db");
    let mut store = SqliteStore::open(&path).expect("a fresh store");
    for number in 1..=3 {
        write(&mut store, &table("t1"), number, vec![cash_in(number)]);
    }
    path
}

fn cash_in(number: u64) -> Transfer {
    let cents = i64::try_from(number).expect("a small number");
    transfer(Code::BuyIn, Account::Cash, Account::House, cents)
}

fn refusal<T>(opened: Result<T, StoreError>) -> String {
    opened.map(drop).expect_err("it must be refused").to_string()
}

/// Names, lengths and bytes of everything in a folder.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    files.map(|path| (path.clone(), fs::read(&path).expect("a file"))).collect()
}

/// What was written is there when the file is opened again, and goes on.
#[test]
fn a_reopened_log_goes_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let mut store = SqliteStore::open(&path).expect("the log");
    assert_eq!(store.heads().expect("heads")[0].version, Version(3));
    assert_eq!(write(&mut store, &table("t1"), 4, vec![cash_in(4)]).version, Version(4));
    assert_eq!(write(&mut store, &table("t2"), 5, Vec::new()).version, Version(1));
    assert_eq!(store.balance(&Account::House).expect("balance"), Amount(100_000));
    verified(&mut store);
}

/// A checkpoint goes on from the last one, and a stream that did not grow is not sealed again.
#[test]
fn checkpoints_go_on_after_reopening() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let signer = Signer::generate().expect("a key");
    let mut store = SqliteStore::open(&path).expect("the log");
    let first = store.checkpoint(&signer).expect("checkpoint").expect("a stream is new");
    drop(store);
    let mut store = SqliteStore::open(&path).expect("the log");
    assert_eq!(store.checkpoint(&signer).expect("checkpoint"), None);
    let entry = write(&mut store, &table("t2"), 9, Vec::new());
    let second = store.checkpoint(&signer).expect("checkpoint").expect("a stream is new");
    assert_eq!((second.number, second.previous), (2, first.digest()));
    assert_eq!(second.heads, [entry.head()]);
}

/// Two servers on one file would be two writers.
#[test]
fn a_second_server_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let store = SqliteStore::open(&path).expect("the log");
    let said = refusal(SqliteStore::open(&path));
    assert!(said.contains("floor.db is in use by a running server"), "{said}");
    let said = refusal(SqliteStore::open_read_only(&path));
    assert!(said.contains("floor.db is in use by a running server"), "{said}");
    drop(store);
    SqliteStore::open(&path).expect("the first server is gone");
}

/// An auditor reads a copy, with the write-ahead log beside it or without, and leaves no trace.
#[test]
fn an_auditor_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("floor.db");
    let mut store = SqliteStore::open(&path).expect("a fresh store");
    for number in 1..=3 {
        write(&mut store, &table("t1"), number, vec![cash_in(number)]);
    }
    let copies = tempfile::tempdir().expect("a temporary folder");
    let copy = copies.path().join("a copy?.db");
    fs::copy(&path, &copy).expect("a copy");
    fs::copy(folder.path().join("floor.db-wal"), copies.path().join("a copy?.db-wal")).expect("a copy");
    drop(store);
    let before = snapshot(copies.path());
    let mut reader = SqliteStore::open_read_only(&copy).expect("the copy");
    assert_eq!(reader.heads().expect("heads")[0].version, Version(3), "the write-ahead log was read");
    let report = verified(&mut reader);
    assert_eq!(report.entries, 3);
    drop(reader);
    assert_eq!(snapshot(copies.path()), before);

    let before = snapshot(folder.path());
    let mut reader = SqliteStore::open_read_only(&path).expect("the closed log");
    assert_eq!(verified(&mut reader).entries, 3);
    drop(reader);
    assert_eq!(snapshot(folder.path()), before);
    let nowhere = SqliteStore::open_read_only(folder.path().join("nowhere.db"));
    assert!(matches!(nowhere, Err(StoreError::Unavailable(_))));
    assert_eq!(snapshot(folder.path()), before);
}

/// A copy taken while the log is in use is a log like any other.
#[test]
fn a_backup_is_a_log() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let mut store = SqliteStore::open(&path).expect("the log");
    write(&mut store, &table("t2"), 4, Vec::new());
    let copy = folder.path().join("copy.db");
    store.backup_to(&copy).expect("a copy");
    write(&mut store, &table("t2"), 5, Vec::new());
    let said = refusal(store.backup_to(&copy));
    assert!(said.contains("is not overwritten"), "{said}");
    let mut reader = SqliteStore::open_read_only(&copy).expect("the copy");
    assert_eq!(verified(&mut reader).entries, 4);
    let mut second = SqliteStore::open(&copy).expect("the copy opens");
    assert_eq!(write(&mut second, &table("t2"), 6, Vec::new()).version, Version(2));
    verified(&mut store);
}

/// The schema itself refuses what the program never does.
#[test]
fn what_is_written_stays_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let connection = Connection::open(&path).expect("the file");
    connection.execute("INSERT INTO subject VALUES (1, 'rounds', 1)", []).expect("the index may grow");
    for statement in [
        "UPDATE entry SET at = 0",
        "DELETE FROM entry",
        "UPDATE command SET answer = ''",
        "DELETE FROM command",
        "UPDATE subject SET version = version + 1",
        "DELETE FROM subject",
        "INSERT INTO account VALUES (9, 'wallet/x', -1, 0)",
        "INSERT INTO entry SELECT 99, version, command, at, carries, hash, content FROM entry",
        "INSERT INTO stream VALUES (9, 'table/x', 'one', zeroblob(32))",
    ] {
        let done = connection.execute(statement, []);
        assert!(!matches!(done, Ok(1..)), "{statement} was done");
    }
}

/// A guard that was taken away, a migration that was edited, a newer program's file: each stops the start and says so.
#[test]
fn a_database_of_another_shape_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let original = closed_log(folder.path());
    for (statement, sentence) in [
        (
            "DROP TRIGGER entry_is_not_deleted",
            "its trigger entry_is_not_deleted differs from the one this program made",
        ),
        ("CREATE TABLE strange (a)", "its table strange differs from the one this program made"),
        ("UPDATE migration SET checksum = zeroblob(32)", "has changed since it ran"),
        (
            "INSERT INTO migration VALUES (99, 'future', zeroblob(32), 0)",
            "migration 99 (future) has run on it, which this program",
        ),
        ("DELETE FROM migration", "already exists"),
    ] {
        let path = folder.path().join("changed.db");
        fs::copy(&original, &path).expect("a copy");
        Connection::open(&path)
            .and_then(|file| file.execute_batch(statement))
            .expect("the file can be changed");
        let said = refusal(SqliteStore::open(&path));
        assert!(said.contains(sentence), "{said}");
    }
    let path = folder.path().join("changed.db");
    fs::write(&path, "this is no database, whatever its name says").expect("a file");
    assert!(matches!(SqliteStore::open(&path), Err(StoreError::Corrupt { .. })));
}

/// A file that lost its content is not mistaken for a new one while its write-ahead log is there.
#[test]
fn an_emptied_file_beside_its_write_ahead_log() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("floor.db");
    fs::write(&path, "").expect("a file");
    fs::write(folder.path().join("floor.db-wal"), "what was committed").expect("a file");
    let said = refusal(SqliteStore::open(&path));
    assert!(said.contains("it is empty, but the write-ahead log beside it is not"), "{said}");
    assert_eq!(fs::read(folder.path().join("floor.db-wal")).expect("the log"), b"what was committed");
}

/// Somebody else's write makes what the store remembers untrue: it does nothing more until it is opened anew.
#[test]
fn a_stranger_who_writes_stops_the_store() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let mut store = SqliteStore::open(&path).expect("the log");
    let stranger = Connection::open(&path).expect("the file");
    stranger.execute("UPDATE account SET balance = balance + 1 WHERE name = 'house'", []).expect("written");
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(4), Vec::new());
    let error = transaction.commit().expect_err("the file is not as it was left");
    assert!(matches!(error, StoreError::Failed(_)), "{error}");
    assert!(matches!(store.begin().map(drop), Err(StoreError::Failed(_))));
    assert!(matches!(store.heads(), Err(StoreError::Failed(_))));
    assert!(matches!(store.reader().map(drop), Err(StoreError::Failed(_))));
    drop(store);
    let mut store = SqliteStore::open(&path).expect("it opens again");
    let findings = verify_log(&mut store, &Known::default(), &mut |_| ())
        .expect("a log")
        .expect_err("a balance was edited");
    assert!(findings.iter().any(|finding| finding.place == Place::Account(Account::House)));
}

/// A stranger who holds the file makes a commit a conflict; when they are gone it works again.
#[test]
fn a_stranger_who_holds_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let mut store = SqliteStore::open(&path).expect("the log");
    let stranger = Connection::open(&path).expect("the file");
    stranger.execute_batch("BEGIN IMMEDIATE").expect("the stranger is first");
    let mut transaction = store.begin().expect("begin");
    append(&mut *transaction, &table("t1"), id(4), Vec::new());
    let error = transaction.commit().expect_err("the file is held");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    stranger.execute_batch("ROLLBACK").expect("the stranger goes");
    assert_eq!(write(&mut store, &table("t1"), 4, Vec::new()).version, Version(4));
}

/// Seeds and passwords' hashes stand in the file, so it is its owner's alone.
#[cfg(unix)]
#[test]
fn the_file_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = closed_log(folder.path());
    let store = SqliteStore::open(&path).expect("the log");
    let copy = folder.path().join("copy.db");
    store.backup_to(&copy).expect("a copy");
    for path in [path, copy] {
        assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o077, 0);
    }
}
