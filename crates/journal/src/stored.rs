//! The stored forms of events. A form is named by its kind and version, such as `table.round.v1`, and is a type of its
//! own: the words of the domain may change, what was stored may not. A variant may be added to a form, since nothing
//! stored before has it; whatever else changes makes a new version, and the old one is read for ever.
//!
//! Events are JSON: variants by name, money in cents, a meter's money in ten-thousandths of a cent, cards as `As`, rules
//! as `3.10.2`. Each event has exactly one text, the one it is written as ([`is_canonical`]).

mod form;
mod scalar;
mod transfers;
mod v1;

use form::{Form, Wrong};
use serde::{Deserialize, Serialize};
use v1::{HouseEventV1, JackpotEventV1, LinkEventV1, RoundEventV1, TableEventV1};

use crate::entry::Body;
use crate::event::{Event, LinkEvent, TableEvent};

pub use transfers::{transfers_from_text, transfers_text};

/// Why writing JSON cannot fail.
const JSON: &str = "stored forms have nothing that JSON cannot write";

/// Why a stored form cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {what}")]
pub struct FormError {
    /// The stored form.
    pub kind: String,
    /// What is wrong with it.
    pub what: String,
}

/// The kinds of body there are.
const HOUSE_V1: &str = "house.v1";
const TABLE_V1: &str = "table.v1";
const TABLE_ROUND_V1: &str = "table.round.v1";
const LINK_V1: &str = "link.v1";
const LINK_JACKPOT_V1: &str = "link.jackpot.v1";

/// The newest stored form of an event.
pub fn encode(event: &Event) -> Body {
    match event {
        Event::House(event) => write::<_, HouseEventV1<'_>>(HOUSE_V1, event),
        Event::Table(TableEvent::Round(event)) => write::<_, RoundEventV1<'_>>(TABLE_ROUND_V1, event),
        Event::Table(event) => write::<_, TableEventV1<'_>>(TABLE_V1, event),
        Event::Link(LinkEvent::Jackpot(event)) => write::<_, JackpotEventV1<'_>>(LINK_JACKPOT_V1, event),
        Event::Link(event) => write::<_, LinkEventV1<'_>>(LINK_V1, event),
    }
}

/// An event from any stored form there ever was.
pub fn decode(body: &Body) -> Result<Event, FormError> {
    let event = match body.kind.as_str() {
        HOUSE_V1 => read::<_, HouseEventV1<'_>>(&body.json).map(Event::House),
        TABLE_V1 => read::<_, TableEventV1<'_>>(&body.json).map(Event::Table),
        TABLE_ROUND_V1 => {
            read::<_, RoundEventV1<'_>>(&body.json).map(|event| Event::Table(TableEvent::Round(event)))
        }
        LINK_V1 => read::<_, LinkEventV1<'_>>(&body.json).map(Event::Link),
        LINK_JACKPOT_V1 => {
            read::<_, JackpotEventV1<'_>>(&body.json).map(|event| Event::Link(LinkEvent::Jackpot(event)))
        }
        _ => Err(Wrong("no such kind is known".to_owned())),
    };
    event.map_err(|Wrong(what)| FormError { kind: body.kind.clone(), what })
}

/// Whether a body that can be read is written exactly as its event is written.
pub fn is_canonical(body: &Body) -> Result<bool, FormError> {
    decode(body).map(|event| encode(&event) == *body)
}

fn write<'a, T, F: Form<'a, T> + Serialize>(kind: &str, event: &'a T) -> Body {
    Body { kind: kind.to_owned(), json: serde_json::to_string(&F::of(event)).expect(JSON) }
}

fn read<'a, T, F: Form<'a, T> + Deserialize<'a>>(json: &'a str) -> Result<T, Wrong> {
    serde_json::from_str::<F>(json).map_err(|error| Wrong(error.to_string()))?.restore()
}
