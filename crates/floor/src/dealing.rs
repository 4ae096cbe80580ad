//! The committed shuffle: a deck nobody could choose or foresee, and everybody can check afterwards. `docs/shuffle.md`
//! has the protocol and the argument.
//!
//! A Player may keep a chain of salts: a random secret, hashed many times. Its last link, the anchor, is published
//! before the house draws the seed of 256 bits and publishes its digest. Once bets are closed each Player opens the next
//! link of their chain; these salts and the seed fix the order of the deck. After the round the seed is published, and
//! with it anybody can see that it is the one committed to, and deal the round again.

use cards::{Deck, shuffle};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;

use crate::table::Salt;

/// For how many milliseconds a table waits for salts before it may go on without them.
pub const SALTS_AWAITED_MS: u64 = 5_000;

/// What a shuffle is made from. Kept beside the log until the round is over, never in it before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// The digest published before bets: it fixes the seed, for this round of this table alone.
pub fn commitment(table: &TableId, round: u64, seed: Seed) -> Hash {
    let what: &[u8] = b"megalink.shuffle.commitment.1";
    Hash::of([what, table.name().as_bytes(), &round.to_be_bytes(), &seed.0])
}

/// The link after `salt` in a chain of salts: it fixes the salt, for this Player at this table alone.
pub fn link(table: &TableId, player: &PlayerId, salt: Hash) -> Hash {
    let what: &[u8] = b"megalink.shuffle.chain.2";
    Hash::of([what, table.name().as_bytes(), player.name().as_bytes(), &salt.0])
}

/// The Players' salts as one digest, in the order of their names whatever order they come in.
pub fn mixed(commitment: Hash, salts: &[(PlayerId, Hash)]) -> Hash {
    let mut in_order: Vec<&(PlayerId, Hash)> = salts.iter().collect();
    in_order.sort_unstable();
    let mut parts: Vec<&[u8]> = vec![b"megalink.shuffle.salts.2", &commitment.0];
    for (player, salt) in in_order {
        parts.push(player.name().as_bytes());
        parts.push(&salt.0);
    }
    Hash::of(parts)
}

/// The deck of a seed and the mixed salts.
pub fn deck(seed: Seed, salt: Hash) -> Deck {
    shuffle::deck(words(seed, salt))
}

/// The random words that shuffle the deck of a seed and the mixed salts.
pub fn words(seed: Seed, salt: Hash) -> impl FnMut() -> u32 {
    let key = Hash::of([&b"megalink.shuffle.key.1"[..], &seed.0, &salt.0]);
    let mut words = ChaCha20Rng::from_seed(key.0);
    move || words.next_u32()
}

/// What is wrong with the salts of a shuffle, draw by draw, the one that counts last: each salt is the one its Player
/// was committed to, and whoever opened one before the seed was drawn again opened the next of their chain.
pub fn wrong_links(table: &TableId, draws: &[Vec<Salt>]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut before: Option<Vec<(&PlayerId, Hash)>> = None;
    for (place, salts) in (1_usize..).zip(draws) {
        for Salt { player, anchor, salt } in salts {
            match salt {
                Some(salt) if link(table, player, *salt) != *anchor => {
                    wrong.push(format!("draw {place}: {player} opened another salt than was committed to"));
                }
                None if place == draws.len() => {
                    wrong.push(format!("draw {place}: {player} did not open a salt"));
                }
                Some(_) | None => {}
            }
        }
        let committed: Vec<(&PlayerId, Hash)> = salts.iter().map(|one| (&one.player, one.anchor)).collect();
        if before.is_some_and(|before| before != committed) {
            wrong.push(format!("draw {place}: the chains do not go on from those opened before"));
        }
        before = Some(salts.iter().filter_map(|one| Some((&one.player, one.salt?))).collect());
    }
    wrong
}
