//! The lanes agree with the evaluator that uses lookup tables.

use cards::lanes::{Board, Holes, Score};
use cards::{Card, CardSet, Deck, Hand, HandRank};

use crate::{Random, cards, panic_message};

/// On thousands of boards, with every pair that is left: the same order of hands, the same ties, one score per
/// rank.
#[test]
fn scores_order_hands_as_ranks_do() {
    let mut truth = Truth::new();
    let mut random = Random(0xE703_7ED1_A0B4_28DB);
    for _ in 0..8_000 {
        truth.check(random.deal());
    }
    assert!(4_800 <= truth.strengths_seen(), "{}", truth.strengths_seen());
    truth.check_order();
}

/// Boards of every shape that has its own loop, above all those that random boards rarely have.
#[test]
fn boards_of_every_shape() {
    let mut truth = Truth::new();
    let boards = [
        // Four of a kind, full houses, three of a kind and two pairs on the board.
        "Ac Ad Ah As Kc",
        "2c 2d 2h 2s 3c",
        "Ac Ad Ah Ks Kc",
        "2c 2d 2h 3s 3c",
        "9c 9d 9h As 2c",
        "9c 9d 5h 5s 2c",
        "3c 3d 2h 2s Ac",
        "Kc Kd Qh Qs Jc",
        // One pair, with and without straights.
        "9c 9d 8h 7s 2c",
        "9c 9d Kh 5s 2c",
        "Ac Ad 2h 3s 4c",
        // No pair, no flush: a straight on the board, some to be made, none.
        "9c 8d 7h 6s 5c",
        "5c 4d 3h 2s Ac",
        "Ac Kd Qh Js Tc",
        "Ac Kd Qh 7s 2c",
        "Kc 9d 8h 4s 3c",
        // Three of a suit: straight flushes to be made or not, beside nothing, one pair, two pairs and a three.
        "Ah Kh Qh Js Tc",
        "Ah 2h 3h 9s 9c",
        "Kh 8h 2h 9s Jc",
        "Kh 9h 4h 4s 3c",
        "Kh 8h 3h Ks 8c",
        "Qh 9h 8h 9s 9c",
        "Qh 7h 2h 2s 2c",
        // Four and five of a suit.
        "Kh 9h 8h 7h 3c",
        "Kh 9h 8h 7h 7c",
        "Ah Kh 9h 5h 2h",
        "9h 8h 7h 6h 5h",
        "5h 4h 3h 2h Ah",
        "Ah Kh Qh Jh Th",
    ];
    for board in boards {
        truth.check(cards(board).try_into().expect("five cards"));
    }
    truth.check_order();
}

/// A list of any length is scored like the whole, also if it does not fill the last sixteen lanes.
#[test]
fn lists_of_any_length() {
    let deck = *Deck::in_order().cards();
    let board = Board::new(*deck.last_chunk().expect("a deck has more cards"));
    let pairs: Vec<[Card; 2]> = deck[..46].windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let mut whole = vec![Score::default(); pairs.len()];
    board.score(&Holes::new(&pairs), &mut whole);
    for len in 0..pairs.len() {
        let holes = Holes::new(&pairs[..len]);
        assert_eq!((holes.len(), holes.is_empty()), (len, len == 0));
        let mut scores = vec![Score::default(); len];
        board.score(&holes, &mut scores);
        assert_eq!(scores, whole[..len]);
    }
}

#[test]
fn refused() {
    let cards: [Card; 5] = Random(1).deal();
    let [card, second, third, fourth, _] = cards;
    let twice = [card, second, third, fourth, card];
    let message = panic_message(|| _ = Board::new(twice));
    assert!(message.contains(&format!("{twice:?}")), "{message}");
    let message = panic_message(|| _ = Holes::new(&[[card, card]]));
    assert!(message.contains(&format!("{card} is in the hole cards twice")), "{message}");
    let board = Board::new(cards);
    let message = panic_message(|| board.score(&Holes::all(), &mut [Score::default(); 3]));
    assert!(message.contains("3 scores for 1326 pairs"), "{message}");
}

/// The score of each rank, as far as the boards have shown it.
struct Truth {
    holes: Holes,
    pairs: Vec<[Card; 2]>,
    by_value: Vec<Option<Score>>,
}

impl Truth {
    fn new() -> Truth {
        let each_with_lower = CardSet::FULL.iter().flat_map(|high| {
            CardSet::FULL.iter().take_while(move |&low| low < high).map(move |low| [high, low])
        });
        Truth { holes: Holes::all(), pairs: each_with_lower.collect(), by_value: vec![None; 7_463] }
    }

    /// Every pair that shares no card with the board has the order of its rank, and the score of its equals.
    fn check(&mut self, board: [Card; 5]) {
        let mut scores = vec![Score::default(); self.holes.len()];
        Board::new(board).score(&self.holes, &mut scores);
        let hand: Hand = board.into_iter().collect();
        let is_left = |pair: &[Card; 2]| pair.iter().all(|card| !board.contains(card));
        for (&[one, other], &score) in self.pairs.iter().zip(&scores).filter(|&(pair, _)| is_left(pair)) {
            let rank = hand.with(one).with(other).rank();
            assert_eq!(score.order(), rank.order(), "{board:?} with {one} {other}");
            let equal = *self.by_value[usize::from(rank.value())].get_or_insert(score);
            assert_eq!(score, equal, "{board:?} with {one} {other}");
        }
    }

    /// Greater values have greater scores.
    fn check_order(&self) {
        let seen: Vec<Score> = self.by_value.iter().copied().flatten().collect();
        assert!(seen.is_sorted_by(|lower, higher| lower < higher));
    }

    fn strengths_seen(&self) -> usize {
        let values = (1..=HandRank::COUNT).map(usize::from);
        values.filter(|&value| self.by_value[value].is_some()).count()
    }
}
