//! A second settlement of recorded rounds, naive and slow, written from the rule texts alone.
//!
//! The default value of every reading is built in. Where all books have the same words for a rule, the comments
//! cite the bare number; otherwise they cite the book.

mod hands;
mod jackpot;
mod record;
mod wagers;

use serde_json::{Map, Value, json};

use jackpot::{settle_jackpot, stake};
use record::{Decision, Irregularity, Position, Record};
use wagers::{settle_wager, wagers_of};

/// The result of one wager.
struct Line {
    staked: i128,
    paid: i128,
    returned: i128,
    collected: i128,
    outcome: &'static str,
}

impl Line {
    /// A wager that is returned whole.
    fn returned(staked: i128) -> Line {
        Line { staked, paid: 0, returned: staked, collected: 0, outcome: "returned" }
    }
}

/// The settlement of a recorded round, without clauses; or why the record is invalid.
pub fn settle(record: &Value) -> Result<Value, String> {
    let record = record::read(record)?;
    let mut void = false;
    let mut exposed = 0;
    for irregularity in &record.irregularities {
        match irregularity {
            Irregularity::Voiding => void = true,
            Irregularity::Exposed(count) => exposed += count,
            Irregularity::Returning(_) => {}
        }
    }
    void |= exposed >= 2;

    let standing: Vec<&Position> =
        record.positions.iter().filter(|position| !void && stands(&record, position)).collect();
    let in_the_jackpot: Vec<&Position> =
        standing.iter().filter(|position| position.jackpot.is_some()).copied().collect();
    let jackpot = settle_jackpot(&record, &in_the_jackpot);

    let mut positions = Vec::new();
    for position in &record.positions {
        let hand_stands = standing.iter().any(|one| one.number == position.number);
        let mut lines: Vec<(&str, Line)> = Vec::new();
        for wager in wagers_of(&record, position) {
            let line = if hand_stands {
                settle_wager(&record, position, &wager)
            } else {
                Line::returned(wager.staked)
            };
            lines.push((wager.area, line));
        }
        if position.jackpot.is_some() {
            let staked = stake(&record, position);
            let line = match jackpot.paid.iter().find(|paid| paid.0 == position.number) {
                None => Line::returned(staked),
                Some((_, None)) => {
                    Line { staked, paid: 0, returned: 0, collected: staked, outcome: "collected" }
                }
                Some((_, Some(paid))) => {
                    Line { staked, paid: *paid, returned: 0, collected: staked, outcome: "paid" }
                }
            };
            lines.push(("jackpot", line));
        }
        positions.push(position_view(position.number, &lines)?);
    }

    let mut awards = Vec::new();
    for award in &jackpot.awards {
        awards
            .push(json!({ "position": award.position, "hand": award.hand, "amount": number(award.amount)? }));
    }
    Ok(json!({
        "id": record.id,
        "round": if void { "void" } else { "settled" },
        "positions": positions,
        "jackpot": {
            "contributed": number(jackpot.contributed)?,
            "awards": awards,
            "meter": number(jackpot.meter)?,
            "fraction": number(jackpot.fraction)?,
        },
    }))
}

/// A settlement without what [`settle`] omits (clauses, and who was warned), to compare the two.
pub fn without_clauses(settlement: &Value) -> Value {
    match settlement {
        Value::Array(list) => Value::Array(list.iter().map(without_clauses).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .filter(|(name, _)| !["clause", "limit_clause", "warned"].contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), without_clauses(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Whether a position's hand is played out. If not, all its wagers are returned.
fn stands(record: &Record, position: &Position) -> bool {
    // 5.12.2: a jackpot wager without an Ante.
    if position.ante.is_none() {
        return false;
    }
    // 5.11, with the reading absent-bonus.
    if position.decision == Some(Decision::Absent) {
        return false;
    }
    // 5.7, 5.7.1, 5.9, 5.10, 5.16.1.
    for irregularity in &record.irregularities {
        if let Irregularity::Returning(positions) = irregularity
            && positions.contains(&position.number)
        {
            return false;
        }
    }
    true
}

fn position_view(position: u64, lines: &[(&str, Line)]) -> Result<Value, String> {
    let mut areas = Map::new();
    let mut net = 0;
    for (area, line) in lines {
        assert_eq!(
            line.staked,
            line.returned + line.collected,
            "money lost on {area} of position {position}"
        );
        net += line.paid - line.collected;
        areas.insert(
            (*area).to_string(),
            json!({
                "staked": number(line.staked)?,
                "paid": number(line.paid)?,
                "returned": number(line.returned)?,
                "collected": number(line.collected)?,
                "outcome": line.outcome,
            }),
        );
    }
    Ok(json!({ "position": position, "areas": areas, "net": number(net)? }))
}

/// An amount as JSON, or an error if it is out of range for common readers.
fn number(amount: i128) -> Result<i64, String> {
    i64::try_from(amount).map_err(|_| format!("an amount of {amount} is out of range"))
}

#[cfg(test)]
mod tests;
