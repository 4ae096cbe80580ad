//! Puts one fault into a valid record.

use serde_json::{Value, json};

use super::Generator;

type Breaking = fn(&mut Value);

/// The records that can have a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Game {
    Any,
    Holdem,
    Stud,
    /// A book with one fixed jackpot wager.
    OneMultiple,
}

const FAULTS: [(&str, Game, Breaking); 52] = [
    ("no rulebook", Game::Any, |record| drop_field(record, "rulebook")),
    ("unknown rulebook", Game::Any, |record| {
        record["rulebook"] = json!("megalink-holdem-v7");
    }),
    ("rulebook in capitals", Game::Any, |record| {
        record["rulebook"] = json!("MEGALINK-STUD-V9");
    }),
    ("no id", Game::Any, |record| drop_field(record, "id")),
    ("id is a number", Game::Any, |record| record["id"] = json!(7)),
    ("no table", Game::Any, |record| drop_field(record, "table")),
    ("no positions on the table", Game::Any, |record| {
        drop_field(&mut record["table"], "positions");
    }),
    ("more positions than any layout", Game::Any, |record| {
        record["table"]["positions"] = json!(8);
    }),
    ("the layout in words", Game::Any, |record| {
        record["table"]["positions"] = json!("seven");
    }),
    ("no limits", Game::Any, |record| {
        drop_field(&mut record["table"], "limits");
    }),
    ("no ante limits", Game::Any, |record| {
        drop_field(&mut record["table"]["limits"], "ante");
    }),
    ("one ante limit", Game::Any, |record| {
        record["table"]["limits"]["ante"] = json!([500]);
    }),
    ("a negative limit", Game::Any, |record| {
        record["table"]["limits"]["ante"][0] = json!(-1);
    }),
    ("warned is a string", Game::Any, |record| {
        record["table"]["warned"] = json!("P1");
    }),
    ("no jackpot", Game::Any, |record| drop_field(record, "jackpot")),
    ("no meter", Game::Any, |record| {
        drop_field(&mut record["jackpot"], "meter");
    }),
    ("a negative meter", Game::Any, |record| {
        record["jackpot"]["meter"] = json!(-1);
    }),
    ("a meter with cents after a point", Game::Any, |record| {
        record["jackpot"]["meter"] = json!(1000.5);
    }),
    ("a fraction of a whole cent", Game::Any, |record| {
        record["jackpot"]["fraction"] = json!(10_000);
    }),
    ("no reset", Game::Any, |record| {
        drop_field(&mut record["jackpot"], "reset");
    }),
    ("no minimum wager", Game::Any, |record| {
        drop_field(&mut record["jackpot"], "minimum_wager");
    }),
    ("no contribution rate", Game::Any, |record| {
        drop_field(&mut record["jackpot"], "contribution_bps");
    }),
    ("no positions", Game::Any, |record| {
        drop_field(record, "positions");
    }),
    ("positions is an object", Game::Any, |record| {
        record["positions"] = json!({});
    }),
    ("position outside the layout", Game::Any, |record| {
        let beyond = record["table"]["positions"].as_u64().map(|positions| positions + 1);
        hand(record)["position"] = json!(beyond);
    }),
    ("position zero", Game::Any, |record| {
        hand(record)["position"] = json!(0);
    }),
    ("position twice", Game::Any, |record| {
        let position = hand(record)["position"].clone();
        let again = json!({ "position": position, "player": "P98", "jackpot": 1 });
        list(record, "positions").push(again);
    }),
    ("no player", Game::Any, |record| {
        drop_field(hand(record), "player");
    }),
    ("no cards", Game::Any, |record| drop_field(hand(record), "cards")),
    ("a card too few", Game::Any, |record| {
        drop(list(hand(record), "cards").pop());
    }),
    ("a card too many", Game::Any, |record| {
        let spare = spare_card(record);
        list(hand(record), "cards").push(spare);
    }),
    ("a card twice in a hand", Game::Any, |record| {
        let cards = list(hand(record), "cards");
        cards[0] = cards[1].clone();
    }),
    ("a card with the dealer and in a hand", Game::Any, |record| {
        hand(record)["cards"][0] = record["dealer"][0].clone();
    }),
    ("a card on the board and with the dealer", Game::Holdem, |record| {
        record["community"][4] = record["dealer"][0].clone();
    }),
    ("a card that does not exist", Game::Any, |record| {
        hand(record)["cards"][0] = json!("1c");
    }),
    ("a suit that does not exist", Game::Any, |record| {
        record["dealer"][0] = json!("Ax");
    }),
    ("a card of three characters", Game::Any, |record| {
        record["dealer"][0] = json!("10c");
    }),
    ("no dealer", Game::Any, |record| drop_field(record, "dealer")),
    ("the dealer a card short", Game::Any, |record| {
        drop(list(record, "dealer").pop());
    }),
    ("no community cards", Game::Holdem, |record| {
        drop_field(record, "community");
    }),
    ("a community card short", Game::Holdem, |record| {
        drop(list(record, "community").pop());
    }),
    ("no decision", Game::Any, |record| {
        drop_field(hand(record), "decision");
    }),
    ("unknown decision", Game::Any, |record| {
        hand(record)["decision"] = json!("raise");
    }),
    ("six times the minimum jackpot wager", Game::Any, |record| {
        hand(record)["jackpot"] = json!(6);
    }),
    ("twice where one is allowed", Game::OneMultiple, |record| {
        hand(record)["jackpot"] = json!(2);
    }),
    ("a bonus in stud", Game::Stud, |record| {
        hand(record)["bonus"] = json!(500);
    }),
    ("a negative ante", Game::Any, |record| {
        hand(record)["ante"] = json!(-500);
    }),
    ("an ante in words", Game::Any, |record| {
        hand(record)["ante"] = json!("5000");
    }),
    ("a Flop or Bet beyond 64 bits", Game::Any, |record| {
        let stud = record["rulebook"] == "megalink-stud-v9";
        let hand = hand(record);
        hand["ante"] = json!(u64::MAX);
        hand["decision"] = json!("bet");
        if !stud {
            hand["turn"] = json!("check");
            hand["river"] = json!("check");
        }
    }),
    ("an irregularity without a kind", Game::Any, |record| {
        record["irregularities"] = json!([{ "count": 2 }]);
    }),
    ("unknown irregularity", Game::Any, |record| {
        record["irregularities"] = json!([{ "kind": "earthquake" }]);
    }),
    ("exposed cards without a count", Game::Any, |record| {
        record["irregularities"] = json!([{ "kind": "cards-exposed" }]);
    }),
];

/// Faults of the line, not of the record.
const LINE_FAULTS: [&str; 6] =
    ["cut off", "not JSON", "an empty object", "a list", "amount beyond 64 bits", "two objects on a line"];

pub(super) fn next_broken(generator: &mut Generator) -> (String, &'static str) {
    let record = generator.next_record();
    let choice = generator.chance.index(FAULTS.len() + LINE_FAULTS.len());
    if choice >= FAULTS.len() {
        let why = LINE_FAULTS[choice - FAULTS.len()];
        return (break_line(record, why), why);
    }
    let (why, game, breaking) = FAULTS[choice];
    let mut record = record;
    while !fits(game, &record) {
        record = generator.next_record();
    }
    // Irregularities name positions, so changing those would be a second fault.
    drop_field(&mut record, "irregularities");
    breaking(&mut record);
    (record.to_string(), why)
}

fn fits(game: Game, record: &Value) -> bool {
    let rulebook = record["rulebook"].as_str().expect("a record has a rulebook");
    match game {
        Game::Any => true,
        Game::Holdem => rulebook != "megalink-stud-v9",
        Game::Stud => rulebook == "megalink-stud-v9",
        Game::OneMultiple => rulebook.ends_with("-v6"),
    }
}

fn break_line(mut record: Value, why: &str) -> String {
    match why {
        "cut off" => {
            let mut line = record.to_string();
            line.truncate(line.len() * 2 / 3);
            line
        }
        "not JSON" => "position 3 folds".to_string(),
        "an empty object" => "{}".to_string(),
        "a list" => Value::Array(vec![record]).to_string(),
        "amount beyond 64 bits" => {
            hand(&mut record)["ante"] = json!("HERE");
            record.to_string().replace("\"HERE\"", "18446744073709551616")
        }
        _ => format!("{record} {record}"),
    }
}

/// The first position with an Ante.
fn hand(record: &mut Value) -> &mut Value {
    list(record, "positions")
        .iter_mut()
        .find(|position| position.get("ante").is_some())
        .expect("a generated record has a hand")
}

fn list<'a>(value: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    value[name].as_array_mut().expect("the field is a list")
}

fn drop_field(value: &mut Value, name: &str) {
    value.as_object_mut().expect("the value is an object").remove(name);
}

/// A card that is not in the record.
fn spare_card(record: &Value) -> Value {
    let text = record.to_string();
    for rank in "23456789TJQKA".chars() {
        for suit in "cdhs".chars() {
            if !text.contains(&format!("\"{rank}{suit}\"")) {
                return json!(format!("{rank}{suit}"));
            }
        }
    }
    unreachable!("a round never uses the whole deck")
}
