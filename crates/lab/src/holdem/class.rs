//! The 169 classes of hole cards, in the order of the usual chart.

use std::fmt;

use cards::{Card, Rank};

/// Hole cards up to a renaming of the suits: a pair, suited or unsuited.
///
/// Classes are ordered as in a 13 by 13 chart read by rows, aces first: pairs on the diagonal, suited hands right of
/// it, unsuited hands left of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HoleClass(u8);

impl HoleClass {
    /// How many classes there are.
    pub const COUNT: usize = 169;

    /// All classes, in the order of the chart.
    pub fn all() -> impl Iterator<Item = HoleClass> {
        (0..169).map(HoleClass)
    }

    /// The class of two ranks, 0 for a deuce to 12 for an ace. Equal ranks are a pair, suited or not.
    pub(super) fn from_ranks(a: u8, b: u8, suited: bool) -> HoleClass {
        let (low, high) = (12 - a.min(b), 12 - a.max(b));
        HoleClass(if suited { high * 13 + low } else { low * 13 + high })
    }

    /// The class of two cards.
    pub fn of(hole: [Card; 2]) -> HoleClass {
        let [a, b] = hole.map(Card::index);
        HoleClass::from_ranks(a / 4, b / 4, a % 4 == b % 4)
    }

    /// The place of the class in the chart, by rows.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The ranks, 0 for a deuce to 12 for an ace, higher first.
    pub(super) fn rank_numbers(self) -> (u8, u8) {
        let (row, column) = (12 - self.0 / 13, 12 - self.0 % 13);
        (row.max(column), row.min(column))
    }

    /// The ranks, higher first.
    pub fn ranks(self) -> (Rank, Rank) {
        let (high, low) = self.rank_numbers();
        (Rank::ALL[usize::from(high)], Rank::ALL[usize::from(low)])
    }

    /// Whether the cards are of one suit.
    pub fn is_suited(self) -> bool {
        self.0 / 13 < self.0 % 13
    }

    /// Whether the cards are of one rank.
    pub fn is_pair(self) -> bool {
        self.0 / 13 == self.0 % 13
    }

    /// How many of the 1,326 hole hands are of this class.
    pub fn combinations(self) -> u64 {
        match (self.is_pair(), self.is_suited()) {
            (true, _) => 6,
            (_, true) => 4,
            _ => 12,
        }
    }
}

impl fmt::Display for HoleClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = self.ranks();
        let tail = match (self.is_pair(), self.is_suited()) {
            (true, _) => "",
            (_, true) => "s",
            _ => "o",
        };
        f.pad(&format!("{}{}{tail}", high.letter(), low.letter()))
    }
}
