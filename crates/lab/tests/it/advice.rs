//! Advice against the whole count.

use cards::{Card, Rank, Suit};
use lab::advice::{AdviceError, Situation, advise};
use lab::exact::{Action, Fraction, Question};

use crate::support::{HOLDEM, LAB, STREETS, STUD, answer, book, cards, changed, wagers};

fn hole_of(class: lab::holdem::HoleClass) -> [Card; 2] {
    let (high, low) = class.ranks();
    [Card::new(high, Suit::Clubs), Card::new(low, if class.is_suited() { Suit::Clubs } else { Suit::Spades })]
}

/// Before the flop advice is what the chart says, for every class, book and pay table.
#[test]
fn hole_cards() {
    for (id, changes) in [
        (HOLDEM, &[][..]),
        (HOLDEM, &["holdem.ante_pays_from=flush"]),
        (HOLDEM, &["holdem.ante=5 to 1", "times_ante.flop=3", "holdem.flop=2 to 1"]),
        (HOLDEM, &["times_ante.turn=2", "times_ante.river=2"]),
        (HOLDEM, &["times_ante.turn=3"]),
        (STREETS, &["jackpot-wager=500", "meter=100000000"]),
    ] {
        let scenario = changed(id, changes).expect("a book");
        let exact = LAB.exact(&scenario.book, &scenario.question).expect("an answer");
        for row in &exact.hole_cards {
            let situation = Situation::HoleCards(hole_of(row.class));
            let advice = advise(&LAB, &scenario.book, &scenario.question, situation).expect("advice");
            assert_eq!(
                (advice.choices[0].net, advice.best),
                (row.net, row.play),
                "{} {changes:?}",
                row.class
            );
        }
    }
}

/// The choices before the turn and before the river hang together: the value of a check on the turn is the average of
/// the better choice over all turns.
#[test]
fn turn_follows_flop() {
    let (hole, flop): ([Card; 2], [Card; 3]) = (cards("Qh Jh"), cards("Th 4c 2h"));
    for changes in [&[][..], &["times_ante.turn=3", "times_ante.river=2", "holdem.ante=2 to 1"]] {
        let scenario = changed(HOLDEM, changes).expect("a book");
        let ask = |situation| advise(&LAB, &scenario.book, &scenario.question, situation).expect("advice");
        let flop_advice = ask(Situation::Flop(hole, flop));
        for (choice, made) in flop_advice.choices.iter().zip([true, false]) {
            let seen = [&hole[..], &flop].concat();
            let mut sum = Fraction::ZERO;
            for turn in crate::support::left(&seen) {
                let advice = ask(Situation::Turn(hole, [flop[0], flop[1], flop[2], turn], made));
                let best = advice.choices[0].net.max(advice.choices[1].net);
                sum = sum.plus(best.times(Fraction::new(1, 47)));
            }
            assert_eq!(choice.net, sum, "{made} {changes:?}");
        }
    }
}

/// The jackpot is part of a fold only where a fold loses lines of it.
#[test]
fn jackpot_in_advice() {
    let question = wagers(2_500, 500, 100_000_000);
    let fold = Situation::HoleCards(cards("5d 2c"));
    let joint = advise(&LAB, &book(STREETS), &question, fold).expect("advice");
    assert_eq!(joint.best, Action::Bet);
    let cents: Vec<Fraction> = joint.choices.iter().filter_map(|choice| choice.combined_cents).collect();
    assert_eq!(joint.other_costs, cents[0].minus(cents[1]));
    let plain = advise(&LAB, &book(HOLDEM), &question, fold).expect("advice");
    assert_eq!((plain.best, plain.choices[0].combined_cents), (Action::Fold, None));
}

/// Stud: an answer by class of the whole count, for the hands in doubt.
#[test]
fn stud_against_strategy() {
    let exact = answer(STUD, &[]);
    for row in exact.strategy.iter().filter(|row| row.from == row.to && row.from.starts_with("A-K")) {
        let ranks: Vec<Rank> = row.from.split('-').map(rank).collect();
        for up in Rank::ALL {
            let name = if up == Rank::Ten { "10".to_owned() } else { up.letter().to_string() };
            if row.depends.iter().any(|depends| depends.up == name) {
                continue;
            }
            let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
            let hand: Vec<Card> =
                ranks.iter().zip(suits).map(|(&rank, suit)| Card::new(rank, suit)).collect();
            let hand: [Card; 5] = hand.try_into().expect("five cards");
            let advice = advise(
                &LAB,
                &book(STUD),
                &Question::default(),
                Situation::Stud(hand, Card::new(up, Suit::Spades)),
            );
            let bets = advice.expect("advice").best == Action::Bet;
            assert_eq!(bets, row.bets_against.contains(&name.as_str()), "{} against {name}", row.from);
        }
    }
}

fn rank(name: &str) -> Rank {
    let letter = if name == "10" { 'T' } else { name.chars().next().expect("a rank") };
    Rank::ALL.into_iter().find(|rank| rank.letter() == letter).expect("a rank")
}

/// What cannot be is refused.
#[test]
fn refusals() {
    let ask = |id, situation| advise(&LAB, &book(id), &Question::default(), situation);
    let [ace] = cards("As");
    let twice = Situation::Flop(cards("As Kd"), cards("2c As 7h"));
    assert_eq!(ask(HOLDEM, twice), Err(AdviceError::Twice(ace)));
    let stud = Situation::Stud(cards("As Kd 2c 3c 4c"), cards::<1>("5c")[0]);
    assert_eq!(
        ask(HOLDEM, stud).expect_err("stud").to_string(),
        "megalink-holdem-v9 is hold'em, and has no such situation"
    );
    assert!(ask(STUD, Situation::HoleCards(cards("As Kd"))).is_err());
    let [two] = cards("2c");
    assert_eq!(ask(STUD, Situation::Stud(cards("As Kd 2c 3c 4c"), two)), Err(AdviceError::Twice(two)));
}
