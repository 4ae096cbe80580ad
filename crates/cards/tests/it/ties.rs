//! Rule 3.12: hands of the same order.

use std::cmp::Ordering::{self, Equal, Greater};

use crate::rank;

/// Within an order the ranks decide, highest first.
#[test]
fn r3_12() {
    check("Ah Kh 4h 3h 2h", Greater, "Ad Qd Jd Td 8d");
    check("Ac Kd 4h 3s 2c", Greater, "Ad Qc Jh Ts 9c");
    check("3c 3d 3h 2s 4c", Greater, "2d 2h 2c As Kc");
    check("2c 2d 2h 2s Ac", Greater, "2c 2d 2h 2s Kc");
    check("3c 3d 3h 3s 2c", Greater, "2c 2d 2h 2s Ac");
    check("7c 7d 7h Ks 3c", Greater, "7c 7d 7h Ks 2c");
}

/// The same order and the same ranks stand off: suits do not matter.
#[test]
fn r3_12_1() {
    check("Ah Kh 9h 5h 2h", Equal, "Ac Kc 9c 5c 2c");
    check("Ac Kd 9h 5s 2c", Equal, "Ad Kh 9s 5c 2d");
    check("As Ks Qs Js Ts", Equal, "Ac Kc Qc Jc Tc");
}

/// Two pairs: the higher pair, then the lower, then the odd card.
#[test]
fn r3_12_2() {
    check("Ac Ad 3h 3s 2c", Greater, "Kc Kd Qh Qs Jc");
    check("Ac Ad 4h 4s 2c", Greater, "Ah As 3h 3s Kc");
    check("Ac Ad 3h 3s Kc", Greater, "Ah As 3c 3d Qc");
    check("Ac Ad 3h 3s Kc", Equal, "Ah As 3c 3d Kh");
}

/// With three pairs, the lowest pair only supplies an odd card.
#[test]
fn r3_12_2_with_three_pairs() {
    check("Ac Ad Kh Ks Qc Qd 2h", Equal, "Ac Ad Kh Ks Qc Jd 2h");
    check("Ac Ad Kh Ks 2c 2d 3h", Equal, "Ac Ad Kh Ks 3c");
}

/// One pair: the pair, then the three odd cards from the highest down.
#[test]
fn r3_12_3() {
    check("3c 3d 4h 5s 6c", Greater, "2c 2d Ah Ks Qc");
    check("3c 3d Ah 5s 4c", Greater, "3h 3s Kh Qs Jc");
    check("3c 3d Ah 6s 4c", Greater, "3h 3s Ac 5d 4d");
    check("3c 3d Ah 6s 5c", Greater, "3h 3s Ac 6d 4d");
    check("3c 3d Ah 6s 5c", Equal, "3h 3s Ac 6d 5d");
}

/// The straight from Ace to Five is the lowest, with and without a flush.
#[test]
fn r3_12_4() {
    check("6c 5d 4h 3s 2c", Greater, "5c 4d 3h 2s Ac");
    check("6c 5c 4c 3c 2c", Greater, "5d 4d 3d 2d Ad");
    check("Ac Kd Qh Js Tc", Greater, "Kc Qd Jh Ts 9c");
    check("5c 4d 3h 2s Ac", Greater, "Ac Ad Ah Ks Qc");
    check("5d 4d 3d 2d Ad", Greater, "Ac Ad Ah As Kc");
}

/// Full houses: the three of a kind, then the pair.
#[test]
fn r3_12_5() {
    check("3c 3d 3h 2s 2c", Greater, "2d 2h 2s Ac Ad");
    check("8c 8d 8h Ks Kc", Greater, "8c 8d 8h Qs Qc");
    check("8c 8d 8h Ks Kc", Equal, "8c 8d 8h Kd Kh");
    // Two threes of a kind make one full house, with the higher as the three.
    check("8c 8d 8h 9c 9d 9h 2s", Equal, "9c 9d 9h 8c 8d");
}

/// Equal straights stand off.
#[test]
fn r3_12_6() {
    check("8c 9d Th Js Qc", Equal, "8d 9h Ts Jc Qd");
    check("8c 9c Tc Jc Qc", Equal, "8d 9d Td Jd Qd");
    // A longer run counts only by its five highest cards.
    check("6c 7d 8c 9d Th Js Qc", Equal, "8d 9h Ts Jc Qd");
}

#[track_caller]
fn check(first: &str, expected: Ordering, second: &str) {
    assert_eq!(rank(first).cmp(&rank(second)), expected, "{first} to {second}");
    assert_eq!(rank(second).cmp(&rank(first)), expected.reverse(), "{second} to {first}");
}
