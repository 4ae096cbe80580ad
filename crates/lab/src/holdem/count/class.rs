//! The 169 classes of hole cards in the order of the usual chart: 13 rows of 13, aces first, pairs on the diagonal,
//! suited hands right of it and unsuited hands left of it.

use cards::{Card, Rank, Suit};
use rulebook::HoleClass;

/// How many classes there are.
pub const CLASSES: usize = 169;

/// All classes, in the order of the chart.
pub fn chart() -> impl Iterator<Item = HoleClass> {
    (0..CLASSES).map(|place| {
        let (row, column) = (place / 13, place % 13);
        HoleClass::of(cards_of(
            Rank::ALL[12 - row.min(column)],
            Rank::ALL[12 - row.max(column)],
            row < column,
        ))
    })
}

/// The place of a class in the chart, by rows.
pub fn place_of(class: HoleClass) -> usize {
    let (high, low) = rank_numbers(class);
    place_of_ranks(high, low, class.suited())
}

/// The place in the chart of the class of two cards.
#[inline]
pub(crate) fn place_of_cards(hole: [Card; 2]) -> usize {
    let [a, b] = hole.map(Card::index);
    place_of_ranks(a / 4, b / 4, a % 4 == b % 4)
}

/// The place of the class of two ranks, 0 for a deuce to 12 for an ace. Equal ranks are a pair, suited or not.
#[inline]
pub(super) fn place_of_ranks(a: u8, b: u8, suited: bool) -> usize {
    let (low, high) = (usize::from(12 - a.min(b)), usize::from(12 - a.max(b)));
    if suited { high * 13 + low } else { low * 13 + high }
}

/// The ranks of a class, 0 for a deuce to 12 for an ace, higher first.
pub(super) fn rank_numbers(class: HoleClass) -> (u8, u8) {
    (class.high() as u8, class.low() as u8)
}

pub(crate) fn is_pair(class: HoleClass) -> bool {
    class.high() == class.low()
}

/// Two cards of a class.
pub fn cards_of_class(class: HoleClass) -> [Card; 2] {
    cards_of(class.high(), class.low(), class.suited())
}

fn cards_of(high: Rank, low: Rank, suited: bool) -> [Card; 2] {
    let other = if suited { Suit::Clubs } else { Suit::Diamonds };
    [Card::new(high, Suit::Clubs), Card::new(low, other)]
}
