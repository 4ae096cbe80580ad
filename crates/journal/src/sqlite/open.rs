//! Opens a database: makes it durable before its first use, locks it for one server, migrates it and checks it.

use std::any::Any;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::failure;
use super::medium::{Medium, with_patience};
use super::read::{Source, corrupt};
use super::{repack, subjects};
use crate::files;
use crate::migrate::{Applied, Migration, pending};
use crate::names::Hash;
use crate::store::StoreError;

/// In older versions of SQLite two connections could corrupt a database in WAL mode.
const OLDEST_SQLITE: i32 = 3_051_003;

/// How long a statement waits for a lock. Only another program can hold one.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// The migrations, oldest first.
const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, name: "journal", sql: include_str!("../../migrations/sqlite/0001_journal.sql") },
    Migration { number: 2, name: "subject", sql: include_str!("../../migrations/sqlite/0002_subject.sql") },
    Migration { number: 3, name: "carried", sql: include_str!("../../migrations/sqlite/0003_carried.sql") },
    Migration { number: 4, name: "packed", sql: include_str!("../../migrations/sqlite/0004_packed.sql") },
    Migration { number: 5, name: "reported", sql: include_str!("../../migrations/sqlite/0005_reported.sql") },
    Migration { number: 6, name: "guarded", sql: include_str!("../../migrations/sqlite/0006_guarded.sql") },
    Migration { number: 7, name: "refused", sql: include_str!("../../migrations/sqlite/0007_refused.sql") },
];

/// The migration after which the rows of older programs are packed.
const PACKED: u32 = 4;

/// The migration after which the index says what is reported.
const REPORTED: u32 = 5;

/// The tables that do not grow with the log. The pages of the others are checked when their rows are read: checking all of
/// them at every start would take as long as the log is old.
const SMALL_TABLES: [&str; 5] = ["migration", "stream", "account", "lease", "sealed"];

/// The table in which a database records its migrations.
const MIGRATION_TABLE: &str = "CREATE TABLE IF NOT EXISTS migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum BLOB NOT NULL CHECK (length(checksum) = 32),
    at INTEGER NOT NULL
) STRICT";

/// Locks the database for this server until the lock is dropped. Fails if another server has it.
pub(super) fn lock(medium: &dyn Medium, path: &Path) -> Result<Box<dyn Any + Send>, StoreError> {
    let name = files::beside(path, ".lock");
    medium.lock(&name).map_err(|error| match error {
        TryLockError::WouldBlock => in_use(path),
        TryLockError::Error(error) => failure::of_system(&error, &name),
    })
}

fn connect(medium: &dyn Medium, path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match medium.vfs() {
        None => Connection::open_with_flags(path, flags),
        Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs),
    }
}

/// The connection that writes, to a checked and migrated database.
pub(super) fn writer(medium: &dyn Medium, path: &Path) -> Result<Connection, StoreError> {
    let fails = |error| failure::meaning(&error, path);
    let of_system = |error| failure::of_system(&error, path);
    refuse_old_sqlite(rusqlite::version_number())?;
    let is_new = make_file(medium, path)?;
    // After a failed sync the system still shows what was written, although it may never reach the disk. A later
    // commit behind such a gap would be lost with it at the next power failure. So the log is written again.
    let log = files::beside(path, "-wal");
    if 0 < medium.length(&log) {
        medium.rewrite(&log).map_err(of_system)?;
    }
    let connection = connect(medium, path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(fails)?;
    guard(&connection, path)?;
    connection.busy_timeout(LOCK_TIMEOUT).map_err(fails)?;
    // EXTRA also syncs the folder after a rollback journal is deleted: without it, a power failure right after
    // the creation can bring the journal back and undo what was acknowledged.
    for pragma in
        ["synchronous = EXTRA", "fullfsync = ON", "checkpoint_fullfsync = ON", "cache_size = -65536"]
    {
        connection.execute_batch(&format!("PRAGMA {pragma}")).map_err(fails)?;
    }
    migrate(&connection, path, MIGRATIONS)?;
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(fails)?;
    if mode != "wal" {
        return Err(StoreError::Schema(format!(
            "cannot switch {} to WAL mode; it stays in {mode} mode",
            path.display()
        )));
    }
    if is_new {
        medium.sync(path).and_then(|()| medium.sync_folder_of(path)).map_err(of_system)?;
    }
    // The store itself moves the write-ahead log into the file, so that it sees a failure to do so.
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0").map_err(fails)?;
    quick_check(&connection, path)?;
    refuse_other_shape(&connection, path)?;
    subjects::fill(Source { connection: &connection, path })?;
    // The write-ahead log exists by now. SQLite syncs its folder too, but ignores a failure.
    medium.sync_folder_of(path).map_err(of_system)?;
    Ok(connection)
}

/// A connection that only reads, beside the one that writes.
pub(super) fn reader(medium: &dyn Medium, path: &Path) -> Result<Connection, StoreError> {
    let fails = |error| failure::meaning(&error, path);
    let connection = connect(medium, path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(fails)?;
    guard(&connection, path)?;
    connection.busy_timeout(LOCK_TIMEOUT).map_err(fails)?;
    connection.execute_batch("PRAGMA cache_size = -65536").map_err(fails)?;
    Ok(connection)
}

/// A connection to a copy of a database that changes nothing, not even the files beside it.
pub(super) fn auditor(path: &Path) -> Result<Connection, StoreError> {
    let fails = |error| failure::meaning(&error, path);
    refuse_old_sqlite(rusqlite::version_number())?;
    refuse_if_served(path)?;
    let length = fs::metadata(path).map_err(|error| failure::of_system(&error, path))?.len();
    if length == 0 {
        return Err(StoreError::Schema(format!("{} is empty", path.display())));
    }
    let has_log = fs::metadata(files::beside(path, "-wal")).is_ok_and(|log| 0 < log.len());
    // A write-ahead log beside the copy must be read too. Without locks and with exclusive access, SQLite keeps
    // its index in memory and needs no other file.
    let options = if has_log { "mode=ro&vfs=unix-none" } else { "mode=ro&immutable=1" };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri(path, options)?, flags).map_err(fails)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fails)?;
    connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536").map_err(fails)?;
    guard(&connection, path)?;
    quick_check(&connection, path)?;
    let waiting = pending(MIGRATIONS, &applied(&connection, path)?)?.len();
    if waiting != 0 {
        return Err(StoreError::Schema(
            "an older program wrote it; open it with a server of this version first".to_owned(),
        ));
    }
    Ok(connection)
}

/// Refuses a SQLite that could corrupt the log.
fn refuse_old_sqlite(version: i32) -> Result<(), StoreError> {
    if version < OLDEST_SQLITE {
        return Err(StoreError::Schema(format!("SQLite {version} is too old, {OLDEST_SQLITE} is needed")));
    }
    Ok(())
}

/// Creates an empty database if there is none, and returns whether it did. Refuses an empty file beside a
/// write-ahead log: it has lost its content, and SQLite would delete the log too.
fn make_file(medium: &dyn Medium, path: &Path) -> Result<bool, StoreError> {
    if 0 < medium.length(path) {
        return Ok(false);
    }
    if 0 < medium.length(&files::beside(path, "-wal")) {
        let what = "it is empty, but the write-ahead log beside it is not".to_owned();
        return Err(corrupt(&path.display().to_string(), 0, what));
    }
    medium.create_private(path).map_err(|error| failure::of_system(&error, path))?;
    Ok(true)
}

/// Settings that limit what a damaged or hostile file can do.
fn guard(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let fails = |error| failure::meaning(&error, path);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(fails)?;
    connection.set_prepared_statement_cache_capacity(64);
    let pragmas = "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \
                   PRAGMA recursive_triggers = ON";
    connection.execute_batch(pragmas).map_err(fails)
}

/// Runs the missing migrations, or refuses a database that is not ours.
fn migrate(connection: &Connection, path: &Path, files: &[Migration]) -> Result<(), StoreError> {
    let fails = |error| failure::meaning(&error, path);
    connection.execute_batch(MIGRATION_TABLE).map_err(fails)?;
    for migration in pending(files, &applied(connection, path)?)? {
        let transaction = connection.unchecked_transaction().map_err(fails)?;
        transaction.execute_batch(migration.sql).map_err(fails)?;
        if migration.number == PACKED {
            repack::repack(Source { connection, path })?;
        }
        if migration.number == REPORTED {
            subjects::add_reported(Source { connection, path })?;
        }
        let insert = "INSERT INTO migration (number, name, checksum, at) \
                      VALUES ($1, $2, $3, CAST(unixepoch('subsec') * 1000 AS INTEGER))";
        let row = (migration.number, migration.name, migration.checksum().0);
        transaction.execute(insert, row).map_err(fails)?;
        transaction.commit().map_err(fails)?;
    }
    Ok(())
}

/// The migrations that a database has recorded.
fn applied(connection: &Connection, path: &Path) -> Result<Vec<Applied>, StoreError> {
    let source = Source { connection, path };
    source.rows("SELECT number, name, checksum FROM migration ORDER BY number", [], |row| {
        Ok(Applied { number: row.get(0)?, name: row.get(1)?, checksum: Hash(row.get(2)?) })
    })
}

/// Refuses a file with inconsistent pages.
fn quick_check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let fails = |error| failure::meaning(&error, path);
    for table in SMALL_TABLES {
        let pragma = format!("PRAGMA quick_check({table})");
        let found: String = connection.query_row(&pragma, [], |row| row.get(0)).map_err(fails)?;
        if found != "ok" {
            return Err(corrupt(&path.display().to_string(), 0, found));
        }
    }
    Ok(())
}

/// Refuses a database whose tables and triggers differ from our files: somebody may have removed a guard.
fn refuse_other_shape(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    type Shape = Vec<(String, String, Option<String>)>;
    let shape = |connection: &Connection| -> Result<Shape, StoreError> {
        let query = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name";
        Source { connection, path }.rows(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    };
    let model = Connection::open_in_memory().map_err(|error| failure::meaning(&error, path))?;
    migrate(&model, path, MIGRATIONS)?;
    let (ours, theirs) = (shape(&model)?, shape(connection)?);
    let lost = ours.iter().find(|part| !theirs.contains(part));
    let strange = theirs.iter().find(|part| !ours.contains(part));
    match lost.or(strange) {
        None => Ok(()),
        Some((kind, name, _)) => {
            Err(StoreError::Schema(format!("its {kind} {name} differs from the one this program made")))
        }
    }
}

/// Refuses a database that a server is writing to: a read without locks needs a file that does not change.
fn refuse_if_served(path: &Path) -> Result<(), StoreError> {
    let Ok(lock) = File::open(files::beside(path, ".lock")) else {
        return Ok(());
    };
    match with_patience(|| lock.try_lock_shared()) {
        Err(TryLockError::WouldBlock) => Err(in_use(path)),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn in_use(path: &Path) -> StoreError {
    StoreError::Schema(format!("{} is in use by a running server", path.display()))
}

/// A path as a SQLite URI.
fn uri(path: &Path, options: &str) -> Result<String, StoreError> {
    let path = std::path::absolute(path).map_err(|error| failure::of_system(&error, path))?;
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(format!("{uri}?{options}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sqlite_with_the_old_race_is_refused() {
        refuse_old_sqlite(3_051_002).expect_err("it is older than the fix");
        refuse_old_sqlite(3_051_003).expect("it has the fix");
        refuse_old_sqlite(rusqlite::version_number()).expect("the bundled one is newer");
    }

    #[test]
    fn odd_paths_become_uris() {
        let uri = uri(Path::new("/a b/c?d#e%f.db"), "mode=ro").expect("an absolute path");
        assert_eq!(uri, "file:/a%20b/c%3Fd%23e%25f.db?mode=ro");
    }
}
