//! `megalink lab shuffle` from the outside.

use std::fs;

use serde_json::Value;

use crate::{megalink, stdout};

/// The tables' shuffle passes, and the same seeds give the same report.
#[test]
fn the_tables_shuffle_is_fair() {
    let ask = ["lab", "shuffle", "--decks", "20k", "--format", "json"];
    let text = stdout(&ask);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["decks"], 20_000);
    assert_eq!(report["tables"], 2);
    assert_eq!(report["passes"]["at_99"], true);
    let tests = report["tests"].as_array().expect("a list");
    for family in [
        "frequency",
        "serial",
        "runs",
        "gap",
        "poker",
        "coupon-collector",
        "permutation",
        "overlap",
        "kolmogorov-smirnov",
        "collision",
        "correlation",
        "adjacency",
        "rising-sequences",
        "cycles",
        "previous-deck",
        "interplay",
        "bits",
    ] {
        assert!(tests.iter().any(|test| test["family"] == family), "{family}");
    }
    let cells: u64 = report["card_by_place"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|row| row.as_array().expect("a list"))
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(cells, 52 * 20_000);
    assert_eq!(text, stdout(&ask));
}

#[test]
fn the_report_in_words_and_as_a_page() {
    let text = stdout(&["lab", "shuffle", "--decks", "1000", "--tables", "1"]);
    assert!(text.starts_with("The tables' shuffle, seeds of 1: 1,000 decks at 1 table. "), "{text}");
    assert!(text.contains(" tests together: pass at 95 %, pass at 99 %."), "{text}");
    assert!(text.contains("2601") && text.contains("Not made: Serial"), "{text}");
    let page = stdout(&["lab", "shuffle", "--decks", "1000", "--format", "html"]);
    assert!(page.starts_with("<!DOCTYPE html>"));
    for id in ["heat", "histogram", "quantiles"] {
        assert!(page.contains(&format!("<figure id=\"{id}\">")), "{id}");
    }
    assert!(!page.contains("http"), "the page needs nothing else");
}

/// Orders that are cut and never shuffled fail; a file that is not decks could not be tested.
#[test]
fn orders_of_physical_decks() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("decks.txt");
    let path = file.to_str().expect("its path is text");
    let mut deck: Vec<String> = cards::Deck::in_order().cards().iter().map(ToString::to_string).collect();
    let mut lines = Vec::new();
    for number in 0..300 {
        deck.rotate_left(number % 52);
        lines.push(deck.join(" "));
    }
    fs::write(&file, lines.join("\n")).expect("a file");
    let output = megalink(&["lab", "shuffle", "--orders", path]).assert().code(1).get_output().stdout.clone();
    let text = String::from_utf8(output).expect("text");
    assert!(text.contains("tests together: FAIL at 95 %, FAIL at 99 %."), "{text}");

    let bad = |line: &str, expected: &str| {
        fs::write(&file, format!("{}\n{line}\n", lines[0])).expect("a file");
        let output =
            megalink(&["lab", "shuffle", "--orders", path]).assert().code(2).get_output().stderr.clone();
        let text = String::from_utf8(output).expect("text");
        assert!(text.contains(expected), "{text}");
    };
    bad("2c Joker", "line 2, card 2: `Joker` is not a card of the deck");
    bad("2c 2d 2c", "line 2, card 3: 2c is there already as card 1");
    bad(&lines[0][..lines[0].len() - 3], "line 2: 51 cards instead of 52; missing:");
    bad(&lines[0], "2 decks: at least 200 are needed");
}
