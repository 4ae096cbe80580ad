//! Proofs: made from a log, checked without it, and worthless once anything in them is changed.

use std::sync::OnceLock;

use floor::Library;
use floor::audit::proof::{About, check, export_award, export_round};
use floor::audit::{AuditError, Kind};
use proptest::prelude::*;
use serde_json::Value;

use crate::audit_support::{Database, a_day, given, sealed, unsealed};

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

/// The entries between are digests: a proof says nothing of other rounds.
#[test]
fn a_proof_keeps_other_rounds_to_itself() {
    let text = round("T2", 3);
    assert!(text.contains("pepper"), "its own salt is in it");
    let other = round("T2", 1);
    assert!(!other.contains("pepper"), "the salt of another round is not");
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

/// Every text of a proof with every one of its values changed in turn.
#[test]
fn every_value_of_a_proof_matters() {
    let text = award("mega", 1);
    let proof: Value = serde_json::from_str(&text).expect("JSON");
    let mut places = Vec::new();
    leaves(&proof, String::new(), &mut places);
    assert!(100 < places.len());
    for place in places {
        let value = proof.pointer(&place).expect("a place of the proof");
        let others = match value {
            Value::String(text) => vec![another(text).into(), text.to_ascii_uppercase().into()],
            Value::Number(number) => vec![Value::from(number.as_u64().expect("a count") + 1)],
            other => panic!("{place}: {other}"),
        };
        for other in others.into_iter().filter(|other| other != value) {
            let mut changed = proof.clone();
            *changed.pointer_mut(&place).expect("a place of the proof") = other;
            let changed = serde_json::to_string_pretty(&changed).expect("JSON") + "\n";
            assert!(!holds(&changed), "{place} can be changed unseen");
        }
    }
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

fn leaves(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(value, format!("{place}/{name}"), places));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| leaves(value, format!("{place}/{at}"), places));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => places.push(place),
    }
}

/// Every list of a proof with each of its items left out, and each given twice.
#[test]
fn every_item_of_a_proof_matters() {
    let text = round("H1", 5);
    let proof: Value = serde_json::from_str(&text).expect("JSON");
    for list in ["/segments", "/checkpoints", "/rulebooks"] {
        let count = proof.pointer(list).and_then(Value::as_array).expect("a list").len();
        for at in 0..count {
            for twice in [false, true] {
                let mut changed = proof.clone();
                let items = changed.pointer_mut(list).and_then(Value::as_array_mut).expect("a list");
                let item = items.remove(at);
                if twice {
                    items.insert(at, item.clone());
                    items.insert(at, item);
                }
                let changed = serde_json::to_string_pretty(&changed).expect("JSON") + "\n";
                assert!(!holds(&changed), "{list}/{at}, twice: {twice}");
            }
        }
    }
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
