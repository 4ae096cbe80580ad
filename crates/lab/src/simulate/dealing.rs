//! The cards of a round: a stream of random words, the shuffle, and the book's way of dealing.

use cards::{Card, Rank, Suit, shuffle};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use rulebook::{Method, Receiver, Rulebook};

/// Random words: ChaCha20 keyed with the seed, with a separate stream for every block of rounds.
pub struct Stream(ChaCha20Rng);

/// What fills the key beyond the seed. Any other use of a seed must have another text here.
const KEY: &[u8; 24] = b"megalink lab simulate v1";

impl Stream {
    /// The words of one block under a seed.
    pub fn new(seed: u64, block: u64) -> Stream {
        Stream::keyed(KEY, seed, block)
    }

    /// The words of one block of hands that share their cards.
    pub(crate) fn for_collusion(seed: u64, block: u64) -> Stream {
        Stream::keyed(b"megalink lab collude  v1", seed, block)
    }

    fn keyed(text: &[u8; 24], seed: u64, block: u64) -> Stream {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(text);
        let mut words = ChaCha20Rng::from_seed(key);
        words.set_stream(block);
        Stream(words)
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }
}

/// The first cards of a shuffled deck.
pub(crate) struct Dealt([Card; 52]);

impl Dealt {
    /// A deck before the first deal.
    pub(crate) const fn new() -> Dealt {
        Dealt([Card::new(Rank::Two, Suit::Clubs); 52])
    }

    /// Shuffles a new deck and deals so many cards.
    #[inline]
    pub(crate) fn deal(&mut self, count: usize, stream: &mut Stream) {
        shuffle::deal(&mut self.0[..count], || stream.word());
    }

    /// The cards at some places.
    #[inline]
    pub(crate) fn at<const N: usize>(&self, places: &[u8; N]) -> [Card; N] {
        places.map(|place| self.0[usize::from(place)])
    }
}

/// Which places of the deck go to whom: so many cards to each hand, so many to the community.
pub(crate) struct Plan<const HAND: usize, const COMMUNITY: usize> {
    /// By position, from the Dealer's left.
    pub(crate) players: Vec<[u8; HAND]>,
    pub(crate) dealer: [u8; HAND],
    pub(crate) community: [u8; COMMUNITY],
    /// How many cards are dealt in all.
    pub(crate) cards: usize,
}

impl<const HAND: usize, const COMMUNITY: usize> Plan<HAND, COMMUNITY> {
    /// The book's usual method, its first.
    pub(crate) fn new(book: &Rulebook, players: u8) -> Plan<HAND, COMMUNITY> {
        let mut hands = vec![Vec::new(); usize::from(players)];
        let (mut dealer, mut community) = (Vec::new(), Vec::new());
        let mut next = 0..52_u8;
        let method: &Method = book.methods.first().expect("a book has a way of dealing");
        for step in &method.steps {
            let count = usize::from(step.cards);
            match step.to {
                Receiver::Players => hands.iter_mut().for_each(|hand| hand.extend(next.by_ref().take(count))),
                Receiver::Dealer => dealer.extend(next.by_ref().take(count)),
                Receiver::Community => community.extend(next.by_ref().take(count)),
            }
        }
        Plan {
            players: hands.into_iter().map(all_of).collect(),
            dealer: all_of(dealer),
            community: all_of(community),
            cards: usize::from(next.start),
        }
    }
}

/// So many places, as an array.
fn all_of<const N: usize>(places: Vec<u8>) -> [u8; N] {
    places
        .try_into()
        .unwrap_or_else(|places: Vec<u8>| panic!("{} cards are dealt to a hand of {N}", places.len()))
}
