//! A staffed table that does not answer is lost to its link, and found again when it answers.

use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::LinkId;
use serde_json::json;

use super::support::Hall;

/// How long anything may take on a busy machine before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

fn is_lost(hall: &Hall, table: &str) -> bool {
    let desk = hall.app.board.link(&LinkId::new("mega")).expect("a link");
    desk.link().is_silent(&TableId::new(table))
}

/// In a round, and only there; the sign says so, no Jackpot wager is taken, and the Dealer's next command brings it back.
#[tokio::test]
async fn a_silent_table_is_lost_until_it_answers() {
    let hall = Hall::open_with(|config| config.floor.heartbeat_seconds = 1).await;
    hall.play("Dora", "H1", json!({ "do": "take-position", "position": 1, "player": "Ann" })).await;
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    let deadline = Instant::now() + PATIENCE;
    while !is_lost(&hall, "H1") {
        assert!(Instant::now() < deadline, "the table is still heard");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let sign = hall.public().get("/api/links/mega").await.ok();
    assert_eq!((&sign["state"], &sign["lost"]), (&json!("fault"), &json!(["H1"])));
    let wager = json!({ "do": "place-wager", "position": 1, "area": "jackpot", "owner": "Ann", "amount": 500,
        "means": "credits" });
    let refused = hall.client("Ann").post("/api/tables/H1/commands", wager).await;
    assert_eq!(refused.status.as_u16(), 409, "{}", refused.text);
    let ante = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "amount": 10_000,
        "means": "credits" });
    hall.play("Dora", "H1", ante).await;
    assert!(!is_lost(&hall, "H1"), "the Dealer's command is an answer");
}
