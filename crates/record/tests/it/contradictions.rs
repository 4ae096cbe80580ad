//! Records that contradict a rule: each is decided by hand from the rule texts. A record that says what a rule does not
//! allow is an error that cites the clause; the same record with the fact changed is settled.

use serde_json::{Value, json};

use crate::answers;
use crate::tables::{BOOKS, Book, MSSP9, MTHB6, MTHB9, THB6, table};

/// Settles a record of Ann on positions 1 and 2, and Bob on 3.
fn answer(book: Book, change: impl Fn(&mut Value)) -> Value {
    let mut record = table(book, &["Ann", "Ann", "Bob"]);
    change(&mut record);
    answers(&record.to_string()).remove(0)
}

/// The error of a record must name the place, say why, and cite the clause.
fn is_wrong(book: Book, change: impl Fn(&mut Value), place: &str, why: &str, rule: &str) {
    let answer = answer(book, change);
    let error = answer["error"].as_str().unwrap_or_else(|| panic!("{rule}: settled as {answer}"));
    let clause = format!("({} {rule})", book.citation);
    assert!(error.starts_with(place), "{error}\nshould be about {place}");
    assert!(error.contains(why), "{error}\nshould say {why:?}");
    assert!(error.contains(&clause), "{error}\nshould cite {clause}");
}

fn irregular(irregularity: Value) -> impl Fn(&mut Value) {
    move |record| record["irregularities"] = json!([irregularity])
}

/// Checks that the wagers of these positions are returned under a rule, and that those of the others are not.
fn returned(answer: &Value, rule: &str, positions: &[u64]) {
    assert_eq!(answer["round"], "settled", "{answer}");
    for position in answer["positions"].as_array().expect("positions") {
        let number = position["position"].as_u64().expect("a number");
        let ante = &position["areas"]["ante"];
        let is_returned = ante["outcome"] == "returned" && ante["clause"] == rule;
        assert_eq!(is_returned, positions.contains(&number), "position {number} of {answer}");
    }
}

/// 5.16.1: a Player withdraws all wagers or none.
#[test]
fn a_player_withdraws_from_every_position_or_none() {
    for book in BOOKS {
        let failure = |withdraw: &[u8]| irregular(json!({ "kind": "power-failure", "withdraw": withdraw }));
        is_wrong(book, failure(&[1]), "irregularities[0].withdraw", "Ann stays in on position 2", "5.16.1");
        is_wrong(
            book,
            failure(&[2, 3]),
            "irregularities[0].withdraw",
            "Ann stays in on position 1",
            "5.16.1",
        );
        returned(&answer(book, failure(&[1, 2])), "5.16.1", &[1, 2]);
        returned(&answer(book, failure(&[3])), "5.16.1", &[3]);
        returned(&answer(book, failure(&[])), "5.16.1", &[]);
    }
}

/// 5.7.1 speaks of a Player's wager, as 5.16.1 does: all or none. The hand that was wrong is out already.
#[test]
fn a_player_withdraws_everywhere_after_a_wrong_hand_too() {
    for book in BOOKS {
        let wrong = |position: u8, withdraw: &[u8]| {
            irregular(json!({ "kind": "player-count", "position": position, "withdraw": withdraw }))
        };
        is_wrong(book, wrong(3, &[1]), "irregularities[0].withdraw", "Ann stays in on position 2", "5.7.1");
        returned(&answer(book, wrong(3, &[1, 2])), "5.7.1", &[1, 2]);
        returned(&answer(book, wrong(1, &[2])), "5.7.1", &[2]);
        returned(&answer(book, wrong(1, &[1, 2])), "5.7.1", &[2]);
    }
}

/// 5.16.2: a fold and a declined comparison are outcomes.
#[test]
fn nobody_withdraws_a_hand_that_has_lost() {
    for book in BOOKS {
        let failure = irregular(json!({ "kind": "power-failure", "withdraw": [3] }));
        let folded = |record: &mut Value| {
            record["positions"][2] = folded(&record["positions"][2]);
            failure(record);
        };
        is_wrong(book, folded, "irregularities[0].withdraw", "position 3 had folded", "5.16.2");
        let declined = |record: &mut Value| {
            record["positions"][2]["declines"] = json!(true);
            failure(record);
        };
        is_wrong(book, declined, "irregularities[0].withdraw", "declined comparison", "5.16.2");
    }
}

/// 5.16.2: a Player who wagered on the Turn saw every fold before the flop. One who only stayed in may have withdrawn
/// before anybody folded.
#[test]
fn a_wager_after_a_fold_shows_that_an_outcome_was_established() {
    for book in [MTHB9, MTHB6, THB6] {
        let failure = irregular(json!({ "kind": "power-failure", "withdraw": [3] }));
        let record = |turn: &'static str, river: &'static str| {
            let failure = &failure;
            move |record: &mut Value| {
                record["positions"][0] = folded(&record["positions"][0]);
                record["positions"][2]["turn"] = json!(turn);
                record["positions"][2]["river"] = json!(river);
                failure(record);
            }
        };
        is_wrong(
            book,
            record("bet", "check"),
            "irregularities[0].withdraw",
            "by the wager on Turn",
            "5.16.2",
        );
        is_wrong(
            book,
            record("check", "bet"),
            "irregularities[0].withdraw",
            "by the wager on River",
            "5.16.2",
        );
        returned(&answer(book, record("check", "check")), "5.16.1", &[3]);
    }
}

/// 5.16.2: three cards of three suits that are far apart decide every Jackpot wager before the Turn.
#[test]
fn a_board_that_decides_the_jackpot_establishes_an_outcome() {
    for book in [MTHB9, MTHB6] {
        let record = |suits: [&'static str; 5]| {
            move |record: &mut Value| {
                record["community"] = json!(suits);
                record["positions"][0]["jackpot"] = json!(1);
                record["positions"][2]["turn"] = json!("bet");
                record["irregularities"] = json!([{ "kind": "power-failure", "withdraw": [3] }]);
            }
        };
        let apart = record(["Jc", "7d", "2h", "Qs", "9s"]);
        is_wrong(book, apart, "irregularities[0].withdraw", "by the wager on Turn", "5.16.2");
        let flush_draw = record(["Jc", "7c", "2c", "Qs", "9s"]);
        returned(&answer(book, flush_draw), "5.16.1", &[3]);
    }
}

/// 5.9: any existing wager of the Player is returned, whichever position the record names.
#[test]
fn a_prohibited_player_is_out_of_every_position() {
    for book in BOOKS {
        let prohibited =
            |positions: &[u8]| irregular(json!({ "kind": "prohibited", "positions": positions }));
        returned(&answer(book, prohibited(&[1])), "5.9", &[1, 2]);
        returned(&answer(book, prohibited(&[2])), "5.9", &[1, 2]);
        returned(&answer(book, prohibited(&[3])), "5.9", &[3]);
        is_wrong(book, prohibited(&[]), "irregularities[0].positions", "nobody is named", "5.9");
    }
}

/// 5.10: one Player's hands, and one of them plays on.
#[test]
fn several_hands_are_hands_of_one_player_and_one_plays_on() {
    for book in BOOKS {
        let several = |invalid: &[u8]| irregular(json!({ "kind": "several-hands", "invalid": invalid }));
        is_wrong(book, several(&[3]), "irregularities[0].invalid", "Bob has one hand", "5.10");
        is_wrong(book, several(&[1, 3]), "irregularities[0].invalid", "Bob has one hand", "5.10");
        is_wrong(book, several(&[1, 2]), "irregularities[0].invalid", "all hands of Ann", "5.10");
        is_wrong(book, several(&[]), "irregularities[0].invalid", "no hand is named", "5.10.1");
        returned(&answer(book, several(&[1])), "5.10", &[1]);
        returned(&answer(book, several(&[2])), "5.10", &[2]);
        let both = |record: &mut Value| {
            record["irregularities"] = json!([
                { "kind": "several-hands", "invalid": [1] },
                { "kind": "several-hands", "invalid": [2] }
            ]);
        };
        is_wrong(book, both, "irregularities[1].invalid", "all hands of Ann", "5.10");
    }
}

/// Names of positions instead of Players: such a record does not say who controlled which hands.
#[test]
fn without_a_player_on_several_positions_the_record_is_taken_at_its_word() {
    for book in BOOKS {
        let mut record = table(book, &["P1", "P2", "P3"]);
        record["irregularities"] = json!([{ "kind": "several-hands", "invalid": [2] }]);
        returned(&answers(&record.to_string())[0], "5.10", &[2]);
    }
}

/// 5.4 begins with one card.
#[test]
fn no_exposed_card_is_no_irregularity() {
    for book in BOOKS {
        let exposed = |count: u8| irregular(json!({ "kind": "cards-exposed", "count": count }));
        is_wrong(book, exposed(0), "irregularities[0].count", "no card was exposed", "5.4");
        returned(&answer(book, exposed(1)), "5.4", &[]);
        assert_eq!(answer(book, exposed(2))["round"], "void");
    }
}

/// 5.12.2: a Jackpot wager alone has no hand, so it has no cards and no decision, and no hand of it can be wrong.
#[test]
fn a_jackpot_wager_alone_has_no_hand() {
    for book in BOOKS {
        let alone = |record: &mut Value| {
            record["positions"][2] = json!({ "position": 3, "player": "Bob", "jackpot": 1 });
        };
        let answered = answer(book, alone);
        let jackpot = &answered["positions"][2]["areas"]["jackpot"];
        assert_eq!((&jackpot["outcome"], &jackpot["clause"]), (&json!("returned"), &json!("5.12.2")));
        let decided = |record: &mut Value| {
            alone(record);
            record["positions"][2]["decision"] = json!("bet");
        };
        is_wrong(book, decided, "positions[2].decision", "has no hand", "5.12.2");
        let dealt = |record: &mut Value| {
            let cards = record["positions"][2]["cards"].clone();
            alone(record);
            record["positions"][2]["cards"] = cards;
        };
        is_wrong(book, dealt, "positions[2].cards", "has no hand", "5.12.2");
        for (irregularity, place, rule) in [
            (json!({ "kind": "player-count", "position": 3, "withdraw": [] }), "position", "5.7"),
            (json!({ "kind": "several-hands", "invalid": [3] }), "invalid", "5.10"),
        ] {
            let record = |record: &mut Value| {
                alone(record);
                record["irregularities"] = json!([irregularity]);
            };
            is_wrong(book, record, &format!("irregularities[0].{place}"), "it has no hand", rule);
        }
    }
}

/// Only a position of the record can be named.
#[test]
fn an_irregularity_names_positions_with_wagers() {
    let unknown = answer(MSSP9, irregular(json!({ "kind": "prohibited", "positions": [4] })));
    assert_eq!(unknown["error"], "irregularities[0]: position 4 has no wager in this record");
}

/// A hand that folds has no later decision.
fn folded(hand: &Value) -> Value {
    let mut hand = hand.clone();
    let fields = hand.as_object_mut().expect("a position is an object");
    fields.retain(|name, _| !["turn", "river", "declines"].contains(&name.as_str()));
    hand["decision"] = json!("fold");
    hand
}
