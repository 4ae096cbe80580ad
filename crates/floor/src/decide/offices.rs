//! Who may do what a table does outside the rules of a round. The decision, the view of it and the audit ask here.

use journal::OwnCommand;
use rulebook::Office;

/// The lowest office that may give a command of the table itself. `None` where a Player may too.
pub(crate) const fn office_of(command: &OwnCommand) -> Option<Office> {
    match command {
        OwnCommand::CommitSalts { .. } | OwnCommand::OpenSalt { .. } => None,
        OwnCommand::DealAll | OwnCommand::DropSalts => Some(Office::Dealer),
        OwnCommand::AnnounceLastRound | OwnCommand::Close => Some(Office::PitSupervisor),
        OwnCommand::ChangeLimits { .. } | OwnCommand::Reopen { .. } => Some(Office::PitManager),
    }
}
