//! The cards of live tables: a deck for each round, the same on every call, in which very rare hands are common.

use std::collections::BTreeMap;

use cards::Card;
use jackpot::TableId;
use round::{Place, Round};
use rulebook::{JackpotCards, Position};

use crate::dice::Dice;

/// The places of a deal, in a fixed order: the Dealer's, the board's, then each position's.
fn places() -> impl Iterator<Item = Place> {
    let hand = |position: u8| (0..5).map(move |at| Place::Player(Position(position), at));
    (0..5).map(Place::Dealer).chain((0..5).map(Place::Community)).chain((1..=7).flat_map(hand))
}

/// The card at a place in a round of a table.
pub(crate) fn card(seed: u64, table: &TableId, number: u64, round: &Round, place: Place) -> Card {
    let name = table.name().bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let mut dice = Dice::new(seed ^ name.wrapping_mul(0x9e37).wrapping_add(number << 32));
    let mut deck: Vec<Card> = (0..52).filter_map(Card::from_index).collect();
    for last in (1..deck.len()).rev() {
        deck.swap(last, dice.index(last + 1));
    }
    let mut cards: BTreeMap<Place, Card> = places().zip(deck).collect();
    for (place, card) in staged(round, &mut dice) {
        let there = cards.iter().find(|(_, other)| **other == card).map(|(place, _)| *place);
        let before = cards.insert(place, card);
        if let (Some(there), Some(before)) = (there.filter(|there| *there != place), before) {
            cards.insert(there, before);
        }
    }
    cards[&place]
}

/// Cards that make a hand that wins the meter, or nearly does.
fn staged(round: &Round, dice: &mut Dice) -> Vec<(Place, Card)> {
    let dealt_in: Vec<Position> =
        round.seats().filter(|(_, seat)| seat.is_dealt_in()).map(|(position, _)| position).collect();
    if dealt_in.is_empty() {
        return Vec::new();
    }
    let hand = |place: usize| dealt_in[place % dealt_in.len()];
    let own = |place: usize, text: &str| lay(text, |at| Place::Player(hand(place), at));
    let board = |text: &str| lay(text, Place::Community);
    let dealer = |text: &str| lay(text, Place::Dealer);
    let by_street = round.book().jackpot.lines.iter().any(|line| line.cards == JackpotCards::Community);
    // Staged hands are those of one game; another game is dealt as the deck lies.
    match round.book().game.rules().outline().name {
        "stud" => match dice.below(14) {
            0 => own(0, "Ah Kh Qh Jh Th"),
            1 if 2 <= dealt_in.len() => [own(0, "Ah Kh Qh Jh Th"), own(1, "As Ks Qs Js Ts")].concat(),
            2 if 3 <= dealt_in.len() => {
                [own(0, "Ah Kh Qh Jh Th"), own(1, "5s 6s 7s 8s 9s"), own(2, "5c 6c 7c 8c 9c")].concat()
            }
            3 | 4 if 2 <= dealt_in.len() => [own(0, "5h 6h 7h 8h 9h"), own(1, "5s 6s 7s 8s 9s")].concat(),
            5 => own(0, "2h 3h 4h 5h 6h"),
            6 => own(0, "9h 9s 9d 9c 2d"),
            7 => own(0, "9h 9s 9d 2c 2d"),
            8 => own(0, "2h 4h 6h 8h Th"),
            9 => own(0, "5h 6s 7d 8c 9h"),
            10 => [own(0, "2h 3s 5d 9c Jh"), dealer("2d 4c 6d 8s Qd")].concat(),
            11 => [own(0, "Ah Kd 9c 5h 2s"), dealer("As Kc 9d 5s 2h")].concat(),
            12 => {
                let [one, other] = like_hands(dice);
                [own(0, one), dealer(other)].concat()
            }
            _ => Vec::new(),
        },
        "holdem" if by_street => match dice.below(16) {
            0 => [own(0, "Ah Kh"), board("Qh Jh Th 2c 3d")].concat(),
            1 => [own(0, "Ah Kh"), board("Qh Jh 2c Th 3d")].concat(),
            2 => [own(0, "Ah Kh"), board("Qh Jh 2c 3d Th")].concat(),
            3 => board("Ah Kh Qh Jh Th"),
            4 => board("5h 6h 7h 8h 9h"),
            5 => board("9h 9s 9d 9c 2d"),
            6 => [own(0, "5h 6h"), board("7h 8h 9h 2c 3d")].concat(),
            7 => [own(0, "9h 9s"), board("9d 9c 2d 3c 5h")].concat(),
            8 => [own(0, "Ah Ad"), dealer("As Ac")].concat(),
            9 => own(0, bonus_hand(dice)),
            10 => [own(0, "Ah 9d"), dealer("6h 9s"), board("2s 3d 4c 5h Kc")].concat(),
            11 if 2 <= dealt_in.len() => [own(0, "Ah Kh"), own(1, "8h 9h"), board("Qh Jh Th 2c 3d")].concat(),
            _ => Vec::new(),
        },
        "holdem" => match dice.below(16) {
            0 => [own(0, "Ah Kh"), board("Qh Jh Th 2c 3d")].concat(),
            1 if 2 <= dealt_in.len() => [own(0, "Ah Kh"), own(1, "8h 9h"), board("Qh Jh Th 2c 3d")].concat(),
            2 | 3 if 2 <= dealt_in.len() => {
                [own(0, "5h 6h"), own(1, "Th Jh"), board("7h 8h 9h 2c 3d")].concat()
            }
            4 => [own(0, "5h 6h"), board("7h 8h 9h 2c 3d")].concat(),
            5 => [own(0, "9h 9s"), board("9d 9c 2d 3c 5h")].concat(),
            6 => [own(0, "9h 9s"), board("9d 2c 2d 3c 5h")].concat(),
            7 => [own(0, "9h 3h"), board("Kh 2h 6h 3c 5s")].concat(),
            8 => [own(0, "9h 8s"), board("7h 6c 5d Kc Ks")].concat(),
            9 => [own(0, "Ah Ad"), dealer("As Ac")].concat(),
            10 | 11 => own(0, bonus_hand(dice)),
            12 => [own(0, "2h 3d"), dealer("2s 3c"), board("As Ks Qs Js Ts")].concat(),
            13 => [own(0, "Ah 9d"), dealer("6h 9s"), board("2s 3d 4c 5h Kc")].concat(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Stud hands of the same order, the Player's and the Dealer's.
fn like_hands(dice: &mut Dice) -> [&'static str; 2] {
    dice.pick(&[
        ["Ah Ad 9c 5h 2s", "Kh Kd 9d 5s 3h"],
        ["Ah Ad 9c 9h 2s", "Kh Kd 8d 8s 3h"],
        ["Ah Ad As 9h 9s", "Kh Kd Ks 8s 8h"],
        ["Ah 2d 3s 4h 5s", "2h 3d 4s 5h 6s"],
        ["5c 6d 7s 8h 9s", "5h 6h 7d 8s 9c"],
        ["Ah Ad Ac 9h 2s", "Kh Kd Ks 8s 3h"],
        ["2h 4h 6h 8h Th", "2s 4s 6s 8s Js"],
        ["2h 4d 6h 8c Th", "As Kd Ks Kc 3h"],
        ["2h 2d 2c 8c Th", "4s 4d 4h 4c 3h"],
    ])
}

/// Hole cards for each line of the Bonus table.
fn bonus_hand(dice: &mut Dice) -> &'static str {
    dice.pick(&["Ah Ad", "Ah Kh", "Ah Qh", "Ah Jh", "Ah Kd", "Kh Kd", "Ah Qd", "Ah Jd", "8h 8d", "2h 2d"])
}

/// Parses cards and puts each at its place.
fn lay(text: &str, place: impl Fn(u8) -> Place) -> Vec<(Place, Card)> {
    (0..).zip(text.split(' ')).map(|(at, card)| (place(at), card.parse().expect("a card"))).collect()
}
