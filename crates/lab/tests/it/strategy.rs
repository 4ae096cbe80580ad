//! Perfect play and simpler play.

use cards::HandOrder;
use lab::exact::{Fraction, Question};
use lab::strategy::{Strategy, by_made_hand, strategy};

use crate::support::{HOLDEM, LAB, STREETS, STUD, answer, book, wagers};

fn of(id: &str) -> Strategy {
    strategy(&LAB, &book(id), &Question::default()).expect("a strategy")
}

/// No play is better than perfect play, and the costs are the differences.
#[test]
fn costs() {
    for id in [HOLDEM, STUD] {
        let strategy = of(id);
        let perfect = strategy.plays[0].base.net;
        assert_eq!(perfect, answer(id, &[]).base.net);
        for play in &strategy.plays[1..] {
            assert_eq!(play.cost, perfect.minus(play.base.net), "{id} {}", play.name);
            assert!(Fraction::ZERO < play.cost, "{id} {}", play.name);
        }
        let blind = strategy.plays.last().expect("blind play");
        assert_eq!(blind.name, "blind");
        let hands: Vec<u8> = strategy.several_hands.iter().map(|several| several.hands).collect();
        assert_eq!(hands, [2, 3, 4, 5, 6, 7]);
        let three = &strategy.several_hands[1];
        assert_eq!(three.net, perfect.plus(blind.base.net).plus(blind.base.net));
        assert_eq!(three.cost, blind.cost.plus(blind.cost));
    }
}

/// The short rules of stud cost the same whatever a royal flush pays: no rule folds one.
#[test]
fn stud_rules_cost() {
    let deals = Fraction::whole(19_933_230_517_200_i64);
    let costs: Vec<i128> =
        of(STUD).plays[1..].iter().map(|play| play.cost.times(deals).numerator()).collect();
    assert_eq!(
        costs,
        [44_846_352, 18_342_488_208, 21_804_018_912, 48_899_189_088, 91_227_291_168, 2_268_987_425_688]
    );
}

/// The frontier has every flop and every board of four once, and as many bets as the count.
#[test]
fn frontier() {
    let strategy = of(HOLDEM);
    for row in &strategy.frontier {
        let sum = |shares: &[lab::strategy::Made]| {
            shares.iter().fold([0, 0], |sum, share| [sum[0] + share.boards, sum[1] + share.bets])
        };
        let counts = LAB.holdem().class(row.class);
        assert_eq!(sum(&row.turn), [19_600, counts.flops_bet()], "{}", row.class);
        assert_eq!(sum(&row.river)[0], 230_300);
        // A board of four can have begun with four flops, each bet or checked.
        let rivers: u64 = counts.turns_bet().iter().sum();
        assert_eq!(4 * sum(&row.river)[1], rivers, "{}", row.class);
    }
    let [turn, river] = by_made_hand(&strategy.frontier);
    for order in HandOrder::ALL.into_iter().filter(|&order| HandOrder::Straight <= order) {
        assert_eq!(turn[order as usize].bets, turn[order as usize].boards, "{order} on the flop");
    }
    assert_eq!(river[HandOrder::FullHouse as usize].bets, river[HandOrder::FullHouse as usize].boards);
}

/// With a jackpot that a fold loses, the chart follows it, and plays are still compared on the Ante.
#[test]
fn with_a_jackpot() {
    let strategy = strategy(&LAB, &book(STREETS), &wagers(100, 500, 100_000_000)).expect("a strategy");
    assert!(strategy.hole_cards.iter().all(|cards| cards.play == lab::exact::Action::Bet));
    assert_eq!(strategy.plays[0].base, answer(HOLDEM, &[]).base);
}
