//! The recorded cases, and further ones calculated by hand from the texts.

use serde_json::{Value, json};

use super::{settle, without_clauses};

fn recorded(name: &str) -> Vec<Value> {
    let path = format!("{}{name}", concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn every_recorded_case_agrees_to_the_cent() {
    let rounds = recorded("rounds.jsonl");
    let settlements = recorded("settlements.jsonl");
    assert_eq!((rounds.len(), settlements.len()), (300, 300));
    let mut differing = Vec::new();
    for (round, settlement) in rounds.iter().zip(&settlements) {
        let ours = settle(round).expect("a recorded round is valid");
        if ours != without_clauses(settlement) {
            differing.push(format!("{round}\nours   {ours}\ntheirs {settlement}"));
        }
    }
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n\n"));
}

fn cards(text: &str) -> Value {
    text.split(' ').collect()
}

/// A table with six positions; limits 50.00 to 2,000.00; a meter of 100,000.00 without contributions.
fn round(rulebook: &str, community: &str, dealer: &str, positions: &Value) -> Value {
    let mut record = json!({
        "id": "x",
        "rulebook": rulebook,
        "table": { "positions": 6, "limits": { "ante": [5000, 200_000], "bonus": [500, 50_000] } },
        "jackpot": { "meter": 10_000_000, "reset": 1_000_000, "minimum_wager": 500, "contribution_bps": 0 },
        "positions": positions,
        "dealer": cards(dealer),
    });
    if !community.is_empty() {
        record["community"] = cards(community);
    }
    record
}

/// A hold'em position with Ante 50.00 and one jackpot wager, betting the Flop only.
fn holdem(position: u64, hole: &str) -> Value {
    json!({ "position": position, "player": format!("P{position}"), "ante": 5000, "jackpot": 1,
        "cards": cards(hole), "decision": "bet", "turn": "check", "river": "check" })
}

/// A stud position with Ante 50.00 and one jackpot wager.
fn stud(position: u64, hand: &str) -> Value {
    json!({ "position": position, "player": format!("P{position}"), "ante": 5000, "jackpot": 1,
        "cards": cards(hand), "decision": "bet" })
}

fn settled(record: &Value) -> Value {
    settle(record).expect("the record is valid")
}

/// The amounts awarded, in order.
fn awards(settlement: &Value) -> Vec<(u64, i64)> {
    let list = settlement["jackpot"]["awards"].as_array().expect("awards");
    let read = |award: &Value| (award["position"].as_u64(), award["amount"].as_i64());
    list.iter()
        .map(|award| match read(award) {
            (Some(position), Some(amount)) => (position, amount),
            _ => panic!("an award without position or amount: {award}"),
        })
        .collect()
}

fn area<'a>(settlement: &'a Value, index: usize, name: &str) -> &'a Value {
    &settlement["positions"][index]["areas"][name]
}

const ROYALS: [&str; 3] = ["Ac Kc Qc Jc Tc", "Ad Kd Qd Jd Td", "Ah Kh Qh Jh Th"];

/// 10,000,000 + 2 resets of 1,000,000 = 12,000,000, a third each; 1 cent more on the meter stays there.
#[test]
fn mssp9_3_15_1_three_royals() {
    let hands = json!([stud(1, ROYALS[0]), stud(2, ROYALS[1]), stud(3, ROYALS[2])]);
    let mut record = round("megalink-stud-v9", "", "2s 4s 6s 8s 9c", &hands);
    let settlement = settled(&record);
    assert_eq!(awards(&settlement), [(1, 4_000_000), (2, 4_000_000), (3, 4_000_000)]);
    assert_eq!(settlement["jackpot"]["meter"], 1_000_000);

    record["jackpot"]["meter"] = json!(10_000_001);
    record["jackpot"]["fraction"] = json!(77);
    let settlement = settled(&record);
    assert_eq!(awards(&settlement), [(1, 4_000_000), (2, 4_000_000), (3, 4_000_000)]);
    assert_eq!(settlement["jackpot"]["meter"], 1_000_001);
    assert_eq!(settlement["jackpot"]["fraction"], 77);
}

/// Tenths of 10,000,000, 9,000,000 and 8,100,000 are 2,710,000; 903,333 each, and the odd cent stays.
#[test]
fn mssp9_3_15_2_three_straight_flushes() {
    let hands = json!([stud(2, "5c 4c 3c 2c Ac"), stud(4, "9d 8d 7d 6d 5d"), stud(5, "Kh Qh Jh Th 9h")]);
    let settlement = settled(&round("megalink-stud-v9", "", "2s 4s 6s 8s 9c", &hands));
    assert_eq!(awards(&settlement), [(2, 903_333), (4, 903_333), (5, 903_333)]);
    assert_eq!(settlement["jackpot"]["meter"], 10_000_000 - 3 * 903_333);
}

/// The straight flush takes its tenth first, wherever it sits; two royals share 9,000,000 and a reset.
#[test]
fn mssp9_3_15_3_royals_after_a_straight_flush() {
    let hands = json!([stud(1, ROYALS[0]), stud(3, ROYALS[1]), stud(6, "6s 5s 4s 3s 2s")]);
    let settlement = settled(&round("megalink-stud-v9", "", "2h 4h 6h 8c 9c", &hands));
    assert_eq!(awards(&settlement), [(6, 1_000_000), (1, 5_000_000), (3, 5_000_000)]);
    assert_eq!(settlement["jackpot"]["meter"], 1_000_000);
}

/// Ace-King-4-3-2 is a hand, Ace-Queen-Jack-10-9 is not.
#[test]
fn mssp9_3_10_2_the_edge_of_a_hand() {
    let hands = json!([stud(1, "2c 2d 5h 7s 9h")]);
    let with = settled(&round("megalink-stud-v9", "", "Ac Kd 4h 3s 2h", &hands));
    assert_eq!(area(&with, 0, "bet")["outcome"], "paid");
    let without = settled(&round("megalink-stud-v9", "", "Ac Qd Jh Ts 9c", &hands));
    assert_eq!(area(&without, 0, "bet")["outcome"], "returned");
    assert_eq!(area(&without, 0, "ante")["paid"], 5000);
}

/// A quarter on the turn, a twentieth on the river, all of it on the flop.
#[test]
fn thb6_4_2_royals_by_street() {
    let rows = [
        ("Kc Qc Jc 2d 3h", 10_000_000, 1_000_000),
        ("Kc Qc 2d Jc 3h", 2_500_000, 7_500_000),
        ("Kc 3h 2d Jc Qc", 500_000, 9_500_000),
    ];
    for (community, award, left) in rows {
        let hands = json!([holdem(1, "Ac Tc")]);
        let settlement = settled(&round("holdem-progressive-v6", community, "4h 4s", &hands));
        assert_eq!(awards(&settlement), [(1, award)], "{community}");
        assert_eq!(settlement["jackpot"]["meter"], left, "{community}");
    }
}

/// A community royal is not a Player's royal on the river; folded or not, it pays the community line. A Player
/// who declined has no winning combination.
#[test]
fn thb6_4_2_1_community_royal() {
    let mut folded = holdem(2, "7d 8d");
    for name in ["turn", "river"] {
        folded.as_object_mut().expect("an object").remove(name);
    }
    folded["decision"] = json!("fold");
    let mut declined = holdem(3, "7h 8h");
    declined["declines"] = json!(true);
    let hands = json!([holdem(1, "9c 8c"), folded, declined]);
    let settlement = settled(&round("holdem-progressive-v6", "Ac Kc Qc Jc Tc", "4h 4s", &hands));
    assert!(awards(&settlement).is_empty());
    assert_eq!(area(&settlement, 0, "jackpot")["paid"], 1_000_000);
    assert_eq!(area(&settlement, 0, "flop")["outcome"], "stand-off");
    assert_eq!(area(&settlement, 1, "jackpot")["paid"], 1_000_000);
    assert_eq!(area(&settlement, 1, "ante")["outcome"], "collected");
    assert_eq!(area(&settlement, 2, "jackpot")["outcome"], "collected");
}

/// Nine to King on the board: a straight flush for all, and a royal on the river for the Ace, paid once.
#[test]
fn thb6_one_jackpot_payout() {
    let hands = json!([holdem(1, "Ac 2d"), holdem(2, "7d 8d")]);
    let settlement = settled(&round("holdem-progressive-v6", "9c Kc Qc Jc Tc", "4h 4s", &hands));
    assert_eq!(awards(&settlement), [(1, 500_000)]);
    assert_eq!(area(&settlement, 0, "jackpot")["paid"], 500_000);
    assert_eq!(area(&settlement, 1, "jackpot")["paid"], 150_000);
}

#[test]
fn mthb9_4_1_1_a_thousand_only_against_aces() {
    for (dealer, paid) in [("Ah As", 500_000), ("Ah Ks", 15_000)] {
        let mut hand = holdem(1, "Ac Ad");
        hand["bonus"] = json!(500);
        let settlement = settled(&round("megalink-holdem-v9", "2c 5d 7h 9s Jc", dealer, &json!([hand])));
        assert_eq!(area(&settlement, 0, "bonus")["paid"], paid, "{dealer}");
    }
}

/// A straight on the flop pays 20 for 1 under version 9 and nothing under version 6.
#[test]
fn mthb9_4_2_and_mthb6_4_2_differ_on_a_straight() {
    for (rulebook, paid) in [("megalink-holdem-v9", 10_000), ("megalink-holdem-v6", 0)] {
        let hands = json!([holdem(1, "5c 4d")]);
        let settlement = settled(&round(rulebook, "Ah 2s 3c Kd Kh", "9c 9d", &hands));
        assert_eq!(area(&settlement, 0, "jackpot")["paid"], paid, "{rulebook}");
    }
}

#[test]
fn rounds_void_from_two_exposed_cards_on() {
    let mut record = round("megalink-holdem-v9", "2c 5d 7h 9s Jc", "Kh Ks", &json!([holdem(1, "Ac Ad")]));
    for (count, expected) in [(0, "settled"), (1, "settled"), (2, "void")] {
        record["irregularities"] = json!([{ "kind": "cards-exposed", "count": count }]);
        assert_eq!(settled(&record)["round"], expected, "{count} cards exposed");
    }
}

/// A Player who withdraws after a power failure gets everything back and never reached the meter; the others play
/// on.
#[test]
fn r5_16_1_power_failure() {
    let hands = json!([holdem(1, "Ac Ad"), holdem(2, "3c 4d")]);
    let mut record = round("megalink-holdem-v9", "2c 5d 7h 9s Jc", "Kh Ks", &hands);
    record["jackpot"]["contribution_bps"] = json!(2500);
    record["irregularities"] = json!([{ "kind": "power-failure", "withdraw": [2] }]);
    let settlement = settled(&record);
    assert_eq!(settlement["round"], "settled");
    assert_eq!(settlement["jackpot"]["contributed"], 500 * 2500);
    assert_eq!(area(&settlement, 0, "flop")["outcome"], "paid");
    for name in ["ante", "flop", "jackpot"] {
        assert_eq!(area(&settlement, 1, name)["outcome"], "returned", "{name}");
    }
}

/// Over the maximum, a wager is paid or collected up to the maximum. A warned Player's wager under the minimum is
/// returned, but not the same Player's Bonus within its limits.
#[test]
fn r5_13_and_r5_14_limits() {
    let mut over = holdem(1, "Ac Ad");
    over["ante"] = json!(200_001);
    over["bonus"] = json!(50_001);
    let mut under = holdem(2, "3c 4d");
    under["ante"] = json!(4999);
    under["bonus"] = json!(500);
    let mut record = round("megalink-holdem-v9", "2c 5d 7h 9s Jc", "Kh Ks", &json!([over, under]));
    let settlement = settled(&record);
    assert_eq!(area(&settlement, 0, "flop")["paid"], 400_000);
    assert_eq!(area(&settlement, 0, "flop")["returned"], 400_002);
    assert_eq!(area(&settlement, 0, "bonus")["paid"], 30 * 50_000);
    assert_eq!(area(&settlement, 1, "ante")["collected"], 4999);

    record["table"]["warned"] = json!(["P2"]);
    let settlement = settled(&record);
    assert_eq!(area(&settlement, 1, "ante")["outcome"], "returned");
    assert_eq!(area(&settlement, 1, "flop")["outcome"], "returned");
    assert_eq!(area(&settlement, 1, "bonus")["outcome"], "collected");
    assert_eq!(area(&settlement, 1, "jackpot")["outcome"], "collected");
}
