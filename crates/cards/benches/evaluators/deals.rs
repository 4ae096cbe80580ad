//! Random cards by number, the same on every run.

use cards::Card;

/// Hands of seven different cards.
pub(crate) fn random_hands(count: usize) -> Vec<[u8; 7]> {
    deal(count, 0x9E37_79B9_7F4A_7C15)
}

/// Boards of five different cards.
pub(crate) fn random_boards(count: usize) -> Vec<[u8; 5]> {
    deal(count, 0xD1B5_4A32_D192_ED03)
}

/// The card numbered `id`. Both sides number cards four to a rank, `2` to `A`.
pub(crate) fn card(id: u8) -> Card {
    Card::from_index(id).expect("ids are below 52")
}

fn deal<const N: usize>(count: usize, seed: u64) -> Vec<[u8; N]> {
    let mut random = Random(seed);
    let mut deck: [u8; 52] = std::array::from_fn(|id| id as u8);
    let mut deal_one = || {
        std::array::from_fn(|place| {
            deck.swap(place, place + random.below(52 - place));
            deck[place]
        })
    };
    (0..count).map(|_| deal_one()).collect()
}

/// Marsaglia's xorshift, good enough to pick cards.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * bound) >> 32
    }
}
