//! Recorded rounds: an auditor, a test lab or another system sends them to find out what should have been paid.
//!
//! A record is played through the same [`round::Round`] and the same jackpot entry as at the tables, so both always
//! give the same result. `model` and `irregularity` are the format of a record, `play` plays it through a round and
//! `irregularities` enters what went wrong, `settled` and `answer` make the settlement, `history`
//! writes the record of a round that was played at a table, `books` the rulebooks of a house beside its records, and `stream`
//! settles line by line, in order, on all cores and in constant memory.

mod answer;
mod books;
mod check;
mod contradictions;
mod history;
mod irregularities;
mod irregularity;
mod model;
mod placing;
mod play;
mod settled;
mod stream;

pub use answer::{Answer, AreaAnswer, Areas, AwardAnswer, JackpotAnswer, PositionAnswer, ShareAnswer};
pub use books::{Books, is_book, write_books};
pub use history::{History, record_of};
pub use irregularity::{Irregularity, Moment, PileRecord, Reported, WithdrawnUnder};
pub use model::{
    FirstDecision, JackpotState, LaterDecision, LimitsRecord, MeansRecord, PositionRecord, Record,
    RecordError, ShareRecord, TableRecord,
};
pub use play::settle;
pub use stream::{Summary, settle_lines, settle_stream};
