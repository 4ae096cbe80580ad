//! Decks of a few cards, small enough to count every order.

use std::collections::BTreeSet;

use cards::shuffle::shuffle;
use lab::simulate::Stream;

/// With every sequence of draws each order comes exactly once.
#[test]
fn every_order_once() {
    for cards in 2..=8_u32 {
        let sequences: u32 = (1..=cards).product();
        let mut orders = BTreeSet::new();
        for sequence in 0..sequences {
            let mut items: Vec<u32> = (0..cards).collect();
            let (mut rest, mut left) = (sequence, cards);
            let count = items.len();
            shuffle(&mut items, count, || {
                let draw = rest % left;
                // A word from the middle of those that give this draw.
                let word = ((u64::from(draw) << 32) + (1 << 31)) / u64::from(left);
                rest /= left;
                left -= 1;
                u32::try_from(word).expect("a draw is below its bound")
            });
            orders.insert(items);
        }
        assert_eq!(orders.len(), usize::try_from(sequences).expect("a few cards"), "{cards} cards");
    }
}

/// All orders of six cards come equally often: chi-square with 719 degrees of freedom.
#[test]
fn all_orders_equally_often() {
    const SHUFFLES: u32 = 720_000;
    let mut words = Stream::new(8, 0);
    let mut counts = std::collections::BTreeMap::<Vec<u8>, u32>::new();
    for _ in 0..SHUFFLES {
        let mut items: Vec<u8> = (0..6).collect();
        shuffle(&mut items, 6, || words.word());
        *counts.entry(items).or_default() += 1;
    }
    assert_eq!(counts.len(), 720);
    let sum: f64 = counts.values().map(|count| (f64::from(*count) - 1_000.0).powi(2) / 1_000.0).sum();
    // Mean 719, standard deviation √1,438 = 37.9.
    assert!((719.0 - 4.0 * 37.9..719.0 + 4.0 * 37.9).contains(&sum), "chi-square {sum}");
}
