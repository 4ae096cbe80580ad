//! Machines with keys: each does what its scope says and nothing else, on every route with every command; a revoked key is out
//! at once; finished rounds and awards are followed from any point without losing one.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::http::Method;
use futures_util::StreamExt;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::matrix::{all_rows, ask, commands, described};
use super::support::{Client, Hall};

/// A scope, and a key for it.
struct Keyed {
    scope: Value,
    client: Client,
    /// How often it asked.
    asked: u32,
}

/// How often a device may ask at once, and a little less.
const AT_ONCE: u32 = 50;

async fn make(hall: &Hall, device: &str, scope: &Value) -> Keyed {
    let form = json!({ "device": device, "scope": scope, "days": 30 });
    let made = hall.client("Gia").post("/api/devices", form).await.ok();
    let key = made["key"].as_str().expect("a key").to_owned();
    assert_eq!(made["device"], device);
    Keyed { scope: scope.clone(), client: hall.public().holding(key), asked: 0 }
}

fn shoe() -> Value {
    json!({ "kind": "shoe", "table": "H1" })
}

fn scopes() -> [Value; 6] {
    [
        shoe(),
        json!({ "kind": "shoe", "table": "S1" }),
        json!({ "kind": "sign", "link": "mega" }),
        json!({ "kind": "sign", "link": "other" }),
        json!({ "kind": "accounting" }),
        json!({ "kind": "follower" }),
    ]
}

/// What a scope opens, besides the question which device it is. The paths are those of the matrix.
fn opens(scope: &Value, route: &str, path: &str) -> bool {
    match (scope["kind"].as_str().expect("a word"), route) {
        ("shoe", "get /api/tables/{table}") => path == "/api/tables/H1" && scope["table"] == "H1",
        ("sign", "get /api/links/{link}") => path == "/api/links/mega" && scope["link"] == "mega",
        (_, "get /api/device")
        | ("accounting", "get /api/reports" | "get /api/exports/{what}")
        | ("follower", "get /api/finished") => true,
        _ => false,
    }
}

async fn all_scopes(hall: &Hall) -> Vec<Keyed> {
    let settings = json!({ "minimum_wager": 500, "contribution_bps": 1000, "reset": 5_000_000,
        "round_contribution_max": { "cents": 100_000 } });
    let link = json!({ "kind": "open-link", "link": "other", "books": ["megalink-stud-v9"], "settings": settings,
        "opening": { "cents": 10_000_000 } });
    hall.two_sign("Gus", "Abe", link).await.ok();
    let mut keyed = Vec::new();
    for (at, scope) in scopes().iter().enumerate() {
        keyed.push(make(hall, &format!("Device {at}"), scope).await);
    }
    keyed
}

impl Keyed {
    /// Asks, with another key of the same scope where this one has asked often: its limit is not what is tried here.
    async fn ask(&mut self, hall: &Hall, route: &str, path: &str, body: &Value) -> u16 {
        if self.asked == AT_ONCE {
            let device = format!("Another {}", hall.app.board.house().devices().count());
            *self = make(hall, &device, &self.scope.clone()).await;
        }
        self.asked += 1;
        ask(&self.client, route, path, body).await
    }
}

/// How many entries there are of tables and links.
fn played(hall: &Hall) -> u64 {
    let heads = hall.app.board.heads();
    heads.iter().filter(|head| head.stream != journal::Stream::House).map(|head| head.version.0).sum()
}

/// Every route that is described, asked with a key of every scope. A new route is not opened to any until it is listed here.
#[tokio::test]
async fn a_key_opens_the_routes_of_its_scope_and_no_other() {
    let hall = Hall::open().await;
    let tried = all_rows()
        .into_iter()
        .map(|(route, ..)| route)
        .chain(commands().into_iter().map(|(route, ..)| route));
    assert_eq!(tried.map(str::to_owned).collect::<BTreeSet<_>>(), described(), "every route is tried");
    for mut keyed in all_scopes(&hall).await {
        let mut opened = BTreeSet::new();
        for (route, path, body, _) in all_rows().into_iter().filter(|(_, path, ..)| !path.is_empty()) {
            let status = keyed.ask(&hall, route, path, &body).await;
            if opens(&keyed.scope, route, path) {
                assert!(![401, 403, 404, 429].contains(&status), "{route} with {}: {status}", keyed.scope);
                opened.insert(route);
            } else {
                assert_eq!(status, 403, "{route} with {}", keyed.scope);
            }
        }
        assert!(!opened.is_empty(), "{}", keyed.scope);
        let feeds = ["/api/streams/link/none/feed", "/api/streams/table/H1/feed", "/api/streams/house/feed"];
        // The feed that a sign has is read elsewhere: it does not end.
        let others = (keyed.scope["link"] != "mega").then_some("/api/streams/link/mega/feed");
        for path in ["/", "/table", "/metrics", "/api/nowhere"].into_iter().chain(feeds).chain(others) {
            let status = keyed.ask(&hall, "get", path, &Value::Null).await;
            assert_eq!(status, 403, "{path} with {}", keyed.scope);
        }
        assert_eq!(keyed.ask(&hall, "delete", "/api/session", &Value::Null).await, 403);
    }
}

/// Every command there is, given with a key of every scope.
#[tokio::test]
async fn a_shoe_enters_cards_at_its_table_and_no_key_does_anything_else() {
    let hall = Hall::open().await;
    let before = hall.log_length();
    let mut keyed = all_scopes(&hall).await;
    assert!(before < hall.log_length(), "keys are on record");
    let before = played(&hall);
    for keyed in &mut keyed {
        for (route, _, commands) in commands() {
            let path = route.trim_start_matches("post ").replace("{table}", "H1").replace("{link}", "mega");
            for command in commands {
                let does = command["do"].as_str().expect("a word");
                let is_shoes = keyed.scope == shoe() && route.starts_with("post /api/tables");
                let status = keyed.ask(&hall, route, &path, &command).await;
                let expected = match does {
                    // The round is not at that point: the table refuses it, and not the key.
                    "deal-card" | "read-card" if is_shoes => 409,
                    "stop-reader" if is_shoes => 200,
                    _ => 403,
                };
                assert_eq!(status, expected, "{command} with {}", keyed.scope);
            }
        }
    }
    assert_eq!(played(&hall), before + 1, "only the reader that stopped is on record");
    // A card that is not named is not entered, and there is no way around the scope by another table's path.
    let blind = json!({ "do": "deal-card" });
    assert_eq!(
        keyed[0].client.post("/api/tables/H1/commands", blind.clone()).await.reason(403),
        "DeviceMayNot"
    );
    assert_eq!(keyed[0].client.post("/api/tables/S1/commands", blind).await.reason(403), "DeviceMayNot");
    assert_eq!(keyed[0].client.get("/api/tables/h1").await.status, 403);
    assert_eq!(keyed[0].client.get("/api/tables/%481").await.status, 200, "the same name, written otherwise");
}

/// What the audit trail of the house says, newest first.
async fn trail(hall: &Hall) -> Vec<String> {
    let answer = hall.client("Gia").get("/api/audit/trail?stream=house").await.ok();
    let events = answer["events"].as_array().expect("events");
    events.iter().map(|event| event["sentence"].as_str().expect("a sentence").to_owned()).collect()
}

/// Every card that a shoe entered names it in the log, and the log names who made and revoked its key; the key is in no log.
#[tokio::test]
async fn the_log_names_the_device() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Shoe 7", &shoe()).await;
    hall.seat("H1", &["Ann"]).await;
    for card in ["As", "Kd"] {
        let deal = json!({ "do": "deal-card", "card": card });
        keyed.client.post("/api/tables/H1/commands", deal).await.ok();
    }
    let listed = hall.client("Mia").get("/api/devices").await.ok();
    assert_eq!(listed[0]["opens"], "enters the cards of table H1");
    assert!(listed[0]["last_used"].is_u64(), "{listed}");
    hall.house("Gia", json!({ "do": "revoke-device-key", "device": "Shoe 7" })).await.ok();
    let again = json!({ "do": "deal-card", "card": "2c" });
    assert_eq!(keyed.client.post("/api/tables/H1/commands", again).await.reason(401), "DeviceKeyIsUnknown");
    assert_eq!(hall.client("Mia").get("/api/devices").await.ok(), json!([]));

    let table = hall
        .app
        .vault
        .read(|reader| reader.entries(&"table/H1".parse().expect("a stream"), journal::Version(0), 1000));
    let table = table.await.expect("the log can be read");
    let by_device: Vec<String> = table
        .iter()
        .filter(|entry| entry.actor.code() == "device/Shoe 7")
        .map(|entry| entry.body.json.clone())
        .collect();
    assert_eq!(by_device.len(), 2, "{by_device:?}");
    assert!(by_device.iter().all(|event| event.contains("card-dealt")), "{by_device:?}");
    let said = trail(&hall).await;
    assert!(said.iter().any(|said| said.starts_with("Device Shoe 7 has a key until")), "{said:?}");
    assert!(said.iter().any(|said| said == "The key of device Shoe 7 is revoked."), "{said:?}");
    let (key, folder) = (keyed.client.token.expect("a key"), hall.app.config.storage.directory.clone());
    let secret = key.trim_start_matches("device-").as_bytes().to_vec();
    for file in ["megalink.db", "megalink.db-wal"] {
        let bytes = std::fs::read(folder.clone().expect("a directory").join(file)).expect("a file");
        assert!(!bytes.windows(secret.len()).any(|part| part == secret), "the key is in {file}");
    }
}

/// Everything that is kept beside the log, as somebody with the database copies it.
fn beside_log(hall: &Hall) -> Vec<(String, String, Vec<u8>)> {
    let folder = hall.app.config.storage.directory.as_ref().expect("a directory");
    let file = Connection::open(folder.join("megalink.db")).expect("the file can be opened");
    let mut query = file.prepare("SELECT kind, key, value FROM sealed").expect("a query");
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

/// A revoked key does not come back with a restart, nor with every row of the database put back that stood beside the log. One
/// that was not revoked goes on.
#[tokio::test]
async fn a_revoked_key_stays_out() {
    let hall = Hall::open().await;
    let (revoked, stays) = (make(&hall, "Shoe 7", &shoe()).await, make(&hall, "Shoe 8", &shoe()).await);
    revoked.client.get("/api/device").await.ok();
    let copied = beside_log(&hall);
    assert!(copied.iter().any(|(kind, key, _)| (kind.as_str(), key.as_str()) == ("device-used", "shoe 7")));
    hall.house("Gia", json!({ "do": "revoke-device-key", "device": "Shoe 7" })).await.ok();
    let hall = hall
        .altered(|file| {
            let upsert = "INSERT INTO sealed (kind, key, value) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET value = ?3";
            for (kind, key, value) in &copied {
                file.execute(upsert, params![kind, key, value]).expect("the row is written");
            }
        })
        .await;
    let ask = async |keyed: &Keyed| {
        let client = hall.public().holding(keyed.client.token.clone().expect("a key"));
        client.get("/api/device").await
    };
    assert_eq!(ask(&revoked).await.reason(401), "DeviceKeyIsUnknown");
    assert_eq!(ask(&stays).await.ok()["device"], "Shoe 8");
    // The name is free for another key, which is not the old one.
    let again = make(&hall, "Shoe 7", &shoe()).await;
    assert_eq!(ask(&revoked).await.status, 401);
    assert_eq!(ask(&again).await.ok()["scope"], shoe());
}

/// Nobody makes a second key for a device, one for a table that is not there, or one that holds too long.
#[tokio::test]
async fn keys_are_made_with_care() {
    let hall = Hall::open().await;
    make(&hall, "Shoe 7", &shoe()).await;
    let form =
        |device: &str, scope: Value, days: u64| json!({ "device": device, "scope": scope, "days": days });
    for (form, status, reason) in [
        (form("Shoe 7", shoe(), 1), 409, "DeviceHasKey"),
        (form("SHOE 7", shoe(), 1), 409, "NameIsTaken"),
        (form("a/b", shoe(), 1), 409, "NameIsWrong"),
        (form("x", json!({ "kind": "shoe", "table": "none" }), 1), 404, "NotFound"),
        (form("x", json!({ "kind": "sign", "link": "none" }), 1), 404, "NotFound"),
        (form("x", json!({ "kind": "moon" }), 1), 422, "FormIsWrong"),
        (form("x", shoe(), 0), 422, "FormIsWrong"),
        (form("x", shoe(), 367), 422, "FormIsWrong"),
    ] {
        let reply = hall.client("Gia").post("/api/devices", form.clone()).await;
        assert_eq!(reply.reason(status), reason, "{form}");
    }
    let twice = hall.client("Gia").with("idempotency-key", "00000000-0000-4000-8000-00000000abcd");
    twice.post("/api/devices", form("Sign 1", json!({ "kind": "sign", "link": "mega" }), 9)).await.ok();
    let reply =
        twice.post("/api/devices", form("Sign 1", json!({ "kind": "sign", "link": "mega" }), 9)).await;
    assert_eq!(reply.status, 409, "the key is shown once: {}", reply.text);
}

/// A device has a limit of its own, and does not use up that of others at its address.
#[tokio::test]
async fn a_device_that_asks_too_often_waits() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Sign 1", &json!({ "kind": "sign", "link": "mega" })).await;
    let mut refused = None;
    for _ in 0..1000 {
        let reply = keyed.client.get("/api/links/mega").await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("it is refused at some time");
    assert_eq!(refused.reason(429), "TooManyRequests");
    assert!(refused.headers.contains_key("retry-after"));
    hall.public().get("/api/links/mega").await.ok();
}

/// The feed of a sign ends with its key.
#[tokio::test]
async fn a_feed_ends_when_its_key_is_revoked() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Sign 1", &json!({ "kind": "sign", "link": "mega" })).await;
    let request = keyed.client.request(Method::GET, "/api/streams/link/mega/feed", None);
    let response = hall.router.clone().oneshot(request).await.expect("the router answers");
    assert_eq!(response.status(), 200);
    let mut body = response.into_body().into_data_stream();
    body.next().await.expect("a first message").expect("a piece");
    hall.house("Gia", json!({ "do": "revoke-device-key", "device": "Sign 1" })).await.ok();
    let end = async { while body.next().await.is_some() {} };
    tokio::time::timeout(Duration::from_mins(1), end).await.expect("the feed ends");
}

/// A program that does not read on its export keeps nobody from a report, and is cut off when its key is revoked.
#[tokio::test]
async fn an_export_that_nobody_reads_keeps_nobody_waiting() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Books", &json!({ "kind": "accounting" })).await;
    // Far more than waits for a client.
    let identity = "passport ".repeat(50);
    for _ in 0..600 {
        let buy_in = json!({ "do": "buy-in", "player": "Ann", "amount": 100, "means": "credits", "identity": identity });
        hall.house("Gia", buy_in).await.ok();
    }
    let today = reports::GamingDay::of(journal::Moment::now(), journal::DayRule::default());
    let request = keyed.client.request(Method::GET, &format!("/api/exports/entries?from={today}"), None);
    let response = hall.router.clone().oneshot(request).await.expect("the router answers");
    assert_eq!(response.status(), 200);
    let mut body = response.into_body().into_data_stream();
    body.next().await.expect("a first piece").expect("a piece");
    let report = format!("/api/reports?days={today}");
    let made = tokio::time::timeout(Duration::from_mins(1), hall.client("Mia").get(&report)).await;
    made.expect("a report is made beside it").ok();
    hall.house("Gia", json!({ "do": "revoke-device-key", "device": "Books" })).await.ok();
    let end = async {
        loop {
            match body.next().await {
                Some(Ok(_)) => {}
                broken_off => return broken_off,
            }
        }
    };
    let end = tokio::time::timeout(Duration::from_mins(1), end).await.expect("the export ends");
    assert!(end.is_none_or(|piece| piece.is_err()), "it broke off");
}

/// The cards of a hold'em round for one Player: two each, five on the board.
const CARDS: &str = "As Kd Qh 9c 4s 8d 2c 7h 3d";

async fn play_round(hall: &Hall) {
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 2500 });
    hall.play("Ann", "H1", wager).await;
    hall.play("Dora", "H1", json!({ "do": "close-bets" })).await;
    hall.drive("H1", &["Ann"], CARDS, "wager").await;
    hall.play("Dora", "H1", json!({ "do": "begin-next-round" })).await;
}

/// Whoever follows gets every finished round once, whatever the size of a page; also after having been away, and from the
/// beginning again.
#[tokio::test]
async fn finished_rounds_are_followed_from_any_point() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Loyalty", &json!({ "kind": "follower" })).await;
    hall.play("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    let page = async |after: &str, limit: usize| {
        let after = after.replace('/', "%2F");
        keyed.client.get(&format!("/api/finished?after={after}&limit={limit}")).await.ok()
    };
    let first = page("", 10).await;
    assert_eq!(first["items"], json!([]));
    let mut position = first["position"].as_str().expect("a position").to_owned();
    let mut seen = Vec::new();
    for rounds in [1, 2] {
        for _ in 0..rounds {
            play_round(&hall).await;
        }
        loop {
            let next = page(&position, 1).await;
            next["position"].as_str().expect("a position").clone_into(&mut position);
            let items = next["items"].as_array().expect("items").clone();
            if items.is_empty() {
                break;
            }
            seen.extend(items);
        }
    }
    let ids: Vec<&str> = seen.iter().map(|item| item["id"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["table/H1/1", "table/H1/2", "table/H1/3"]);
    assert_eq!(seen[0]["kind"], "round");
    assert_eq!(seen[0]["rulebook"], "megalink-holdem-v9");
    let staked: u64 = seen[0]["settlement"]["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(|line| line["staked"].as_u64())
        .sum();
    assert_eq!(staked, 2500 + 5000 + 2500 + 2500, "{}", seen[0]);
    // From the beginning, and from today, it is the same.
    let whole = page("", 100).await;
    assert_eq!(whole["items"], json!(seen));
    assert_eq!(whole["more"], false);
    let today = journal::Moment::now();
    let today = reports::GamingDay::of(today, journal::DayRule::default()).to_string();
    let from = keyed.client.get(&format!("/api/finished?from={today}")).await.ok();
    assert_eq!(from["items"], json!(seen));
    // A round in play is not over; that of a closed table is.
    hall.play("Mia", "H1", json!({ "do": "announce-last-round" })).await;
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    let wager = json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 2500 });
    hall.play("Ann", "H1", wager).await;
    hall.play("Dora", "H1", json!({ "do": "close-bets" })).await;
    hall.drive("H1", &["Ann"], CARDS, "wager").await;
    assert_eq!(page(&position, 10).await["items"], json!([]));
    hall.play("Mia", "H1", json!({ "do": "close" })).await;
    assert_eq!(page(&position, 10).await["items"][0]["id"], "table/H1/4");
    for wrong in ["after=x", "from=x", "after=&from=2026-11-16", "limit=x"] {
        let status = keyed.client.get(&format!("/api/finished?{wrong}")).await.status.as_u16();
        assert!([400, 422].contains(&status), "{wrong}: {status}");
    }
    // Of a log that has not come so far, such as an older copy, nothing is passed over in silence.
    for ahead in ["table/H1/999999", "table/Nowhere/1"] {
        let reply = keyed.client.get(&format!("/api/finished?after={ahead}")).await;
        assert_eq!(reply.reason(409), "PositionIsNotInLog", "{ahead}");
    }
}

/// An answer that waits comes as soon as a round finishes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_waits_for_something_to_finish() {
    let hall = Hall::open().await;
    let keyed = make(&hall, "Loyalty", &json!({ "kind": "follower" })).await;
    hall.play("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    let client = keyed.client.clone();
    let waiting = tokio::spawn(async move { client.get("/api/finished?wait=30").await.ok() });
    play_round(&hall).await;
    let answer =
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("it does not wait to its end");
    assert_eq!(answer.expect("it answers")["items"][0]["id"], "table/H1/1");
}
