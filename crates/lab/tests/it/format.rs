//! The answer as JSON has the fields that others rely on.

use lab::exact::Exact;
use serde_json::Value;

use crate::support::{HOLDEM, HOLDEM_V6, LAB, STREETS, STUD, answer, book, wagers};

fn json(exact: &Exact) -> Value {
    serde_json::to_value(exact).expect("the answer can be written")
}

fn is_count(value: &Value) -> bool {
    value.as_str().is_some_and(|digits| digits.parse::<i128>().is_ok())
}

fn is_fraction(value: &Value) -> bool {
    is_count(&value["numerator"]) && is_count(&value["denominator"])
}

fn check(exact: &Exact, stud: bool) {
    let value = json(exact);
    assert!(value["rulebook"].is_string() && is_count(&value["deals"]));
    let base = &value["base"];
    assert_eq!(base["net"]["denominator"], value["deals"]);
    for view in ["house_edge", "element_of_risk", "average_wager", "standard_deviation"] {
        assert!(base[view].is_f64(), "base.{view}");
    }
    let jackpot = &value["jackpot"];
    assert!(
        is_fraction(&jackpot["fixed_return"])
            && is_fraction(&jackpot["meter_weight"])
            && jackpot["break_even_meter"].is_u64()
    );
    let lines = jackpot["lines"].as_array().expect("lines");
    assert!(
        !lines.is_empty() && lines.iter().all(|line| line["hand"].is_string() && is_count(&line["deals"]))
    );
    for row in value["outcomes"].as_array().expect("outcomes") {
        assert!(row["result"].is_string() && is_count(&row["deals"]), "{row}");
        assert_eq!(row.get("hand").is_some(), stud);
        assert_eq!(row.get("turn").is_some() && row.get("river").is_some(), !stud);
    }
    let decisions = &value["decisions"];
    assert!(is_count(&decisions["fold_deals"]));
    if stud {
        assert!(value.get("hole_cards").is_none() && value.get("bonus").is_none());
        assert!(value["strategy"].as_array().is_some_and(|rows| rows.len() > 100));
        return;
    }
    assert!(
        decisions["fold"].is_array()
            && is_count(&decisions["turn_bet_deals"])
            && is_count(&decisions["river_bet_deals"])
    );
    assert!(is_fraction(&value["bonus"]["net"]) && value["bonus"]["house_edge"].is_f64());
    let first = &value["hole_cards"][0];
    assert_eq!(
        (first["class"].as_str(), first["combinations"].as_u64(), first["play"].as_str()),
        (Some("AA"), Some(6), Some("bet"))
    );
    assert!(is_fraction(&first["net"]));
    assert!(value.get("strategy").is_none());
}

#[test]
fn fields() {
    for id in [HOLDEM, HOLDEM_V6, STREETS] {
        check(&answer(id, &[]), false);
        assert!(json(&answer(id, &[])).get("combined").is_none());
    }
    check(&answer(STUD, &[]), true);
    let folds = json(&answer(HOLDEM, &[]))["decisions"]["fold"].clone();
    assert_eq!(folds, serde_json::json!(["32o", "42o", "52o", "62o", "72o"]));
    let joint = LAB.exact(&book(STREETS), &wagers(2_500, 500, 100_000_000)).expect("an answer");
    assert!(is_fraction(&json(&joint)["combined"]["net"]));
}
