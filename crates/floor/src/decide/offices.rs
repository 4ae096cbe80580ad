//! Who may do what a table does outside the rules of a round. The decision and the view of it ask here.

use journal::OwnCommand;
use rulebook::Office;

/// The least office that may give a command of the table itself, or `None` where an office is not what it takes.
pub(crate) const fn office_of(command: &OwnCommand) -> Option<Office> {
    match command {
        OwnCommand::ChangeLimits { .. } | OwnCommand::Reopen { .. } => Some(Office::PitManager),
        OwnCommand::AnnounceLastRound | OwnCommand::Close => Some(Office::PitSupervisor),
        OwnCommand::DealAll | OwnCommand::GiveSalt { .. } => None,
    }
}
