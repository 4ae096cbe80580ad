//! A whole deck in a given order.

use thiserror::Error;

use crate::{Card, CardSet};

/// All 52 cards in a given order, each exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deck([Card; 52]);

/// Why the cards are not a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DeckError {
    /// There are more or fewer than 52 cards.
    #[error("a deck has 52 cards, not {0}")]
    WrongNumber(usize),
    /// A card appears a second time.
    #[error("{0} is in the deck twice")]
    Twice(Card),
}

impl Deck {
    /// The deck in the order of the cards' numbers: `2c 2d 2h 2s 3c` to `As`.
    pub fn in_order() -> Deck {
        let mut cards = [Card::from_index(0).expect("0 numbers a card"); 52];
        for (place, card) in cards.iter_mut().zip(CardSet::FULL) {
            *place = card;
        }
        Deck(cards)
    }

    /// The deck of `cards` in their order. Refuses a wrong number of cards, then a repeated card.
    pub fn from_cards(cards: &[Card]) -> Result<Deck, DeckError> {
        let cards: [Card; 52] = cards.try_into().map_err(|_| DeckError::WrongNumber(cards.len()))?;
        let mut seen = CardSet::EMPTY;
        match cards.iter().find(|&&card| !seen.insert(card)) {
            Some(&card) => Err(DeckError::Twice(card)),
            None => Ok(Deck(cards)),
        }
    }

    /// The cards, in the order in which they are dealt.
    pub const fn cards(&self) -> &[Card; 52] {
        &self.0
    }
}
