//! The house: who holds which office, which Players are registered, what waits for a second signature.

mod cash;
mod decide;
mod people;
mod service;
mod sessions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jackpot::{Person, Signature, TableId};
use journal::witness::AcceptedRollback;
use journal::{CredentialChange, Currency, Hash, HouseEvent, HouseLimits, Moment, PlayerKind, Proposal};
use round::PlayerId;
use rulebook::Office;

use self::cash::Cash;
pub use self::people::KeptRow;
use self::people::People;
pub use self::service::ServiceStart;
use self::service::Services;
use self::sessions::EndedSessions;
pub use self::sessions::SESSION_DAYS_MAX;
pub(crate) use decide::{Facts, check_may, check_office, signature};

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

/// What a house is from its opening on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Opened {
    name: String,
    key: [u8; 32],
    money: Currency,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct House {
    opened: Option<Opened>,
    limits: HouseLimits,
    staff: BTreeMap<Person, Office>,
    people: People,
    cash: Cash,
    ended: EndedSessions,
    /// Shared, since nodes start rarely.
    services: Arc<Services>,
    /// Shared, since most of what happens to the house leaves it alone.
    players: Arc<Players>,
    /// The Players who are prohibited from play, and the tables where that was decided.
    prohibited: AtTables,
    /// The Players whose wager under the minimum was settled once, and the tables where.
    warned: AtTables,
    proposals: BTreeMap<u64, Proposed>,
    proposed: u64,
    rollbacks: Vec<(AcceptedRollback, String)>,
    /// Whether people run it: the system appoints and opens links only before that.
    is_running: bool,
    /// When something last happened to it.
    latest: Moment,
}

impl House {
    /// The house's name, once it is open.
    pub fn name(&self) -> Option<&str> {
        self.opened.as_ref().map(|opened| opened.name.as_str())
    }

    /// The key its checkpoints are signed with, once it is open.
    pub fn key(&self) -> Option<[u8; 32]> {
        self.opened.as_ref().map(|opened| opened.key)
    }

    /// What its money is, once it is open.
    pub fn money(&self) -> Option<Currency> {
        self.opened.as_ref().map(|opened| opened.money)
    }

    /// How far one person may go alone.
    pub const fn limits(&self) -> &HouseLimits {
        &self.limits
    }

    /// When something last happened to it.
    pub(crate) const fn latest(&self) -> Moment {
        self.latest
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
        self.prohibited.0.contains_key(player)
    }

    /// Whether a wager of this Player under the minimum was settled once at any table (5.13).
    pub fn is_warned(&self, player: &PlayerId) -> bool {
        self.warned.0.contains_key(player)
    }

    /// Every Player who is prohibited from play.
    pub fn prohibited(&self) -> impl Iterator<Item = &PlayerId> {
        self.prohibited.0.keys()
    }

    /// Whether people run it: then the set-up is over.
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Whether a session ended before its time, by the digest of its token.
    pub fn has_ended(&self, session: &Hash) -> bool {
        self.ended.contains(session)
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

    /// Writes one event, which happened at this time.
    pub(crate) fn evolve(&mut self, event: &HouseEvent, at: Moment) {
        self.latest = self.latest.max(at);
        self.is_running |= is_of_people(event);
        match event {
            HouseEvent::Opened { name, key, money } => {
                self.opened = Some(Opened { name: name.clone(), key: *key, money: *money });
            }
            HouseEvent::LimitsChanged { limits } => self.limits = *limits,
            HouseEvent::Appointed { person, office } => {
                self.staff.insert(person.clone(), *office);
            }
            HouseEvent::Dismissed { person } => {
                self.staff.remove(person);
                self.people.dismissed(person);
            }
            HouseEvent::Invited { who, row } => self.people.invited(who, *row),
            HouseEvent::CredentialSet { who, how, row } => self.people.credential_set(who, *how, *row),
            HouseEvent::SecondFactorSet { person, how, row } => {
                self.people.second_factor_set(person, *how, *row);
            }
            HouseEvent::SessionEnded { session, .. } => self.ended.ended(*session, at),
            HouseEvent::ServiceStarted { node, identity, settings, .. } => {
                Arc::make_mut(&mut self.services).started(node, identity, settings);
            }
            HouseEvent::ServiceStopped { node } => Arc::make_mut(&mut self.services).stopped(node),
            HouseEvent::PlayerRegistered { player, kind } => {
                let players = Arc::make_mut(&mut self.players);
                players.kinds.insert(player.clone(), *kind);
                players.names.insert(compared(player.name()));
            }
            HouseEvent::PlayerProhibited { player, at } => self.prohibited.set(player, at, true),
            HouseEvent::PlayerReadmitted { player, at } => self.prohibited.set(player, at, false),
            HouseEvent::WarningSet { player, at, stands } => self.warned.set(player, at, *stands),
            HouseEvent::Proposed { number, proposal, by } => {
                self.proposed = *number;
                self.proposals.insert(*number, Proposed { proposal: proposal.clone(), by: by.clone() });
            }
            HouseEvent::Confirmed { number, by } => {
                if let Some(done) = self.proposals.remove(number) {
                    self.people.signed(&done.proposal, &done.by.person, &by.person, at);
                }
            }
            HouseEvent::Withdrawn { number, .. } => {
                self.proposals.remove(number);
            }
            HouseEvent::RollbackAccepted { to, seen, lost, reason } => {
                let rollback = AcceptedRollback { to: *to, seen: *seen, lost: lost.clone() };
                self.rollbacks.push((rollback, reason.clone()));
            }
            HouseEvent::BoughtIn { player, amount, .. } | HouseEvent::CashedOut { player, amount, .. } => {
                self.cash.changed(player, *amount, at);
            }
            // Money: the ledger knows. Who came and who was turned away: for those who read the log.
            HouseEvent::CreditsGranted { .. }
            | HouseEvent::DebtRepaid { .. }
            | HouseEvent::SessionBegan { .. }
            | HouseEvent::SignInRefused { .. }
            | HouseEvent::CommandDenied { .. } => {}
        }
    }
}

/// What was decided about Players at single tables and holds at all of them, while it stands at any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct AtTables(BTreeMap<PlayerId, BTreeSet<TableId>>);

impl AtTables {
    fn set(&mut self, player: &PlayerId, at: &TableId, stands: bool) {
        if stands {
            self.0.entry(player.clone()).or_default().insert(at.clone());
        } else if let Some(tables) = self.0.get_mut(player) {
            tables.remove(at);
            if tables.is_empty() {
                self.0.remove(player);
            }
        }
    }
}

/// Whether only people do this, and not the system that sets a house up.
const fn is_of_people(event: &HouseEvent) -> bool {
    match event {
        HouseEvent::Proposed { .. }
        | HouseEvent::Confirmed { .. }
        | HouseEvent::Withdrawn { .. }
        | HouseEvent::LimitsChanged { .. }
        | HouseEvent::Dismissed { .. }
        | HouseEvent::Invited { .. }
        | HouseEvent::SecondFactorSet { .. }
        | HouseEvent::SessionBegan { .. }
        | HouseEvent::SessionEnded { .. }
        | HouseEvent::BoughtIn { .. }
        | HouseEvent::CashedOut { .. }
        | HouseEvent::DebtRepaid { .. }
        | HouseEvent::PlayerProhibited { .. }
        | HouseEvent::PlayerReadmitted { .. } => true,
        HouseEvent::CredentialSet { how, .. } => !matches!(how, CredentialChange::SetUp),
        HouseEvent::Opened { .. }
        | HouseEvent::RollbackAccepted { .. }
        | HouseEvent::ServiceStarted { .. }
        | HouseEvent::ServiceStopped { .. }
        | HouseEvent::SignInRefused { .. }
        | HouseEvent::CommandDenied { .. }
        | HouseEvent::Appointed { .. }
        | HouseEvent::PlayerRegistered { .. }
        | HouseEvent::WarningSet { .. }
        | HouseEvent::CreditsGranted { .. } => false,
    }
}

/// A name as it is compared with others: upper and lower case are the same.
pub(crate) fn compared(name: &str) -> String {
    name.to_lowercase()
}
