//! What was ever shown is shown again by a server that has just started: rounds to which a Player brought a salt.
//! Where the past cannot be read, the present is shown.

use std::time::Duration;

use jackpot::TableId;
use journal::{Hash, Stream};
use round::PlayerId;
use serde_json::{Value, json};

use super::support::{Client, Hall, alter_entry, first_message, until_some};

const TABLE: &str = "H2";
const ROUNDS: usize = 4;
const DAY: Duration = Duration::from_hours(24);

/// Ann's chain of salts, the anchor last.
fn chain() -> Vec<Hash> {
    let (table, ann) = (TableId::new(TABLE), PlayerId::new("Ann"));
    let mut links = vec![Hash([7; 32])];
    for _ in 0..ROUNDS {
        links.push(floor::dealing::link(&table, &ann, links[links.len() - 1]));
    }
    links
}

/// Rounds of Ann's, who brings a salt to all but the first.
async fn play(hall: &Hall) {
    let mut salts = chain();
    hall.play("Ann", TABLE, json!({ "do": "take-position", "position": 1 })).await;
    let anchor = salts.pop().expect("an anchor").to_string();
    hall.play("Ann", TABLE, json!({ "do": "commit-salts", "anchor": anchor })).await;
    for round in 0..ROUNDS {
        hall.play("Dora", TABLE, json!({ "do": "open-bets" })).await;
        let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 2_500 });
        hall.play("Ann", TABLE, wager).await;
        hall.play("Dora", TABLE, json!({ "do": "close-bets" })).await;
        if round != 0 {
            let salt = salts.pop().expect("the chain is long enough").to_string();
            hall.play("Ann", TABLE, json!({ "do": "open-salt", "salt": salt })).await;
        }
        hall.play("Dora", TABLE, json!({ "do": "deal-all" })).await;
        hall.play("Ann", TABLE, json!({ "do": "view-hand", "position": 1 })).await;
        hall.drive(TABLE, &["Ann"], "", "fold").await;
        hall.play("Dora", TABLE, json!({ "do": "begin-next-round" })).await;
    }
}

/// All that is shown of these rounds, for everybody, for Ann and for Sue.
async fn shown(hall: &Hall) -> Vec<(String, Value)> {
    let (public, ann, sue) = (hall.public(), hall.sign_in("Ann").await, hall.sign_in("Sue").await);
    let rounds = format!("/api/tables/{TABLE}/rounds");
    let mut asked: Vec<(&Client, String)> = vec![
        (&ann, "/api/me/rounds".to_owned()),
        (&ann, "/api/me/statistics".to_owned()),
        (&public, format!("{rounds}?before={}", ROUNDS + 1)),
    ];
    for who in [&public, &ann, &sue] {
        asked.extend((1..=ROUNDS).map(|round| (who, format!("{rounds}/{round}"))));
        asked.extend((1..=ROUNDS).map(|round| (who, format!("{rounds}/{round}/analysis"))));
    }
    let mut shown = Vec::new();
    for (who, path) in asked {
        let reply = who.get(&path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        shown.push((path, reply.json()));
    }
    let fed = first_message(&ann, &format!("table/{TABLE}")).await;
    let fed = fed["events"].as_array().expect("events").clone();
    assert!(!fed.is_empty());
    let of_rounds = fed.into_iter().filter(|event| event["kind"] != "carried-forward");
    shown.extend(of_rounds.map(|event| (event["version"].to_string(), event)));
    shown
}

/// What the audit makes of these rounds.
async fn audited(hall: &Hall) {
    let sue = hall.sign_in("Sue").await;
    for round in 1..=ROUNDS {
        let path = format!("/api/audit/rounds/{TABLE}/{round}/proof");
        let proof = until_some("the round is sealed", async || {
            let reply = sue.get(&path).await;
            (reply.status != 409).then_some(reply)
        });
        assert_eq!(proof.await.status, 200, "{path}");
        let again = json!({ "table": TABLE, "round": round, "rulebook": "megalink-holdem-v6" });
        let compared = sue.post("/api/audit/replay", again).await.ok();
        assert_eq!(compared["compared"], 1, "{compared}");
    }
    let all = json!({ "table": TABLE, "rulebook": "megalink-holdem-v6" });
    assert_eq!(sue.post("/api/audit/replay", all).await.ok()["compared"], ROUNDS);
}

/// A gaming day passes, and the table and the books are closed.
async fn close_the_day(hall: &Hall) {
    hall.app.config.clock.set_ahead(DAY);
    let dora = hall.sign_in("Dora").await;
    dora.post(&format!("/api/tables/{TABLE}/commands"), json!({ "do": "open-bets" })).await.ok();
    for stream in [Stream::Table(TableId::new(TABLE)), Stream::House] {
        until_some("the day is closed", async || hall.carried(stream.clone(), 10).await).await;
    }
}

#[tokio::test]
async fn rounds_with_salts_read_the_same_after_a_start() {
    let hall = Hall::open().await;
    play(&hall).await;
    let before = shown(&hall).await;
    let hall = hall.restarted(|_| ()).await;
    assert_eq!(shown(&hall).await, before);
    audited(&hall).await;
}

#[tokio::test]
async fn where_the_past_cannot_be_read_the_present_is_shown() {
    let hall = Hall::open().await;
    play(&hall).await;
    close_the_day(&hall).await;
    let hall = hall
        .altered(|file| alter_entry(file, &Stream::Table(TableId::new(TABLE)), 4, "content = zeroblob(1)"))
        .await;
    let ann = hall.sign_in("Ann").await;
    for path in ["rounds/1", "rounds?limit=50"] {
        let reply = ann.get(&format!("/api/tables/{TABLE}/{path}")).await;
        assert_eq!(reply.reason(503), "Unavailable", "{path}");
    }
    let message = first_message(&ann, &format!("table/{TABLE}")).await;
    assert_eq!((&message["skipped"], &message["events"]), (&json!(true), &json!([])), "{message}");
    let now = ann.get(&format!("/api/tables/{TABLE}")).await.ok();
    assert_eq!((&message["table"]["version"], &message["table"]["round"]), (&now["version"], &now["round"]));
}
