//! Rule lists: their exact price against play that is priced elsewhere, and the lists that come with the program.

use lab::exact::{Fraction, Question};
use lab::rules::{Price, conditions, price};

use crate::support::{HOLDEM, LAB, STUD, answer, book};

fn priced(id: &str, list: &str) -> Price {
    price(&LAB, &book(id), &Question::default(), list).expect("a list the lab understands")
}

fn shipped(id: &str, name: &str) -> Price {
    let game = conditions(&LAB, &book(id)).expect("the game has lists");
    let (_, text) = game.shipped.iter().find(|(known, _)| *known == name).expect("a list there is");
    priced(id, text)
}

/// Lists that make both later wagers always, and never: what they bring is the sum over all showdowns.
#[test]
fn wagers_always_and_never() {
    let fold = "fold: 32o 42o 52o 62o 72o\n";
    let always = "turn: pair\nturn: no pair\nriver: pair\nriver: no pair\n";
    let folds = answer(HOLDEM, &[]).decisions.fold.expect("hold'em has folds");
    for (list, wagers) in [(fold.to_owned(), 2), (format!("{fold}{always}"), 4)] {
        let mut net = 0;
        for class in LAB.holdem().classes() {
            let deals = class.showdowns();
            let [won, lost] = [deals.won(), deals.losses].map(i128::from);
            let paid: u64 = deals.wins[4..].iter().sum();
            let played = i128::from(paid) - lost + wagers * (won - lost);
            let folded = -i128::from(lab::holdem::DEALS_PER_HAND);
            net += i128::from(class.class.combinations())
                * if folds.contains(&class.class) { folded } else { played };
        }
        let net = Fraction::new(net, lab::holdem::DEALS).value();
        let price = priced(HOLDEM, &list);
        assert!((price.house_edge + net).abs() < 1e-12, "{} {net}", price.house_edge);
        let perfect = answer(HOLDEM, &[]).base.house_edge;
        assert!((price.house_edge - perfect - price.cost.total).abs() < 1e-12);
        assert!((price.cost.turn + price.cost.river - price.cost.total).abs() < 1e-12);
    }
}

/// What a rule is worth in a list is the difference to the list without it.
#[test]
fn cost_without_a_rule() {
    let list = "fold: 32o 42o 52o 62o 72o\nturn: pair\nriver: pair\nriver: straight";
    let whole = priced(HOLDEM, list);
    let shorter = priced(HOLDEM, "fold: 32o 42o 52o 62o 72o\nturn: pair\nriver: pair");
    assert!((shorter.house_edge - whole.house_edge - whole.rules[3].cost_without).abs() < 1e-12);
}

/// The lists that come with the program: each line of the one with five a street is worth something.
#[test]
fn lists_of_the_program() {
    let five = shipped(HOLDEM, "five-lines");
    assert!((five.cost.total - 0.008_774).abs() < 5e-7, "{}", five.cost.total);
    assert!(five.rules.iter().all(|rule| 0.0 < rule.cost_without), "{:?}", five.rules);
    // Stud's three rules are priced by another way of counting them, too.
    let stud = shipped(STUD, "three-rules");
    assert!((stud.cost.total - 311_433.0 / 138_425_211_925.0).abs() < 1e-12, "{}", stud.cost.total);
}

/// What is not understood is answered with the line and the words there are.
#[test]
fn lists_that_are_not_understood() {
    for (list, expected) in [
        ("turn: pare", "line 1: no condition \"pare\"; there are pair, middle pair"),
        ("turn: pair\nflop: pair", "line 2: \"flop\" is none of fold:, turn:, river:"),
        ("# nothing", "a list has at least one rule"),
        ("pair", "does not begin with one of fold:, turn:, river:"),
    ] {
        let error = price(&LAB, &book(HOLDEM), &Question::default(), list).expect_err("not understood");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(price(&LAB, &book(STUD), &Question::default(), "fold: 32o").is_err());
}
