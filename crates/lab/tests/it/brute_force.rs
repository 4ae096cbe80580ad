//! Deals one by one, deliberately plain, against the counts.

use std::cmp::Ordering;

use cards::{Card, Hand, Pair};
use lab::advice::{Situation, advise};
use lab::exact::{Action, Fraction, Question};
use lab::holdem::Deals;
use rulebook::HoleClass;

use crate::plain;
use crate::support::{HOLDEM, LAB, STUD, book, cards, left, numbers};

/// A hole hand and a flop: every turn, river and hand of the dealer, the best choice at each decision.
fn check_flop(hole: [Card; 2], flop: [Card; 3]) {
    let cards = left(&[&hole[..], &flop].concat());
    let mut boards = vec![[0_i64; 3]; cards.len() * cards.len()];
    for turn in 0..cards.len() {
        for river in 0..turn {
            let result = showdowns(hole, [flop[0], flop[1], flop[2], cards[turn], cards[river]]);
            boards[turn * cards.len() + river] = result;
            boards[river * cards.len() + turn] = result;
        }
    }
    let mut values = [0_i64; 2];
    for after_turn in boards.chunks(cards.len()) {
        for (turn, value) in [1, 0].into_iter().zip(&mut values) {
            let rivers = [0, 1].map(|river: i64| {
                let wagers = 2 + turn + river;
                let net = |[with_ante, won, lost]: &[i64; 3]| {
                    with_ante * (wagers + 1) + won * wagers - lost * (wagers + 1)
                };
                after_turn.iter().map(net).sum::<i64>()
            });
            *value += rivers[0].max(rivers[1]);
        }
    }
    let advice =
        advise(&LAB, &book(HOLDEM), &Question::default(), &Situation::of(&hole).with_community(&flop))
            .expect("advice");
    let found = advice.choices.map(|choice| choice.net);
    assert_eq!(found, values.map(|value| Fraction::new(value.into(), 47 * 46 * 990)), "{hole:?} {flop:?}");
    assert_eq!(advice.best == Action::Bet, values[1] < values[0]);
}

/// Of the dealer's 990 hands: those beaten with a straight or better, beaten with less, and not beaten.
fn showdowns(hole: [Card; 2], board: [Card; 5]) -> [i64; 3] {
    let with =
        |own: [Card; 2]| plain::seven([own[0], own[1], board[0], board[1], board[2], board[3], board[4]]);
    let mine = with(hole);
    let cards = left(&[&hole[..], &board].concat());
    let mut result = [0; 3];
    for (place, &first) in cards.iter().enumerate() {
        for &second in &cards[..place] {
            match mine.cmp(&with([first, second])) {
                Ordering::Greater => result[usize::from(mine[0] < 4)] += 1,
                Ordering::Equal => {}
                Ordering::Less => result[2] += 1,
            }
        }
    }
    result
}

/// A hand in which flushes, straights and pairs are all near, and one at random.
#[test]
fn all_that_follows_a_flop() {
    check_flop(cards("9s 8s"), cards("Ts 7h 2s"));
    let mut next = numbers(2_026);
    let mut pack = left(&[]);
    let mut draw = || pack.swap_remove(next(pack.len()));
    check_flop([draw(), draw()], [draw(), draw(), draw()]);
}

/// A stud hand and an up card: all 163,185 hands of the dealer.
fn check_stud(hand: [Card; 5], up: Card) {
    let mine = plain::five(hand);
    let pays = [1, 1, 2, 3, 4, 5, 7, 20, 50, 250];
    let cards = left(&[&hand[..], &[up]].concat());
    let (mut net, mut no_hand, mut all) = (0, 0, 0);
    for (i, &a) in cards.iter().enumerate() {
        for (j, &b) in cards[..i].iter().enumerate() {
            for (k, &c) in cards[..j].iter().enumerate() {
                for &d in &cards[..k] {
                    let theirs = plain::five([up, a, b, c, d]);
                    all += 1;
                    // Ace and King, or a pair at least.
                    let qualifies = 0 < theirs[0] || theirs[1] == 12 && theirs[2] == 11;
                    no_hand += u64::from(!qualifies);
                    net += match mine.cmp(&theirs) {
                        _ if !qualifies => 1,
                        Ordering::Greater => 1 + 2 * pays[usize::from(mine[0])],
                        Ordering::Equal => 0,
                        Ordering::Less => -3,
                    };
                }
            }
        }
    }
    assert_eq!(all, 163_185);
    let advice = advise(&LAB, &book(STUD), &Question::default(), &Situation::of(&hand).with_up_card(up))
        .expect("advice");
    assert_eq!(advice.choices[0].net, Fraction::new(net, all), "{hand:?} {up}");
    assert_eq!(advice.ahead.no_hand, Some(no_hand));
    assert_eq!(advice.best == Action::Bet, -all < net, "{hand:?} {up}");
}

/// Hands in doubt, each order of hand, and some at random.
#[test]
fn all_that_follows_an_up_card() {
    for (hand, up) in [
        ("As Kd Qh 8c 2c", "Jc"),
        ("As Kd 7h 4c 2c", "7c"),
        ("As Kd 7h 4c 2c", "7d"),
        ("2s 2d 3h 4c 5c", "Ac"),
        ("As Ks Qs Js Ts", "Th"),
        ("Ah 2h 3h 4h 5h", "6h"),
        ("9c 9d 9h 9s Kc", "Kd"),
        ("Ah 9h 7h 4h 2h", "Kh"),
        ("5c 4d 3h 2s Ac", "5d"),
    ] {
        check_stud(cards(hand), cards::<1>(up)[0]);
    }
    let mut next = numbers(1_866);
    for _ in 0..5 {
        let mut pack = left(&[]);
        let mut draw = || pack.swap_remove(next(pack.len()));
        check_stud([draw(), draw(), draw(), draw(), draw()], draw());
    }
}

/// Every showdown of Ace and King suited: all boards up to a renaming of the idle suits, all hands of the dealer.
#[test]
fn all_showdowns_of_a_class() {
    let hole: [Card; 2] = cards("As Ks");
    let cards = left(&hole);
    let mut deals = Deals::default();
    for_each_five(&cards, |board| {
        let Some(times) = idle_suits(*board) else { return };
        let rest: Vec<Card> = cards.iter().copied().filter(|card| !board.contains(card)).collect();
        let pairs: Vec<Pair> = (0..rest.len())
            .flat_map(|i| rest[..i].iter().map(|&other| Pair::new(rest[i], other)).collect::<Vec<_>>())
            .collect();
        let board: Hand = board.iter().copied().collect();
        let mine = board.with_pair(Pair::new(hole[0], hole[1])).rank();
        let mut one = Deals::default();
        board.rank_with_each(&pairs, |theirs| match mine.cmp(&theirs) {
            Ordering::Greater => one.wins[mine.order() as usize] += 1,
            Ordering::Equal => one.ties += 1,
            Ordering::Less => one.losses += 1,
        });
        deals = deals.plus(&one.times(20 * times));
    });
    let class = HoleClass::of(hole);
    assert_eq!(deals, LAB.holdem().class(class).showdowns());
}

/// How many boards renaming clubs, diamonds and hearts makes of one, if it is the first of them.
fn idle_suits(board: [Card; 5]) -> Option<u64> {
    let mut suits = [0_u64; 3];
    for card in board {
        if let Some(suit) = suits.get_mut(card.suit() as usize) {
            *suit |= 1 << (card.rank() as u64);
        }
    }
    let [a, b, c] = suits;
    (b <= a && c <= b).then_some(match (a == b, b == c) {
        (true, true) => 1,
        (false, false) => 6,
        _ => 3,
    })
}

pub(crate) fn for_each_five(cards: &[Card], mut each: impl FnMut(&[Card; 5])) {
    for (i, &a) in cards.iter().enumerate() {
        for (j, &b) in cards[..i].iter().enumerate() {
            for (k, &c) in cards[..j].iter().enumerate() {
                for (l, &d) in cards[..k].iter().enumerate() {
                    for &e in &cards[..l] {
                        each(&[a, b, c, d, e]);
                    }
                }
            }
        }
    }
}
