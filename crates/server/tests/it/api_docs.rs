//! The description of the API, as it is committed: a change shows in review.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// `UPDATE=1` writes it anew.
#[test]
fn the_description_is_the_committed_one() {
    let text = server::description().to_pretty_json().expect("a description has a JSON form") + "\n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/openapi.json is not what the code says; run with UPDATE=1 and look at the change"
    );
}

/// Every answer has its statuses listed, and every operation a tag, a summary and a name of its own.
#[test]
fn every_operation_is_described() {
    let description = serde_json::to_value(server::description()).expect("JSON");
    let mut names = BTreeSet::new();
    for (path, item) in description["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            assert!(
                operation["summary"].is_string() || operation["description"].is_string(),
                "{method} {path}"
            );
            assert!(operation["tags"][0].is_string(), "{method} {path}");
            assert!(names.insert(operation["operationId"].to_string()), "{method} {path}: its name is taken");
            let responses = operation["responses"].as_object().expect("responses");
            if path.starts_with("/api/") {
                assert!(responses.contains_key("429") && responses.contains_key("503"), "{method} {path}");
            }
        }
    }
}
