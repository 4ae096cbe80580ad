//! The command line from the outside: output, exit status, errors.

mod archive;
mod audit;
#[path = "../../../floor/tests/it/audit_support.rs"]
#[expect(dead_code, reason = "the floor's own tests use the rest")]
mod audit_support;
#[path = "../../../floor/tests/it/support.rs"]
#[expect(dead_code, reason = "the floor's own tests use the rest")]
mod support;

mod configuration;
mod curl;
mod devices;
mod identity;
mod nodes;
mod practice;
mod readiness;
mod reports;
mod serve;
mod shuffle;
mod witness;

use std::io::Write;

use assert_cmd::Command;
use serde_json::Value;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/rounds.jsonl");

fn megalink(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("megalink").expect("the program is built with its tests");
    command.args(arguments).env_remove("COLUMNS").env("NO_COLOR", "1");
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = megalink(arguments).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("output is text")
}

#[test]
fn samples_settle_to_tables_and_to_json() {
    insta::assert_snapshot!("settle_table", stdout(&["settle", "--table", SAMPLES]));
    insta::assert_snapshot!("settle_json", stdout(&["settle", SAMPLES]));
}

#[test]
fn standard_input_is_settled_in_order() {
    let cases = include_str!("../../../../cases/rounds.jsonl");
    let output = megalink(&["settle"]).write_stdin(cases).assert().success().get_output().stdout.clone();
    let ids: Vec<Value> = String::from_utf8(output)
        .expect("output is text")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("answers are JSON")["id"].take())
        .collect();
    let expected: Vec<Value> = (0..300).map(|number| format!("c{number}").into()).collect();
    assert_eq!(ids, expected);
}

#[test]
fn a_bad_line_makes_the_status_one_and_the_rest_are_settled() {
    let good = include_str!("../../../../samples/rounds.jsonl").lines().next().expect("there are samples");
    let output = megalink(&["settle"])
        .write_stdin(format!("{good}\n{{\"id\":\"b\"}}\nnot json\n{good}"))
        .assert()
        .code(1)
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).expect("output is text");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], lines[3]);
    assert_eq!(lines[1]["id"], "b");
    assert_eq!(lines[2]["id"], Value::Null);
    assert!(lines[1]["error"].as_str().is_some_and(|error| error.contains("missing field `rulebook`")));
    let complaint = String::from_utf8(output.stderr).expect("complaints are text");
    assert_eq!(complaint, "megalink: 2 records settled, 2 records invalid\n");
}

#[test]
fn bad_usage_is_status_two_and_says_what_to_do() {
    let rows: [(&[&str], &str); 5] = [
        (&["settle", "no-such-file"], "opening no-such-file"),
        (
            &["rules", "megalink-holdem-v7"],
            "no rulebook \"megalink-holdem-v7\"; there are megalink-holdem-v9 (MTHB9)",
        ),
        (&["settle", "--reading", "bonus-follows", SAMPLES], "write it as NAME=VALUE"),
        (
            &["settle", "--reading", "bonus-follows=moon", SAMPLES],
            "not one of its values: hole-cards, showdown",
        ),
        (&["settle", "--reading", "moon=full", SAMPLES], "no rulebook has a reading \"moon\""),
    ];
    for (arguments, expected) in rows {
        let output = megalink(arguments).assert().code(2).get_output().stderr.clone();
        let text = String::from_utf8(output).expect("complaints are text");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
    megalink(&["fold"]).assert().code(2);
}

#[test]
fn a_custom_rulebook_is_used() {
    let newer = rulebook::embedded_text("megalink-stud-v9")
        .expect("it is embedded")
        .replace("megalink-stud-v9", "megalink-stud-v10")
        .replace("MSSP9", "MSSP10")
        .replace("pays = \"80 for 1\"", "pays = \"90 for 1\"");
    let mut file = tempfile::NamedTempFile::new().expect("a file can be made");
    file.write_all(newer.as_bytes()).expect("and written");
    let path = file.path().to_str().expect("its path is text");
    let stud =
        include_str!("../../../../samples/rounds.jsonl").lines().nth(2).expect("the third sample is stud");
    let record = stud.replace("megalink-stud-v9", "megalink-stud-v10");
    let output = megalink(&["settle", "--rulebook-file", path]).write_stdin(record).assert().success();
    let answer: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(answer["positions"][0]["areas"]["jackpot"]["paid"], 90_000);
}

#[test]
fn a_reading_changes_what_is_paid() {
    let record = include_str!("../../../../samples/rounds.jsonl")
        .lines()
        .next()
        .expect("there are samples")
        .replace("\"dealer\":[\"Qs\",\"9c\"]", "\"dealer\":[\"4c\",\"4d\"]");
    let bonus = |reading: &str| {
        let output =
            megalink(&["settle", "--reading", reading]).write_stdin(record.as_str()).assert().success();
        let answer: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
        answer["positions"][0]["areas"]["bonus"]["paid"].clone()
    };
    assert_eq!(bonus("bonus-follows=hole-cards"), 15_000);
    assert_eq!(bonus("bonus-follows=showdown"), 0);
}

#[test]
fn rules_are_shown_side_by_side_and_clause_by_clause() {
    insta::assert_snapshot!("rules", stdout(&["rules"]));
    let stud = stdout(&["rules", "mssp9"]);
    assert!(
        stud.contains("3.10.2.1") && stud.contains("Megalink Singapore Stud Poker, version 9 (MSSP9)"),
        "{stud}"
    );
    let readings = stdout(&["rules", "--readings", "MSSP9"]);
    assert!(readings.contains("declined-no-hand"), "{readings}");
}

#[test]
fn rules_as_json_list_every_clause_of_every_book() {
    let books: Value = serde_json::from_str(&stdout(&["rules", "--json"])).expect("JSON");
    let books = books.as_array().expect("a list of books");
    let clauses: Vec<usize> =
        books.iter().map(|book| book["clauses"].as_array().expect("clauses").len()).collect();
    assert_eq!(clauses, [113, 106, 107, 102]);
    for book in books {
        for clause in book["clauses"].as_array().expect("clauses") {
            let kind = clause["kind"].as_str().expect("a kind");
            let tests = clause["tests"].as_array().expect("tests");
            let proven = !matches!(kind, "decided" | "discretion") || !tests.is_empty();
            assert!(proven, "{} {} has no test", book["citation"], clause["number"]);
        }
    }
}

#[test]
fn completions_and_manual_are_written() {
    assert!(stdout(&["completions", "bash"]).contains("_megalink"));
    assert!(stdout(&["man"]).contains(".TH megalink"));
}

#[test]
fn the_lab_answers_in_exact_numbers() {
    let exact = |book: &str| -> Value {
        serde_json::from_str(&stdout(&["lab", "exact", book, "--json"])).expect("JSON")
    };
    let holdem = exact("megalink-holdem-v9");
    assert_eq!(holdem["deals"], "55627620048000");
    assert_eq!(holdem["base"]["net"]["numerator"], "-1133091156680");
    assert_eq!(holdem["decisions"]["fold"], serde_json::json!(["32o", "42o", "52o", "62o", "72o"]));
    assert_eq!(holdem["hole_cards"].as_array().map(Vec::len), Some(169));
    let stud = exact("megalink-stud-v9");
    assert_eq!(stud["base"]["net"]["numerator"], "-1036344990372");
    assert_eq!(stud["base"]["net"]["denominator"], "19933230517200");
    let what_if = stdout(&["lab", "exact", "MSSP9", "--set", "stud.bet.royal-flush=100 to 1", "--json"]);
    let what_if: Value = serde_json::from_str(&what_if).expect("JSON");
    assert_eq!(what_if["base"]["net"]["numerator"], "-1041372912372");
}

#[test]
fn the_lab_counts_anew_what_it_keeps() {
    let exact = |more: &[&str]| stdout(&[&["lab", "exact", "megalink-holdem-v9", "--json"], more].concat());
    assert_eq!(exact(&["--recount"]), exact(&[]));
}

#[test]
fn the_lab_prices_known_cards_and_rules() {
    let answer = |arguments: &[&str]| -> Value { serde_json::from_str(&stdout(arguments)).expect("JSON") };
    let known = answer(&["lab", "protect", "megalink-stud-v9", "--dealer", "2", "--json"]);
    assert_eq!(known["known"], serde_json::json!({"dealer": 2}));
    assert_eq!(known["deals"], known["net"]["denominator"]);
    assert_eq!(known["exact"], true);
    let shared =
        answer(&["lab", "collude", "megalink-stud-v9", "--players", "7", "--error", "0.02", "--json"]);
    assert_eq!((&shared["players"], &shared["exact"]), (&Value::from(7), &Value::from(false)));
    assert!(shared["half_width"].as_f64().is_some_and(|width| width <= 0.02));
    let rules = answer(&["lab", "strategy", "megalink-stud-v9", "--rules", "three-rules", "--json"]);
    assert_eq!(rules["rules"].as_array().map(Vec::len), Some(5));
    assert!(rules["cost"]["total"].as_f64().is_some_and(|cost| cost < 0.000_01));
    let advice = stdout(&[
        "lab",
        "advise",
        "megalink-holdem-v9",
        "Ks 7d",
        "--flop",
        "As 9d 2c",
        "--dealer",
        "Ah",
        "--dead",
        "Ac Kd",
    ]);
    assert!(advice.starts_with("Five odd cards: check"), "{advice}");
}

#[test]
fn the_lab_advises_in_any_notation() {
    for cards in ["As Kd", "AsKd", "A♠ K♦", "ace of spades, king of diamonds"] {
        let advice = stdout(&["lab", "advise", "megalink-holdem-v9", cards, "--flop", "2c 7d 10h"]);
        assert!(advice.starts_with("Five odd cards: make the Turn wager"), "{cards}: {advice}");
    }
    let stud = stdout(&["lab", "advise", "megalink-stud-v9", "--hand", "As Kd Qh 8c 2c", "--up", "Jc"]);
    assert!(stud.contains("fold; to bet would cost 0.003174 Antes"), "{stud}");
}

#[test]
fn the_lab_explains_a_bad_question() {
    let rows: [(&[&str], &str); 7] = [
        (&["lab", "exact", "moon"], "no rulebook \"moon\""),
        (&["lab", "advise", "megalink-holdem-v9", "As As"], "As"),
        (&["lab", "advise", "megalink-holdem-v9", "As Xd"], "X"),
        (&["lab", "advise", "megalink-holdem-v9", "As Kd", "--flop", "2c 7d"], "flop"),
        (&["lab", "exact", "MSSP9", "--set", "stud.bet.moon=1 to 1"], "moon"),
        (&["lab", "protect", "MTHB9", "--flop", "2"], "--dealer 1 with one of --flop 1"),
        (&["lab", "strategy", "MSSP9", "--rules", "moon"], "three-rules"),
    ];
    for (arguments, expected) in rows {
        let output = megalink(arguments).assert().code(2).get_output().stderr.clone();
        let text = String::from_utf8(output).expect("complaints are text");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn a_par_sheet_is_one_file_with_its_figures_beside_it() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let page = folder.path().join("par.html");
    let page_name = page.to_str().expect("its path is text");
    let key = folder.path().join("signing.key");
    let signer = journal::checkpoint::Signer::load_or_create(&key).expect("a key can be made");
    let key = key.to_str().expect("its path is text");
    let day = ["--date", "2026-11-16", "--simulated", "20k", "--signing-key", key];
    megalink(&[&["lab", "par", "megalink-stud-v9", "--out", page_name][..], &day].concat())
        .assert()
        .success();
    let html = std::fs::read_to_string(&page).expect("the page is there");
    assert!(
        html.contains("<svg") && !html.contains("http://") && !html.contains("https://"),
        "it needs nothing else"
    );
    let figures = std::fs::read_to_string(page.with_extension("json")).expect("its figures are there");
    assert!(serde_json::from_str::<Value>(&figures).is_ok());
    assert!(page.with_extension("csv").exists());
    assert!(html.contains("2026-11-16"));
    let pdf = std::fs::read(page.with_extension("pdf")).expect("the PDF is there");
    assert!(pdf.starts_with(b"%PDF-1.4"));
    // What was signed is checked, and a changed figure is found.
    let list = page.with_extension("signed.json");
    let public_key = journal::Hash(signer.public_key()).to_string();
    let check = [
        "lab",
        "par",
        "MSSP9",
        "--check",
        list.to_str().expect("its path is text"),
        "--public-key",
        &public_key,
    ];
    megalink(&check).assert().success();
    std::fs::write(page.with_extension("json"), figures.replacen('5', "6", 1))
        .expect("a file can be changed");
    let output = megalink(&check).assert().code(1).get_output().stdout.clone();
    let text = String::from_utf8(output).expect("answers are text");
    assert!(text.contains("par.json is not the file that was signed"), "{text}");
    // Nothing is written over, and what cannot be written is refused before anything is counted.
    let nowhere = folder.path().join("nowhere").join("par.html");
    for (out, reason) in [(&page, "is there already"), (&nowhere, "no such folder")] {
        let out = out.to_str().expect("its path is text");
        let refused = megalink(&["lab", "par", "MSSP9", "--out", out]).assert().code(2);
        let said = String::from_utf8(refused.get_output().stderr.clone()).expect("complaints are text");
        assert!(said.contains(reason), "{said}");
    }
}

/// The meter's future, two designs, and risk, each by its command.
#[test]
fn the_lab_looks_ahead() {
    let answer = |arguments: &[&str]| -> Value {
        serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).expect("JSON")
    };
    let forecast = answer(&[
        "lab",
        "forecast",
        "megalink-holdem-v9",
        "--linked",
        "megalink-stud-v9",
        "--mix",
        "1:80,5:20",
    ]);
    assert_eq!(forecast["rulebooks"], serde_json::json!(["megalink-holdem-v9", "megalink-stud-v9"]));
    assert_eq!(forecast["contribution_cents"], 360.0);
    assert_eq!(forecast["passes"].as_array().map(Vec::len), Some(5));
    let must_hit =
        stdout(&["lab", "forecast", "MSSP9", "--must-hit-by", "15000000", "--wagers-an-hour", "900"]);
    assert!(must_hit.contains("because it must be hit"), "{must_hit}");
    let designs = answer(&[
        "lab",
        "compare",
        "megalink-stud-v9",
        "--other",
        "stud.bet.flush=6 to 1",
        "--other",
        "reset=5000000",
    ]);
    assert_eq!(designs["tables"][0]["rows"][0]["figure"], "Hold of the Ante");
    let risk = answer(&[
        "lab",
        "risk",
        "megalink-stud-v9",
        "--rounds",
        "200",
        "--jackpot-wager",
        "500",
        "--bankroll",
        "77700",
    ]);
    assert!(
        risk["ruin"].as_array().is_some_and(|rows| rows.iter().any(|row| row["bankroll_cents"] == 77_700))
    );
    let refused = megalink(&["lab", "forecast", "MTHB9", "--linked", "THB6"])
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    assert!(String::from_utf8_lossy(&refused).contains("not the chances at the meter"));
}
