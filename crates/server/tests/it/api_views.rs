//! What a server adds to the floor's views: where cards go next, timers, and everything that waits for a signature.

use serde_json::{Value, json};

use super::support::{Hall, first_message, until};

/// A place in a few signs: `P1.0`, `C3`, `D0`.
fn short(place: &Value) -> String {
    let (hand, at) = place.as_object().and_then(|place| place.iter().next()).expect("a place");
    match hand.as_str() {
        "player" => format!("P{}.{}", at[0], at[1]),
        "community" => format!("C{at}"),
        "dealer" => format!("D{at}"),
        _ => panic!("no place: {place}"),
    }
}

fn shorts(places: &Value) -> Vec<String> {
    places.as_array().expect("places").iter().map(short).collect()
}

/// Plays a round by what the view says alone: every card goes face down where it says the next one goes, and is read
/// where it says one must be. Answers the places in the order they were dealt and read.
async fn follow_the_view(hall: &Hall, table: &str, decisions: [&str; 2]) -> (String, String) {
    let mut deck = ["c", "d", "h", "s"]
        .into_iter()
        .flat_map(|suit| "23456789TJQKA".chars().map(move |rank| format!("{rank}{suit}")));
    let (mut dealt, mut read) = (Vec::new(), Vec::new());
    loop {
        let address = format!("/api/tables/{table}");
        let view = hall.client("Dora").get(&address).await.ok();
        for other in [hall.public(), hall.client("Ann")] {
            let seen = other.get(&address).await.ok();
            assert_eq!((&seen["to_deal"], &seen["to_read"]), (&json!([]), &json!([])), "for the staff alone");
        }
        if !view["settlement"].is_null() {
            return (dealt.join(" "), read.join(" "));
        }
        let choices = view["choices"].as_array().expect("choices");
        let next = choices.iter().find(|choice| choice["next"] == true).cloned().unwrap_or_default();
        let (to_deal, to_read) = (shorts(&view["to_deal"]), shorts(&view["to_read"]));
        assert_eq!(next["command"]["do"] == "deal-card", !to_deal.is_empty(), "{to_deal:?} {next}");
        if let Some(place) = to_read.first() {
            let command = json!({ "do": "read-card", "place": view["to_read"][0], "card": deck.next() });
            let after = hall.play("Dora", table, command).await["table"].take();
            assert!(!shorts(&after["to_read"]).contains(place), "{place} is read");
            read.push(place.clone());
            continue;
        }
        let mut command = next["command"].clone();
        if command["do"] == "decide" {
            command["decision"] = json!(decisions[usize::from(command["position"] == 2)]);
        }
        let after = hall.play("Dora", table, command).await["table"].take();
        if next["command"]["do"] == "deal-card" {
            assert_eq!(shorts(&after["to_deal"])[..], to_deal[1..], "one place less");
            dealt.push(to_deal[0].clone());
        }
    }
}

/// Bob folds with a Jackpot wager that stands: his hand is read for it.
async fn a_live_round(table: &str) -> (String, String) {
    let hall = Hall::open().await;
    for (at, name) in ["Ann", "Bob"].into_iter().enumerate() {
        hall.play(name, table, json!({ "do": "take-position", "position": at + 1 })).await;
    }
    hall.play("Dora", table, json!({ "do": "open-bets" })).await;
    for (at, name) in ["Ann", "Bob"].into_iter().enumerate() {
        for (area, amount) in [("ante", 2500), ("jackpot", 500)] {
            let wager = json!({ "do": "place-wager", "position": at + 1, "area": area, "amount": amount });
            hall.play(name, table, wager).await;
        }
    }
    hall.play("Dora", table, json!({ "do": "close-bets" })).await;
    follow_the_view(&hall, table, ["wager", "fold"]).await
}

#[tokio::test]
async fn the_view_says_where_the_cards_of_holdem_go() {
    let (dealt, read) = a_live_round("H1").await;
    assert_eq!(dealt, "C0 C1 C2 C3 C4 P1.0 P1.1 P2.0 P2.1 D0 D1");
    assert_eq!(read, "C0 C1 C2 C3 C4 D0 D1 P1.0 P1.1 P2.0 P2.1");
}

#[tokio::test]
async fn the_view_says_where_the_cards_of_stud_go() {
    let (dealt, read) = a_live_round("S1").await;
    let hand = |name: &str| (0..5).map(|at| format!("{name}{at}")).collect::<Vec<_>>().join(" ");
    assert_eq!(dealt, format!("{} {} {}", hand("P1."), hand("P2."), hand("D")));
    assert_eq!(read, format!("D4 D0 D1 D2 D3 {} {}", hand("P1."), hand("P2.")));
}

/// A supervisor sees which cards may be corrected, and corrects one. The Dealer sees none and may not correct any.
#[tokio::test]
async fn the_view_says_which_cards_may_be_put_right() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    for card in [json!("9h"), json!(null), json!("3c")] {
        hall.play("Dora", "H1", json!({ "do": "deal-card", "card": card })).await;
    }
    for who in ["Dora", "Ann"] {
        let seen = hall.client(who).get("/api/tables/H1").await.ok();
        assert_eq!(seen["to_correct"], json!(null), "{who}");
    }
    let seen = hall.client("Sue").get("/api/tables/H1").await.ok();
    assert_eq!(shorts(&seen["to_correct"]), ["C0", "C2"]);
    let put_right = json!({ "do": "read-card", "place": seen["to_correct"][0], "card": "9c" });
    assert_eq!(hall.table("Dora", "H1", put_right.clone()).await.reason(403), "OfficeIsTooLow");
    hall.play("Sue", "H1", put_right).await;
    hall.play("Dora", "H1", json!({ "do": "deal-card", "card": "9h" })).await;
    let seen = hall.client("Sue").get("/api/tables/H1").await.ok();
    assert_eq!(shorts(&seen["to_correct"]), ["C0", "C2", "C3"]);
}

/// A table without staff shows how long its dealer still waits, the same to everybody and in the feed.
#[tokio::test]
async fn an_automatic_table_shows_its_timer() {
    let hall = Hall::open_with(|config| {
        config.floor.pace.before_bets_ms = 0;
        config.floor.pace.bets_ms_max = 3_600_000;
    })
    .await;
    let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "dealing": "software", "link": "mega",
        "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] }, "staffing": "automatic" });
    hall.house("Mia", json!({ "do": "open-table", "table": "A1", "setup": setup })).await.ok();
    hall.play("Ann", "A1", json!({ "do": "take-position", "position": 1 })).await;
    let look = async || hall.public().get("/api/tables/A1").await.ok();
    until("the bets are opened", async || look().await["stage"]["at"] == "bets-open").await;
    assert_eq!(look().await["timer"], Value::Null, "without a wager the bets stay open");
    hall.play("Ann", "A1", json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 2500 }))
        .await;
    let first = first_message(&hall.public(), "table/A1").await["table"]["timer"].take();
    assert_eq!(first["of_ms"], 3_600_000, "{first}");
    let left = |timer: &Value| timer["left_ms"].as_u64().expect("milliseconds");
    assert!(left(&first) <= 3_600_000);
    hall.play("Ann", "A1", json!({ "do": "place-wager", "position": 1, "area": "bonus", "amount": 500 }))
        .await;
    let later = look().await["timer"].take();
    assert!(left(&later) <= left(&first), "a further wager does not begin it anew: {first} {later}");
    assert_eq!(hall.public().get("/api/tables/H2").await.ok()["timer"], Value::Null, "people have no timer");
}

/// Bets close at once when the Player who sits there is ready, with the wagers that were named. Others cannot say so.
#[tokio::test]
async fn a_ready_player_need_not_wait() {
    let hall = Hall::open_with(|config| {
        config.floor.pace.before_bets_ms = 0;
        config.floor.pace.bets_ms_min = 3_600_000;
        config.floor.pace.bets_ms_max = 3_600_000;
    })
    .await;
    let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "dealing": "software", "link": "mega",
        "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] }, "staffing": "automatic" });
    hall.house("Mia", json!({ "do": "open-table", "table": "A1", "setup": setup })).await.ok();
    hall.play("Ann", "A1", json!({ "do": "take-position", "position": 1 })).await;
    let at = async || hall.public().get("/api/tables/A1").await.ok()["stage"]["at"].take();
    let reaches = async |stage: &str| until(stage, async || at().await == stage).await;
    reaches("bets-open").await;
    let ante = |amount: u64| json!([{ "position": 1, "area": "ante", "amount": amount }]);
    hall.play("Ann", "A1", json!({ "do": "set-wagers", "wagers": ante(2500), "seen": [] })).await;
    let says = async |who: &str, named: Value| {
        let ready = json!({ "ready": true, "wagers": named });
        hall.client(who).post("/api/tables/A1/ready", ready).await
    };
    assert_eq!(says("Bob", ante(2500)).await.reason(403), "NotAtTheTable");
    assert_eq!(says("Dora", ante(2500)).await.reason(403), "NotAPlayer");
    assert_eq!(says("Ann", ante(10_000)).await.reason(409), "WagersHaveChanged", "she means others");
    assert_eq!(at().await, "bets-open");
    says("Ann", ante(2500)).await.ok();
    reaches("deciding").await;
}

/// A table without staff says before anybody sits down how long a decision may take and what silence means; with staff
/// there is nothing to say.
#[tokio::test]
async fn an_automatic_table_says_what_silence_means() {
    let hall = Hall::open_with(|config| config.floor.pace.decide_ms_max = 25_000).await;
    let setup = |rulebook: &str, bonus: Value| {
        json!({ "rulebook": rulebook, "positions": 6, "dealing": "software", "link": "mega",
            "limits": { "ante": [2500, 100_000], "bonus": bonus }, "staffing": "automatic" })
    };
    let tables = [
        ("A1", setup("megalink-holdem-v9", json!([500, 50_000])), "; on Turn and River it checks"),
        ("A2", setup("megalink-stud-v9", Value::Null), ""),
    ];
    for (table, setup, later) in tables {
        hall.house("Mia", json!({ "do": "open-table", "table": table, "setup": setup })).await.ok();
        let seen = hall.public().get(&format!("/api/tables/{table}")).await.ok()["silence"].take();
        assert_eq!((&seen["value"], &seen["decide_ms"]), (&json!("fold"), &json!(25_000)), "{seen}");
        let sentence = format!(
            "You have 25 seconds for each decision. If you do not decide in time, your hand folds and loses the Ante{later}. \
             A lost connection is no exception."
        );
        assert_eq!(seen["sentence"], sentence);
        assert!(seen["clause"].as_str().is_some_and(|clause| clause.ends_with(" 3.9.1")), "{seen}");
        assert!(seen["reason"].as_str().is_some_and(|reason| reason.contains("not present")), "{seen}");
    }
    assert_eq!(hall.public().get("/api/tables/H2").await.ok()["silence"], Value::Null);
}

/// What waits for a second signature is in the pit, also of a table that plays for no link; and a link's desk says all
/// that it is set to.
#[tokio::test]
async fn the_pit_has_every_proposal() {
    let hall = Hall::open().await;
    let setup = json!({ "rulebook": "holdem-progressive-v6", "positions": 6, "dealing": "live", "staffing": "staffed",
        "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] } });
    hall.house("Mia", json!({ "do": "open-table", "table": "N1", "setup": setup })).await.ok();
    for table in ["N1", "H1"] {
        hall.seat(table, &["Ann"]).await;
        hall.drive(table, &["Ann"], "As Ks 2c 7d Ah Kh 9s 4c 3d", "wager").await;
        let undo = json!({ "kind": "undo-round", "table": table, "round": 1,
            "command": { "do": "declare-bad-cards", "fault": "missing" } });
        hall.house("Gia", json!({ "do": "propose", "proposal": undo })).await.ok();
    }
    let adjust = json!({ "kind": "adjust-meter", "link": "mega", "cause": "malfunction-too-low", "amount": { "cents": 5 },
        "words": "A cent was missing.", "about": { "kind": "count", "reference": "sheet 88" } });
    hall.house("Hal", json!({ "do": "propose", "proposal": adjust })).await.ok();
    let pit = hall.client("Gia").get("/api/pit").await.ok();
    let said = |at: usize| pit["proposals"][at]["sentence"].as_str().unwrap_or_default();
    assert_eq!(pit["proposals"].as_array().map(Vec::len), Some(3), "{pit}");
    assert_eq!(said(0), "Undo round 1 of table N1: declare bad cards.");
    assert_eq!(said(1), "Undo round 1 of table H1: declare bad cards.");
    let signed: Vec<&Value> = (0..3).map(|at| &pit["proposals"][at]["by"]["person"]).collect();
    assert_eq!(signed, ["Gia", "Gia", "Hal"]);
    // Whoever signed first may not confirm; the second signature is offered to whoever may give it.
    let for_abe = hall.client("Abe").get("/api/pit").await.ok();
    let may = |pit: &Value, at: usize| -> Vec<String> {
        let choices = pit["proposals"][at]["choices"].as_array().expect("choices");
        choices.iter().filter_map(|choice| choice["command"]["do"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(
        (may(&pit, 0), may(&pit, 2)),
        (vec!["withdraw-proposal".to_owned()], vec!["withdraw-proposal".to_owned()])
    );
    assert_eq!(
        (may(&for_abe, 0), may(&for_abe, 2)),
        (Vec::new(), vec!["confirm".to_owned()]),
        "Accounting signs for meters"
    );
    let needs = pit["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .flat_map(|row| row["needs"].as_array().expect("needs"));
    for need in needs {
        let sentence = need["sentence"].as_str().expect("a sentence");
        assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
    }
    let desk = hall.client("Dora").get("/api/links/mega/desk").await.ok();
    assert_eq!(desk["link"]["settings"]["round_contribution_max"], json!({ "cents": 100_000 }));
}
