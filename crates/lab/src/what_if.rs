//! A book, a meter or a wager changed, and asked about again.
//!
//! A change is a key and a value. Keys address figures of the book as its file has them:
//!
//! | key | what it changes |
//! |---|---|
//! | `stud.bet.royal-flush` | what a Bet is paid |
//! | `stud.ante`, `holdem.ante`, `holdem.flop`, `holdem.ante_pays_from` | a figure by its name |
//! | `times_ante.flop` | how many Antes a wager is |
//! | `holdem.bonus.AKs` | the Bonus of a class of hole cards; `holdem.bonus.AA.AA` against a dealer's |
//! | `jackpot.lines.flush` | a line of the jackpot; `jackpot.lines.royal-flush.hole-to-turn` where lines differ by cards |
//! | `readings.bonus-follows` | a reading |
//! | `ante`, `jackpot-wager`, `meter` | the question, in cents |
//! | `contribution`, `reset` | the link: basis points of a wager, cents |
//!
//! `none` takes a line of the Bonus or of the jackpot away, and a line that is not there is added. The changed book is
//! parsed again from the start, so one that contradicts itself is refused with the key and the reason.

mod figure;
mod line;

use std::str::FromStr;

use rulebook::{BookError, Rulebook};
use toml::{Table, Value};

use crate::exact::Question;

/// A key and its new value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// What is changed.
    pub key: String,
    /// What it becomes.
    pub value: String,
}

impl FromStr for Change {
    type Err = WhatIfError;

    /// Reads `KEY=VALUE`; the value may stand in quotes.
    fn from_str(text: &str) -> Result<Change, WhatIfError> {
        let Some((key, value)) = text.split_once('=') else {
            return Err(WhatIfError::NoPair(text.to_owned()));
        };
        let value = value.trim();
        let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
        Ok(Change { key: key.trim().to_owned(), value: bare.to_owned() })
    }
}

/// Why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    /// Not a key and a value.
    #[error("{0:?}: write a change as KEY=VALUE, such as stud.bet.royal-flush=\"100 to 1\"")]
    NoPair(String),
    /// A file of changes that is no TOML.
    #[error("{0}")]
    NoToml(String),
    /// A key that addresses nothing.
    #[error("{key}: no such figure; {known}")]
    Unknown {
        key: String,
        /// What there is instead.
        known: String,
    },
    /// A value that does not fit the key.
    #[error("{key} = {value:?}: {reason}")]
    Value {
        key: String,
        value: String,
        /// What would fit.
        reason: String,
    },
    /// The book itself was not taken, changed or not.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The book was taken before the change and not after it.
    #[error("{key} = {value:?} is refused: {error}")]
    Refused {
        key: String,
        value: String,
        /// What the book said.
        error: BookError,
    },
}

/// What a link is set to, where it is named: the rulebooks leave it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// How much of a jackpot wager feeds the meter, in ten-thousandths.
    pub contribution_basis_points: Option<u64>,
    /// What the meter restarts from, in cents.
    pub reset_cents: Option<u64>,
}

/// A book and a question with changes made.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub book: Rulebook,
    pub question: Question,
    pub link: Link,
}

/// The changes a TOML file lists: nested tables are keys with dots.
pub fn read(text: &str) -> Result<Vec<Change>, WhatIfError> {
    let table: Table = toml::from_str(text).map_err(|error| WhatIfError::NoToml(error.to_string()))?;
    let mut changes = Vec::new();
    flatten("", &table, &mut changes);
    Ok(changes)
}

fn flatten(prefix: &str, table: &Table, changes: &mut Vec<Change>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, changes),
            Value::String(text) => changes.push(Change { key, value: text.clone() }),
            other => changes.push(Change { key, value: other.to_string() }),
        }
    }
}

/// The text of a book with its figures changed. Refused where a key addresses nothing.
pub fn apply(text: &str, changes: &[Change]) -> Result<String, WhatIfError> {
    let mut book: Table = toml::from_str(text).map_err(|error| WhatIfError::NoToml(error.to_string()))?;
    for change in changes {
        figure::change(&mut book, change)?;
    }
    toml::to_string(&book).map_err(|error| WhatIfError::NoToml(error.to_string()))
}

/// A book read with some readings and with changes made, and the question with those that concern it. `file` names the
/// book in errors.
pub fn scenario(
    file: &str,
    text: &str,
    readings: &[(&str, &str)],
    changes: &[Change],
    question: Question,
) -> Result<Scenario, WhatIfError> {
    let mut question = question;
    let mut link = Link::default();
    let mut figures = Vec::new();
    for change in changes {
        if !outside_the_book(change, &mut question, &mut link)? {
            figures.push(change.clone());
        }
    }
    let book = if figures.is_empty() {
        Rulebook::parse_with(file, text, readings)?
    } else {
        parse_changed(file, text, readings, &figures)?
    };
    Ok(Scenario { book, question, link })
}

fn parse_changed(
    file: &str,
    text: &str,
    readings: &[(&str, &str)],
    changes: &[Change],
) -> Result<Rulebook, WhatIfError> {
    let parse = |changes: &[Change]| -> Result<Result<Rulebook, BookError>, WhatIfError> {
        Ok(Rulebook::parse_with(file, &apply(text, changes)?, readings))
    };
    let error = match parse(changes)? {
        Ok(book) => return Ok(book),
        Err(error) => error,
    };
    Rulebook::parse_with(file, text, readings)?;
    // The first change after which the book is not taken.
    let mut culprit = (changes.len() - 1, error);
    for made in 1..changes.len() {
        if let Err(error) = parse(&changes[..made])? {
            culprit = (made - 1, error);
            break;
        }
    }
    let (place, mut error) = culprit;
    if error.key.starts_with("line ") {
        // The line number is one of the changed text, which the reader has not seen.
        error.key.clone_from(&changes[place].key);
    }
    let Change { key, value } = changes[place].clone();
    Err(WhatIfError::Refused { key, value, error })
}

/// Takes a change that concerns the question or the link; false if it concerns the book.
fn outside_the_book(change: &Change, question: &mut Question, link: &mut Link) -> Result<bool, WhatIfError> {
    let number = || {
        change.value.replace(['_', ','], "").parse::<u64>().map_err(|_| WhatIfError::Value {
            key: change.key.clone(),
            value: change.value.clone(),
            reason: "write a whole number, of cents or for a contribution of basis points".to_owned(),
        })
    };
    match change.key.as_str() {
        "ante" => question.ante_cents = number()?,
        "jackpot-wager" => question.jackpot_wager_cents = number()?,
        "meter" => question.meter_cents = Some(number()?),
        "contribution" => link.contribution_basis_points = Some(number()?),
        "reset" => link.reset_cents = Some(number()?),
        _ => return Ok(false),
    }
    Ok(true)
}
