//! The strength of a hand as the lanes compute it.

use std::cmp::Ordering;

use crate::HandOrder;

/// The strength of a seven-card hand: greater, equal or less exactly as its [`crate::HandRank`] is.
///
/// The numbers differ: a score is the number that is fastest to compute. Its upper half is the order and the
/// ranks that make it, its lower half the ranks beside them, both as masks with bit `i` for rank `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Score {
    lower: u16,
    upper: u16,
}

// The upper half of each order, to which the ranks are added. Odd cards and one pair are 0. Two pairs and three
// of a kind together make a full house. Three Aces are 0x5000, and there is room above for the orders between.
pub(super) const TWO_PAIRS: u16 = 0x2000;
pub(super) const THREE_OF_A_KIND: u16 = 0x4000;
/// The ranks of a straight are its lowest rank, counted from the Ace below the Two: exactly one of ten bits.
pub(super) const STRAIGHT: u16 = 0x5000;
/// The ranks of a flush are in the lower half.
pub(super) const FLUSH: u16 = 0x5800;
const FULL_HOUSE: u16 = TWO_PAIRS | THREE_OF_A_KIND;
pub(super) const FOUR_OF_A_KIND: u16 = 0x8000;
pub(super) const STRAIGHT_FLUSH: u16 = 0xA000;

const LOWEST_STRAIGHT: u16 = STRAIGHT | 1;
const ROYAL_FLUSH: u16 = STRAIGHT_FLUSH | 1 << 9;

impl Score {
    /// The order of the hand.
    pub const fn order(self) -> HandOrder {
        match self.upper {
            0 => HandOrder::FiveOddCards,
            1..TWO_PAIRS => HandOrder::OnePair,
            TWO_PAIRS..THREE_OF_A_KIND => HandOrder::TwoPairs,
            THREE_OF_A_KIND..LOWEST_STRAIGHT => HandOrder::ThreeOfAKind,
            LOWEST_STRAIGHT..FLUSH => HandOrder::Straight,
            FLUSH..FULL_HOUSE => HandOrder::Flush,
            FULL_HOUSE..FOUR_OF_A_KIND => HandOrder::FullHouse,
            FOUR_OF_A_KIND..STRAIGHT_FLUSH => HandOrder::FourOfAKind,
            STRAIGHT_FLUSH..ROYAL_FLUSH => HandOrder::StraightFlush,
            ROYAL_FLUSH.. => HandOrder::RoyalFlush,
        }
    }

    #[inline]
    pub(super) const fn new(upper: u16, lower: u16) -> Score {
        Score { lower, upper }
    }

    /// One number, so that one comparison is enough.
    #[inline]
    const fn bits(self) -> u32 {
        (self.upper as u32) << 16 | self.lower as u32
    }
}

impl PartialOrd for Score {
    #[inline]
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Score) -> Ordering {
        self.bits().cmp(&other.bits())
    }
}
