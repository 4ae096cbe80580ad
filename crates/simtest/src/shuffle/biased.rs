//! Biased shuffles, which the statistics must detect.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::Order;

/// A wrong way to shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Biased {
    /// The remainder of a byte divided by the cards left: low numbers are too frequent.
    Modulo,
    /// Each card swaps with any of all 52.
    SwapWithAny,
    /// No card stays in its place.
    NeverInPlace,
    /// The last two cards are never swapped.
    StopsShort,
    /// Sometimes two consecutive cards stay together, as in a deck that was not washed.
    Clumps,
}

impl Biased {
    /// Every biased shuffle.
    pub const ALL: [Biased; 5] =
        [Biased::Modulo, Biased::SwapWithAny, Biased::NeverInPlace, Biased::StopsShort, Biased::Clumps];

    /// A deck from this shuffle.
    pub fn deck(self, seed: u64, number: u64) -> Order {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_be_bytes());
        key[8..16].copy_from_slice(&number.to_be_bytes());
        let mut words = ChaCha20Rng::from_seed(key);
        let mut below = |bound: usize| {
            let bound = u64::try_from(bound).expect("a deck is not so large");
            let drawn = (u64::from(words.next_u32()) * bound) >> 32;
            usize::try_from(drawn).expect("below the bound")
        };
        let mut cards: Order = std::array::from_fn(|card| u8::try_from(card).expect("52 cards"));
        for place in 0..51 {
            let left = 52 - place;
            let other = match self {
                Biased::Modulo => place + below(256) % left,
                Biased::SwapWithAny => below(52),
                Biased::NeverInPlace => place + 1 + below(left - 1),
                Biased::StopsShort if left == 2 => place,
                Biased::StopsShort | Biased::Clumps => place + below(left),
            };
            cards.swap(place, other);
        }
        if self == Biased::Clumps && below(10) == 0 {
            let place = below(51);
            let next = (cards[place] + 1) % 52;
            let other = cards.iter().position(|card| *card == next).expect("every card is in the deck");
            cards.swap(place + 1, other);
        }
        cards
    }
}
