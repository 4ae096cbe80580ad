//! The golden files: one a kind, one line a sample. A line is never edited. A new variant, or a field that may be missing,
//! adds lines at the end of its list of samples, and so somewhere in the file; what stood there before stays as it was.

use std::fs;
use std::path::PathBuf;

use journal::{Body, decode, transfers_from_text, transfers_text};

use super::check;
use super::leaves::Leaves;
use super::samples;

/// The lines of a golden file.
fn lines(name: &str) -> Vec<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// Checks that a golden file has exactly these lines.
fn check_lines(name: &str, written: &[String]) {
    let golden = lines(name);
    for (place, line) in written.iter().enumerate() {
        assert_eq!(golden.get(place), Some(line), "{name}, line {}", place + 1);
    }
    assert_eq!(golden.len(), written.len(), "{name} has lines that no sample is written as");
}

#[test]
fn events_are_stored_as_they_ever_were() {
    for (kind, events) in samples::by_kind(&mut Leaves::Plain) {
        let bodies: Vec<Body> = events.iter().map(check).collect();
        assert!(bodies.iter().all(|body| body.kind == kind), "{kind}");
        let written: Vec<String> = bodies.into_iter().map(|body| body.json).collect();
        check_lines(&format!("{kind}.jsonl"), &written);
    }
}

#[test]
fn what_was_stored_is_read_for_ever() {
    for (kind, events) in samples::by_kind(&mut Leaves::Plain) {
        for (json, event) in lines(&format!("{kind}.jsonl")).into_iter().zip(events) {
            let body = Body { kind: kind.to_owned(), json };
            assert_eq!(decode(&body), Ok(event), "{}", body.json);
        }
    }
}

#[test]
fn transfers_are_stored_as_they_ever_were() {
    let samples = samples::transfers(&mut Leaves::Plain);
    let written: Vec<String> = samples.iter().map(|transfers| transfers_text(transfers)).collect();
    check_lines("transfers.jsonl", &written);
    for (line, transfers) in lines("transfers.jsonl").iter().zip(samples) {
        assert_eq!(transfers_from_text(line), Ok(transfers), "{line}");
    }
    assert_eq!(transfers_text(&[]), "");
    assert_eq!(transfers_from_text(""), Ok(Vec::new()));
}
