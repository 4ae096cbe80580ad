//! Decks of a few cards, small enough to count every order.

use std::collections::BTreeSet;

use cards::shuffle::shuffle;
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::statistics::{ChiSquare, chi_square};

/// How often each order of a few cards comes; all should be equally likely.
pub fn permutations(cards: usize, shuffles: u64, seed: u64) -> ChiSquare {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_be_bytes());
    key[8] = u8::try_from(cards).expect("a few cards");
    let mut words = ChaCha20Rng::from_seed(key);
    let orders: usize = (1..=cards).product();
    let mut counts = vec![0_u64; orders];
    for _ in 0..shuffles {
        let mut items: Vec<usize> = (0..cards).collect();
        shuffle(&mut items, cards, || words.next_u32());
        counts[number_of(&items)] += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few cards, some millions of shuffles")]
    let expected = shuffles as f64 / orders as f64;
    chi_square(counts.into_iter().map(|count| (count, expected)))
}

/// The number of an order among all orders of its cards, from zero.
fn number_of(items: &[usize]) -> usize {
    let mut number = 0;
    for (place, item) in items.iter().enumerate() {
        let later_and_lower = items[place + 1..].iter().filter(|later| *later < item).count();
        number = number * (items.len() - place) + later_and_lower;
    }
    number
}

/// Shuffles a few cards with every sequence of draws. Returns the number of different orders, and of sequences.
pub fn every_order_once(cards: u32) -> (usize, usize) {
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
    (orders.len(), usize::try_from(sequences).expect("a few cards"))
}
