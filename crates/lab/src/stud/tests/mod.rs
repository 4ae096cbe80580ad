//! What the counts must agree with: published figures, and counts made in plainer ways.

mod brute_force;
mod published;
mod walk;
mod what_if;

use std::sync::LazyLock;

use cards::{Card, CardSet};

use super::{Counts, count};

/// The game counted once for all tests.
static COUNTS: LazyLock<Counts> = LazyLock::new(count);

/// Cards from their notation.
fn cards(text: &str) -> CardSet {
    text.split(' ').map(card).collect()
}

/// A card from its notation.
fn card(text: &str) -> Card {
    text.parse().expect("a card's notation")
}
