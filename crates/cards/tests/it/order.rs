//! Rule 3.11: the order of hands, by the examples of the four rulebooks.
//!
//! MTHB9, MTHB6 and MSSP9 are the Megalink games, THB6 the stand-alone one. Where several books print the same cards,
//! the first is named.

use cards::{HandOrder, HandRank};

use crate::{panic_message, rank};

#[test]
fn r3_11() {
    let examples = [
        "A♦ K♦ Q♦ J♦ 10♦",
        "J♣ 10♣ 9♣ 8♣ 7♣",
        "A♣ A♥ A♦ A♠ J♥",
        "K♣ K♥ K♦ A♠ A♥",
        "J♥ 8♥ 6♥ 5♥ 2♥",
        "9♣ 8♦ 7♣ 6♥ 5♠",
        "10♠ 10♥ 10♣ 6♥ 3♦",
        "Q♠ Q♥ 6♣ 6♥ 3♦",
        "A♣ A♥ 8♦ 6♥ 5♠",
        "Q♣ 10♥ 6♦ 5♠ 2♥",
    ];
    let ranks = examples.map(rank);
    assert!(ranks.is_sorted_by(|higher, lower| lower < higher), "{ranks:?}");
    let mut orders = ranks.map(HandRank::order);
    orders.reverse();
    assert_eq!(orders, HandOrder::ALL);
}

#[test]
fn r3_11_1() {
    check(HandOrder::RoyalFlush, "MTHB9", "A♦ K♦ Q♦ J♦ 10♦");
}

#[test]
fn r3_11_2() {
    check(HandOrder::StraightFlush, "MTHB9", "J♣ 10♣ 9♣ 8♣ 7♣");
    check(HandOrder::StraightFlush, "one below a royal flush", "Ks Qs Js Ts 9s");
    check(HandOrder::StraightFlush, "Ace low", "5h 4h 3h 2h Ah");
}

#[test]
fn r3_11_3() {
    check(HandOrder::FourOfAKind, "MTHB9", "A♣ A♥ A♦ A♠ J♥");
}

#[test]
fn r3_11_4() {
    check(HandOrder::FullHouse, "MTHB9", "K♣ K♥ K♦ A♠ A♥");
    check(HandOrder::FullHouse, "THB6", "K♣ K♥ K♦ A♣ A♥");
}

#[test]
fn r3_11_5() {
    check(HandOrder::Flush, "MTHB9", "J♥ 8♥ 6♥ 5♥ 2♥");
}

#[test]
fn r3_11_6() {
    check(HandOrder::Straight, "MTHB9", "9♣ 8♦ 7♣ 6♥ 5♠");
    check(HandOrder::Straight, "THB6", "9♣ 8♦ 7♣ 6♥ 5♣");
    check(HandOrder::Straight, "Ace high", "Ac Kd Qh Js Tc");
    check(HandOrder::Straight, "Ace low", "5c 4d 3h 2s Ac");
    check(HandOrder::FiveOddCards, "an Ace is not both", "2c Ad Kh Qs Jc");
}

#[test]
fn r3_11_7() {
    check(HandOrder::ThreeOfAKind, "MTHB9", "10♠ 10♥ 10♣ 6♥ 3♦");
    check(HandOrder::ThreeOfAKind, "THB6", "10♣ 10♥ 10♦ 6♦ 3♦");
    // The example of MSSP9 is misprinted: it has one card twice, so it is not a hand.
    let message = panic_message(|| _ = rank("10♠ 10♥ 10♠ 6♥ 3♦"));
    assert!(message.contains("distinct"), "{message}");
}

#[test]
fn r3_11_8() {
    check(HandOrder::TwoPairs, "MTHB9", "Q♠ Q♥ 6♣ 6♥ 3♦");
    check(HandOrder::TwoPairs, "THB6", "Q♣ Q♥ 6♣ 6♦ 3♦");
    check(HandOrder::TwoPairs, "MSSP9", "Q♠ Q♥ 6♠ 6♥ 3♦");
}

#[test]
fn r3_11_9() {
    check(HandOrder::OnePair, "MTHB9", "A♣ A♥ 8♦ 6♥ 5♠");
    check(HandOrder::OnePair, "THB6", "A♣ A♥ 8♦ 6♥ 5♣");
}

#[test]
fn r3_11_10() {
    check(HandOrder::FiveOddCards, "MTHB9", "Q♣ 10♥ 6♦ 5♠ 2♥");
    check(HandOrder::FiveOddCards, "THB6", "Q♣ 10♥ 6♦ 5♣ 2♥");
    check(HandOrder::FiveOddCards, "MSSP9", "Q♣ 10♥ 6♠ 5♠ 2♥");
}

/// An order has one name in data and one in sentences.
#[test]
fn names() {
    let names = HandOrder::ALL.map(HandOrder::name);
    assert_eq!(
        names,
        [
            "five-odd-cards",
            "one-pair",
            "two-pairs",
            "three-of-a-kind",
            "straight",
            "flush",
            "full-house",
            "four-of-a-kind",
            "straight-flush",
            "royal-flush"
        ]
    );
    for order in HandOrder::ALL {
        let sentence = order.to_string();
        assert_eq!(sentence.to_lowercase().replace(' ', "-"), order.name());
        assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
    }
}

#[track_caller]
fn check(order: HandOrder, source: &str, hand: &str) {
    assert_eq!(rank(hand).order(), order, "{hand} ({source})");
}
