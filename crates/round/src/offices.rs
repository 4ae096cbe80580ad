//! Who may give which command: Players for themselves, staff by office (3.6, 6.2).

use rulebook::{
    Office, Position, R3_4, R3_4_3, R3_6, R3_9, R3_10, R3_10_1, R5_7_1, R5_9, R5_10_3, R6_1, R6_2, Rule,
};

use crate::command::{Asker, Command, PlayerId};
use crate::irregularity::DECK;
use crate::refusal::{Reason, Refusal};
use crate::stage::Stage;
use crate::state::Round;

/// Who may give a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Staff of this office or a higher one, under this rule.
    Staff(Office, Rule),
    /// This Player, or staff at the Player's request (3.6).
    Owner(PlayerId),
    /// The Player at this position, under this rule, or staff at the Player's request (3.6).
    Holder(Position, Rule),
}

impl Permission {
    /// The lowest office that may do it, or `None` if the Player decides.
    pub const fn office(&self) -> Option<Office> {
        match self {
            Permission::Staff(office, _) => Some(*office),
            Permission::Owner(_) | Permission::Holder(..) => None,
        }
    }

    /// The rule that gives the permission.
    pub const fn rule(&self) -> Rule {
        match self {
            Permission::Staff(_, rule) | Permission::Holder(_, rule) => *rule,
            Permission::Owner(_) => R3_6,
        }
    }
}

impl Round {
    /// Who may give this command.
    pub fn who_may(&self, command: &Command) -> Permission {
        match command {
            Command::PlaceWager { owner, .. } | Command::TakeBackWager { owner, .. } => {
                Permission::Owner(owner.clone())
            }
            Command::TakePosition { player, .. }
            | Command::Withdraw { player }
            | Command::StayIn { player } => Permission::Owner(player.clone()),
            Command::LeavePosition { position } => Permission::Holder(*position, R3_4),
            Command::ViewHand { position } => Permission::Holder(*position, R5_9),
            Command::Decide { position, .. } => Permission::Holder(*position, R3_9),
            Command::ShowHand { position } => Permission::Holder(*position, R3_10),
            Command::DeclineComparison { position } => Permission::Holder(*position, R3_10_1),
            Command::ViewDeclinedHand { .. } => Permission::Staff(Office::PitSupervisor, R3_10_1),
            // No rule names who corrects a card that was entered wrongly. The Dealer alone may not.
            Command::ReadCard { place, card } if self.corrects_misread(*place, *card) => {
                Permission::Staff(Office::PitSupervisor, R6_2)
            }
            Command::RestrictPlayer { .. } | Command::LiftRestriction { .. } => {
                Permission::Staff(Office::PitManager, R3_4_3)
            }
            Command::ProhibitPlayer { .. } | Command::ReadmitPlayer { .. } => {
                Permission::Staff(Office::GamingShiftManager, R5_9)
            }
            // A settled round is undone only with somebody above the Dealer.
            Command::CountCards { counted } if *counted != DECK && self.stage() == Stage::Concluded => {
                Permission::Staff(Office::PitSupervisor, R6_2)
            }
            Command::StopAction { .. } => Permission::Staff(Office::GamingShiftManager, R5_10_3),
            Command::MakeRuling { .. } => Permission::Staff(Office::GamingShiftManager, R6_1),
            Command::PermitWithdrawals {} => Permission::Staff(self.book.withdrawal_permitted_by, R5_7_1),
            Command::InformPlayer { .. }
            | Command::CorrectDecision { .. }
            | Command::CorrectWager { .. }
            | Command::OpenBets {}
            | Command::CloseBets {}
            | Command::DealCard { .. }
            | Command::ReadCard { .. }
            | Command::Expose {}
            | Command::Settle {}
            | Command::BeginNextRound {}
            | Command::DeclareBadCards { .. }
            | Command::CountCards { .. }
            | Command::ReportMisdeal { .. }
            | Command::Reconstruct {}
            | Command::GiveUpReconstruction {}
            | Command::ReportTableCount { .. }
            | Command::ReportExposedCards { .. }
            | Command::ReportHandCount { .. }
            | Command::InvalidateHands { .. }
            | Command::ReportAbsent { .. }
            | Command::ReportPowerFailure {}
            | Command::ReportHandled { .. }
            | Command::ReportNoAnswer { .. }
            | Command::ResumePlay {} => Permission::Staff(Office::Dealer, R6_2),
        }
    }

    /// Refuses a command from somebody who may not give it.
    pub(crate) fn check_who(&self, by: &Asker, command: &Command) -> Result<(), Refusal> {
        match (by, self.who_may(command)) {
            (Asker::Player(_), Permission::Staff(_, rule)) => self.refuse(Reason::StaffOnly, rule),
            (Asker::Staff(office), Permission::Staff(needed, rule)) if *office < needed => {
                self.refuse(Reason::OfficeIsTooLow, rule)
            }
            (Asker::Player(player), Permission::Owner(owner)) if *player != owner => {
                self.refuse(Reason::NotYourWager, R3_6)
            }
            (Asker::Player(player), Permission::Holder(position, rule)) if !self.holds(player, position) => {
                self.refuse(Reason::NotYourHand, rule)
            }
            (
                Asker::Staff(_) | Asker::Player(_),
                Permission::Staff(..) | Permission::Owner(_) | Permission::Holder(..),
            ) => Ok(()),
        }
    }

    /// Whether a Player holds a position. For an empty or unknown position this is true; the command is refused
    /// later.
    fn holds(&self, player: &PlayerId, position: Position) -> bool {
        self.seat(position).and_then(|seat| seat.holder()).is_none_or(|holder| holder == player)
    }
}
