//! Closed lists of words.

use ::cards::HandOrder;
use ::jackpot::{AwardState, Cause, RejectCause, Step};
use ::round::{CardFault, Decision, Exposure};
use rulebook::{JackpotCards, Means, Office, PlayingArea};

use crate::event::{Dealing, PlayerKind, Staffing};
use crate::stored::form::forms;

forms! {
    /// An area of a position.
    enum AreaV1 of PlayingArea { Ante, Bonus, Flop, Turn, River, Bet, Jackpot }

    /// How a wager is placed.
    enum MeansV1 of Means { Credits, Chips }

    /// An office.
    enum OfficeV1 of Office { Dealer, PitSupervisor, PitManager, GamingShiftManager }

    /// The order of a hand.
    enum HandOrderV1 of HandOrder {
        FiveOddCards, OnePair, TwoPairs, ThreeOfAKind, Straight, Flush, FullHouse, FourOfAKind, StraightFlush, RoyalFlush,
    }

    /// The cards a Jackpot line looks at.
    enum JackpotCardsV1 of JackpotCards {
        Hand, HoleAndFlop, HoleToTurn, HoleToRiver, HoleToRiverWithHoleCard, Community,
    }

    /// A Player's decision.
    enum DecisionV1 of Decision { Fold, Wager, Check }

    /// What is wrong with the cards.
    enum CardFaultV1 of CardFault { Extra, Missing, Foreign, Unshuffled }

    /// What is turned face up.
    enum ExposureV1 of Exposure { UpCard, FlopCards, TurnCard, RiverCard, DealerHand }

    /// How far an award has come.
    enum AwardStateV1 of AwardState { Entered, Verified, Approved, Paid, Rejected }

    /// What an award was signed for.
    enum StepV1 of Step { Verified, Approved, Paid, Rejected, Ruled }

    /// Why an award is rejected.
    enum RejectCauseV1 of RejectCause { HandNotQualified, DeckIncomplete, WagerNotStanding, EnteredInError }

    /// Why a meter is adjusted.
    enum CauseV1 of Cause {
        MalfunctionTooLow, MalfunctionTooHigh, OverTheCap, OverflowRelease, ReserveTransfer, SeedRecovery,
    }

    /// What kind of Player.
    enum PlayerKindV1 of PlayerKind { Member, Guest, House }

    /// Where a table's cards come from.
    enum DealingV1 of Dealing { Software, Live }

    /// Who runs a table.
    enum StaffingV1 of Staffing { Automatic, Staffed }
}
