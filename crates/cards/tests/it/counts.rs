//! All hands of five cards and all hands of seven.

use std::thread;

use cards::{Card, Deck, Hand, HandRank, Pair};

use crate::naive::{self, Strength};

/// Hands by order, highest first, as published tables of poker probabilities give them.
const OF_FIVE: [u32; 10] = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540];
const OF_SEVEN: [u32; 10] =
    [4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460];

/// The values are the strengths of a second implementation, numbered from 1 to 7,462 without a gap.
#[test]
fn five_cards() {
    let mut by_value: Vec<Option<Strength>> = vec![None; 7_463];
    let mut counts = [0; 10];
    each_five(0, 1, |cards, _| {
        let rank = HandRank::best_of(&cards);
        let strength = naive::strength(cards);
        assert_eq!(rank.order(), strength.0, "{cards:?}");
        assert_eq!(*by_value[usize::from(rank.value())].get_or_insert(strength), strength, "{cards:?}");
        counts[rank.order() as usize] += 1;
    });
    assert_eq!(by_value[0], None);
    assert!(by_value[1..].iter().all(Option::is_some));
    assert!(by_value[1..].is_sorted_by(|lower, higher| lower < higher));
    counts.reverse();
    assert_eq!(counts, OF_FIVE);
}

/// All 133,784,560 hands, once card by card and once with the last two cards as a pair.
#[test]
fn seven_cards() {
    let halves = [0, 1].map(|half| thread::spawn(move || count_sevens(half, 2)));
    let [first, second] = halves.map(|half| half.join().expect("half the hands"));
    let mut counts = [0; 10];
    let mut values_seen = 0;
    for value in 1..=HandRank::COUNT {
        let [by_card, by_pair] =
            [0, 1].map(|way| first[usize::from(value)][way] + second[usize::from(value)][way]);
        assert_eq!(by_card, by_pair, "hands of value {value}");
        counts[HandRank::from_value(value).expect("a value").order() as usize] += by_card;
        values_seen += u32::from(by_card != 0);
    }
    counts.reverse();
    assert_eq!(counts, OF_SEVEN);
    assert_eq!(values_seen, 4_824, "strengths that seven cards can have");
}

/// How many of a part of the hands have each value, counted in the two ways.
fn count_sevens(part: usize, parts: usize) -> Vec<[u32; 2]> {
    let deck = Deck::in_order();
    let pairs: Vec<Pair> = each_pair(deck.cards()).map(|[high, low]| Pair::new(high, low)).collect();
    let mut counts = vec![[0; 2]; 7_463];
    each_five(part, parts, |cards, below| {
        let five: Hand = cards.into_iter().collect();
        for (high, &card) in below.iter().enumerate() {
            let six = five.with(card);
            for &last in &below[..high] {
                counts[usize::from(six.with(last).rank().value())][0] += 1;
            }
        }
        // The pairs of the lowest cards come first.
        let pairs = &pairs[..below.len() * below.len().saturating_sub(1) / 2];
        five.rank_with_each(pairs, |rank| counts[usize::from(rank.value())][1] += 1);
    });
    counts
}

/// Calls `take` with every five cards and all cards below them. A part covers every `parts`-th choice of the two
/// highest.
fn each_five(part: usize, parts: usize, mut take: impl FnMut([Card; 5], &[Card])) {
    let deck = Deck::in_order();
    for [high, next] in each_pair(deck.cards()).skip(part).step_by(parts) {
        let below_next = &deck.cards()[..usize::from(next.index())];
        for [third, fourth] in each_pair(below_next) {
            let below_fourth = &below_next[..usize::from(fourth.index())];
            for (fifth, &card) in below_fourth.iter().enumerate() {
                take([high, next, third, fourth, card], &below_fourth[..fifth]);
            }
        }
    }
}

/// Every two of the cards, the higher first, in the order of the higher.
fn each_pair(cards: &[Card]) -> impl Iterator<Item = [Card; 2]> {
    cards.iter().enumerate().flat_map(|(place, &high)| cards[..place].iter().map(move |&low| [high, low]))
}
