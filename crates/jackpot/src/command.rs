//! The commands of a link.

use cards::HandOrder;
use money::{Money, Pool};
use rulebook::{Citation, Position, Rule};
use serde::{Deserialize, Serialize};

use crate::account::Movement;
use crate::award::{Checklist, PaidBy, RejectCause};
use crate::fault::{Counts, FaultKind, FaultNumber};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId, Terms};
use crate::settings::Settings;
use crate::sharing::Claim;

/// A Jackpot wager that stood until the end of its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = JackpotWager))]
#[serde(deny_unknown_fields)]
pub struct Wager {
    /// The position of the wager.
    pub position: Position,
    /// The amount wagered.
    pub amount: Money,
}

/// A fixed Jackpot payout that the house paid at the table. It does not affect the meter (reading `fixed-paid-by`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FixedPrize {
    /// The position of the wager.
    pub position: Position,
    /// The order of the hand that is paid.
    pub hand: HandOrder,
    /// The amount paid.
    pub amount: Money,
}

/// What a table's players saw when their bets closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MeterShown))]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// How many rounds the link had entered: which amount it was.
    pub entries: u64,
    /// The amount on display.
    pub displayed: Money,
}

/// One round: its Jackpot wagers, the hands that claim a percentage of the meter, and the fixed payouts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The table and the number of the round.
    pub id: EntryId,
    /// The rulebook under which it was played.
    pub book: Citation,
    /// The link settings under which its wagers were placed.
    pub terms: Terms,
    /// The wagers that stand.
    pub wagers: Vec<Wager>,
    /// The hands that claim a percentage of the meter.
    pub claims: Vec<Claim>,
    /// The fixed payouts, for the meters of their lines.
    pub fixed: Vec<FixedPrize>,
    /// What the table's players saw when bets closed.
    pub shown: Option<Shown>,
    /// What the table had counted before this round.
    pub counted: Option<Counts>,
}

/// Where the money of a link goes when it closes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Destination {
    /// The meter of another link, by name.
    Link(String),
    /// The house, which pays it out as the words say.
    House,
}

/// The part of an entered round that is undone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Undone {
    /// The whole round, which is void.
    Round,
    /// The hands at these positions (5.7).
    Hands(Vec<Position>),
}

/// Why a meter is adjusted. The list is closed: each cause moves money between two accounts, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A malfunction left the meter too low; the house pays the difference.
    MalfunctionTooLow,
    /// A malfunction left the meter too high. The correct value may be below the reset amount.
    MalfunctionTooHigh,
    /// A restored award left the meter above its cap; the excess becomes overflow.
    OverTheCap,
    /// Overflow is moved onto the meter.
    OverflowRelease,
    /// Reserve is moved onto the meter.
    ReserveTransfer,
    /// The house takes back resets that it funded, down to the reset amount.
    SeedRecovery,
}

impl Cause {
    /// Every cause, in the order of declaration.
    pub const ALL: [Cause; 6] = [
        Cause::MalfunctionTooLow,
        Cause::MalfunctionTooHigh,
        Cause::OverTheCap,
        Cause::OverflowRelease,
        Cause::ReserveTransfer,
        Cause::SeedRecovery,
    ];

    /// The movement this cause makes.
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

/// What an adjustment of a meter refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evidence {
    /// A fault, by the number of its entry in the link's log.
    Fault { entry: u64 },
    /// An award.
    Award { award: AwardNumber },
    /// A round that was entered.
    Round { entry: EntryId },
    /// A count of the meters, by the reference of its sheet.
    Count { reference: String },
}

impl Cause {
    /// Whether this evidence is enough for the cause. A malfunction shows in a fault or a count, and a reset that the house
    /// takes back came with an award. What lies above the cap, in overflow and in the reserve the link knows itself.
    pub const fn is_shown_by(self, about: Option<&Evidence>) -> bool {
        match self {
            Cause::MalfunctionTooLow | Cause::MalfunctionTooHigh => {
                matches!(about, Some(Evidence::Fault { .. } | Evidence::Count { .. }))
            }
            Cause::SeedRecovery => matches!(about, Some(Evidence::Award { .. })),
            Cause::OverTheCap | Cause::OverflowRelease | Cause::ReserveTransfer => true,
        }
    }
}

/// A command to a link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Enters a concluded round: contributions, then awards. The table itself sends it, so there is no signature.
    Enter { entry: Entry },
    /// Records that the cards and the deck of a winning hand were checked.
    Verify { award: AwardNumber, checklist: Checklist, by: Signature },
    /// Approves a verified award for payment.
    Approve { award: AwardNumber, by: Signature },
    /// Records that the winner's identity was established. It is not a signature on the award: it is about the
    /// Player.
    RecordDueDiligence { award: AwardNumber, reference: String, by: Signature },
    /// Pays an approved award.
    Pay { award: AwardNumber, means: Option<PaidBy>, by: Signature },
    /// Rejects an award: its amount returns to the meter.
    Reject { award: AwardNumber, cause: RejectCause, by: Pair },
    /// Rules on the amount of an award (6.1), for example what one winner gets when another is rejected.
    RuleOnAward { award: AwardNumber, amount: Money, words: String, by: Pair },
    /// Rules that an award may be paid while an earlier one is disputed (6.1).
    ReleaseAward { award: AwardNumber, words: String, by: Pair },
    /// Undoes an entered round, or hands of it, before the table's next round is entered.
    ReverseEntry { entry: EntryId, undone: Undone, rule: Rule, by: Pair },
    /// Corrects the fixed payouts of a table's last round, which it settled again. The table itself sends it: no money of
    /// the link moves.
    CorrectFixed { entry: EntryId, fixed: Vec<FixedPrize>, rule: Rule },
    /// Adjusts the meter.
    Adjust { cause: Cause, amount: Pool, words: String, about: Option<Evidence>, by: Pair },
    /// Schedules new settings for the next restart of the meter. Replaces an earlier change that is still
    /// waiting.
    Reconfigure { settings: Settings, by: Pair },
    /// Reports what the program found wrong. The system itself gives it.
    ReportFault { kind: FaultKind, table: Option<TableId>, seen: String, counted: Option<Counts> },
    /// Clears a fault, once its cause is known.
    ClearFault { fault: FaultNumber, words: String, by: Pair },
    /// Announces that the link will close, and where its money will go.
    AnnounceClosing { to: Destination, words: String, by: Pair },
    /// Closes the link as announced: all that it holds is moved.
    Close { by: Pair },
    /// Takes in the money of a link that closes.
    Receive { from: String, amount: Pool, by: Pair },
    /// Reports that a table cannot reach the controller. `silent` where the program noticed that it does not answer.
    LoseTable { table: TableId, silent: bool },
    /// Reports that a table reaches the controller again.
    RestoreTable { table: TableId },
}
