//! Many hands at once: one board against a list of hole cards.
//!
//! [`crate::Hand`] uses lookup tables; this module does not. A hand is a few 13-bit masks of ranks, and the same
//! few dozen bit operations score sixteen hands in sixteen lanes of 16 bits. What depends on the board alone,
//! such as the suit that can still make a flush, is computed before the loop.
//!
//! ```
//! use cards::lanes::{Board, Holes, Score};
//! use cards::{Card, HandOrder};
//!
//! let card = |text: &str| text.parse::<Card>();
//! let holes = Holes::new(&[[card("Qh")?, card("Jh")?], [card("2c")?, card("2d")?]]);
//! let board = Board::new([card("Ah")?, card("Kh")?, card("Th")?, card("2s")?, card("3c")?]);
//! let mut scores = [Score::default(); 2];
//! board.score(&holes, &mut scores);
//! assert_eq!(scores.map(Score::order), [HandOrder::RoyalFlush, HandOrder::ThreeOfAKind]);
//! # Ok::<(), cards::CardError>(())
//! ```
#![allow(
    clippy::inline_always,
    reason = "a loop uses the full register width only if all of it is compiled for the processor"
)]

mod dispatch;
mod kernel;
mod score;

pub use score::Score;

use crate::{Card, CardSet};
use kernel::Lanes;

/// A list of hole cards, arranged in lanes once and used with many boards.
#[derive(Clone, Debug)]
pub struct Holes {
    len: usize,
    blocks: Vec<Block>,
}

/// The hole cards of sixteen hands. Each mask has bit `i` for rank `i`.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// The ranks of the hole cards.
    ranks: Lanes,
    /// The rank of a pair, if the two cards are one.
    pairs: Lanes,
    /// The ranks of each suit.
    suits: [Lanes; 4],
}

impl Holes {
    /// Arranges `pairs` of distinct cards in lanes, in their order.
    pub fn new(pairs: &[[Card; 2]]) -> Holes {
        let blocks = pairs.chunks(LANES).map(Block::new).collect();
        Holes { len: pairs.len(), blocks }
    }

    /// All 1,326 pairs: each card, in the order of their numbers, with each card numbered below it.
    pub fn all() -> Holes {
        let pairs = CardSet::FULL.iter().flat_map(|high| {
            let lower = CardSet::FULL.iter().take_while(move |&low| low < high);
            lower.map(move |low| [high, low])
        });
        Holes::new(&pairs.collect::<Vec<_>>())
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Block {
    fn new(pairs: &[[Card; 2]]) -> Block {
        let mut block = Block::default();
        for (lane, &[one, other]) in pairs.iter().enumerate() {
            assert!(one != other, "{one} is in the hole cards twice");
            block.ranks.0[lane] = rank_bit(one) | rank_bit(other);
            block.pairs.0[lane] = rank_bit(one) & rank_bit(other);
            for card in [one, other] {
                block.suits[suit_of(card)].0[lane] |= rank_bit(card);
            }
        }
        block
    }
}

/// Five cards that every hand shares.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The ranks of which there are at least one, two, three and four cards.
    at_least: [u16; 4],
    /// The suit with three cards or more, or any suit if there is none; then the number and the ranks of its
    /// cards.
    suit: usize,
    suited: u16,
    suit_ranks: u16,
}

impl Board {
    /// The board of five distinct cards.
    pub fn new(cards: [Card; 5]) -> Board {
        let distinct: CardSet = cards.into_iter().collect();
        assert!(distinct.len() == 5, "a card is on the board twice: {cards:?}");
        let mut at_least = [0; 4];
        let mut suits = [0; 4];
        // The number of cards of each suit, eight bits per suit.
        let mut counts = 0_u32;
        for card in cards {
            let mut carry = rank_bit(card);
            for ranks in &mut at_least {
                (*ranks, carry) = (*ranks | carry, *ranks & carry);
            }
            suits[suit_of(card)] |= rank_bit(card);
            counts += 1 << (suit_of(card) * 8);
        }
        // Only one suit can have three cards or more. Adding 1 makes 3, 4 and 5 into 4, 5 and 6, which have a bit
        // that 2 does not have.
        let most = (counts + 0x0101_0101) & 0x0404_0404;
        let suit = most.trailing_zeros() as usize / 8 % 4;
        Board { at_least, suit, suited: (counts >> (suit * 8)) as u16 & 0xFF, suit_ranks: suits[suit] }
    }

    /// Writes the score of the board with each pair of `holes` into `scores`, in their order.
    ///
    /// The score of a pair that shares a card with the board is meaningless.
    pub fn score(&self, holes: &Holes, scores: &mut [Score]) {
        assert!(scores.len() == holes.len, "{} scores for {} pairs", scores.len(), holes.len);
        let (whole, rest) = scores.as_chunks_mut();
        let (whole_blocks, rest_blocks) = holes.blocks.split_at(whole.len());
        dispatch::score(self, whole_blocks, whole);
        if !rest.is_empty() {
            let mut last = [[Score::default(); LANES]];
            dispatch::score(self, rest_blocks, &mut last);
            rest.copy_from_slice(&last[0][..rest.len()]);
        }
    }
}

const LANES: usize = 16;

const fn rank_bit(card: Card) -> u16 {
    1 << (card.index() / 4)
}

const fn suit_of(card: Card) -> usize {
    card.index() as usize % 4
}
