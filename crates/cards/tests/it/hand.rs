//! `Hand`, which grows card by card.

use cards::{Card, CardSet, Hand, HandOrder, HandRank, Pair};

use crate::{Random, cards, panic_message};

#[test]
fn a_hand_ranks_as_its_cards_do() {
    let mut random = Random(0x9E6C_63D0_876A_68EE);
    for _ in 0..10_000 {
        let cards: [Card; 7] = random.deal();
        let mut hand = Hand::EMPTY;
        for (place, &card) in cards.iter().enumerate() {
            hand.add(card);
            let so_far = &cards[..=place];
            assert_eq!(hand.cards(), so_far.iter().copied().collect::<CardSet>());
            if 5 <= so_far.len() {
                assert_eq!(hand.rank(), HandRank::best_of(so_far), "{so_far:?}");
            }
        }
    }
}

/// The order of the cards, and whether two of them came as a pair, make no difference.
#[test]
fn a_hand_is_its_cards() {
    let cards: [Card; 7] = Random(1).deal();
    let hand: Hand = cards.into_iter().collect();
    assert_eq!(cards.into_iter().rev().collect::<Hand>(), hand);
    let five: Hand = cards[..5].iter().copied().collect();
    assert_eq!(five.with_pair(Pair::new(cards[6], cards[5])), hand);
}

/// Pairs are ranked in their order, on hands of three to five cards, with and without flushes.
#[test]
fn each_pair_is_ranked() {
    let mut random = Random(0xA076_1D64_78BD_642F);
    for _ in 0..2_000 {
        let cards: [Card; 25] = random.deal();
        let (five, rest) = cards.split_at(5);
        let pairs: Vec<[Card; 2]> = rest.as_chunks().0.to_vec();
        let added: Vec<Pair> = pairs.iter().map(|&[one, other]| Pair::new(one, other)).collect();
        for start in [&five[..3], &five[..4], five] {
            let mut ranks = Vec::new();
            start.iter().copied().collect::<Hand>().rank_with_each(&added, |rank| ranks.push(rank));
            let expected = pairs.iter().map(|pair| HandRank::best_of(&[start, pair].concat()));
            assert_eq!(ranks, expected.collect::<Vec<_>>(), "{start:?} with {pairs:?}");
        }
    }
}

#[test]
fn a_hand_of_four_or_eight_cards_has_no_rank() {
    let seven: Hand = cards("2c 3d 5h 7s 9c Jd Kh").into_iter().collect();
    let four: Hand = cards("2c 3d 5h 7s").into_iter().collect();
    let [ace, king] = ["As", "Ks"].map(|text| text.parse::<Card>().expect("a card"));
    let message = panic_message(|| _ = seven.with(ace).rank());
    assert!(message.contains("not 8: {2c, 3d, 5h, 7s, 9c, Jd, Kh, As}"), "{message}");
    let message = panic_message(|| _ = four.rank());
    assert!(message.contains("not 4: {2c, 3d, 5h, 7s}"), "{message}");
    let message = panic_message(|| _ = Hand::EMPTY.rank());
    assert!(message.contains("not 0: {}"), "{message}");
    let message = panic_message(|| seven.rank_with_each(&[Pair::new(ace, king)], |_| ()));
    assert!(message.contains("not 9: "), "{message}");
}

/// Even the whole deck at once does not overflow.
#[test]
fn no_number_of_cards_is_taken_for_a_hand() {
    let mut hand = Hand::EMPTY;
    for (count, card) in (1..).zip(CardSet::FULL) {
        hand.add(card);
        if (5..=7).contains(&count) {
            assert!(HandOrder::OnePair < hand.rank().order());
        } else {
            let message = panic_message(|| _ = hand.rank());
            assert!(message.contains(&format!("not {count}: ")), "{message}");
        }
    }
}
