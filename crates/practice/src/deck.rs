//! A deck in the order that a situation needs: chosen cards at their places, the others as a shuffle has them.

use std::collections::BTreeMap;

use cards::{Card, CardSet};
use round::Place;
use rulebook::Position;

use crate::chance::shuffled;

/// The cards that are chosen. Whatever is not chosen comes from a shuffle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// The cards of a hand, by its position.
    pub hands: BTreeMap<Position, Vec<Card>>,
    /// The cards of the board, in order of exposure.
    pub board: Vec<Card>,
    /// The Dealer's cards.
    pub dealer: Vec<Card>,
}

/// Why cards cannot lie as they were chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArrangeError {
    #[error("the {} was chosen twice; choose another card", .0.in_signs())]
    Twice(Card),
    #[error("more cards were chosen for {0} than are dealt there")]
    TooMany(String),
}

impl Wish {
    /// Every card that is chosen; refuses one that is chosen twice.
    pub fn cards(&self) -> Result<CardSet, ArrangeError> {
        let mut all = CardSet::default();
        for card in self.hands.values().flatten().chain(&self.board).chain(&self.dealer) {
            if all.contains(*card) {
                return Err(ArrangeError::Twice(*card));
            }
            all.insert(*card);
        }
        Ok(all)
    }

    fn at(&self, place: Place) -> Option<Card> {
        match place {
            Place::Player(position, card) => self.hands.get(&position)?.get(usize::from(card)).copied(),
            Place::Community(card) => self.board.get(usize::from(card)).copied(),
            Place::Dealer(card) => self.dealer.get(usize::from(card)).copied(),
        }
    }
}

/// The card of each place that is dealt. Positions that got no hand keep none of their chosen cards.
pub fn arrange(order: &[Place], wish: &Wish, seed: u64) -> Result<BTreeMap<Place, Card>, ArrangeError> {
    let chosen = wish.cards()?;
    let count = |wanted: fn(&Place) -> bool| order.iter().filter(|place| wanted(place)).count();
    if count(|place| matches!(place, Place::Community(_))) < wish.board.len() {
        return Err(ArrangeError::TooMany("the board".to_owned()));
    }
    if count(|place| matches!(place, Place::Dealer(_))) < wish.dealer.len() {
        return Err(ArrangeError::TooMany("the Dealer".to_owned()));
    }
    for (position, cards) in &wish.hands {
        let dealt = order.iter().filter(|place| matches!(place, Place::Player(at, _) if at == position));
        let dealt = dealt.count();
        if 0 < dealt && dealt < cards.len() {
            return Err(ArrangeError::TooMany(position.to_string()));
        }
    }
    let mut rest = shuffled(chosen, seed, "deck").into_iter();
    let card = |place: &Place| {
        let card = wish.at(*place).or_else(|| rest.next());
        (*place, card.expect("no deal takes more than 52 cards"))
    };
    Ok(order.iter().map(card).collect())
}
