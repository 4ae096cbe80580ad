//! The house: who holds which office, which Players are registered, what waits for a second signature.

mod decide;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::{Person, Signature, TableId};
use journal::witness::AcceptedRollback;
use journal::{HouseEvent, PlayerKind, Proposal};
use round::PlayerId;
use rulebook::Office;

pub(crate) use decide::{check_office, least_office, signature};

/// Something that waits for a second signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    pub proposal: Proposal,
    /// Who signed first.
    pub by: Signature,
}

/// Every Player who is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Players {
    kinds: BTreeMap<PlayerId, PlayerKind>,
    /// Their names as they are compared.
    names: BTreeSet<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct House {
    opened: Option<(String, [u8; 32])>,
    staff: BTreeMap<Person, Office>,
    /// Shared, since most of what happens to the house leaves it alone.
    players: Arc<Players>,
    /// The Players who are prohibited from play, and the tables where that was decided.
    prohibited: BTreeMap<PlayerId, BTreeSet<TableId>>,
    proposals: BTreeMap<u64, Proposed>,
    proposed: u64,
    rollbacks: Vec<(AcceptedRollback, String)>,
}

impl House {
    /// The house's name, once it is open.
    pub fn name(&self) -> Option<&str> {
        self.opened.as_ref().map(|(name, _)| name.as_str())
    }

    /// The key its checkpoints are signed with, once it is open.
    pub fn key(&self) -> Option<[u8; 32]> {
        self.opened.as_ref().map(|(_, key)| *key)
    }

    /// The office somebody holds.
    pub fn office(&self, person: &Person) -> Option<Office> {
        self.staff.get(person).copied()
    }

    /// Everybody who holds an office.
    pub fn staff(&self) -> impl Iterator<Item = (&Person, Office)> {
        self.staff.iter().map(|(person, office)| (person, *office))
    }

    /// What kind of Player somebody is, where they are known.
    pub fn player(&self, player: &PlayerId) -> Option<PlayerKind> {
        self.players.kinds.get(player).copied()
    }

    /// Every Player.
    pub fn players(&self) -> impl Iterator<Item = (&PlayerId, PlayerKind)> {
        self.players.kinds.iter().map(|(player, kind)| (player, *kind))
    }

    /// Whether a Player goes by this name, or by one that looks like it.
    pub(crate) fn is_player_name(&self, name: &str) -> bool {
        self.players.names.contains(&compared(name))
    }

    /// Whether a Player is prohibited from play (5.9): at every table, while any prohibition stands.
    pub fn is_prohibited(&self, player: &PlayerId) -> bool {
        self.prohibited.contains_key(player)
    }

    /// Every Player who is prohibited from play.
    pub fn prohibited(&self) -> impl Iterator<Item = &PlayerId> {
        self.prohibited.keys()
    }

    /// An open proposal.
    pub fn proposal(&self, number: u64) -> Option<&Proposed> {
        self.proposals.get(&number)
    }

    /// Every open proposal, by number.
    pub fn proposals(&self) -> impl Iterator<Item = (u64, &Proposed)> {
        self.proposals.iter().map(|(number, proposed)| (*number, proposed))
    }

    /// The older logs that were restored on purpose, each with the reason given.
    pub fn rollbacks(&self) -> &[(AcceptedRollback, String)] {
        &self.rollbacks
    }

    /// The number the next proposal gets.
    pub(crate) fn next_proposal(&self) -> u64 {
        self.proposed.saturating_add(1)
    }

    /// Writes one event.
    pub(crate) fn evolve(&mut self, event: &HouseEvent) {
        match event {
            HouseEvent::Opened { name, key } => self.opened = Some((name.clone(), *key)),
            HouseEvent::Appointed { person, office } => {
                self.staff.insert(person.clone(), *office);
            }
            HouseEvent::Dismissed { person } => {
                self.staff.remove(person);
            }
            HouseEvent::PlayerRegistered { player, kind } => {
                let players = Arc::make_mut(&mut self.players);
                players.kinds.insert(player.clone(), *kind);
                players.names.insert(compared(player.name()));
            }
            HouseEvent::PlayerProhibited { player, at } => {
                self.prohibited.entry(player.clone()).or_default().insert(at.clone());
            }
            HouseEvent::PlayerReadmitted { player, at } => {
                if let Some(tables) = self.prohibited.get_mut(player) {
                    tables.remove(at);
                }
                self.prohibited.retain(|_, tables| !tables.is_empty());
            }
            HouseEvent::Proposed { number, proposal, by } => {
                self.proposed = *number;
                self.proposals.insert(*number, Proposed { proposal: proposal.clone(), by: by.clone() });
            }
            HouseEvent::Confirmed { number, .. } | HouseEvent::Withdrawn { number, .. } => {
                self.proposals.remove(number);
            }
            HouseEvent::RollbackAccepted { to, seen, lost, reason } => {
                let rollback = AcceptedRollback { to: *to, seen: *seen, lost: lost.clone() };
                self.rollbacks.push((rollback, reason.clone()));
            }
            // Money: the ledger knows.
            HouseEvent::BoughtIn { .. }
            | HouseEvent::CreditsGranted { .. }
            | HouseEvent::CashedOut { .. }
            | HouseEvent::DebtRepaid { .. } => {}
        }
    }
}

/// A name as it is compared with others: upper and lower case are the same.
pub(crate) fn compared(name: &str) -> String {
    name.to_lowercase()
}
