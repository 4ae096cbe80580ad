//! The auditor: checks what a floor wrote, from the log alone. Works on any [`journal::Reader`] and changes nothing.
//!
//! [`verify`] follows every stream from its beginning. The log keeps each command with the entries that it caused, so each
//! is given once more to the house, the round or the link as it stood then, and the answer must be what the log says:
//! every settlement, every award and every transfer is computed again. What two streams say of one thing is compared from
//! both sides. [`round_of`] shows one round, [`replay`] settles rounds under another rulebook, [`records`] writes
//! finished rounds as records, [`meter_of`] explains a meter, and [`proof`] takes a round or an award out of the log in
//! a form that can be checked without it.

mod cause;
mod dates;
mod difference;
mod finding;
mod follow;
mod forms;
mod groups;
mod house;
mod index;
mod link;
mod locate;
mod matching;
mod memory;
mod meter;
mod period;
mod plausible;
pub mod proof;
mod records;
mod replay;
mod round_report;
mod rows;
mod table;
mod transfers;
mod verify;

pub use finding::{Counts, Finding, Findings, Kind, Report};
pub use follow::{Span, day_rule_of, floor_at, library_of};
pub use groups::event_in;
pub use meter::{Meter, MeterLine, meter_of};
pub use records::{FollowedMeter, Meters, records, records_between};
pub use replay::{AsBook, Comparison, LineDifference, Replayed, replay};
pub use round_report::{LineReport, Moved, RoundReport, Step, round_of};
pub use verify::{
    OpenedHouse, Options, PRACTICE_LOG, Watch, is_practice, key_of, opening_of, verify, verify_closed,
    verify_on,
};

use journal::StoreError;

/// Why a question cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such table.
    #[error("there is no table {name:?} in this log; there are {known}")]
    NoSuchTable {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// There is no such link.
    #[error("there is no link {name:?} in this log; there are {known}")]
    NoSuchLink {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// There is no such round.
    #[error("table {table} has no round {round}; its last is round {last}")]
    NoSuchRound {
        /// Where.
        table: String,
        /// What was asked for.
        round: u64,
        /// The newest there is.
        last: u64,
    },
    /// There is no such award.
    #[error("link {link} has no award {award}; its last is award {last}")]
    NoSuchAward {
        /// Where.
        link: String,
        /// What was asked for.
        award: u64,
        /// The newest there is.
        last: u64,
    },
    /// The round can still be corrected.
    #[error("round {round} of table {table} is not over: the next one has not begun")]
    NotOver {
        /// Where.
        table: String,
        /// What was asked for.
        round: u64,
    },
    /// The stream cannot be followed that far.
    #[error("{0}; `megalink audit verify` says more")]
    Broken(String),
    /// What is asked for was moved into an archive.
    #[error(
        "entry {version} of {stream} is not in this log: it was archived; name the folder with --archives"
    )]
    Archived {
        /// Of which stream.
        stream: journal::Stream,
        /// Which entry.
        version: journal::Version,
    },
    /// Nothing signed covers it yet.
    #[error("{0}: no signed checkpoint seals it yet; try again when the server has signed one")]
    NotSealed(String),
    /// A file that is no proof.
    #[error("this is no proof: {0}")]
    NoProof(String),
}
