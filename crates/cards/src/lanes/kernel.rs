//! The bit operations that score a hand, written for one lane; the compiler runs sixteen lanes at a time.
//!
//! Each lane is a hand of a board and two hole cards, and a mask has bit `i` for rank `i`. There are no branches,
//! so every hand takes the same time. The shape of the board is a constant parameter instead, so that a loop over
//! hands contains only what is possible on that board.

use super::score::{FLUSH, FOUR_OF_A_KIND, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND, TWO_PAIRS};
use super::{Block, Board, LANES, Score};

/// One number for each of sixteen hands.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

/// The upper and lower half of a score.
type Halves = (u16, u16);

/// No rank of the board has more than one card.
pub(super) const NO_PAIR: u8 = 0;
/// One rank of the board has two cards, the others one each.
pub(super) const ONE_PAIR: u8 = 1;
/// Any board: the loops for this are always correct.
pub(super) const ANY_PAIRS: u8 = 2;

/// No flush can be made: no suit of the board has three cards.
pub(super) const NO_FLUSH: u8 = 0;
/// A suit has three cards, with which two more make a flush but no straight.
pub(super) const FLUSH_OF_BOTH: u8 = 1;
/// A suit has three cards, with which two more may make a straight.
pub(super) const STRAIGHT_FLUSH_OF_BOTH: u8 = 2;
/// A suit has three cards or more.
pub(super) const ANY_FLUSH: u8 = 3;

/// Scores all blocks with one board.
#[inline(always)]
pub(super) fn score<const PAIRS: u8, const STRAIGHTS: bool, const FLUSHES: u8>(
    board: &Board,
    blocks: &[Block],
    scores: &mut [[Score; LANES]],
) {
    for (scores, block) in scores.iter_mut().zip(blocks) {
        *scores = score_block::<PAIRS, STRAIGHTS, FLUSHES>(board, block);
    }
}

#[inline(always)]
fn score_block<const PAIRS: u8, const STRAIGHTS: bool, const FLUSHES: u8>(
    board: &Board,
    block: &Block,
) -> [Score; LANES] {
    let suited = &block.suits[board.suit];
    let mut scores = [Score::default(); LANES];
    for (lane, score) in scores.iter_mut().enumerate() {
        let (ranks, pair) = (block.ranks.0[lane], block.pairs.0[lane]);
        let mut halves = match PAIRS {
            NO_PAIR => unpaired(board, ranks, pair),
            _ => paired::<PAIRS>(board, ranks, pair),
        };
        if STRAIGHTS {
            halves = or_straight(halves, board.at_least[0] | ranks);
        }
        halves = match FLUSHES {
            NO_FLUSH => halves,
            FLUSH_OF_BOTH => or_flush_of_both::<false>(halves, board, suited.0[lane]),
            STRAIGHT_FLUSH_OF_BOTH => or_flush_of_both::<true>(halves, board, suited.0[lane]),
            _ => or_flush(halves, board.suit_ranks | suited.0[lane]),
        };
        *score = Score::new(halves.0, halves.1);
    }
    scores
}

/// On a board without a pair, at most two pairs or three of a kind. The two lowest of the other ranks never
/// count: seven cards make five ranks beside a pair, four beside three of a kind, and so on.
#[inline(always)]
fn unpaired(board: &Board, ranks: u16, pair: u16) -> Halves {
    let [once, ..] = board.at_least;
    let made = once & ranks | pair;
    let beside = (once | ranks) & !made;
    let two_pairs = flag(without_lowest(made), TWO_PAIRS);
    let trips = flag(once & pair, THREE_OF_A_KIND);
    (made | two_pairs | trips, without_lowest(without_lowest(beside)))
}

/// On any board, everything but straights and flushes.
#[inline(always)]
fn paired<const PAIRS: u8>(board: &Board, ranks: u16, pair: u16) -> Halves {
    let [once, twice, thrice, four] = board.at_least;
    let any = once | ranks;
    let pairs = twice | once & ranks | pair;
    let (trips, quads) = match PAIRS {
        ONE_PAIR => (twice & ranks | once & pair, twice & pair),
        _ => (thrice | twice & ranks | once & pair, four | thrice & ranks | twice & pair),
    };
    // Of three pairs, the two highest; of two threes, which a board of one pair cannot make, the higher.
    let two = without_lowest(pairs);
    let three = without_lowest(two);
    let made = if three == 0 { pairs } else { two };
    let high_trips = if PAIRS == ONE_PAIR { trips } else { highest_of_two(trips) };
    let made = if trips == 0 { made } else { high_trips };
    let made = if quads == 0 { made } else { quads };

    let upper = made | flag(two, TWO_PAIRS) | flag(trips, THREE_OF_A_KIND);
    let upper = if quads == 0 { upper } else { FOUR_OF_A_KIND | quads };

    // Beside a full house only a pair counts. Otherwise the two lowest ranks do not count, as on a board without
    // a pair, unless there are so few ranks that one of them must count.
    let counting = if two == 0 { any } else { pairs };
    let counting = if trips == 0 { any } else { counting };
    let counting = if quads == 0 { counting } else { any };
    let beside = counting & !made;
    let one_off = without_lowest(beside);
    let two_off = without_lowest(one_off);
    let lower = if one_off == 0 { beside } else { one_off };
    (upper, if two_off == 0 { lower } else { two_off })
}

/// A straight beats everything else that a hand of five ranks can be.
#[inline(always)]
fn or_straight((upper, lower): Halves, ranks: u16) -> Halves {
    let straight = straight_of(ranks);
    let is_none = straight == 0;
    (if is_none { upper } else { STRAIGHT | straight }, if is_none { lower } else { 0 })
}

/// With three of the suit on the board it takes both hole cards, and the flush is exactly those five.
#[inline(always)]
fn or_flush_of_both<const STRAIGHTS: bool>(halves: Halves, board: &Board, suited: u16) -> Halves {
    let is_flush = without_lowest(suited) != 0;
    let ranks = board.suit_ranks | suited;
    pick_flush(halves, is_flush, ranks, if STRAIGHTS { straight_of(ranks) } else { 0 })
}

/// With any number of the suit on the board, the flush is the five highest of as many as seven.
#[inline(always)]
fn or_flush(halves: Halves, ranks: u16) -> Halves {
    let six = without_lowest(ranks);
    let five = without_lowest(six);
    let fifth = without_lowest(without_lowest(five));
    let sixth = without_lowest(fifth);
    let seventh = without_lowest(sixth);
    let highest = if sixth == 0 { ranks } else { six };
    let highest = if seventh == 0 { highest } else { five };
    pick_flush(halves, fifth != 0, highest, straight_of(ranks))
}

#[inline(always)]
fn pick_flush((upper, lower): Halves, is_flush: bool, ranks: u16, straight: u16) -> Halves {
    let flush_upper = if straight == 0 { FLUSH } else { STRAIGHT_FLUSH | straight };
    let flush_lower = if straight == 0 { ranks } else { 0 };
    (if is_flush { flush_upper } else { upper }, if is_flush { flush_lower } else { lower })
}

/// The lowest rank of the highest straight, counted from the Ace below the Two; 0 if there is none.
#[inline(always)]
fn straight_of(ranks: u16) -> u16 {
    let ranks = ranks << 1 | ranks >> 12;
    let two = ranks & ranks >> 1;
    let five = two & two >> 2 & ranks >> 4;
    // Seven cards hold straights only as one run, whose top is the bit with none above it.
    five & !(five >> 1)
}

#[inline(always)]
fn without_lowest(mask: u16) -> u16 {
    mask & mask.wrapping_sub(1)
}

#[inline(always)]
fn highest_of_two(mask: u16) -> u16 {
    let high = without_lowest(mask);
    if high == 0 { mask } else { high }
}

#[inline(always)]
fn flag(mask: u16, flag: u16) -> u16 {
    if mask == 0 { 0 } else { flag }
}
