//! Cards and the ranking of hands: against the rule text, published counts and a second, naive implementation.

mod best;
mod counts;
mod deck;
mod hand;
mod lanes;
mod naive;
mod notation;
mod order;
mod rank;
mod set;
mod subsets;
mod ties;

use std::panic::{self, UnwindSafe};

use cards::{Card, Deck, HandRank};

/// The cards of a text such as `A♦ K♦ 10♦` or `Ad Kd Td`.
fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| Card::parse_loose(card).expect("a card")).collect()
}

fn rank(text: &str) -> HandRank {
    HandRank::best_of(&cards(text))
}

/// The message of the panic in `work`.
fn panic_message(work: impl FnOnce() + UnwindSafe) -> String {
    let payload = panic::catch_unwind(work).expect_err("no panic");
    *payload.downcast().expect("a message with values in it")
}

/// Random cards, the same on every run.
struct Random(u64);

impl Random {
    /// `N` different cards.
    fn deal<const N: usize>(&mut self) -> [Card; N] {
        let mut deck = *Deck::in_order().cards();
        for place in 0..N {
            deck.swap(place, place + self.below(52 - place));
        }
        *deck.first_chunk().expect("a deck has more cards")
    }

    /// Marsaglia's xorshift, good enough to pick cards.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).expect("32 bits") % bound
    }
}
