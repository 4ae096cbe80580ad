//! One line of a table of lines: the Bonus, the jackpot.

use cards::HandOrder;
use toml::{Table, Value};

use super::figure::unknown;
use super::{Change, WhatIfError};

/// What takes a line away.
const NONE: &str = "none";

/// Changes the Bonus of one class of hole cards, against a dealer's class or any. A line that lists other classes too
/// keeps them.
pub(super) fn bonus(
    book: &mut Table,
    change: &Change,
    class: &str,
    dealer: Option<&str>,
) -> Result<(), WhatIfError> {
    class.parse::<rulebook::HoleClass>().or_else(|error| unknown(change, error.to_string()))?;
    let against: Vec<&str> = dealer.into_iter().collect();
    let lines = lines(book, change, &["holdem", "bonus"])?;
    let place = lines
        .iter()
        .position(|line| texts(line, "hole_cards").contains(&class) && texts(line, "dealer") == against);
    match (place, change.value.as_str()) {
        (None, NONE) => return unknown(change, "there is no such line to take away"),
        (None, _) => add_bonus(lines, change, class, dealer),
        (Some(place), NONE) => drop_class(lines, place, class),
        (Some(place), _) if texts(&lines[place], "hole_cards").len() == 1 => {
            set(&mut lines[place], "pays", &change.value);
        }
        (Some(place), _) => {
            drop_class(lines, place, class);
            lines.insert(place, bonus_line(change, class, dealer));
        }
    }
    Ok(())
}

/// Adds a line: one that asks for the dealer's cards above all others, one that does not below.
fn add_bonus(lines: &mut Vec<Value>, change: &Change, class: &str, dealer: Option<&str>) {
    let place = if dealer.is_some() { 0 } else { lines.len() };
    lines.insert(place, bonus_line(change, class, dealer));
}

fn bonus_line(change: &Change, class: &str, dealer: Option<&str>) -> Value {
    let list = |names: &[&str]| Value::Array(names.iter().map(|&name| Value::from(name)).collect());
    let mut line = Table::new();
    line.insert("hole_cards".into(), list(&[class]));
    if let Some(dealer) = dealer {
        line.insert("dealer".into(), list(&[dealer]));
    }
    line.insert("pays".into(), Value::from(change.value.as_str()));
    Value::Table(line)
}

/// Takes a class out of a line, and the line away with its last.
fn drop_class(lines: &mut Vec<Value>, place: usize, class: &str) {
    let Some(Value::Array(classes)) = lines[place].get_mut("hole_cards") else { return };
    classes.retain(|listed| listed.as_str() != Some(class));
    if classes.is_empty() {
        lines.remove(place);
    }
}

/// Changes a line of the jackpot, by its hand and, where that is not enough, its cards.
pub(super) fn jackpot(
    book: &mut Table,
    change: &Change,
    hand: &str,
    cards: Option<&str>,
) -> Result<(), WhatIfError> {
    let Some(order) = HandOrder::ALL.into_iter().find(|order| order.name() == hand) else {
        let hands: Vec<&str> = HandOrder::ALL.iter().rev().map(|order| order.name()).collect();
        return unknown(change, format!("the hands are {}", hands.join(", ")));
    };
    let lines = lines(book, change, &["jackpot", "lines"])?;
    let matching = |line: &&(usize, &Value)| {
        text(line.1, "hand") == hand && cards.is_none_or(|cards| text(line.1, "cards") == cards)
    };
    let found: Vec<(usize, &Value)> = lines.iter().enumerate().collect();
    let found: Vec<&(usize, &Value)> = found.iter().filter(matching).collect();
    match (found[..].as_ref(), change.value.as_str()) {
        ([], NONE) => unknown(change, "there is no such line to take away"),
        ([], _) => add_line(lines, change, order, cards),
        (&[&(place, _)], NONE) => {
            lines.remove(place);
            Ok(())
        }
        (&[&(place, _)], pays) => {
            set(&mut lines[place], "pays", pays);
            Ok(())
        }
        (several, _) => {
            let keys: Vec<String> = several
                .iter()
                .map(|(_, line)| format!("jackpot.lines.{hand}.{}", text(line, "cards")))
                .collect();
            unknown(change, format!("there are several such lines: {}", keys.join(", ")))
        }
    }
}

/// Adds a line where its hand ranks, on the cards named or on those all other lines look at, under the same clause.
fn add_line(
    lines: &mut Vec<Value>,
    change: &Change,
    order: HandOrder,
    cards: Option<&str>,
) -> Result<(), WhatIfError> {
    let first = lines.first().cloned().unwrap_or_else(|| Value::Table(Table::new()));
    let shared = text(&first, "cards").to_owned();
    let one_kind = lines.iter().all(|line| text(line, "cards") == shared);
    if cards.is_none() && !one_kind {
        return unknown(change, format!("a new line must name its cards: {}.hole-to-river", change.key));
    }
    let mut line = first;
    set(&mut line, "hand", order.name());
    set(&mut line, "cards", cards.unwrap_or(&shared));
    set(&mut line, "pays", &change.value);
    let rank = |line: &Value| HandOrder::ALL.into_iter().find(|order| order.name() == text(line, "hand"));
    let place = lines.iter().position(|line| rank(line) < Some(order)).unwrap_or(lines.len());
    lines.insert(place, line);
    Ok(())
}

fn lines<'a>(
    book: &'a mut Table,
    change: &Change,
    path: &[&str; 2],
) -> Result<&'a mut Vec<Value>, WhatIfError> {
    match book.get_mut(path[0]).and_then(|table| table.get_mut(path[1])) {
        Some(Value::Array(lines)) => Ok(lines),
        _ => unknown(change, format!("this book has no {}", path.join("."))),
    }
}

fn text<'a>(line: &'a Value, name: &str) -> &'a str {
    line.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn texts<'a>(line: &'a Value, name: &str) -> Vec<&'a str> {
    let list = line.get(name).and_then(Value::as_array);
    list.map_or_else(Vec::new, |list| list.iter().filter_map(Value::as_str).collect())
}

fn set(line: &mut Value, name: &str, text: &str) {
    if let Value::Table(line) = line {
        line.insert(name.to_owned(), Value::from(text));
    }
}
