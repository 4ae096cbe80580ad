//! What the lab says an outcome brings, against the settlement of the tables, for every book.
//!
//! The cards of real deals are settled wager by wager in cents, by `round` alone. If either side changes what it pays, the
//! rows of the exact answer and the settled deals differ.

use std::collections::BTreeMap;

use cards::{Card, HandOrder};
use lab::exact::{Action, Ending, Exact};
use money::Money;
use round::{HoldemHand, Outcome, StudHand, holdem_outcomes, jackpot_lines, stud_outcomes};
use rulebook::{Game, HoldemRules, HoleClass, Pays, PlayingArea, Rulebook, StudRules};

use crate::support::{LAB, cards, deck, numbers};
use lab::exact::Question;

/// An Ante; figures in Antes must come out whole.
const ANTE: Money = Money::from_cents(2_500);

/// What a settled wager brings its Player, in cents.
fn net_cents(outcome: Outcome, wager: Money) -> i64 {
    let cents = |money: Money| i64::try_from(money.cents()).expect("a small amount");
    match outcome {
        Outcome::Paid(odds) => cents(wager.returned_at(odds).expect("a small amount")) - cents(wager),
        Outcome::Collected => -cents(wager),
        Outcome::StandOff | Outcome::Returned => 0,
        Outcome::Won => panic!("no Jackpot wager is settled here"),
    }
}

fn wager(book: &Rulebook, area: PlayingArea) -> Money {
    let times = book.multiple_of_ante(area).expect("a wager that follows the Ante");
    ANTE.times(times.into()).expect("a small amount")
}

fn exact(book: &Rulebook) -> Exact {
    LAB.exact(book, &Question::default()).expect("a book the lab counts")
}

/// Deals that between them win with every order of hand, stand off and lose; and many at random.
fn deals<const N: usize>(of_all_orders: &[&str]) -> Vec<[Card; N]> {
    let mut deals: Vec<[Card; N]> = of_all_orders.iter().map(|deal| cards(deal)).collect();
    let mut next = numbers(14);
    for _ in 0..2_000 {
        let mut pack: Vec<Card> = deck().collect();
        deals.push(std::array::from_fn(|_| pack.swap_remove(next(pack.len()))));
    }
    deals
}

/// Hole cards, the Dealer's two, the community's five.
const HOLDEM_DEALS: [&str; 12] = [
    "As Ks 2c 7d Qs Js Ts 3h 4d",
    "9s 8s 2c 2d Qs Js Ts 3h 4d",
    "As Ad 2c 7d Ah Ac Ts 3h 4d",
    "As Ad 2c 7d Ah Tc Ts 3h 4d",
    "As 9s 2c 7d Qs Js 2s 3h 4d",
    "As Kh 2c 7d Qs Js Ts 3h 4d",
    "As Ad 2c 7d Ah Jc 9s 3h 4d",
    "As Kd 2c 7d Ah Kc 9s 3h 4d",
    "As Kd 2c 7d Ah Jc 9s 3h 4d",
    "As Kd 2c 7d Qh Jc 9s 3h 4d",
    "2s 3d 2c 3h As Kd Qh Js Tc",
    "2s 7d As Ad Ah Kd Qh 9s 8c",
];

fn check_holdem(book: &Rulebook, rules: &HoldemRules) {
    let exact = exact(book);
    let rows: BTreeMap<_, i64> =
        exact.outcomes.iter().map(|row| ((row.turn, row.river, row.result), row.net)).collect();
    let mut settled = BTreeMap::new();
    for deal in deals::<9>(&HOLDEM_DEALS) {
        let [a, b, c, d, community @ ..] = deal;
        let hand = HoldemHand::new(rules, [a, b], [c, d], community);
        let of = |area, wager| net_cents(holdem_outcomes(rules, area, &hand).0, wager);
        for (turn, river) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut net = of(PlayingArea::Ante, ANTE);
            for (area, is_made) in
                [(PlayingArea::Flop, true), (PlayingArea::Turn, turn), (PlayingArea::River, river)]
            {
                net += if is_made { of(area, wager(book, area)) } else { 0 };
            }
            let ante_is_paid = matches!(holdem_outcomes(rules, PlayingArea::Ante, &hand).0, Outcome::Paid(_));
            let ending = match hand.against_dealer {
                std::cmp::Ordering::Greater if ante_is_paid => Ending::WinWithAnte,
                std::cmp::Ordering::Greater => Ending::Win,
                std::cmp::Ordering::Equal => Ending::StandOff,
                std::cmp::Ordering::Less => Ending::Lose,
            };
            let action = |is_made| Some(if is_made { Action::Bet } else { Action::Check });
            let row = (action(turn), action(river), ending);
            let earlier = settled.insert(row, net);
            assert!(earlier.is_none_or(|earlier| earlier == net), "{}: {row:?} {deal:?}", book.id);
        }
    }
    for (row, net) in &settled {
        let antes = rows.get(row).unwrap_or_else(|| panic!("{}: no row {row:?}", book.id));
        assert_eq!(*net, 2_500 * antes, "{}: {row:?}", book.id);
    }
    // All rows but the fold, which loses the Ante (3.9.1), were settled.
    assert_eq!((settled.len(), rows.len()), (16, 17), "{}", book.id);
    assert_eq!(rows[&(None, None, Ending::Fold)], -1, "{}", book.id);
}

/// Every class of hole cards against every class of the Dealer's: the Bonus as it is settled, over all pairs of hands.
fn check_bonus(book: &Rulebook, rules: &HoldemRules) {
    let bonus = exact(book).bonus.expect("hold'em has a Bonus");
    let mut deals = vec![0_u64; bonus.lines.len()];
    let hands: Vec<[Card; 2]> = deck().flat_map(|one| deck().map(move |two| [one, two])).collect();
    let hands: Vec<[Card; 2]> = hands.into_iter().filter(|[one, two]| one.index() < two.index()).collect();
    for &hole in &hands {
        // Only a line that asks for the Dealer's cards needs them.
        let asks = rules
            .bonus
            .iter()
            .any(|line| !line.dealer.is_empty() && line.hole_cards.contains(&HoleClass::of(hole)));
        let free = |dealer: &&[Card; 2]| !dealer.iter().any(|card| hole.contains(card));
        let dealers: Vec<&[Card; 2]> = hands.iter().filter(free).collect();
        let times = if asks { 1 } else { dealers.len() as u64 };
        for &&dealer in dealers.iter().take(if asks { usize::MAX } else { 1 }) {
            let board: Vec<Card> =
                deck().filter(|card| !hole.contains(card) && !dealer.contains(card)).take(5).collect();
            let hand = HoldemHand::new(rules, hole, dealer, board.try_into().expect("five cards"));
            let net = net_cents(holdem_outcomes(rules, PlayingArea::Bonus, &hand).0, ANTE);
            if let Some(line) = bonus.lines.iter().position(|line| net == 2_500 * i64::from(line.pays)) {
                deals[line] += times;
            } else {
                assert_eq!(net, -2_500, "{}: {hole:?} {dealer:?}", book.id);
            }
        }
    }
    let counted: Vec<u64> = bonus.lines.iter().map(|line| line.deals).collect();
    assert_eq!(counted, deals, "{}", book.id);
}

/// The Player's five cards, then the Dealer's.
const STUD_DEALS: [&str; 13] = [
    "As Ks Qs Js Ts Ac Kd 5h 4d 2c",
    "9s Ks Qs Js Ts Ac Kd 5h 4d 2c",
    "9s 9d 9h 9c Ts Ac Kd 5h 4d 2c",
    "9s 9d 9h Tc Ts Ac Kd 5h 4d 2c",
    "9s 7s 6s 3s 2s Ac Kd 5h 4d 2c",
    "9s 8d 7s 6s 5s Ac Kd 5h 4d 2c",
    "9s 9d 9h 7c Ts Ac Kd 5h 4d 2c",
    "9s 9d Th Tc Js Ac Kd 5h 4d 2c",
    "9s 9d 8h Tc Js Ac Kd 5h 4d 2c",
    "As Kh Qh Jc 9s Ac Kd 5h 4d 2c",
    "As Kh Qh Jc 9s Ac Kd Qd Jd 9h",
    "9s 9d 8h Tc Js Ac Qd 5h 4d 2c",
    "9s 7d 8h 2h Js Ac Ad 5h 4d 2c",
];

fn check_stud(book: &Rulebook, rules: &StudRules) {
    let exact = exact(book);
    let mut settled: BTreeMap<(Ending, Option<HandOrder>), i64> = BTreeMap::new();
    for deal in deals::<10>(&STUD_DEALS) {
        let (own, dealer) = (deal.first_chunk().expect("ten cards"), deal.last_chunk().expect("ten cards"));
        let hand = StudHand::new(rules, *own, *dealer);
        let of = |area, wager| net_cents(stud_outcomes(rules, area, hand).0, wager);
        let net = of(PlayingArea::Ante, ANTE) + of(PlayingArea::Bet, wager(book, PlayingArea::Bet));
        let row = match hand.against_dealer {
            _ if !hand.dealer_has_hand => (Ending::NoHand, None),
            std::cmp::Ordering::Greater => (Ending::Win, Some(hand.order)),
            std::cmp::Ordering::Equal => (Ending::StandOff, None),
            std::cmp::Ordering::Less => (Ending::Lose, None),
        };
        let earlier = settled.insert(row, net);
        assert!(earlier.is_none_or(|earlier| earlier == net), "{}: {row:?} {deal:?}", book.id);
    }
    assert_eq!(settled.len(), 13, "every ending, and a win with every order");
    for row in &exact.outcomes {
        let order = row.hand.filter(|_| row.result == Ending::Win);
        let cents = if row.result == Ending::Fold { -2_500 } else { settled[&(row.result, order)] };
        assert_eq!(cents, 2_500 * row.net, "{}: {row:?}", book.id);
    }
}

/// Hands that make each line of the jackpot: what the lab says the line pays is what the settlement finds for it.
fn check_jackpot(book: &Rulebook) {
    let jackpot = exact(book).jackpot;
    let boards = [
        "Qs Js Ts 3h 4d",
        "3h Qs Js Ts 4d",
        "3h 4d Qs Js Ts",
        "As Ks Qs Js Ts",
        "9h 8h 7h 6h 5h",
        "9h 9d 9c 9s 2c",
    ];
    let mut found = vec![false; book.jackpot.lines.len()];
    let mut see = |hand: &[Card], community: &[Card], folded: bool| {
        for line in jackpot_lines(&book.jackpot, hand, community, folded) {
            let place =
                book.jackpot.lines.iter().position(|listed| *listed == line).expect("a line of the table");
            let row = &jackpot.lines[place];
            assert_eq!((row.hand, row.cards, row.pays), (line.hand, line.cards, line.pays), "{}", book.id);
            found[place] = true;
        }
    };
    for deal in STUD_DEALS {
        let hand: [Card; 10] = cards(deal);
        let (own, _) = hand.split_at(5);
        if book.hand_cards() == 5 {
            see(own, &[], false);
            continue;
        }
        // The same five cards as hole cards and flop, with two more that change nothing.
        let idle: Vec<Card> =
            cards::<4>("2h 3d 4c 8d").into_iter().filter(|card| !own.contains(card)).take(2).collect();
        for order in [[0, 1, 2, 3, 4], [3, 4, 0, 1, 2]] {
            let five = order.map(|place: usize| own[place]);
            see(&five[..2], &[&five[2..], &idle].concat(), false);
        }
    }
    if book.hand_cards() == 2 {
        for board in boards {
            let board: [Card; 5] = cards(board);
            for hole in ["As Ks", "2d 3c", "Th Jh", "4s 4c"] {
                let hole: [Card; 2] = cards(hole);
                if !hole.iter().any(|card| board.contains(card)) {
                    see(&hole, &board, false);
                    see(&hole, &board, true);
                }
            }
        }
    }
    assert!(found.iter().all(|found| *found), "{}: {found:?}", book.id);
    // What odds and fixed amounts bring is the sum of what each line pays where it is paid.
    let stake = Money::from_cents(jackpot.wager_cents);
    let cents = |pays: Pays| match pays {
        Pays::Share(_) => 0,
        Pays::Odds(odds) => stake.paid_at(odds).expect("a small amount").cents(),
        Pays::Fixed(amount) => amount.cents(),
    };
    let sum: i128 = jackpot.lines.iter().map(|row| i128::from(cents(row.pays)) * i128::from(row.deals)).sum();
    assert_eq!(jackpot.fixed_return.cents, lab::exact::Fraction::new(sum, exact(book).deals), "{}", book.id);
}

/// Every book: base game, Bonus and jackpot are paid as the tables settle them.
#[test]
fn as_settled() {
    for book in rulebook::embedded() {
        match &book.game {
            Game::Holdem(rules) => {
                check_holdem(&book, rules);
                check_bonus(&book, rules);
            }
            Game::Stud(rules) => check_stud(&book, rules),
        }
        check_jackpot(&book);
    }
}
