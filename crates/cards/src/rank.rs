//! The strength of a hand as one number.

use crate::{Card, CardSet, Hand, HandOrder};

/// The strength of the best five cards of a hand: its order, and its ranks within the order.
///
/// A number from 1 (7-5-4-3-2) to 7462 (royal flush), one for each possible strength. Hands with the same number
/// stand off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandRank(u16);

impl HandRank {
    /// The number of distinct strengths, and the value of a royal flush.
    pub const COUNT: u16 = 7462;

    /// The strength of the best five of five, six or seven distinct cards.
    #[inline]
    pub fn best_of(cards: &[Card]) -> HandRank {
        let hand = match cards.len() {
            5 => cards.first_chunk::<5>().and_then(Hand::of_distinct),
            6 => cards.first_chunk::<6>().and_then(Hand::of_distinct),
            7 => cards.first_chunk::<7>().and_then(Hand::of_distinct),
            _ => None,
        };
        let Some(hand) = hand else { refuse(cards) };
        hand.rank()
    }

    /// The strength of the best five of five, six or seven cards.
    #[inline]
    pub fn of_set(cards: CardSet) -> HandRank {
        cards.iter().collect::<Hand>().rank()
    }

    /// The strength numbered `value`, or `None` outside 1 to 7462.
    pub const fn from_value(value: u16) -> Option<HandRank> {
        if 1 <= value && value <= HandRank::COUNT { Some(HandRank(value)) } else { None }
    }

    /// The number of the strength, 1 to 7462, greater for a better hand.
    #[inline]
    pub const fn value(self) -> u16 {
        self.0
    }

    /// The order of the hand.
    #[inline]
    pub const fn order(self) -> HandOrder {
        ORDERS[self.0 as usize % ORDERS.len()]
    }

    /// Only for the evaluator, whose tables hold valid values alone.
    #[inline]
    pub(crate) const fn from_table(value: u16) -> HandRank {
        HandRank(value)
    }
}

#[cold]
#[inline(never)]
fn refuse(cards: &[Card]) -> ! {
    panic!("a hand has 5 to 7 distinct cards, not these {}: {cards:?}", cards.len());
}

/// How many strengths each order has, lowest order first.
const STRENGTHS: [u16; 10] = [1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1];

/// The order of each value. The length is a power of two, so the remainder in `order` compiles to a mask.
static ORDERS: [HandOrder; 8192] = orders();

const fn orders() -> [HandOrder; 8192] {
    let mut orders = [HandOrder::RoyalFlush; 8192];
    let mut value = 1;
    let mut order = 0;
    while order < STRENGTHS.len() {
        let end = value + STRENGTHS[order] as usize;
        while value < end {
            orders[value] = HandOrder::ALL[order];
            value += 1;
        }
        order += 1;
    }
    assert!(
        value == HandRank::COUNT as usize + 1,
        "the strengths of the orders must add up to all strengths"
    );
    orders
}
