//! What each event says: a word, a sentence and its particulars; nothing, where it is not for the viewer.

mod house;
mod link;
mod round;
mod table;

use super::event_kind::EventKind;
use super::feed::Facts;

pub(super) use house::of_house;
pub(super) use link::of_link;
pub(super) use table::of_table;

/// What an event says to a viewer.
pub(super) struct Described {
    pub(super) kind: EventKind,
    pub(super) sentence: String,
    pub(super) facts: Facts,
}

impl Described {
    fn new(kind: EventKind, sentence: impl Into<String>, facts: Facts) -> Described {
        Described { kind, sentence: sentence.into(), facts }
    }
}
