//! What somebody of the staff may do at the desk and in the house. Nothing here knows an office: each command is put to
//! the floor, in each office from the lowest up, as if all money were there.

use jackpot::{Pair, Person, Post, Signature, TableId};
use journal::{Account, Actor, Amount, Command, DeskCommand, HouseCommand, LinkId, Moment, StoreError};
use rulebook::Office;

use super::Viewer;
use super::choices::Choice;
use super::wording;
use crate::dealing::Seed;
use crate::decide::{DecideContext, Stop};
use crate::desk::Desk;
use crate::floor::Floor;
use crate::permissions;

/// More than any account may hold, and so enough for whatever is tried.
const PLENTY: Amount = Amount(i64::MAX / 4);

/// Money as it would have to be for a command to be a question of office alone.
struct Plenty {
    in_debt: bool,
    at: Moment,
}

impl DecideContext for Plenty {
    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        Ok(match account {
            Account::Owed(_) if self.in_debt => Amount(-PLENTY.0),
            Account::Owed(_) => Amount::ZERO,
            Account::Cash
            | Account::Granted
            | Account::House
            | Account::Chips
            | Account::Wallet(_)
            | Account::Table(_)
            | Account::Meter(_)
            | Account::Reserve(_)
            | Account::Overflow(_)
            | Account::Awards(_) => PLENTY,
        })
    }

    fn seed(&mut self, _: &TableId, _: u64) -> Result<Option<Seed>, StoreError> {
        Err(StoreError::Failed("no seed is opened for a view".to_owned()))
    }

    fn draw(&mut self) -> Result<Seed, StoreError> {
        Err(StoreError::Failed("no seed is drawn for a view".to_owned()))
    }

    fn now(&self) -> Moment {
        self.at
    }
}

/// Somebody of the staff, and the floor they act on.
#[derive(Clone, Copy)]
pub(super) struct Staff<'a> {
    pub(super) floor: &'a Floor,
    pub(super) person: &'a Person,
    pub(super) post: Post,
}

impl<'a> Staff<'a> {
    /// Who looks, if it is somebody of the staff.
    pub(super) fn of(floor: &'a Floor, viewer: &'a Viewer) -> Option<Staff<'a>> {
        let (person, post) = viewer.post()?;
        Some(Staff { floor, person, post })
    }

    fn signature(&self) -> Signature {
        let Post { department, office } = self.post;
        Signature { person: self.person.clone(), office, department, acting: !self.holds(office) }
    }

    /// Whether this person holds an office for good, or a higher one.
    fn holds(&self, office: Office) -> bool {
        self.floor.house().office(self.person).is_none_or(|held| office <= held)
    }

    /// This person in an office: their own, or one in which they act.
    fn actor(&self, office: Office) -> Actor {
        let person = self.person.clone();
        if self.holds(office) { Actor::Staff(person, office) } else { Actor::Acting(person, office) }
    }

    /// The least office in which this person may give a command, or `None` where they may not. To another department it is
    /// the office that Table Games needs for it.
    fn least(&self, command: &Command, in_debt: bool) -> Option<Office> {
        // A view has no clock; the newest entry is near enough.
        let at = self.floor.house().latest();
        let takes = |actor: &Actor| {
            match self.floor.decide(actor, command, &mut Plenty { in_debt, at }) {
                // Whatever asks for a seed has passed every rule before that.
                Ok(_) | Err(Stop::Store(_)) => true,
                Err(Stop::Refused(_)) => false,
            }
        };
        let Some(held) = self.post.office() else {
            let actor = Actor::Department(self.person.clone(), self.post.department);
            return takes(&actor).then(|| permissions::of(command).who.office());
        };
        let mut offices = Office::ALL.into_iter().filter(|office| *office <= held);
        offices.find(|office| takes(&self.actor(*office)))
    }

    /// A command of the house, where this person may give it.
    pub(super) fn house(
        &self,
        command: HouseCommand,
        fields: &[&'static str],
    ) -> Option<Choice<HouseCommand>> {
        let in_debt = matches!(command, HouseCommand::RepayDebt { .. });
        let least = self.least(&Command::House(command.clone()), in_debt)?;
        let wording = wording::of_house(&command);
        Some(Choice::new(command, wording, Some(least)).fill_in(fields))
    }

    /// A command of a link's desk, where this person may give it.
    pub(super) fn desk(&self, link: &LinkId, command: DeskCommand) -> Option<Choice<DeskCommand>> {
        let asked = Command::Desk { link: link.clone(), command: command.clone() };
        let least = self.least(&asked, false)?;
        let wording = wording::of_desk(&command);
        Some(Choice::new(command, wording, Some(least)))
    }

    /// A step of an award: for everybody to see, whether or not this person may take it.
    pub(super) fn step(
        &self,
        desk: &Desk,
        command: DeskCommand,
        fields: &[&'static str],
        signed: impl Fn(Signature) -> jackpot::Command,
    ) -> Choice<DeskCommand> {
        let takes = |person: &Person, office| {
            desk.link().decide(&signed(Signature::in_office(person.name(), office))).is_ok()
        };
        // Nobody has signed under no name: the office alone decides.
        let least = Office::ALL.into_iter().find(|office| takes(&Person::new(""), *office));
        let wording = wording::of_desk(&command);
        let you_may = self.post.office().is_some_and(|office| takes(self.person, office))
            && self.is_independent(desk, &command);
        Choice { you_may, ..Choice::new(command, wording, least).fill_in(fields) }
    }

    /// Whether this person may sign for an award beside those who have signed.
    fn is_independent(&self, desk: &Desk, command: &DeskCommand) -> bool {
        let (DeskCommand::Verify { award, .. }
        | DeskCommand::Approve { award }
        | DeskCommand::Pay { award, .. }) = command
        else {
            return true;
        };
        let house = self.floor.house();
        let with = |other: &Person| house.check_independent(self.person, other, house.latest()).is_ok();
        desk.signers(*award).iter().all(with)
    }

    /// A proposal, where this person may be one of the two who sign it.
    pub(super) fn proposal(
        &self,
        desk: &Desk,
        proposal: journal::Proposal,
        fields: &[&'static str],
        signed: impl Fn(Pair) -> jackpot::Command,
    ) -> Option<Choice<HouseCommand>> {
        let first = self.signature();
        let second = Signature::in_office("", Office::GamingShiftManager);
        desk.link().decide(&signed(Pair { first, second })).ok()?;
        self.house(HouseCommand::Propose { proposal }, fields)
    }
}
