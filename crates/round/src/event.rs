//! The events of a round. The journal stores them, and replaying them gives the round.

use std::sync::Arc;

use cards::Card;
use money::Money;
use rulebook::{Means, PlayingArea, Position, Rule};
use serde::{Deserialize, Serialize};

use crate::command::{Asker, CardFault, Decision, Place, PlayerId, Ruling};
use crate::settlement::Settlement;

/// Cards that are turned face up at the same time.
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

/// A whole hand, moved from one position to another (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The position where it was.
    pub from: Position,
    /// The position it belongs to.
    pub to: Position,
}

/// What happened in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RoundEvent))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// A Player was told that only one hand may be viewed.
    PlayerInformed { player: PlayerId },
    /// A Player took a position.
    PositionTaken { position: Position, player: PlayerId },
    /// A Player left a position.
    PositionLeft { position: Position },
    /// "Place your bets, please".
    BetsOpened,
    /// A wager, or a share of one, was placed: its owner, and who placed it (3.6).
    WagerPlaced {
        position: Position,
        area: PlayingArea,
        owner: PlayerId,
        amount: Money,
        means: Means,
        by: Asker,
    },
    /// A wager was taken back before "No more bets", or returned then under a rule.
    WagerTakenBack {
        position: Position,
        area: PlayingArea,
        owner: PlayerId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<Rule>,
    },
    /// A wager was removed after "No more bets". It still wins or loses (5.6).
    LateRemovalIgnored { position: Position, area: PlayingArea, owner: PlayerId, rule: Rule },
    /// "No more bets".
    BetsClosed,
    /// A Jackpot wager without an Ante is invalid (5.12.2).
    JackpotWagerInvalid { position: Position, rule: Rule },
    /// A card was dealt to its place.
    CardDealt {
        place: Place,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A card that was dealt unread was read, or a misread card was corrected.
    CardRead { place: Place, card: Card },
    /// Cards were turned face up.
    Exposed { what: Exposure },
    /// A Player viewed a hand.
    HandViewed { position: Position },
    /// A Player touched the cards of a hand without viewing them.
    HandHandled { position: Position, rule: Rule },
    /// A Player made a decision.
    Decided { position: Position, area: PlayingArea, decision: Decision, rule: Rule },
    /// A decision that was keyed wrongly was corrected.
    DecisionCorrected {
        position: Position,
        area: PlayingArea,
        before: Decision,
        decision: Decision,
        rule: Rule,
    },
    /// The amount of a wager that was keyed wrongly was corrected.
    WagerCorrected {
        position: Position,
        area: PlayingArea,
        owner: PlayerId,
        before: Money,
        amount: Money,
        rule: Rule,
    },
    /// A hand was exposed for comparison.
    HandShown { position: Position },
    /// A Player declined comparison.
    ComparisonDeclined { position: Position, rule: Rule },
    /// A supervisor viewed a declined hand.
    DeclinedHandViewed { position: Position, rule: Rule },
    /// The round was settled, or settled again after a later finding.
    Settled {
        #[cfg_attr(feature = "schema", schema(value_type = Settlement))]
        settlement: Arc<Settlement>,
    },
    /// The next round began: this one can no longer be changed.
    RoundClosed,
    /// The cards themselves were wrong.
    BadCardsDeclared { fault: CardFault, rule: Rule },
    /// The cards were counted.
    CardsCounted { counted: u8, rule: Rule },
    /// Cards lay in the wrong places. Tells whether moving whole hands corrects it.
    MisdealFound {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<Vec<Move>>,
        rule: Rule,
    },
    /// Hands were moved.
    HandsMoved { moves: Vec<Move>, rule: Rule },
    /// The board or the Dealer had the wrong number of cards, and it was corrected.
    TableCountCorrected { rule: Rule },
    /// A hand had the wrong number of cards, and it was corrected.
    HandCountCorrected { position: Position, rule: Rule },
    /// A card was wrongly exposed. `in_all` is the number so far; a single card changes nothing.
    CardsExposed { in_all: u8, rule: Rule },
    /// A hand is out of the round: all wagers on it are returned.
    HandOut { position: Position, rule: Rule },
    /// An absent Player's Bonus is lost (reading `absent-bonus`).
    BonusForfeited { position: Position, rule: Rule },
    /// One Player's share of the wagers on a hand is returned.
    ShareOut { position: Position, owner: PlayerId, rule: Rule },
    /// The other Players of the round may withdraw.
    WithdrawalsPermitted { rule: Rule },
    /// A Player withdrew all wagers.
    PlayerWithdrew { player: PlayerId, rule: Rule },
    /// A Player who was asked after a power failure left all wagers, or gave no answer.
    PlayerStayed { player: PlayerId, answered: bool, rule: Rule },
    /// A Player may wager on one position only.
    PlayerRestricted { player: PlayerId, rule: Rule },
    /// A restriction was lifted.
    RestrictionLifted { player: PlayerId, rule: Rule },
    /// A Player is prohibited from further play.
    PlayerProhibited {
        player: PlayerId,
        rule: Rule,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A prohibited Player may play again.
    PlayerReadmitted { player: PlayerId, rule: Rule },
    /// A Player's action was stopped.
    ActionStopped {
        player: PlayerId,
        rule: Rule,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A Player's wager under the minimum was settled once; the next such wager is returned (5.13).
    PlayerWarned { player: PlayerId, rule: Rule },
    /// The power failed. Tells whether an outcome was established.
    PowerFailed { established: bool, rule: Rule },
    /// Play went on.
    PlayResumed { rule: Rule },
    /// A ruling was made on a matter that no rule covers.
    RulingMade { ruling: Ruling, rule: Rule },
    /// The round is void.
    RoundVoided { rule: Rule },
}
