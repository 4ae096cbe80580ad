//! The loops that are timed, the same for both sides.

use std::hint::black_box;

use cards::lanes::{Board, Holes, Score};
use cards::{Card, HandRank};

use crate::deals;
use crate::sides::Side;

/// All hands of seven whose two highest cards are numbered `highest`, the last two cards one by one.
#[inline(never)]
pub(crate) fn in_order_by_card<S: Side>(highest: [usize; 2]) -> u64 {
    let mut sum = 0;
    each_by_card::<S>(highest, |score| add(&mut sum, score));
    sum
}

/// The same hands, the last two cards at once.
#[inline(never)]
pub(crate) fn in_order_by_pair<S: Side>(highest: [usize; 2], pairs: &[S::Pair]) -> u64 {
    let mut sum = 0;
    each_by_pair::<S>(highest, pairs, |score| add(&mut sum, score));
    sum
}

/// The numbers of the two highest cards of every hand of seven.
pub(crate) fn two_highest() -> impl Iterator<Item = [usize; 2]> {
    (6..52).flat_map(|top| (5..top).map(move |second| [top, second]))
}

/// All pairs. Those of the `n` lowest cards are the first `n * (n - 1) / 2` of them.
pub(crate) fn pairs<S: Side>() -> Vec<S::Pair> {
    let deck = S::deck();
    let each_with_lower = (0..52).flat_map(|high| (0..high).map(move |low| S::pair(deck[high], deck[low])));
    each_with_lower.collect()
}

/// Hands in no order, each from its ids.
#[inline(never)]
pub(crate) fn one_by_one<S: Side>(hands: &[[S::Id; 7]]) -> u64 {
    let mut sum = 0;
    for ids in hands {
        add(&mut sum, S::score_ids(ids));
    }
    sum
}

/// The same by the function that checks its cards.
#[inline(never)]
pub(crate) fn one_by_one_checked(hands: &[[Card; 7]]) -> u64 {
    let mut sum = 0;
    for cards in hands {
        add(&mut sum, HandRank::best_of(cards).value());
    }
    sum
}

/// Each board with every pair of the cards left.
#[inline(never)]
pub(crate) fn boards_by_card<S: Side>(boards: &[[u8; 5]]) -> u64 {
    let mut sum = 0;
    for board in boards {
        each_pair_left::<S>(board, |score| add(&mut sum, score));
    }
    sum
}

/// Each board with every pair of the deck, of which 1,081 share no card with it.
#[inline(never)]
pub(crate) fn boards_in_lanes(boards: &[[u8; 5]], holes: &Holes) -> u64 {
    let mut scores = vec![Score::default(); holes.len()];
    for board in boards {
        Board::new(board.map(deals::card)).score(holes, &mut scores);
        black_box(&mut scores);
    }
    0
}

#[inline(always)]
pub(crate) fn each_by_card<S: Side>(highest: [usize; 2], mut take: impl FnMut(u16)) {
    each_five::<S>(highest, |five, below| {
        for (high, &card) in below.iter().enumerate() {
            let six = S::with(five, card);
            for &last in &below[..high] {
                take(S::score(S::with(six, last)));
            }
        }
    });
}

#[inline(always)]
pub(crate) fn each_by_pair<S: Side>(highest: [usize; 2], pairs: &[S::Pair], mut take: impl FnMut(u16)) {
    each_five::<S>(highest, |five, below| {
        let below = below.len();
        S::score_with_each(five, &pairs[..below * (below - 1) / 2], &mut take);
    });
}

#[inline(always)]
pub(crate) fn each_pair_left<S: Side>(board: &[u8; 5], mut take: impl FnMut(u16)) {
    let deck = S::deck();
    let on_board = board.iter().fold(0_u64, |set, id| set | 1 << id);
    let mut left = [deck[0]; 47];
    let ids = (0..52).filter(|id| on_board & (1 << id) == 0);
    left.iter_mut().zip(ids).for_each(|(card, id): (_, usize)| *card = deck[id]);
    let board = board.iter().fold(S::empty(), |hand, &id| S::with(hand, deck[usize::from(id)]));
    for (high, &card) in left.iter().enumerate() {
        let six = S::with(board, card);
        left[..high].iter().for_each(|&last| take(S::score(S::with(six, last))));
    }
}

/// Calls `take` with every five cards that begin with the two highest, and with the cards below them all.
#[inline(always)]
fn each_five<S: Side>([top, second]: [usize; 2], mut take: impl FnMut(S::Hand, &[S::Card])) {
    let deck = S::deck();
    let deck = black_box(&deck);
    let two = S::with(S::with(S::empty(), deck[top]), deck[second]);
    for third in 4..second {
        let three = S::with(two, deck[third]);
        for fourth in 3..third {
            let four = S::with(three, deck[fourth]);
            for fifth in 2..fourth {
                take(S::with(four, deck[fifth]), &deck[..fifth]);
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut u64, score: u16) {
    *sum = sum.wrapping_add(u64::from(score));
}
