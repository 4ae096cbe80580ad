//! A house behind the whole router: staff of every office, members, two links, live and software tables; and clients
//! who ask as one of them, without a socket.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use futures_util::StreamExt;
use journal::{Stream, Version};
use serde_json::{Value, json};
use server::config::Config;
use server::{App, Listening, app, serve_until, start};
use tempfile::TempDir;
use testkit::{PATIENCE, PAUSE};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// The staff, besides Gus and Hal who opened the house: one of each office.
pub(crate) const STAFF: [(&str, &str); 4] =
    [("Dora", "dealer"), ("Sue", "pit-supervisor"), ("Mia", "pit-manager"), ("Gia", "gaming-shift-manager")];

/// Those with whom the house was set up: two Gaming Shift Managers, somebody of Accounting, and the Regulator.
pub(crate) const FIRST: [&str; 4] = ["Gus", "Hal", "Abe", "Rex"];

/// The members, each with S$5,000.00 of credits.
pub(crate) const MEMBERS: [&str; 3] = ["Ann", "Bob", "Cat"];

/// The tables: name, rulebook, dealing, link.
pub(crate) const TABLES: [(&str, &str, &str, &str); 4] = [
    ("H1", "megalink-holdem-v9", "live", "mega"),
    ("H2", "megalink-holdem-v9", "software", "mega"),
    ("S1", "megalink-stud-v9", "live", "mega"),
    ("S2", "megalink-stud-v9", "software", "mega"),
];

/// The password of everybody.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// A running house.
pub(crate) struct Hall {
    pub(crate) app: App,
    pub(crate) router: Router,
    pub(crate) tokens: BTreeMap<String, String>,
    keys: Arc<AtomicU64>,
    directory: TempDir,
}

/// Somebody who asks.
#[derive(Clone)]
pub(crate) struct Client {
    router: Router,
    pub(crate) token: Option<String>,
    pub(crate) address: IpAddr,
    keys: Arc<AtomicU64>,
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// The answer of a request that must be taken.
    #[track_caller]
    pub(crate) fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The reason of a problem with this status.
    #[track_caller]
    pub(crate) fn reason(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        problem["reason"].as_str().expect("a problem has a reason").to_owned()
    }
}

/// A configuration for tests: an empty house, nothing that makes one test wait for another.
pub(crate) fn config(directory: &TempDir) -> Config {
    let mut config = Config::default();
    config.storage.directory = Some(directory.path().to_owned());
    config.floor.demonstration = false;
    config.floor.house = Some("The House".to_owned());
    "Gus".clone_into(&mut config.floor.manager);
    "Hal".clone_into(&mut config.floor.second_manager);
    "Abe".clone_into(&mut config.floor.accountant);
    "Rex".clone_into(&mut config.floor.regulator);
    config.limits.requests_burst = 1_000_000;
    config.limits.requests_per_second = 1_000_000;
    config
}

impl Hall {
    /// A house with two Gaming Shift Managers, Gus and Hal, Abe of Accounting and Rex, the Regulator, who are not signed in;
    /// and their passwords.
    pub(crate) async fn bare(change: impl FnOnce(&mut Config)) -> (Hall, [String; 4]) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = config(&directory);
        change(&mut config);
        let started = start(config).await.expect("the server starts");
        let router = app(started.app.clone());
        let keys = Arc::new(AtomicU64::new(1));
        let hall = Hall { app: started.app, router, tokens: BTreeMap::new(), keys, directory };
        let password = |name: &str| {
            let sign_in = started.sign_ins.iter().find(|sign_in| sign_in.name == name);
            sign_in.map_or_else(String::new, |sign_in| sign_in.password.clone())
        };
        (hall, FIRST.map(password))
    }

    /// The same house after its server was stopped, its file altered, and the server started again.
    pub(crate) async fn altered(self, alter: impl FnOnce(&rusqlite::Connection)) -> Hall {
        self.restarted(|folder| {
            alter(&rusqlite::Connection::open(folder.join("megalink.db")).expect("the file is free"));
        })
        .await
    }

    /// Where a stream was carried forward last, behind so many entries at least.
    pub(crate) async fn carried(&self, stream: Stream, least: u64) -> Option<Version> {
        let carried = self.app.vault.read(move |reader| reader.carried(&stream, Version(u64::MAX)));
        carried.await.expect("the log can be read").filter(|carried| least < carried.0)
    }

    /// The same house after its server was stopped and started again.
    pub(crate) async fn restarted(self, meanwhile: impl FnOnce(&Path)) -> Hall {
        let Hall { app: before, router, tokens, keys, directory } = self;
        let config = before.config.clone();
        before.stopping.cancel();
        let (vault, service) = (before.vault.clone(), Arc::clone(&before.service));
        let stop = move || {
            vault.close();
            service.stop()
        };
        tokio::task::spawn_blocking(stop).await.expect("it ends").expect("in order");
        drop((before, router));
        meanwhile(directory.path());
        let started = super::ops_first::start_after(&config).await.expect("the server starts");
        let router = app(started.app.clone());
        Hall { app: started.app, router, tokens, keys, directory }
    }

    /// Stops the server in order, as one that listens does. What is left is its directory and its configuration.
    pub(crate) async fn served_to_its_end(self) -> (TempDir, Config) {
        let Hall { app, router, directory, .. } = self;
        let (config, stop) = (app.config.clone(), CancellationToken::new());
        drop(router);
        let listening = Listening::bind(&config.server).await.expect("there is a free port");
        stop.cancel();
        serve_until(app, listening, stop).await.expect("it stops in order");
        (directory, config)
    }

    /// The same house with all four signed in.
    pub(crate) async fn empty(change: impl FnOnce(&mut Config)) -> Hall {
        let (mut hall, passwords) = Hall::bare(change).await;
        for (name, password) in FIRST.into_iter().zip(passwords) {
            let sign_in = json!({ "name": name, "password": password });
            let begun = hall.public().post("/api/session", sign_in).await.ok();
            hall.tokens.insert(name.to_owned(), token(&begun));
            let set = json!({ "old": password, "new": PASSWORD });
            let begun = hall.client(name).post("/api/password", set).await.ok();
            hall.tokens.insert(name.to_owned(), token(&begun));
            hall.step_up(name).await;
        }
        hall
    }

    /// A house with everything in it that plays with play money, and takes guests.
    pub(crate) async fn demonstration() -> Hall {
        Hall::open_with(|config| config.floor.play_money = true).await
    }

    /// A house with everything in it.
    pub(crate) async fn open() -> Hall {
        Hall::open_with(|_| {}).await
    }

    pub(crate) async fn open_with(change: impl FnOnce(&mut Config)) -> Hall {
        let mut hall = Hall::empty(change).await;
        // Nobody waits a day in a test.
        let limits = journal::HouseLimits { waiting_hours: 0, ..journal::HouseLimits::default() };
        hall.two_sign("Gus", "Abe", json!({ "kind": "change-house-limits", "limits": limits })).await.ok();
        for (name, office) in STAFF {
            let appoint = json!({ "kind": "appoint", "person": name, "office": office });
            hall.two_sign("Gus", "Abe", appoint).await.ok();
            hall.invite(name, json!({ "invite": "staff", "person": name })).await;
            hall.step_up(name).await;
        }
        for name in MEMBERS {
            hall.invite(name, json!({ "invite": "player", "player": name })).await;
            let (who, brings) = if hall.app.config.floor.play_money {
                (
                    "Mia",
                    json!({ "do": "grant-credits", "player": name, "amount": 500_000, "means": "credits" }),
                )
            } else {
                ("Dora", json!({ "do": "buy-in", "player": name, "amount": 500_000, "means": "credits" }))
            };
            hall.house(who, brings).await.ok();
        }
        let settings = json!({ "minimum_wager": 500, "contribution_bps": 1000, "reset": 5_000_000,
            "round_contribution_max": { "cents": 100_000 } });
        let link = json!({ "kind": "open-link", "link": "mega", "books": ["megalink-holdem-v9", "megalink-stud-v9"],
            "settings": settings, "opening": { "cents": 10_000_000 } });
        hall.two_sign("Gus", "Abe", link).await.ok();
        for (table, book, dealing, link) in TABLES {
            hall.open_table(table, book, dealing, link).await;
        }
        hall
    }

    async fn open_table(&self, table: &str, book: &str, dealing: &str, link: &str) {
        let bonus = if book.contains("stud") { Value::Null } else { json!([500, 50_000]) };
        let setup = json!({ "rulebook": book, "positions": 6, "limits": { "ante": [2500, 100_000], "bonus": bonus },
            "dealing": dealing, "staffing": "staffed", "link": link });
        self.house("Mia", json!({ "do": "open-table", "table": table, "setup": setup })).await.ok();
    }

    /// Proposes something as one person, and confirms it as another.
    pub(crate) async fn two_sign(&self, first: &str, second: &str, proposal: Value) -> Reply {
        self.house(first, json!({ "do": "propose", "proposal": proposal })).await.ok();
        self.confirm(second).await
    }

    /// Confirms the newest proposal.
    pub(crate) async fn confirm(&self, who: &str) -> Reply {
        let number = self.app.board.house().proposals().map(|(number, _)| number).max();
        self.house(who, json!({ "do": "confirm", "number": number.expect("something is proposed") })).await
    }

    /// Somebody's token: of the staff both halves, which two people give out.
    pub(crate) async fn token_for(&self, two: [&str; 2], invitation: Value) -> String {
        let [first, second] = two;
        let given = self.client(first).post("/api/invitations", invitation.clone()).await.ok();
        let half = given["token"].as_str().expect("a token").to_owned();
        if given["half"] == false {
            return half;
        }
        let other = self.client(second).post("/api/invitations", invitation).await.ok();
        format!("{half}.{}", other["token"].as_str().expect("a token"))
    }

    /// Invites somebody by Gus and Abe, and has them choose the password.
    async fn invite(&mut self, name: &str, invitation: Value) {
        let path = format!("/api/invitations/{}", self.token_for(["Gus", "Abe"], invitation).await);
        let begun = self.public().post(&path, json!({ "password": PASSWORD })).await.ok();
        self.tokens.insert(name.to_owned(), token(&begun));
    }

    /// Repeats somebody's password.
    pub(crate) async fn step_up(&mut self, name: &str) {
        let begun =
            self.client(name).post("/api/session/step-up", json!({ "password": PASSWORD })).await.ok();
        self.tokens.insert(name.to_owned(), token(&begun));
    }

    /// Somebody who is not signed in.
    pub(crate) fn public(&self) -> Client {
        Client {
            router: self.router.clone(),
            token: None,
            address: IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)),
            keys: Arc::clone(&self.keys),
            headers: Vec::new(),
        }
    }

    /// Somebody of the house, the staff with their password repeated.
    pub(crate) fn client(&self, name: &str) -> Client {
        Client { token: Some(self.tokens[name].clone()), ..self.public() }
    }

    /// Signs somebody in once more.
    pub(crate) async fn sign_in(&self, name: &str) -> Client {
        let begun =
            self.public().post("/api/session", json!({ "name": name, "password": PASSWORD })).await.ok();
        Client { token: Some(token(&begun)), ..self.public() }
    }

    pub(crate) async fn house(&self, who: &str, command: Value) -> Reply {
        self.client(who).post("/api/house/commands", command).await
    }

    /// Gives a table a command; of a Player who takes a position or wagers, their own with credits.
    pub(crate) async fn table(&self, who: &str, table: &str, command: Value) -> Reply {
        self.client(who).post(&format!("/api/tables/{table}/commands"), own(who, command)).await
    }

    /// Gives a table a command that must be taken.
    #[track_caller]
    pub(crate) fn play<'a>(
        &'a self,
        who: &'a str,
        table: &'a str,
        command: Value,
    ) -> impl Future<Output = Value> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let reply = self.table(who, table, command.clone()).await;
            assert!(reply.status.is_success(), "{place}: {who} {command}: {} {}", reply.status, reply.text);
            reply.json()
        }
    }

    /// Seats the members and has them place an Ante each.
    pub(crate) async fn seat(&self, table: &str, players: &[&str]) {
        for (at, name) in players.iter().enumerate() {
            self.play(name, table, json!({ "do": "take-position", "position": at + 1 })).await;
        }
        self.play("Dora", table, json!({ "do": "open-bets" })).await;
        for (at, name) in players.iter().enumerate() {
            let wager = json!({ "do": "place-wager", "position": at + 1, "area": "ante", "amount": 2500 });
            self.play(name, table, wager).await;
        }
        self.play("Dora", table, json!({ "do": "close-bets" })).await;
    }

    /// Does what comes next in the procedure of a live table, with these cards and this decision of everybody, until
    /// the round is settled or the cards have run out.
    pub(crate) async fn drive(&self, table: &str, players: &[&str], cards: &str, decision: &str) -> Value {
        let mut cards = cards.split_whitespace();
        loop {
            let view = self.client("Dora").get(&format!("/api/tables/{table}")).await.ok();
            if !view["settlement"].is_null() {
                return view;
            }
            let choices = view["choices"].as_array().expect("choices");
            let next = choices.iter().find(|choice| choice["next"] == true);
            let next = next.unwrap_or_else(|| panic!("nothing is next: {view}"));
            let mut command = next["command"].clone();
            let does = command["do"].as_str().expect("a word").to_owned();
            match does.as_str() {
                "deal-card" => match cards.next() {
                    Some(card) => command["card"] = json!(card),
                    None => return view,
                },
                "decide" => command["decision"] = json!(decision),
                _ => {}
            }
            let who = match (does.as_str(), command["position"].as_u64()) {
                ("decide", Some(position)) => players[usize::try_from(position - 1).expect("a position")],
                _ => "Dora",
            };
            self.play(who, table, command).await;
        }
    }

    /// How many entries each stream has.
    pub(crate) fn log_length(&self) -> u64 {
        let mut length = 0;
        for stream in ["house", "link/mega", "table/H1", "table/H2", "table/S1", "table/S2"] {
            let head = self.app.board.head(&stream.parse().expect("a stream"));
            length += head.map_or(0, |head| head.version.0);
        }
        length
    }
}

impl Client {
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(Method::POST, path, Some(("application/json", body.to_string().into()))).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, None).await
    }

    /// With another token.
    pub(crate) fn holding(mut self, token: String) -> Client {
        self.token = Some(token);
        self
    }

    /// From another address.
    pub(crate) fn from(mut self, address: &str) -> Client {
        self.address = address.parse().expect("an address");
        self
    }

    /// With a further header; one of the usual ones is replaced, or left out where the value is empty.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Client {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn request(&self, method: Method, path: &str, body: Option<(&str, Vec<u8>)>) -> Request<Body> {
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        headers.insert("host".to_owned(), "floor.test".to_owned());
        headers.insert("x-request-id".to_owned(), "test".to_owned());
        if method != Method::GET {
            let key = self.keys.fetch_add(1, Ordering::Relaxed);
            headers.insert("idempotency-key".to_owned(), uuid::Uuid::from_u128(key.into()).to_string());
            headers.insert("x-megalink".to_owned(), "1".to_owned());
        }
        if let Some(token) = &self.token {
            headers.insert("authorization".to_owned(), format!("Bearer {token}"));
        }
        let mut bytes = Vec::new();
        if let Some((kind, body)) = body {
            headers.insert("content-type".to_owned(), kind.to_owned());
            bytes = body;
        }
        for (name, value) in &self.headers {
            headers.insert((*name).to_owned(), value.clone());
        }
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(name, value);
        }
        let mut request = request.body(Body::from(bytes)).expect("a request");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(self.address, 4711)));
        request
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<(&str, Vec<u8>)>) -> Reply {
        let request = self.request(method, path, body);
        let response = self.router.clone().oneshot(request).await.expect("the router answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        Reply { status, headers, text: String::from_utf8(bytes.to_vec()).expect("text") }
    }
}

/// A command of somebody's own, with what its form asks for and the test leaves out.
pub(crate) fn own(who: &str, mut command: Value) -> Value {
    let fields: &[(&str, &str)] = match command["do"].as_str() {
        Some("take-position" | "withdraw" | "stay-in" | "set-wagers" | "commit-salts" | "open-salt") => {
            &[("player", who)]
        }
        Some("place-wager") => &[("owner", who), ("means", "credits")],
        Some("take-back-wager") => &[("owner", who)],
        _ => &[],
    };
    for (name, value) in fields {
        if command[*name].is_null() {
            command[*name] = json!(value);
        }
    }
    command
}

/// Waits until something holds.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until_some(what, async || holds().await.then_some(())).await;
}

/// Waits until something is there.
pub(crate) async fn until_some<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(tokio::time::Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// The token of a session that has begun.
pub(crate) fn token(begun: &Value) -> String {
    begun["token"].as_str().expect("a token").to_owned()
}

/// The first message of a stream's server-sent events, from the very beginning of the stream.
pub(crate) async fn first_message(client: &Client, stream: &str) -> Value {
    let request = client.request(Method::GET, &format!("/api/streams/{stream}/feed?after=0"), None);
    let response = client.router.clone().oneshot(request).await.expect("the router answers");
    assert_eq!(response.status(), 200);
    let mut body = response.into_body().into_data_stream();
    let mut text = String::new();
    while !text.contains("\n\n") {
        let piece = body.next().await.expect("the feed goes on").expect("a piece");
        text.push_str(std::str::from_utf8(&piece).expect("text"));
    }
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).expect("a message");
    serde_json::from_str(data).expect("a message is JSON")
}

/// Changes an entry of the log, and leaves everything else as it was.
pub(crate) fn alter_entry(file: &rusqlite::Connection, stream: &Stream, version: u64, change: &str) {
    let sql = "SELECT sql FROM sqlite_master WHERE name = 'entry_is_not_changed'";
    let trigger: String = file.query_row(sql, [], |row| row.get(0)).expect("the trigger");
    file.execute_batch("DROP TRIGGER entry_is_not_changed").expect("an insider can");
    let update = format!(
        "UPDATE entry SET {change} WHERE version = {version}
         AND stream = (SELECT id FROM stream WHERE name = '{stream}')"
    );
    assert_eq!(file.execute(&update, []).expect("an insider can"), 1);
    file.execute_batch(&trigger).expect("it looks as before");
}
