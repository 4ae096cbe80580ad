//! The committed shuffle: known answers, what it binds, and that no card prefers a place.

use cards::{Card, Deck};
use floor::dealing::{Seed, commitment, deck, mixed};
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;
use sha2::{Digest, Sha256};

/// A known answer: table, round, seed, salts; commitment, mixed salts, the deck. Computed by a program of its own from
/// the description in `dealing`, with SHA-256 and ChaCha20 from elsewhere.
struct Known {
    table: &'static str,
    round: u64,
    seed: [u8; 32],
    salts: &'static [(&'static str, &'static str)],
    commitment: &'static str,
    mixed: &'static str,
    deck: &'static str,
}

const COUNTING: [u8; 32] = {
    let mut seed = [0; 32];
    let mut place = 0;
    while place < 32 {
        seed[place as usize] = place;
        place += 1;
    }
    seed
};

const KNOWN: [Known; 3] = [
    Known {
        table: "H2",
        round: 1,
        seed: COUNTING,
        salts: &[],
        commitment: "e5bdf1dd5941f18837afb2f8c645de42001f4ea720d9ed0aa4f6f77d32ebc010",
        mixed: "fa99115d86d6f744d85dbb3c007d0881fab6f8c732b89ad5f4a75f33e56dc736",
        deck: "9d 5c Tc 7c 4d 2s 4c 6h Kc Qh Ts 9s 3c 8h 6s Ah Js 5h 6c Kh 2h Qd 7h 8c 8d 8s \
               As 7s Jh Qs 3h 9c 3d Ac 5d Td Th 3s Ks Ad Jc 9h Kd Qc 2d 6d 4s 2c Jd 7d 4h 5s",
    },
    Known {
        table: "H2",
        round: 1,
        seed: COUNTING,
        salts: &[("Ann", "correct-horse"), ("Bob", "battery-staple")],
        commitment: "e5bdf1dd5941f18837afb2f8c645de42001f4ea720d9ed0aa4f6f77d32ebc010",
        mixed: "e1a74d83d942793ee289520a173970e0a883515c9d4f15c40bbcede554c028a3",
        deck: "Th 3s 3h Jh 2d 6d Qs Tc 4c 5d 9h Qd 8d Kh Ac Qc Td 4s 2c 3c Ks Js Ah 2h 8c 5h \
               Ts 9d 3d 5s 7d 7h 9s 5c 4d 9c Kd 6s Jc Jd Qh As 7s 7c 4h Ad Kc 6h 6c 8s 8h 2s",
    },
    Known {
        table: "Tisch 9",
        round: 1 << 32,
        seed: [0xff; 32],
        salts: &[("林美玲", "0")],
        commitment: "2c34125644ee7eee91e453f9b71cda47955fa802785949c573c674442625aac6",
        mixed: "4bb12206c96790e464ace0f251e3b1bf71ce38103c319a4d8aaa9c3e3ee0935c",
        deck: "Jd 8d 9h 6d 4h 3s Kc 3h 3d 6s Qh Js 8s Ah 9d 4s Th 7s 2c Ac 2d Qc Td 5h 5s 3c \
               7h 8c 9s Ad 2h As Qs 5d Tc 7d 5c 6c 6h 2s Ks 7c 9c Jc Ts 4c Kd Qd 8h 4d Kh Jh",
    },
];

fn salts(salts: &[(&str, &str)]) -> Vec<(PlayerId, String)> {
    salts.iter().map(|(player, salt)| (PlayerId::new(player), (*salt).to_owned())).collect()
}

fn table(name: &str) -> TableId {
    TableId::new(name)
}

#[test]
fn the_known_answers_come_out() {
    for known in KNOWN {
        let seed = Seed(known.seed);
        let committed = commitment(&table(known.table), known.round, seed);
        assert_eq!(committed.to_string(), known.commitment);
        let salt = mixed(committed, &salts(known.salts));
        assert_eq!(salt.to_string(), known.mixed);
        let cards: Vec<Card> =
            known.deck.split_whitespace().map(|card| card.parse().expect("a card")).collect();
        assert_eq!(deck(seed, salt), Deck::from_cards(&cards).expect("a deck"));
    }
}

/// A commitment is for one round of one table, and for one seed.
#[test]
fn a_commitment_binds_table_round_and_seed() {
    let seed = Seed(COUNTING);
    let committed = commitment(&table("H2"), 1, seed);
    assert_ne!(committed, commitment(&table("H3"), 1, seed));
    assert_ne!(committed, commitment(&table("H2"), 2, seed));
    for bit in 0..256_usize {
        let mut other = COUNTING;
        other[bit / 8] ^= 1 << (bit % 8);
        assert_ne!(committed, commitment(&table("H2"), 1, Seed(other)), "bit {bit}");
    }
}

/// Every salt counts, whose it is, and in which order; where one ends and the next begins cannot be moved.
#[test]
fn every_salt_changes_the_deck() {
    let (seed, committed) = (Seed(COUNTING), Hash([1; 32]));
    let ways: [&[(&str, &str)]; 8] = [
        &[],
        &[("Ann", "x")],
        &[("Bob", "x")],
        &[("Ann", "y")],
        &[("Ann", "x"), ("Bob", "y")],
        &[("Bob", "y"), ("Ann", "x")],
        &[("Ann", "xB"), ("ob", "y")],
        &[("Annx", ""), ("Bob", "y")],
    ];
    for (place, one) in ways.iter().enumerate() {
        for other in &ways[..place] {
            let (one, other) = (mixed(committed, &salts(one)), mixed(committed, &salts(other)));
            assert_ne!(one, other);
            assert_ne!(deck(seed, one), deck(seed, other));
        }
    }
    assert_ne!(mixed(Hash([1; 32]), &salts(&[("Ann", "x")])), mixed(Hash([2; 32]), &salts(&[("Ann", "x")])));
}

/// Over 100,000 decks every card lies at every place as often as chance would have it. The sum of squares has 51 times
/// 51 degrees of freedom: 2,601 on average, give or take 72; the bounds are six of these away.
#[test]
fn no_card_prefers_a_place() {
    const DECKS: u32 = 100_000;
    let mut lies = vec![[0_u32; 52]; 52];
    for number in 0..DECKS {
        let seed = Seed(Sha256::digest(number.to_be_bytes()).into());
        let deck = deck(seed, Hash([9; 32]));
        for (place, card) in deck.cards().iter().enumerate() {
            lies[place][usize::from(card.index())] += 1;
        }
    }
    let expected = f64::from(DECKS) / 52.0;
    let squares = lies.iter().flatten().map(|count| (f64::from(*count) - expected).powi(2) / expected);
    let sum: f64 = squares.sum();
    assert!((2_169.0..3_033.0).contains(&sum), "{sum}");
}
