//! Recorded rounds: an auditor, a test lab or another system sends them to find out what should have been paid.
//!
//! A record is played through the same [`round::Round`] and the same jackpot entry as at the tables, so both always
//! give the same result. `model` is the format of a record, `play` plays it through a round, `answer` is the format
//! of a settlement, and `stream` settles line by line, in order, on all cores and in constant memory.

mod answer;
mod check;
mod contradictions;
mod irregularities;
mod model;
mod play;
mod stream;

pub use answer::{Answer, AreaAnswer, Areas, AwardAnswer, JackpotAnswer, PositionAnswer};
pub use model::{Irregularity, JackpotState, LimitsRecord, PositionRecord, Record, RecordError, TableRecord};
pub use play::{Books, settle};
pub use stream::{Summary, settle_lines, settle_stream};
