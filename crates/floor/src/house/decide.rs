//! What a command does to the house, or why it is refused. Pure, like the rules of a round and a link, so that an auditor
//! gets the same answer from the same house.

use jackpot::{Pair, Person, Signature};
use journal::{Actor, Amount, Hash, HouseCommand, HouseEvent, PlayerKind, Proposal};
use money::Money;
use round::PlayerId;
use rulebook::{Clause, Office};

use super::House;
use crate::decide::{check_amount, check_free, check_name, check_text};
use crate::refusal::{Reason, Refusal};

/// From this amount on a Player's identity must be on record when cash changes hands.
const IDENTITY_FROM: Money = jackpot::DUE_DILIGENCE_FROM;

impl House {
    /// What `command` does to the house, or why it is refused. A command that opens a table or a link does nothing to the
    /// house, and is refused here only where the actor may not give it.
    ///
    /// `owed` is what the Player's debt account holds, zero or below. Without it the rules about debts are not checked:
    /// an auditor who reads one stream does not know it. What a wallet holds is checked where money moves.
    pub(crate) fn decide(
        &self,
        actor: &Actor,
        command: &HouseCommand,
        owed: Option<Amount>,
    ) -> Result<Vec<HouseEvent>, Refusal> {
        if let HouseCommand::OpenHouse { name, key } = command {
            self.check_known(actor)?;
            return self.open(actor, name, *key);
        }
        self.check_actor(actor)?;
        if let HouseCommand::AcceptRollback { to, seen, lost, reason } = command {
            return accept_rollback(actor, *to, *seen, lost, reason);
        }
        check_office(actor, least_office(command), None)?;
        let event = match command {
            HouseCommand::OpenHouse { .. }
            | HouseCommand::AcceptRollback { .. }
            | HouseCommand::OpenLink { .. }
            | HouseCommand::OpenTable { .. } => return Ok(Vec::new()),
            HouseCommand::Appoint { person, office } => self.appoint(person, *office)?,
            HouseCommand::Dismiss { person } => self.dismiss(person)?,
            HouseCommand::RegisterPlayer { player, kind } => self.register(player, *kind)?,
            HouseCommand::BuyIn { player, amount, means, identity } => {
                self.check_member(player)?;
                check_amount(*amount)?;
                let identity = check_identity(*amount, identity.as_deref())?;
                HouseEvent::BoughtIn { player: player.clone(), amount: *amount, means: *means, identity }
            }
            HouseCommand::GrantCredits { player, amount } => self.grant(player, *amount)?,
            HouseCommand::CashOut { player, amount, means, identity } => {
                self.check_member(player)?;
                check_amount(*amount)?;
                let identity = check_identity(*amount, identity.as_deref())?;
                if owed.is_some_and(|owed| owed < Amount::ZERO) {
                    return Err(Reason::DebtIsOpen.refuse());
                }
                HouseEvent::CashedOut { player: player.clone(), amount: *amount, means: *means, identity }
            }
            HouseCommand::RepayDebt { player, amount } => self.repay(player, *amount, owed)?,
            HouseCommand::Propose { proposal } => {
                let number = self.next_proposal();
                HouseEvent::Proposed { number, proposal: proposal.clone(), by: signature(actor)? }
            }
            HouseCommand::Confirm { number } => self.confirm(*number, signature(actor)?)?,
            HouseCommand::WithdrawProposal { number } => self.withdraw(*number, signature(actor)?)?,
        };
        Ok(vec![event])
    }

    /// Refuses everybody while the house is not open, and those it does not know.
    pub(crate) fn check_actor(&self, actor: &Actor) -> Result<(), Refusal> {
        if self.name().is_none() {
            return Err(Reason::HouseIsNotOpen.refuse());
        }
        self.check_known(actor)
    }

    /// Refuses a Player who is not registered, and staff who claim an office they do not hold.
    fn check_known(&self, actor: &Actor) -> Result<(), Refusal> {
        match actor {
            Actor::Player(player) if self.player(player).is_none() => Err(Reason::NotAPlayer.refuse()),
            Actor::Staff(person, office) if !self.holds(person, *office) => {
                Err(Reason::NotOfTheStaff.refuse())
            }
            Actor::System | Actor::Player(_) | Actor::Staff(..) => Ok(()),
        }
    }

    /// Whether somebody holds an office, or a higher one.
    fn holds(&self, person: &Person, office: Office) -> bool {
        self.office(person).is_some_and(|held| office <= held)
    }

    fn open(&self, actor: &Actor, name: &str, key: [u8; 32]) -> Result<Vec<HouseEvent>, Refusal> {
        if *actor != Actor::System {
            return Err(Reason::StaffOnly.refuse());
        }
        if self.name().is_some() {
            return Err(Reason::HouseIsOpen.refuse());
        }
        check_name(name)?;
        Ok(vec![HouseEvent::Opened { name: name.to_owned(), key }])
    }

    fn appoint(&self, person: &Person, office: Office) -> Result<HouseEvent, Refusal> {
        check_name(person.name())?;
        let others = self.staff().map(|(other, _)| other).filter(|other| *other != person);
        check_free(person.name(), others.map(Person::name))?;
        match self.office(person) {
            Some(held) if held == office => return Err(Reason::NothingChanges.refuse()),
            Some(Office::GamingShiftManager) => self.check_another_manager(person)?,
            Some(Office::Dealer | Office::PitSupervisor | Office::PitManager) | None => {}
        }
        Ok(HouseEvent::Appointed { person: person.clone(), office })
    }

    fn dismiss(&self, person: &Person) -> Result<HouseEvent, Refusal> {
        match self.office(person) {
            None => return Err(Reason::NoSuchPerson.refuse()),
            Some(Office::GamingShiftManager) => self.check_another_manager(person)?,
            Some(Office::Dealer | Office::PitSupervisor | Office::PitManager) => {}
        }
        Ok(HouseEvent::Dismissed { person: person.clone() })
    }

    /// Without its highest office a floor could never appoint anybody again.
    fn check_another_manager(&self, person: &Person) -> Result<(), Refusal> {
        let mut others = self.staff().filter(|(other, _)| *other != person);
        if others.any(|(_, office)| office == Office::GamingShiftManager) {
            return Ok(());
        }
        Err(Reason::LastShiftManager.refuse())
    }

    fn register(&self, player: &PlayerId, kind: PlayerKind) -> Result<HouseEvent, Refusal> {
        check_name(player.name())?;
        if self.is_player_name(player.name()) {
            return Err(Reason::NameIsTaken.refuse());
        }
        Ok(HouseEvent::PlayerRegistered { player: player.clone(), kind })
    }

    fn grant(&self, player: &PlayerId, amount: Money) -> Result<HouseEvent, Refusal> {
        match self.check_player(player)? {
            PlayerKind::Member => return Err(Reason::NotForMembers.refuse()),
            PlayerKind::Guest | PlayerKind::House => {}
        }
        check_amount(amount)?;
        Ok(HouseEvent::CreditsGranted { player: player.clone(), amount })
    }

    fn repay(&self, player: &PlayerId, amount: Money, owed: Option<Amount>) -> Result<HouseEvent, Refusal> {
        self.check_player(player)?;
        check_amount(amount)?;
        if let Some(owed) = owed {
            let left = owed.plus(crate::moves::fine(amount)).map_err(|_| Reason::AmountTooLarge.refuse())?;
            if Amount::ZERO < left {
                return Err(Reason::NotSoMuchOwed.refuse());
            }
        }
        Ok(HouseEvent::DebtRepaid { player: player.clone(), amount })
    }

    /// Refuses a Player who is not registered.
    pub(crate) fn check_player(&self, player: &PlayerId) -> Result<PlayerKind, Refusal> {
        self.player(player).ok_or_else(|| Reason::NotAPlayer.refuse())
    }

    /// Refuses cash to and from those who play with credits that are nobody's money.
    fn check_member(&self, player: &PlayerId) -> Result<(), Refusal> {
        match self.check_player(player)? {
            PlayerKind::Member => Ok(()),
            PlayerKind::Guest | PlayerKind::House => Err(Reason::PlayCreditsOnly.refuse()),
        }
    }

    /// A second person signs. The first must still hold the office they signed in.
    fn confirm(&self, number: u64, second: Signature) -> Result<HouseEvent, Refusal> {
        let Some(open) = self.proposal(number) else {
            return Err(Reason::NoSuchProposal.refuse());
        };
        if open.by.person == second.person {
            return Err(Reason::OnePersonTwice.refuse());
        }
        if !self.holds(&open.by.person, open.by.office) {
            return Err(Reason::NotOfTheStaff.because(&format_args!("({})", open.by.person)));
        }
        Ok(HouseEvent::Confirmed { number, by: second })
    }

    /// Taken back by the person who proposed it, or turned down by a Pit Manager.
    fn withdraw(&self, number: u64, by: Signature) -> Result<HouseEvent, Refusal> {
        let Some(open) = self.proposal(number) else {
            return Err(Reason::NoSuchProposal.refuse());
        };
        if open.by.person != by.person && by.office < Office::PitManager {
            return Err(Reason::NotYours.refuse());
        }
        Ok(HouseEvent::Withdrawn { number, by })
    }

    /// An open proposal with both signatures, `second` being the one that confirms it.
    pub(crate) fn signed(&self, number: u64, second: &Signature) -> Option<(Proposal, Pair)> {
        let open = self.proposal(number)?;
        Some((open.proposal.clone(), Pair { first: open.by.clone(), second: second.clone() }))
    }
}

/// Only whoever starts the program can accept a rollback, and the program passes that on.
fn accept_rollback(
    actor: &Actor,
    to: u64,
    seen: u64,
    lost: &[Hash],
    reason: &str,
) -> Result<Vec<HouseEvent>, Refusal> {
    if *actor != Actor::System {
        return Err(Reason::StaffOnly.refuse());
    }
    check_text(reason)?;
    Ok(vec![HouseEvent::RollbackAccepted { to, seen, lost: lost.to_vec(), reason: reason.to_owned() }])
}

/// The lowest office that may give a command.
pub(crate) const fn least_office(command: &HouseCommand) -> Office {
    match command {
        HouseCommand::RegisterPlayer { .. }
        | HouseCommand::BuyIn { .. }
        | HouseCommand::RepayDebt { .. }
        | HouseCommand::WithdrawProposal { .. } => Office::Dealer,
        HouseCommand::CashOut { .. } | HouseCommand::Propose { .. } | HouseCommand::Confirm { .. } => {
            Office::PitSupervisor
        }
        HouseCommand::GrantCredits { .. } | HouseCommand::OpenTable { .. } => Office::PitManager,
        HouseCommand::OpenHouse { .. }
        | HouseCommand::AcceptRollback { .. }
        | HouseCommand::Appoint { .. }
        | HouseCommand::Dismiss { .. }
        | HouseCommand::OpenLink { .. } => Office::GamingShiftManager,
    }
}

/// Refuses anybody below an office; the system may do what any office may. Cites a clause where there is one.
pub(crate) fn check_office(actor: &Actor, least: Office, clause: Option<Clause>) -> Result<(), Refusal> {
    let reason = match actor {
        Actor::Player(_) => Reason::StaffOnly,
        Actor::Staff(_, office) if *office < least => Reason::OfficeIsTooLow,
        Actor::Staff(..) | Actor::System => return Ok(()),
    };
    Err(clause.map_or_else(|| reason.refuse(), |clause| reason.under(clause)))
}

/// The actor's signature; the system signs nothing.
pub(crate) fn signature(actor: &Actor) -> Result<Signature, Refusal> {
    match actor {
        Actor::Staff(person, office) => Ok(Signature { person: person.clone(), office: *office }),
        Actor::Player(_) | Actor::System => Err(Reason::StaffOnly.refuse()),
    }
}

/// The reference of a Player's identity, which large amounts need.
fn check_identity(amount: Money, identity: Option<&str>) -> Result<Option<String>, Refusal> {
    let given = identity.map(str::trim).filter(|identity| !identity.is_empty());
    given.map_or(Ok(()), check_text)?;
    if IDENTITY_FROM <= amount && given.is_none() {
        return Err(Reason::IdentityIsMissing.refuse());
    }
    Ok(given.map(str::to_owned))
}
