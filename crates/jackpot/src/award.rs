//! An award on its way from entry to payment, and the people who sign for it.

use cards::HandOrder;
use money::{Money, Percent, Pool};
use rulebook::{Clause, Position};
use serde::{Deserialize, Serialize};

use crate::account::fine;
use crate::names::{AwardNumber, EntryId, Person, Signature};

/// From this amount on the winner's identity must be on record before the award is paid: S$10,000.00.
pub const DUE_DILIGENCE_FROM: Money = Money::from_cents(1_000_000);

/// How far an award has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AwardState {
    /// Its amount is fixed and out of the meter.
    Entered,
    /// Cards and deck have been checked.
    Verified,
    /// It may be paid.
    Approved,
    /// It has been paid.
    Paid,
    /// It has gone back onto the meter.
    Rejected,
}

/// What somebody signed an award for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = AwardStep))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Cards and deck checked.
    Verified,
    /// Approved for payment.
    Approved,
    /// Paid.
    Paid,
    /// Rejected, or taken back with its round.
    Rejected,
    /// Its amount ruled on (6.1).
    Ruled,
}

/// A signature on an award. Nobody signs one twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Signed {
    /// For what.
    pub step: Step,
    /// By whom.
    pub by: Signature,
}

/// What is checked before an award is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// The winning cards were compared with the hand claimed.
    pub cards_checked: bool,
    /// How many different cards the deck was found to have.
    pub deck_cards: u8,
}

/// Why an award is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RejectCause {
    /// The cards do not make the hand claimed.
    HandNotQualified,
    /// Cards are missing, extra or foreign.
    DeckIncomplete,
    /// No Jackpot wager stood for the hand.
    WagerNotStanding,
    /// It was entered for the wrong hand or position.
    EnteredInError,
}

impl RejectCause {
    /// Every cause.
    pub const ALL: [RejectCause; 4] = [
        RejectCause::HandNotQualified,
        RejectCause::DeckIncomplete,
        RejectCause::WagerNotStanding,
        RejectCause::EnteredInError,
    ];
}

/// Who put in the reset amount that came with an award.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Funding {
    /// The reserve's part, as far as it went.
    pub reserve: Money,
    /// The house's part.
    pub house: Money,
}

impl Funding {
    /// Splits a reset amount: the reserve gives what whole cents it has, the house the rest.
    pub(crate) fn of(reset: Money, reserve: Pool) -> Funding {
        let reserve = reserve.displayed().min(reset);
        Funding { reserve, house: reset.minus(reserve).expect("the reserve gives at most the reset amount") }
    }

    /// As much of it as `available` holds, the reserve's part first: that is the Players' money.
    pub(crate) fn at_most(self, available: Money) -> Funding {
        let reserve = self.reserve.min(available);
        let rest = available.minus(reserve).expect("no more than what is available");
        Funding { reserve, house: self.house.min(rest) }
    }
}

/// The record that a winner's identity was established.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DueDiligence {
    /// Where it is kept.
    pub reference: String,
    /// Who recorded it.
    pub by: Signature,
}

/// One award, as its slip shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Award {
    /// The number of its slip.
    pub number: AwardNumber,
    /// The round it was won in.
    pub entry: EntryId,
    /// Where the hand was.
    pub position: Position,
    /// What it was.
    pub hand: HandOrder,
    /// The percentage its line pays.
    pub percent: Percent,
    /// Its amount: as entered, or as ruled since.
    pub amount: Money,
    /// The clause the amount rests on.
    pub clause: Clause,
    /// What was displayed when its turn came.
    pub displayed: Money,
    /// How many share; one, where nobody does.
    pub sharers: usize,
    /// The meter before it.
    pub before: Pool,
    /// The meter after it.
    pub after: Pool,
    /// The reset amount that came with it, where it was all of the meter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<Funding>,
    /// How far it has come.
    pub state: AwardState,
    /// What was checked, once verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checklist: Option<Checklist>,
    /// The record of the winner's identity, once made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_diligence: Option<DueDiligence>,
    /// Who signed, in order.
    pub signatures: Vec<Signed>,
}

impl Award {
    /// Whether the winner's identity must be on record before payment.
    pub fn needs_due_diligence(&self) -> bool {
        DUE_DILIGENCE_FROM <= self.amount
    }

    /// Whether the award is neither paid nor rejected.
    pub fn is_open(&self) -> bool {
        match self.state {
            AwardState::Entered | AwardState::Verified | AwardState::Approved => true,
            AwardState::Paid | AwardState::Rejected => false,
        }
    }

    /// Whether this person has signed it.
    pub fn is_signed_by(&self, person: &Person) -> bool {
        self.signatures.iter().any(|signed| signed.by.person == *person)
    }

    /// The amount as a pool keeps it.
    pub(crate) fn fine(&self) -> Pool {
        fine(self.amount)
    }
}
