//! A whole round over the API, what is told of it, and asking again.

use axum::http::Method;
use serde_json::{Value, json};

use super::support::{Hall, token};

#[tokio::test]
async fn a_round_is_played_and_told() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let view = hall.drive("H1", &["Ann"], "As Ks 2c 7d Ah Kh 9s 4c 3d", "wager").await;
    assert_eq!(view["round"], 1);
    let listed = hall.public().get("/api/tables/H1/rounds").await.ok();
    assert_eq!(listed["rounds"][0]["state"], "settled", "{listed}");
    let lines = listed["rounds"][0]["lines"].as_array().expect("lines");
    assert!(lines.iter().any(|line| line["area"] == "ante"), "{listed}");
    let told = hall.public().get("/api/tables/H1/rounds/1").await.ok();
    let told = told["events"].as_array().expect("entries");
    let versions: Vec<u64> = told.iter().map(|told| told["version"].as_u64().expect("a version")).collect();
    assert!(versions.windows(2).all(|pair| pair[0] + 1 == pair[1]), "no gap: {versions:?}");
    assert!(told.iter().any(|told| told["sentence"] == "No more bets."));
    hall.public().get("/api/tables/H1/rounds/2").await.reason(404);
    hashes_are_for_those_they_tell_nothing(&hall, &versions).await;
    let books = hall.client("Mia").get("/api/accounts").await.ok();
    assert_eq!(books["figure"], json!({ "cents": 0 }));
    let alone = hall.client("Mia").get("/api/accounts/figure").await.ok();
    assert_eq!(alone, json!({ "figure": { "cents": 0 } }), "no account goes with it");
    // The log is raw for the auditor, and whole now that the round is over.
    let log = hall.client("Sue").get("/api/audit/entries?stream=table/H1&limit=1000").await.ok();
    let head = hall.app.board.head(&"table/H1".parse().expect("a stream")).expect("a head").version.0;
    assert_eq!(log["entries"].as_array().expect("entries").len() as u64, head);
    let replay = json!({ "table": "H1", "rulebook": "megalink-holdem-v6" });
    let replayed = hall.client("Sue").post("/api/audit/replay", replay).await.ok();
    assert_eq!(replayed["compared"], 1, "{replayed}");
    // Until the next round begins a settlement can be corrected, so there is no proof of it yet.
    let proof = async || hall.client("Sue").get("/api/audit/rounds/H1/1/proof").await.reason(409);
    assert_eq!(proof().await, "RoundIsInPlay");
    hall.play("Dora", "H1", json!({ "do": "begin-next-round" })).await;
    assert_eq!(proof().await, "NotSealedYet");
}

/// A round that is over is sealed by its last entry's hash; those of its entries could tell hidden cards of a live table.
async fn hashes_are_for_those_they_tell_nothing(hall: &Hall, versions: &[u64]) {
    let ask = async |client: super::support::Client| client.get("/api/tables/H1/rounds/1").await.ok();
    let (public, auditor) = (ask(hall.public()).await, ask(hall.client("Sue")).await);
    assert_eq!((&public["over"], &public["hashes"]), (&json!(true), &json!([])));
    let hashes = auditor["hashes"].as_array().expect("hashes");
    assert_eq!(hashes.len(), versions.len());
    assert_eq!(public["sealed_by"], hashes[hashes.len() - 1]);
    assert!(hashes.windows(2).all(|pair| pair[0]["hash"] == pair[1]["previous"]));
    // The entries of a software table are everybody's when its shuffle was opened, and nobody's before.
    hall.seat("H2", &["Bob"]).await;
    let in_play = hall.client("Sue").get("/api/tables/H2/rounds/1").await.ok();
    assert_eq!((&in_play["over"], &in_play["hashes"]), (&json!(false), &json!([])));
    assert_eq!(in_play["sealed_by"], json!(null));
    hall.play("Dora", "H2", json!({ "do": "declare-bad-cards", "fault": "missing" })).await;
    hall.play("Dora", "H2", json!({ "do": "begin-next-round" })).await;
    let opened = hall.public().get("/api/tables/H2/rounds/1").await.ok();
    assert_eq!(opened["hashes"].as_array().map(Vec::len), opened["events"].as_array().map(Vec::len));
}

/// The same key again gets the first answer, and nothing happens twice; with another body it is an error.
#[tokio::test]
async fn asking_again_is_safe() {
    let hall = Hall::open().await;
    let ann = hall.client("Ann").with("idempotency-key", "01890000-0000-7000-8000-000000000001");
    let path = "/api/tables/H2/commands";
    let take = |position: u8| json!({ "do": "take-position", "position": position, "player": "Ann" });
    let first = ann.post(path, take(1)).await.ok();
    let length = hall.log_length();
    let again = ann.post(path, json!({ "player": "Ann", "position": 1, "do": "take-position" })).await.ok();
    assert_eq!(first["events"], again["events"]);
    assert_eq!(hall.log_length(), length);
    assert_eq!(ann.post(path, take(2)).await.reason(409), "IdReused");
    let bob = ann.clone().holding(hall.tokens["Bob"].clone());
    assert_eq!(bob.post(path, take(1)).await.reason(409), "IdReused");
    let refused = ann.clone().with("idempotency-key", "01890000-0000-7000-8000-000000000002");
    let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "amount": 1,
        "means": "credits" });
    let (one, two) = (refused.post(path, wager.clone()).await, refused.post(path, wager).await);
    assert_eq!(one.text, two.text, "a refusal is kept too");
    let bare = hall.client("Ann").with("idempotency-key", "");
    assert_eq!(bare.post(path, take(3)).await.reason(400), "KeyIsMissing");
    let odd = hall.client("Ann").with("idempotency-key", "once");
    assert_eq!(odd.post(path, take(3)).await.reason(400), "KeyIsMissing");
}

/// Own wagers are one command, done once: the answer tells what was taken back and placed, and a refusal leaves all as it was.
#[tokio::test]
async fn own_wagers_are_one_command() {
    let hall = Hall::open().await;
    hall.play("Ann", "H2", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Dora", "H2", json!({ "do": "open-bets" })).await;
    let wager = |area: &str, amount: u64| json!({ "position": 1, "area": area, "amount": amount });
    let first = json!([wager("bonus", 500), wager("ante", 2_500)]);
    let set = |wagers: &Value, seen: &Value| json!({ "do": "set-wagers", "player": "Ann", "wagers": wagers, "seen": seen });
    let path = "/api/tables/H2/commands";
    let kinds = |done: &Value| -> Vec<String> {
        let events = done["events"].as_array().expect("events").iter();
        events.map(|event| format!("{} {}", event["kind"], event["data"]["area"]).replace('"', "")).collect()
    };
    let placed = hall.client("Ann").post(path, set(&first, &json!([]))).await.ok();
    assert_eq!(kinds(&placed), ["wager-placed ante", "wager-placed bonus"]);
    let raised = json!([wager("ante", 10_000), wager("bonus", 500)]);
    let refusal = hall.client("Ann").post(path, set(&raised, &json!([]))).await;
    assert_eq!(refusal.reason(409), "WagersHaveChanged");
    let over = json!([wager("ante", 100_000_000), wager("bonus", 500)]);
    assert_eq!(hall.client("Ann").post(path, set(&over, &first)).await.reason(409), "OverTheMaximum");
    let length = hall.log_length();
    let same = hall.client("Ann").post(path, set(&first, &first)).await.ok();
    assert_eq!((kinds(&same), hall.log_length()), (Vec::new(), length), "nothing changes");
    let done = hall.client("Ann").post(path, set(&raised, &first)).await.ok();
    let expected =
        ["wager-taken-back bonus", "wager-taken-back ante", "wager-placed ante", "wager-placed bonus"];
    assert_eq!(kinds(&done), expected);
    assert_eq!(hall.client("Bob").post(path, set(&first, &raised)).await.reason(403), "NotYourWager");
}

/// A body is read strictly: what it does not know is refused, with the place.
#[tokio::test]
async fn bodies_are_read_strictly() {
    let hall = Hall::open().await;
    let ann = hall.client("Ann");
    let path = "/api/tables/H2/commands";
    for (body, at) in [
        (json!({ "do": "take-position", "position": 1, "player": "Ann", "won": 5 }), None),
        (json!({ "do": "open-bets", "amount": 5 }), Some("amount")),
        (json!({ "do": "fly" }), None),
        (
            json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "means": "credits", "amount": -1 }),
            None,
        ),
        (
            json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "means": "credits", "amount": 1.5 }),
            None,
        ),
        (
            json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "means": "credits", "amount": "1" }),
            None,
        ),
        (json!([]), None),
    ] {
        let reply = ann.post(path, body.clone()).await;
        assert_eq!(reply.reason(422), "FormIsWrong", "{body}");
        if let Some(at) = at {
            assert_eq!(reply.json()["at"], at);
        }
    }
    let send =
        async |kind: &str, body: &[u8]| ann.send(Method::POST, path, Some((kind, body.to_vec()))).await;
    assert_eq!(send("application/json", b"{").await.reason(400), "NotJson");
    assert_eq!(send("application/json", b"").await.reason(400), "NotJson");
    assert_eq!(send("text/plain", b"{}").await.reason(415), "WrongType");
    assert_eq!(send("application/json", "[".repeat(17).as_bytes()).await.reason(400), "TooDeep");
    assert_eq!(send("application/json", &vec![b' '; 64 * 1024 + 1]).await.reason(413), "TooLarge");
    assert_eq!(send("application/json", "[".repeat(60_000).as_bytes()).await.reason(400), "TooDeep");
}

/// A guest comes in with play credits, plays, and is nobody else.
#[tokio::test]
async fn guests_play_with_play_credits() {
    let hall = Hall::demonstration().await;
    let begun = hall.public().post("/api/session/guest", json!({ "name": "Robin" })).await.ok();
    assert_eq!(begun["who"]["guest"], true);
    let robin = hall.public().holding(token(&begun));
    let me = robin.get("/api/me").await.ok();
    assert_eq!((&me["kind"], &me["balance"]), (&json!("guest"), &json!(500_000)));
    robin
        .post("/api/tables/H2/commands", json!({ "do": "take-position", "position": 1, "player": "Robin" }))
        .await
        .ok();
    for taken in ["robin", "ROBIN", "Gus", "gus", "Ann"] {
        let reply = hall.public().post("/api/session/guest", json!({ "name": taken })).await;
        assert_eq!(reply.reason(409), "NameIsTaken", "{taken}");
    }
    for wrong in ["", " ", "a/b", "<b>\u{202e}", "\0", &"x".repeat(10_000)] {
        let reply = hall.public().post("/api/session/guest", json!({ "name": wrong })).await;
        assert_eq!(reply.reason(409), "NameIsWrong", "{wrong:?}");
    }
    let made_up = hall.public().post("/api/session/guest", json!({})).await.ok();
    assert!(made_up["who"]["name"].as_str().is_some_and(|name| name.starts_with("Guest ")));
    let none = Hall::empty(|config| {
        config.floor.play_money = true;
        config.floor.guests = false;
    })
    .await;
    assert_eq!(none.public().post("/api/session/guest", json!({})).await.reason(403), "NoGuests");
}

/// The guide names the choices and what each does, and changes nothing; a choice can be sent as it is.
#[tokio::test]
async fn the_guide_says_before_it_is_done() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann", "Bob"]).await;
    let before = hall.log_length();
    let trouble = json!({ "what": "bad-cards", "fault": "missing" });
    let guided = hall.client("Dora").post("/api/tables/H1/guide", trouble).await.ok();
    let choice = &guided["choices"][0];
    assert_eq!(choice["you_may"], true, "{guided}");
    let wagers = choice["wagers"].as_array().expect("wagers");
    assert!(wagers.len() == 2 && wagers.iter().all(|wager| wager["becomes"] == "returned"), "{guided}");
    assert_eq!(hall.log_length(), before);
    let done = hall.play("Dora", "H1", choice["command"].clone()).await;
    assert!(
        done["events"].as_array().expect("events").iter().any(|event| event["kind"] == "round-voided"),
        "{done}"
    );
}
