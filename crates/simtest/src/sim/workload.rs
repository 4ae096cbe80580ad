//! The requests that people send, chosen from what a node shows them. Most are the next step of a round. Some are
//! irregularities, or business at the counter and the desk. A few should never be sent.

mod desk;
mod irregularities;
mod salts;
mod table;

use std::collections::BTreeSet;

use floor::{Command, DeskCommand, Floor, HouseCommand, OwnCommand, Table, TableCommand};
use jackpot::{Department, Person, TableId};
use journal::{Actor, Moment, PlayerKind, Proposal};
use round::{Permission, PlayerId, Stage};
use rulebook::{Office, Position};

use super::plan::{ACCOUNTANT, PLAYERS, Plan, STAFF};
use crate::dice::Dice;

/// Chooses requests with its own dice.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) seed: u64,
    pub(crate) dice: Dice,
    /// How many in 1,000 commands at a table are irregularities.
    irregularities: u64,
    plan: Plan,
    /// The rounds whose seed is lost.
    pub(crate) lost: BTreeSet<(TableId, u64)>,
    /// The latest time of day that any clock has shown.
    pub(crate) latest: Moment,
}

impl Workload {
    pub(crate) fn new(seed: u64, plan: &Plan, dice: Dice) -> Workload {
        Workload {
            seed,
            dice,
            irregularities: plan.irregularities,
            plan: plan.clone(),
            lost: BTreeSet::new(),
            latest: Moment(0),
        }
    }

    /// A request for a table.
    pub(crate) fn at_table(&mut self, floor: &Floor, id: &TableId) -> Option<(Actor, Command)> {
        let table = floor.table(id)?;
        if is_about_to_be_undone(floor, table) && !self.dice.one_in(4) {
            return None;
        }
        let command = if self.dice.permille(self.irregularities) {
            TableCommand::Round(self.irregularity_at(floor, table))
        } else {
            self.next(floor, table)
        };
        let actor = self.actor_for(floor, table, &command);
        Some((actor, Command::Table { table: id.clone(), command }))
    }

    /// A request for the rest of the floor.
    pub(crate) fn on_floor(&mut self, floor: &Floor) -> (Actor, Command) {
        if let Some(command) = self.cash_out_before_undo(floor) {
            return (self.actor_on_floor(&command), command);
        }
        let command = match self.dice.below(10) {
            0..=4 => self.at_desk(floor),
            5..=6 => self.proposal_or_signature(floor),
            7..=8 => self.at_counter(floor),
            _ => self.in_office(floor),
        };
        (self.actor_on_floor(&command), command)
    }

    /// The next command that finishes a round, without irregularities.
    pub(crate) fn finish(&mut self, table: &Table) -> Option<(Actor, TableCommand)> {
        self.irregularities = 0;
        let command = self.finishing(table)?;
        Some((staff("Gus"), command))
    }

    /// Usually someone who may give the command.
    fn actor_for(&mut self, floor: &Floor, table: &Table, command: &TableCommand) -> Actor {
        if self.dice.one_in(60) {
            return Actor::Player(self.player());
        }
        let TableCommand::Round(command) = command else {
            return match command {
                TableCommand::Own(
                    OwnCommand::CommitSalts { player, .. } | OwnCommand::OpenSalt { player, .. },
                ) => Actor::Player(player.clone()),
                _ => self.staff_from(Office::PitManager),
            };
        };
        match table.round().who_may(command) {
            Permission::Owner(owner) if self.may_act(floor, &owner, command) => Actor::Player(owner),
            Permission::Holder(position, _) if self.dice.permille(600) => {
                match holder(table, position).filter(|_| !self.dice.one_in(30)) {
                    Some(holder) => Actor::Player(holder),
                    None => self.staff_from(Office::Dealer),
                }
            }
            Permission::Owner(_) | Permission::Holder(..) => self.staff_from(Office::Dealer),
            Permission::Staff(..) if self.dice.one_in(40) => self.staff_from(Office::Dealer),
            Permission::Staff(least, _) => self.staff_from(least),
        }
    }

    /// Staff record chips. A Player whom the house does not know cannot send a request.
    fn may_act(&mut self, floor: &Floor, owner: &PlayerId, command: &round::Command) -> bool {
        let chips = matches!(command, round::Command::PlaceWager { means: rulebook::Means::Chips, .. });
        floor.house().player(owner).is_some() && self.dice.permille(if chips { 50 } else { 700 })
    }

    /// A member of staff with this office or a higher one.
    fn staff_from(&mut self, least: Office) -> Actor {
        let eligible: Vec<&str> =
            STAFF.iter().filter(|(_, office)| least <= *office).map(|(name, _)| *name).collect();
        staff(self.dice.pick(&eligible))
    }

    fn actor_on_floor(&mut self, command: &Command) -> Actor {
        match command {
            Command::House(HouseCommand::Propose { .. } | HouseCommand::Confirm { .. })
                if self.dice.one_in(3) =>
            {
                accountant()
            }
            Command::Desk { command: DeskCommand::ReportFault { .. }, .. }
            | Command::House(HouseCommand::ForgetGuest { .. }) => Actor::System,
            Command::Desk { .. }
            | Command::House(HouseCommand::Propose { .. } | HouseCommand::Confirm { .. }) => {
                let least = if self.dice.one_in(10) { Office::Dealer } else { Office::PitSupervisor };
                self.staff_from(least)
            }
            _ if self.dice.one_in(40) => Actor::Player(self.player()),
            Command::House(
                HouseCommand::BuyIn { .. }
                | HouseCommand::CashOut { .. }
                | HouseCommand::RegisterPlayer { .. },
            ) => self.staff_from(Office::Dealer),
            _ => self.staff_from(Office::GamingShiftManager),
        }
    }

    /// A Player; rarely one whom the house does not know.
    fn player(&mut self) -> PlayerId {
        let name = if self.dice.one_in(60) { "Nobody" } else { self.dice.pick(&PLAYERS) };
        PlayerId::new(name)
    }

    /// Usually a position with an active hand.
    fn position(&mut self, table: &Table) -> Position {
        let hands: Vec<Position> =
            table.round().seats().filter(|(_, seat)| seat.is_active()).map(|(at, _)| at).collect();
        if let Some(position) = self.dice.any(&hands).filter(|_| !self.dice.one_in(6)) {
            return position;
        }
        Position(u8::try_from(self.dice.below(9)).expect("few"))
    }
}

/// Who signs for Accounting.
pub(crate) fn accountant() -> Actor {
    Actor::Department(Person::new(ACCOUNTANT), Department::Accounting)
}

/// A member of staff, with the office they hold.
pub(crate) fn staff(name: &str) -> Actor {
    let office = STAFF.iter().find(|(person, _)| *person == name).map(|(_, office)| *office);
    Actor::Staff(Person::new(name), office.expect("a member of staff"))
}

/// Whether a proposal to undo the settled round waits for its second signature.
fn is_about_to_be_undone(floor: &Floor, table: &Table) -> bool {
    table.round().stage() == Stage::Concluded
        && floor.house().proposals().any(|(_, open)| match &open.proposal {
            Proposal::UndoRound { table: undone, round, .. } => {
                (undone, *round) == (table.id(), table.number())
            }
            _ => false,
        })
}

fn holder(table: &Table, position: Position) -> Option<PlayerId> {
    table.round().seat(position)?.holder().cloned()
}

/// Whether a Player is a member, who plays for real money.
fn is_member(floor: &Floor, player: &PlayerId) -> bool {
    floor.house().player(player) == Some(PlayerKind::Member)
}
