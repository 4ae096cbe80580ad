//! What happened in a round. A journal keeps these; replaying them gives the round.

use std::sync::Arc;

use cards::Card;
use money::Money;
use rulebook::{Means, PlayingArea, Position, Rule};
use serde::{Deserialize, Serialize};

use crate::command::{Asker, CardFault, Decision, Place, PlayerId, Ruling};
use crate::settlement::Settlement;

/// What is turned face up at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Exposure {
    /// The Dealer's last card (stud).
    UpCard,
    /// The first three community cards.
    FlopCards,
    /// The fourth community card.
    TurnCard,
    /// The fifth community card.
    RiverCard,
    DealerHand,
}

/// A hand moved whole from one position to another (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Where it lay.
    pub from: Position,
    /// Where it belongs.
    pub to: Position,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundEvent))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the fields of a variant are what its sentence names")]
pub enum Event {
    /// A Player was told that one hand only may be viewed.
    PlayerInformed { player: PlayerId },
    /// A Player took a position.
    PositionTaken { position: Position, player: PlayerId },
    /// A Player gave a position up.
    PositionLeft { position: Position },
    /// "Place your bets, please".
    BetsOpened,
    /// A wager or a share of one was placed: whose it is, and who placed it (3.6).
    WagerPlaced {
        position: Position,
        area: PlayingArea,
        owner: PlayerId,
        amount: Money,
        means: Means,
        by: Asker,
    },
    /// A wager was taken back before the close.
    WagerTakenBack { position: Position, area: PlayingArea, owner: PlayerId },
    /// A wager was taken off after the close; it wins or loses all the same (5.6).
    LateRemovalIgnored { position: Position, area: PlayingArea, owner: PlayerId, rule: Rule },
    /// "No more bets".
    BetsClosed,
    /// A Jackpot wager without an Ante does not stand (5.12.2).
    JackpotWagerInvalid { position: Position, rule: Rule },
    /// A card went to its place.
    CardDealt {
        place: Place,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A card that was dealt unread was read, or one that was misread was put right.
    CardRead { place: Place, card: Card },
    /// Cards were turned face up.
    Exposed { what: Exposure },
    /// A Player viewed a hand.
    HandViewed { position: Position },
    /// A Player decided.
    Decided { position: Position, area: PlayingArea, decision: Decision, rule: Rule },
    /// A hand was exposed for comparison.
    HandShown { position: Position },
    /// A Player declined comparison.
    ComparisonDeclined { position: Position, rule: Rule },
    /// A supervisor viewed a declined hand.
    DeclinedHandViewed { position: Position, rule: Rule },
    /// The round was settled, or settled anew where a later finding changed it.
    Settled {
        #[cfg_attr(feature = "schema", schema(value_type = Settlement))]
        settlement: Arc<Settlement>,
    },
    /// The next round began: this one stands for good.
    RoundClosed,
    /// The cards themselves were wrong.
    BadCardsDeclared { fault: CardFault, rule: Rule },
    /// The cards were counted.
    CardsCounted { counted: u8, rule: Rule },
    /// Cards lay in the wrong places; whether moving whole hands puts it right.
    MisdealFound {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<Move>>,
        rule: Rule,
    },
    /// Hands were moved.
    HandsMoved { moves: Vec<Move>, rule: Rule },
    /// Board or Dealer had the wrong number of cards, and it was put right.
    TableCountCorrected { rule: Rule },
    /// A hand had the wrong number of cards, and it was put right.
    HandCountCorrected { position: Position, rule: Rule },
    /// A card was wrongly exposed: so many by now. One does no harm.
    CardsExposed { in_all: u8, rule: Rule },
    /// A hand is out of the round: all wagers on it go back.
    HandOut { position: Position, rule: Rule },
    /// An absent Player's Bonus is lost (reading `absent-bonus`).
    BonusForfeited { position: Position, rule: Rule },
    /// One Player's share of the wagers on a hand goes back.
    ShareOut { position: Position, owner: PlayerId, rule: Rule },
    /// Others of the round may withdraw.
    WithdrawalsPermitted { rule: Rule },
    /// A Player took all wagers back.
    PlayerWithdrew { player: PlayerId, rule: Rule },
    /// A Player may wager on one position only.
    PlayerRestricted { player: PlayerId, rule: Rule },
    /// A restriction was lifted.
    RestrictionLifted { player: PlayerId, rule: Rule },
    /// A Player is prohibited from further play.
    PlayerProhibited { player: PlayerId, rule: Rule },
    /// A prohibited Player was let in again.
    PlayerReadmitted { player: PlayerId, rule: Rule },
    /// A Player's action was stopped.
    ActionStopped { player: PlayerId, rule: Rule },
    /// A Player was settled once under the minimum; the next time such a wager goes back (5.13).
    PlayerWarned { player: PlayerId, rule: Rule },
    /// The power failed, with or without an outcome established.
    PowerFailed { established: bool, rule: Rule },
    /// Play went on.
    PlayResumed { rule: Rule },
    /// Something no rule covers was decided.
    RulingMade { ruling: Ruling, rule: Rule },
    /// The round is void.
    RoundVoided { rule: Rule },
}
