//! Irregularities of every kind at random moments: an answer or an error, never a panic, and no cent is lost.

use serde_json::{Value, json};

use crate::answers;
use crate::tables::{BOOKS, Book, table};

/// A small source of chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.below(from.len() as u64)).expect("a list is small")]
    }

    fn positions(&mut self) -> Vec<u64> {
        (1..=4).filter(|_| self.below(3) == 0).collect()
    }
}

const STUD: [&str; 8] =
    ["bets", "dealing", "up-card", "bet", "dealer-hand", "showing", "settling", "concluded"];
const HOLDEM: [&str; 12] = [
    "bets",
    "dealing",
    "flop",
    "flop-cards",
    "turn",
    "turn-card",
    "river",
    "river-card",
    "dealer-hand",
    "showing",
    "settling",
    "concluded",
];

fn irregularity(chance: &mut Chance, book: Book) -> Value {
    let position = 1 + chance.below(3);
    let player = *chance.pick(&["Ann", "Bob", "Zoe"]);
    let area = *chance.pick(&["ante", "bonus", "flop", "turn", "bet", "jackpot"]);
    let yes = chance.below(2) == 0;
    let hand = if book.stud { 5 } else { 2 };
    let pile = |position: u64| json!({ "position": position, "cards": hand });
    match chance.below(17) {
        0 => {
            json!({ "kind": "bad-cards", "fault": *chance.pick(&["extra", "missing", "foreign", "unshuffled"]) })
        }
        1 => json!({ "kind": "deck-count", "counted": 51 + chance.below(2) }),
        2 => json!({ "kind": "misdeal", "piles": [pile(2), pile(1), pile(3)], "reconstructed": yes }),
        3 => json!({ "kind": "dealer-or-community-count", "reconstructed": yes }),
        4 => json!({ "kind": "cards-exposed", "count": chance.below(3) }),
        5 => json!({ "kind": "late-wager", "position": position, "area": area, "amount": 500 }),
        6 => json!({ "kind": "late-removal", "position": position, "area": area, "player": player }),
        7 | 8 => {
            let withdraw = chance.positions();
            json!({ "kind": "player-count", "position": position, "withdraw": withdraw, "reconstructed": yes })
        }
        9 => json!({ "kind": "prohibited", "players": [player] }),
        10 => json!({ "kind": "several-hands", "invalid": [position], "viewed": chance.positions() }),
        11 => json!({ "kind": "hand-viewed", "position": position }),
        12 => json!({ "kind": "action-stopped", "player": player }),
        13 => json!({ "kind": "power-failure", "withdraw": chance.positions() }),
        14 => json!({ "kind": "withdrawal", "player": player, "under": *chance.pick(&["5.7.1", "5.16.1"]) }),
        15 => {
            json!({ "kind": "ruling", "words": "so ruled", "effects": [{ "hand-out": { "position": position } }] })
        }
        _ => {
            let outcomes = [json!("returned"), json!("collected"), json!({ "paid": "2 to 1" })];
            let outcome = chance.pick(&outcomes);
            let wager = json!({ "position": position, "area": area, "outcome": outcome });
            json!({ "kind": "ruling", "words": "so ruled", "effects": [{ "wager": wager }] })
        }
    }
}

fn record(chance: &mut Chance) -> Value {
    let book = *chance.pick(&BOOKS);
    let mut record = table(book, &["Ann", "Bob", "Ann"]);
    if chance.below(3) == 0 {
        let seat = &mut record["positions"][0];
        seat["shares"] = json!([{ "player": "Ann", "ante": 5000 }, { "player": "Zoe", "ante": 2500 }]);
        seat.as_object_mut().expect("an object").remove("ante");
    }
    for place in 0..3 {
        let seat = record["positions"][place].as_object_mut().expect("an object");
        match chance.below(12) {
            0 => {
                seat.retain(|name, _| !["decision", "turn", "river"].contains(&name.as_str()));
            }
            1 => {
                seat.retain(|name, _| !["turn", "river"].contains(&name.as_str()));
                seat.insert("decision".to_owned(), json!(*chance.pick(&["fold", "absent", "silent"])));
            }
            2 if !book.stud => drop(seat.insert("cards".to_owned(), json!([null, null]))),
            3 => drop(seat.insert("jackpot".to_owned(), json!(1))),
            _ => {}
        }
    }
    let stages: &[&str] = if book.stud { &STUD } else { &HOLDEM };
    let count = 1 + chance.below(3);
    let mut at: Vec<u64> = (0..count).map(|_| chance.below(stages.len() as u64)).collect();
    at.sort_unstable();
    let mut reports = Vec::new();
    for stage in at {
        let mut report = irregularity(chance, book);
        if chance.below(8) != 0 {
            report["at"] = json!(stages[usize::try_from(stage).expect("a stage")]);
        }
        if chance.below(4) == 0 {
            report["decided"] = json!(chance.positions());
        }
        if report["at"] == "dealing" {
            report["dealt"] = json!(chance.below(12));
        }
        reports.push(report);
    }
    record["irregularities"] = json!(reports);
    record
}

#[test]
fn no_irregularity_panics_or_loses_a_cent() {
    const ROUNDS: usize = 20_000;
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let text: String = (0..ROUNDS).map(|_| format!("{}\n", record(&mut chance))).collect();
    let (mut settled, mut refused) = (0, 0);
    let answers = answers(&text);
    assert_eq!(answers.len(), ROUNDS);
    for (answer, record) in answers.iter().zip(text.lines()) {
        if let Some(error) = answer["error"].as_str() {
            assert!(error.contains(": "), "{error} names no place: {record}");
            refused += 1;
            continue;
        }
        settled += 1;
        for position in answer["positions"].as_array().expect("positions") {
            for area in position["areas"].as_object().expect("areas").values() {
                let cents = |field: &str| area[field].as_u64().expect("an amount");
                assert_eq!(cents("staked"), cents("returned") + cents("collected"), "{record}\n{answer}");
                let parts = area.get("shares").and_then(Value::as_array);
                let of = |field: &str| -> Option<u64> {
                    Some(parts?.iter().map(|share| share[field].as_u64().expect("an amount")).sum())
                };
                for field in ["staked", "paid", "returned", "collected"] {
                    assert!(of(field).is_none_or(|sum| sum == cents(field)), "{field}: {record}\n{answer}");
                }
            }
        }
    }
    assert!(1_000 < settled && 1_000 < refused, "{settled} settled, {refused} refused");
}
