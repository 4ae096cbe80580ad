//! Rule lists: their exact price against play that is priced elsewhere, and the lists that come with the program.

use lab::exact::Question;
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

/// Lists that are ways to play whose price is known: wagers always made, and never.
#[test]
fn known_prices() {
    let fold = "fold: 32o 42o 52o 62o 72o\n";
    let perfect = answer(HOLDEM, &[]).base.house_edge;
    let never = priced(HOLDEM, fold);
    // Everything that perfect play bets on turn and river is given away.
    assert!((never.house_edge - perfect - never.cost.total).abs() < 1e-12);
    assert!((never.cost.turn + never.cost.river - never.cost.total).abs() < 1e-12);
    let always = "turn: pair\nturn: no pair\nriver: pair\nriver: no pair\n";
    let folded = priced(HOLDEM, &format!("{fold}{always}"));
    // Made on every hand, both wagers together win what the lead over all deals is: with the five folds 25.2561 % is the
    // published cost of making both with folds of their own.
    assert!(0.2525 < folded.cost.total && folded.cost.total < 0.2600, "{}", folded.cost.total);
    let unfolded = priced(HOLDEM, always);
    let without_fold = folded.rules[0].cost_without;
    assert!((unfolded.house_edge - folded.house_edge - without_fold).abs() < 1e-12, "{without_fold}");
}

/// What a rule is worth in a list is the difference to the list without it.
#[test]
fn cost_without_a_rule() {
    let list = "fold: 32o 42o 52o 62o 72o\nturn: pair\nriver: pair\nriver: straight";
    let whole = priced(HOLDEM, list);
    let shorter = priced(HOLDEM, "fold: 32o 42o 52o 62o 72o\nturn: pair\nriver: pair");
    assert!((shorter.house_edge - whole.house_edge - whole.rules[3].cost_without).abs() < 1e-12);
}

/// The lists that come with the program, by their price: the longer, the better.
#[test]
fn lists_of_the_program() {
    let [three, five, chart] =
        ["three-lines", "five-lines", "chart"].map(|name| shipped(HOLDEM, name).cost.total);
    assert!(three < 0.032 && five < 0.009 && chart < 0.0075, "{three} {five} {chart}");
    assert!(chart < five && five < three);
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
