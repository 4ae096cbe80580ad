//! The command line as a process: its arguments, and the file that it reads. Whatever they are, it must exit by itself
//! with a proper status.

use std::fs;
use std::process::{Command, Stdio};

use super::decoders::{Checked, Outcome};
use super::mutate::line_and_body;
use super::samples;
use crate::blackbox::program;

/// The arguments, and the kind of file. The rest of a sample is the content of a file named `input`, which is also its
/// standard input.
const ARGUMENTS: [(&str, Kind); 9] = [
    ("settle -", Kind::Records),
    ("settle --table input", Kind::Records),
    ("settle --reading odd-cents=stay-in-meter input", Kind::Records),
    ("rules --json --rulebook-file input MSSP9", Kind::Book),
    ("rules --readings --rulebook-file input", Kind::Book),
    ("audit verify input", Kind::Proof),
    ("audit verify --json input", Kind::Proof),
    ("config check --config input", Kind::Config),
    ("config show --json --config input", Kind::Config),
];

#[derive(Clone, Copy)]
enum Kind {
    Records,
    Book,
    Proof,
    Config,
}

/// The commands to run: none that serves, takes long or writes.
const COMMANDS: [&str; 4] = ["settle", "rules", "audit", "config"];

/// Whole files: the start of a process takes longer than reading them, and many of their words can change.
pub(super) fn samples() -> Vec<Vec<u8>> {
    let file = |kind| match kind {
        Kind::Records => samples::files(&["samples/rounds.jsonl"]).concat(),
        Kind::Book => rulebook::embedded_texts().next().map_or_else(Vec::new, |(_, text)| text.into()),
        Kind::Proof => samples::files(&["crates/simtest/corpus/proofs/award.json"]).concat(),
        Kind::Config => server::config::EXAMPLE.into(),
    };
    ARGUMENTS.iter().map(|(line, kind)| [line.as_bytes(), &file(*kind)].join(&b'\n')).collect()
}

/// Runs it in a folder of its own.
pub(super) fn command_line(input: &[u8]) -> Checked {
    let (line, file) = line_and_body(input);
    let line = String::from_utf8_lossy(line).replace('\0', "");
    let words: Vec<&str> = line.split_whitespace().collect();
    // Nothing outside its folder may be read or written.
    if !words.first().is_some_and(|word| COMMANDS.contains(word)) || line.contains(['/', '~']) {
        return Ok(Outcome::Refused);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("input");
    fs::write(&path, file).map_err(|error| error.to_string())?;
    let standard_input = fs::File::open(&path).map_err(|error| error.to_string())?;
    let output = Command::new(program())
        .args(&words)
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("XDG_CONFIG_HOME", folder.path())
        .stdin(Stdio::from(standard_input))
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0) => Ok(Outcome::Accepted),
        Some(1 | 2) => Ok(Outcome::Refused),
        _ => Err(format!("{} to {line:?}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}
