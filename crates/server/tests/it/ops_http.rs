//! What those who run it ask: health, readiness, version, figures; ids of requests; the page.

use std::sync::atomic::Ordering;

use axum::http::Method;
use serde_json::json;

use crate::support::Hall;

#[tokio::test]
async fn it_is_well_at_once_and_ready_when_told_so() {
    let hall = Hall::open().await;
    let health = hall.public().get("/healthz").await.ok();
    let well =
        json!({ "status": "well", "node": "one", "tables": 4, "viewers": 0, "witnesses": [], "risks": [] });
    assert_eq!(health, well);
    assert_eq!(hall.public().get("/readyz").await.reason(503), "Unavailable");
    hall.app.ready.store(true, Ordering::Relaxed);
    assert_eq!(hall.public().get("/readyz").await.status, 200);
    let version = hall.public().get("/version").await.ok();
    assert_eq!(version["rulebooks"].as_array().map(Vec::len), Some(4));
    assert_eq!(version["key"].as_str().map(str::len), Some(64));
}

/// Every figure the documents promise is there, and goes up with what it counts.
#[tokio::test]
async fn figures_are_counted_and_described() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let late = json!({ "do": "place-wager", "position": 1, "area": "bonus", "amount": 2500 });
    assert_eq!(hall.table("Ann", "H1", late).await.status, 409);
    let figures = hall.public().from("127.0.0.1").get("/metrics").await.text;
    for (name, kind) in [
        ("megalink_commands_total", "counter"),
        ("megalink_entries_total", "counter"),
        ("megalink_refusals_total", "counter"),
        ("megalink_http_requests_total", "counter"),
        ("megalink_commit_seconds", "histogram"),
        ("megalink_batch_seconds", "histogram"),
        ("megalink_feed_delay_seconds", "histogram"),
        ("megalink_http_request_seconds", "histogram"),
        ("megalink_meter_dollars", "gauge"),
        ("megalink_viewers", "gauge"),
        ("megalink_sessions", "gauge"),
        ("megalink_tables", "gauge"),
        ("megalink_ready", "gauge"),
    ] {
        assert!(figures.contains(&format!("# TYPE {name} {kind}\n")), "{name}: {figures}");
        assert!(figures.contains(&format!("# HELP {name} ")), "{name} is not described");
    }
    assert!(figures.contains("megalink_meter_dollars{link=\"mega\"} 100000\n"), "{figures}");
    let refused = "megalink_refusals_total{reason=\"BetsAreClosed\",clause=\"MTHB9 5.5\"}";
    assert!(figures.contains(refused), "{figures}");
    assert!(
        figures.contains("route=\"/api/tables/{table}/commands\""),
        "routes are told apart, their values are not"
    );
}

/// No figure is ever dropped, so what strangers write must not make new ones: any word may stand for a method.
#[tokio::test]
async fn methods_nobody_knows_are_counted_together() {
    let hall = Hall::empty(|_| {}).await;
    hall.public().get("/api/lobby").await.ok();
    for made_up in ["BREW", "get", "x7f3a"] {
        let method = Method::from_bytes(made_up.as_bytes()).expect("any word is a method");
        for path in ["/api/lobby", "/none"] {
            hall.public().send(method.clone(), path, None).await;
        }
    }
    let figures = hall.public().from("127.0.0.1").get("/metrics").await.text;
    for known in ["GET", "POST", "other"] {
        assert!(figures.contains(&format!("method=\"{known}\"")), "{known}: {figures}");
    }
    for made_up in ["BREW", "get", "x7f3a"] {
        assert!(!figures.contains(&format!("method=\"{made_up}\"")), "{made_up}: {figures}");
    }
}

#[tokio::test]
async fn a_request_keeps_the_id_it_brings_and_problems_tell_it() {
    let hall = Hall::empty(|_| {}).await;
    let reply = hall.public().with("x-request-id", "till-7.42_b").get("/api/tables/nowhere").await;
    assert_eq!(reply.headers["x-request-id"], "till-7.42_b");
    assert_eq!(reply.json()["request_id"], "till-7.42_b");
    for bad in ["", "two words", "new\tline", &"x".repeat(65), "<b>"] {
        let reply = hall.public().with("x-request-id", bad).get("/healthz").await;
        let id = reply.headers["x-request-id"].to_str().expect("it is text").to_owned();
        assert!(uuid::Uuid::parse_str(&id).is_ok(), "{bad:?} became {id}");
    }
}

#[tokio::test]
async fn the_page_is_part_of_the_program() {
    let hall = Hall::empty(|_| {}).await;
    let page = hall.public().get("/").await;
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert!(!page.text.contains("<style") && !page.text.contains("<script>"), "nothing inline");
    let files = page.text.split(['"', '\'']).filter(|part| part.contains(".js") || part.contains(".css"));
    for link in files {
        let path = format!("/{}", link.trim_start_matches("./").trim_start_matches('/'));
        assert_eq!(hall.public().get(&path).await.status, 200, "{path}");
    }
    let tag = page.headers["etag"].to_str().expect("a tag").to_owned();
    let again = hall.public().with("if-none-match", &tag).get("/").await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    assert_eq!(hall.public().get("/no-such-page").await.reason(404), "NotFound");
    assert_eq!(hall.public().get("/../Cargo.toml").await.status, 404);
    assert_eq!(hall.public().send(Method::PUT, "/", None).await.status, 405);
}

/// The figures are for this machine, or for whoever has the key.
#[tokio::test]
async fn figures_need_a_key_from_elsewhere() {
    let hall = Hall::empty(|_| {}).await;
    assert_eq!(hall.public().from("127.0.0.1").get("/metrics").await.status, 200);
    assert_eq!(hall.public().from("203.0.113.7").get("/metrics").await.reason(403), "MetricsKeyNeeded");
    let key = "sixteen letters and more";
    let hall = Hall::empty(|config| config.server.metrics_key = Some(key.to_owned())).await;
    let asked = |authorization: &str| hall.public().from("203.0.113.7").with("authorization", authorization);
    assert_eq!(asked(&format!("Bearer {key}")).get("/metrics").await.status, 200);
    for wrong in ["Bearer nonsense", "Basic nonsense", key] {
        assert_eq!(asked(wrong).get("/metrics").await.reason(403), "MetricsKeyNeeded", "{wrong}");
    }
    assert_eq!(hall.public().from("127.0.0.1").get("/metrics").await.reason(403), "MetricsKeyNeeded");
}

/// Two readers of one text must not understand two different things.
#[tokio::test]
async fn a_field_that_is_there_twice_is_refused() {
    let hall = Hall::empty(|_| {}).await;
    for twice in [
        r#"{ "name": "Gus", "name": "Mia", "password": "x" }"#,
        r#"{ "name": "Gus", "password": "x", "n\u0061me": "Mia" }"#,
    ] {
        let body = Some(("application/json", twice.as_bytes().to_vec()));
        let reply = hall.public().send(Method::POST, "/api/session", body).await;
        assert_eq!(reply.reason(400), "NotJson");
        assert!(reply.text.contains("there twice"), "{}", reply.text);
    }
}

#[tokio::test]
async fn the_description_can_be_read() {
    let hall = Hall::empty(|_| {}).await;
    let description = hall.public().get("/openapi.json").await.ok();
    assert_eq!(description["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    for path in ["/healthz", "/readyz", "/version", "/metrics", "/api/lobby"] {
        assert!(description["paths"][path]["get"].is_object(), "{path}");
    }
}
