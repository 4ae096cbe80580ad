//! Two nodes on one PostgreSQL: what one cannot decide the other does, one hop; a node that leaves hands over.

use std::net::SocketAddr;
use std::path::Path;

use reqwest::Client;
use serde_json::{Value, json};
use server::config::Config;
use server::{App, Listening, ServeError, SignIn, serve_until, start};
use testkit::PATIENCE;
use testkit::postgres::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::support::until;

struct Node {
    app: App,
    sign_ins: Vec<SignIn>,
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
    Node { app: started.app, sign_ins: started.sign_ins, address, stop, task }
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

    /// How it answers a question of whoever has a token.
    async fn status(&self, client: &Client, token: &str, path: &str) -> u16 {
        let question = client.get(format!("http://{}{path}", self.address)).bearer_auth(token);
        question.send().await.expect("it answers").status().as_u16()
    }

    /// Signs somebody of the staff in, with the password repeated.
    async fn sign_in(&self, client: &Client, who: &SignIn) -> String {
        let form = json!({ "name": who.name, "password": who.password });
        let (status, begun) = self.post(client, "", "/api/session", form).await;
        assert_eq!(status, 200, "{begun}");
        let once = begun["token"].as_str().expect("a token").to_owned();
        let form = json!({ "password": who.password });
        let (status, begun) = self.post(client, &once, "/api/session/step-up", form).await;
        assert_eq!(status, 200, "{begun}");
        begun["token"].as_str().expect("a token").to_owned()
    }

    async fn end(self) {
        self.stop.cancel();
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("it ends in time");
        ended.expect("it does not panic").expect("it stops in order");
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
    until("each runs half of the tables", async || half(&one) && half(&two)).await;
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
    until("one knows the guest", async || {
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

    // Once a line is open, commands go on it: the node that answers has counted it.
    until("a line is opened", async || {
        let (status, answer) = two.post(&client, &token, path, take.clone()).await;
        assert_eq!(status, 409, "{answer}");
        let figures = client.get(format!("http://{}/metrics", one.address)).send().await.expect("it answers");
        figures.text().await.expect("it is text").contains("megalink_lines_total")
    })
    .await;
    for _ in 0..3 {
        let (status, answer) = two.post(&client, &token, path, take.clone()).await;
        assert_eq!((status, answer["reason"].as_str()), (409, Some("PositionIsTaken")), "{answer}");
    }

    one.end().await;
    until("two runs the table", async || two.app.board.run_elsewhere(&table).is_none()).await;
    let leave = json!({ "do": "leave-position", "position": 1 });
    until("the table is taken over", async || {
        let (status, answer) = two.post(&client, &token, path, leave.clone()).await;
        assert!(status == 200 || status == 503, "{answer}");
        status == 200
    })
    .await;
    two.end().await;
}

/// What one node revoked the other one refuses: a key although the other one has not heard of it, a session as soon as it has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_revokes_the_other_refuses() {
    let server = Server::shared();
    let database = server.new_database();
    let directory = tempfile::tempdir().expect("a directory");
    let one = node("one", &database, directory.path()).await;
    let two = node("two", &database, directory.path()).await;
    let client = Client::builder().timeout(PATIENCE).build().expect("a client");
    let manager = one.sign_ins.first().expect("somebody may sign in");
    let (token, session) = (one.sign_in(&client, manager).await, one.sign_in(&client, manager).await);

    let form = json!({ "device": "Follower", "scope": { "kind": "follower" }, "days": 30 });
    let (status, made) = one.post(&client, &token, "/api/devices", form).await;
    assert_eq!(status, 200, "{made}");
    let key = made["key"].as_str().expect("a key");
    assert_eq!(two.status(&client, key, "/api/device").await, 200);
    // For half a second no node hears of another: their listeners have to connect again.
    let deaf = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND (query LIKE 'LISTEN%' OR query LIKE '%FROM stream WHERE version > 0')";
    let ended = server.try_sql(&database, deaf).expect("connections end");
    assert!(2 <= ended.trim().parse::<u32>().expect("a number"), "{ended}");
    let revoke = json!({ "do": "revoke-device-key", "device": "Follower" });
    let (status, answer) = one.post(&client, &token, "/api/house/commands", revoke).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(two.status(&client, key, "/api/device").await, 401);

    assert_eq!(two.status(&client, &session, "/api/second-factor").await, 200);
    let signs_out = client.delete(format!("http://{}/api/session", one.address)).bearer_auth(&session);
    let signed_out = signs_out.header("X-Megalink", "1").send().await.expect("it answers").status();
    assert!(signed_out.is_success(), "{signed_out}");
    let path = "/api/second-factor";
    until("the session has ended", async || two.status(&client, &session, path).await == 401).await;
    assert_eq!(two.status(&client, &token, "/api/second-factor").await, 200, "the other session goes on");
    two.end().await;
    one.end().await;
}

/// A load balancer is trusted too, and carries an upgrade for anybody: whoever asks for a line without being a node gets none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trusted_address_alone_opens_no_line() {
    let database = Server::shared().new_database();
    let directory = tempfile::tempdir().expect("a directory");
    let one = node("one", &database, directory.path()).await;
    let asked = "GET / HTTP/1.1\r\nhost: megalink\r\nconnection: upgrade\r\nupgrade: megalink-line-2\r\n\r\n";
    let ask = async || {
        let mut stream = TcpStream::connect(one.address).await.expect("it listens");
        stream.write_all(asked.as_bytes()).await.expect("it is sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("it answers"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
        let mut challenge = [0; 32];
        stream.read_exact(&mut challenge).await.expect("it wants a proof");
        (stream, challenge)
    };
    let (mut silent, first) = ask().await;
    let (mut wrong, second) = ask().await;
    assert_ne!(first, second, "a proof for one line is none for another");
    wrong.write_all(&[7; 64]).await.expect("it is sent");
    for stream in [&mut silent, &mut wrong] {
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut rest)).await;
        closed.expect("it is closed in time").expect("it is closed");
        assert!(rest.is_empty(), "nothing is answered");
    }
    one.end().await;
}
