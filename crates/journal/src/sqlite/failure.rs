//! What SQLite's errors mean for the log: either nothing happened and a later attempt may succeed, or what is on
//! the disk is unknown.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use rusqlite::ffi::{self, ErrorCode};

use crate::files;
use crate::store::StoreError;

/// The meaning of a SQLite error.
///
/// A failed write of data undoes the transaction, whatever its cause; if the disk is full, a later attempt may
/// succeed. After a failed sync, or any other disk error, it is unknown what is durable, so the caller must
/// restart from the disk: a second sync may report success without writing anything.
pub(super) fn meaning(error: &rusqlite::Error, path: &Path) -> StoreError {
    let said = error.to_string();
    let Some(failure) = error.sqlite_error() else {
        return StoreError::Failed(said);
    };
    let is = |codes: &[ErrorCode]| codes.contains(&failure.code);
    let was_not_written = failure.extended_code == ffi::SQLITE_IOERR_WRITE;
    if is(&[ErrorCode::DiskFull, ErrorCode::ReadOnly]) || was_not_written && !has_room(path) {
        StoreError::Full(said)
    } else if is(&[ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked]) {
        StoreError::Conflict(said)
    } else if is(&[ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase]) {
        StoreError::Corrupt { stream: path.display().to_string(), version: 0, what: said }
    } else if is(&[ErrorCode::CannotOpen, ErrorCode::PermissionDenied]) {
        StoreError::Unavailable(format!("{}: {said}", path.display()))
    } else if said.contains("no such table") || said.contains("no such column") {
        StoreError::Schema(said)
    } else {
        // The disk is failing, or one of our statements is wrong: stop in either case.
        StoreError::Failed(said)
    }
}

/// The meaning of an operating system error.
pub(super) fn of_system(error: &io::Error, path: &Path) -> StoreError {
    let said = format!("{}: {error}", path.display());
    if is_disk_full(error) {
        StoreError::Full(said)
    } else if [io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied].contains(&error.kind()) {
        StoreError::Unavailable(said)
    } else {
        StoreError::Failed(said)
    }
}

/// Whether a file beside the database can be written. SQLite does not report why a write failed.
fn has_room(path: &Path) -> bool {
    let probe = files::beside(path, ".probe");
    let written = files::create_private(&probe).and_then(|mut file| file.write_all(&[0; 16 * 1024]));
    // If it stays, it does no harm.
    let _ = fs::remove_file(&probe);
    !written.is_err_and(|error| is_disk_full(&error))
}

fn is_disk_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
    )
}
