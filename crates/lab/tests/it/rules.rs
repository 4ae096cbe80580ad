//! Rule lists: their exact price against play that is priced elsewhere, and the lists that come with the program.

use lab::advice::{Advice, Situation, advise};
use lab::exact::{Action, Fraction, Question};
use lab::rules::{Price, conditions, price, search};

use crate::support::{HOLDEM, LAB, STUD, answer, book, cards};

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

fn advised(id: &str, situation: &Situation) -> Advice {
    advise(&LAB, &book(id), &Question::default(), situation).expect("a situation of the game")
}

/// In a situation each list names the rule that applies, does what the rule says, and costs what that costs.
#[test]
fn the_rule_that_applies() {
    let check = |id, situation: &Situation, list: &str, rule: Option<&str>, action| {
        let advice = advised(id, situation);
        let says = advice.rules.iter().find(|says| says.list == list).expect("a list of the game");
        assert_eq!((says.rule.as_deref(), says.action), (rule, action), "{situation:?}");
        let cost = if action == advice.best { Fraction::ZERO } else { advice.other_costs };
        assert_eq!(says.cost, cost);
        says.cost
    };
    let hole = |text: &str| Situation::of(&cards::<2>(text));
    let folds = Some("fold: 32o 42o 52o 62o 72o");
    check(HOLDEM, &hole("7c 2d"), "five-lines", folds, Action::Fold);
    // Three lines have no fold, and a fold would have been right.
    assert!(Fraction::ZERO < check(HOLDEM, &hole("7c 2d"), "three-lines", None, Action::Bet));
    check(HOLDEM, &hole("7c 2c"), "five-lines", None, Action::Bet);
    let flop = hole("As 7d").with_community(&cards::<3>("7c Kh 2d"));
    check(HOLDEM, &flop, "five-lines", Some("turn: pair"), Action::Bet);
    let flop = hole("Qs Jd").with_community(&cards::<3>("Tc 9h 2d"));
    let draw = Some("turn: straight draw, jack high, second card nine");
    check(HOLDEM, &flop, "five-lines", draw, Action::Bet);
    check(HOLDEM, &flop, "three-lines", None, Action::Check);
    let four = hole("As 4d").with_community(&cards::<4>("7c Kh 2d 9c"));
    check(HOLDEM, &four, "five-lines", None, Action::Check);
    let stud = |text: &str, up: &str| Situation::of(&cards::<5>(text)).with_up_card(cards::<1>(up)[0]);
    let paired = Some("bet: ace-king, up card paired, no up card ace or king");
    check(STUD, &stud("As Kd 9c 5h 2s", "5d"), "three-rules", paired, Action::Bet);
    check(STUD, &stud("As Kd 9c 5h 2s", "8d"), "three-rules", None, Action::Fold);
    check(STUD, &stud("3s 3d 9c 5h 2s", "Ad"), "three-rules", Some("bet: pair"), Action::Bet);
}

/// What is not understood is answered with the line and the words there are.
#[test]
fn lists_that_are_not_understood() {
    for (list, expected) in [
        ("turn: pare", "line 1: no condition \"pare\"; there are pair, middle pair"),
        ("turn: pair\nflop: pair", "line 2: \"flop\" is none of fold:, turn:, river:"),
        ("# nothing", "a list has at least one rule"),
        ("pair", "does not begin with one of fold:, turn:, river:"),
        ("turn: pair,", "line 1: \"turn: pair,\" lacks a condition between its commas; there are pair"),
        ("fold: 99z", "rules: line 1: \"99z\" names no hole cards"),
    ] {
        let error = price(&LAB, &book(HOLDEM), &Question::default(), list).expect_err("not understood");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(price(&LAB, &book(STUD), &Question::default(), "fold: 32o").is_err());
    for lines in [0, 25] {
        let error = search(&LAB, &book(HOLDEM), &Question::default(), lines).expect_err("not searched");
        assert!(error.to_string().contains("lists of 1 to 24 lines"), "{error}");
    }
}
