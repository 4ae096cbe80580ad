//! The cards of a round: a stream of random words, the shuffle, and the book's way of dealing.

use cards::{Card, Rank, Suit, shuffle};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use rulebook::{Method, Receiver, Rulebook};

/// Random words: ChaCha20 keyed with the seed, with a separate stream for every block of rounds.
pub struct Stream {
    source: ChaCha20Rng,
    /// The words to come, those before `next` used already and those from `end` on not made yet.
    words: [u32; AHEAD + MADE],
    next: usize,
    end: usize,
}

/// So many words can be looked at before they are used: more than a shuffle takes, unless it rejects some.
const AHEAD: usize = 64;
/// So many are made at once.
const MADE: usize = 192;

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
        let mut source = ChaCha20Rng::from_seed(key);
        source.set_stream(block);
        Stream { source, words: [0; AHEAD + MADE], next: 0, end: 0 }
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        let [word, ..] = *self.ahead();
        self.next += 1;
        word
    }

    /// The words to come. They are used when [`Stream::skip`] says so.
    #[inline]
    fn ahead(&mut self) -> &[u32; AHEAD] {
        if self.end < self.next + AHEAD {
            self.make();
        }
        self.words[self.next..].first_chunk().expect("there is room for so many behind those to come")
    }

    #[inline]
    const fn skip(&mut self, words: usize) {
        self.next += words;
    }

    #[cold]
    fn make(&mut self) {
        self.words.copy_within(self.next..self.end, 0);
        (self.next, self.end) = (0, self.end - self.next);
        let mut bytes = [0; MADE * 4];
        self.source.fill_bytes(&mut bytes);
        for (word, bytes) in self.words[self.end..].iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.end += MADE;
    }
}

/// The deck before a shuffle, in the order of the cards' numbers.
const IN_ORDER: [Card; 52] = {
    let mut cards = [Card::new(Rank::Two, Suit::Clubs); 52];
    let mut index = 0;
    while let Some(card) = Card::from_index(index) {
        cards[index as usize] = card;
        index += 1;
    }
    cards
};

/// The first cards of a shuffled deck.
pub(crate) struct Dealt([Card; 52]);

impl Dealt {
    /// A deck before the first deal.
    pub(crate) const fn new() -> Dealt {
        Dealt(IN_ORDER)
    }

    /// Shuffles a new deck and deals so many cards. One player and a Dealer take nine or ten; the compiler knows these numbers.
    #[inline]
    pub(crate) fn deal(&mut self, count: usize, stream: &mut Stream) {
        match count {
            9 => self.shuffle(9, stream),
            10 => self.shuffle(10, stream),
            _ => self.shuffle(count, stream),
        }
    }

    #[inline]
    fn shuffle(&mut self, count: usize, stream: &mut Stream) {
        let words = stream.ahead();
        let mut used = 0;
        self.0 = IN_ORDER;
        shuffle::shuffle(&mut self.0, count, || {
            // Beyond what was looked at, a word that is never rejected: the shuffle ends, and is done again below.
            let word = words.get(used).copied().unwrap_or(u32::MAX / 2);
            used += 1;
            word
        });
        if used <= AHEAD {
            stream.skip(used);
        } else {
            // So many words were rejected that those looked at did not suffice.
            self.0 = IN_ORDER;
            shuffle::shuffle(&mut self.0, count, || stream.word());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Words are those of ChaCha20 in order, and cards those that the shuffle deals from them, however words are taken.
    #[test]
    fn words_and_cards_in_order() {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&7_u64.to_le_bytes());
        key[8..].copy_from_slice(KEY);
        let mut source = ChaCha20Rng::from_seed(key);
        source.set_stream(3);
        let mut stream = Stream::new(7, 3);
        let mut dealt = Dealt::new();
        for round in 0..2_000 {
            let count = [9, 10, 52, 1, 23][round % 5];
            let mut expected = [IN_ORDER[0]; 52];
            shuffle::deal(&mut expected[..count], || source.next_u32());
            dealt.deal(count, &mut stream);
            assert_eq!(dealt.0[..count], expected[..count], "round {round}");
            if round % 3 == 0 {
                assert_eq!(stream.word(), source.next_u32());
            }
        }
    }

    /// Words that are rejected time and again: what was looked at ahead does not suffice.
    #[test]
    fn rejected_words() {
        let mut stream = Stream::new(7, 3);
        stream.ahead();
        stream.words[..70].fill(0);
        let mut later = Stream::new(7, 3);
        (0..70).for_each(|_| _ = later.word());
        let (mut dealt, mut expected) = (Dealt::new(), Dealt::new());
        dealt.deal(9, &mut stream);
        expected.deal(9, &mut later);
        assert_eq!(dealt.0[..9], expected.0[..9]);
        assert_eq!(stream.word(), later.word());
    }
}
