//! What silence means at a table without staff: a Player reads it before sitting down.

use floor::Table;
use journal::Staffing;
use rulebook::{Clause, R3_9_1, R5_11, Silence};
use serde::Serialize;
use utoipa::ToSchema;

use super::timers::Timers;

/// The name of the reading.
const READING: &str = "silence";

/// A value of the reading `silence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SilenceValue {
    /// A fold at the first decision, a check at a later one.
    Fold,
    /// Treated as not present (5.11).
    Absent,
}

/// What happens to a Player who does not decide in time, for whatever reason: a page that is closed, a lost connection and
/// an ended session are silence too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SilenceView {
    /// The value of the reading `silence`.
    pub value: SilenceValue,
    /// How many milliseconds there are for a decision.
    pub decide_ms: u64,
    /// What happens then.
    pub sentence: String,
    /// The clause that is followed.
    pub clause: Clause,
    /// Why silence is read so.
    pub reason: String,
}

impl SilenceView {
    /// What silence means at a table; none at one with staff, who see whether a Player is there.
    pub fn of(table: &Table, timers: &Timers) -> Option<SilenceView> {
        if table.setup().staffing != Staffing::Automatic {
            return None;
        }
        let book = table.book();
        let decide_ms = timers.decide_ms();
        let (value, happens, rule) = match book.silence {
            Silence::Fold => (SilenceValue::Fold, "your hand folds and loses the Ante", R3_9_1),
            Silence::Absent => (SilenceValue::Absent, "your hand is out and its wagers are returned", R5_11),
        };
        let later: Vec<String> = book.following().iter().skip(1).map(ToString::to_string).collect();
        let later =
            if later.is_empty() { String::new() } else { format!("; on {} it checks", later.join(" and ")) };
        let sentence = format!(
            "You have {} for each decision. If you do not decide in time, {happens}{later}. A lost connection is no exception.",
            seconds(decide_ms)
        );
        let reading = book.readings.iter().find(|reading| reading.name == READING);
        let reason = reading.map(|reading| reading.reason.clone()).unwrap_or_default();
        Some(SilenceView { value, decide_ms, sentence, clause: book.clause(rule), reason })
    }
}

/// A time in words, in whole seconds where it is.
fn seconds(millis: u64) -> String {
    match (millis / 1_000, millis % 1_000) {
        (1, 0) => "1 second".to_owned(),
        (whole, 0) => format!("{whole} seconds"),
        (whole, rest) => format!("{whole}.{rest:03} seconds"),
    }
}
