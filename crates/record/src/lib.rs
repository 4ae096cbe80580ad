//! Recorded rounds: what an auditor, a test lab or another system hands over to ask what should have been paid.
//!
//! A record is played through the same [`round::Round`] and the same jackpot entry that run the tables, so a batch and a
//! table cannot disagree. `model` is the form of a record, `play` takes it through a round, `answer` is the form of a
//! settlement, `stream` settles line by line in constant memory on all cores, in order.

mod answer;
mod check;
mod irregularities;
mod model;
mod play;
mod stream;

pub use answer::{Answer, AreaAnswer, Areas, AwardAnswer, JackpotAnswer, PositionAnswer};
pub use model::{Irregularity, JackpotState, LimitsRecord, PositionRecord, Record, RecordError, TableRecord};
pub use play::{Books, settle};
pub use stream::{Summary, settle_lines, settle_stream};
