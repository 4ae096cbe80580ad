//! Whoever signs out gets up, as soon as the round allows it.

use std::time::Duration;

use serde_json::json;

use super::support::{Client, Hall, token, until};

/// Who holds a position of a table.
fn holder(hall: &Hall, table: &str, position: u8) -> Option<String> {
    let table = hall.app.board.table(&jackpot::TableId::new(table)).expect("a table");
    let seat = table.round().seat(rulebook::Position(position)).expect("a position");
    seat.holder().map(|player| player.name().to_owned())
}

async fn gets_up(hall: &Hall, table: &str, position: u8) {
    until("the Player gets up", async || holder(hall, table, position).is_none()).await;
}

#[tokio::test]
async fn a_guest_who_leaves_gives_up_the_position() {
    let hall = Hall::demonstration().await;
    let begun = hall.public().post("/api/session/guest", json!({ "name": "Robin" })).await.ok();
    let robin = hall.public().holding(token(&begun));
    robin
        .post("/api/tables/H2/commands", json!({ "do": "take-position", "position": 1, "player": "Robin" }))
        .await
        .ok();
    // Whoever the Dealer seats has no session to end.
    hall.play("Dora", "H2", json!({ "do": "take-position", "position": 2, "player": "Cat" })).await;
    // Bob is signed in twice, and leaves once.
    let bob = hall.sign_in("Bob").await;
    bob.post("/api/tables/H2/commands", json!({ "do": "take-position", "position": 3, "player": "Bob" }))
        .await
        .ok();
    bob.delete("/api/session").await.ok();
    robin.delete("/api/session").await.ok();
    gets_up(&hall, "H2", 1).await;
    assert_eq!(holder(&hall, "H2", 2).as_deref(), Some("Cat"));
    assert_eq!(holder(&hall, "H2", 3).as_deref(), Some("Bob"));
    hall.client("Bob").delete("/api/session").await.ok();
    gets_up(&hall, "H2", 3).await;
}

/// Whoever signs out after viewing the hand is silent, and nothing else: the hand folds when the time is over, the Ante is
/// lost, and only then the position becomes free.
#[tokio::test]
async fn signing_out_with_a_hand_folds_it() {
    let hall = Hall::open_with(|config| {
        config.floor.play_money = true;
        config.floor.pace =
            automatic::Pace { decide_ms_max: 1_500, bets_ms_max: 50, ..automatic::Pace::quick() };
    })
    .await;
    let setup = json!({ "rulebook": "megalink-stud-v9", "positions": 6, "dealing": "software",
        "limits": { "ante": [2500, 100_000] }, "staffing": "automatic" });
    hall.house("Mia", json!({ "do": "open-table", "table": "A1", "setup": setup })).await.ok();
    let bob = hall.sign_in("Bob").await;
    let send = async |command: serde_json::Value| bob.post("/api/tables/A1/commands", command).await;
    send(json!({ "do": "take-position", "position": 1, "player": "Bob" })).await.ok();
    let stage = async || hall.public().get("/api/tables/A1").await.ok()["stage"]["at"].take();
    let reaches = async |wanted: &str| until(wanted, async || stage().await == wanted).await;
    reaches("bets-open").await;
    let before = bob.get("/api/me").await.ok()["balance"].as_u64().expect("cents");
    let ante = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Bob", "amount": 2500,
        "means": "credits" });
    send(ante).await.ok();
    reaches("deciding").await;
    send(json!({ "do": "view-hand", "position": 1 })).await.ok();
    bob.delete("/api/session").await.ok();
    hall.client("Bob").delete("/api/session").await.ok();
    gets_up(&hall, "A1", 1).await;
    let told = hall.client("Sue").get("/api/tables/A1/rounds/1").await.ok().to_string();
    assert!(told.contains("Position 1 did not decide in time: folds."), "{told}");
    let after = hall.sign_in("Bob").await.get("/api/me").await.ok()["balance"].as_u64().expect("cents");
    assert_eq!(before - after, 2_500, "the Ante is lost");
}

/// Whoever holds no position when a session ends is looked after no more, though signed in once more; and is again from the
/// next command on.
#[tokio::test]
async fn whoever_holds_no_position_is_let_go() {
    let hall = Hall::open().await;
    let is_looked_after = || format!("{:?}", hall.app.departures).contains("Bob");
    let bob = hall.sign_in("Bob").await;
    bob.post("/api/tables/H2/commands", json!({ "do": "take-position", "position": 1, "player": "Bob" }))
        .await
        .ok();
    bob.post("/api/tables/H2/commands", json!({ "do": "leave-position", "position": 1 })).await.ok();
    assert!(is_looked_after());
    bob.delete("/api/session").await.ok();
    until("he is let go", async || !is_looked_after()).await;
    hall.play("Bob", "H2", json!({ "do": "take-position", "position": 1 })).await;
    assert!(is_looked_after());
    hall.client("Bob").delete("/api/session").await.ok();
    gets_up(&hall, "H2", 1).await;
}

/// A guest who gives no command for long gets up, though still signed in; a member keeps the position.
#[tokio::test]
async fn a_guest_who_is_away_gives_up_the_position() {
    let hall = Hall::open_with(|config| {
        config.floor.play_money = true;
        config.floor.guest_idle_seconds = 1;
    })
    .await;
    hall.play("Ann", "H2", json!({ "do": "take-position", "position": 2 })).await;
    let begun = hall.public().post("/api/session/guest", json!({ "name": "Robin" })).await.ok();
    let robin = hall.public().holding(token(&begun));
    robin
        .post("/api/tables/H2/commands", json!({ "do": "take-position", "position": 1, "player": "Robin" }))
        .await
        .ok();
    gets_up(&hall, "H2", 1).await;
    assert_eq!(robin.get("/api/me").await.ok()["positions"], json!([]));
    assert_eq!(holder(&hall, "H2", 2).as_deref(), Some("Ann"));
}

/// A table for one Player where bets are open, with somebody who has placed an Ante.
async fn alone_with_an_ante(hall: &Hall, name: &str, player: &Client) {
    let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 1, "dealing": "software",
        "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] }, "staffing": "automatic" });
    hall.house("Mia", json!({ "do": "open-table", "table": "A1", "setup": setup })).await.ok();
    let send = async |command: serde_json::Value| player.post("/api/tables/A1/commands", command).await;
    send(json!({ "do": "take-position", "position": 1, "player": name })).await.ok();
    let stage = async || player.get("/api/tables/A1").await.ok()["stage"]["at"].take();
    until("bets are open", async || stage().await == "bets-open").await;
    for area in ["ante", "bonus"] {
        let wager = json!({ "do": "place-wager", "position": 1, "area": area, "owner": name, "amount": 2500,
            "means": "credits" });
        send(wager).await.ok();
    }
}

/// A guest called Robin.
async fn guest(hall: &Hall) -> Client {
    let begun = hall.public().post("/api/session/guest", json!({ "name": "Robin" })).await.ok();
    hall.public().holding(token(&begun))
}

/// At a table for one Player bets close when that Player says so. Whoever is away says nothing: the wagers go back, and the
/// table is free for the next one. A member keeps the position at a table for several.
#[tokio::test]
async fn whoever_is_away_does_not_lock_a_table_for_one() {
    let hall = Hall::open_with(|config| {
        config.floor.play_money = true;
        config.floor.guest_idle_seconds = 3;
        config.floor.pace = automatic::Pace::quick();
    })
    .await;
    let robin = guest(&hall).await;
    alone_with_an_ante(&hall, "Robin", &robin).await;
    gets_up(&hall, "A1", 1).await;
    let told = robin.get("/api/tables/A1").await.ok();
    assert_eq!((&told["round"], &told["stage"]["at"]), (&json!(1), &json!("bets-open")), "nothing was dealt");
    let me = robin.get("/api/me").await.ok();
    assert_eq!(me["balance"], json!(hall.app.config.floor.guest_credits), "all wagers went back");
    hall.play("Bob", "H2", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Bob", "A1", json!({ "do": "take-position", "position": 1 })).await;
    gets_up(&hall, "A1", 1).await;
    assert_eq!(holder(&hall, "H2", 1).as_deref(), Some("Bob"));
}

#[tokio::test]
async fn signing_out_does_not_lock_a_table_for_one() {
    let hall = Hall::open_with(|config| {
        config.floor.play_money = true;
        config.floor.pace = automatic::Pace::quick();
    })
    .await;
    let robin = guest(&hall).await;
    alone_with_an_ante(&hall, "Robin", &robin).await;
    robin.delete("/api/session").await.ok();
    gets_up(&hall, "A1", 1).await;
    let wagers = hall.public().get("/api/tables/A1").await.ok()["seats"][0]["areas"].take();
    assert_eq!(wagers, json!([]), "nothing is left on the table");
}

/// Wagers are not left behind: the position is held until they are settled, and nothing is refused meanwhile.
#[tokio::test]
async fn a_round_is_played_to_its_end_first() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let cards = "As Ks 2c 7d";
    hall.drive("H1", &["Ann"], cards, "wager").await;
    hall.play("Bob", "H2", json!({ "do": "take-position", "position": 1 })).await;
    for name in ["Ann", "Bob"] {
        hall.client(name).delete("/api/session").await.ok();
    }
    gets_up(&hall, "H2", 1).await;
    assert_eq!(holder(&hall, "H1", 1).as_deref(), Some("Ann"), "her wagers stand");
    let void = json!({ "do": "declare-bad-cards", "fault": "missing" });
    hall.play("Gia", "H1", void).await;
    hall.play("Dora", "H1", json!({ "do": "bring-deck", "deck": "H1-2" })).await;
    hall.play("Dora", "H1", json!({ "do": "begin-next-round" })).await;
    gets_up(&hall, "H1", 1).await;
}

/// A guest who left long ago is forgotten, with what they held; their rounds stay theirs, and nobody gets their name.
#[tokio::test]
async fn a_guest_who_left_is_forgotten() {
    let mut hall = Hall::open_with(|config| {
        config.floor.play_money = true;
        config.floor.guest_forgotten_seconds = 1;
    })
    .await;
    for name in ["Robin", "Stays", "Seated"] {
        let begun = hall.public().post("/api/session/guest", json!({ "name": name })).await.ok();
        hall.tokens.insert(name.to_owned(), token(&begun));
    }
    hall.seat("H1", &["Robin"]).await;
    hall.drive("H1", &["Robin"], "As Ks 2c 7d 3h 4h 5s 9c Td Jh Qc", "fold").await;
    hall.play("Dora", "H1", json!({ "do": "begin-next-round" })).await;
    hall.play("Dora", "H2", json!({ "do": "take-position", "position": 2, "player": "Seated" })).await;
    for gone in ["Robin", "Seated"] {
        hall.client(gone).delete("/api/session").await.ok();
    }
    gets_up(&hall, "H1", 1).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let hall = hall.altered(|_| {}).await;
    let is_known = |name: &str| hall.app.board.house().player(&round::PlayerId::new(name)).is_some();
    until("Robin is forgotten", async || !is_known("Robin")).await;
    assert!(is_known("Stays"), "a session keeps a guest");
    assert!(is_known("Seated"), "a position keeps a guest");
    let again = hall.public().post("/api/session/guest", json!({ "name": "Robin" })).await;
    assert_eq!(again.reason(409), "NameIsTaken", "whose rounds would these be?");
}
