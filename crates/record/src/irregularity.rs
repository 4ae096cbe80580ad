//! The format of an irregularity: what happened, and when.

use money::Money;
use round::{CardFault, Effect, TablePile};
use rulebook::{Means, PlayingArea};
use serde::{Deserialize, Serialize};

/// An irregularity of a recorded round, and when it happened.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Reported {
    #[serde(flatten)]
    pub what: Irregularity,
    /// The stage of the round. If it is missing, the record does not say when it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// The positions that had decided by then, or had shown a hand or declined to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<u8>,
    /// How many cards had been dealt by then, if it happened during the deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealt: Option<u8>,
}

/// A stage of a round, as a record names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// While wagers are placed.
    Bets,
    Dealing,
    /// Before the Dealer's last card is turned (stud).
    UpCard,
    /// While Players decide on the Bet (stud).
    Bet,
    /// While Players decide on the Flop.
    Flop,
    /// Before the flop is turned.
    FlopCards,
    /// While Players decide on the Turn.
    Turn,
    /// Before the fourth community card is turned.
    TurnCard,
    /// While Players decide on the River.
    River,
    /// Before the fifth community card is turned.
    RiverCard,
    /// Before the Dealer's hand is turned.
    DealerHand,
    /// While hands are shown.
    Showing,
    /// Before the settlement.
    Settling,
    /// After the settlement and before the next round.
    Concluded,
}

/// The rule under which a Player withdrew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum WithdrawnUnder {
    /// Another hand had the wrong number of cards.
    #[serde(rename = "5.7.1")]
    WrongHand,
    /// The power failed.
    #[serde(rename = "5.16.1")]
    PowerFailure,
}

/// Cards found at a position (5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PileRecord {
    pub position: u8,
    /// The number of cards.
    pub cards: u8,
}

/// What was irregular in a recorded round.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Irregularity {
    /// A card that does not belong to the deck (5.1).
    ForeignCard {},
    /// The cards themselves are wrong (5.1).
    BadCards { fault: CardFault },
    /// A wrong count of the cards (5.8).
    WrongCountOfDeck {},
    /// The cards were counted (5.8), rightly or wrongly.
    DeckCount { counted: u8 },
    /// Cards dealt to the wrong places (5.2).
    Misdeal {
        /// The cards at each position, in the order dealt. Without them no hand could be moved.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        piles: Vec<PileRecord>,
        /// Whether the community cards or the Dealer's were dealt incorrectly too.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<TablePile>,
        /// Whether whole hands were moved to their places.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reconstructed: bool,
    },
    /// A wrong number of community cards or Dealer's cards (5.3).
    DealerOrCommunityCount {
        /// Whether it was corrected.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reconstructed: bool,
    },
    /// Wrongly exposed cards (5.4).
    CardsExposed { count: u8 },
    /// A wager after "No more bets" (5.5).
    LateWager {
        position: u8,
        area: PlayingArea,
        amount: Money,
        /// The Player at the position if it is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        means: Option<Means>,
    },
    /// A wager removed after "No more bets" (5.6).
    LateRemoval {
        position: u8,
        area: PlayingArea,
        /// The Player at the position if it is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<String>,
    },
    /// A hand with the wrong number of cards (5.7), and who withdrew after it (5.7.1).
    PlayerCount {
        /// The position of the hand.
        position: u8,
        /// The positions whose Players withdrew.
        #[serde(default)]
        withdraw: Vec<u8>,
        /// Whether it was corrected.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reconstructed: bool,
    },
    /// Prohibited Players (5.9).
    Prohibited {
        /// The positions of the Players.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        positions: Vec<u8>,
        /// The names of the Players.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        players: Vec<String>,
    },
    /// Hands that are invalid because one Player had several (5.10).
    SeveralHands {
        invalid: Vec<u8>,
        /// The Player's hands that were viewed. If it is missing, the record does not say, unless it says when.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        viewed: Option<Vec<u8>>,
    },
    /// A Player viewed a hand (3.4.1).
    HandViewed { position: u8 },
    /// A Player touched the cards of a hand (5.2).
    HandHandled { position: u8 },
    /// A Player's action was stopped (5.10.3).
    ActionStopped { player: String },
    /// A power failure, and who withdrew (5.16.1).
    PowerFailure {
        /// The positions whose Players withdrew.
        #[serde(default)]
        withdraw: Vec<u8>,
    },
    /// A Player withdrew all wagers.
    Withdrawal { player: String, under: WithdrawnUnder },
    /// A ruling on a matter that no rule covers (6.1).
    Ruling {
        words: String,
        /// The effects on hands and wagers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        effects: Vec<Effect>,
    },
}
