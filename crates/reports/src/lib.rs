//! What an operator takes out of the log, without changing it: [`export()`] writes rounds, entries, the ledger and awards for
//! other programs; [`finished()`] hands over what finished since a position; a [`Reporter`] says what a gaming day, a month or any range came to. Both read only the days they are
//! about, from the live log and from its archives, and the same log gives the same bytes.
#![deny(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::unwrap_used)]

mod ahead;
mod covariance;
pub mod csv;
mod day;
mod expected;
mod export;
mod finished;
mod log;
mod report;
mod rules;
mod statistics;
mod table_day;
mod totals;

pub use day::{DayError, Days, GamingDay};
pub use expected::{Expectations, Expected};
pub use export::{ExportError, Format, Subject, dictionary, export};
pub use finished::{Finished, FinishedAward, FinishedRound, Position, PositionError, finished};
pub use log::Log;
pub use report::{FigureKind, Heading, Report, Reporter, Section, StreamEnd, Value, statement};
pub use rules::{jackpot_check, lab_check};
pub use statistics::{
    CardTest, DecisionTest, Group, LEVEL, LeftOut, MoneyResult, Pair, PlayerStatistics, Point, RareCount,
    Shuffle, Statistics, Telling, statistics,
};
pub use totals::{AreaTotals, Both, DayCache, DayTotals, TableTotals, Units};
