//! An award from entry to payment, and the people who sign for it.

use cards::HandOrder;
use money::{Money, Percent, Pool};
use rulebook::{Clause, Position};
use serde::{Deserialize, Serialize};

use crate::account::sub_cents;
use crate::names::{AwardNumber, EntryId, Pair, Person, Signature};

/// From this amount on the winner's identity must be on record before the award is paid: S$10,000.00.
pub const DUE_DILIGENCE_FROM: Money = Money::from_cents(1_000_000);

/// How far an award has progressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AwardState {
    /// The amount is fixed and has left the meter.
    Entered,
    /// The cards and the deck have been checked.
    Verified,
    /// The award may be paid.
    Approved,
    /// The winner has been paid.
    Paid,
    /// The amount has returned to the meter.
    Rejected,
    /// The round was entered anew without a hand that did not stand. If something is still due to this hand,
    /// another award took this one's place.
    Replaced,
}

/// What a person signed an award for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = AwardStep))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The cards and the deck were checked.
    Verified,
    /// The award was approved for payment.
    Approved,
    /// The award was paid.
    Paid,
    /// The award was rejected, or withdrawn with its round.
    Rejected,
    /// The amount was ruled on (6.1).
    Ruled,
}

/// A signature on an award. A person signs an award only once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Signed {
    /// The step that was signed.
    pub step: Step,
    /// The person and their office.
    pub by: Signature,
}

/// The checks made before an award is verified.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// Whether the winning cards were compared with the hand claimed.
    pub cards_checked: bool,
    /// How many different cards the deck has.
    pub deck_cards: u8,
    /// What was done with cards and deck. Missing in logs from before it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custody: Option<Custody>,
}

/// How the winning cards and the deck were secured.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Custody {
    /// The camera that shows the winning cards, and where its recording is found.
    pub camera: String,
    /// The number of the seal on the winning cards and the deck.
    pub seal: String,
    /// Whether the rest of the deck was put in order and checked card by card.
    pub deck_in_order: bool,
    /// Who holds the sealed cards.
    pub held_by: String,
}

/// How an award is handed to its winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PaidBy {
    /// Chips, at the table.
    Chips,
    /// Credits, to the Player's account.
    Credits,
    /// Cash, at the counter.
    Cash,
    /// A cheque.
    Cheque,
}

impl PaidBy {
    /// Every means, in the order of declaration.
    pub const ALL: [PaidBy; 4] = [PaidBy::Chips, PaidBy::Credits, PaidBy::Cash, PaidBy::Cheque];
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
    /// The award was entered for the wrong hand or position.
    EnteredInError,
}

impl RejectCause {
    /// Every cause, in the order of declaration.
    pub const ALL: [RejectCause; 4] = [
        RejectCause::HandNotQualified,
        RejectCause::DeckIncomplete,
        RejectCause::WagerNotStanding,
        RejectCause::EnteredInError,
    ];
}

/// Who paid the reset amount that came with an award.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Funding {
    /// The part paid by the reserve.
    pub reserve: Money,
    /// The part paid by the house.
    pub house: Money,
    /// What came on top of the reset amount: contributions that had gone above the cap.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overflow: Money,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
const fn is_zero(amount: &Money) -> bool {
    amount.is_zero()
}

impl Funding {
    /// Splits a reset amount: the reserve pays as many whole cents as it holds, the house pays the rest.
    pub(crate) fn of(reset: Money, reserve: Pool) -> Funding {
        let reserve = reserve.displayed().min(reset);
        let house = reset.minus(reserve).expect("the reserve gives at most the reset amount");
        Funding { reserve, house, overflow: Money::ZERO }
    }

    /// The part that `available` covers, the Players' money first: reserve, overflow, then the house's part.
    pub(crate) fn at_most(self, available: Money) -> Funding {
        let mut left = available;
        let mut take = |part: Money| {
            let taken = part.min(left);
            left = left.minus(taken).expect("at most what is left is taken");
            taken
        };
        let (reserve, overflow) = (take(self.reserve), take(self.overflow));
        Funding { reserve, overflow, house: take(self.house) }
    }
}

/// The record that a winner's identity was established.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DueDiligence {
    /// Where the record is kept.
    pub reference: String,
    /// The person who recorded it.
    pub by: Signature,
}

/// A ruling that an award is paid although an earlier one is still open (6.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// The ruling in words.
    pub words: String,
    /// The two people who ruled.
    pub by: Pair,
}

/// A ruling on an amount (6.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = AwardRuling))]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// The ruling in words.
    pub words: String,
    /// The two people who ruled.
    pub by: Pair,
}

/// One award, as its slip shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Award {
    /// The number of the award's slip.
    pub number: AwardNumber,
    /// The round in which it was won.
    pub entry: EntryId,
    /// The position of the winning hand.
    pub position: Position,
    /// The order of the winning hand.
    pub hand: HandOrder,
    /// The percentage that the line of the pay table pays.
    pub percent: Percent,
    /// The amount, as entered or as changed by a ruling.
    pub amount: Money,
    /// The clause behind the amount.
    pub clause: Clause,
    /// What the meter displayed when the award's turn came.
    pub displayed: Money,
    /// How many hands share; 1 if the award is not shared.
    pub sharers: usize,
    /// The meter before the award.
    pub before: Pool,
    /// The meter after the award.
    pub after: Pool,
    /// The reset amount that came with the award, if it paid all of the meter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<Funding>,
    /// How far the award has progressed.
    pub state: AwardState,
    /// The checks that were made, once the award is verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checklist: Option<Checklist>,
    /// The record of the winner's identity, once it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_diligence: Option<DueDiligence>,
    /// The earlier award of the same hand, if the round was entered anew: this award replaces it, or adds to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<AwardNumber>,
    /// What the hand was already paid, if this award adds to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paid_before: Option<Money>,
    /// The ruling that it may be paid before an earlier award, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Release>,
    /// The last ruling on its amount, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<Ruling>,
    /// All signatures, in the order given.
    pub signatures: Vec<Signed>,
}

impl Award {
    /// Whether the winner's identity must be on record before payment.
    pub fn needs_due_diligence(&self) -> bool {
        let all = self.amount.plus(self.paid_before.unwrap_or_default());
        all.is_ok_and(|all| DUE_DILIGENCE_FROM <= all)
    }

    /// Whether the award adds to an earlier one that was paid.
    pub fn is_supplement(&self) -> bool {
        self.paid_before.is_some()
    }

    /// Whether the award is still to be paid: it is neither paid nor rejected nor replaced.
    pub fn is_open(&self) -> bool {
        match self.state {
            AwardState::Entered | AwardState::Verified | AwardState::Approved => true,
            AwardState::Paid | AwardState::Rejected | AwardState::Replaced => false,
        }
    }

    /// Whether the award took all of the meter, which restarts with it. A supplement restarts nothing.
    pub fn restarts(&self) -> bool {
        self.percent == Percent::ALL && !self.is_supplement()
    }

    /// Whether both awards are of one hand on one line of the pay table.
    pub(crate) fn is_of_hand(&self, other: &Award) -> bool {
        self.entry == other.entry
            && (self.position, self.hand, self.percent) == (other.position, other.hand, other.percent)
    }

    /// Whether this person has signed the award.
    pub fn is_signed_by(&self, person: &Person) -> bool {
        self.signatures.iter().any(|signed| signed.by.person == *person)
    }

    /// The amount in ten-thousandths of a cent.
    pub(crate) fn sub_cents(&self) -> Pool {
        sub_cents(self.amount)
    }
}
