//! Picks the loop for the processor and for the shape of the board.
#![allow(unsafe_code, reason = "one call of a function compiled for a feature that was just detected")]

use super::kernel::{
    self, ANY_FLUSH, ANY_PAIRS, FLUSH_OF_BOTH, NO_FLUSH, NO_PAIR, ONE_PAIR, STRAIGHT_FLUSH_OF_BOTH,
};
use super::{Block, Board, LANES, Score};

/// The scores of one block.
type Scores = [Score; LANES];

pub(super) fn score(board: &Board, blocks: &[Block], scores: &mut [Scores]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { with_avx2(board, blocks, scores) };
    }
    by_shape(board, blocks, scores);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(board: &Board, blocks: &[Block], scores: &mut [Scores]) {
    by_shape(board, blocks, scores);
}

#[inline(always)]
fn by_shape(board: &Board, blocks: &[Block], scores: &mut [Scores]) {
    let [_, twice, thrice, _] = board.at_least;
    let is_one_pair = twice.is_power_of_two() && thrice == 0;
    match board.suited {
        ..3 if twice == 0 => without_flush::<NO_PAIR>(board, blocks, scores),
        ..3 if is_one_pair => without_flush::<ONE_PAIR>(board, blocks, scores),
        ..3 => without_flush::<ANY_PAIRS>(board, blocks, scores),
        3 if twice == 0 => with_flush_of_both::<NO_PAIR>(board, blocks, scores),
        3 if is_one_pair => with_flush_of_both::<ONE_PAIR>(board, blocks, scores),
        3.. => kernel::score::<ANY_PAIRS, true, ANY_FLUSH>(board, blocks, scores),
    }
}

#[inline(always)]
fn without_flush<const PAIRS: u8>(board: &Board, blocks: &[Block], scores: &mut [Scores]) {
    if can_be_straight(board.at_least[0]) {
        kernel::score::<PAIRS, true, NO_FLUSH>(board, blocks, scores);
    } else {
        kernel::score::<PAIRS, false, NO_FLUSH>(board, blocks, scores);
    }
}

#[inline(always)]
fn with_flush_of_both<const PAIRS: u8>(board: &Board, blocks: &[Block], scores: &mut [Scores]) {
    if can_be_straight(board.suit_ranks) {
        kernel::score::<PAIRS, true, STRAIGHT_FLUSH_OF_BOTH>(board, blocks, scores);
    } else if can_be_straight(board.at_least[0]) {
        kernel::score::<PAIRS, true, FLUSH_OF_BOTH>(board, blocks, scores);
    } else {
        kernel::score::<PAIRS, false, FLUSH_OF_BOTH>(board, blocks, scores);
    }
}

/// Whether two more ranks can complete a straight: whether three of any five consecutive ranks are there.
fn can_be_straight(ranks: u16) -> bool {
    let ranks = ranks << 1 | ranks >> 12;
    // Adds five bits with two adders: the ones and twos of the first three, then of the last two.
    let (first, second, third) = (ranks, ranks >> 1, ranks >> 2);
    let (ones, twos) = (first ^ second ^ third, first & second | third & (first ^ second));
    let (fourth, fifth) = (ranks >> 3, ranks >> 4);
    let (more_ones, more_twos) = (fourth ^ fifth, fourth & fifth);
    twos & more_twos | (twos | more_twos) & (ones | more_ones) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Holes;
    use crate::{Card, CardSet};

    /// The loops compiled for any processor give the same scores as those for the detected features.
    #[test]
    fn all_processors_score_alike() {
        let holes = Holes::all();
        let deck: Vec<Card> = CardSet::FULL.iter().collect();
        for start in 0..52 {
            for step in 1..52 {
                let board: [usize; 5] = std::array::from_fn(|place| (start + place * step) % 52);
                let board: CardSet = board.into_iter().map(|place| deck[place]).collect();
                let Ok(board) = board.iter().collect::<Vec<_>>().try_into() else {
                    continue;
                };
                let board = Board::new(board);
                let mut detected = vec![[Score::default(); LANES]; holes.blocks.len()];
                let mut portable = detected.clone();
                score(&board, &holes.blocks, &mut detected);
                by_shape(&board, &holes.blocks, &mut portable);
                assert_eq!(detected, portable, "{board:?}");
            }
        }
    }
}
