//! The house's own stream: people, money over the counter, and what two people signed.

use jackpot::{DUE_DILIGENCE_FROM, Pair, Signature};
use journal::{Actor, Event, HouseEvent, PlayerKind, Stream};
use money::Money;
use round::PlayerId;
use rulebook::Office;

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{Confirmed, Notes};
use super::transfers::difference;
use crate::house::House;
use crate::moves;

/// Follows the house.
#[derive(Debug, Default)]
pub(super) struct HouseAudit {
    house: House,
}

impl HouseAudit {
    /// The house as it stands after what was followed.
    pub(super) fn into_house(self) -> House {
        self.house
    }

    /// What one command did.
    pub(super) fn command(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        for told in group {
            let Event::House(event) = &told.event else {
                notes.findings.at(
                    Kind::Form,
                    &Stream::House,
                    told.entry.version,
                    "this is no event of a house",
                );
                continue;
            };
            let actor = &told.entry.actor;
            if let Some(what) = self.wrong(actor, event) {
                notes.findings.at(Kind::People, &Stream::House, told.entry.version, what);
            }
            if let Some(what) = difference(&told.entry.transfers, &moves::of_house(event)) {
                notes.findings.at(Kind::Money, &Stream::House, told.entry.version, what);
            }
            self.note(told, event, notes);
            self.house.evolve(event);
        }
    }

    /// Why this cannot have been done by them, or now.
    fn wrong(&self, actor: &Actor, event: &HouseEvent) -> Option<String> {
        let opens = matches!(event, HouseEvent::Opened { .. });
        if opens == self.house.name().is_some() {
            return Some(if opens { "the house opened twice" } else { "the house is not open" }.to_owned());
        }
        self.not_held(actor).or_else(|| self.wrong_event(actor, event))
    }

    /// An office that is claimed and not held.
    fn not_held(&self, actor: &Actor) -> Option<String> {
        let Actor::Staff(person, office) = actor else {
            return None;
        };
        let held = self.house.office(person);
        held.is_none_or(|held| held < *office).then(|| format!("{actor} does not hold that office"))
    }

    fn wrong_event(&self, actor: &Actor, event: &HouseEvent) -> Option<String> {
        match event {
            HouseEvent::Opened { .. } => {
                (*actor != Actor::System).then(|| format!("{actor} opened the house"))
            }
            HouseEvent::Appointed { .. } | HouseEvent::Dismissed { .. } => {
                below(actor, Office::GamingShiftManager)
            }
            HouseEvent::PlayerRegistered { player, .. } => below(actor, Office::Dealer)
                .or_else(|| self.house.player(player).map(|_| format!("{player} was registered before"))),
            HouseEvent::BoughtIn { player, amount, identity, .. } => below(actor, Office::Dealer)
                .or_else(|| self.not_known(player))
                .or_else(|| no_identity(*amount, identity.as_deref())),
            HouseEvent::CreditsGranted { player, .. } => {
                let member = self.house.player(player) == Some(PlayerKind::Member);
                below(actor, Office::PitManager)
                    .or_else(|| self.not_known(player))
                    .or_else(|| member.then(|| format!("{player} is no guest and got play credits")))
            }
            HouseEvent::CashedOut { player, amount, identity, .. } => {
                let member = self.house.player(player) == Some(PlayerKind::Member);
                below(actor, Office::PitSupervisor)
                    .or_else(|| (!member).then(|| format!("{player} has no money of their own to cash out")))
                    .or_else(|| no_identity(*amount, identity.as_deref()))
            }
            HouseEvent::DebtRepaid { player, .. } => {
                below(actor, Office::Dealer).or_else(|| self.not_known(player))
            }
            HouseEvent::PlayerProhibited { .. } | HouseEvent::PlayerReadmitted { .. } => None,
            HouseEvent::Proposed { number, by, .. } => {
                let next = self.house.next_proposal();
                not_signed(actor, by)
                    .or_else(|| (*number != next).then(|| format!("proposal {number} should be {next}")))
            }
            HouseEvent::Confirmed { number, by } => {
                not_signed(actor, by).or_else(|| self.wrong_second(*number, by))
            }
            HouseEvent::Withdrawn { number, by } => not_signed(actor, by).or_else(|| self.not_open(*number)),
        }
    }

    fn not_known(&self, player: &PlayerId) -> Option<String> {
        self.house.player(player).is_none().then(|| format!("{player} was never registered"))
    }

    fn not_open(&self, number: u64) -> Option<String> {
        self.house.proposal(number).is_none().then(|| format!("proposal {number} is not open"))
    }

    /// A second signature must be another person's.
    fn wrong_second(&self, number: u64, by: &Signature) -> Option<String> {
        let Some(open) = self.house.proposal(number) else {
            return self.not_open(number);
        };
        (open.by.person == by.person).then(|| format!("{} signed proposal {number} twice", by.person))
    }

    /// What other streams must say too.
    fn note(&self, told: &LoggedEvent, event: &HouseEvent, notes: &mut Notes) {
        let (command, version) = (told.entry.command, told.entry.version);
        match event {
            HouseEvent::Appointed { person, office } => {
                let held = notes.offices.entry(person.clone()).or_insert(*office);
                *held = (*held).max(*office);
            }
            HouseEvent::PlayerRegistered { player, .. } => {
                notes.players.insert(player.clone());
            }
            HouseEvent::PlayerProhibited { player, at } => {
                notes.prohibited.insert(player.clone());
                notes.admissions.insert(command, (at.clone(), version));
            }
            HouseEvent::PlayerReadmitted { at, .. } => {
                notes.admissions.insert(command, (at.clone(), version));
            }
            HouseEvent::Confirmed { number, by } => {
                if let Some(open) = self.house.proposal(*number) {
                    let pair = Pair { first: open.by.clone(), second: by.clone() };
                    let proposal = open.proposal.clone();
                    let confirmed = Confirmed { proposal, pair, version, done: false };
                    notes.confirmed.insert(command, confirmed);
                }
            }
            HouseEvent::Opened { .. }
            | HouseEvent::Dismissed { .. }
            | HouseEvent::BoughtIn { .. }
            | HouseEvent::CreditsGranted { .. }
            | HouseEvent::CashedOut { .. }
            | HouseEvent::DebtRepaid { .. }
            | HouseEvent::Proposed { .. }
            | HouseEvent::Withdrawn { .. } => {}
        }
    }
}

/// Somebody below an office; the system may do what an office may.
fn below(actor: &Actor, least: Office) -> Option<String> {
    match actor {
        Actor::System => None,
        Actor::Staff(_, office) if least <= *office => None,
        Actor::Staff(..) | Actor::Player(_) => Some(format!("{actor} did what takes a {least}")),
    }
}

/// A signature that is not of whoever acted.
pub(super) fn not_signed(actor: &Actor, by: &Signature) -> Option<String> {
    let own = matches!(actor, Actor::Staff(person, office) if *person == by.person && *office == by.office);
    (!own).then(|| format!("{actor} acted under the signature of {}", by.person))
}

/// Large amounts need the record of an identity.
fn no_identity(amount: Money, identity: Option<&str>) -> Option<String> {
    (DUE_DILIGENCE_FROM <= amount && identity.is_none())
        .then(|| format!("{amount} changed hands without a record of the Player's identity"))
}
