//! What each evaluator must find before it is timed.

use cards::lanes::{Board, Holes, Score};
use cards::{Card, HandRank};

use crate::sides::{Ours, Pokers, Side};
use crate::{deals, loops};

/// Hands of seven in each category, from odd cards up, the royal flushes among the straight flushes.
const CATEGORY_COUNTS: [u64; 9] =
    [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584];

/// The known number of each category, in both loops over all hands.
pub(crate) fn in_order<S: Side>() {
    let mut by_score = vec![[0; 2]; 1 << 16];
    let pairs = loops::pairs::<S>();
    for highest in loops::two_highest() {
        loops::each_by_card::<S>(highest, |score| by_score[usize::from(score)][0] += 1);
        loops::each_by_pair::<S>(highest, &pairs, |score| by_score[usize::from(score)][1] += 1);
    }
    let mut counts = [[0; 9]; 2];
    for (score, [by_card, by_pair]) in (0..=u16::MAX).zip(by_score).filter(|&(_, counts)| counts != [0; 2]) {
        counts[0][S::category(score)] += by_card;
        counts[1][S::category(score)] += by_pair;
    }
    assert_eq!(counts, [CATEGORY_COUNTS; 2]);
}

/// The same category of every hand.
pub(crate) fn random(hands: &[[Card; 7]], ids: &[[u8; 7]]) {
    for (hand, ids) in hands.iter().zip(ids) {
        let ours = [Ours::score_ids(hand), HandRank::best_of(hand).value()].map(Ours::category);
        assert_eq!(ours, [Pokers::category(Pokers::score_ids(ids)); 2], "{hand:?}");
    }
}

/// The same number of each category on every board.
pub(crate) fn boards(boards: &[[u8; 5]], holes: &Holes) {
    let mut scores = vec![Score::default(); holes.len()];
    for board in boards {
        Board::new(board.map(deals::card)).score(holes, &mut scores);
        let pairs = (0..52).flat_map(|high| (0..high).map(move |low| [high, low]));
        let is_left = |pair: [u8; 2]| pair.iter().all(|id| !board.contains(id));
        let mut in_lanes = [0; 9];
        for (score, _) in scores.iter().zip(pairs).filter(|&(_, pair)| is_left(pair)) {
            in_lanes[(score.order() as usize).min(8)] += 1;
        }
        let mut by_pokers = [0; 9];
        loops::each_pair_left::<Pokers>(board, |score| by_pokers[Pokers::category(score)] += 1);
        assert_eq!(in_lanes, by_pokers, "{:?}", board.map(deals::card));
    }
}
