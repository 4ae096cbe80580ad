//! What is not read, and why. A text that is read but not written so is told apart by `is_canonical`.

use journal::{Body, decode, is_canonical, transfers_from_text};

fn body(kind: &str, json: &str) -> Body {
    Body { kind: kind.to_owned(), json: json.to_owned() }
}

/// Checks that a body is refused with a sentence that has these words, under its kind.
fn refused(kind: &str, json: &str, words: &str) {
    match decode(&body(kind, json)) {
        Ok(event) => panic!("{json} was read as {event:?}"),
        Err(error) => {
            assert_eq!(error.kind, kind);
            assert!(error.what.contains(words), "{json}: {error}");
        }
    }
}

#[test]
fn unknown_kinds() {
    refused("table.round.v2", "\"bets-opened\"", "does not know this kind");
    refused("", "\"bets-opened\"", "does not know this kind");
    refused("table.v1", "\"bets-opened\"", "unknown variant");
}

#[test]
fn a_round_or_a_meter_under_another_kind() {
    refused("table.v1", "{\"round\":\"bets-opened\"}", "unknown variant `round`");
    refused("link.v1", "{\"jackpot\":{\"table-lost\":{\"table\":\"7\"}}}", "unknown variant `jackpot`");
}

#[test]
fn malformed_events_of_a_round() {
    let rows = [
        ("", "EOF"),
        ("null", "expected"),
        ("\"bets-opened\" ]", "trailing characters"),
        ("\"no-such-thing\"", "unknown variant"),
        ("{\"position-left\":{\"position\":1,\"colour\":2}}", "unknown field `colour`"),
        ("{\"position-left\":{}}", "missing field `position`"),
        ("{\"position-left\":{\"position\":1,\"position\":1}}", "duplicate field `position`"),
        ("{\"position-left\":{\"position\":256}}", "256"),
        ("{\"position-left\":{\"position\":-1}}", "-1"),
        ("{\"position-left\":{\"position\":1.0}}", "floating point"),
        ("{\"position-left\":{\"position\":\"1\"}}", "expected u8"),
        ("{\"card-dealt\":{\"place\":{\"dealer\":0},\"card\":\"1s\"}}", "not a card"),
        ("{\"card-dealt\":{\"place\":{\"dealer\":0},\"card\":\"10s\"}}", "not a card"),
        ("{\"card-dealt\":{\"place\":{\"player\":[1]},\"card\":\"As\"}}", "invalid length 1"),
        ("{\"card-dealt\":{\"place\":{\"player\":[1,2,3]},\"card\":\"As\"}}", "trailing"),
        ("{\"round-voided\":{\"rule\":\"5\"}}", "not a rule"),
        ("{\"round-voided\":{\"rule\":\"MTHB9 5.1\"}}", "not a rule"),
        ("{\"exposed\":{\"what\":\"Flop-cards\"}}", "unknown variant"),
        ("{\"player-informed\":{\"player\":7}}", "expected a text"),
    ];
    for (json, words) in rows {
        refused("table.round.v1", json, words);
    }
}

#[test]
fn figures_out_of_range() {
    let claim = |percent: u32| {
        format!(
            "{{\"settled\":{{\"settlement\":{{\"lines\":[],\"claims\":[{{\"position\":1,\"owner\":\"a\",\"hand\":\"royal-flush\",\
             \"cards\":\"hand\",\"percent\":{percent},\"rule\":\"4.2\"}}],\"warned\":[]}}}}}}"
        )
    };
    assert!(decode(&body("table.round.v1", &claim(100))).is_ok());
    refused("table.round.v1", &claim(0), "not a percentage");
    refused("table.round.v1", &claim(101), "not a percentage");
    refused("table.round.v1", &claim(356), "356");

    let settings = |contribution: u32, reset: u32, cap: u32| {
        format!(
            "{{\"settings-applied\":{{\"settings\":{{\"minimum_wager\":500,\"contribution\":{contribution},\"reset\":{reset},\
             \"cap\":{cap},\"round_contribution_max\":100000000}}}}}}"
        )
    };
    assert!(decode(&body("link.jackpot.v1", &settings(2_300, 10_000, 20_000))).is_ok());
    refused("link.jackpot.v1", &settings(10_001, 10_000, 20_000), "more than the whole wager");
    refused("link.jackpot.v1", &settings(2_300, 0, 20_000), "reset: must be more than zero");
    refused("link.jackpot.v1", &settings(2_300, 10_000, 9_999), "cap: must be at least the reset amount");
}

#[test]
fn digests() {
    let opened = |seed: &str| format!("{{\"shuffle-opened\":{{\"seed\":\"{seed}\"}}}}");
    assert_eq!(is_canonical(&body("table.v1", &opened(&"0f".repeat(32)))), Ok(true));
    for seed in ["0f".repeat(31), "0f".repeat(33), "0g".repeat(32), "+f".repeat(32), "é".repeat(32)] {
        refused("table.v1", &opened(&seed), "64 hexadecimal digits");
    }
    refused("table.v1", &opened(&"0F".repeat(32)), "64 hexadecimal digits");
}

/// Texts that are read, and are not how their event is written.
#[test]
fn texts_that_are_not_canonical() {
    let rows = [
        " \"bets-opened\"",
        "{\"bets-opened\":null}",
        "{\"position-left\": {\"position\":1}}",
        "{\"position-taken\":{\"player\":\"anna\",\"position\":1}}",
        "{\"player-informed\":{\"player\":\"\\u0061nna\"}}",
        "{\"card-dealt\":{\"place\":{\"dealer\":0},\"card\":null}}",
    ];
    for json in rows {
        assert_eq!(is_canonical(&body("table.round.v1", json)), Ok(false), "{json}");
    }
}

#[test]
fn malformed_transfers() {
    let rows = [
        "[]",
        " ",
        "null",
        "[[\"wager\",\"wallet/anna\",\"table/7\",1]",
        "[[\"wager\",\"wallet/anna\",\"table/7\", 1]]",
        "[[\"wager\",\"wallet/anna\",\"table/7\",0]]",
        "[[\"wager\",\"wallet/anna\",\"table/7\",-1]]",
        "[[\"wager\",\"wallet/anna\",\"table/7\",9223372036854775808]]",
        "[[\"wager\",\"wallet/anna\",\"table/7\"]]",
        "[[\"wager\",\"wallet/anna\",\"table/7\",1,1]]",
        "[[\"wages\",\"wallet/anna\",\"table/7\",1]]",
        "[[\"link.wager\",\"wallet/anna\",\"table/7\",1]]",
        "[[\"wager\",\"purse/anna\",\"table/7\",1]]",
        "[[\"wager\",\"wallet/\\u0061nna\",\"table/7\",1]]",
    ];
    for text in rows {
        assert!(transfers_from_text(text).is_err(), "{text}");
    }
    assert!(transfers_from_text("[[\"wager\",\"wallet/anna\",\"table/7\",1]]").is_ok());
}
