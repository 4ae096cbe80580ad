//! Rulebook files. Inputs are made from short books: the same figures and readings, one letter instead of each
//! sentence, and only the clauses that a book must have.

use record::{Books, Record};
use rulebook::Rulebook;

use super::decoders::{Checked, Outcome, same, settles};
use super::mutate::dice_for_text;

/// How many recorded rounds are played by a book that is accepted.
const ROUNDS: usize = 3;

/// A rulebook: a book that is accepted can be played with any change in it. Its text decides which rounds are played.
pub(super) fn book(played: &[Vec<u8>], input: &[u8]) -> Checked {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(Outcome::Refused);
    };
    let Ok(book) = Rulebook::parse("fuzzed.toml", text) else {
        return Ok(Outcome::Refused);
    };
    same("a rulebook", &Ok(book.clone()), &Rulebook::parse("fuzzed.toml", text))?;
    let id = book.id.clone();
    let books = Books::new(vec![book]);
    let mut dice = dice_for_text(input);
    for _ in 0..ROUNDS {
        let line = played.get(dice.index(played.len())).ok_or("no recorded rounds")?;
        let mut record: Record<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        record.rulebook = id.as_str().into();
        settles(&books, &record)?;
    }
    Ok(Outcome::Accepted)
}

/// The embedded books, as short as a valid book can be.
pub(super) fn samples() -> Vec<Vec<u8>> {
    rulebook::embedded_texts().map(|(_, text)| short(text).into_bytes()).collect()
}

fn short(text: &str) -> String {
    let without_words = |line: &str| match line.split_once(" = ") {
        Some((key @ ("gist" | "why" | "question" | "reason"), _)) => format!("{key} = \"x\"\n"),
        _ => format!("{line}\n"),
    };
    let kept = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let text: String = kept.map(without_words).collect();
    let mut parts: Vec<&str> = text.split_inclusive("\n[[clauses]]").collect();
    // The first part is everything before the clauses. Each other part is one clause.
    for at in (1..parts.len()).rev() {
        let clause = parts.remove(at);
        if Rulebook::parse("short.toml", &joined(&parts)).is_err() {
            parts.insert(at, clause);
        }
    }
    joined(&parts)
}

/// Joins parts that each end with the heading of the next; the heading after the last is removed.
fn joined(parts: &[&str]) -> String {
    let text = parts.concat();
    text.strip_suffix("\n[[clauses]]").map_or_else(|| text.clone(), |text| format!("{text}\n"))
}
