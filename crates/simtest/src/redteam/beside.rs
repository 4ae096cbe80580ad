//! What the server keeps beside the log of an attacked floor: each command that sets a password, an invitation or a second
//! factor names its row, and the row is kept with it, as the server does.

use std::collections::BTreeMap;

use floor::{Command, HouseCommand};
use jackpot::Person;
use journal::vault::{kind, row_digest};
use journal::{AccountHolder, CredentialChange, Hash, Sealed, SecondFactorChange, VaultKey};

use crate::node_process::signer;

/// The keys of the rows that a later change takes away.
#[derive(Debug, Default)]
pub(super) struct Beside {
    invitations: BTreeMap<AccountHolder, String>,
    sessions: BTreeMap<AccountHolder, Vec<String>>,
    made: u64,
}

fn row(kind: &str, key: &str, value: Option<String>) -> Sealed {
    Sealed { kind: kind.to_owned(), key: key.to_owned(), value: value.map(String::into_bytes) }
}

fn digest(row: &Sealed) -> Hash {
    let stored = VaultKey::derived(signer()).seal(row.clone()).value.expect("a row with a value");
    row_digest(&row.kind, &row.key, &stored)
}

fn key(who: &AccountHolder) -> String {
    match who {
        AccountHolder::Staff(person) => person.name().to_lowercase(),
        AccountHolder::Player(player) => player.name().to_lowercase(),
    }
}

impl Beside {
    /// A command as the server gives it, with its rows.
    pub(super) fn with_rows(&mut self, command: Command) -> (Command, Vec<Sealed>) {
        self.made += 1;
        let secret = format!("secret {}", self.made);
        match command {
            Command::House(HouseCommand::SetCredential { who, how, .. })
                if how != CredentialChange::Withdrawn =>
            {
                let kept = row(kind::CREDENTIAL, &key(&who), Some(secret));
                let named = Some(digest(&kept));
                let mut rows = self.gone(&who);
                rows.push(kept);
                (HouseCommand::SetCredential { who, how, row: named }.into(), rows)
            }
            Command::House(HouseCommand::Invite { who, .. }) => {
                let kept = row(kind::INVITATION, &secret, Some(key(&who)));
                let named = Some(digest(&kept));
                let earlier = self.invitations.get(&who).map(|key| row(kind::INVITATION, key, None));
                let rows = earlier.into_iter().chain([kept]).collect();
                (HouseCommand::Invite { who, row: named }.into(), rows)
            }
            Command::House(HouseCommand::SetSecondFactor { person, how, .. })
                if how != SecondFactorChange::Removed =>
            {
                let kept = row(kind::SECOND_FACTOR, &person.name().to_lowercase(), Some(secret));
                let named = Some(digest(&kept));
                (HouseCommand::SetSecondFactor { person, how, row: named }.into(), vec![kept])
            }
            Command::House(HouseCommand::EndSession { who, session }) => {
                let gone = row(kind::SESSION, &session.to_string(), None);
                (HouseCommand::EndSession { who, session }.into(), vec![gone])
            }
            other => (other, Vec::new()),
        }
    }

    /// A command was taken, with its rows.
    pub(super) fn taken(&mut self, command: &Command, rows: &[Sealed]) {
        if let Command::House(HouseCommand::SetCredential { who, .. }) = command {
            self.invitations.remove(who);
            self.sessions.remove(who);
        } else if let (Command::House(HouseCommand::Invite { who, .. }), Some(kept)) = (command, rows.last())
        {
            self.invitations.insert(who.clone(), kept.key.clone());
        } else if let Command::House(HouseCommand::EndSession { who, session }) = command {
            self.sessions.entry(who.clone()).or_default().retain(|key| *key != session.to_string());
        }
    }

    /// What goes with a password.
    fn gone(&self, who: &AccountHolder) -> Vec<Sealed> {
        let invitation = self.invitations.get(who).map(|key| row(kind::INVITATION, key, None));
        let sessions = self.sessions.get(who).into_iter().flatten().map(|key| row(kind::SESSION, key, None));
        invitation.into_iter().chain(sessions).collect()
    }

    /// A session of somebody of the staff, who signs in by this password.
    pub(super) fn session(&mut self, name: &str, number: u8, credential: Option<Hash>) -> Sealed {
        let who = AccountHolder::Staff(Person::new(name));
        let key = session_of(name, number).to_string();
        let credential = credential.map_or_else(|| "null".to_owned(), |row| format!("\"{row}\""));
        let value = format!("{{\"subject\":{{\"staff\":\"{name}\"}},\"credential\":{credential}}}");
        self.sessions.entry(who).or_default().push(key.clone());
        row(kind::SESSION, &key, Some(value))
    }
}

/// The digest of the token of a session.
pub(super) fn session_of(name: &str, number: u8) -> Hash {
    Hash::of([name.as_bytes(), &[number]])
}
