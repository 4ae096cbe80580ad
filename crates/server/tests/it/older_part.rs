//! The part of the log that a start does not read is verified while the floor plays: what is wrong there raises the alarm.

use std::time::{Duration, Instant};

use jackpot::FaultKind;
use journal::{LinkId, Stream, Version};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::support::Hall;

/// So far the clock is set ahead for a gaming day to be over.
const DAY: Duration = Duration::from_hours(24);

const TABLE: &str = "H1";

/// Waits until something is there, for a minute at most.
async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "still not: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whether a stream is carried forward, behind so many entries at least.
async fn is_carried(hall: &Hall, stream: Stream, least: u64) -> Option<Version> {
    let carried = hall.app.vault.read(move |reader| reader.carried(&stream, Version(u64::MAX)));
    carried.await.expect("the log can be read").filter(|carried| least < carried.0)
}

/// Changes the hash of an entry, and leaves everything else as it was.
fn alter(file: &Connection, stream: &Stream, version: u64) {
    let sql = "SELECT sql FROM sqlite_master WHERE name = 'entry_is_not_changed'";
    let trigger: String = file.query_row(sql, [], |row| row.get(0)).expect("the trigger");
    file.execute_batch("DROP TRIGGER entry_is_not_changed").expect("an insider can");
    let update = format!(
        "UPDATE entry SET hash = zeroblob(32) WHERE version = {version}
         AND stream = (SELECT id FROM stream WHERE name = '{stream}')"
    );
    assert_eq!(file.execute(&update, []).expect("an insider can"), 1);
    file.execute_batch(&trigger).expect("it looks as before");
}

/// An entry that stands before the books is altered: the server starts, finds it, shows it to the staff and in the metrics, and
/// the link that the table plays for has a fault that two people must clear.
#[tokio::test]
async fn an_altered_old_entry_raises_the_alarm() {
    let hall = Hall::open().await;
    let table = Stream::Table(jackpot::TableId::new(TABLE));
    hall.app.config.clock.set_ahead(DAY);
    hall.play("Ann", TABLE, json!({ "do": "take-position", "position": 1 })).await;
    until("the table is carried forward", async || is_carried(&hall, table.clone(), 2).await).await;
    until("the books are closed", async || is_carried(&hall, Stream::House, 2).await).await;
    let hall = hall.altered(|file| alter(file, &table, 2)).await;
    let shown = until("it is found", async || {
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
    let fault = until("the link has a fault", async || {
        let desk = hall.app.board.link(&LinkId::new("mega"))?;
        desk.link().faults().iter().find(|fault| fault.kind == FaultKind::LogWrong).cloned()
    })
    .await;
    assert!(fault.seen.contains(&entry), "{fault:?}");
}
