//! What strangers and their pages try.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::Method;
use axum::routing::get;
use serde_json::{Value, json};

use super::matrix::described;
use super::support::{Client, Hall, PASSWORD};

/// A page from elsewhere changes nothing, whatever it has got hold of.
#[tokio::test]
async fn foreign_pages_change_nothing() {
    let hall = Hall::open().await;
    let before = hall.log_length();
    let ann = hall.client("Ann");
    let path = "/api/tables/H2/commands";
    let body = json!({ "do": "take-position", "position": 1, "player": "Ann" });
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://floor.test.evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("x-megalink", ""),
        ("x-megalink", "0"),
    ] {
        let reply = ann.clone().with(name, value).post(path, body.clone()).await;
        assert!(["ForeignOrigin", "HeaderIsMissing"].contains(&reply.reason(403).as_str()), "{name} {value}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let reply = ann.send(Method::POST, path, Some((kind, body.to_string().into_bytes()))).await;
        assert_eq!(reply.reason(415), "WrongType");
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        assert_eq!(ann.send(method, path, None).await.status, 405);
    }
    assert_eq!(hall.log_length(), before);
    let own = ann.with("origin", "https://floor.test").with("sec-fetch-site", "same-origin");
    own.post(path, body).await.ok();
}

/// No GET changes anything: every one is asked by everybody, and the log is as long as before.
#[tokio::test]
async fn looking_changes_nothing() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let before = hall.log_length();
    for route in described().iter().filter(|route| route.starts_with("get ") && !route.contains("/feed")) {
        let path = route.trim_start_matches("get ").replace("{table}", "H1").replace("{link}", "mega");
        let path =
            path.replace("{round}", "1").replace("{award}", "1").replace("{rulebook}", "megalink-stud-v9");
        for name in ["Ann", "Gia"] {
            let reply = hall.client(name).get(&format!("{path}?stream=house")).await;
            assert!(reply.status.as_u16() < 500, "{path}: {}", reply.text);
            hall.client(name).get(&path).await;
        }
    }
    assert_eq!(hall.log_length(), before);
}

/// The headers of every route, good answers and bad ones.
#[tokio::test]
async fn headers_of_every_answer() {
    let hall = Hall::open_with(|config| config.server.origin = Some("https://floor.test".to_owned())).await;
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let paths = [
        "/api/lobby",
        "/api/me",
        "/api/tables/none",
        "/api/none",
        "/healthz",
        "/none",
        "/",
        "/docs/",
        "/openapi.json",
    ];
    for path in paths {
        let reply = hall.public().get(path).await;
        let mut headers: Vec<String> = Vec::new();
        for (name, value) in &reply.headers {
            if ![
                "content-length",
                "content-type",
                "x-request-id",
                "etag",
                "last-modified",
                "vary",
                "location",
            ]
            .contains(&name.as_str())
            {
                headers.push(format!("{name}: {}", value.to_str().expect("text")));
            }
        }
        headers.sort();
        for wanted in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "strict-transport-security: max-age=31536000; includeSubDomains",
        ] {
            assert!(headers.iter().any(|header| header == wanted), "{path}: no {wanted}: {headers:?}");
        }
        let policy =
            headers.iter().find(|header| header.starts_with("content-security-policy: ")).expect("a policy");
        for wanted in [
            "default-src 'none'",
            "script-src 'self'",
            "base-uri 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(wanted), "{path}: {policy}");
        }
        assert!(
            !policy.contains("script-src 'self' 'unsafe") && !policy.contains("unsafe-eval"),
            "{path}: {policy}"
        );
        if path.starts_with("/api") {
            assert!(headers.iter().any(|header| header == "cache-control: no-store"), "{path}");
        }
        seen.insert(path.to_owned(), headers);
    }
    let plain = Hall::empty(|_| {}).await.public().get("/api/lobby").await;
    assert!(plain.headers.get("strict-transport-security").is_none(), "only where there is TLS");
}

/// Whoever asks too often waits; whoever is signed in has a share of their own; a forged address is nobody's.
#[tokio::test]
async fn too_many_requests() {
    let hall = Hall::open_with(|config| {
        config.limits.requests_burst = 200;
        config.limits.requests_per_second = 1;
    })
    .await;
    let noisy = hall.public().from("203.0.113.9");
    let mut last = noisy.get("/api/lobby").await;
    for forged in 0..210 {
        let client = noisy.clone().with("x-forwarded-for", &format!("198.51.100.{forged}"));
        last = client.get("/api/lobby").await;
    }
    assert_eq!(last.reason(429), "TooManyRequests");
    assert!(last.headers.contains_key("retry-after"));
    hall.public().from("203.0.113.10").get("/api/lobby").await.ok();
    hall.client("Ann").from("203.0.113.9").get("/api/me").await.ok();
    // One network of version 6 is one place.
    for host in 0..210 {
        last = hall.public().from(&format!("2001:db8::{host:x}")).get("/api/lobby").await;
    }
    assert_eq!(last.status, 429);
}

/// An error says nothing of how the house is built.
#[tokio::test]
async fn problems_say_nothing_of_the_inside() {
    let hall = Hall::open().await;
    let long = "x".repeat(5000);
    let hostile =
        ["'; DROP TABLE entries; --", "../../etc/passwd", "%00", "<script>", "\u{202e}gnp", long.as_str()];
    for text in hostile {
        let path = format!("/api/tables/{}", urlencoded(text));
        let name = json!({ "name": text, "password": text });
        for reply in [
            hall.public().get(&path).await,
            hall.public().post("/api/session", name).await,
            hall.client("Sue").get(&format!("/api/audit/entries?stream={}", urlencoded(text))).await,
            hall.client("Ann").post("/api/tables/H1/commands", json!({ "do": text })).await,
            hall.house("Gia", json!({ "do": "register-player", "player": text, "kind": "member" })).await,
            hall.house(
                "Gia",
                json!({ "do": "propose", "proposal": { "kind": "appoint", "person": text, "office": "dealer" } }),
            )
            .await,
        ] {
            assert!(reply.status.as_u16() < 500, "{text:?}: {} {}", reply.status, reply.text);
            let said = reply.text.to_lowercase();
            for word in
                ["sqlite", "select ", "panicked", "/crates/", ".rs:", "/tmp/", "backtrace", "no such column"]
            {
                assert!(!said.contains(word), "{text:?}: {said}");
            }
            assert!(reply.text.len() < 2000, "{}", reply.text);
        }
    }
}

/// A handler that breaks its promise says so and no more: the words of the panic are for the log.
#[tokio::test]
async fn a_panic_is_a_problem_like_any_other() {
    async fn breaks() -> String {
        panic!("the next card is the Ace of Spades")
    }
    let mut hall = Hall::empty(|_| {}).await;
    let whole = std::mem::take(&mut hall.router);
    hall.router = server::auth::protect(Router::new().route("/api/breaks", get(breaks)), &hall.app);
    let reply = hall.public().get("/api/breaks").await;
    assert_eq!(reply.reason(500), "Broken");
    assert!(!reply.text.contains("Ace"), "{}", reply.text);
    assert_eq!(reply.headers["x-content-type-options"], "nosniff");
    hall.router = whole;
    let figures = hall.public().from("127.0.0.1").get("/metrics").await.text;
    assert!(figures.lines().any(|line| line.starts_with("megalink_panics_total ")), "{figures}");
    hall.public().get("/api/lobby").await.ok();
}

fn urlencoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Names that a page or a spreadsheet could take for something else are not taken, or are only ever text in JSON.
#[tokio::test]
async fn hostile_names_stay_text() {
    let hall = Hall::open().await;
    let name = "<img src=x onerror=alert(1)>".replace('/', "");
    hall.house("Gia", json!({ "do": "register-player", "player": name, "kind": "member" })).await.ok();
    hall.house("Gia", json!({ "do": "buy-in", "player": name, "amount": 10_000, "means": "credits" }))
        .await
        .ok();
    let take = json!({ "do": "take-position", "position": 1, "player": name });
    hall.play("Dora", "H1", take).await;
    for path in [
        "/api/tables/H1",
        "/api/tables/H1/rounds/1",
        "/api/house",
        "/api/accounts",
        "/api/audit/entries?stream=house",
    ] {
        let reply = hall.client("Gia").get(path).await;
        assert_eq!(reply.headers["content-type"], "application/json", "{path}");
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert!(reply.text.contains("onerror"), "{path} shows the name as it is");
        let _: Value = reply.json();
    }
    let long = "\u{1F600}".repeat(2500);
    for wrong in ["", "a\nb", "a\u{0}b", "\u{202e}evil", "Gus\u{200b}", &long] {
        let reply =
            hall.house("Gia", json!({ "do": "register-player", "player": wrong, "kind": "member" })).await;
        assert_eq!(reply.reason(409), "NameIsWrong", "{wrong:?}");
    }
}

/// Sixteen at once: one seat, one wager's worth of credits, one confirmation.
#[tokio::test(flavor = "multi_thread")]
async fn sixteen_at_once() {
    let hall = Hall::open().await;
    let all = async |asks: Vec<(Client, &'static str, Value)>| {
        let asked = asks.into_iter().map(|(client, path, body)| {
            tokio::spawn(async move { client.post(path, body).await.status.as_u16() })
        });
        let mut taken = 0;
        for status in futures_util::future::join_all(asked).await {
            taken += usize::from(status.expect("the task ends") == 200);
        }
        taken
    };
    // One position, which three members want.
    let asks = ["Ann", "Bob", "Cat"].into_iter().cycle().take(16).map(|name| {
        let take = json!({ "do": "take-position", "position": 1, "player": name });
        (hall.client(name), "/api/tables/H2/commands", take)
    });
    let asks = asks.collect();
    assert_eq!(all(asks).await, 1, "one holds the position");
    // Credits for two and a half wagers at sixteen tables' worth of asking.
    hall.play("Ann", "S2", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Dora", "S2", json!({ "do": "open-bets" })).await;
    hall.house("Gia", json!({ "do": "cash-out", "player": "Ann", "amount": 495_000, "means": "credits" }))
        .await
        .ok();
    let out = json!({ "do": "cash-out", "player": "Ann", "amount": 2000, "means": "credits" });
    let asks = (0..16).map(|_| (hall.client("Gia"), "/api/house/commands", out.clone())).collect();
    assert_eq!(all(asks).await, 2, "two times S$20.00 out of S$50.00");
    // One proposal, confirmed by many at once: it is done once.
    let adjust = json!({ "kind": "adjust-meter", "link": "mega", "cause": "malfunction-too-low", "amount": { "cents": 100 },
        "words": "so it was counted", "about": { "kind": "count", "reference": "sheet 88" } });
    hall.house("Hal", json!({ "do": "propose", "proposal": adjust })).await.ok();
    assert_eq!(hall.confirm("Hal").await.reason(409), "OnePersonTwice");
    let number = hall.app.board.house().proposals().map(|(number, _)| number).max();
    let confirm = json!({ "do": "confirm", "number": number });
    let asks = (0..16).map(|_| (hall.client("Abe"), "/api/house/commands", confirm.clone())).collect();
    assert_eq!(all(asks).await, 1);
    assert_eq!(hall.client("Gia").get("/api/accounts").await.ok()["figure"], json!({ "cents": 0 }));
}

/// Who came, who was turned away and what was denied is written down, each on a line of its own whatever the name.
#[tokio::test]
async fn the_trail() {
    let lines = super::trail::lines();
    let hall = Hall::empty(|_| {}).await;
    let name = "Eve\n2026-01-01 INFO audit: signed in who=\"Gus\"";
    hall.public()
        .post("/api/session", json!({ "name": name, "password": "wrong password" }))
        .await
        .reason(401);
    hall.public().get("/api/me").await.reason(401);
    hall.client("Gus").delete("/api/session").await.ok();
    hall.public().post("/api/session", json!({ "name": "Gus", "password": PASSWORD })).await.ok();
    let lines = lines.lock().expect("the lines").clone();
    let about = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
    assert!(
        1 <= about("a sign-in failed")
            && 1 <= about("denied")
            && 1 <= about("signed out")
            && 1 <= about("signed in")
    );
    assert!(lines.iter().all(|line| !line.contains('\n')), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains(PASSWORD) && !line.contains("wrong password")));
    assert!(hall.tokens.values().all(|token| lines.iter().all(|line| !line.contains(token.as_str()))));
}
