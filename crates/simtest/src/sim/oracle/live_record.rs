//! The record of a round that was played, settled as `megalink settle` does: it must give what the table gave.

use std::collections::BTreeMap;
use std::sync::Arc;

use floor::Table;
use jackpot::EntryId;
use money::{Money, Rate};
use record::{Books, History, JackpotState, record_of, settle_lines};
use round::Settlement;
use rulebook::{PlayingArea, Rulebook};
use serde_json::{Value, json};

use super::second_settlement::{area_name, awards_of, outcome_name};
use super::{Oracle, Violation, ensure};

/// A meter for settlements where the amount does not matter.
const SOME_METER: u64 = 10_000_000;

/// How a wager ended: staked, paid, returned, collected, outcome, clause.
type End = (u64, u64, u64, u64, String, String);

impl Oracle {
    /// Settles the record of a round and compares every wager with the settlement of the table. Returns the record.
    pub(super) fn check_record(
        &self,
        table: &Table,
        settlement: &Settlement,
        id: &EntryId,
    ) -> Result<Value, Violation> {
        let own = &self.tables[table.id()];
        let history = History {
            id: id.to_string(),
            book: table.book(),
            positions: table.setup().positions,
            layout: table.setup().layout,
            limits: own.limits.as_ref().expect("a round has limits"),
            method: table.setup().method.as_deref(),
            jackpot_minimum: table.jackpot_minimum(),
            memory: &own.memory,
            holders: &own.holders,
            events: &own.events,
        };
        let jackpot = table.jackpot_minimum().map(|minimum_wager| JackpotState {
            meter: Money::from_cents(SOME_METER),
            fraction: 0,
            reset: Money::from_cents(SOME_METER),
            minimum_wager,
            contribution_bps: Rate::from_basis_points(0).expect("zero is a rate"),
            cap: None,
        });
        let record = record_of(&history, jackpot)
            .map_err(|error| Violation(format!("the table of {id} cannot be set up again: {error}")))?;
        let Some(record) = record else {
            return Err(Violation(format!("{id} was settled, and has no record")));
        };
        let record = serde_json::to_value(&record).expect("a record is plain data");
        let answer = settle(&record, table.book());
        compare(&record, &answer, settlement, id)?;
        self.coverage.with(|coverage| coverage.records += 1);
        Ok(record)
    }
}

/// The answer to a record, as `megalink settle` writes it.
pub(super) fn settle(record: &Value, book: &Arc<Rulebook>) -> Value {
    let books: Books = std::iter::once(Arc::clone(book)).collect();
    let (answer, _) = settle_lines(&books, &record.to_string());
    serde_json::from_slice(&answer).expect("an answer is JSON")
}

fn compare(record: &Value, answer: &Value, settlement: &Settlement, id: &EntryId) -> Result<(), Violation> {
    ensure!(answer.get("error").is_none(), "the record of {id} is refused: {}: {record}", answer["error"]);
    let void = if settlement.void.is_some() { "void" } else { "settled" };
    ensure!(answer["round"] == void, "the record of {id} is {}, the round {void}: {record}", answer["round"]);
    let warned: Vec<&str> = settlement.warned.iter().map(round::PlayerId::name).collect();
    let recorded = answer.get("warned").cloned().unwrap_or_else(|| json!([]));
    ensure!(recorded == json!(warned), "the record of {id} warns {recorded}, the round {warned:?}: {record}");
    let awards = awards_of(answer);
    let mut ends = ends_of(record, answer);
    for line in &settlement.lines {
        let from_meter = awards.iter().find(|award| award.0 == u64::from(line.position.0));
        let from_meter = from_meter.filter(|_| line.area == PlayingArea::Jackpot).map_or(0, |award| award.2);
        let live = (
            line.staked.cents(),
            line.paid.cents() + from_meter,
            line.returned.cents(),
            line.collected.cents(),
            outcome_name(line.outcome).to_owned(),
            line.rule.to_string(),
        );
        let key = (u64::from(line.position.0), area_name(line.area), line.owner.to_string());
        let recorded = ends.remove(&key);
        ensure!(
            recorded.as_ref() == Some(&live),
            "the record of {id} gives {recorded:?} for {line:?}; the record is {record}"
        );
    }
    ensure!(ends.is_empty(), "the record of {id} has extra wagers: {ends:?}: {record}");
    let mut claims: Vec<u64> = settlement.claims.iter().map(|claim| u64::from(claim.position.0)).collect();
    let mut awarded: Vec<u64> = awards.iter().map(|award| award.0).collect();
    claims.sort_unstable();
    awarded.sort_unstable();
    ensure!(
        claims == awarded,
        "the record of {id} awards {awarded:?}, the round claims {claims:?}: {record}"
    );
    Ok(())
}

/// How each wager of an answer ended, by position, area and owner. Wagers without shares are the seated Player's.
fn ends_of(record: &Value, answer: &Value) -> BTreeMap<(u64, &'static str, String), End> {
    let mut ends = BTreeMap::new();
    for position in answer["positions"].as_array().into_iter().flatten() {
        let number = position["position"].as_u64().unwrap_or_default();
        for area in PlayingArea::ALL.map(area_name) {
            let Some(line) = position["areas"].get(area) else { continue };
            match line.get("shares").and_then(Value::as_array) {
                None => {
                    let mut seats = record["positions"].as_array().into_iter().flatten();
                    let seat = seats.find(|seat| seat["position"].as_u64() == Some(number));
                    let holder = seat.and_then(|seat| seat["player"].as_str()).unwrap_or_default();
                    ends.insert((number, area, holder.to_owned()), end_of(line));
                }
                Some(shares) => {
                    for share in shares {
                        let player = share["player"].as_str().unwrap_or_default().to_owned();
                        ends.insert((number, area, player), end_of(share));
                    }
                }
            }
        }
    }
    ends
}

fn end_of(line: &Value) -> End {
    let cents = |name: &str| line[name].as_u64().unwrap_or(u64::MAX);
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    (cents("staked"), cents("paid"), cents("returned"), cents("collected"), text("outcome"), text("clause"))
}
