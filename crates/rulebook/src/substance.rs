//! What a book decides, without its words: two texts with the same figures and the same readings play, pay and refuse alike.

use std::fmt::Write as _;

use toml::Value;

use crate::error::BookError;
use crate::raw;

/// The figures and readings of a book's text, in one form whatever the text's order, spaces, comments and words. The clause
/// register is left out, and of a reading everything but its value.
pub fn substance(file: &str, text: &str) -> Result<String, BookError> {
    let mut form = String::new();
    write(&mut form, &Value::Table(kept(file, text)?));
    Ok(form)
}

/// Every figure and reading of a file with its place in it, such as `holdem.bonus[2].pays`.
pub fn listed(file: &str, text: &str) -> Result<Vec<(String, String)>, BookError> {
    let mut values = Vec::new();
    list("", &Value::Table(kept(file, text)?), &mut values);
    Ok(values)
}

fn list(place: &str, value: &Value, values: &mut Vec<(String, String)>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                list(&place, value, values);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            for (number, value) in (1_usize..).zip(items) {
                list(&format!("{place}[{number}]"), value, values);
            }
        }
        Value::String(text) => values.push((place.to_owned(), text.clone())),
        Value::Array(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            values.push((place.to_owned(), value.to_string()));
        }
    }
}

/// A file without its words.
fn kept(file: &str, text: &str) -> Result<toml::Table, BookError> {
    let mut table: toml::Table = raw::parsed(file, text)?;
    table.remove("clauses");
    if let Some(Value::Table(readings)) = table.get_mut("readings") {
        for (_, reading) in readings.iter_mut() {
            if let Value::Table(reading) = reading {
                reading.retain(|key, _| key == "value");
            }
        }
    }
    Ok(table)
}

fn write(form: &mut String, value: &Value) {
    match value {
        Value::Table(table) => {
            let mut keys: Vec<&String> = table.keys().collect();
            keys.sort();
            form.push('{');
            for key in keys {
                if let Some(value) = table.get(key) {
                    let _ = write!(form, "{key:?}:");
                    write(form, value);
                    form.push(',');
                }
            }
            form.push('}');
        }
        Value::Array(values) => {
            form.push('[');
            for value in values {
                write(form, value);
                form.push(',');
            }
            form.push(']');
        }
        Value::String(text) => {
            let _ = write!(form, "{text:?}");
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            let _ = write!(form, "{value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_order_change_nothing_and_figures_do() {
        for (name, text) in crate::embedded_texts() {
            let own = substance(name, text).expect("a book");
            let said = text
                .replace("gist = \"", "gist = \"In other words: ")
                .replace("reason = \"", "reason = \"Because ");
            assert_ne!(said, text);
            let said = format!("# A comment.\n\n{said}");
            assert_eq!(substance(name, &said).expect("a book"), own, "{name}");
            let paid = text.replace("\"1 to 1\"", "\"2 to 1\"");
            assert_ne!(paid, text);
            assert_ne!(substance(name, &paid).expect("a book"), own, "{name}");
            let read = text.replace("value = \"", "value = \"not-");
            assert_ne!(read, text);
            assert_ne!(substance(name, &read).expect("a text"), own, "{name}");
        }
    }
}
