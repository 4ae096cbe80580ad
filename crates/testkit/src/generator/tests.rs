//! Checks the generator against the auditor: everything it makes settles, balances and covers the promised
//! situations.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Generator;
use crate::auditor::settle;

const RECORDS: usize = 20_000;

/// Each of these must occur at least once in the records.
const SITUATIONS: [&str; 50] = [
    "megalink-holdem-v9",
    "megalink-holdem-v6",
    "megalink-stud-v9",
    "holdem-progressive-v6",
    "void",
    "foreign-card",
    "wrong-count-of-deck",
    "dealer-or-community-count",
    "cards-exposed",
    "cards-exposed once, not void",
    "player-count",
    "prohibited",
    "several-hands",
    "power-failure",
    "two irregularities",
    "bet",
    "fold",
    "absent",
    "declines",
    "declines before a dealer without a hand",
    "jackpot without ante",
    "one player on several positions",
    "over the maximum and paid",
    "over the maximum and collected",
    "under the minimum and settled once",
    "under the minimum and returned",
    "a warned player within the limits",
    "fraction left out",
    "odd cents after shared straight flushes",
    "odd cents after shared royals",
    "a meter under a dollar",
    "a meter over ten billion cents",
    "hold'em: one straight flush",
    "hold'em: two straight flushes",
    "hold'em: royal and straight flush",
    "stud: two royals",
    "stud: three royals",
    "stud: two straight flushes",
    "stud: three straight flushes",
    "stud: royals and straight flushes",
    "stud: a share of the meter after a fold",
    "stud: no hand",
    "stud: stand-off on the bet",
    "hold'em: stand-off on the flop",
    "hold'em: bonus at 1000 to 1",
    "THB6: a royal for all of the meter",
    "THB6: a royal for a quarter",
    "THB6: a royal for a twentieth",
    "THB6: community royal after a fold",
    "THB6: community royal in play",
];

#[test]
fn the_same_seed_gives_the_same_records() {
    let mut first = Generator::new(7);
    let mut second = Generator::new(7);
    for _ in 0..200 {
        assert_eq!(first.next_record(), second.next_record());
        assert_eq!(first.next_broken(), second.next_broken());
    }
    assert_ne!(Generator::new(7).next_record(), Generator::new(8).next_record());
}

#[test]
fn generated_records_settle_and_balance_and_cover_what_is_promised() {
    let mut generator = Generator::new(1);
    let mut planted: BTreeMap<&str, usize> = BTreeMap::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..RECORDS {
        let record = generator.next_record();
        *planted.entry(generator.planted()).or_default() += 1;
        let settlement = settle(&record).unwrap_or_else(|why| panic!("{why}: {record}"));
        check_balance(&record, &settlement);
        check_dealer(generator.planted(), &settlement);
        for situation in situations(&record, &settlement) {
            *seen.entry(situation).or_default() += 1;
        }
    }
    for plant in Generator::plants() {
        assert!(planted.contains_key(plant), "{plant} was never planted");
    }
    for situation in SITUATIONS {
        assert!(seen.contains_key(situation), "{situation} never came up");
    }
    for situation in seen.keys() {
        assert!(SITUATIONS.contains(situation), "{situation} is not on the list");
    }
}

#[test]
fn broken_records_are_refused() {
    let mut generator = Generator::new(2);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..5_000 {
        let (line, why) = generator.next_broken();
        *seen.entry(why).or_default() += 1;
        assert!(!line.contains('\n'), "a line is one line");
        if let Ok(record) = serde_json::from_str::<Value>(&line) {
            assert!(settle(&record).is_err(), "{why}, and yet it settles: {line}");
        }
    }
    assert_eq!(seen.len(), 58, "{seen:?}");
}

fn amount(line: &Value, name: &str) -> i64 {
    line[name].as_i64().expect("an amount")
}

fn entries<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Money in equals money out, on each area, each position, and the meter.
fn check_balance(record: &Value, settlement: &Value) {
    let mut awarded = 0;
    for position in entries(settlement, "positions") {
        let mut net = 0;
        for line in position["areas"].as_object().expect("areas").values() {
            assert_eq!(
                amount(line, "staked"),
                amount(line, "returned") + amount(line, "collected"),
                "{settlement}"
            );
            assert!(amount(line, "staked") > 0 && amount(line, "paid") >= 0, "{settlement}");
            net += amount(line, "paid") - amount(line, "collected");
        }
        assert_eq!(net, amount(position, "net"), "{settlement}");
    }
    let mut royals = 0;
    for award in entries(&settlement["jackpot"], "awards") {
        awarded += i128::from(amount(award, "amount"));
        if award["hand"] == "royal-flush" {
            royals += 1;
        }
    }
    // Every royal that took the whole meter adds a reset amount. Meter, contributions and resets together equal the
    // awards plus the meter afterwards.
    let sub_cents = |value: &Value| {
        let fraction = value["fraction"].as_i64().unwrap_or(0);
        i128::from(amount(value, "meter")) * 10_000 + i128::from(fraction)
    };
    let contributed = i128::from(amount(&settlement["jackpot"], "contributed"));
    let before = sub_cents(&record["jackpot"]) + contributed;
    let after = sub_cents(&settlement["jackpot"]) + awarded * 10_000;
    let reset = i128::from(amount(&record["jackpot"], "reset")) * 10_000;
    let on_a_later_street = record["rulebook"] == "holdem-progressive-v6" && after == before;
    assert!(on_a_later_street || after == before + royals * reset, "{record} {settlement}");
}

/// With cards just short of a hand, nothing is compared; with just enough, everything is.
fn check_dealer(planted: &str, settlement: &Value) {
    for position in entries(settlement, "positions") {
        let bet = &position["areas"]["bet"]["outcome"];
        let no_hand = bet == "returned" && position["areas"]["ante"]["outcome"] == "paid";
        match planted {
            "dealer-just-not" => assert!(bet.is_null() || bet == "returned", "{settlement}"),
            "dealer-just-qualifies" | "dealer-low-pair" | "dealer-royal" => assert!(!no_hand, "{settlement}"),
            _ => {}
        }
    }
}

fn situations(record: &Value, settlement: &Value) -> Vec<&'static str> {
    let mut found = Vec::new();
    let rulebook = record["rulebook"].as_str().expect("a rulebook");
    found.extend(SITUATIONS.iter().find(|situation| **situation == rulebook));
    irregular_situations(record, settlement, &mut found);
    table_situations(record, settlement, &mut found);
    jackpot_situations(record, settlement, &mut found);
    let settled = entries(settlement, "positions");
    for (entry, lines) in entries(record, "positions").iter().zip(settled) {
        position_situations(record, entry, &lines["areas"], &mut found);
    }
    found
}

fn irregular_situations(record: &Value, settlement: &Value, found: &mut Vec<&'static str>) {
    if settlement["round"] == "void" {
        found.push("void");
    }
    let irregularities = entries(record, "irregularities");
    for irregularity in irregularities {
        let kind = irregularity["kind"].as_str().expect("a kind");
        found.extend(SITUATIONS.iter().find(|situation| **situation == kind));
    }
    if irregularities.len() == 2 {
        found.push("two irregularities");
    }
    if irregularities.iter().any(|one| one["count"] == 1) && settlement["round"] == "settled" {
        found.push("cards-exposed once, not void");
    }
}

fn table_situations(record: &Value, settlement: &Value, found: &mut Vec<&'static str>) {
    let players: Vec<&Value> = entries(record, "positions").iter().map(|entry| &entry["player"]).collect();
    if players.iter().enumerate().any(|(i, player)| players[..i].contains(player)) {
        found.push("one player on several positions");
    }
    if record["jackpot"].get("fraction").is_none() {
        found.push("fraction left out");
    }
    if amount(&record["jackpot"], "meter") < 100 {
        found.push("a meter under a dollar");
    }
    if amount(&settlement["jackpot"], "meter") > 10_000_000_000 {
        found.push("a meter over ten billion cents");
    }
}

fn jackpot_situations(record: &Value, settlement: &Value, found: &mut Vec<&'static str>) {
    let awards = entries(&settlement["jackpot"], "awards");
    let count = |hand: &str| awards.iter().filter(|award| award["hand"] == hand).count();
    let (royals, flushes) = (count("royal-flush"), count("straight-flush"));
    let displayed = |value: &Value| amount(&value["jackpot"], "meter");
    match record["rulebook"].as_str() {
        Some("megalink-stud-v9") => {
            match (royals, flushes) {
                (2, 0) => found.push("stud: two royals"),
                (3, 0) => found.push("stud: three royals"),
                (0, 2) => found.push("stud: two straight flushes"),
                (0, 3) => found.push("stud: three straight flushes"),
                (2, 1..) => found.push("stud: royals and straight flushes"),
                _ => {}
            }
            if royals > 1 && displayed(settlement) > amount(&record["jackpot"], "reset") {
                found.push("odd cents after shared royals");
            }
        }
        Some("holdem-progressive-v6") => {
            if let [royal] = awards {
                let before = displayed(record) + amount(&settlement["jackpot"], "contributed") / 10_000;
                let won = amount(royal, "amount");
                if before > 1_000 && won >= before {
                    found.push("THB6: a royal for all of the meter");
                } else if before > 1_000 && won >= before / 5 {
                    found.push("THB6: a royal for a quarter");
                } else if before > 1_000 {
                    found.push("THB6: a royal for a twentieth");
                }
            }
        }
        _ => match (royals, flushes) {
            (0, 1) => found.push("hold'em: one straight flush"),
            (0, 2) => found.push("hold'em: two straight flushes"),
            (1, 1) => found.push("hold'em: royal and straight flush"),
            _ => {}
        },
    }
    if royals == 0 && flushes > 1 && odd_cents(record, settlement) {
        found.push("odd cents after shared straight flushes");
    }
}

/// Whether the tenths of the declining meter add up to more than the shares.
fn odd_cents(record: &Value, settlement: &Value) -> bool {
    let awards = entries(&settlement["jackpot"], "awards");
    let fraction = record["jackpot"]["fraction"].as_i64().unwrap_or(0);
    let sub_cents = amount(&record["jackpot"], "meter") * 10_000 + fraction;
    let mut left = (sub_cents + amount(&settlement["jackpot"], "contributed")) / 10_000;
    let mut sum = 0;
    let mut shared = 0;
    for award in awards {
        sum += left / 10;
        left -= left / 10;
        shared += amount(award, "amount");
    }
    sum > shared
}

fn position_situations(record: &Value, entry: &Value, areas: &Value, found: &mut Vec<&'static str>) {
    let stud = record["rulebook"] == "megalink-stud-v9";
    let Some(ante) = entry.get("ante").and_then(Value::as_i64) else {
        found.push("jackpot without ante");
        return;
    };
    let decision = entry["decision"].as_str().expect("a decision");
    found.extend(SITUATIONS.iter().find(|situation| **situation == decision));
    let declines = entry["declines"] == true;
    if declines {
        found.push("declines");
    }

    let warned = entries(&record["table"], "warned").contains(&entry["player"]);
    let limits = &record["table"]["limits"]["ante"];
    let minimum = limits[0].as_i64().expect("a minimum");
    let maximum = limits[1].as_i64().expect("a maximum");
    let outcome = areas["ante"]["outcome"].as_str().expect("an outcome");
    match outcome {
        "paid" if ante > maximum => found.push("over the maximum and paid"),
        "collected" if ante > maximum => found.push("over the maximum and collected"),
        "paid" | "collected" if ante < minimum => found.push("under the minimum and settled once"),
        "returned" if ante < minimum && warned && amount(&areas["ante"], "paid") == 0 => {
            found.push("under the minimum and returned");
        }
        "paid" | "collected" if warned => found.push("a warned player within the limits"),
        _ => {}
    }

    if stud && areas["bet"]["outcome"] == "returned" && outcome == "paid" {
        found.push("stud: no hand");
        if declines {
            found.push("declines before a dealer without a hand");
        }
    }
    if stud && decision == "fold" && areas["jackpot"]["outcome"] == "paid" {
        let stake = amount(&areas["jackpot"], "staked");
        if amount(&areas["jackpot"], "paid") > 400 * stake {
            found.push("stud: a share of the meter after a fold");
        }
    }
    if areas["bet"]["outcome"] == "stand-off" {
        found.push("stud: stand-off on the bet");
    }
    if areas["flop"]["outcome"] == "stand-off" {
        found.push("hold'em: stand-off on the flop");
    }
    if let Some(bonus) = areas.get("bonus") {
        let maximum = record["table"]["limits"]["bonus"][1].as_i64().expect("a maximum");
        if amount(bonus, "paid") == 1000 * amount(bonus, "staked").min(maximum) {
            found.push("hold'em: bonus at 1000 to 1");
        }
    }
    if record["rulebook"] == "holdem-progressive-v6" && areas["jackpot"]["paid"] == 1_000_000 {
        match decision {
            "fold" => found.push("THB6: community royal after a fold"),
            _ => found.push("THB6: community royal in play"),
        }
    }
}
