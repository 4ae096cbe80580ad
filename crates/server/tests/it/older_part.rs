//! The part of the log that a start does not read is verified while the floor plays: what is wrong there raises the alarm.

use std::time::Duration;

use jackpot::FaultKind;
use journal::{LinkId, Stream};
use serde_json::{Value, json};

use super::support::{Hall, alter_entry, until_some};

/// So far the clock is set ahead for a gaming day to be over.
const DAY: Duration = Duration::from_hours(24);

const TABLE: &str = "H1";

/// An entry that stands before the books is altered: the server starts, finds it, shows it to the staff and in the metrics, and
/// the link that the table plays for has a fault that two people must clear.
#[tokio::test]
async fn an_altered_old_entry_raises_the_alarm() {
    let hall = Hall::open().await;
    let table = Stream::Table(jackpot::TableId::new(TABLE));
    hall.app.config.clock.set_ahead(DAY);
    hall.play("Ann", TABLE, json!({ "do": "take-position", "position": 1 })).await;
    until_some("the table is carried forward", async || hall.carried(table.clone(), 2).await).await;
    until_some("the books are closed", async || hall.carried(Stream::House, 2).await).await;
    let hall = hall.altered(|file| alter_entry(file, &table, 2, "hash = zeroblob(32)")).await;
    let shown = until_some("it is found", async || {
        let shown = hall.sign_in("Mia").await.get("/api/audit/verification").await.ok();
        shown["findings"].as_array().filter(|findings| !findings.is_empty()).cloned()
    })
    .await;
    let entry = format!("{table} entry 2: ");
    assert!(
        shown.first().and_then(Value::as_str).is_some_and(|shown| shown.starts_with(&entry)),
        "{shown:?}"
    );
    let figures = hall.public().from("127.0.0.1").get("/metrics").await.text;
    let findings = figures.lines().find_map(|line| line.strip_prefix("megalink_log_findings "));
    assert!(findings.is_some_and(|findings| findings != "0"), "{figures}");
    let fault = until_some("the link has a fault", async || {
        let desk = hall.app.board.link(&LinkId::new("mega"))?;
        desk.link().faults().iter().find(|fault| fault.kind == FaultKind::LogWrong).cloned()
    })
    .await;
    assert!(fault.seen.contains(&entry), "{fault:?}");
}
