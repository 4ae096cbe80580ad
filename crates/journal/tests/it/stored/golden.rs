//! The golden files: one for each kind of body, one for commands and one for transfers; one line for each sample. From
//! version 0.2.0 on a line is never edited. A new variant, or a field that may be missing, adds a sample at the end of its
//! list, and so a line somewhere in the file; the other lines stay as they are.
//!
//! `MEGALINK_WRITE_GOLDEN=1 cargo test -p journal --test it golden` writes the files from the samples. Review the
//! difference: it may add lines and nothing else.

use std::fs;
use std::path::PathBuf;

use journal::{Account, Body, Code, command_from_text, decode, transfers_from_text, transfers_text};

use super::leaves::Leaves;
use super::samples;
use super::{check, check_command};
use crate::suite::{transfer, wagers, wallet};

/// Set to write the golden files instead of comparing them.
const WRITE: &str = "MEGALINK_WRITE_GOLDEN";

/// The file of the samples of commands.
const COMMANDS: &str = "command.v1.jsonl";

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect()
}

/// The lines of a golden file.
fn lines(name: &str) -> Vec<String> {
    let path = path(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(str::to_owned).collect()
}

/// Checks that a golden file has exactly these lines.
fn check_lines(name: &str, written: &[String]) {
    if std::env::var_os(WRITE).is_some() {
        fs::write(path(name), written.join("\n") + "\n").expect("golden files can be written");
    }
    let golden = lines(name);
    for (place, line) in written.iter().enumerate() {
        assert_eq!(golden.get(place), Some(line), "{name}, line {}", place + 1);
    }
    assert_eq!(golden.len(), written.len(), "{name} has lines that no sample is written as");
}

#[test]
fn events_are_stored_as_before() {
    for (kind, events) in samples::by_kind(&mut Leaves::Plain) {
        let bodies: Vec<Body> = events.iter().map(check).collect();
        assert!(bodies.iter().all(|body| body.kind == kind), "{kind}");
        let written: Vec<String> = bodies.into_iter().map(|body| body.json).collect();
        check_lines(&format!("{kind}.jsonl"), &written);
    }
}

#[test]
fn commands_are_stored_as_before() {
    let commands = samples::floor_commands(&mut Leaves::Plain);
    let written: Vec<String> = commands.iter().map(check_command).collect();
    check_lines(COMMANDS, &written);
    for (line, command) in lines(COMMANDS).iter().zip(commands) {
        assert_eq!(command_from_text(line), Ok(command), "{line}");
    }
}

#[test]
fn every_golden_event_is_read() {
    if std::env::var_os(WRITE).is_some() {
        return;
    }
    for (kind, events) in samples::by_kind(&mut Leaves::Plain) {
        for (json, event) in lines(&format!("{kind}.jsonl")).into_iter().zip(events) {
            let body = Body { kind: kind.to_owned(), json };
            assert_eq!(decode(&body), Ok(event), "{}", body.json);
        }
    }
}

#[test]
fn transfers_are_stored_as_before() {
    let samples = samples::transfers(&mut Leaves::Plain);
    let written: Vec<String> = samples.iter().map(|transfers| transfers_text(transfers)).collect();
    check_lines("transfers.jsonl", &written);
    for (line, transfers) in lines("transfers.jsonl").iter().zip(samples) {
        assert_eq!(transfers_from_text(line), Ok(transfers), "{line}");
    }
    assert_eq!(transfers_text(&[]), "");
    assert_eq!(transfers_from_text(""), Ok(Vec::new()));
}

/// Names are written as JSON writes them, whatever is in them.
#[test]
fn transfers_of_odd_names_are_json() {
    for name in ["anna", "a\"b", "back\\slash", "line\nend", "\u{7f}", "\u{1}", "Zo\u{eb}", "\u{1f0a1}"] {
        let moved = [
            transfer(Code::Wager, wallet(name), wagers(name), 25),
            transfer(Code::Paid, Account::House, wallet(name), 1),
        ];
        let (wallet, wagers) = (format!("wallet/{name}"), format!("table/{name}"));
        let json = serde_json::json!([["wager", wallet, wagers, 250_000], ["paid", "house", wallet, 10_000]]);
        assert_eq!(transfers_text(&moved), json.to_string());
        assert_eq!(transfers_from_text(&transfers_text(&moved)), Ok(moved.to_vec()));
    }
}
