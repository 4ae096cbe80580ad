//! One figure of a book's file.

use toml::{Table, Value};

use super::{Change, WhatIfError, line};
use crate::game::SECTIONS;

/// Makes a change in a book as its file has it.
pub(super) fn change(book: &mut Table, change: &Change) -> Result<(), WhatIfError> {
    let parts: Vec<&str> = change.key.split('.').collect();
    match parts[..] {
        ["holdem", "bonus", class] if has(book, "holdem") => line::bonus(book, change, class, None),
        ["holdem", "bonus", class, dealer] if has(book, "holdem") => {
            line::bonus(book, change, class, Some(dealer))
        }
        ["jackpot", "lines", hand] => line::jackpot(book, change, hand, None),
        ["jackpot", "lines", hand, cards] => line::jackpot(book, change, hand, Some(cards)),
        ["readings", name] => plain(book, change, &["readings", name, "value"]),
        ["times_ante" | "jackpot", ..] => plain(book, change, &parts),
        [section, ..] if SECTIONS.contains(&section) => plain(book, change, &parts),
        _ => unknown(change, format!("changes begin with {}", beginnings(book).join(", "))),
    }
}

fn has(book: &Table, name: &str) -> bool {
    book.contains_key(name)
}

/// What a key can begin with.
fn beginnings(book: &Table) -> Vec<&'static str> {
    let game = SECTIONS.into_iter().filter(|section| has(book, section));
    let book = ["times_ante", "jackpot", "readings"];
    game.chain(book).chain(["ante", "jackpot-wager", "meter", "contribution", "reset"]).collect()
}

/// Sets a value that is there, in its own type.
fn plain(book: &mut Table, change: &Change, path: &[&str]) -> Result<(), WhatIfError> {
    let (last, inner) = path.split_last().expect("a key has parts");
    let mut table = book;
    for part in inner {
        let known = names(table);
        let Some(Value::Table(next)) = table.get_mut(*part) else {
            return unknown(change, format!("there are {known}"));
        };
        table = next;
    }
    let known = names(table);
    let Some(value) = table.get_mut(*last) else {
        return unknown(change, format!("there are {known}"));
    };
    *value = typed(change, value)?;
    Ok(())
}

/// The text of the change as a value of the same type as the one it replaces.
fn typed(change: &Change, before: &Value) -> Result<Value, WhatIfError> {
    let wrong =
        |reason: String| WhatIfError::Value { key: change.key.clone(), value: change.value.clone(), reason };
    match before {
        Value::String(_) => Ok(Value::String(change.value.clone())),
        Value::Integer(_) => {
            let number = change.value.parse();
            number.map(Value::Integer).map_err(|_| wrong(format!("write a whole number, such as {before}")))
        }
        Value::Table(table) => Err(wrong(format!("this is a table; its figures are {}", names(table)))),
        _ => {
            let text = format!("value = {}", change.value);
            let value = toml::from_str::<Table>(&text).ok().and_then(|mut table| table.remove("value"));
            let same = value.filter(|value| value.same_type(before));
            same.ok_or_else(|| wrong(format!("write it as in the book, such as {before}")))
        }
    }
}

fn names(table: &Table) -> String {
    table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

pub(super) fn unknown<T>(change: &Change, known: impl Into<String>) -> Result<T, WhatIfError> {
    Err(WhatIfError::Unknown { key: change.key.clone(), known: known.into() })
}
