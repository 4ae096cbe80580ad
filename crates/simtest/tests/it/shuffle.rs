//! The shuffle is fixed by the commitment. `megalink lab shuffle` tests whether it is fair.

use cards::Deck;
use floor::dealing::{self, Seed};
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;

/// What a table publishes before and after a round, and the deck it dealt.
#[derive(Clone, PartialEq)]
struct Dealt {
    table: TableId,
    round: u64,
    seed: Seed,
    salts: Vec<(PlayerId, Hash)>,
    commitment: Hash,
    deck: Deck,
}

impl Dealt {
    fn new(number: u8) -> Dealt {
        let (table, round) = (TableId::new("H1"), u64::from(number) + 1);
        let byte =
            |place: usize| number.wrapping_mul(31).wrapping_add(u8::try_from(place).expect("32 bytes"));
        let seed = Seed(std::array::from_fn(byte));
        let salts = vec![(PlayerId::new("Ann"), Hash([1; 32])), (PlayerId::new("Bob"), Hash([7; 32]))];
        let commitment = dealing::commitment(&table, round, seed);
        let deck = dealing::deck(seed, dealing::mixed(commitment, &salts));
        Dealt { table, round, seed, salts, commitment, deck }
    }

    /// Whether the commitment opens to this deck.
    fn opens(&self) -> bool {
        dealing::commitment(&self.table, self.round, self.seed) == self.commitment
            && dealing::deck(self.seed, dealing::mixed(self.commitment, &self.salts)) == self.deck
    }
}

/// After a change of seed, salt, deck, table or round the commitment does not open.
#[test]
fn a_commitment_never_opens_to_another_deck() {
    let mut altered = Vec::new();
    for number in 0..16 {
        let dealt = Dealt::new(number);
        assert!(dealt.opens());
        for bit in 0..256 {
            let mut other = dealt.clone();
            other.seed.0[bit / 8] ^= 1 << (bit % 8);
            altered.push(other.clone());
            // A new commitment for the other seed is not the published one, and gives another deck.
            other.commitment = dealing::commitment(&other.table, other.round, other.seed);
            assert_ne!(other.commitment, dealt.commitment);
            altered.push(other);
            let mut commitment = dealt.clone();
            commitment.commitment.0[bit / 8] ^= 1 << (bit % 8);
            altered.push(commitment);
        }
        altered.extend(with_other_text(&dealt));
        for first in 0..52 {
            for second in first + 1..52 {
                let mut cards = *dealt.deck.cards();
                cards.swap(first, second);
                altered.push(Dealt { deck: Deck::from_cards(&cards).expect("a deck"), ..dealt.clone() });
            }
        }
    }
    assert!(30_000 < altered.len());
    assert_eq!(altered.iter().filter(|dealt| dealt.opens()).count(), 0);
}

/// The same round with another table or number, and with its salts changed, left out or given to others.
fn with_other_text(dealt: &Dealt) -> Vec<Dealt> {
    let salts = |salts: &[(&str, u8)]| {
        let salts = salts.iter().map(|(player, salt)| (PlayerId::new(player), Hash([*salt; 32])));
        Dealt { salts: salts.collect(), ..dealt.clone() }
    };
    let mut altered: Vec<Dealt> = ["H2", "H", "H11", "h1", "", "H1 "]
        .iter()
        .map(|name| Dealt { table: TableId::new(name), ..dealt.clone() })
        .collect();
    altered.extend(
        [0, dealt.round + 1, dealt.round << 8, u64::MAX].map(|round| Dealt { round, ..dealt.clone() }),
    );
    altered.extend([
        salts(&[]),
        salts(&[("Ann", 1)]),
        salts(&[("Ann", 7), ("Bob", 1)]),
        salts(&[("Ann", 1), ("Bob", 8)]),
        salts(&[("Ann", 1), ("Bo", 7)]),
        salts(&[("Ann", 1), ("Bob", 7), ("Cat", 0)]),
    ]);
    altered
}
