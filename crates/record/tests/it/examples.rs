//! The examples of docs/records.md: each is settled, and must end as the page says.

use serde_json::Value;

use crate::answers;

const PAGE: &str = include_str!("../../../../docs/records.md");

/// The blocks of the page that have this language, with the text between them left out.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut blocks = Vec::new();
    let mut rest = PAGE;
    while let Some((_, from)) = rest.split_once("```") {
        let (block, after) = from.split_once("```").expect("a block ends");
        blocks.push(block.split_once('\n').expect("a block begins with its language"));
        rest = after;
    }
    blocks
}

/// Puts the fields of an example into the round of the page.
fn changed(round: &Value, example: &Value) -> Value {
    let mut record = round.clone();
    for (name, value) in example.as_object().expect("an example is an object") {
        let (Value::Array(seats), "positions") = (value, name.as_str()) else {
            record[name] = value.clone();
            continue;
        };
        for (place, fields) in seats.iter().enumerate() {
            for (field, value) in fields.as_object().expect("a position is an object") {
                let seat = record["positions"][place].as_object_mut().expect("a position is an object");
                match value {
                    Value::Null => drop(seat.remove(field)),
                    value => drop(seat.insert(field.clone(), value.clone())),
                }
            }
        }
    }
    record
}

/// What became of the Antes, in the words of the page.
fn ending(answer: &Value) -> String {
    if let Some(error) = answer["error"].as_str() {
        let clause = error.rsplit_once('(').map_or(error, |(_, clause)| clause.trim_end_matches(')'));
        return format!("error {clause}");
    }
    let ante = |seat: &Value| {
        let ante = &seat["areas"]["ante"];
        let text = |field: &str| ante[field].as_str().expect("text").to_owned();
        (seat["position"].clone(), text("outcome"), text("clause"))
    };
    let antes: Vec<_> = answer["positions"].as_array().expect("positions").iter().map(ante).collect();
    if answer["round"] == "void" {
        return format!("void {}", antes[0].2);
    }
    let antes: Vec<String> =
        antes.iter().map(|(position, outcome, clause)| format!("{position} {outcome} {clause}")).collect();
    antes.join(", ")
}

#[test]
fn every_example_ends_as_the_page_says() {
    let blocks = blocks();
    let pairs: Vec<(&str, &str)> = blocks
        .windows(2)
        .filter(|pair| pair[0].0 == "json" && pair[1].0 == "text")
        .map(|pair| (pair[0].1, pair[1].1))
        .collect();
    let round: Value = serde_json::from_str(pairs[0].0).expect("the round is JSON");
    for (example, expected) in &pairs {
        let example: Value =
            serde_json::from_str(example).unwrap_or_else(|error| panic!("{error}: {example}"));
        let record = changed(&round, &example);
        let answer = answers(&record.to_string()).remove(0);
        assert_eq!(ending(&answer), expected.trim(), "{record}\n{answer}");
    }
    assert_eq!(pairs.len(), 18, "an example was added or is not read");
}

/// Every kind of irregularity has a place on the page.
#[test]
fn every_kind_is_on_the_page() {
    let unknown = r#"{"id":"x","rulebook":"megalink-stud-v9","table":{"positions":6,"limits":{"ante":[1,2]}},"jackpot":null,
        "positions":[],"dealer":[],"irregularities":[{"kind":"unknown"}]}"#
        .replace('\n', " ");
    let answer = answers(&unknown).remove(0);
    let error = answer["error"].as_str().expect("there is no such kind").to_owned();
    let kinds: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
    assert!(15 < kinds.len(), "{error}");
    for kind in kinds {
        assert!(PAGE.contains(&format!("**`{kind}`**")), "{kind} is not on the page");
    }
}
