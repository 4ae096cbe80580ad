//! Database migrations: numbered SQL files, each run once, with their checksums kept. This file decides for both
//! backends which of them still have to run; each backend runs them in a transaction.

use sha2::{Digest, Sha256};

use crate::names::Hash;
use crate::store::StoreError;

/// A numbered SQL file of this program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    /// Counted from 1 without gaps.
    pub(crate) number: u32,
    /// A short name for messages.
    pub(crate) name: &'static str,
    /// The SQL to run.
    pub(crate) sql: &'static str,
}

impl Migration {
    /// The digest of the file. A released file must never be edited, or the databases it made would be refused.
    pub(crate) fn checksum(&self) -> Hash {
        Hash(Sha256::digest(self.sql.as_bytes()).into())
    }
}

/// A migration that a database has recorded as run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    /// The number of the file.
    pub(crate) number: u32,
    /// The name of the file.
    pub(crate) name: String,
    /// The digest of the file when it ran.
    pub(crate) checksum: Hash,
}

/// The migrations that still have to run on a database that recorded `applied`, in order. Refuses a database that
/// is newer than this program, or whose recorded files differ from ours.
pub(crate) fn pending<'a>(
    known: &'a [Migration],
    applied: &[Applied],
) -> Result<&'a [Migration], StoreError> {
    for (position, applied) in applied.iter().enumerate() {
        let Some(ours) = known.get(position) else {
            return Err(StoreError::Schema(format!(
                "migration {} ({}) has run on it, which this program does not know; use a newer program",
                applied.number, applied.name
            )));
        };
        if (ours.number, ours.name) != (applied.number, applied.name.as_str()) {
            return Err(StoreError::Schema(format!(
                "migration {} ({}) has run on it where {} ({}) was expected",
                applied.number, applied.name, ours.number, ours.name
            )));
        }
        if ours.checksum() != applied.checksum {
            return Err(StoreError::Schema(format!(
                "migration {} ({}) has changed since it ran: checksum {} then, {} now",
                applied.number,
                applied.name,
                applied.checksum,
                ours.checksum()
            )));
        }
    }
    Ok(known.get(applied.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[Migration] = &[
        Migration { number: 1, name: "first", sql: "CREATE TABLE a (b)" },
        Migration { number: 2, name: "second", sql: "CREATE TABLE c (d)" },
    ];

    fn applied(migration: &Migration) -> Applied {
        Applied { number: migration.number, name: migration.name.to_owned(), checksum: migration.checksum() }
    }

    fn refusal(applied: &[Applied]) -> String {
        pending(FILES, applied).expect_err("this history is not ours").to_string()
    }

    #[test]
    fn what_has_not_run_is_pending() {
        let numbers = |applied: &[Applied]| -> Vec<u32> {
            pending(FILES, applied).expect("this history is ours").iter().map(|file| file.number).collect()
        };
        assert_eq!(numbers(&[]), [1, 2]);
        assert_eq!(numbers(&[applied(&FILES[0])]), [2]);
        assert_eq!(numbers(&[applied(&FILES[0]), applied(&FILES[1])]), [0; 0]);
    }

    #[test]
    fn a_newer_database_is_refused() {
        let third = Applied { number: 3, name: "third".to_owned(), checksum: FILES[0].checksum() };
        let refusal = refusal(&[applied(&FILES[0]), applied(&FILES[1]), third]);
        assert!(
            refusal.contains("migration 3 (third) has run on it, which this program does not know"),
            "{refusal}"
        );
    }

    #[test]
    fn another_checksum_or_order_is_refused() {
        let mut edited = applied(&FILES[0]);
        edited.checksum = FILES[1].checksum();
        assert!(refusal(&[edited]).contains("has changed since it ran"));
        assert!(
            refusal(&[applied(&FILES[1])])
                .contains("migration 2 (second) has run on it where 1 (first) was expected")
        );
    }
}
