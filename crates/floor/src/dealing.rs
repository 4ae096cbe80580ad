//! The committed shuffle: a deck nobody could choose, and everybody can check afterwards.
//!
//! Before bets open a seed of 256 bits is drawn and its digest published. Players may add salts of their own; at the
//! close of bets they are mixed in and the order of the deck is fixed. After the round the seed is published, and with
//! it anybody can see that it is the one committed to, and deal the round again.

use cards::{Deck, shuffle};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;

/// What a shuffle is made from. Kept beside the log until the round is over, never in it before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// The digest published before bets: it fixes the seed, for this round of this table alone.
pub fn commitment(table: &TableId, round: u64, seed: Seed) -> Hash {
    let what: &[u8] = b"megalink.shuffle.commitment.1";
    Hash::of([what, table.name().as_bytes(), &round.to_be_bytes(), &seed.0])
}

/// The Players' salts in the order they were given, as one digest.
pub fn mixed(commitment: Hash, salts: &[(PlayerId, String)]) -> Hash {
    let mut parts: Vec<&[u8]> = vec![b"megalink.shuffle.salts.1", &commitment.0];
    for (player, salt) in salts {
        parts.push(player.name().as_bytes());
        parts.push(salt.as_bytes());
    }
    Hash::of(parts)
}

/// The deck of a seed and the mixed salts.
pub fn deck(seed: Seed, salt: Hash) -> Deck {
    let key = Hash::of([&b"megalink.shuffle.key.1"[..], &seed.0, &salt.0]);
    let mut words = ChaCha20Rng::from_seed(key.0);
    shuffle::deck(|| words.next_u32())
}
