//! Of six or seven cards, the best five count.

use cards::{Card, CardSet, HandRank};

use crate::Random;

#[test]
fn six_cards_are_their_best_five() {
    check::<6>(100_000);
}

#[test]
fn seven_cards_are_their_best_five() {
    check::<7>(100_000);
}

/// The five-card ranks are the reference here; `counts` checks all of them.
fn check<const N: usize>(hands: usize) {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..hands {
        let cards: [Card; N] = random.deal();
        let best = fives(&cards).map(|five| HandRank::best_of(&five)).max();
        assert_eq!(Some(HandRank::best_of(&cards)), best, "{cards:?}");
        let set: CardSet = cards.into_iter().collect();
        assert_eq!(Some(HandRank::of_set(set)), best, "{set}");
    }
}

/// Every way to leave out all but five.
fn fives(cards: &[Card]) -> impl Iterator<Item = Vec<Card>> {
    let masks = (0_u32..1 << cards.len()).filter(|mask| mask.count_ones() == 5);
    masks.map(|mask| {
        let kept = cards.iter().enumerate().filter(|&(place, _)| mask & (1 << place) != 0);
        kept.map(|(_, &card)| card).collect()
    })
}
