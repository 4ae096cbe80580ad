//! What was ever shown is shown again by a server that has just started: rounds to which a Player brought a salt, in a
//! file or in PostgreSQL, in the log or in archives. Where the past cannot be read, the present is shown.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use jackpot::TableId;
use journal::archive::{Archive, archive_until};
use journal::{Hash, Moment, Stream};
use round::PlayerId;
use serde_json::{Value, json};
use server::config::Config;
use testkit::postgres::Server;
use tokio::sync::oneshot;

use super::support::{Client, Hall, alter_entry, first_message, until, until_some};

const TABLE: &str = "H2";
const ROUNDS: usize = 4;
const DAY: Duration = Duration::from_hours(24);

fn table() -> Stream {
    Stream::Table(TableId::new(TABLE))
}

/// Ann's chain of salts, the anchor last.
fn chain() -> Vec<Hash> {
    let (table, ann) = (TableId::new(TABLE), PlayerId::new("Ann"));
    let mut links = vec![Hash([7; 32])];
    for _ in 0..ROUNDS {
        links.push(floor::dealing::link(&table, &ann, links[links.len() - 1]));
    }
    links
}

/// Some of the rounds of Ann's, who brings a salt to all but the first.
async fn play(hall: &Hall, rounds: Range<usize>) {
    let salts = chain();
    if rounds.start == 0 {
        hall.play("Ann", TABLE, json!({ "do": "take-position", "position": 1 })).await;
        let anchor = salts[ROUNDS].to_string();
        hall.play("Ann", TABLE, json!({ "do": "commit-salts", "anchor": anchor })).await;
    }
    for round in rounds {
        hall.play("Dora", TABLE, json!({ "do": "open-bets" })).await;
        let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 2_500 });
        hall.play("Ann", TABLE, wager).await;
        hall.play("Dora", TABLE, json!({ "do": "close-bets" })).await;
        if round != 0 {
            let salt = salts[ROUNDS - round].to_string();
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

/// A gaming day passes, the first or a later one, and the table and the books are closed.
async fn close_the_day(hall: &Hall, day: u32) {
    let before = [table(), Stream::House].map(|stream| {
        let head = hall.app.board.head(&stream).expect("a stream");
        (stream, head.version.0)
    });
    hall.app.config.clock.set_ahead(DAY * day);
    for (who, does) in [("Dora", "call-supervisor"), ("Sue", "answer-call")] {
        let who = hall.sign_in(who).await;
        who.post(&format!("/api/tables/{TABLE}/commands"), json!({ "do": does })).await.ok();
    }
    for (stream, least) in before {
        until_some("the day is closed", async || hall.carried(stream.clone(), least).await).await;
    }
}

/// Moves what is closed into archives, as a running server does with what was closed long enough ago.
async fn archive(hall: &Hall) {
    let folder = hall.app.config.storage.archives.clone().expect("a folder");
    let days = hall.app.board.house().day_rule();
    let archived = hall.app.vault.read(move |reader| archive_until(reader, &folder, Moment(u64::MAX), days));
    let pruning = Arc::new(archived.await.expect("it is archived").pruning);
    until("it is taken out of the log", async || {
        let (sender, receiver) = oneshot::channel();
        let reply = Box::new(move |taken| drop(sender.send(taken)));
        hall.app.service.prune_with(Arc::clone(&pruning), 500, reply);
        matches!(receiver.await, Ok(Ok(0)))
    })
    .await;
}

/// Plays, and reads the same once the server was started again.
async fn reads_the_same(change: impl FnOnce(&mut Config)) {
    let hall = Hall::open_with(change).await;
    play(&hall, 0..ROUNDS).await;
    let before = shown(&hall).await;
    let hall = hall.restarted(|_| ()).await;
    assert_eq!(shown(&hall).await, before);
    audited(&hall).await;
}

/// The same with two days of rounds that are in archives, from when they are moved there.
async fn reads_the_same_from_archives(change: impl FnOnce(&mut Config)) {
    let archives = tempfile::tempdir().expect("a directory");
    let hall = Hall::open_with(|config| {
        config.storage.archives = Some(archives.path().to_owned());
        change(config);
    })
    .await;
    play(&hall, 0..ROUNDS / 2).await;
    close_the_day(&hall, 1).await;
    play(&hall, ROUNDS / 2..ROUNDS).await;
    let played = hall.app.board.head(&table()).expect("a table").version;
    // The books are closed before the table is: what was played goes with the books after that.
    close_the_day(&hall, 2).await;
    close_the_day(&hall, 3).await;
    let before = shown(&hall).await;
    archive(&hall).await;
    let begins = hall.app.vault.read(|reader| reader.begins(&table())).await.expect("readable");
    assert!(begins.is_some_and(|begins| played < begins), "{begins:?} {played:?}");
    let files = Archive::open_folder(archives.path()).expect("archives");
    assert!(2 < files.len(), "a gaming day to a file");
    assert_eq!(shown(&hall).await, before);
    let hall = hall.restarted(|_| ()).await;
    assert_eq!(shown(&hall).await, before);
    audited(&hall).await;
}

fn on_postgres() -> impl FnOnce(&mut Config) {
    let database = Server::shared().new_database();
    |config| config.storage.database = Some(database)
}

#[tokio::test]
async fn rounds_with_salts_read_the_same_after_a_start() {
    reads_the_same(|_| ()).await;
}

#[tokio::test]
async fn rounds_with_salts_read_the_same_from_archives() {
    reads_the_same_from_archives(|_| ()).await;
}

#[tokio::test]
async fn rounds_with_salts_read_the_same_after_a_start_on_postgresql() {
    reads_the_same(on_postgres()).await;
}

#[tokio::test]
async fn rounds_with_salts_read_the_same_from_archives_on_postgresql() {
    reads_the_same_from_archives(on_postgres()).await;
}

#[tokio::test]
async fn where_the_past_cannot_be_read_the_present_is_shown() {
    let hall = Hall::open().await;
    play(&hall, 0..ROUNDS).await;
    close_the_day(&hall, 1).await;
    let hall = hall.altered(|file| alter_entry(file, &table(), 4, "content = zeroblob(1)")).await;
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
