//! The rules behind an order of hand and behind a comparison, to explain an outcome (3.11, 3.12).

use cards::{HandOrder, HandRank};
use rulebook::{
    R3_11_1, R3_11_2, R3_11_3, R3_11_4, R3_11_5, R3_11_6, R3_11_7, R3_11_8, R3_11_9, R3_11_10, R3_12,
    R3_12_1, R3_12_2, R3_12_3, R3_12_4, R3_12_5, R3_12_6, Rule,
};

/// The rule that describes an order of hand. Every book lists them under the same numbers.
pub const fn order_rule(order: HandOrder) -> Rule {
    match order {
        HandOrder::RoyalFlush => R3_11_1,
        HandOrder::StraightFlush => R3_11_2,
        HandOrder::FourOfAKind => R3_11_3,
        HandOrder::FullHouse => R3_11_4,
        HandOrder::Flush => R3_11_5,
        HandOrder::Straight => R3_11_6,
        HandOrder::ThreeOfAKind => R3_11_7,
        HandOrder::TwoPairs => R3_11_8,
        HandOrder::OnePair => R3_11_9,
        HandOrder::FiveOddCards => R3_11_10,
    }
}

/// The rule that decides which of two hands is higher, or that they are equal. Between orders it is the rule of the
/// higher order; within one order it is the rule on ties.
pub fn comparison_rule(one: HandRank, other: HandRank) -> Rule {
    if one.order() != other.order() {
        return order_rule(one.order().max(other.order()));
    }
    match one.order() {
        HandOrder::TwoPairs => R3_12_2,
        HandOrder::OnePair => R3_12_3,
        HandOrder::FullHouse => R3_12_5,
        HandOrder::Straight | HandOrder::StraightFlush if one == other => R3_12_6,
        HandOrder::Straight | HandOrder::StraightFlush if is_lowest(one.min(other)) => R3_12_4,
        HandOrder::RoyalFlush
        | HandOrder::FourOfAKind
        | HandOrder::Flush
        | HandOrder::ThreeOfAKind
        | HandOrder::FiveOddCards
            if one == other =>
        {
            R3_12_1
        }
        HandOrder::RoyalFlush
        | HandOrder::StraightFlush
        | HandOrder::FourOfAKind
        | HandOrder::Flush
        | HandOrder::Straight
        | HandOrder::ThreeOfAKind
        | HandOrder::FiveOddCards => R3_12,
    }
}

/// Whether a hand is the lowest of its order: among Straights, the one in which the Ace counts as one.
fn is_lowest(hand: HandRank) -> bool {
    let below = HandRank::from_value(hand.value().saturating_sub(1));
    below.is_none_or(|below| below.order() != hand.order())
}
