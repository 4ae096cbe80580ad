//! The command that the entries of a stream keep.

use journal::{Command, CommandId, command_from_text, command_text};

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{Confirmed, Notes};

/// Said where the house has no confirmed proposal for a command that needs one.
pub(super) const NOT_SIGNED: &str = "the house has no proposal for this that a second person confirmed";

/// The command of the entries that one command wrote to a stream: kept in the first of them and in no other. What is wrong
/// with it is said; `None` where there is no command to follow.
pub(super) fn cause_of(group: &[LoggedEvent], notes: &mut Notes) -> Option<Command> {
    let (first, others) = group.split_first()?;
    for other in others.iter().filter(|other| other.entry.cause.is_some()) {
        let what = "a command is kept here a second time; only its first entry keeps it";
        notes.findings.at(Kind::Form, &other.entry.stream, other.entry.version, what);
    }
    let (stream, version) = (&first.entry.stream, first.entry.version);
    let Some(text) = &first.entry.cause else {
        notes.findings.at(Kind::Form, stream, version, "the command that caused this is missing");
        return None;
    };
    if let Some(command) = notes.forms.command(text) {
        return Some(command);
    }
    match command_from_text(text) {
        Ok(command) => {
            if command_text(&command) == *text {
                notes.forms.keep_command(text, &command);
            } else {
                let what = "the command that caused this is not written the way commands are";
                notes.findings.at(Kind::Form, stream, version, what);
            }
            Some(command)
        }
        Err(error) => {
            let what = format!("the command that caused this cannot be read: {error}");
            notes.findings.at(Kind::Form, stream, version, what);
            None
        }
    }
}

/// What two people signed that this command carries out, noted as done.
pub(super) fn carried_out(command: CommandId, notes: &mut Notes) -> Option<&Confirmed> {
    let confirmed = notes.confirmed.get_mut(&command)?;
    confirmed.done = true;
    Some(confirmed)
}
