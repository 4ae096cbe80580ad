//! A round or an award taken out of the log, with what it takes to check it elsewhere.
//!
//! A proof is one JSON text. It has the entries that concern the round in full; of the entries that stand between them
//! and the next signed checkpoint only the digest of what they say, which is enough to compute the chain and says
//! nothing about other rounds. So each entry is shown to be the one the house signed, and the rules do the rest: the
//! round is played again, settled again, entered again into the meter as it stood, and dealt again from its shuffle.

mod check;
mod export;
mod form;

use serde::{Deserialize, Serialize};

use super::finding::{Counts, Findings};

pub use check::check;
pub use export::{export_award, export_round};

/// What a proof is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum About {
    Round {
        table: String,
        /// The number of the round there.
        number: u64,
    },
    /// An award, and the round it was won in.
    Award {
        link: String,
        /// The number of its slip.
        number: u64,
        /// The table it was won at.
        table: String,
        /// The number of the round there.
        round: u64,
    },
}

impl About {
    /// The table and the number of the round.
    pub(super) fn round(&self) -> (&str, u64) {
        match self {
            About::Round { table, number } => (table, *number),
            About::Award { table, round, .. } => (table, *round),
        }
    }
}

/// What became of checking a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What it is about.
    pub about: About,
    /// The house's name.
    pub house: String,
    /// The key its checkpoints are signed with.
    pub key: [u8; 32],
    /// The checkpoints it rests on.
    pub checkpoints: Vec<u64>,
    /// The programs that ran at the time, each by node, version and digest, as the log says.
    pub programs: Vec<String>,
    /// How much was checked.
    pub counts: Counts,
    /// What is wrong.
    pub findings: Findings,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
}

impl Checked {
    /// Whether it is of a practice floor, whose house is the only kind with such a name.
    pub fn is_practice(&self) -> bool {
        crate::is_practice_name(&self.house)
    }

    /// Whether nothing was found wrong.
    pub fn is_well(&self) -> bool {
        self.findings.is_empty()
    }
}
