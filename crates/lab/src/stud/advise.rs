//! The exact value of each choice for one hand and up card.

use std::error::Error;
use std::fmt;

use cards::{Card, CardSet, HandRank};

use super::counts::{Class, Counter};
use super::flush::Line;
use super::pattern::Pattern;
use super::pay::PayTable;

/// What is known about the decision with one hand against one up card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What the hand is.
    pub pattern: Pattern,
    /// How many of the 163,185 dealer hands end the round how, if the player bets.
    pub against: Class,
    /// What the Bet brings over all of them, in parts of an Ante. See [`PayTable::parts`].
    pub bet: i64,
    /// What a fold brings over all of them.
    pub fold: i64,
    /// Whether to bet.
    pub bets: bool,
}

/// Cards about which there is no decision to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceError {
    /// The hand has not five cards.
    NotFiveCards(usize),
    /// The up card is in the hand.
    UpCardInHand(Card),
}

impl fmt::Display for AdviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdviceError::NotFiveCards(cards) => write!(f, "a hand has five cards, not {cards}"),
            AdviceError::UpCardInHand(card) => write!(f, "the up card {card} is in the hand"),
        }
    }
}

impl Error for AdviceError {}

/// The value of Bet and fold for a hand and an up card, against a dealer who qualifies with `qualifier` or better.
/// Refused if the hand has not five cards or holds the up card.
pub fn advise(hand: CardSet, up: Card, qualifier: Pattern, pay: &PayTable) -> Result<Advice, AdviceError> {
    if hand.len() != 5 {
        return Err(AdviceError::NotFiveCards(hand.len()));
    }
    if hand.contains(up) {
        return Err(AdviceError::UpCardInHand(up));
    }
    let pattern = Pattern::of(HandRank::of_set(hand));
    let suited = hand
        .iter()
        .filter(|card| card.suit() == up.suit())
        .fold(0, |set, card| set | 1 << card.rank() as u16);
    let (line, qualifying) = (Line::at(pattern), Line::at(qualifier));
    let counter = Counter::new(&line, &qualifying).with_up(up.rank() as usize);
    let against = counter.expect("the hand does not hold the up card").class(suited, 1);
    let bets = pay.bets(pattern, &against);
    Ok(Advice { pattern, against, bet: pay.bet_total(pattern, &against), fold: pay.fold_total(), bets })
}
