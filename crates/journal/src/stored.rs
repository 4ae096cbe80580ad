//! The stored form of events and commands. It is their only serialised form: the types define it, and the API
//! uses the same. A body is named by its kind and version, such as `table.round.v1`. A variant may be added to a
//! form, because no stored text contains it yet. Any other change needs a new version: the old form then gets its
//! own type here, with a conversion, and can still be read.
//!
//! Everything is JSON: variants by name in kebab-case, money in cents, cards as `As`, rules as `3.10.2`. Each event and
//! each command has exactly one text, the one it is written as ([`is_canonical`]).

mod transfers;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::command::Command;
use crate::entry::Body;
use crate::event::{Event, LinkEvent, TableEvent};

pub use transfers::{code_text, transfers_from_text, transfers_text};

/// Why writing JSON cannot fail.
const JSON: &str = "events and commands contain only what JSON can represent";

/// Why a stored form cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {what}")]
pub struct FormError {
    /// The name of the stored form.
    pub kind: String,
    /// What is wrong with it.
    pub what: String,
}

/// The kinds of body.
const HOUSE_V1: &str = "house.v1";
pub(crate) const TABLE_V1: &str = "table.v1";
pub(crate) const TABLE_ROUND_V1: &str = "table.round.v1";
const LINK_V1: &str = "link.v1";
const LINK_JACKPOT_V1: &str = "link.jackpot.v1";

/// The kind of the entries that carry a stream forward. Stores find them by it.
pub const CARRIED_V1: &str = "carried.v1";

/// The name of a command's text in errors.
const COMMAND: &str = "command";

/// The stored form of an event.
pub fn encode(event: &Event) -> Body {
    match event {
        Event::House(event) => write(HOUSE_V1, event),
        Event::Table(TableEvent::Round(event)) => write(TABLE_ROUND_V1, event),
        Event::Table(event) => write(TABLE_V1, event),
        Event::Link(LinkEvent::Jackpot(event)) => write(LINK_JACKPOT_V1, event),
        Event::Link(event) => write(LINK_V1, event),
        Event::Carried(carried) => write(CARRIED_V1, carried),
    }
}

/// Whether an event is one of a round or of a Jackpot at work, which nearly all are.
pub fn is_play(body: &Body) -> bool {
    [TABLE_ROUND_V1, LINK_JACKPOT_V1].contains(&body.kind.as_str())
}

/// Reads an event from any stored form, including older ones.
pub fn decode(body: &Body) -> Result<Event, FormError> {
    decode_text(&body.kind, &body.json)
}

/// The same, of the name of a stored form and a text in it.
pub(crate) fn decode_text(kind: &str, json: &str) -> Result<Event, FormError> {
    match kind {
        HOUSE_V1 => read(kind, json).map(Event::House),
        TABLE_V1 => {
            let event = read(kind, json)?;
            let is_here = !matches!(event, TableEvent::Round(_));
            is_here.then_some(Event::Table(event)).ok_or_else(|| wrong_kind(kind))
        }
        TABLE_ROUND_V1 => read(kind, json).map(|event| Event::Table(TableEvent::Round(event))),
        LINK_V1 => {
            let event = read(kind, json)?;
            let is_here = !matches!(event, LinkEvent::Jackpot(_));
            is_here.then_some(Event::Link(event)).ok_or_else(|| wrong_kind(kind))
        }
        LINK_JACKPOT_V1 => read(kind, json).map(|event| Event::Link(LinkEvent::Jackpot(event))),
        CARRIED_V1 => read(kind, json).map(Event::Carried),
        _ => {
            Err(FormError { kind: kind.to_owned(), what: "this program does not know this kind".to_owned() })
        }
    }
}

fn wrong_kind(kind: &str) -> FormError {
    FormError { kind: kind.to_owned(), what: "an event of this name is stored under another kind".to_owned() }
}

/// Whether the text of a body is exactly the text that would be written for its event.
pub fn is_canonical(body: &Body) -> Result<bool, FormError> {
    decode(body).map(|event| encode(&event) == *body)
}

/// The text of a command, as stored in an entry.
pub fn command_text(command: &Command) -> String {
    serde_json::to_string(command).expect(JSON)
}

/// Reads a command from the text in an entry.
pub fn command_from_text(text: &str) -> Result<Command, FormError> {
    read(COMMAND, text)
}

fn write<T: Serialize>(kind: &str, event: &T) -> Body {
    Body { kind: kind.to_owned(), json: serde_json::to_string(event).expect(JSON) }
}

fn read<T: DeserializeOwned>(kind: &str, json: &str) -> Result<T, FormError> {
    serde_json::from_str(json).map_err(|error| FormError { kind: kind.to_owned(), what: error.to_string() })
}
