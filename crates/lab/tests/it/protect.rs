//! What known cards are worth: stud and the form of the answer. Hold'em is held against dealt cards beside its counts.

use lab::exact::{Fraction, Question};
use lab::protect::{Known, Protection, protect};

use crate::support::{HOLDEM, LAB, STUD, answer, book};

fn known(id: &str, known: Known) -> Result<Protection, String> {
    protect(&LAB, &book(id), &Question::default(), known, &|_| {}).map_err(|error| error.to_string())
}

/// With the up card alone known stud is the game itself; each card more is worth something.
#[test]
fn stud_by_cards_known() {
    let exact = answer(STUD, &[]);
    let of = |dealer| known(STUD, Known { dealer, ..Known::default() }).expect("counted");
    let one = of(1);
    assert_eq!(one.net, exact.base.net);
    assert_eq!(one.deals, exact.deals);
    let two = of(2);
    assert_eq!(two.deals, 39_866_461_034_400);
    assert_eq!(two.net, Fraction::new(-2_453_498_557, 415_275_635_775_i64));
    assert!(one.net < two.net && two.fold_frequency < one.fold_frequency);
}

/// The serialised form.
#[test]
fn form() {
    let one = known(STUD, Known { dealer: 1, ..Known::default() }).expect("counted");
    let json = serde_json::to_value(&one).expect("an answer is written");
    assert_eq!(json["known"], serde_json::json!({"dealer": 1}));
    assert_eq!(json["deals"], "19933230517200");
    assert_eq!(json["exact"], true);
    for name in ["rulebook", "net", "player_edge", "fold_frequency"] {
        assert!(!json[name].is_null(), "{name}");
    }
}

/// A combination that is not counted is answered with those that are.
#[test]
fn combinations_that_are_not_counted() {
    let flop = |dealer, flop| Known { dealer, flop: Some(flop), ..Known::default() };
    for of in [flop(0, 2), flop(2, 1), flop(3, 0), Known { turn: Some(true), ..flop(0, 1) }] {
        let error = known(HOLDEM, of).expect_err("not counted");
        assert!(error.contains("--dealer 1; --dealer 2; --flop 1; --turn; --river"), "{error}");
    }
    for of in [Known::default(), flop(2, 1), Known { dealer: 6, ..Known::default() }] {
        let error = known(STUD, of).expect_err("not counted");
        assert!(error.contains("--dealer 1 to --dealer 5"), "{error}");
    }
}
