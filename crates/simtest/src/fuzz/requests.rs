//! Whole requests through the real router to a real house: method, path, query and body. No request may cause a server
//! error. Password hashing and the lab are slow, so their routes are a separate decoder.

use std::future::IntoFuture as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use jackpot::Department;
use serde_json::{Value, json};
use server::config::Config;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt;

use super::decoders::{Checked, Outcome};
use super::mutate::line_and_body;
use super::samples;

/// A house with one Gaming Shift Manager, who is signed in.
pub(super) struct House {
    runtime: Runtime,
    router: Router,
    token: String,
    keys: AtomicU64,
    directory: TempDir,
}

/// After this many requests a new house is opened, because the log grows with each.
const REQUESTS_MAX: u64 = 200_000;

const PASSWORD: &str = "correct horse battery";

/// The house in use.
pub(super) fn house() -> Arc<House> {
    static HOUSE: Mutex<Option<Arc<House>>> = Mutex::new(None);
    let mut kept = HOUSE.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some(house) if house.keys.load(Ordering::Relaxed) < REQUESTS_MAX => Arc::clone(house),
        _ => Arc::clone(kept.insert(Arc::new(House::open()))),
    }
}

/// A folder in memory if there is one. A disk would be slow, because every command waits for a sync.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a directory")
}

/// The path of a command, by the first word of its sample.
const COMMANDS: [(&str, &[&str]); 2] = [
    ("/api/links/mega/commands", &["verify", "approve", "record", "pay", "lose", "restore"]),
    (
        "/api/house/commands",
        &[
            "appoint",
            "invite",
            "register",
            "buy",
            "grant",
            "cash",
            "repay",
            "open-link",
            "open-table",
            "propose",
            "confirm",
            "withdraw-proposal",
        ],
    ),
];

/// Requests without a body.
const LOOKS: &[&str] = &[
    "GET /api/lobby",
    "GET /api/me",
    "GET /api/me/rounds?limit=5",
    "GET /api/tables/H1",
    "GET /api/tables/H1/rounds",
    "GET /api/tables/H1/rounds/1",
    "GET /api/tables/H1/advice?position=1",
    "GET /api/links/mega",
    "GET /api/pit",
    "GET /api/links/mega/desk",
    "GET /api/links/mega/awards/1/slip",
    "GET /api/house",
    "GET /api/accounts",
    "GET /api/accounts/figure",
    "GET /api/audit/entries?stream=house&after=0&limit=10",
    "GET /api/audit/rounds/H1/1/proof",
    "GET /api/rulebooks",
    "GET /api/rulebooks/megalink-stud-v9",
    "GET /api/rulebooks/megalink-holdem-v9/readings",
    "GET /api/none",
    "DELETE /api/tables/H1",
];

/// Routes with few places for long work.
const LONG: [&str; 2] = ["/api/settle", "/api/lab/"];

/// Routes that are slow on purpose: they hash passwords or compute odds.
const SLOW: [&str; 5] =
    ["/api/session", "/api/password", "/api/invitations", "/api/lab", "/api/audit/replay"];

/// Samples for these. None of them ends the manager's own session.
const SLOW_SAMPLES: [&str; 12] = [
    r#"POST /api/session
{"name":"Shift Manager","password":"correct horse battery"}"#,
    r#"POST /api/session
{"name":"Shift Manager","password":"wrong"}"#,
    r#"POST /api/session/guest
{"name":"Zoe"}"#,
    r#"POST /api/session/step-up
{"password":"wrong horse battery"}"#,
    r#"POST /api/password
{"old":"wrong horse battery","new":"another horse battery"}"#,
    r#"POST /api/invitations
{"invite":"player","player":"Ann"}"#,
    r#"POST /api/invitations
{"invite":"staff","person":"Sue"}"#,
    r#"POST /api/invitations/0123456789abcdef
{"password":"a horse of my own"}"#,
    r#"POST /api/lab/advise
{"game":{"rulebook":"megalink-stud-v9","ante":2500},"cards":"As Ks Qd 7h 2c","up":"9d"}"#,
    r#"POST /api/lab/session
{"game":{"rulebook":"megalink-stud-v9"},"rounds":20}"#,
    r#"POST /api/lab/simulate
{"game":{"rulebook":"megalink-stud-v9"},"rounds":20,"session_rounds":5,"seed":1,"players":2,"strategy":"a-k"}"#,
    r#"POST /api/audit/replay
{"table":"H1","rulebook":"megalink-holdem-v6"}"#,
];

pub(super) fn slow_samples() -> Vec<Vec<u8>> {
    SLOW_SAMPLES.iter().map(|sample| sample.as_bytes().to_vec()).collect()
}

/// Sends a request to one of the slow routes.
pub(super) fn slow_request(input: &[u8]) -> Checked {
    let Parts { method, path, body } = Parts::of(input);
    if !SLOW.iter().any(|slow| path.starts_with(slow)) {
        return Ok(Outcome::Refused);
    }
    // A sign-in ends the session that it is sent with.
    let signed_in = !path.starts_with("/api/session") || path.starts_with("/api/session/step-up");
    let house = house();
    let sent =
        house.request(&method, &path, JSON, body, signed_in).and_then(|request| house.answer(&path, request));
    judge(sent, &method, &path)
}

/// Each sample is the first line of a request, then its body.
pub(super) fn samples() -> Vec<Vec<u8>> {
    let forms = samples::lines(&["crates/simtest/corpus/forms.jsonl"]);
    let mut requests: Vec<Vec<u8>> = LOOKS.iter().map(|look| format!("{look}\n").into_bytes()).collect();
    for form in &forms {
        let text = String::from_utf8_lossy(form);
        let path = COMMANDS
            .iter()
            .find(|(_, words)| words.iter().any(|word| text.starts_with(&format!("{{\"do\":\"{word}"))));
        let path = path.map_or("/api/tables/H1/commands", |(path, _)| path);
        requests.push(format!("POST {path}\n{text}").into_bytes());
        if path.contains("H1") {
            requests.push(format!("POST /api/tables/H1/guide\n{text}").into_bytes());
        }
    }
    let seed = "0".repeat(64);
    let salts = json!([{ "player": "Ann", "anchor": seed, "salt": seed }]);
    let discarded = json!([{ "seed": seed, "salts": salts }]);
    let shuffle = json!({ "table": "H1", "round": 1, "seed": seed, "salts": salts, "discarded": discarded });
    requests.push(format!("POST /api/shuffles/verify\n{shuffle}").into_bytes());
    for record in samples::lines(&["samples/rounds.jsonl"]) {
        requests.push([b"POST /api/settle\n", record.as_slice()].concat());
    }
    requests
}

struct Parts<'a> {
    method: String,
    path: String,
    body: &'a [u8],
}

impl Parts<'_> {
    fn of(input: &[u8]) -> Parts<'_> {
        let (line, body) = line_and_body(input);
        let line = String::from_utf8_lossy(line);
        let (method, path) = line.split_once(' ').unwrap_or((&line, "/"));
        Parts { method: method.to_owned(), path: path.to_owned(), body }
    }
}

const JSON: &str = "application/json";

/// Sends a request.
pub(super) fn request(input: &[u8]) -> Checked {
    let Parts { method, path, body } = Parts::of(input);
    if SLOW.iter().any(|slow| path.starts_with(slow)) {
        return Ok(Outcome::Refused);
    }
    let kind = if path.starts_with("/api/settle") { "application/x-ndjson" } else { JSON };
    judge(house().send(&method, &path, kind, body), &method, &path)
}

/// What the status of an answer means.
fn judge(status: Option<u16>, method: &str, path: &str) -> Checked {
    match status {
        None => Ok(Outcome::Refused),
        // The few places for long work may be taken. The server says so, and it is not a finding.
        Some(503) if LONG.iter().any(|long| path.starts_with(long)) => Ok(Outcome::Refused),
        Some(status) if 500 <= status => Err(format!("status {status} to {method} {path}")),
        Some(status) => Ok(if status < 400 { Outcome::Accepted } else { Outcome::Refused }),
    }
}

impl House {
    fn open() -> House {
        let runtime = Runtime::new().expect("a runtime");
        let directory = folder();
        let mut config = Config::default();
        config.storage.directory = Some(directory.path().to_owned());
        config.floor.demonstration = false;
        config.floor.house = Some("Fuzzed".to_owned());
        config.limits.requests_burst = u32::MAX;
        config.limits.requests_per_second = u32::MAX;
        let started = runtime.block_on(server::start(config)).expect("the house opens");
        let [_, sign_in, ..] = started.sign_ins.as_slice() else { panic!("two managers can sign in") };
        let accountant = started.sign_ins.iter().find(|one| one.post.department == Department::Accounting);
        let second = accountant.expect("somebody of Accounting can sign in");
        let (name, password) = (sign_in.name.clone(), sign_in.password.clone());
        let second = json!({ "name": second.name, "password": second.password });
        let mut house = House {
            runtime,
            router: server::app(started.app),
            token: String::new(),
            keys: AtomicU64::new(1),
            directory,
        };
        house.token = house.begin("/api/session", &json!({ "name": name, "password": password }));
        let chosen = json!({ "old": password, "new": PASSWORD });
        house.token = house.begin("/api/password", &chosen);
        house.token = house.begin("/api/session/step-up", &json!({ "password": PASSWORD }));
        house.furnish(&second);
        house.listen();
        house
    }

    /// Serves the same over a socket in its folder.
    fn listen(&self) {
        let _runtime = self.runtime.enter();
        let listener =
            tokio::net::UnixListener::bind(self.socket()).expect("a socket in a folder of our own");
        self.runtime.spawn(axum::serve(listener, self.router.clone()).into_future());
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// The session of its manager.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Opens a link and a table, so that requests have a subject.
    fn furnish(&mut self, second: &Value) {
        let settings = json!({ "minimum_wager": 500, "contribution_bps": 1000, "reset": 5_000_000,
            "round_contribution_max": { "cents": 100_000 } });
        let link = json!({ "kind": "open-link", "link": "mega", "books": ["megalink-holdem-v9", "megalink-stud-v9"],
            "settings": settings, "opening": { "cents": 10_000_000 } });
        let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "dealing": "software",
            "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] }, "staffing": "staffed", "link": "mega" });
        self.command(&json!({ "do": "propose", "proposal": link }));
        let first = std::mem::take(&mut self.token);
        self.token = self.begin("/api/session", second);
        self.token = self.begin("/api/session/step-up", &json!({ "password": second["password"] }));
        self.command(&json!({ "do": "confirm", "number": 1 }));
        self.token = first;
        self.command(&json!({ "do": "open-table", "table": "H1", "setup": setup }));
    }

    /// Gives the house a command that must be taken.
    fn command(&self, command: &Value) {
        let sent = self.send("POST", "/api/house/commands", JSON, command.to_string().as_bytes());
        assert_eq!(sent, Some(200), "{command}");
    }

    /// Starts a session. Returns its token.
    fn begin(&self, path: &str, form: &Value) -> String {
        let request = self.request("POST", path, JSON, form.to_string().as_bytes(), true);
        let response = self.runtime.block_on(self.router.clone().oneshot(request.expect("a request")));
        let body = response.expect("an answer").into_body();
        let bytes = self.runtime.block_on(axum::body::to_bytes(body, 1 << 16)).expect("a body");
        let begun: Value = serde_json::from_slice(&bytes).expect("JSON");
        begun["token"].as_str().unwrap_or_else(|| panic!("{path}: {begun}")).to_owned()
    }

    fn request(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: &[u8],
        signed_in: bool,
    ) -> Option<Request<Body>> {
        let key = uuid::Uuid::from_u128(self.keys.fetch_add(1, Ordering::Relaxed).into());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "floor.test")
            .header(header::CONTENT_TYPE, kind)
            .header("x-megalink", "1")
            .header("idempotency-key", key.to_string());
        let request = match self.token.as_str() {
            token if signed_in && !token.is_empty() => {
                request.header(header::AUTHORIZATION, format!("Bearer {token}"))
            }
            _ => request,
        };
        request.body(Body::from(body.to_vec())).ok()
    }

    /// The status of the answer; `None` if the parts do not make a request.
    fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Option<u16> {
        self.answer(path, self.request(method, path, kind, body, true)?)
    }

    /// The status of the answer to a request.
    fn answer(&self, path: &str, request: Request<Body>) -> Option<u16> {
        let answered = async {
            let response = self.router.clone().oneshot(request).await.ok()?;
            let status = response.status().as_u16();
            // A feed has no end. Every other answer is read completely, as a client does.
            if !path.contains("feed") {
                axum::body::to_bytes(response.into_body(), 1 << 24).await.ok()?;
            }
            Some(status)
        };
        self.runtime.block_on(answered)
    }
}
