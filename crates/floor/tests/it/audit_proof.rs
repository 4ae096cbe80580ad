//! Proofs: made from a log, checked without it, and worthless once anything in them is changed.

use std::sync::OnceLock;

use floor::Library;
use floor::audit::proof::{About, check, export_award, export_round};
use floor::audit::{AuditError, Kind};
use proptest::prelude::*;
use serde_json::Value;

use crate::audit_support::{Database, a_day, given, sealed, unsealed};
use crate::support::chain;

fn day() -> &'static Database {
    static DAY: OnceLock<Database> = OnceLock::new();
    DAY.get_or_init(|| sealed(&given(&a_day())))
}

fn round(table: &str, number: u64) -> String {
    export_round(&mut day().reader(), &Library::embedded(), table, number).expect("a proof")
}

fn award(link: &str, number: u64) -> String {
    export_award(&mut day().reader(), &Library::embedded(), link, number).expect("a proof")
}

/// Whether a text is a proof of which nothing is wrong.
fn holds(text: &str) -> bool {
    let key = Some(day().signer.public_key());
    check(text, &Library::embedded(), key).is_ok_and(|checked| checked.is_well())
}

/// Every round that is over, of every table, can be taken out and checked.
#[test]
fn every_round_can_be_proved() {
    for (table, rounds) in
        [("H1", 5), ("H2", 3), ("S1", 3), ("S2", 3), ("T1", 2), ("T2", 3), ("X1", 4), ("X2", 3)]
    {
        for number in 1..=rounds {
            let text = round(table, number);
            let key = Some(day().signer.public_key());
            let checked = check(&text, &Library::embedded(), key).expect("a proof");
            let findings: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
            assert!(checked.is_well(), "{table} {number}: {findings:#?}");
            assert_eq!(checked.about, About::Round { table: table.to_owned(), number });
            assert!(1 <= checked.counts.settlements, "{table} {number}");
            let software = table.ends_with('2');
            assert_eq!(checked.counts.shuffles, u64::from(software), "{table} {number}");
        }
    }
}

/// Awards with what became of them: paid, rejected, taken back with nothing, still open.
#[test]
fn every_award_can_be_proved() {
    for (link, awards) in [("mega", 4), ("six", 1)] {
        for number in 1..=awards {
            let text = award(link, number);
            let key = Some(day().signer.public_key());
            let checked = check(&text, &Library::embedded(), key).expect("a proof");
            let findings: Vec<String> = checked.findings.iter().map(ToString::to_string).collect();
            assert!(checked.is_well(), "{link} {number}: {findings:#?}");
            assert!(1 <= checked.counts.awards, "{link} {number}");
        }
    }
}

/// The fuzzer starts from proofs that hold. `UPDATE=1` writes new ones: a rulebook's text or a form may have changed.
#[test]
fn the_fuzzers_samples_hold() {
    let samples = [
        ("award", award("mega", 1)),
        ("holdem-round", round("H2", 1)),
        ("progressive-round", round("T2", 1)),
        ("stud-round", round("S2", 1)),
    ];
    for (name, text) in samples {
        let file = format!("../simtest/corpus/proofs/{name}.json");
        let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &text).expect("it can be written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let checked = check(&committed, &Library::embedded(), None);
        let is_well = checked.is_ok_and(|checked| checked.is_well());
        assert!(is_well, "{}: run this test with UPDATE=1 and look at the change", path.display());
    }
}

/// The entries between are digests: a proof says nothing of other rounds, but which salts its Players went on from.
#[test]
fn a_proof_keeps_other_rounds_to_itself() {
    let chain = chain("X2", "Ann", 0);
    let link = |at: usize| chain[chain.len() - 1 - at].to_string();
    for (number, known) in [(1, 0..0), (3, 0..1), (4, 0..2), (5, 1..4), (6, 3..5), (7, 4..5)] {
        let text = round("X2", number);
        let here: Vec<usize> = (0..8).filter(|at| text.contains(&link(*at))).collect();
        assert_eq!(here, known.collect::<Vec<usize>>(), "round {number}");
    }
}

#[test]
fn another_house_signs_nothing_of_this_one() {
    let text = award("mega", 1);
    let checked = check(&text, &Library::embedded(), Some([5; 32])).expect("a proof");
    assert!(checked.findings.iter().any(|finding| finding.kind == Kind::Checkpoint));
    let unknown = check(&text, &Library::embedded(), None).expect("a proof");
    assert!(
        unknown.is_well() && unknown.notes.iter().any(|note| note.contains("compare")),
        "{:?}",
        unknown.notes
    );
}

#[test]
fn what_is_not_sealed_or_not_over_is_not_proved() {
    let database = unsealed(&given(&a_day()));
    let library = Library::embedded();
    let error = export_round(&mut database.reader(), &library, "H1", 1).expect_err("nothing is sealed");
    assert!(matches!(error, AuditError::NotSealed(_)), "{error}");
    let error = export_round(&mut day().reader(), &library, "H2", 4).expect_err("it is being played");
    assert!(error.to_string().contains("is not over"), "{error}");
    let error = export_round(&mut day().reader(), &library, "H9", 1).expect_err("there is none");
    assert!(error.to_string().contains("there is no table \"H9\" in this log; there are H1, H2"), "{error}");
    let error = export_award(&mut day().reader(), &library, "mega", 77).expect_err("there is none");
    assert!(error.to_string().contains("its last is award"), "{error}");
}

/// A proof with every one of its values changed in turn.
#[test]
fn every_value_of_a_proof_matters() {
    let text = award("mega", 1);
    let lines: Vec<&str> = text.lines().collect();
    let mut values = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some((before, value, after)) = value_of(line) else { continue };
        values += 1;
        let others = match &value {
            Value::String(text) => vec![another(text).into(), text.to_ascii_uppercase().into()],
            Value::Number(number) => vec![Value::from(number.as_u64().expect("a count") + 1)],
            other => panic!("line {at}: {other}"),
        };
        for other in others.into_iter().filter(|other| *other != value) {
            let changed = format!("{before}{other}{after}");
            assert!(
                !holds(&with_lines(&lines[..at], &[&changed], &lines[at + 1..])),
                "can be changed: {line}"
            );
        }
    }
    assert!(100 < values);
}

/// The value on a line of a proof, with what stands before and after it. Nothing else is written in the order of a proof's
/// fields, and a text in any other order is refused before it is looked at.
fn value_of(line: &str) -> Option<(&str, Value, &str)> {
    let (line, after) = line.strip_suffix(',').map_or((line, ""), |line| (line, ","));
    let start = line.len() - line.trim_start().len();
    let named = line.find("\": ").map(|at| at + 3);
    [Some(start), named].into_iter().flatten().find_map(|at| {
        let value: Value = serde_json::from_str(&line[at..]).ok()?;
        (value.is_string() || value.is_number()).then_some((&line[..at], value, after))
    })
}

fn with_lines(before: &[&str], between: &[&str], after: &[&str]) -> String {
    [before, between, after].concat().join("\n") + "\n"
}

/// Something else of the same length, as far as it goes.
fn another(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    match letters.last_mut() {
        Some(last) => *last = if *last == '1' { '2' } else { '1' },
        None => letters.push('1'),
    }
    letters.into_iter().collect()
}

/// Every list of a proof with each of its items left out, each given twice, and the list turned round.
#[test]
fn every_item_of_a_proof_matters() {
    let text = round("H1", 5);
    assert!(holds(&text));
    let lines: Vec<&str> = text.lines().collect();
    for list in ["segments", "checkpoints", "rulebooks"] {
        let start = lines.iter().position(|line| *line == format!("  \"{list}\": [")).expect("a list") + 1;
        let count = lines[start..].iter().position(|line| line.starts_with("  ]")).expect("its end");
        let items = items(&lines[start..start + count]);
        let written =
            |items: &[String]| with_lines(&lines[..start], &[&items.join(",\n")], &lines[start + count..]);
        assert_eq!(written(&items), text, "{list}");
        for at in 0..items.len() {
            let (mut without, mut twice) = (items.clone(), items.clone());
            without.remove(at);
            twice.insert(at, items[at].clone());
            assert!(!holds(&written(&without)), "{list}/{at} left out");
            assert!(!holds(&written(&twice)), "{list}/{at} twice");
        }
        let turned: Vec<String> = items.iter().rev().cloned().collect();
        assert!(turned == items || !holds(&written(&turned)), "{list} turned round");
    }
}

/// The items of a list, each with its lines.
fn items(lines: &[&str]) -> Vec<String> {
    let begins =
        |line: &str| line.starts_with("    ") && !line.starts_with("     ") && !line.starts_with("    }");
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match items.last_mut() {
            Some(item) if !begins(line) => *item = format!("{item}\n{line}"),
            _ => items.push((*line).to_owned()),
        }
    }
    items.into_iter().map(|item| item.strip_suffix(',').map_or(item.clone(), str::to_owned)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// One byte changed anywhere makes it worthless.
    #[test]
    fn any_byte_of_a_proof_matters(at in any::<prop::sample::Index>(), bit in 0..7_u8, which in 0..3_usize) {
        static TEXTS: OnceLock<[String; 3]> = OnceLock::new();
        let texts = TEXTS.get_or_init(|| [round("T2", 3), award("mega", 2), round("S1", 3)]);
        let mut bytes = texts[which].clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(text) = String::from_utf8(bytes) {
            prop_assert!(!holds(&text), "byte {at} can be changed unseen");
        }
    }
}
