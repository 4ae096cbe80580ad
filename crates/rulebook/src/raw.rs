//! A book as written in its file, not yet checked.

use std::collections::BTreeMap;

use cards::HandOrder;
use serde::Deserialize;

use crate::book::Viewing;
use crate::clause::{ClauseEntry, Rule};
use crate::dealing::{Device, Step};
use crate::error::BookError;
use crate::game::{WrittenHoldem, WrittenStud};
use crate::jackpot::{AfterFold, JackpotCards, Pays};
use crate::table::{Means, PlayingArea};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Book {
    pub(crate) id: String,
    pub(crate) citation: String,
    pub(crate) title: String,
    pub(crate) version: u16,
    pub(crate) in_force: String,
    pub(crate) one_hand_to_view: Viewing,
    pub(crate) layouts: BTreeMap<String, [u8; 2]>,
    pub(crate) dealing: Vec<Dealing>,
    pub(crate) times_ante: BTreeMap<PlayingArea, u8>,
    pub(crate) holdem: Option<WrittenHoldem>,
    pub(crate) stud: Option<WrittenStud>,
    pub(crate) jackpot: Jackpot,
    pub(crate) readings: BTreeMap<String, ReadingText>,
    pub(crate) clauses: Vec<ClauseEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dealing {
    pub(crate) name: String,
    pub(crate) device: Device,
    pub(crate) clause: Rule,
    #[serde(default = "once")]
    pub(crate) repeat: u8,
    pub(crate) steps: Vec<Step>,
}

const fn once() -> u8 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Jackpot {
    pub(crate) multiples: [u8; 2],
    pub(crate) means: Vec<Means>,
    pub(crate) after_fold: AfterFold,
    pub(crate) linked_games: bool,
    pub(crate) royal_last: Rule,
    pub(crate) straight_flushes_share: Option<Rule>,
    pub(crate) royal_flushes_share: Option<Rule>,
    pub(crate) lines: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(crate) hand: HandOrder,
    pub(crate) cards: JackpotCards,
    pub(crate) pays: Pays,
    pub(crate) clause: Rule,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadingText {
    pub(crate) value: String,
    pub(crate) clause: Rule,
    pub(crate) question: String,
    pub(crate) reason: String,
}

/// Parses the text, or says in which line parsing failed.
pub(crate) fn read(file: &str, text: &str) -> Result<Book, BookError> {
    parsed(file, text)
}

/// The same, as any type.
pub(crate) fn parsed<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, BookError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).unwrap_or("").lines().count().max(1);
        let key = key_at(text, start);
        BookError {
            file: file.to_owned(),
            key: format!("line {line}{key}"),
            reason: error.message().to_owned(),
        }
    })
}

/// The key on the line where parsing failed, if there is one.
fn key_at(text: &str, start: usize) -> String {
    let begin = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |place| place + 1);
    let line = text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or("");
    line.split_once('=').map_or_else(String::new, |(key, _)| format!(", {}", key.trim()))
}
