//! Figures of a book that consist of several numbers.

use cards::{Card, HandOrder};
use money::Odds;

use crate::hole::HoleClass;

/// A line of the Bonus pay table (4.1.1): hole cards, and the Dealer's hole cards if the line needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BonusLine {
    /// The Player's hole cards.
    pub hole_cards: Vec<HoleClass>,
    /// The Dealer's hole cards, if the line needs them.
    pub dealer: Vec<HoleClass>,
    pub pays: Odds,
}

impl BonusLine {
    /// Whether the line pays for these cards.
    pub fn pays_for(&self, hole: [Card; 2], dealer: [Card; 2]) -> bool {
        self.hole_cards.contains(&HoleClass::of(hole))
            && (self.dealer.is_empty() || self.dealer.contains(&HoleClass::of(dealer)))
    }
}

/// The odds by order of the winning hand, one for each of the ten orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures([Odds; 10]);

impl Figures {
    /// Takes the odds of every order, lowest first.
    pub const fn new(odds: [Odds; 10]) -> Figures {
        Figures(odds)
    }

    /// The odds for a winning hand of this order.
    #[inline]
    pub fn odds(&self, order: HandOrder) -> Odds {
        let place = HandOrder::ALL.iter().position(|listed| *listed == order);
        self.0[place.expect("HandOrder::ALL lists every order")]
    }
}
