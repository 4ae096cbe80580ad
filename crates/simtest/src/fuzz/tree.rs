//! Mutations that keep the form: values of JSON and TOML are changed, removed, doubled and moved.

use std::borrow::Cow;

use serde_json::Value;

use super::mutate::NUMBERS;
use crate::dice::Dice;

/// A sample with some of its values changed, as JSON text.
pub(super) fn mutated_json(
    dice: &mut Dice,
    sample: &Value,
    donor: &Value,
    write: impl Fn(&Value) -> String,
) -> Vec<u8> {
    let mut tree = sample.clone();
    for _ in 0..=dice.index(3) {
        change_somewhere(dice, &mut tree, donor);
    }
    let mut text = write(&tree);
    // Numbers that a JSON value cannot store are inserted as text.
    if dice.one_in(8)
        && let Some(place) = text.find("\"@\"")
    {
        text.replace_range(place..place + 3, dice.pick(&NUMBERS));
    }
    text.into_bytes()
}

/// A sample with some of its values changed, as TOML.
pub(super) fn mutated_toml(dice: &mut Dice, sample: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(sample).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let mut changed: Vec<Cow<'_, str>> = lines.iter().map(|line| Cow::Borrowed(*line)).collect();
    for _ in 0..=dice.index(4) {
        let at = dice.index(changed.len());
        let Some(line) = changed.get(at).cloned() else {
            break;
        };
        match dice.index(6) {
            0 => drop(changed.remove(at)),
            1 => changed.insert(at, line),
            2 => {
                let from = dice.index(lines.len());
                changed[at] = lines.get(from).copied().unwrap_or_default().into();
            }
            3 => {
                let other = dice.index(changed.len());
                changed.swap(at, other);
            }
            _ => changed[at] = with_another_value(dice, &line, &lines).into(),
        }
    }
    changed.join("\n").into_bytes()
}

/// A line of TOML with another value: from `NUMBERS`, or from another line.
fn with_another_value(dice: &mut Dice, line: &str, lines: &[&str]) -> String {
    let Some((key, value)) = line.split_once('=') else {
        return line.to_owned();
    };
    let quoted = value.trim_start().starts_with('"');
    let other = match dice.index(5) {
        0 => dice.pick(&NUMBERS).to_owned(),
        1 => format!("\"{}\"", dice.pick(&NUMBERS)),
        2 if quoted => format!("\"{} for 1\"", dice.pick(&NUMBERS)),
        2 => "[]".to_owned(),
        3 => ["true", "{}", "\"\"", "[[1]]", "1979-05-27T07:32:00Z", "inf", "0x10"][dice.index(7)].to_owned(),
        _ => {
            let from = lines.get(dice.index(lines.len())).copied().unwrap_or_default();
            from.split_once('=').map_or_else(|| "0".to_owned(), |(_, value)| value.trim().to_owned())
        }
    };
    format!("{key}= {other}")
}

/// Walks to a random value and changes it.
fn change_somewhere(dice: &mut Dice, tree: &mut Value, donor: &Value) {
    let stays = dice.one_in(5);
    match tree {
        Value::Object(fields) if !stays && !fields.is_empty() => {
            let at = dice.index(fields.len());
            if let Some((_, value)) = fields.iter_mut().nth(at) {
                change_somewhere(dice, value, donor);
            }
        }
        Value::Array(items) if !stays && !items.is_empty() => {
            let at = dice.index(items.len());
            if let Some(value) = items.get_mut(at) {
                change_somewhere(dice, value, donor);
            }
        }
        value => change(dice, value, donor),
    }
}

/// Changes a value, usually into another of the same kind.
fn change(dice: &mut Dice, value: &mut Value, donor: &Value) {
    match value {
        Value::Number(_) if !dice.one_in(6) => *value = edge(dice),
        Value::Bool(is) if !dice.one_in(6) => *is = !*is,
        Value::String(text) if !dice.one_in(6) => *value = Value::String(changed_inside(dice, text, donor)),
        Value::Array(items) if !dice.one_in(4) => change_items(dice, items, donor),
        Value::Object(fields) if !dice.one_in(4) => {
            let name = fields.keys().nth(dice.index(fields.len())).cloned().unwrap_or_default();
            match dice.index(3) {
                0 => drop(fields.remove(&name)),
                1 => {
                    let taken = fields.remove(&name).unwrap_or(Value::Null);
                    fields.insert(name + "s", taken);
                }
                _ => {
                    let from = piece(dice, donor).clone();
                    fields.insert(name, from);
                }
            }
        }
        _ => {
            *value = match dice.index(5) {
                0 => Value::Null,
                1 => edge(dice),
                2 => Value::String("@".to_owned()),
                3 => Value::Array(Vec::new()),
                _ => piece(dice, donor).clone(),
            }
        }
    }
}

fn change_items(dice: &mut Dice, items: &mut Vec<Value>, donor: &Value) {
    let at = dice.index(items.len());
    match (dice.index(4), items.get(at).cloned()) {
        (0, Some(_)) => drop(items.remove(at)),
        (1, Some(item)) => items.insert(at, item),
        (2, Some(_)) => {
            let other = dice.index(items.len());
            items.swap(at, other);
        }
        (_, item) => {
            let item = item.filter(|_| dice.one_in(2)).unwrap_or_else(|| piece(dice, donor).clone());
            let is_large = item.is_array() || item.is_object();
            let many = if dice.one_in(if is_large { 100 } else { 10 }) { 300 } else { 1 };
            items.extend(std::iter::repeat_n(item, many));
        }
    }
}

/// A number from `NUMBERS`, or a small one if JSON cannot store it.
fn edge(dice: &mut Dice) -> Value {
    let text = dice.pick(&NUMBERS);
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(dice.index(60)))
}

/// A text with a change, or with a change in the JSON that it contains.
fn changed_inside(dice: &mut Dice, text: &str, donor: &Value) -> String {
    if text.starts_with(['{', '['])
        && dice.one_in(2)
        && let Ok(mut tree) = serde_json::from_str::<Value>(text)
    {
        change_somewhere(dice, &mut tree, donor);
        return tree.to_string();
    }
    changed_text(dice, text)
}

/// A text with a character changed, removed or doubled, or another text.
fn changed_text(dice: &mut Dice, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = dice.index(letters.len());
    match (dice.index(6), letters.get(at).copied()) {
        (0, Some(_)) => drop(letters.remove(at)),
        (1, Some(letter)) => letters.insert(at, letter),
        (2, _) => return "x".repeat([0, 1, 65, 300, 5_000][dice.index(5)]),
        (3, _) => return dice.pick(&NUMBERS).to_owned(),
        (_, Some(_)) => {
            letters[at] = ['0', '9', 'A', 'z', '/', ' ', '-', '.', '\u{0}', 'é', '%'][dice.index(11)];
        }
        (_, None) => letters.push('0'),
    }
    letters.into_iter().collect()
}

/// A random value inside another.
fn piece<'a>(dice: &mut Dice, from: &'a Value) -> &'a Value {
    if dice.one_in(4) {
        return from;
    }
    let inside = match from {
        Value::Array(items) => items.get(dice.index(items.len())),
        Value::Object(fields) => fields.values().nth(dice.index(fields.len())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    inside.map_or(from, |value| piece(dice, value))
}
