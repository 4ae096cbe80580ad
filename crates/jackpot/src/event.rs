//! The events of a link. The journal stores them, and replaying them gives the link. Those that move money carry
//! the balances afterwards; [`Event::transfers`] lists what moved.

use money::{Money, Pool};
use rulebook::{Citation, Clause, Position};
use serde::{Deserialize, Serialize};

use crate::account::{Balances, Movement, Transfer};
use crate::award::{Award, Checklist, Funding, PaidBy, RejectCause};
use crate::command::{Cause, Destination, Evidence, FixedPrize, Shown, Wager};
use crate::fault::{Fault, FaultNumber};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId, Terms};
use crate::settings::Settings;

/// What wagers contribute to a link, by account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Contribution {
    /// The part for the meter.
    pub meter: Pool,
    /// The part above the cap.
    pub overflow: Pool,
    /// The part for the reserve.
    pub reserve: Pool,
}

/// What a rejected award returns to the meter, and the reset that leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Restoration {
    /// The number of the award.
    pub award: AwardNumber,
    /// The amount that returns to the meter.
    pub amount: Money,
    /// The reset amount that came with the award. It returns to those who paid it, as far as the meter holds it.
    pub reset: Funding,
}

/// A meter that was raised to a higher reset amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Raised {
    /// Who paid the difference.
    pub by: Funding,
    /// What the link holds afterwards.
    pub balances: Balances,
}

/// What happened to a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = JackpotEvent))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "fields are named after their types; `balances` is what the link holds afterwards"
)]
pub enum Event {
    /// A round's wagers were counted and fed the meter.
    RoundEntered {
        entry: EntryId,
        book: Citation,
        terms: Terms,
        wagers: Vec<Wager>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fixed: Vec<FixedPrize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<Shown>,
        contribution: Contribution,
        balances: Balances,
    },
    /// A hand was awarded an amount from the meter.
    AwardEntered { award: Box<Award>, balances: Balances },
    /// Settings that waited came into force. If their reset amount is higher than the one the meter restarted from,
    /// the meter was raised by the difference.
    SettingsApplied {
        settings: Settings,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raised: Option<Raised>,
    },
    /// The cards and the deck were checked.
    AwardVerified { award: AwardNumber, checklist: Checklist, by: Signature },
    /// An award was approved for payment.
    AwardApproved { award: AwardNumber, by: Signature },
    /// The winner's identity was recorded.
    DueDiligenceRecorded { award: AwardNumber, reference: String, by: Signature },
    /// The winner of an award was paid.
    AwardPaid {
        award: AwardNumber,
        amount: Money,
        by: Signature,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        means: Option<PaidBy>,
    },
    /// An award was rejected: its amount returned to the meter.
    AwardRejected {
        restoration: Restoration,
        cause: RejectCause,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// An award was withdrawn because its round or its hand did not stand.
    AwardTakenBack { restoration: Restoration, by: Pair, clause: Clause, balances: Balances },
    /// A ruling changed an award's amount.
    RulingMade {
        award: AwardNumber,
        amount_before: Money,
        amount: Money,
        words: String,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// A ruling allows an award to be paid before earlier ones that are open.
    AwardReleased { award: AwardNumber, words: String, by: Pair, clause: Clause },
    /// A hand of the round did not stand, so what another hand is due was computed again. The amount returned to the
    /// meter; `replacement` is the award that follows, unless nothing more is due.
    AwardReplaced {
        restoration: Restoration,
        replacement: Option<AwardNumber>,
        clause: Clause,
        balances: Balances,
    },
    /// Wagers of an entered round did not stand, and their contributions were returned. `shortfall` is the part
    /// that the accounts no longer held because it had been won or spent since; the house pays it.
    EntryReversed {
        entry: EntryId,
        positions: Vec<Position>,
        contribution: Contribution,
        shortfall: Contribution,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// The table settled its last round again, and these are its fixed payouts now, of the hands that stand.
    FixedPrizesCorrected { entry: EntryId, fixed: Vec<FixedPrize>, clause: Clause },
    /// The meter was adjusted.
    MeterAdjusted {
        cause: Cause,
        amount: Pool,
        words: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<Evidence>,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// New settings were scheduled for the next restart.
    ReconfigurationScheduled { settings: Settings, by: Pair },
    /// The program found something wrong.
    FaultFound { fault: Fault },
    /// Two people cleared a fault.
    FaultCleared { fault: FaultNumber, words: String, by: Pair, clause: Clause },
    /// The closing of the link was announced.
    ClosingAnnounced { to: Destination, words: String, by: Pair, clause: Clause },
    /// The link closed, and all that it held was moved.
    LinkClosed { to: Destination, moved: Balances, by: Pair, clause: Clause, balances: Balances },
    /// The money of a link that closed came in; the part above the cap became overflow.
    MoneyReceived { from: String, meter: Pool, overflow: Pool, by: Pair, clause: Clause, balances: Balances },
    /// A table lost its connection to the controller; `silent` where the program noticed that it does not answer.
    TableLost {
        table: TableId,
        #[serde(default, skip_serializing_if = "is_false")]
        silent: bool,
    },
    /// A table reached the controller again.
    TableRestored { table: TableId },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Contribution {
    /// The parts for meter, overflow and reserve as transfers, each by its own movement.
    fn transfers_by(&self, ways: [Movement; 3]) -> [Transfer; 3] {
        let [meter, overflow, reserve] = ways;
        [
            Transfer::new(meter, self.meter),
            Transfer::new(overflow, self.overflow),
            Transfer::new(reserve, self.reserve),
        ]
    }

    /// The transfers of incoming wagers.
    pub(crate) fn incoming_transfers(&self) -> [Transfer; 3] {
        self.transfers_by([
            Movement::Contribution,
            Movement::ContributionOverCap,
            Movement::ContributionToReserve,
        ])
    }

    /// The transfers of returned wagers, without what the accounts no longer hold.
    pub(crate) fn return_transfers(&self, shortfall: &Contribution) -> Vec<Transfer> {
        let ways = [Movement::ContributionReversed, Movement::OverCapReversed, Movement::ReserveReversed];
        let lacking = shortfall.transfers_by([Movement::ReversalShortfall; 3]);
        let held = self.transfers_by(ways).into_iter().zip(&lacking).map(|(whole, lacking)| {
            let held =
                whole.amount.minus(lacking.amount).expect("an account lacks at most what it should pay");
            Transfer::new(whole.movement, held)
        });
        held.chain(lacking).collect()
    }
}

impl Restoration {
    /// The transfers: the amount first, so that the reset can be paid out of it.
    pub(crate) fn transfers(&self) -> [Transfer; 4] {
        [
            Transfer::of_cents(Movement::AwardRestored, self.amount),
            Transfer::of_cents(Movement::ResetBackToReserve, self.reset.reserve),
            Transfer::of_cents(Movement::ResetBackToOverflow, self.reset.overflow),
            Transfer::of_cents(Movement::ResetBackToHouse, self.reset.house),
        ]
    }
}

/// The transfers of an award: its reset amount first, so that an equal share of several resets can be paid out of
/// it.
pub(crate) fn award_transfers(amount: Money, reset: Option<Funding>) -> [Transfer; 4] {
    let [by_reserve, by_house, by_overflow] = reset_transfers(reset.unwrap_or_default());
    [by_reserve, by_house, by_overflow, Transfer::of_cents(Movement::Award, amount)]
}

/// The transfers of a reset amount.
pub(crate) fn reset_transfers(reset: Funding) -> [Transfer; 3] {
    [
        Transfer::of_cents(Movement::ResetByReserve, reset.reserve),
        Transfer::of_cents(Movement::ResetByHouse, reset.house),
        Transfer::of_cents(Movement::ResetByOverflow, reset.overflow),
    ]
}

/// The transfers of a link that closes.
pub(crate) fn closing_transfers(moved: &Balances) -> [Transfer; 3] {
    [
        Transfer::new(Movement::MeterMovedOut, moved.meter),
        Transfer::new(Movement::ReserveMovedOut, moved.reserve),
        Transfer::new(Movement::OverflowMovedOut, moved.overflow),
    ]
}

/// The transfers of money that comes in from a link that closed.
pub(crate) fn receiving_transfers(meter: Pool, overflow: Pool) -> [Transfer; 2] {
    [Transfer::new(Movement::MovedIn, meter), Transfer::new(Movement::MovedInOverCap, overflow)]
}

/// The transfer of a ruling: the difference, up or down.
pub(crate) fn ruling_transfer(before: Money, amount: Money) -> Transfer {
    match (amount.minus(before), before.minus(amount)) {
        (Some(raised), _) => Transfer::of_cents(Movement::AwardRaised, raised),
        (None, lowered) => Transfer::of_cents(Movement::AwardLowered, lowered.unwrap_or_default()),
    }
}

impl Event {
    /// The money it moved, in order, without transfers of zero.
    pub fn transfers(&self) -> Vec<Transfer> {
        let mut transfers = match self {
            Event::RoundEntered { contribution, .. } => contribution.incoming_transfers().to_vec(),
            Event::AwardEntered { award, .. } => award_transfers(award.amount, award.reset).to_vec(),
            Event::AwardPaid { amount, .. } => vec![Transfer::of_cents(Movement::AwardPaid, *amount)],
            Event::AwardRejected { restoration, .. }
            | Event::AwardTakenBack { restoration, .. }
            | Event::AwardReplaced { restoration, .. } => restoration.transfers().to_vec(),
            Event::RulingMade { amount_before, amount, .. } => vec![ruling_transfer(*amount_before, *amount)],
            Event::EntryReversed { contribution, shortfall, .. } => contribution.return_transfers(shortfall),
            Event::MeterAdjusted { cause, amount, .. } => vec![Transfer::new(cause.movement(), *amount)],
            Event::SettingsApplied { raised: Some(raised), .. } => reset_transfers(raised.by).to_vec(),
            Event::LinkClosed { moved, .. } => closing_transfers(moved).to_vec(),
            Event::MoneyReceived { meter, overflow, .. } => receiving_transfers(*meter, *overflow).to_vec(),
            Event::SettingsApplied { raised: None, .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardReleased { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::FaultFound { .. }
            | Event::FaultCleared { .. }
            | Event::ClosingAnnounced { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => Vec::new(),
        };
        transfers.retain(|transfer| transfer.amount != Pool::ZERO);
        transfers
    }

    /// What the link holds afterwards, if the event moved money in or out of it.
    pub fn balances(&self) -> Option<Balances> {
        match self {
            Event::RoundEntered { balances, .. }
            | Event::AwardEntered { balances, .. }
            | Event::AwardRejected { balances, .. }
            | Event::AwardTakenBack { balances, .. }
            | Event::AwardReplaced { balances, .. }
            | Event::RulingMade { balances, .. }
            | Event::EntryReversed { balances, .. }
            | Event::MeterAdjusted { balances, .. }
            | Event::LinkClosed { balances, .. }
            | Event::MoneyReceived { balances, .. }
            | Event::SettingsApplied { raised: Some(Raised { balances, .. }), .. } => Some(*balances),
            Event::AwardPaid { .. }
            | Event::SettingsApplied { raised: None, .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardReleased { .. }
            | Event::FixedPrizesCorrected { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::FaultFound { .. }
            | Event::FaultCleared { .. }
            | Event::ClosingAnnounced { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => None,
        }
    }
}
