//! What may be asked of a link.

use money::{Money, Pool};
use rulebook::{Citation, Position, Rule};
use serde::{Deserialize, Serialize};

use crate::account::Movement;
use crate::award::{Checklist, RejectCause};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId, Terms};
use crate::settings::Settings;
use crate::sharing::Claim;

/// A Jackpot wager that stood to the end of its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = JackpotWager))]
#[serde(deny_unknown_fields)]
pub struct Wager {
    /// Where.
    pub position: Position,
    /// How much.
    pub amount: Money,
}

/// A round, whole: its wagers, and the hands that claim a percentage of the meter. Fixed payouts do not concern the
/// meter (reading `fixed-paid-by`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Which round.
    pub id: EntryId,
    /// The rulebook it was played under.
    pub book: Citation,
    /// The link's settings its wagers were placed under.
    pub terms: Terms,
    /// The wagers that stand.
    pub wagers: Vec<Wager>,
    /// The hands that claim a percentage.
    pub claims: Vec<Claim>,
}

/// What of an entered round did not stand after all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Undone {
    /// The round is void.
    Round,
    /// These hands are out of it (5.7).
    Hands(Vec<Position>),
}

/// Why a meter is adjusted. The list is closed, and each cause moves money one way between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A malfunction left the meter too low; the house makes it good.
    MalfunctionTooLow,
    /// A malfunction left the meter too high. The right value may lie below the reset amount.
    MalfunctionTooHigh,
    /// A restored award left the meter above its cap; what is above becomes overflow.
    OverTheCap,
    /// Overflow goes onto the meter.
    OverflowRelease,
    /// Reserve goes onto the meter.
    ReserveTransfer,
    /// The house takes back resets it funded, down to the reset amount.
    SeedRecovery,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 6] = [
        Cause::MalfunctionTooLow,
        Cause::MalfunctionTooHigh,
        Cause::OverTheCap,
        Cause::OverflowRelease,
        Cause::ReserveTransfer,
        Cause::SeedRecovery,
    ];

    /// How the money moves.
    pub const fn movement(self) -> Movement {
        match self {
            Cause::MalfunctionTooLow => Movement::MeterRaised,
            Cause::MalfunctionTooHigh => Movement::MeterLowered,
            Cause::OverTheCap => Movement::CapEnforced,
            Cause::OverflowRelease => Movement::OverflowReleased,
            Cause::ReserveTransfer => Movement::ReserveTransferred,
            Cause::SeedRecovery => Movement::SeedRecovered,
        }
    }
}

/// What may be asked of a link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum Command {
    /// A concluded round is entered: contributions, then awards. Sent by the table itself, so nobody signs.
    Enter { entry: Entry },
    /// Cards and deck of a winning hand have been checked.
    Verify { award: AwardNumber, checklist: Checklist, by: Signature },
    /// A verified award may be paid.
    Approve { award: AwardNumber, by: Signature },
    /// The winner's identity has been established. No signature on the award: it is about the Player.
    RecordDueDiligence { award: AwardNumber, reference: String, by: Signature },
    /// An approved award is paid.
    Pay { award: AwardNumber, by: Signature },
    /// An award goes back onto the meter.
    Reject { award: AwardNumber, cause: RejectCause, by: Pair },
    /// The amount of an award is ruled on (6.1), such as what is left to one winner when another is rejected.
    RuleOnAward { award: AwardNumber, amount: Money, words: String, by: Pair },
    /// An entered round, or hands of it, did not stand after all, found before the table's next round.
    ReverseEntry { entry: EntryId, undone: Undone, rule: Rule, by: Pair },
    /// The meter is adjusted.
    Adjust { cause: Cause, amount: Pool, words: String, by: Pair },
    /// The settings are to change when the meter next restarts. Replaces an earlier change that still waits.
    Reconfigure { settings: Settings, by: Pair },
    /// A table cannot reach the controller.
    LoseTable { table: TableId },
    /// A table reaches it again.
    RestoreTable { table: TableId },
}
