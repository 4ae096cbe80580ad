//! Wrong ways to shuffle.

use cards::{Card, shuffle};
use lab::shuffle::Order;
use lab::simulate::Stream;

/// A wrong way to shuffle, deck after deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Biased {
    /// Each card swaps with any of all 52.
    SwapWithAny,
    /// No card stays in its place: the draw is off by one (Sattolo).
    NeverInPlace,
    /// The remainder of a byte divided by the cards left: low numbers are too frequent.
    Modulo,
    /// The last two cards are never swapped.
    StopsShort,
    /// The last card stays the last.
    LastNeverMoves,
    /// So many riffles of a new deck.
    Riffles(u32),
    /// So many riffles of the deck before.
    RifflesOfTheDeckBefore(u32),
    /// A new deck is cut.
    Cut,
    /// The deck before is cut.
    CutOfTheDeckBefore,
    /// In one deck of ten two neighbours of a new deck stay together.
    Clump,
    /// In one deck of ten two neighbours of the deck before stay together.
    ClumpOfTheDeckBefore,
    /// In one deck of a hundred the Ace of spades comes to the first place.
    PrefersAPlace,
    /// The same decks again after so many.
    Again(u64),
    /// Only so many bits of seed.
    SeedOfBits(u32),
    /// The second table shuffles with the same random words as the first, from the 27th on.
    SharedStream,
    /// The second table deals what the first dealt a round before.
    SameDeckARoundLater,
    /// Decks are fair, but every card is in every place equally often.
    TooEven,
}

impl Biased {
    /// The first decks.
    pub(crate) fn decks(self, count: u64) -> Vec<Order> {
        let mut decks = Vec::new();
        let mut before = new_deck();
        for number in 0..count {
            before = self.next(number, &before);
            decks.push(before);
        }
        if self == Biased::SameDeckARoundLater {
            let first = decks.clone();
            for (number, deck) in decks.iter_mut().enumerate().skip(3).step_by(2) {
                *deck = first[number - 3];
            }
        }
        decks
    }

    fn next(self, number: u64, before: &Order) -> Order {
        let mut words = Stream::new(77, number);
        match self {
            Biased::SwapWithAny => swaps(&mut words, |words, _| below(words, 52)),
            Biased::NeverInPlace => swaps(&mut words, |words, place| place + 1 + below(words, 51 - place)),
            Biased::Modulo => swaps(&mut words, |words, place| place + below(words, 256) % (52 - place)),
            Biased::StopsShort => {
                swaps(
                    &mut words,
                    |words, place| if place == 50 { 50 } else { place + below(words, 52 - place) },
                )
            }
            Biased::LastNeverMoves => swaps(&mut words, |words, place| place + below(words, 51 - place)),
            Biased::Riffles(times) => (0..times).fold(new_deck(), |deck, _| riffle(&mut words, &deck)),
            Biased::RifflesOfTheDeckBefore(times) => {
                (0..times).fold(*before, |deck, _| riffle(&mut words, &deck))
            }
            Biased::Cut => cut(&mut words, new_deck()),
            Biased::CutOfTheDeckBefore => cut(&mut words, *before),
            Biased::Clump => clump(&mut words, &new_deck()),
            Biased::ClumpOfTheDeckBefore => clump(&mut words, before),
            Biased::PrefersAPlace => {
                let mut deck = fair(&mut words);
                if below(&mut words, 100) == 0 {
                    let ace = place_of(&deck, 51);
                    deck.swap(0, ace);
                }
                deck
            }
            Biased::Again(after) => fair(&mut Stream::new(77, number % after)),
            Biased::SeedOfBits(bits) => {
                let seed = u64::from(words.word() >> (32 - bits));
                fair(&mut Stream::new(seed, 0))
            }
            Biased::SharedStream if number % 2 == 1 => {
                let mut shared = Stream::new(77, number - 1);
                (0..26).for_each(|_| {
                    shared.word();
                });
                fair(&mut shared)
            }
            Biased::SharedStream | Biased::SameDeckARoundLater => fair(&mut words),
            Biased::TooEven => {
                // All cards of a fair deck move one number on: after 52 decks each was in each place once.
                let deck = fair(&mut Stream::new(77, number / 52));
                let on = u8::try_from(number % 52).expect("below 52");
                deck.map(|card| (card + on) % 52)
            }
        }
    }
}

fn new_deck() -> Order {
    std::array::from_fn(|card| u8::try_from(card).expect("52 cards"))
}

fn fair(words: &mut Stream) -> Order {
    shuffle::deck(|| words.word()).cards().map(Card::index)
}

fn below(words: &mut Stream, bound: usize) -> usize {
    let bound = u64::try_from(bound).expect("a small bound");
    usize::try_from((u64::from(words.word()) * bound) >> 32).expect("below the bound")
}

/// A new deck in which the card of each place but the last swaps with another.
fn swaps(words: &mut Stream, other: impl Fn(&mut Stream, usize) -> usize) -> Order {
    let mut deck = new_deck();
    for place in 0..51 {
        deck.swap(place, other(words, place));
    }
    deck
}

/// A riffle as people do it (Gilbert, Shannon and Reeds): each card is in one of two packets, and packets keep their order.
fn riffle(words: &mut Stream, deck: &Order) -> Order {
    let second: Vec<bool> = (0..52).map(|_| below(words, 2) == 1).collect();
    let mut first_place = 0;
    let mut second_place = second.iter().filter(|second| !**second).count();
    std::array::from_fn(|place| {
        let from = if second[place] { &mut second_place } else { &mut first_place };
        *from += 1;
        deck[*from - 1]
    })
}

fn cut(words: &mut Stream, mut deck: Order) -> Order {
    deck.rotate_left(below(words, 52));
    deck
}

/// A fair deck, but in one of ten a card is followed by the card that followed it before.
fn clump(words: &mut Stream, before: &Order) -> Order {
    let mut deck = fair(words);
    if below(words, 10) == 0 {
        let place = below(words, 51);
        let next = before[(place_of(before, deck[place]) + 1) % 52];
        let other = place_of(&deck, next);
        deck.swap(place + 1, other);
    }
    deck
}

fn place_of(deck: &Order, card: u8) -> usize {
    deck.iter().position(|other| *other == card).expect("every card is in the deck")
}
