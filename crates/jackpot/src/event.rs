//! The events of a link. The journal stores them, and replaying them gives the link. Those that move money carry
//! the balances afterwards; [`Event::transfers`] lists what moved.

use money::{Money, Pool};
use rulebook::{Citation, Clause, Position};
use serde::{Deserialize, Serialize};

use crate::account::{Balances, Movement, Transfer};
use crate::award::{Award, Checklist, Funding, PaidBy, RejectCause};
use crate::command::{Cause, Evidence, Wager};
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
        contribution: Contribution,
        balances: Balances,
    },
    /// A hand was awarded an amount from the meter.
    AwardEntered { award: Box<Award>, balances: Balances },
    /// Settings that waited for the restart came into force.
    SettingsApplied { settings: Settings },
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
    /// A table lost its connection to the controller.
    TableLost { table: TableId },
    /// A table reached the controller again.
    TableRestored { table: TableId },
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
    pub(crate) fn transfers(&self) -> [Transfer; 3] {
        [
            Transfer::of_cents(Movement::AwardRestored, self.amount),
            Transfer::of_cents(Movement::ResetBackToReserve, self.reset.reserve),
            Transfer::of_cents(Movement::ResetBackToHouse, self.reset.house),
        ]
    }
}

/// The transfers of an award: its reset amount first, so that an equal share of several resets can be paid out of
/// it.
pub(crate) fn award_transfers(amount: Money, reset: Option<Funding>) -> [Transfer; 3] {
    let reset = reset.unwrap_or_default();
    [
        Transfer::of_cents(Movement::ResetByReserve, reset.reserve),
        Transfer::of_cents(Movement::ResetByHouse, reset.house),
        Transfer::of_cents(Movement::Award, amount),
    ]
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
            Event::SettingsApplied { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardReleased { .. }
            | Event::ReconfigurationScheduled { .. }
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
            | Event::MeterAdjusted { balances, .. } => Some(*balances),
            Event::AwardPaid { .. }
            | Event::SettingsApplied { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::AwardReleased { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => None,
        }
    }
}
