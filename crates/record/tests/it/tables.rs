//! A plain round in each of the four books, to change in one place.

use serde_json::{Value, json};

/// A rulebook, by its id and its name in citations.
#[derive(Clone, Copy)]
pub(crate) struct Book {
    pub(crate) id: &'static str,
    pub(crate) citation: &'static str,
    pub(crate) stud: bool,
}

pub(crate) const MTHB9: Book = Book { id: "megalink-holdem-v9", citation: "MTHB9", stud: false };
pub(crate) const MTHB6: Book = Book { id: "megalink-holdem-v6", citation: "MTHB6", stud: false };
pub(crate) const MSSP9: Book = Book { id: "megalink-stud-v9", citation: "MSSP9", stud: true };
pub(crate) const THB6: Book = Book { id: "holdem-progressive-v6", citation: "THB6", stud: false };
pub(crate) const BOOKS: [Book; 4] = [MTHB9, MTHB6, MSSP9, THB6];

/// A round of these Players on positions 1, 2 and so on. Everybody has an Ante of 50.00 and stays in with nothing
/// better than a pair; the Dealer has a pair of Kings.
pub(crate) fn table(book: Book, players: &[&str]) -> Value {
    let mut record = json!({
        "id": "x",
        "rulebook": book.id,
        "table": { "positions": 6, "limits": { "ante": [2500, 100_000] } },
        "jackpot": { "meter": 100_000_000, "reset": 10_000_000, "minimum_wager": 500, "contribution_bps": 2500 },
        "positions": [],
    });
    if book.stud {
        record["dealer"] = json!(["Kc", "Kd", "3h", "4s", "6s"]);
    } else {
        record["table"]["limits"]["bonus"] = json!([500, 50_000]);
        record["community"] = json!(["3h", "4s", "6s", "9d", "Jh"]);
        record["dealer"] = json!(["Kc", "Kd"]);
    }
    let hands = [
        ["Qc", "Qd", "2c", "5c", "7c"],
        ["Ac", "Td", "2d", "5d", "7d"],
        ["Ts", "8c", "2h", "5h", "7h"],
        ["Ad", "8d", "2s", "5s", "7s"],
    ];
    let seat = |(player, hand): (&&str, [&str; 5])| {
        let mut seat = json!({ "player": player, "ante": 5000, "decision": "bet" });
        seat["cards"] = if book.stud { json!(hand) } else { json!(hand[..2]) };
        if !book.stud {
            seat["turn"] = json!("check");
            seat["river"] = json!("check");
        }
        seat
    };
    let mut seats: Vec<Value> = players.iter().zip(hands).map(seat).collect();
    for (number, seat) in (1..).zip(&mut seats) {
        seat["position"] = json!(number);
    }
    record["positions"] = json!(seats);
    record
}
