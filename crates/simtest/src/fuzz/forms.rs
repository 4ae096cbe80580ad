//! Commands for a table, the house and a desk, as the API parses them.

use jackpot::Settings;
use journal::{DeskCommand, HouseCommand, TableCommand};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::decoders::{Checked, Outcome, same};

/// Parses an input as each kind of command. A command that is accepted is the same after it is written and read again.
pub(super) fn form(input: &[u8]) -> Checked {
    let table = read::<TableCommand>(input)?.is_some();
    let house = read::<HouseCommand>(input)?;
    let desk = read::<DeskCommand>(input)?.is_some();
    if let Some(HouseCommand::OpenLink { settings, .. }) = &house {
        // Any figures must be accepted or refused, without a panic.
        let _ = Settings::new(*settings);
    }
    Ok(if table || desk || house.is_some() { Outcome::Accepted } else { Outcome::Refused })
}

/// A command, if the input is one.
fn read<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(
    input: &[u8],
) -> Result<Option<T>, String> {
    let Ok(command) = serde_json::from_slice::<T>(input) else {
        return Ok(None);
    };
    let written = serde_json::to_string(&command).map_err(|error| error.to_string())?;
    let again: T = serde_json::from_str(&written).map_err(|error| format!("{written}: {error}"))?;
    same("a command", &command, &again)?;
    Ok(Some(command))
}
