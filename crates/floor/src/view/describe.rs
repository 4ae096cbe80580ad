//! Every event in words: its kind, a sentence and its facts, for a viewer or for the auditor; nothing where the viewer may
//! not know of it. Feeds, replays, slips and audits all take their words from here.

mod house;
mod link;
mod round;
mod service;
mod table;

use journal::{Entry, Stream};

use super::Viewer;
use super::event_kind::EventKind;
use super::feed::Facts;

pub(crate) use house::of_house;
pub use house::scope_in_words;
pub(in crate::view) use link::fault_in_words;
pub(crate) use link::of_link;
pub(crate) use round::place_words;
pub use service::changes_in_words;
pub(crate) use table::{of_table, reader_fault_in_words};

/// What an entry says that carries its stream forward: for the staff.
pub(crate) fn of_carried(entry: &Entry, viewer: &Viewer) -> Option<Described> {
    let sentence = match entry.stream {
        Stream::House => "The books are closed and carried forward.",
        Stream::Table(_) | Stream::Link(_) => "The log is carried forward.",
    };
    viewer.is_staff().then(|| Described::new(EventKind::CarriedForward, sentence, Facts::default()))
}

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
