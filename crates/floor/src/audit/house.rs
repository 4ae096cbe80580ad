//! The house's stream: every command given again, and what it signs noted for the other streams.

use jackpot::Person;
use journal::{
    Actor, Change, Command, DeviceScope, Event, HouseEvent, HouseLimits, Moment, Proposal, Stream,
    TableCommand,
};
use money::Money;
use round::Command as InRound;

use super::cause::cause_of;
use super::difference::{as_logged, difference as event_difference, of_house};
use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{ActingNoted, Confirmed, Made, Notes};
use super::transfers::difference;
use crate::house::{Acting, Facts, House};
use crate::moves;

/// Follows the house.
#[derive(Debug, Default)]
pub(super) struct HouseAudit {
    house: House,
}

impl HouseAudit {
    /// Follows a house that was carried forward.
    pub(super) const fn of(house: House) -> HouseAudit {
        HouseAudit { house }
    }

    /// The house as it stands after what was followed.
    pub(super) fn into_house(self) -> House {
        self.house
    }

    /// The house as it stands.
    pub(super) const fn house(&self) -> &House {
        &self.house
    }

    /// What one command did.
    pub(super) fn command(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        let is_warning =
            |item: &LoggedEvent| matches!(item.event, Event::House(HouseEvent::WarningSet { .. }));
        let warnings = group.iter().rev().take_while(|item| is_warning(item)).count();
        let (group, warnings) = group.split_at(group.len().saturating_sub(warnings));
        if group.is_empty() {
            let _ = cause_of(warnings, notes);
            return self.warned(warnings, notes);
        }
        let expected = self.expected(group, notes);
        for (place, item) in group.iter().enumerate() {
            let version = item.entry.version;
            let Event::House(event) = &item.event else {
                let what = "this event does not belong to the house";
                notes.findings.at(Kind::Form, &Stream::House, version, what);
                continue;
            };
            let what = match expected.as_ref().map(|expected| expected.get(place)) {
                Some(Some(expected)) if expected != event => {
                    Some(event_difference(&item.event, &of_house(expected)))
                }
                Some(None) => Some(format!("its command does not cause this: {}", as_logged(&item.event))),
                Some(Some(_)) | None => None,
            };
            if let Some(what) = what {
                notes.findings.at(Kind::People, &Stream::House, version, what);
            }
            if let Some(what) = difference(&item.entry.transfers, &moves::of_house(event)) {
                notes.findings.at(Kind::Money, &Stream::House, version, what);
            }
            self.note(item, event, notes);
            self.house.evolve(event, item.entry.at);
            self.house.note_maker(&item.entry.actor, event);
        }
        let missing = expected.as_ref().and_then(|expected| expected.get(group.len()));
        if let (Some(missing), Some(last)) = (missing, group.last()) {
            let what = format!("what must follow is missing: {}", as_logged(&of_house(missing)));
            notes.findings.at(Kind::People, &Stream::House, last.entry.version, what);
        }
        self.warned(warnings, notes);
    }

    /// Warnings come from the settlement at a table, which must say the same.
    fn warned(&mut self, warnings: &[LoggedEvent], notes: &mut Notes) {
        for item in warnings {
            let Event::House(event) = &item.event else { continue };
            if let HouseEvent::WarningSet { player, at, .. } = event {
                let version = item.entry.version;
                notes.warned.insert(player.clone());
                notes.warnings.insert((item.entry.command, player.clone()), (at.clone(), version));
            }
            self.house.evolve(event, item.entry.at);
        }
    }

    /// What the house makes of the command of some entries. `None` where that cannot be known, which has been said.
    fn expected(&self, group: &[LoggedEvent], notes: &mut Notes) -> Option<Vec<HouseEvent>> {
        let first = &group.first()?.entry;
        let decided = match cause_of(group, notes)? {
            Command::House(command) => {
                let may_be_earlier = !group.iter().any(|item| is_of_departments(&item.event));
                // What changes and what was paid elsewhere is not in this stream.
                let (at, changes, paid) = (first.at, changes_of(group), Money::ZERO);
                let facts = Facts { at, owed: None, holds: None, may_be_earlier, changes, paid };
                self.house.decide(&first.actor, &command, facts)
            }
            Command::Table {
                table,
                command: TableCommand::Round(InRound::ProhibitPlayer { player, reason }),
            } => Ok(vec![HouseEvent::PlayerProhibited { player, at: table, reason }]),
            Command::Table { table, command: TableCommand::Round(InRound::ReadmitPlayer { player }) } => {
                Ok(vec![HouseEvent::PlayerReadmitted { player, at: table }])
            }
            Command::Table { .. } | Command::Desk { .. } | Command::CarryForward { .. } => Ok(Vec::new()),
        };
        match decided {
            Ok(events) if events.is_empty() => {
                let what = "the command that caused this does nothing to the house";
                notes.findings.at(Kind::Form, &Stream::House, first.version, what);
                None
            }
            Ok(events) => Some(events),
            Err(refusal) => {
                let what = format!("the house refuses this command: {refusal}");
                notes.findings.at(Kind::People, &Stream::House, first.version, what);
                None
            }
        }
    }

    /// What other streams must say too.
    fn note(&self, item: &LoggedEvent, event: &HouseEvent, notes: &mut Notes) {
        let (command, version) = (item.entry.command, item.entry.version);
        if let HouseEvent::Appointed { person, .. }
        | HouseEvent::ActingAppointed { person, .. }
        | HouseEvent::ActingEnded { person }
        | HouseEvent::Dismissed { person } = event
        {
            end_acting(person, item.entry.at, notes);
        }
        if let (HouseEvent::DeviceKeyMade { device, .. }, Actor::Staff(maker, _) | Actor::Acting(maker, _)) =
            (event, &item.entry.actor)
        {
            notes.key_makers.push((device.clone(), item.entry.at, maker.clone()));
        }
        if let HouseEvent::Appointed { person, department, .. } = event
            && !department.is_table_games()
        {
            notes.departments.insert((person.clone(), *department));
        } else if let HouseEvent::Appointed { person, office, .. } = event {
            let held = notes.offices.entry(person.clone()).or_insert(*office);
            *held = (*held).max(*office);
        } else if let HouseEvent::ActingAppointed { person, office, from, until } = event {
            let acting = Acting { office: *office, from: *from, until: *until };
            let (person, given) = (person.clone(), item.entry.at);
            notes.acting.push(ActingNoted { person, acting, given, ended: None });
        } else if let HouseEvent::DeviceKeyMade { device, scope: DeviceScope::Shoe { table }, .. } = event {
            notes.shoes.insert((device.clone(), table.clone()));
        } else if let HouseEvent::Opened { money, .. } = event {
            notes.money = *money;
            notes.limited(&HouseLimits::default());
        } else if let HouseEvent::LimitsChanged { limits } = event {
            notes.limited(limits);
        } else if let HouseEvent::ServiceStarted { .. } = event {
            notes.dates_since.get_or_insert(item.entry.at);
        } else if let HouseEvent::PlayerRegistered { player, .. } = event {
            notes.players.insert(player.clone());
        } else if let HouseEvent::PlayerProhibited { player, at, .. } = event {
            notes.prohibited.insert(player.clone());
            notes.admissions.insert(command, (at.clone(), version));
        } else if let HouseEvent::PlayerReadmitted { at, .. } = event {
            notes.admissions.insert(command, (at.clone(), version));
        } else if let HouseEvent::Confirmed { number, by } = event
            && let Some((proposal, pair)) = self.house.signed(*number, by)
        {
            if let Proposal::Appoint { person, .. }
            | Proposal::AppointActing { person, .. }
            | Proposal::InviteStaff { person } = &proposal
            {
                let by = [pair.first.person.clone(), pair.second.person.clone()];
                notes.made.push(Made { person: person.clone(), by, at: item.entry.at });
            }
            // Compared by name here too, so that a fault in the rules of the house does not hide it.
            if pair.first.person == pair.second.person {
                let what = format!("{} signed proposal {number} twice", by.person);
                notes.findings.at(Kind::People, &Stream::House, version, what);
            }
            // Tables take a change of rules later, and only a link that does not have its book takes it now.
            let is_done = matches!(proposal, Proposal::ChangeRules { .. });
            if is_done || concerns_others(&proposal) {
                notes.confirmed.insert(command, Confirmed { proposal, pair, version, done: is_done });
            }
        }
    }
}

/// Nobody acts any longer in an office they were given before.
fn end_acting(person: &Person, at: Moment, notes: &mut Notes) {
    let open = notes.acting.iter_mut().filter(|noted| noted.person == *person && noted.ended.is_none());
    open.for_each(|noted| noted.ended = Some(at));
}

/// The changes that a proposal was logged with.
fn changes_of(group: &[LoggedEvent]) -> &[Change] {
    let changes = group.iter().find_map(|item| match &item.event {
        Event::House(HouseEvent::Proposed { changes, .. }) => Some(changes.as_slice()),
        Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => None,
    });
    changes.unwrap_or_default()
}

/// Whether an event can only have been written since proposals take two departments and expire, and invitations have
/// halves.
const fn is_of_departments(event: &Event) -> bool {
    matches!(
        event,
        Event::House(
            HouseEvent::Proposed { expires: Some(_), .. } | HouseEvent::Invited { half_by: Some(_), .. }
        )
    )
}

/// Whether a proposal is carried out by a table or a link, and not by the house alone.
const fn concerns_others(proposal: &Proposal) -> bool {
    match proposal {
        Proposal::RejectAward { .. }
        | Proposal::RuleOnAward { .. }
        | Proposal::ReleaseAward { .. }
        | Proposal::AdjustMeter { .. }
        | Proposal::Reconfigure { .. }
        | Proposal::ClearFault { .. }
        | Proposal::AnnounceClosing { .. }
        | Proposal::CloseLink { .. }
        | Proposal::UndoRound { .. }
        | Proposal::Rule { .. }
        | Proposal::SettleRound { .. }
        | Proposal::OpenLink { .. }
        | Proposal::ChangeTableLimits { .. }
        | Proposal::OpenTable { .. } => true,
        Proposal::Appoint { .. }
        | Proposal::AppointActing { .. }
        | Proposal::Dismiss { .. }
        | Proposal::InviteStaff { .. }
        | Proposal::RemoveSecondFactor { .. }
        | Proposal::BuyIn { .. }
        | Proposal::CashOut { .. }
        | Proposal::SignDay { .. }
        | Proposal::ChangeSigningKey { .. }
        | Proposal::ChangeRules { .. }
        | Proposal::ChangeHouseLimits { .. } => false,
    }
}
