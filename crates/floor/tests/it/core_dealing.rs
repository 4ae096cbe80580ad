//! The committed shuffle: known answers, what it binds, and that no card prefers a place.

use cards::{Card, Deck};
use floor::Salt;
use floor::dealing::{Seed, commitment, deck, link, mixed, wrong_links};
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
    /// Each Player's salt is 32 times one byte.
    salts: &'static [(&'static str, u8)],
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
        mixed: "91af3746d48e802518452488847cae632626a22a00d9898f8064ce3c39bf2de1",
        deck: "Jc 4d 8s Ts Tc 5c 8c 9s 3s Ah 6s 5s 9h 2s Ks Qs Td As Kd 6d Qd Js Ad 9d 4s Kh \
               2h 5h 2d 3h 7d Jd 5d Th 9c Ac 2c 7h 3c 6c 6h Kc Jh 8d 4h 7c 4c 3d Qc 7s Qh 8h",
    },
    Known {
        table: "H2",
        round: 1,
        seed: COUNTING,
        salts: &[("Ann", 1), ("Bob", 2)],
        commitment: "e5bdf1dd5941f18837afb2f8c645de42001f4ea720d9ed0aa4f6f77d32ebc010",
        mixed: "4f796b8f27221c6e4c0e4285a3bc9dd12972afad07b0816763cae31ec9b7c908",
        deck: "2h 9d As Kh 7c Ad Ac 7s 3h 8c 5s Qs 6h 8s Jc Jd 7d 4s Qd 6d Js Kd Ts Qh 3s 5c \
               4h Jh 5d 5h Ah 9s Th 4d Qc 6s 4c 8h 9h Ks Td 2d 7h 9c 2c 6c Tc 3c 3d 8d 2s Kc",
    },
    Known {
        table: "Tisch 9",
        round: 1 << 32,
        seed: [0xff; 32],
        salts: &[("林美玲", 0)],
        commitment: "2c34125644ee7eee91e453f9b71cda47955fa802785949c573c674442625aac6",
        mixed: "8a9e123c947ffe1a09c1a3b0b88712e338076a930f45152da719f4301425996c",
        deck: "Kc 5c Kd 6s 4d 5s Ad As 7s 4c 4s 7h 2s 9h Th 8h 9c Ks 6c 4h Qc Tc 6d Ac 8c 5d \
               2d Qd 3s Qh 5h Ts 3h 2c Jh 3d Jc Qs 2h 8d 3c 9s Kh Js 7d 8s 6h Ah 9d 7c Jd Td",
    },
];

fn salts(salts: &[(&str, u8)]) -> Vec<(PlayerId, Hash)> {
    salts.iter().map(|(player, salt)| (PlayerId::new(player), Hash([*salt; 32]))).collect()
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

/// Every salt counts and whose it is; in which order they come does not.
#[test]
fn every_salt_changes_the_deck() {
    let (seed, committed) = (Seed(COUNTING), Hash([1; 32]));
    let ways: [&[(&str, u8)]; 7] = [
        &[],
        &[("Ann", 1)],
        &[("Bob", 1)],
        &[("Ann", 2)],
        &[("Ann", 1), ("Bob", 2)],
        &[("Ann", 2), ("Bob", 1)],
        &[("Ann", 1), ("Bo", 2)],
    ];
    for (place, one) in ways.iter().enumerate() {
        for other in &ways[..place] {
            let (one, other) = (mixed(committed, &salts(one)), mixed(committed, &salts(other)));
            assert_ne!(one, other);
            assert_ne!(deck(seed, one), deck(seed, other));
        }
    }
    let turned = mixed(committed, &salts(&[("Bob", 2), ("Ann", 1)]));
    assert_eq!(
        turned,
        mixed(committed, &salts(&[("Ann", 1), ("Bob", 2)])),
        "the order gives nobody influence"
    );
    assert_ne!(mixed(Hash([1; 32]), &salts(&[("Ann", 1)])), mixed(Hash([2; 32]), &salts(&[("Ann", 1)])));
}

/// A link of a chain binds table, Player and salt.
#[test]
fn a_link_binds_table_player_and_salt() {
    let (ann, salt) = (PlayerId::new("Ann"), Hash(COUNTING));
    let known = link(&table("H2"), &ann, salt);
    assert_eq!(known.to_string(), "5ba7c4d627cfac5e6dd0039773e504910ffd5544b52b96856cb98c021c6b1619");
    assert_ne!(known, link(&table("H3"), &ann, salt));
    assert_ne!(known, link(&table("H2"), &PlayerId::new("Bob"), salt));
    assert_ne!(known, link(&table("H2"), &ann, Hash([0; 32])));
    assert_ne!(link(&table("H2A"), &PlayerId::new("nn"), salt), known, "where a name ends cannot be moved");
}

/// A shuffle drawn twice: what was withheld, what was opened, and every way in which that can be wrong.
#[test]
fn wrong_links_are_told() {
    let one = |who: &str, anchor: Hash, salt: Option<Hash>| Salt { player: PlayerId::new(who), anchor, salt };
    let next = |who: &str, salt: Hash| link(&table("H2"), &PlayerId::new(who), salt);
    let (first, bobs) = (Hash([1; 32]), Hash([2; 32]));
    let second = next("Ann", first);
    let anchor = next("Ann", second);
    let earlier = vec![one("Ann", anchor, Some(second)), one("Bob", next("Bob", bobs), None)];
    let right = vec![earlier.clone(), vec![one("Ann", second, Some(first))]];
    assert_eq!(wrong_links(&table("H2"), &right), Vec::<String>::new());
    for (draws, says) in [
        (vec![earlier.clone()], "draw 1: Bob did not open a salt"),
        (vec![earlier.clone(), vec![one("Ann", second, Some(bobs))]], "draw 2: Ann opened another salt"),
        (vec![earlier.clone(), vec![]], "draw 2: the chains do not go on"),
        (vec![earlier, vec![one("Ann", anchor, Some(second))]], "draw 2: the chains do not go on"),
    ] {
        let wrong = wrong_links(&table("H2"), &draws);
        assert!(wrong.iter().any(|wrong| wrong.starts_with(says)), "{says}: {wrong:?}");
    }
    assert_ne!(wrong_links(&table("H3"), &right), Vec::<String>::new(), "of another table");
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
