//! The evaluator: a hand is a sum over its cards, looked up once.
//!
//! Each card adds one 64-bit key. The low half sums to a number that identifies the ranks of the hand. The high
//! half counts the cards of each suit and all cards. The counters start so high that a suit's fifth card sets the
//! top bit of its counter. A wrong number of cards sets such a bit too, so one AND separates the plain case from
//! all others.

use std::fmt;
use std::hint::cold_path;

use crate::tables::{COLUMN_AT, FLUSHES, RANK_KEYS, ROW_AT, ROWS, VALUES};
use crate::{Card, CardSet, HandRank};

/// A hand that grows card by card, for loops in which hands share their first cards.
///
/// The caller must add distinct cards; only debug builds check that.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    key: u64,
    /// The ranks of each suit, 16 bits per suit. It is a sum, which equals the union for distinct cards.
    suits: u64,
}

/// Two cards to add to a hand at once, for example hole cards that are used with many boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pair {
    key: u64,
    suits: u64,
}

impl Pair {
    /// The pair of two distinct cards.
    pub const fn new(one: Card, other: Card) -> Pair {
        assert!(one.index() != other.index(), "a card is in the pair twice");
        Pair { key: key_of(one).wrapping_add(key_of(other)), suits: suit_bit_of(one) | suit_bit_of(other) }
    }
}

impl Hand {
    /// The hand without cards.
    pub const EMPTY: Hand = Hand { key: START, suits: 0 };

    /// The hand with one card more.
    #[inline]
    pub const fn with(self, card: Card) -> Hand {
        self.plus(key_of(card), suit_bit_of(card))
    }

    /// The hand with two cards more.
    #[inline]
    pub const fn with_pair(self, pair: Pair) -> Hand {
        self.plus(pair.key, pair.suits)
    }

    #[inline]
    pub const fn add(&mut self, card: Card) {
        *self = self.with(card);
    }

    /// The cards of the hand. Slow: for messages, not for loops.
    pub fn cards(self) -> CardSet {
        CardSet::FULL.iter().filter(|&card| self.suits & suit_bit_of(card) != 0).collect()
    }

    /// The strength of the best five of the five, six or seven cards added.
    #[inline]
    pub fn rank(self) -> HandRank {
        if self.key & NOT_PLAIN != 0 {
            cold_path();
            return self.rank_not_plain();
        }
        self.rank_plain()
    }

    /// Calls `take` with the strength of this hand of three to five cards and each of `pairs` in turn.
    ///
    /// Faster than [`Hand::with_pair`] and [`Hand::rank`] in a loop: unless a suit already has three cards, no
    /// pair can make a flush, and the loop does not look for one.
    #[inline]
    pub fn rank_with_each(self, pairs: &[Pair], mut take: impl FnMut(HandRank)) {
        if self.key.wrapping_add(TWO_OF_EACH_SUIT) & NOT_PLAIN == 0 {
            for &pair in pairs {
                take(self.with_pair(pair).rank_plain());
            }
        } else {
            for &pair in pairs {
                take(self.with_pair(pair).rank());
            }
        }
    }

    /// The hand of at most seven cards, or `None` if a card repeats.
    #[inline]
    pub(crate) fn of_distinct<const N: usize>(cards: &[Card; N]) -> Option<Hand> {
        assert!(N <= 7, "{N} cards could overflow the sum");
        let (mut key, mut sum, mut union) = (START, 0_u64, 0);
        for &card in cards {
            key = key.wrapping_add(key_of(card));
            sum = sum.wrapping_add(suit_bit_of(card));
            union |= suit_bit_of(card);
        }
        // Powers of two add up to their union only if all of them differ.
        (sum == union).then_some(Hand { key, suits: union })
    }

    #[inline]
    const fn plus(self, key: u64, suits: u64) -> Hand {
        debug_assert!(self.suits & suits == 0, "a card is in the hand twice");
        Hand { key: self.key.wrapping_add(key), suits: self.suits.wrapping_add(suits) }
    }

    /// A hand without a flush. The low bits of the sum select a row, the bits above are the column. Adding the
    /// row's offset, which has no low bits, turns the column into an index of the values.
    #[inline]
    const fn rank_plain(self) -> HandRank {
        let sum = self.key as u32;
        let offset = ROWS[(sum >> ROW_AT) as usize % ROWS.len()];
        HandRank::from_table(VALUES[(sum.wrapping_add(offset) >> COLUMN_AT) as usize])
    }

    /// A flush, which outranks everything else that can be in the same seven cards; or not a hand.
    #[inline]
    fn rank_not_plain(self) -> HandRank {
        if self.key & NOT_A_HAND != 0 {
            self.refuse();
        }
        let suit = (self.key & FLUSH).trailing_zeros() / 4 - SUITS_AT / 4;
        HandRank::from_table(FLUSHES[(self.suits >> (suit * 16)) as usize % FLUSHES.len()])
    }

    #[cold]
    #[inline(never)]
    fn refuse(self) -> ! {
        let count = (self.key >> UP_AT) & 0b11_1111;
        panic!("a hand has 5 to 7 cards, not {count}: {:?}", self.cards());
    }
}

impl Default for Hand {
    fn default() -> Hand {
        Hand::EMPTY
    }
}

impl FromIterator<Card> for Hand {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        cards.into_iter().fold(Hand::EMPTY, Hand::with)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hand").field(&self.cards()).finish()
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards = Hand::EMPTY.with_pair(*self).cards();
        f.debug_tuple("Pair").field(&cards).finish()
    }
}

/// The counters of the four suits, four bits each. Each starts at 3, so the fifth card of a suit makes it 8.
const SUITS_AT: u32 = 32;
const FLUSH: u64 = 0x8888 << SUITS_AT;

/// Counts all cards up, with room for 63. From the eighth card on, one of these bits is set.
const UP_AT: u32 = 52;
const TOO_MANY: u64 = 0b11_1000 << UP_AT;

/// Counts all cards down from 12, modulo 16. The top bit is set until the fifth card.
const DOWN_AT: u32 = 60;
const TOO_FEW: u64 = 0b1000 << DOWN_AT;

const NOT_A_HAND: u64 = TOO_FEW | TOO_MANY;
const NOT_PLAIN: u64 = FLUSH | NOT_A_HAND;
const START: u64 = 0x3333 << SUITS_AT | 12 << DOWN_AT;

const ONE_CARD: u64 = 1 << UP_AT | 15 << DOWN_AT;
/// The most that two cards add to any of the counters.
const TWO_OF_EACH_SUIT: u64 = ONE_CARD.wrapping_mul(2) + (0x2222 << SUITS_AT);

/// What each card adds to the key and to the suits of a hand. There is an entry for every `u8`, so the compiler
/// can drop the bounds check.
static KEYS: [u64; 256] = adds().0;
static SUIT_BITS: [u64; 256] = adds().1;

const fn adds() -> ([u64; 256], [u64; 256]) {
    let (mut keys, mut suit_bits) = ([0; 256], [0; 256]);
    let mut index = 0;
    while let Some(card) = Card::from_index(index) {
        let (rank, suit) = (card.rank() as usize, card.suit() as usize);
        keys[index as usize] = ONE_CARD | 1 << (SUITS_AT as usize + suit * 4) | RANK_KEYS[rank] as u64;
        suit_bits[index as usize] = 1 << (suit * 16 + rank);
        index += 1;
    }
    (keys, suit_bits)
}

#[inline]
const fn key_of(card: Card) -> u64 {
    KEYS[card.index() as usize]
}

#[inline]
const fn suit_bit_of(card: Card) -> u64 {
    SUIT_BITS[card.index() as usize]
}
