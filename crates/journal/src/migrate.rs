//! How a database comes to its present shape: numbered SQL files, each run once, its checksum kept. Which of them are
//! still to run is decided here for both backends; running them in a transaction is each backend's own.

use sha2::{Digest, Sha256};

use crate::names::Hash;
use crate::store::StoreError;

/// A numbered SQL file of this program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    /// Counted from one without a gap.
    pub(crate) number: u32,
    /// What it is about.
    pub(crate) name: &'static str,
    /// The statements.
    pub(crate) sql: &'static str,
}

impl Migration {
    /// The digest of the file. One that was released is never edited: the databases it made would be refused.
    pub(crate) fn checksum(&self) -> Hash {
        Hash(Sha256::digest(self.sql.as_bytes()).into())
    }
}

/// A migration a database has been through, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    /// Its number.
    pub(crate) number: u32,
    /// Its name.
    pub(crate) name: String,
    /// The digest of the file as it was then.
    pub(crate) checksum: Hash,
}

/// What is still to run on a database that went through `applied`, in order. Refuses one that is newer than this
/// program, and one whose shape came from other files than ours.
pub(crate) fn pending<'a>(
    known: &'a [Migration],
    applied: &[Applied],
) -> Result<&'a [Migration], StoreError> {
    for (position, applied) in applied.iter().enumerate() {
        let Some(ours) = known.get(position) else {
            return Err(StoreError::Schema(format!(
                "it has been through migration {} ({}), which this program does not know; it needs a newer one",
                applied.number, applied.name
            )));
        };
        if ours.number != applied.number {
            return Err(StoreError::Schema(format!(
                "it has been through migration {} where {} was due",
                applied.number, ours.number
            )));
        }
        if ours.checksum() != applied.checksum {
            return Err(StoreError::Schema(format!(
                "migration {} ({}) was another file when it ran: checksum {} then, {} now",
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
        assert!(refusal.contains("migration 3 (third), which this program does not know"), "{refusal}");
    }

    #[test]
    fn another_checksum_or_order_is_refused() {
        let mut edited = applied(&FILES[0]);
        edited.checksum = FILES[1].checksum();
        assert!(refusal(&[edited]).contains("was another file when it ran"));
        assert!(refusal(&[applied(&FILES[1])]).contains("migration 2 where 1 was due"));
    }
}
