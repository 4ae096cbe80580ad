//! What can be wrong with a link, what it locks, and what still works.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::names::TableId;

/// The number of a fault on its link: from 1, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u64))]
#[serde(transparent)]
pub struct FaultNumber(pub u64);

impl fmt::Display for FaultNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault {}", self.0)
    }
}

/// What the program found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// A round would contribute more than one round can bring.
    ContributionImplausible,
    /// A table and the controller have not counted the same Jackpot wagers.
    CountsDiffer,
    /// An account of the link does not hold what came in less what went out.
    BooksDiffer,
    /// The clock went back, so that the times of signatures and payments would be wrong.
    ClockWentBack,
    /// A sign shows another amount than the meter.
    DisplayDiffers,
    /// An entry of the log is not what was written.
    LogWrong,
}

/// What a fault locks until two people clear it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Locked {
    /// The Jackpot wagers of one table. Its other wagers and the other tables go on.
    Table,
    /// The Jackpot wagers of every table, and payments. The tables' other wagers go on.
    Link,
    /// Signatures and payments of awards. All tables go on.
    Payments,
    /// Nothing: people are told, and everything goes on.
    Nothing,
}

impl FaultKind {
    /// Every kind, in the order of declaration.
    pub const ALL: [FaultKind; 6] = [
        FaultKind::ContributionImplausible,
        FaultKind::CountsDiffer,
        FaultKind::BooksDiffer,
        FaultKind::ClockWentBack,
        FaultKind::DisplayDiffers,
        FaultKind::LogWrong,
    ];

    /// What a fault of this kind locks.
    pub const fn locks(self) -> Locked {
        match self {
            FaultKind::ContributionImplausible => Locked::Table,
            FaultKind::CountsDiffer | FaultKind::BooksDiffer | FaultKind::LogWrong => Locked::Link,
            FaultKind::ClockWentBack => Locked::Payments,
            FaultKind::DisplayDiffers => Locked::Nothing,
        }
    }
}

/// How many Jackpot wagers a table has had entered, over its life on the link. Both sides keep it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// How many wagers.
    pub wagers: u64,
    /// Their sum, in cents.
    pub cents: u64,
}

impl Counts {
    /// These wagers, and another one of `cents`.
    #[must_use]
    pub const fn and(self, cents: u64) -> Counts {
        // A count that would overflow stays where it is: the other side's stays there too.
        Counts { wagers: self.wagers.saturating_add(1), cents: self.cents.saturating_add(cents) }
    }

    /// These wagers without one of `cents`.
    #[must_use]
    pub const fn less(self, cents: u64) -> Counts {
        Counts { wagers: self.wagers.saturating_sub(1), cents: self.cents.saturating_sub(cents) }
    }
}

/// A fault that was found and not yet cleared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LinkFault))]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The number of the fault.
    pub number: FaultNumber,
    /// What is wrong.
    pub kind: FaultKind,
    /// The table where it was found, if it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    /// What was seen, in words.
    pub seen: String,
    /// What the table has counted, where the counts differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Counts>,
}

impl Fault {
    /// Whether a table may not take or enter Jackpot wagers because of this fault.
    pub fn stops(&self, table: &TableId) -> bool {
        match self.kind.locks() {
            Locked::Link => true,
            Locked::Table => self.table.as_ref() == Some(table),
            Locked::Payments | Locked::Nothing => false,
        }
    }

    /// Whether no award is signed or paid because of this fault.
    pub const fn stops_payments(&self) -> bool {
        match self.kind.locks() {
            Locked::Link | Locked::Payments => true,
            Locked::Table | Locked::Nothing => false,
        }
    }
}
