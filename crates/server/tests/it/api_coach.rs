//! The coach, and a Player's own rounds.

use serde_json::{Value, json};

use super::support::Hall;

/// Does what comes next at a live table with these cards, until a decision is due.
async fn deal(hall: &Hall, table: &str, cards: &str) {
    let mut cards = cards.split_whitespace();
    loop {
        let view = hall.client("Dora").get(&format!("/api/tables/{table}")).await.ok();
        let choices = view["choices"].as_array().expect("choices");
        let next = choices.iter().find(|choice| choice["next"] == true).expect("something is next");
        let mut command = next["command"].clone();
        match command["do"].as_str().expect("a word") {
            "decide" => return,
            "deal-card" => command["card"] = json!(cards.next().expect("a card")),
            _ => {}
        }
        hall.play("Dora", table, command).await;
    }
}

/// The advice on a hand is what the lab says of its cards; a mistake costs what the lab says it does; and it is its
/// Player's alone.
#[tokio::test]
async fn the_coach_knows_what_its_player_sees() {
    let hall = Hall::open().await;
    let ann = hall.client("Ann");
    hall.seat("S1", &["Ann", "Bob"]).await;
    // A pair of aces for Ann, a straight for Bob; the Dealer shows a deuce.
    let cards = "As Ad 9h 7c 4d 5c 6d 7h 8s 9c Kh Qd Jc 3h 2s";
    deal(&hall, "S1", cards).await;
    let blind = ann.get("/api/tables/S1/advice").await.ok();
    assert_eq!(blind["hands"], json!([]), "nothing was viewed");
    hall.play("Ann", "S1", json!({ "do": "view-hand", "position": 1 })).await;
    let coached = ann.get("/api/tables/S1/advice").await.ok();
    let hand = &coached["hands"][0];
    assert_eq!((&hand["position"], &hand["now"]["best"]), (&json!(1), &json!("bet")), "{coached}");
    let form = json!({ "game": { "rulebook": "megalink-stud-v9" }, "cards": "As Ad 9h 7c 4d", "up": "2s" });
    let asked = hall.public().post("/api/lab/advise", form).await.ok();
    assert_eq!(hand["now"]["choices"], asked["choices"]);
    assert_eq!(hall.client("Bob").get("/api/tables/S1/advice").await.ok()["hands"], json!([]));
    assert_eq!(hall.client("Dora").get("/api/tables/S1/advice").await.ok()["hands"], json!([]));
    hall.play("Ann", "S1", json!({ "do": "decide", "position": 1, "decision": "fold" })).await;
    let made = ann.get("/api/tables/S1/advice").await.ok()["hands"][0].clone();
    assert_eq!((&made["now"], &made["made"][0]["mistake"]), (&Value::Null, &json!(true)), "{made}");
    let digits = |ratio: &Value, name: &str| ratio[name].as_str().and_then(|text| text.parse::<f64>().ok());
    let costs = &asked["other_costs"];
    let antes =
        digits(costs, "numerator").zip(digits(costs, "denominator")).map(|(over, under)| over / under);
    let cents = made["cost"]["value"].as_f64().expect("a cost");
    assert!((cents - 2500.0 * antes.expect("a cost")).abs() < 1e-6, "{made}");
}

/// What a round brought its Player, at whatever table, newest first; nobody else's.
#[tokio::test]
async fn own_rounds_with_what_they_brought() {
    let hall = Hall::open().await;
    let ann = hall.client("Ann");
    assert_eq!(ann.get("/api/me/rounds").await.ok()["rounds"], json!([]));
    hall.seat("S1", &["Ann", "Bob"]).await;
    hall.drive("S1", &["Ann", "Bob"], "As Ad 9h 7c 4d 5c 6d 7h 8s 9c Kh Qd Jc 3h 2s", "fold").await;
    hall.seat("H1", &["Ann"]).await;
    hall.play("Dora", "H1", json!({ "do": "declare-bad-cards", "fault": "missing" })).await;
    let rounds = ann.get("/api/me/rounds").await.ok()["rounds"].clone();
    let told: Vec<(&Value, &Value, &Value)> = rounds
        .as_array()
        .expect("rounds")
        .iter()
        .map(|round| (&round["table"], &round["net"], &round["void"]))
        .collect();
    let (void, lost) =
        ((&json!("H1"), &json!(0), &json!(true)), (&json!("S1"), &json!(-2500), &json!(false)));
    assert_eq!(told, [void, lost]);
    assert_eq!(rounds[1]["positions"], json!([1]));
    ann.get(&format!("/api/tables/S1/rounds/{}", rounds[1]["round"])).await.ok();
    assert_eq!(ann.get("/api/me/rounds?limit=1").await.ok()["rounds"].as_array().map(Vec::len), Some(1));
    let bob = hall.client("Bob").get("/api/me/rounds").await.ok();
    assert_eq!(bob["rounds"].as_array().map(Vec::len), Some(1));
    assert_eq!(hall.client("Cat").get("/api/me/rounds").await.ok()["rounds"], json!([]));
    // What comes later is read on from there.
    hall.play("Dora", "S1", json!({ "do": "begin-next-round" })).await;
    hall.play("Dora", "S1", json!({ "do": "open-bets" })).await;
    let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 5000 });
    hall.play("Ann", "S1", wager).await;
    hall.play("Dora", "S1", json!({ "do": "close-bets" })).await;
    hall.drive("S1", &["Ann", "Bob"], "As Ad 9h 7c 4d Kh Qd Jc 3h 2s", "fold").await;
    let rounds = ann.get("/api/me/rounds").await.ok()["rounds"].clone();
    assert_eq!((&rounds[0]["round"], &rounds[0]["net"]), (&json!(2), &json!(-5000)), "{rounds}");
    assert_eq!(rounds.as_array().map(Vec::len), Some(3));
}
