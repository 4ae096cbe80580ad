//! Reads a recorded round from JSON, field by field, and refuses whatever the format does not allow.

use serde_json::Value;

use super::hands::{Card, card};

/// The four rulebooks, by their names in citations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Book {
    Mthb9,
    Mthb6,
    Mssp9,
    Thb6,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Bet,
    Fold,
    Absent,
}

/// One position with its wagers. Amounts are cents.
pub(super) struct Position {
    pub(super) number: u64,
    pub(super) player: String,
    pub(super) ante: Option<i128>,
    pub(super) bonus: Option<i128>,
    /// A multiple of the minimum.
    pub(super) jackpot: Option<i128>,
    pub(super) cards: Vec<Card>,
    /// Present wherever there is an Ante.
    pub(super) decision: Option<Decision>,
    pub(super) turn: bool,
    pub(super) river: bool,
    pub(super) declines: bool,
}

pub(super) enum Irregularity {
    /// Anything that voids the round.
    Voiding,
    /// The number of cards wrongly exposed.
    Exposed(i128),
    /// The wagers on these positions are returned.
    Returning(Vec<u64>),
}

pub(super) struct Record {
    pub(super) id: String,
    pub(super) book: Book,
    pub(super) ante_limits: (i128, i128),
    pub(super) bonus_limits: Option<(i128, i128)>,
    pub(super) warned: Vec<String>,
    pub(super) meter: i128,
    pub(super) fraction: i128,
    pub(super) reset: i128,
    pub(super) minimum_wager: i128,
    pub(super) contribution_bps: i128,
    pub(super) positions: Vec<Position>,
    pub(super) community: Vec<Card>,
    pub(super) dealer: Vec<Card>,
    pub(super) irregularities: Vec<Irregularity>,
}

/// Reads and checks a whole record.
pub(super) fn read(value: &Value) -> Result<Record, String> {
    if !value.is_object() {
        return Err("a record is an object".to_string());
    }
    let id = text(value, "id")?;
    let book = match text(value, "rulebook")?.as_str() {
        "megalink-holdem-v9" => Book::Mthb9,
        "megalink-holdem-v6" => Book::Mthb6,
        "megalink-stud-v9" => Book::Mssp9,
        "holdem-progressive-v6" => Book::Thb6,
        other => return Err(format!("unknown rulebook {other:?}")),
    };

    let table = needed(value, "table")?;
    let table_positions = whole(table, "positions")?;
    check_layout(book, table_positions)?;
    let limits = needed(table, "limits")?;
    let ante_limits = pair(limits, "ante")?;
    let bonus_limits = match limits.get("bonus") {
        None => None,
        Some(_) => Some(pair(limits, "bonus")?),
    };
    let mut warned = Vec::new();
    for player in optional_list(table, "warned")? {
        warned.push(player.as_str().ok_or("warned holds players' names")?.to_string());
    }

    let jackpot = needed(value, "jackpot")?;
    let fraction = match jackpot.get("fraction") {
        None => 0,
        Some(_) => whole(jackpot, "fraction")?,
    };
    if fraction > 9999 {
        return Err(format!("a fraction of {fraction} ten-thousandths is over a cent"));
    }
    let contribution_bps = whole(jackpot, "contribution_bps")?;
    if contribution_bps > 10000 {
        return Err("more than the whole wager cannot be contributed".to_string());
    }

    let community = match (book, value.get("community")) {
        // Stud has no community cards.
        (Book::Mssp9, None) => vec![],
        (Book::Mssp9, Some(_)) => cards(value, "community", 0)?,
        _ => cards(value, "community", 5)?,
    };
    let dealer = cards(value, "dealer", hand_size(book))?;

    let mut positions = Vec::new();
    for entry in needed(value, "positions")?.as_array().ok_or("positions is not a list")? {
        let position = read_position(book, entry)?;
        if position.number < 1 || i128::from(position.number) > table_positions {
            return Err(format!("position {} is not on the layout", position.number));
        }
        if positions.iter().any(|earlier: &Position| earlier.number == position.number) {
            return Err(format!("position {} appears twice", position.number));
        }
        if position.bonus.is_some() && bonus_limits.is_none() {
            return Err("a Bonus wager at a table without Bonus limits".to_string());
        }
        positions.push(position);
    }

    let mut irregularities = Vec::new();
    for entry in optional_list(value, "irregularities")? {
        irregularities.push(read_irregularity(entry, &positions)?);
    }

    let record = Record {
        id,
        book,
        ante_limits,
        bonus_limits,
        warned,
        meter: whole(jackpot, "meter")?,
        fraction,
        reset: whole(jackpot, "reset")?,
        minimum_wager: positive(jackpot, "minimum_wager")?,
        contribution_bps,
        positions,
        community,
        dealer,
        irregularities,
    };
    check_distinct(&record)?;
    Ok(record)
}

/// How many positions a layout may have, from the appendices.
fn check_layout(book: Book, positions: i128) -> Result<(), String> {
    let allowed = match book {
        // MTHB9 appendices A to D, MSSP9 appendices A to D.
        Book::Mthb9 | Book::Mssp9 => 1..=7,
        // MTHB6 appendices A to D.
        Book::Mthb6 => 4..=6,
        // THB6 appendix A.
        Book::Thb6 => 4..=7,
    };
    if allowed.contains(&positions) { Ok(()) } else { Err(format!("no layout has {positions} positions")) }
}

fn hand_size(book: Book) -> usize {
    if book == Book::Mssp9 { 5 } else { 2 }
}

fn read_position(book: Book, entry: &Value) -> Result<Position, String> {
    let number = entry.get("position").and_then(Value::as_u64).ok_or("a position has no number")?;
    let player = text(entry, "player")?;
    let ante = optional_wager(entry, "ante")?;
    let bonus = optional_wager(entry, "bonus")?;
    let jackpot = optional_wager(entry, "jackpot")?;

    if bonus.is_some() && book == Book::Mssp9 {
        // MSSP9 2.2.2: no such area.
        return Err("there is no Bonus in stud".to_string());
    }
    if let Some(multiple) = jackpot {
        // MTHB9 3.5.3 and MSSP9 3.5.3: one to five times. MTHB6 3.5.3 and THB6 3.5.3 have one fixed wager.
        let max = if book == Book::Mthb9 || book == Book::Mssp9 { 5 } else { 1 };
        if multiple > max {
            return Err(format!("{multiple} times the minimum jackpot wager is not allowed"));
        }
    }

    let mut position = Position {
        number,
        player,
        ante,
        bonus,
        jackpot,
        cards: vec![],
        decision: None,
        turn: false,
        river: false,
        declines: false,
    };

    if ante.is_none() {
        // 5.12.2: a jackpot wager alone. What else is recorded of the hand does not matter.
        if bonus.is_some() {
            return Err("a Bonus wager without an Ante".to_string());
        }
        if jackpot.is_none() {
            return Err("a position without a wager".to_string());
        }
        if entry.get("cards").is_some() {
            position.cards = cards(entry, "cards", hand_size(book))?;
        }
        return Ok(position);
    }

    position.cards = cards(entry, "cards", hand_size(book))?;
    let decision = match text(entry, "decision")?.as_str() {
        "bet" => Decision::Bet,
        "fold" => Decision::Fold,
        "absent" => Decision::Absent,
        other => return Err(format!("unknown decision {other:?}")),
    };
    position.decision = Some(decision);
    if book != Book::Mssp9 && decision == Decision::Bet {
        position.turn = bet_or_check(entry, "turn")?;
        position.river = bet_or_check(entry, "river")?;
    } else if entry.get("turn").is_some() || entry.get("river").is_some() {
        return Err("a Turn or River decision where there is none to make".to_string());
    }
    if let Some(declines) = entry.get("declines") {
        position.declines = declines.as_bool().ok_or("declines is true or false")?;
    }
    if position.declines && decision != Decision::Bet {
        return Err("only a hand in play can be kept from comparison".to_string());
    }
    Ok(position)
}

fn bet_or_check(entry: &Value, name: &str) -> Result<bool, String> {
    match text(entry, name)?.as_str() {
        "bet" => Ok(true),
        "check" => Ok(false),
        other => Err(format!("unknown {name} decision {other:?}")),
    }
}

fn read_irregularity(entry: &Value, positions: &[Position]) -> Result<Irregularity, String> {
    match text(entry, "kind")?.as_str() {
        // 5.1, 5.8 and 5.3.
        "foreign-card" | "wrong-count-of-deck" | "dealer-or-community-count" => Ok(Irregularity::Voiding),
        // 5.4: from two cards on, which may have been found one by one.
        "cards-exposed" => Ok(Irregularity::Exposed(whole(entry, "count")?)),
        // 5.7 and 5.7.1.
        "player-count" => {
            let mut returned = position_list(entry, "withdraw", positions)?;
            returned.push(known_position(needed(entry, "position")?, positions)?);
            Ok(Irregularity::Returning(returned))
        }
        // 5.9.
        "prohibited" => Ok(Irregularity::Returning(position_list(entry, "positions", positions)?)),
        // 5.10.
        "several-hands" => Ok(Irregularity::Returning(position_list(entry, "invalid", positions)?)),
        // 5.16.1.
        "power-failure" => Ok(Irregularity::Returning(position_list(entry, "withdraw", positions)?)),
        other => Err(format!("unknown irregularity {other:?}")),
    }
}

fn position_list(entry: &Value, name: &str, positions: &[Position]) -> Result<Vec<u64>, String> {
    let list = needed(entry, name)?.as_array().ok_or_else(|| format!("{name} is not a list"))?;
    let mut numbers = Vec::new();
    for number in list {
        numbers.push(known_position(number, positions)?);
    }
    Ok(numbers)
}

fn known_position(number: &Value, positions: &[Position]) -> Result<u64, String> {
    let number = number.as_u64().ok_or("a position is a number")?;
    if positions.iter().any(|position| position.number == number) {
        Ok(number)
    } else {
        Err(format!("nobody wagered on position {number}"))
    }
}

/// One deck (MTHB9 2.1): no card is in two places.
fn check_distinct(record: &Record) -> Result<(), String> {
    let mut seen: Vec<Card> = Vec::new();
    seen.extend(&record.community);
    seen.extend(&record.dealer);
    for position in &record.positions {
        seen.extend(&position.cards);
    }
    for (i, first) in seen.iter().enumerate() {
        if seen[i + 1..].contains(first) {
            return Err(format!("card {first:?} appears twice"));
        }
    }
    Ok(())
}

fn cards(value: &Value, name: &str, count: usize) -> Result<Vec<Card>, String> {
    let list = needed(value, name)?.as_array().ok_or_else(|| format!("{name} is not a list"))?;
    let mut found = Vec::new();
    for entry in list {
        found.push(card(
            entry.as_str().ok_or_else(|| format!("{name} contains something that is not a card"))?,
        )?);
    }
    if found.len() != count {
        return Err(format!("{name} has {} cards instead of {count}", found.len()));
    }
    Ok(found)
}

fn needed<'a>(value: &'a Value, name: &str) -> Result<&'a Value, String> {
    value.get(name).ok_or_else(|| format!("{name} is missing"))
}

fn text(value: &Value, name: &str) -> Result<String, String> {
    match needed(value, name)?.as_str() {
        Some(text) => Ok(text.to_string()),
        None => Err(format!("{name} is not a string")),
    }
}

fn whole(value: &Value, name: &str) -> Result<i128, String> {
    match needed(value, name)?.as_u64() {
        Some(number) => Ok(i128::from(number)),
        None => Err(format!("{name} is not a whole number, zero or more")),
    }
}

fn positive(value: &Value, name: &str) -> Result<i128, String> {
    match whole(value, name)? {
        0 => Err(format!("{name} is zero")),
        number => Ok(number),
    }
}

fn optional_wager(value: &Value, name: &str) -> Result<Option<i128>, String> {
    match value.get(name) {
        None => Ok(None),
        Some(_) => Ok(Some(positive(value, name)?)),
    }
}

fn optional_list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], String> {
    match value.get(name) {
        None => Ok(&[]),
        Some(list) => Ok(list.as_array().ok_or_else(|| format!("{name} is not a list"))?),
    }
}

fn pair(value: &Value, name: &str) -> Result<(i128, i128), String> {
    let list = needed(value, name)?.as_array().ok_or_else(|| format!("{name} is not a list"))?;
    if list.len() != 2 {
        return Err(format!("{name} limits are a minimum and a maximum"));
    }
    let low = i128::from(list[0].as_u64().ok_or_else(|| format!("{name} minimum is not an amount"))?);
    let high = i128::from(list[1].as_u64().ok_or_else(|| format!("{name} maximum is not an amount"))?);
    if low > high {
        return Err(format!("{name} minimum is over the maximum"));
    }
    Ok((low, high))
}
