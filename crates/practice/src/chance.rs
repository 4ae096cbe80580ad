//! Chance that follows from a seed, so that a session can be repeated.

use cards::{Card, CardSet};
use journal::Hash;

/// A number that follows from a seed and what it is for.
pub(crate) fn draw(seed: u64, what: &str) -> u64 {
    let hash = Hash::of([b"megalink.practice.1".as_slice(), &seed.to_be_bytes(), what.as_bytes()]);
    u64::from_be_bytes(*hash.0.first_chunk().expect("a hash has 32 bytes"))
}

/// One of some things; `None` where there are none.
pub(crate) fn pick<T: Copy>(items: &[T], seed: u64, what: &str) -> Option<T> {
    let count = u64::try_from(items.len()).ok().filter(|count| 0 < *count)?;
    items.get(usize::try_from(draw(seed, what) % count).ok()?).copied()
}

/// The cards that are not in `without`, in an order that follows from a seed.
pub(crate) fn shuffled(without: CardSet, seed: u64, what: &str) -> Vec<Card> {
    let mut count = 0_u32;
    let random = || {
        count = count.wrapping_add(1);
        u32::try_from(draw(seed, &format!("{what} {count}")) >> 32).unwrap_or(0)
    };
    let deck = cards::shuffle::deck(random);
    deck.cards().iter().copied().filter(|card| !without.contains(*card)).collect()
}
