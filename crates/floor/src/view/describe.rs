//! Every event in words: its kind, a sentence and its facts, for a viewer or for the auditor; nothing where the viewer may
//! not know of it. Feeds, replays, slips and audits all take their words from here.

mod house;
mod link;
mod round;
mod service;
mod table;

use super::event_kind::EventKind;
use super::feed::Facts;

pub(crate) use house::of_house;
pub(in crate::view) use link::fault_in_words;
pub(crate) use link::of_link;
pub(crate) use round::place_words;
pub use service::changes_in_words;
pub(crate) use table::of_table;

/// What an event says to a viewer.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    pub(crate) kind: EventKind,
    pub(crate) sentence: String,
    pub(crate) facts: Facts,
}

impl Described {
    fn new(kind: EventKind, sentence: impl Into<String>, facts: Facts) -> Described {
        Described { kind, sentence: sentence.into(), facts }
    }
}
