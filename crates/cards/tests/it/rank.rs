//! `HandRank` as a number, and what it refuses to rank.

use cards::{CardSet, HandOrder, HandRank};

use crate::{cards, panic_message, rank};

#[test]
fn values_run_from_1_to_7462() {
    assert_eq!(rank("7c 5d 4h 3s 2c").value(), 1);
    assert_eq!(rank("As Ks Qs Js Ts").value(), 7_462);
    assert_eq!(HandRank::from_value(0), None);
    assert_eq!(HandRank::from_value(7_463), None);
    for value in 1..=7_462 {
        assert_eq!(HandRank::from_value(value).map(HandRank::value), Some(value));
    }
}

/// How many strengths each order has: of five odd cards C(13,5) less the ten straights, and so on.
#[test]
fn every_value_has_its_order() {
    let mut strengths = [0; 10];
    let ranks = (1..=HandRank::COUNT).filter_map(HandRank::from_value);
    ranks.clone().for_each(|rank| strengths[rank.order() as usize] += 1);
    assert_eq!(strengths, [1_277, 2_860, 858, 858, 10, 1_277, 156, 156, 9, 1]);
    assert!(ranks.map(HandRank::order).is_sorted());
}

#[test]
fn four_cards_or_eight_are_no_hand() {
    let four = cards("As Ks Qs Js");
    let eight = cards("As Ks Qs Js Ts 9s 8s 7s");
    for cards in [&four, &eight] {
        let by_cards = panic_message(|| _ = HandRank::best_of(cards));
        assert!(by_cards.contains(&format!("{}: {cards:?}", cards.len())), "{by_cards}");
        let set: CardSet = cards.iter().copied().collect();
        let by_set = panic_message(|| _ = HandRank::of_set(set));
        assert!(by_set.contains(&format!("not {}: {set:?}", cards.len())), "{by_set}");
    }
}

#[test]
fn a_card_twice_is_no_hand() {
    for text in ["As As Qs Js Ts", "As Ks Qs Js Ts As", "2c 2d 2h 2s 3c 4c 2c"] {
        let cards = cards(text);
        let message = panic_message(|| _ = HandRank::best_of(&cards));
        assert!(message.contains("distinct") && message.contains(&format!("{cards:?}")), "{message}");
    }
}

/// A flush is found in any suit and beside any two cards.
#[test]
fn a_flush_of_five_to_seven_cards() {
    for suit in ["c", "d", "h", "s"] {
        let flush = |text: &str| rank(&text.replace('x', suit));
        assert_eq!(flush("Ax Jx 9x 5x 3x").order(), HandOrder::Flush);
        assert_eq!(flush("Ax Jx 9x 5x 3x 2x"), flush("Ax Jx 9x 5x 3x"));
        assert_eq!(flush("Ax Jx 9x 7x 5x 3x 2x"), flush("Ax Jx 9x 7x 5x"));
    }
    assert_eq!(rank("Ac Jc 9c 5c 3c As Ad"), rank("Ac Jc 9c 5c 3c"));
}
