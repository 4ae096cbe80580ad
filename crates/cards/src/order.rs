//! The ten orders of a hand.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::rank::HandRank;

/// The order of a hand, lowest first. Rule 3.11 of every rulebook lists them from the highest down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum HandOrder {
    /// A hand of no other order.
    FiveOddCards,
    /// Two cards of one rank.
    OnePair,
    /// Two cards of one rank and two of another.
    TwoPairs,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five ranks in sequence.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three cards of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
    FourOfAKind,
    /// Five ranks in sequence, of one suit.
    StraightFlush,
    /// Ten to Ace of one suit.
    RoyalFlush,
}

impl HandOrder {
    /// The order of the best hand among five to seven cards.
    pub fn best_of(cards: &[Card]) -> HandOrder {
        HandRank::best_of(cards).order()
    }

    /// Every order, lowest first.
    pub const ALL: [HandOrder; 10] = [
        HandOrder::FiveOddCards,
        HandOrder::OnePair,
        HandOrder::TwoPairs,
        HandOrder::ThreeOfAKind,
        HandOrder::Straight,
        HandOrder::Flush,
        HandOrder::FullHouse,
        HandOrder::FourOfAKind,
        HandOrder::StraightFlush,
        HandOrder::RoyalFlush,
    ];

    /// The name in data files, such as `straight-flush`; the same as its serialised form.
    pub const fn name(self) -> &'static str {
        match self {
            HandOrder::FiveOddCards => "five-odd-cards",
            HandOrder::OnePair => "one-pair",
            HandOrder::TwoPairs => "two-pairs",
            HandOrder::ThreeOfAKind => "three-of-a-kind",
            HandOrder::Straight => "straight",
            HandOrder::Flush => "flush",
            HandOrder::FullHouse => "full-house",
            HandOrder::FourOfAKind => "four-of-a-kind",
            HandOrder::StraightFlush => "straight-flush",
            HandOrder::RoyalFlush => "royal-flush",
        }
    }
}

impl fmt::Display for HandOrder {
    /// The name in a sentence, such as `Straight flush`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            HandOrder::FiveOddCards => "Five odd cards",
            HandOrder::OnePair => "One pair",
            HandOrder::TwoPairs => "Two pairs",
            HandOrder::ThreeOfAKind => "Three of a kind",
            HandOrder::Straight => "Straight",
            HandOrder::Flush => "Flush",
            HandOrder::FullHouse => "Full house",
            HandOrder::FourOfAKind => "Four of a kind",
            HandOrder::StraightFlush => "Straight flush",
            HandOrder::RoyalFlush => "Royal flush",
        })
    }
}
