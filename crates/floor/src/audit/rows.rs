//! The rows beside the log: each opens with the house's key, and each that opens an account is the one the log names.
//! Nobody inserted, altered or moved one, put an older one back, or deleted one.

use std::collections::BTreeMap;

use journal::vault::{kind, row_digest};
use journal::{AccountHolder, Hash, Reader, StoreError, VaultKey};
use serde::Deserialize;

use super::finding::Kind;
use super::matching::Notes;
use crate::house::{House, KeptRow, compared};

/// What is said of a row that was the right one once.
const PUT_BACK: &str = "this row is not the newest: it was copied earlier and put back";

/// What is said of a row that the log names and that is not there.
const MISSING: &str = "this row is missing: somebody deleted it";

/// Whose a session is, and by which password it began.
#[derive(Deserialize)]
struct SessionRow {
    subject: AccountHolder,
    #[serde(default)]
    credential: Option<Hash>,
}

/// Checks every row, where the vault key is given.
pub(super) fn check(
    reader: &mut dyn Reader,
    vault_key: Option<&VaultKey>,
    house: &House,
    notes: &mut Notes,
    remarks: &mut Vec<String>,
) -> Result<(), StoreError> {
    let Some(vault_key) = vault_key else {
        remarks.push(
            "no vault key was given: seeds of rounds in play, credentials and sessions are not checked"
                .to_owned(),
        );
        return Ok(());
    };
    let mut rows = Rows::of(house);
    for of in kind::ALL {
        for (key, stored) in reader.sealed_all(of)? {
            let what = match vault_key.open(of, &key, &stored) {
                None => Some("this row was altered or inserted: the vault key does not open it"),
                Some(value) => rows.check(of, &key, row_digest(of, &key, &stored), &value),
            };
            if let Some(what) = what {
                notes.findings.with(Kind::Vault, format!("{of} {key}"), what);
            }
        }
    }
    for place in rows.missing() {
        notes.findings.with(Kind::Vault, place, MISSING);
    }
    if rows.unknown != 0 {
        remarks.push(format!(
            "{} passwords and invitations are from before the log named their rows: whether these are the newest is not \
             checked",
            rows.unknown
        ));
    }
    Ok(())
}

/// The rows that the log names and that were not found so far.
struct Rows<'a> {
    house: &'a House,
    credentials: BTreeMap<String, KeptRow>,
    second_factors: BTreeMap<String, KeptRow>,
    /// By digest, with whose they are: their keys are in no log.
    invitations: BTreeMap<Hash, String>,
    /// Invitations from before the log named their rows.
    invitations_unknown: usize,
    /// All rows from before the log named them.
    unknown: usize,
}

impl<'a> Rows<'a> {
    fn of(house: &'a House) -> Rows<'a> {
        let credentials: BTreeMap<String, KeptRow> =
            house.credentials().map(|(who, row)| (compared(name(who)), row)).collect();
        let second_factors = house.second_factors().map(|(person, row)| (compared(person.name()), row));
        let mut invitations = BTreeMap::new();
        let mut invitations_unknown = 0_usize;
        for (who, row) in house.invitations() {
            match row {
                KeptRow::Row(digest) => drop(invitations.insert(digest, name(who).to_owned())),
                KeptRow::Unknown => invitations_unknown = invitations_unknown.saturating_add(1),
            }
        }
        let unknown = credentials.values().filter(|row| **row == KeptRow::Unknown).count();
        Rows {
            house,
            second_factors: second_factors.collect(),
            invitations,
            invitations_unknown,
            unknown: unknown.saturating_add(invitations_unknown),
            credentials,
        }
    }

    /// What is wrong with a row that opens.
    fn check(&mut self, of: &str, key: &str, digest: Hash, value: &[u8]) -> Option<&'static str> {
        let is_newest = match of {
            kind::CREDENTIAL => self.credentials.remove(key).is_some_and(|row| row.is(digest)),
            kind::SECOND_FACTOR => self.second_factors.remove(key).is_some_and(|row| row.is(digest)),
            kind::INVITATION => self.invitations.remove(&digest).is_some() || self.invitations_unknown != 0,
            kind::SESSION => self.stands(key, value),
            _ => true,
        };
        (!is_newest).then_some(PUT_BACK)
    }

    /// Whether a session has not been ended: neither itself nor with the password it began by.
    fn stands(&self, key: &str, value: &[u8]) -> bool {
        let Ok(session) = serde_json::from_slice::<SessionRow>(value) else { return false };
        let ended = key.parse::<Hash>().is_ok_and(|session| self.house.has_ended(&session));
        !ended && session.credential == self.house.session_credential(&session.subject)
    }

    /// The places of those that were not found.
    fn missing(&self) -> impl Iterator<Item = String> {
        let credentials = self.credentials.keys().map(|key| format!("{} {key}", kind::CREDENTIAL));
        let factors = self.second_factors.keys().map(|key| format!("{} {key}", kind::SECOND_FACTOR));
        let invitations = self.invitations.values().map(|who| format!("{} of {who}", kind::INVITATION));
        credentials.chain(factors).chain(invitations)
    }
}

fn name(who: &AccountHolder) -> &str {
    match who {
        AccountHolder::Staff(person) => person.name(),
        AccountHolder::Player(player) => player.name(),
    }
}
