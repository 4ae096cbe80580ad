//! Every irregularity that a table can meet, as a record says it: decided by hand from the rule texts, in the books
//! that have the rule.

use serde_json::{Value, json};

use crate::answers;
use crate::tables::{BOOKS, Book, MSSP9, MTHB6, MTHB9, THB6, table};

/// Settles a round of Ann on position 1, Bob on 2 and Ann again on 3, with a change.
fn settled(book: Book, change: impl Fn(&mut Value)) -> Value {
    let mut record = table(book, &["Ann", "Bob", "Ann"]);
    change(&mut record);
    answers(&record.to_string()).remove(0)
}

/// The first decision of a game: on the Flop, or on the Bet.
fn first(book: Book) -> &'static str {
    if book.stud { "bet" } else { "flop" }
}

/// Removes what a Player never decided.
fn undecided(record: &mut Value, places: &[usize]) {
    for place in places {
        let seat = record["positions"][*place].as_object_mut().expect("a position is an object");
        seat.retain(|name, _| !["decision", "turn", "river"].contains(&name.as_str()));
    }
}

/// How a wager ended, such as `returned 5.7`.
fn end(answer: &Value, place: usize, area: &str) -> String {
    let wager = &answer["positions"][place]["areas"][area];
    let text = |field: &str| wager[field].as_str().unwrap_or("nothing").to_owned();
    assert!(answer["error"].is_null(), "{answer}");
    format!("{} {}", text("outcome"), text("clause"))
}

fn antes(answer: &Value) -> [String; 3] {
    [0, 1, 2].map(|place| end(answer, place, "ante"))
}

/// The result of a losing hand, by its book.
fn lost(book: Book) -> String {
    format!("collected {}", if book.stud { "3.10.3.2" } else { "3.10.3" })
}

fn is_void(answer: &Value, rule: &str) {
    assert_eq!(answer["round"], "void", "{answer}");
    assert_eq!(antes(answer), [(); 3].map(|()| format!("returned {rule}")));
}

fn is_wrong(book: Book, answer: &Value, why: &str, rule: &str) {
    let error = answer["error"].as_str().unwrap_or_else(|| panic!("{rule}: settled as {answer}"));
    assert!(error.contains(why), "{error}\nshould say {why:?}");
    let clause = format!("({} {rule})", book.citation);
    assert!(error.contains(&clause), "{error}\nshould cite {clause}");
}

/// 5.1.1: whatever is wrong with the cards, at any moment of the round. 5.1.2: not once it is settled.
#[test]
fn bad_cards_void_the_round() {
    for book in BOOKS {
        for fault in ["extra", "missing", "foreign", "unshuffled"] {
            for at in ["bets", "dealing", first(book), "showing", "settling"] {
                let answer = settled(book, |record| {
                    record["irregularities"] = json!([{ "kind": "bad-cards", "fault": fault, "at": at }]);
                    if ["bets", "dealing", first(book)].contains(&at) {
                        undecided(record, &[0, 1, 2]);
                    }
                });
                is_void(&answer, "5.1.1");
            }
        }
        let late = settled(book, |record| {
            record["irregularities"] =
                json!([{ "kind": "bad-cards", "fault": "foreign", "at": "concluded" }]);
        });
        is_wrong(book, &late, "", "5.1.2");
    }
}

/// 5.8: a count that proves right changes nothing; a wrong one voids the round, after the settlement too.
#[test]
fn a_count_decides() {
    for book in BOOKS {
        for at in [None, Some("settling"), Some("concluded")] {
            let counted = |cards: u8| {
                settled(book, |record| {
                    record["irregularities"] = json!([{ "kind": "deck-count", "counted": cards }]);
                    if let Some(at) = at {
                        record["irregularities"][0]["at"] = json!(at);
                    }
                })
            };
            assert_eq!(antes(&counted(52)), [lost(book), lost(book), lost(book)]);
            is_void(&counted(51), "5.8");
            is_void(&counted(53), "5.8");
        }
    }
}

/// 5.2: complete hands that lie one position too far are moved; anything else voids the round. Once a Player has
/// decided, it is too late.
#[test]
fn a_misdeal_is_reconstructed_or_voids() {
    for book in BOOKS {
        let hand = if book.stud { 5 } else { 2 };
        let piles = |positions: [u8; 3]| {
            let piles = positions.map(|position| json!({ "position": position, "cards": hand }));
            json!(piles)
        };
        let misdeal = |irregularity: Value| {
            settled(book, move |record| record["irregularities"] = json!([irregularity]))
        };
        let moved = json!({ "kind": "misdeal", "piles": piles([2, 3, 4]), "reconstructed": true });
        assert_eq!(antes(&misdeal(moved.clone())), [lost(book), lost(book), lost(book)]);
        is_void(&misdeal(json!({ "kind": "misdeal", "piles": piles([2, 3, 4]) })), "5.2");
        is_void(&misdeal(json!({ "kind": "misdeal" })), "5.2");
        let mut short = moved.clone();
        short["piles"][0]["cards"] = json!(1);
        is_wrong(book, &misdeal(short), "moving complete hands does not correct", "5.2");
        let mut right = moved.clone();
        right["piles"] = piles([1, 2, 3]);
        is_wrong(book, &misdeal(right), "", "5.2");
        let mut late = moved;
        late["at"] = json!("settling");
        is_wrong(book, &misdeal(late), "", "5.2");
    }
}

/// 5.3: corrected, nothing changes; not corrected, the round is void, if noticed before the next round.
#[test]
fn a_wrong_number_on_the_table() {
    for book in BOOKS {
        for at in [first(book), "settling", "concluded"] {
            let answer = |reconstructed: bool| {
                settled(book, |record| {
                    let kind = "dealer-or-community-count";
                    record["irregularities"] =
                        json!([{ "kind": kind, "reconstructed": reconstructed, "at": at }]);
                    if !reconstructed && at == first(book) {
                        undecided(record, &[0, 1, 2]);
                    }
                })
            };
            assert_eq!(antes(&answer(true)), [lost(book), lost(book), lost(book)]);
            is_void(&answer(false), "5.3");
        }
    }
}

/// 5.4: the second card voids the round, also if the first was exposed before.
#[test]
fn cards_exposed_one_by_one() {
    for book in BOOKS {
        let answer = |count: usize| {
            settled(book, |record| {
                let one = json!({ "kind": "cards-exposed", "count": 1, "at": "dealing", "dealt": 2 });
                record["irregularities"] = json!(vec![one; count]);
                if 1 < count {
                    undecided(record, &[0, 1, 2]);
                }
            })
        };
        assert_eq!(antes(&answer(1)), [lost(book), lost(book), lost(book)]);
        is_void(&answer(2), "5.4");
    }
}

/// 5.5: a late wager is refused, so it does not exist. While bets are open it would not be late.
#[test]
fn a_late_wager_is_refused() {
    for book in BOOKS {
        let late = |at: &'static str| {
            settled(book, move |record| {
                record["irregularities"] = json!([{ "kind": "late-wager", "position": 2, "area": "jackpot", "amount": 500, "at": at }]);
            })
        };
        let answer = late("dealing");
        assert_eq!(antes(&answer), [lost(book), lost(book), lost(book)]);
        assert!(answer["positions"][1]["areas"].get("jackpot").is_none(), "{answer}");
        is_wrong(book, &late("bets"), "bets were open", "5.5");
    }
}

/// 5.6: a wager that is taken off late wins or loses.
#[test]
fn a_wager_taken_off_late_still_plays() {
    for book in BOOKS {
        let removed = |area: &'static str, at: &'static str| {
            settled(book, move |record| {
                record["irregularities"] =
                    json!([{ "kind": "late-removal", "position": 2, "area": area, "at": at }]);
            })
        };
        assert_eq!(end(&removed("ante", "dealing"), 1, "ante"), lost(book));
        assert_eq!(end(&removed(first(book), "settling"), 1, first(book)), lost(book));
        is_wrong(book, &removed("ante", "bets"), "bets were open", "5.6");
        is_wrong(book, &removed("jackpot", "dealing"), "", "3.4.2");
    }
}

/// 5.7 and 5.7.1: the wrong hand is out unless it was corrected; the others may withdraw, until the next round begins.
#[test]
fn a_wrong_hand_and_who_withdraws() {
    for book in BOOKS {
        let count = |reconstructed: bool, withdraw: &'static [u8], at: &'static str| {
            settled(book, move |record| {
                record["irregularities"] = json!([{
                    "kind": "player-count", "position": 2, "reconstructed": reconstructed,
                    "withdraw": withdraw, "at": at
                }]);
            })
        };
        for at in ["settling", "concluded"] {
            assert_eq!(antes(&count(false, &[], at)), [lost(book), "returned 5.7".to_owned(), lost(book)]);
            let [ann, bob, again] = antes(&count(false, &[1, 3], at));
            assert_eq!((&*ann, &*bob, &*again), ("returned 5.7.1", "returned 5.7", "returned 5.7.1"));
            assert_eq!(antes(&count(true, &[], at)), [lost(book), lost(book), lost(book)]);
            is_wrong(book, &count(true, &[1, 3], at), "", "5.7.1");
        }
    }
}

/// 5.9: a Player without a position of their own is named, and only that share is returned.
#[test]
fn a_prohibited_share_is_returned() {
    for book in BOOKS {
        let answer = settled(book, |record| {
            share(record, 0, "Zoe", 2500);
            record["irregularities"] =
                json!([{ "kind": "prohibited", "players": ["Zoe"], "at": "dealing", "dealt": 1 }]);
        });
        assert_eq!(antes(&answer), [lost(book), lost(book), lost(book)]);
        let shares = &answer["positions"][0]["areas"]["ante"]["shares"];
        let zoe = json!({
            "player": "Zoe", "staked": 2500, "paid": 0, "returned": 2500, "collected": 0,
            "outcome": "returned", "clause": "5.9"
        });
        assert_eq!(shares[1], zoe);
        let after = &answer["positions"][0]["areas"][first(book)];
        assert_eq!((&after["staked"], &after["collected"]), (&json!(10_000), &json!(10_000)));
        let unknown = settled(book, |record| {
            record["irregularities"] = json!([{ "kind": "prohibited", "players": ["Zoe"] }]);
        });
        assert_eq!(unknown["error"], "irregularities[0]: Zoe has no wager in this record");
    }
}

/// 5.10.1: viewed hands play on, however many; 5.10.2: if none was viewed, the first dealt plays on.
#[test]
fn several_hands_viewed_or_not() {
    for book in BOOKS {
        let several = |invalid: &'static [u8], viewed: Option<&'static [u8]>| {
            settled(book, move |record| {
                let mut irregularity =
                    json!({ "kind": "several-hands", "invalid": invalid, "at": first(book) });
                if let Some(viewed) = viewed {
                    irregularity["viewed"] = json!(viewed);
                }
                record["irregularities"] = json!([irregularity]);
                let out: Vec<usize> = invalid.iter().map(|position| usize::from(*position) - 1).collect();
                undecided(record, &out);
            })
        };
        let out = "returned 5.10.1".to_owned();
        assert_eq!(antes(&several(&[1], Some(&[3]))), [out.clone(), lost(book), lost(book)]);
        assert_eq!(antes(&several(&[3], Some(&[1]))), [lost(book), lost(book), out]);
        let unviewed = antes(&several(&[3], None));
        assert_eq!(unviewed, [lost(book), lost(book), "returned 5.10.2".to_owned()]);
        is_wrong(book, &several(&[1], None), "", "5.10.2");
        is_wrong(book, &several(&[1], Some(&[1])), "was viewed", "5.10.1");
        is_wrong(book, &several(&[2], None), "Bob has one hand", "5.10");
        is_wrong(book, &several(&[1, 3], Some(&[])), "all hands of Ann", "5.10");
    }
    let two_viewed = settled(MTHB9, |record| {
        record["positions"][1]["player"] = json!("Ann");
        record["irregularities"] =
            json!([{ "kind": "several-hands", "invalid": [3], "viewed": [1, 2], "at": "flop" }]);
        undecided(record, &[2]);
    });
    assert_eq!(antes(&two_viewed), [lost(MTHB9), lost(MTHB9), "returned 5.10.1".to_owned()]);
}

/// 5.10.3, with the reading `action-stopped`: before the first decision the hands are out, later they check.
#[test]
fn a_stopped_player_decides_no_more() {
    for book in BOOKS {
        let before = settled(book, |record| {
            record["irregularities"] =
                json!([{ "kind": "action-stopped", "player": "Ann", "at": first(book) }]);
            undecided(record, &[0, 2]);
        });
        let out = "returned 5.10.3".to_owned();
        assert_eq!(antes(&before), [out.clone(), lost(book), out]);
        let decided = settled(book, |record| {
            record["irregularities"] =
                json!([{ "kind": "action-stopped", "player": "Ann", "at": first(book) }]);
        });
        is_wrong(book, &decided, "no longer the Player's to decide", "5.10.3");
        let when = settled(book, |record| {
            record["irregularities"] = json!([{ "kind": "action-stopped", "player": "Ann" }]);
        });
        is_wrong(book, &when, "is missing", "5.10.3");
    }
    for book in [MTHB9, MTHB6, THB6] {
        let later = settled(book, |record| {
            for place in [0, 2] {
                record["positions"][place]["turn"] = json!("bet");
                record["positions"][place].as_object_mut().expect("an object").remove("river");
            }
            record["irregularities"] = json!([{ "kind": "action-stopped", "player": "Ann", "at": "river" }]);
        });
        assert_eq!(end(&later, 0, "turn"), lost(book));
        assert_eq!(end(&later, 0, "river"), "nothing nothing");
    }
}

/// 5.11: absent later counts as a check.
#[test]
fn a_player_who_leaves_after_the_flop_checks() {
    for book in [MTHB9, MTHB6, THB6] {
        let answer = settled(book, |record| {
            record["positions"][1]["turn"] = json!("absent");
            record["positions"][1]["river"] = json!("absent");
        });
        assert_eq!(end(&answer, 1, "flop"), lost(book));
        assert_eq!(end(&answer, 1, "turn"), "nothing nothing");
    }
}

/// Reading `silence`: a fold, then a check.
#[test]
fn silence_folds_and_then_checks() {
    for book in BOOKS {
        let answer = settled(book, |record| {
            undecided(record, &[1]);
            record["positions"][1]["decision"] = json!("silent");
        });
        assert_eq!(end(&answer, 1, "ante"), "collected 3.9.1");
    }
    let later = settled(MTHB9, |record| record["positions"][1]["turn"] = json!("silent"));
    assert_eq!(end(&later, 1, "turn"), "nothing nothing");
    assert_eq!(end(&later, 1, "flop"), lost(MTHB9));
}

/// 5.16: while nothing is won or lost Players may withdraw; after a fold nobody may.
#[test]
fn a_power_failure_in_the_middle_of_the_decisions() {
    for book in BOOKS {
        let failure = |decided: &'static [u8], decision: &'static str| {
            settled(book, move |record| {
                undecided(record, &[0, 2]);
                if decision == "fold" {
                    undecided(record, &[1]);
                }
                record["positions"][1]["decision"] = json!(decision);
                record["irregularities"] = json!([
                    { "kind": "power-failure", "withdraw": [1, 3], "at": first(book), "decided": decided }
                ]);
            })
        };
        let out = "returned 5.16.1".to_owned();
        assert_eq!(antes(&failure(&[2], "bet")), [out.clone(), lost(book), out.clone()]);
        assert_eq!(antes(&failure(&[], "fold")), [out.clone(), "collected 3.9.1".to_owned(), out]);
        is_wrong(book, &failure(&[2], "fold"), "", "5.16.2");
        let named = settled(book, |record| {
            undecided(record, &[1]);
            record["irregularities"] = json!([
                { "kind": "power-failure", "at": "dealing", "dealt": 3 },
                { "kind": "withdrawal", "player": "Bob", "under": "5.16.1", "at": "dealing", "dealt": 3 }
            ]);
        });
        assert_eq!(antes(&named), [lost(book), "returned 5.16.1".to_owned(), lost(book)]);
    }
}

/// 6.1: a ruling ends a wager or a hand, in the round and after it.
#[test]
fn a_ruling_has_its_effects() {
    for book in BOOKS {
        for at in ["settling", "concluded"] {
            let ruled = |effects: Value| {
                settled(book, move |record| {
                    record["irregularities"] = json!([
                        { "kind": "ruling", "words": "The cards were mixed up.", "effects": effects, "at": at }
                    ]);
                })
            };
            let [ann, ..] = antes(&ruled(json!([{ "hand-out": { "position": 1 } }])));
            assert_eq!(ann, "returned 6.1");
            let paid =
                json!([{ "wager": { "position": 2, "area": "ante", "outcome": { "paid": "1 to 1" } } }]);
            let answer = ruled(paid);
            assert_eq!(end(&answer, 1, "ante"), "paid 6.1");
            assert_eq!(answer["positions"][1]["areas"]["ante"]["paid"], 5000);
            is_void(&ruled(json!(["void"])), "6.1");
            assert_eq!(antes(&ruled(json!([]))), [lost(book), lost(book), lost(book)]);
        }
        let wordless = settled(book, |record| {
            record["irregularities"] = json!([{ "kind": "ruling", "words": " ", "effects": ["void"] }]);
        });
        is_wrong(book, &wordless, "", "6.1");
    }
}

/// 3.4: each Player's wagers follow their own Ante, and each is paid by share. 3.5.4: the Jackpot wager is the seated
/// Player's.
#[test]
fn shared_wagers_are_settled_by_share() {
    for book in BOOKS {
        let answer = settled(book, |record| {
            share(record, 0, "Zoe", 2500);
            record["positions"][0]["jackpot"] = json!(1);
            let (best, worst) = (["Kc", "Kd"], ["Qc", "Qd"]);
            for (at, card) in best.iter().enumerate() {
                record["positions"][0]["cards"][at] = json!(card);
                record["dealer"][at] = json!(worst[at]);
            }
        });
        let area = &answer["positions"][0]["areas"][first(book)];
        let paid = |place: usize| area["shares"][place]["paid"].as_u64().expect("an amount");
        assert_eq!((paid(0), paid(1)), (10_000, 5000), "{answer}");
        assert_eq!((&area["staked"], &area["paid"]), (&json!(15_000), &json!(15_000)));
        let jackpot = &answer["positions"][0]["areas"]["jackpot"];
        assert_eq!((&jackpot["staked"], jackpot.get("shares")), (&json!(500), None));
    }
    let twice = settled(MTHB9, |record| {
        share(record, 0, "Ann", 2500);
    });
    is_wrong(MTHB9, &twice, "", "3.4.2");
    let both = settled(MTHB9, |record| {
        share(record, 0, "Zoe", 2500);
        record["positions"][0]["ante"] = json!(5000);
    });
    let error = both["error"].as_str().expect("it is an error");
    assert!(error.starts_with("positions[0].shares: give either"), "{error}");
}

/// 3.4: a terminal keeps credits within the limits; 3.5.3: the Jackpot wager is placed as the book allows.
#[test]
fn credits_are_within_the_limits() {
    for book in BOOKS {
        let credits = |amount: u64| {
            settled(book, move |record| {
                record["positions"][0]["ante"] = json!(amount);
                record["positions"][0]["means"] = json!({ "ante": "credits" });
            })
        };
        assert_eq!(end(&credits(2500), 0, "ante"), lost(book));
        is_wrong(book, &credits(2499), "under the minimum", "3.4");
        is_wrong(book, &credits(100_001), "", "3.4");
    }
}

/// 3.4.1 and 3.4.3: who was not told, and who is restricted, has one position. 5.9: who is prohibited has none.
#[test]
fn what_the_table_remembers_of_its_players() {
    for book in [MTHB9, MSSP9] {
        let told = settled(book, |record| record["table"]["informed"] = json!(["Ann"]));
        assert_eq!(antes(&told), [lost(book), lost(book), lost(book)]);
        is_wrong(book, &settled(book, |record| record["table"]["informed"] = json!([])), "", "3.4.1");
    }
    for book in BOOKS {
        is_wrong(book, &settled(book, |record| record["table"]["restricted"] = json!(["Ann"])), "", "3.4.3");
        is_wrong(book, &settled(book, |record| record["table"]["prohibited"] = json!(["Bob"])), "", "5.9");
    }
}

/// The appendices: a layout has so many positions.
#[test]
fn a_layout_has_its_positions() {
    let layout = |book: Book, letter: &'static str, positions: u8| {
        settled(book, move |record| {
            record["table"]["layout"] = json!(letter);
            record["table"]["positions"] = json!(positions);
        })
    };
    for (book, positions) in [(MTHB9, 6), (MTHB6, 6), (MSSP9, 7), (THB6, 7)] {
        assert_eq!(layout(book, "A", positions)["round"], "settled");
    }
    let error = layout(MTHB9, "A", 7)["error"].as_str().expect("layout A has six").to_owned();
    assert!(error.starts_with("table.layout: it does not have 7 positions (MTHB9 "), "{error}");
    assert_eq!(layout(MTHB9, "C", 7)["round"], "settled");
    assert_eq!(layout(THB6, "B", 6)["error"], "table.layout: this rulebook has no layout 'B'");
}

/// Every dealing method of a book gives the same settlement: the cards are where they are.
#[test]
fn every_dealing_method_settles_alike() {
    for book in rulebook::embedded() {
        let of = BOOKS.into_iter().find(|of| of.id == book.id).expect("a book of the tests");
        let plain = settled(of, |_| {});
        for method in &book.methods {
            let name = method.name.clone();
            assert_eq!(settled(of, |record| record["table"]["method"] = json!(name)), plain);
        }
    }
}

/// A card that nobody read is only an error where it decides something.
#[test]
fn a_card_that_nobody_read() {
    for book in BOOKS {
        let unread = |decision: &'static str| {
            settled(book, move |record| {
                if decision == "fold" {
                    undecided(record, &[1]);
                }
                record["positions"][1]["decision"] = json!(decision);
                record["positions"][1]["cards"][0] = Value::Null;
            })
        };
        assert_eq!(end(&unread("fold"), 1, "ante"), "collected 3.9.1");
        let error = unread("bet")["error"].as_str().expect("its cards are compared").to_owned();
        assert!(error.starts_with("positions[1].cards: "), "{error}");
    }
}

/// Irregularities stand in the order in which they happened, at stages that the round had.
#[test]
fn irregularities_are_in_order() {
    for book in BOOKS {
        let order = settled(book, |record| {
            record["irregularities"] = json!([
                { "kind": "deck-count", "counted": 52, "at": "settling" },
                { "kind": "deck-count", "counted": 52, "at": first(book) }
            ]);
        });
        let error = order["error"].as_str().expect("the order is wrong");
        assert!(error.starts_with("irregularities[1].at: "), "{error}");
        let never = settled(book, |record| {
            let other = if book.stud { "river" } else { "up-card" };
            record["irregularities"] = json!([{ "kind": "deck-count", "counted": 52, "at": other }]);
        });
        let error = never["error"].as_str().expect("the round never was there");
        assert!(error.starts_with("irregularities[0].at: "), "{error}");
    }
}

/// Makes the Ante of a position one of two shares.
fn share(record: &mut Value, place: usize, player: &str, ante: u64) {
    let seat = &mut record["positions"][place];
    let holder = seat["player"].clone();
    seat["shares"] = json!([{ "player": holder, "ante": 5000 }, { "player": player, "ante": ante }]);
    seat.as_object_mut().expect("an object").remove("ante");
}
