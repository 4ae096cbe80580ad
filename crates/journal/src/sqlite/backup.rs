//! Copies the log while it is in use.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::failure;
use crate::files;
use crate::store::StoreError;

/// Removes from a copy what is worth stealing, and overwrites it.
fn leave_out(copy: &Connection) -> rusqlite::Result<()> {
    copy.pragma_update(None, "secure_delete", "ON")?;
    for kind in crate::vault::kind::NOT_IN_BACKUPS {
        copy.execute("DELETE FROM sealed WHERE kind = ?1", [kind])?;
    }
    Ok(())
}

/// All pages at once: the source is one state of the log, held by its own transaction.
const ALL_PAGES: i32 = i32::MAX;

/// Copies what `source` reads into a new file. The file gets its name when it is complete.
pub(super) fn backup(source: &Connection, path: &Path, to: &Path) -> Result<(), StoreError> {
    let of_system = |error: std::io::Error| failure::of_system(&error, to);
    let fails = |error| failure::meaning(&error, to);
    if to.try_exists().map_err(of_system)? {
        return Err(StoreError::Unavailable(format!(
            "{} already exists and is not overwritten",
            to.display()
        )));
    }
    let unfinished = files::beside(to, ".part");
    files::create_private(&unfinished).map_err(of_system)?;
    let snapshot = source.unchecked_transaction().map_err(|error| failure::meaning(&error, path))?;
    let mut copy = Connection::open(&unfinished).map_err(fails)?;
    Backup::new(&snapshot, &mut copy)
        .and_then(|backup| backup.run_to_completion(ALL_PAGES, Duration::ZERO, None))
        .map_err(fails)?;
    leave_out(&copy).map_err(fails)?;
    copy.close().map_err(|(_, error)| fails(error))?;
    files::sync(&unfinished).map_err(of_system)?;
    fs::rename(&unfinished, to).map_err(of_system)?;
    files::sync_folder_of(to).map_err(of_system)
}
