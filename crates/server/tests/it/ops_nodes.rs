//! Two nodes on one PostgreSQL: what one cannot decide the other does, one hop; a node that leaves hands over.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use server::config::Config;
use server::{App, Listening, ServeError, serve_until, start};
use testkit::postgres::Server;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How long anything may take on a busy machine before a test fails.
const PATIENCE: Duration = Duration::from_mins(1);

struct Node {
    app: App,
    address: SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<Result<(), ServeError>>,
}

async fn node(name: &str, database: &str, directory: &Path) -> Node {
    let mut config = Config::default();
    config.storage.database = Some(database.to_owned());
    config.storage.directory = Some(directory.join(name));
    config.storage.signing_key = Some(directory.join("signing.key"));
    config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
    config.server.trusted_proxies = vec![[127, 0, 0, 1].into()];
    config.floor.node = name.to_owned();
    config.floor.lease_milliseconds = 2_000;
    let listening = Listening::bind(&config.server).await.expect("there is a free port");
    let address = listening.address().expect("it has an address");
    config.server.listen = address;
    let started = start(config).await.expect("the node starts");
    let stop = CancellationToken::new();
    let task = tokio::spawn(serve_until(started.app.clone(), listening, stop.clone()));
    Node { app: started.app, address, stop, task }
}

impl Node {
    async fn post(&self, client: &Client, token: &str, path: &str, body: Value) -> (u16, Value) {
        let mut key = [0; 16];
        getrandom::fill(&mut key).expect("there are random bytes");
        let request = client
            .post(format!("http://{}{path}", self.address))
            .header("X-Megalink", "1")
            .header("Idempotency-Key", uuid::Uuid::from_bytes(key).to_string())
            .bearer_auth(token)
            .json(&body);
        let answer = request.send().await.expect("it answers");
        (answer.status().as_u16(), answer.json().await.unwrap_or(Value::Null))
    }

    async fn end(self) {
        self.stop.cancel();
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("it ends in time");
        ended.expect("it does not panic").expect("it stops in order");
    }
}

async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_node_takes_any_command_and_a_node_that_leaves_hands_over() {
    let database = Server::shared().new_database();
    let directory = tempfile::tempdir().expect("a directory");
    let one = node("one", &database, directory.path()).await;
    let two = node("two", &database, directory.path()).await;
    let table = jackpot::TableId::new("MTHB9-LIVE");
    let half = |node: &Node| {
        let tables = node.app.board.tables();
        let elsewhere = tables.iter().filter(|table| node.app.board.run_elsewhere(table.id()).is_some());
        elsewhere.count() * 2 == tables.len()
    };
    eventually("each runs half of the tables", || half(&one) && half(&two)).await;
    // Whichever of them runs the table, the other one is asked.
    let is_at_one = two.app.board.run_elsewhere(&table).is_some();
    let (one, two) = if is_at_one { (one, two) } else { (two, one) };
    let runs = if is_at_one { "one" } else { "two" };

    let client = Client::builder().timeout(PATIENCE).build().expect("a client");
    let (status, guest) = two.post(&client, "", "/api/session/guest", json!({})).await;
    assert_eq!(status, 200, "{guest}");
    let token = guest["token"].as_str().expect("a token").to_owned();
    let path = "/api/tables/MTHB9-LIVE/commands";
    let take = json!({ "do": "take-position", "position": 1, "player": guest["who"]["name"] });
    eventually("one knows the guest", || {
        let name = guest["who"]["name"].as_str().expect("a name");
        one.app.board.house().player(&round::PlayerId::new(name)).is_some()
    })
    .await;
    let (status, answer) = two.post(&client, &token, path, take.clone()).await;
    assert_eq!(status, 200, "sent on to one: {answer}");
    let (status, answer) = two.post(&client, &token, path, take.clone()).await;
    assert_eq!(
        (status, answer["reason"].as_str()),
        (409, Some("PositionIsTaken")),
        "refusals are sent back: {answer}"
    );
    let figures = client.get(format!("http://{}/metrics", two.address)).send().await.expect("it answers");
    let figures = figures.text().await.expect("it is text");
    assert!(figures.contains(&format!("megalink_sent_on_total{{node=\"{runs}\"}}")), "{figures}");

    one.end().await;
    eventually("two runs the table", || two.app.board.run_elsewhere(&table).is_none()).await;
    let leave = json!({ "do": "leave-position", "position": 1 });
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (status, answer) = two.post(&client, &token, path, leave.clone()).await;
        if status == 200 {
            break;
        }
        assert_eq!(status, 503, "{answer}");
        assert!(Instant::now() < deadline, "the table was not taken over: {answer}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    two.end().await;
}
