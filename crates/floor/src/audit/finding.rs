//! What an audit found.

use std::fmt;

use journal::{Stream, Version};
use serde::Serialize;

/// How many findings are kept: with more, the log is not this floor's at all.
const FINDINGS_MAX: usize = 1000;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An entry is not the one that was chained or sealed.
    Chain,
    /// A checkpoint is not signed as it should be, or seals something else.
    Checkpoint,
    /// A witness has seen something else.
    Witness,
    /// An entry cannot be read, or is not written the way events are.
    Form,
    /// Something happened that the rules do not let happen.
    Rules,
    /// A round was not settled as its rulebook says.
    Settlement,
    /// A shuffle was not the one committed to, or dealt other cards.
    Shuffle,
    /// Money did not move as the event moves it, or does not add up.
    Money,
    /// A meter or an award is not what the rules make it.
    Jackpot,
    /// Two streams say different things of one thing.
    Matching,
    /// Somebody did what they may not do, or not alone.
    People,
    /// A row beside the log was not stored by this house.
    Vault,
    /// A stream was carried forward with a state that is not its own, or the books were closed wrongly.
    Carried,
    /// The index by which entries are found says something else than they do.
    Index,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Chain => "chain",
            Kind::Checkpoint => "checkpoint",
            Kind::Witness => "witness",
            Kind::Form => "form",
            Kind::Rules => "rules",
            Kind::Settlement => "settlement",
            Kind::Shuffle => "shuffle",
            Kind::Money => "money",
            Kind::Jackpot => "jackpot",
            Kind::Matching => "matching",
            Kind::People => "people",
            Kind::Vault => "vault",
            Kind::Carried => "carried",
            Kind::Index => "index",
        })
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// In which stream or other place.
    pub place: String,
    /// At which version, where it is at one.
    pub version: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "{} entry {version}: {} ({})", self.place, self.what, self.kind),
            None => write!(f, "{}: {} ({})", self.place, self.what, self.kind),
        }
    }
}

/// Everything that is wrong, as it is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    kept: Vec<Finding>,
    more: u64,
}

impl Findings {
    /// Something is wrong with an entry.
    pub(super) fn at(&mut self, kind: Kind, stream: &Stream, version: Version, what: impl Into<String>) {
        self.add(Finding { kind, place: stream.to_string(), version: Some(version.0), what: what.into() });
    }

    /// Something is wrong with a place as a whole.
    pub(super) fn with(&mut self, kind: Kind, place: impl fmt::Display, what: impl Into<String>) {
        self.add(Finding { kind, place: place.to_string(), version: None, what: what.into() });
    }

    /// Keeps a finding.
    pub(super) fn add(&mut self, finding: Finding) {
        if self.kept.len() < FINDINGS_MAX {
            self.kept.push(finding);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// Those kept, in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.kept.iter()
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        u64::try_from(self.kept.len()).unwrap_or(u64::MAX).saturating_add(self.more)
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// Lists what is counted.
macro_rules! counts {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// How much was checked.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Counts {
            $($(#[$about])* pub $name: u64,)*
            /// Transfers computed again.
            pub transfers: u64,
        }

        impl Counts {
            $(pub(super) fn $name(&mut self) {
                self.$name = self.$name.saturating_add(1);
            })*

            /// Adds what was checked elsewhere.
            pub(super) fn add(&mut self, other: &Counts) {
                $(self.$name = self.$name.saturating_add(other.$name);)*
                self.transfers = self.transfers.saturating_add(other.transfers);
            }

            /// Adds so many transfers.
            pub(super) fn more_transfers(&mut self, transfers: usize) {
                let transfers = u64::try_from(transfers).unwrap_or(u64::MAX);
                self.transfers = self.transfers.saturating_add(transfers);
            }
        }
    };
}

counts! {
    /// Streams followed.
    streams,
    /// Entries read.
    entries,
    /// Commands given again.
    commands,
    /// Rounds begun.
    rounds,
    /// Settlements computed again, corrections included.
    settlements,
    /// Corrections of a settlement.
    corrections,
    /// Rounds entered into a link again.
    rounds_entered,
    /// Awards computed again.
    awards,
    /// Shuffles opened and dealt again.
    shuffles,
    /// Cards compared with their shuffle.
    cards,
    /// Signed checkpoints.
    checkpoints,
}

/// The outcome of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How much was checked.
    pub counts: Counts,
    /// What is not accounted for, in ten-thousandths of a cent. It must be zero.
    pub figure: u128,
    /// What is wrong.
    pub findings: Findings,
    /// What could not be checked, and why.
    pub notes: Vec<String>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_well(&self) -> bool {
        self.findings.is_empty() && self.figure == 0
    }
}
