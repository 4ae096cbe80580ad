//! The shuffle on its stream of random words.

use cards::{Card, CardSet, HandOrder, HandRank, shuffle};
use lab::simulate::Stream;

/// Decks of these seeds and blocks, as another ChaCha20 and another shuffle make them.
#[test]
fn golden_decks() {
    let cases = [
        (1, 0, "7c As 5c 5h Ac Jd 7d Td Kd 8s 2d 3c Ah Kh Qh 6s 3d Jc 2s 2c 3h 4s 3s 5d Th Js"),
        (1, 1, "8s Qs 7h 9s Qc Tc 9d Td Ad Th Jc 4c Kd 8c 5h 6c 4s 6h Jh 8d Kh 9h 3s 9c 3d 6s"),
        (0xDEAD_BEEF, 7, "Jd 5d 7s 8d 9c Kc Qd Kh Jh 3s Kd Ah 4d 3d 4s Td 7d 8s 6d Jc 5c Js 3c 2s 4c Th"),
    ];
    for (seed, block, expected) in cases {
        let mut stream = Stream::new(seed, block);
        let deck = shuffle::deck(|| stream.word());
        let text: Vec<String> = deck.cards()[..26].iter().map(ToString::to_string).collect();
        assert_eq!(text.join(" "), expected, "seed {seed}, block {block}");
    }
}

/// A part of a deck dealt is the beginning of the whole one.
#[test]
fn dealing_a_part_is_the_beginning_of_the_whole() {
    for block in 0..50 {
        let (mut one, mut other) = (Stream::new(3, block), Stream::new(3, block));
        let deck = shuffle::deck(|| one.word());
        let mut dealt = [deck.cards()[51]; 10];
        shuffle::deal(&mut dealt, || other.word());
        assert_eq!(dealt, deck.cards()[..10]);
    }
}

/// Every card comes to every place of the deck equally often: chi-square over 52 by 52 places.
#[test]
fn every_card_comes_to_every_place() {
    const DECKS: u32 = 52_000;
    let mut stream = Stream::new(11, 0);
    let mut seen = vec![[0_u32; 52]; 52];
    for _ in 0..DECKS {
        let deck = shuffle::deck(|| stream.word());
        for (place, card) in deck.cards().iter().enumerate() {
            seen[place][usize::from(card.index())] += 1;
        }
    }
    let expected = f64::from(DECKS) / 52.0;
    let chi_square: f64 =
        seen.iter().flatten().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum();
    // 51 · 51 degrees of freedom: mean 2,601, standard deviation √5,202 = 72.1.
    assert!((2_601.0 - 4.0 * 72.1..2_601.0 + 4.0 * 72.1).contains(&chi_square), "chi-square {chi_square}");
}

/// Hands of five come by order as often as all 2,598,960 have them.
#[test]
fn orders_of_five_cards() {
    const HANDS: u32 = 400_000;
    const ALL: [u32; 10] = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4];
    let mut stream = Stream::new(12, 0);
    let mut seen = [0_u32; 10];
    let mut hand = [Card::from_index(0).expect("a card"); 5];
    for _ in 0..HANDS {
        shuffle::deal(&mut hand, || stream.word());
        assert_eq!(hand.iter().copied().collect::<CardSet>().len(), 5);
        seen[HandRank::best_of(&hand).order() as usize] += 1;
    }
    for order in HandOrder::ALL {
        let chance = f64::from(ALL[order as usize]) / 2_598_960.0;
        let expected = chance * f64::from(HANDS);
        let error = (expected * (1.0 - chance)).sqrt();
        let off = (f64::from(seen[order as usize]) - expected) / error;
        assert!(expected < 10.0 || off.abs() < 4.0, "{order}: {off} standard errors");
    }
}
