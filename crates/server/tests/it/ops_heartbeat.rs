//! A staffed table that does not answer is lost to its link, and found again when it answers.

use jackpot::TableId;
use journal::LinkId;
use serde_json::json;

use super::support::{Hall, until};

fn is_lost(hall: &Hall, table: &str) -> bool {
    let desk = hall.app.board.link(&LinkId::new("mega")).expect("a link");
    desk.link().is_silent(&TableId::new(table))
}

/// In a round, and only there; the pit and the sign say that nobody is at its console, which is no fault of the link. No
/// Jackpot wager is taken, nobody is offered to restore the table, and the Dealer's next command brings it back.
#[tokio::test]
async fn a_silent_table_is_lost_until_it_answers() {
    let hall = Hall::open_with(|config| config.floor.heartbeat_seconds = 1).await;
    hall.play("Dora", "H1", json!({ "do": "take-position", "position": 1, "player": "Ann" })).await;
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    until("the table is lost", async || is_lost(&hall, "H1")).await;
    let sign = hall.public().get("/api/links/mega").await.ok();
    assert_eq!(
        (&sign["state"], &sign["lost"], &sign["unattended"]),
        (&json!("open"), &json!([]), &json!(["H1"]))
    );
    let pit = hall.client("Sue").get("/api/pit").await.ok();
    let row = pit["tables"].as_array().expect("tables").iter().find(|row| row["table"] == "H1").expect("H1");
    let need = json!({ "kind": "unattended", "sentence": "Nobody is at the console of H1: open it." });
    assert_eq!(row["needs"], json!([need]));
    let desk = hall.client("Sue").get("/api/links/mega/desk").await.ok();
    let connections = desk["connections"].as_array().expect("choices");
    assert!(!connections.is_empty() && !connections.iter().any(|choice| choice["command"]["table"] == "H1"));
    let wager = json!({ "do": "place-wager", "position": 1, "area": "jackpot", "owner": "Ann", "amount": 500,
        "means": "credits" });
    let refused = hall.client("Ann").post("/api/tables/H1/commands", wager).await;
    assert_eq!(refused.status.as_u16(), 409, "{}", refused.text);
    let ante = json!({ "do": "place-wager", "position": 1, "area": "ante", "owner": "Ann", "amount": 10_000,
        "means": "credits" });
    hall.play("Dora", "H1", ante).await;
    assert!(!is_lost(&hall, "H1"), "the Dealer's command is an answer");
}
