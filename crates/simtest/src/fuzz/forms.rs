//! What may be asked of a table, of the house and of a desk, as the API reads it.

use floor::{Command, TableCommand};
use jackpot::{Person, Settings};
use journal::Actor;
use round::PlayerId;
use rulebook::Office;
use serde::Serialize;
use serde::de::DeserializeOwned;
use server::api::forms::Asker;
use server::api::forms::house::{DeskForm, HouseForm};
use server::api::forms::table::TableForm;

use super::decoders::{Found, Seen, same};

/// Reads an input as each of the forms. What one takes is the same once written and read again, and becomes a command
/// for whoever asks, or is refused.
pub(super) fn form(input: &[u8]) -> Found {
    let askers = [
        Asker(Actor::System),
        Asker(Actor::Player(PlayerId::new("Ann"))),
        Asker(Actor::Staff(Person::new("Mia"), Office::PitManager)),
    ];
    let mut accepted = false;
    if let Some(form) = read::<TableForm>(input)? {
        accepted = true;
        for asker in &askers {
            at_a_table(&form, asker)?;
        }
    }
    if let Some(form) = read::<HouseForm>(input)? {
        accepted = true;
        for asker in &askers {
            if let Ok(Command::OpenLink { parameters, .. }) = form.clone().command(asker) {
                // Whatever figures are proposed, they are taken or refused.
                let _ = Settings::new(parameters);
            }
        }
    }
    if let Some(form) = read::<DeskForm>(input)? {
        accepted = true;
        form.command();
    }
    Ok(if accepted { Seen::Accepted } else { Seen::Refused })
}

/// A command of a round, told as a form, is the same command.
fn at_a_table(form: &TableForm, asker: &Asker) -> Result<(), String> {
    let Ok(TableCommand::Round(command)) = form.clone().command(asker) else {
        return Ok(());
    };
    let again =
        TableForm::of(&command).round_command(asker).map_err(|error| format!("{command:?}: {error}"))?;
    same("a command", &command, &again)
}

/// A form, where the input is one.
fn read<T: DeserializeOwned + Serialize>(input: &[u8]) -> Result<Option<T>, String> {
    let Ok(form) = serde_json::from_slice::<T>(input) else {
        return Ok(None);
    };
    let written = serde_json::to_value(&form).map_err(|error| error.to_string())?;
    let again: T = serde_json::from_value(written.clone()).map_err(|error| format!("{written}: {error}"))?;
    let rewritten = serde_json::to_value(&again).map_err(|error| error.to_string())?;
    same("a form", &written, &rewritten)?;
    Ok(Some(form))
}
