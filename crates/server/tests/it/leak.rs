//! Nothing leaks: two houses in which the same happens, but for cards that lie face down, are the same to the byte to
//! everybody who may not know those cards. Over every GET route that is described, the feeds, and the guide that says
//! what would be done about trouble, for everybody, in both games.

use serde_json::{Value, json};

use super::matrix::described;
use super::support::{Hall, MEMBERS, STAFF};

/// Who looks: nobody, every member, everybody of the staff.
fn lookers() -> Vec<Option<&'static str>> {
    let staff = STAFF.iter().map(|(name, _)| *name);
    std::iter::once(None).chain(MEMBERS.into_iter().chain(staff).map(Some)).collect()
}

/// The addresses a described GET route is asked at; a route without any fails.
fn addresses(route: &str) -> Vec<String> {
    let tables = ["H1", "H2", "S1", "S2"];
    let path = route.strip_prefix("get ").expect("a GET route");
    match path {
        "/api/session"
        | "/api/lobby"
        | "/api/me"
        | "/api/me/rounds"
        | "/api/pit"
        | "/api/house"
        | "/api/accounts"
        | "/api/accounts/figure"
        | "/api/rulebooks"
        | "/api/feed"
        | "/api/second-factor"
        | "/api/me/play"
        | "/api/me/statistics"
        | "/api/devices"
        | "/api/device"
        | "/api/finished"
        | "/api/practice"
        | "/api/rules/changes"
        | "/api/school/record"
        | "/api/school/class"
        | "/api/school/examinations" => vec![path.to_owned()],
        "/api/tables/{table}/rounds/{round}/analysis" => tables
            .iter()
            .flat_map(|table| [1, 2].map(|round| format!("/api/tables/{table}/rounds/{round}/analysis")))
            .collect(),
        "/api/audit/trail" => ["house", "link/mega", "table/H1", "table/H2", "table/S1", "table/S2"]
            .map(|stream| format!("/api/audit/trail?stream={stream}"))
            .to_vec(),
        "/api/reports" => vec![format!("/api/reports?days={}", today())],
        "/api/statistics" => vec![format!("/api/statistics?from={}", today())],
        "/api/exports/{what}" => ["rounds", "entries", "ledger", "awards"]
            .map(|what| format!("/api/exports/{what}?from={}", today()))
            .to_vec(),
        // These know of no table.
        "/api/train/decision" => vec!["/api/train/decision?rulebook=megalink-stud-v9&seed=1".to_owned()],
        "/api/train/lessons" => vec!["/api/train/lessons?rulebook=megalink-stud-v9".to_owned()],
        "/api/drill/exercise" => {
            vec!["/api/drill/exercise?rulebook=megalink-stud-v9&kind=limits&seed=1".to_owned()]
        }
        "/api/tables/{table}" => tables.iter().map(|table| format!("/api/tables/{table}")).collect(),
        "/api/practice/tables/{table}" => {
            tables.iter().map(|table| format!("/api/practice/tables/{table}")).collect()
        }
        "/api/tables/{table}/advice" => {
            tables.iter().map(|table| format!("/api/tables/{table}/advice")).collect()
        }
        "/api/tables/{table}/rounds" => {
            tables.iter().map(|table| format!("/api/tables/{table}/rounds")).collect()
        }
        "/api/tables/{table}/rounds/{round}" => tables
            .iter()
            .flat_map(|table| [1, 2].map(|round| format!("/api/tables/{table}/rounds/{round}")))
            .collect(),
        "/api/links/{link}" => vec!["/api/links/mega".to_owned()],
        "/api/links/{link}/desk" => vec!["/api/links/mega/desk".to_owned()],
        "/api/audit/verification" => vec!["/api/audit/verification".to_owned()],
        "/api/links/{link}/meters" => vec!["/api/links/mega/meters".to_owned()],
        "/api/links/{link}/sheet" => vec!["/api/links/mega/sheet".to_owned()],
        "/api/links/{link}/awards/{award}/slip" => vec!["/api/links/mega/awards/1/slip".to_owned()],
        "/api/audit/entries" => ["house", "link/mega", "table/H1", "table/H2", "table/S1", "table/S2"]
            .map(|stream| format!("/api/audit/entries?stream={stream}&limit=1000"))
            .to_vec(),
        "/api/audit/rounds/{table}/{round}/proof" => {
            tables.iter().map(|table| format!("/api/audit/rounds/{table}/1/proof")).collect()
        }
        "/api/rulebooks/{rulebook}" => vec!["/api/rulebooks/megalink-holdem-v9".to_owned()],
        "/api/rulebooks/{rulebook}/readings" => vec!["/api/rulebooks/megalink-stud-v9/readings".to_owned()],
        "/api/lab/par" => vec!["/api/lab/par?rulebook=megalink-stud-v9&format=json".to_owned()],
        // Feeds do not end; they are compared as they come, below. An examination has its own seed.
        "/api/streams/{kind}/{name}/feed" | "/api/streams/house/feed" | "/api/drill/examination" => {
            Vec::new()
        }
        _ => panic!("{route}: say here where it is asked, so that it is known not to leak"),
    }
}

/// The gaming day that it is now.
fn today() -> String {
    reports::GamingDay::of(journal::Moment::now(), journal::DayRule::default()).to_string()
}

/// An answer, which may be lines of JSON.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| {
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON")).collect()
    })
}

/// A text without what differs between any two houses: the time, ids of commands, and digests of random seeds.
fn plain(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|number| 1_000_000_000_000 < number) => {
            *value = json!("a moment");
        }
        Value::String(text) if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            *value = json!("a digest");
        }
        Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => *value = json!("an id"),
        // What an entry says, as text of its own.
        Value::String(text) if text.starts_with('{') => {
            if let Ok(mut inner) = serde_json::from_str::<Value>(text) {
                plain(&mut inner);
                *value = inner;
            }
        }
        Value::Array(all) => all.iter_mut().for_each(plain),
        Value::Object(all) => all.values_mut().for_each(plain),
        _ => {}
    }
}

/// What the guide is asked about: whatever can be told from what lies open, and nothing else, may be in its answer.
fn troubles() -> Vec<Value> {
    vec![
        json!({ "what": "power-failure" }),
        json!({ "what": "bad-cards", "fault": "missing" }),
        json!({ "what": "cards-counted", "counted": 51 }),
        json!({ "what": "table-count" }),
        json!({ "what": "exposed-cards", "cards": 1 }),
        json!({ "what": "hand-count", "position": 1 }),
        json!({ "what": "not-confidential", "player": "Ann" }),
        json!({ "what": "several-hands", "player": "Ann" }),
        json!({ "what": "absent", "position": 1 }),
        json!({ "what": "declined", "position": 1 }),
        json!({ "what": "uncovered", "words": "A bird flew in." }),
    ]
}

/// Everything that everybody is told, in one text a looker and an address.
async fn everything(hall: &Hall) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for looker in lookers() {
        let client = looker.map_or_else(|| hall.public(), |name| hall.client(name));
        for route in described().iter().filter(|route| route.starts_with("get ")) {
            for address in addresses(route) {
                let reply = client.get(&address).await;
                let mut value = read(&reply.text);
                plain(&mut value);
                let what = format!("{} {address}", looker.unwrap_or("nobody"));
                all.push((what, format!("{} {value}", reply.status)));
            }
        }
        for (table, trouble) in ["H1", "H2", "S1", "S2"]
            .into_iter()
            .flat_map(|table| troubles().into_iter().map(move |trouble| (table, trouble)))
        {
            let reply = client.post(&format!("/api/tables/{table}/guide"), trouble.clone()).await;
            let mut value = reply.json();
            plain(&mut value);
            let what = format!("{} guide {table} {trouble}", looker.unwrap_or("nobody"));
            all.push((what, format!("{} {value}", reply.status)));
        }
        for stream in ["table/H1", "table/H2", "table/S1", "table/S2", "house", "link/mega"] {
            let what = format!("{} feed {stream}", looker.unwrap_or("nobody"));
            let mut value = super::support::first_message(&client, stream).await;
            plain(&mut value);
            all.push((what, value.to_string()));
        }
    }
    all
}

#[track_caller]
fn same(one: &[(String, String)], other: &[(String, String)], except: &[&str]) {
    assert_eq!(one.len(), other.len());
    for ((what, one), (_, other)) in one.iter().zip(other) {
        if !except.iter().any(|name| what.starts_with(name)) {
            assert_eq!(one, other, "{what}");
        }
    }
}

/// A live table in two houses: what lies face down differs, what is turned does not. Everybody folds unseen, and the
/// round is settled: what lay face down stays nobody's, but for the auditor's who reads the log.
async fn live_tables_tell_the_same(table: &str, hidden: [&str; 2], open: &str) {
    let mut seen = Vec::new();
    for cards in hidden {
        let hall = Hall::open().await;
        let players = ["Ann", "Bob"];
        hall.seat(table, &players).await;
        let view = hall.drive(table, &players, cards, "fold").await;
        let laid = view["seats"].to_string().matches("null").count();
        assert!(4 <= laid, "cards lie face down: {}", view["seats"]);
        let before = everything(&hall).await;
        hall.drive(table, &players, open, "fold").await;
        let after = everything(&hall).await;
        let auditors = |what: &str| what.contains("/api/audit/") || what.contains("/api/exports/");
        seen.push((before, after.into_iter().filter(|(what, _)| !auditors(what)).collect::<Vec<_>>()));
    }
    same(&seen[0].0, &seen[1].0, &[]);
    same(&seen[0].1, &seen[1].1, &[]);
}

#[tokio::test]
async fn cards_face_down_at_a_live_holdem_table_are_nobodys() {
    live_tables_tell_the_same("H1", ["2c 3d 4h 5s 6c 7d", "As Ah Ad Ac Ks Kh"], "Qc Jc Tc 9h 8h").await;
}

/// The Dealer's last card is the one that is turned.
#[tokio::test]
async fn cards_face_down_at_a_live_stud_table_are_nobodys() {
    let weak = "2c 3d 4h 5s 7c 2d 3h 4s 5c 8d 2h 3s 4c 9d";
    let strong = "As Ks Qs Js Ts Ah Kh Qh Jh Th Ad Kd Qd Jd";
    live_tables_tell_the_same("S1", [weak, strong], "6c").await;
}

/// Two software tables, whose shuffles differ as any two do: before a card is turned, nothing else does. A Player who
/// views a hand is told it, and nobody else is told anything.
async fn shuffled_tables_tell_the_same(table: &str) {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let hall = Hall::open().await;
        hall.seat(table, &["Ann", "Bob"]).await;
        hall.play("Dora", table, json!({ "do": "deal-all" })).await;
        let before = everything(&hall).await;
        hall.play("Ann", table, json!({ "do": "view-hand", "position": 1 })).await;
        seen.push((before, everything(&hall).await));
    }
    same(&seen[0].0, &seen[1].0, &[]);
    same(&seen[0].1, &seen[1].1, &["Ann"]);
    let own = format!("Ann /api/tables/{table}");
    let ann = |all: &[(String, String)]| {
        all.iter().find(|(what, _)| *what == own).map(|(_, text)| text.clone()).expect("her table")
    };
    assert_ne!(ann(&seen[0].1), ann(&seen[1].1), "Ann sees her own hand");
}

#[tokio::test]
async fn cards_of_a_holdem_shuffle_are_nobodys_before_their_time() {
    shuffled_tables_tell_the_same("H2").await;
}

#[tokio::test]
async fn cards_of_a_stud_shuffle_are_nobodys_before_their_time() {
    shuffled_tables_tell_the_same("S2").await;
}
