//! What happened to a link. A journal keeps these; replaying them gives the link. Those that move money say what the
//! link holds afterwards, and through [`Event::transfers`] what moved.

use money::{Money, Pool};
use rulebook::{Citation, Clause, Position};
use serde::{Deserialize, Serialize};

use crate::account::{Balances, Movement, Transfer};
use crate::award::{Award, Checklist, Funding, RejectCause};
use crate::command::{Cause, Wager};
use crate::names::{AwardNumber, EntryId, Pair, Signature, TableId, Terms};
use crate::settings::Settings;

/// What wagers bring a link, by where it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Contribution {
    /// To the meter.
    pub meter: Pool,
    /// Above the cap.
    pub overflow: Pool,
    /// To the reserve.
    pub reserve: Pool,
}

/// What a rejected award puts back, and what it takes out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Restoration {
    /// The award.
    pub award: AwardNumber,
    /// Its amount, which goes back onto the meter.
    pub amount: Money,
    /// The reset amount that had come with it, which goes back to who gave it: as far as the meter holds it.
    pub reset: Funding,
}

/// What happened.
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
    /// A hand was awarded its amount, and the meter went on from there.
    AwardEntered { award: Box<Award>, balances: Balances },
    /// Settings that had waited for the restart came into force.
    SettingsApplied { settings: Settings },
    /// Cards and deck were checked.
    AwardVerified { award: AwardNumber, checklist: Checklist, by: Signature },
    /// An award may be paid.
    AwardApproved { award: AwardNumber, by: Signature },
    /// The winner's identity was recorded.
    DueDiligenceRecorded { award: AwardNumber, reference: String, by: Signature },
    /// An award was paid.
    AwardPaid { award: AwardNumber, amount: Money, by: Signature },
    /// An award was rejected.
    AwardRejected {
        restoration: Restoration,
        cause: RejectCause,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// An award was taken back, because its round or its hand did not stand.
    AwardTakenBack { restoration: Restoration, by: Pair, clause: Clause, balances: Balances },
    /// An award's amount was ruled on.
    RulingMade {
        award: AwardNumber,
        amount_before: Money,
        amount: Money,
        words: String,
        by: Pair,
        clause: Clause,
        balances: Balances,
    },
    /// Wagers of an entered round did not stand: their contributions went back. `shortfall` is the part of the
    /// contribution that its account no longer held, because it had been won or spent meanwhile; the house bears it.
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
    MeterAdjusted { cause: Cause, amount: Pool, words: String, by: Pair, clause: Clause, balances: Balances },
    /// New settings wait for the next restart.
    ReconfigurationScheduled { settings: Settings, by: Pair },
    /// A table cannot reach the controller.
    TableLost { table: TableId },
    /// A table reaches it again.
    TableRestored { table: TableId },
}

impl Contribution {
    /// The parts in the order meter, overflow, reserve, each moving in its way.
    fn moving(&self, ways: [Movement; 3]) -> [Transfer; 3] {
        let [meter, overflow, reserve] = ways;
        [
            Transfer::new(meter, self.meter),
            Transfer::new(overflow, self.overflow),
            Transfer::new(reserve, self.reserve),
        ]
    }

    /// The transfers of wagers coming in.
    pub(crate) fn coming_in(&self) -> [Transfer; 3] {
        self.moving([Movement::Contribution, Movement::ContributionOverCap, Movement::ContributionToReserve])
    }

    /// The transfers of wagers going back, but for what the accounts lack.
    pub(crate) fn going_back(&self, shortfall: &Contribution) -> Vec<Transfer> {
        let ways = [Movement::ContributionReversed, Movement::OverCapReversed, Movement::ReserveReversed];
        let lacking = shortfall.moving([Movement::ReversalShortfall; 3]);
        let held = self.moving(ways).into_iter().zip(&lacking).map(|(whole, lacking)| {
            let held =
                whole.amount.minus(lacking.amount).expect("no account lacks more than was asked of it");
            Transfer::new(whole.movement, held)
        });
        held.chain(lacking).collect()
    }
}

impl Restoration {
    /// The transfers: the amount first, so that the reset can be taken out of it.
    pub(crate) fn transfers(&self) -> [Transfer; 3] {
        [
            Transfer::of_cents(Movement::AwardRestored, self.amount),
            Transfer::of_cents(Movement::ResetBackToReserve, self.reset.reserve),
            Transfer::of_cents(Movement::ResetBackToHouse, self.reset.house),
        ]
    }
}

/// The transfers of an award: its reset amount first, so that an equal share of several can be taken out.
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
    /// The money it moved, in order, nothing of nought.
    pub fn transfers(&self) -> Vec<Transfer> {
        let mut transfers = match self {
            Event::RoundEntered { contribution, .. } => contribution.coming_in().to_vec(),
            Event::AwardEntered { award, .. } => award_transfers(award.amount, award.reset).to_vec(),
            Event::AwardPaid { amount, .. } => vec![Transfer::of_cents(Movement::AwardPaid, *amount)],
            Event::AwardRejected { restoration, .. } | Event::AwardTakenBack { restoration, .. } => {
                restoration.transfers().to_vec()
            }
            Event::RulingMade { amount_before, amount, .. } => vec![ruling_transfer(*amount_before, *amount)],
            Event::EntryReversed { contribution, shortfall, .. } => contribution.going_back(shortfall),
            Event::MeterAdjusted { cause, amount, .. } => vec![Transfer::new(cause.movement(), *amount)],
            Event::SettingsApplied { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => Vec::new(),
        };
        transfers.retain(|transfer| transfer.amount != Pool::ZERO);
        transfers
    }

    /// What the link holds afterwards, where the event moved money in or out of it.
    pub fn balances(&self) -> Option<Balances> {
        match self {
            Event::RoundEntered { balances, .. }
            | Event::AwardEntered { balances, .. }
            | Event::AwardRejected { balances, .. }
            | Event::AwardTakenBack { balances, .. }
            | Event::RulingMade { balances, .. }
            | Event::EntryReversed { balances, .. }
            | Event::MeterAdjusted { balances, .. } => Some(*balances),
            Event::AwardPaid { .. }
            | Event::SettingsApplied { .. }
            | Event::AwardVerified { .. }
            | Event::AwardApproved { .. }
            | Event::DueDiligenceRecorded { .. }
            | Event::ReconfigurationScheduled { .. }
            | Event::TableLost { .. }
            | Event::TableRestored { .. } => None,
        }
    }
}
