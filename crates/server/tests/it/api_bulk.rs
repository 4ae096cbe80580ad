//! The bulk routes answer as the command line does.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::Method;
use futures_util::stream;
use jackpot::TableId;
use journal::Hash;
use round::PlayerId;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::support::Hall;

const RECORDS: &str = include_str!("../../../../samples/rounds.jsonl");

#[tokio::test]
async fn records_are_settled_as_on_the_command_line() {
    let hall = Hall::open().await;
    let dora = hall.client("Dora");
    let ask = async |text: &str| {
        let body = Some(("application/x-ndjson", text.as_bytes().to_vec()));
        dora.send(Method::POST, "/api/settle", body).await
    };
    let reply = ask(RECORDS).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let books = record::Books::new(rulebook::embedded());
    let (wanted, summary) = record::settle_lines(&books, RECORDS);
    assert_eq!(reply.text.as_bytes(), wanted);
    assert!(0 < summary.settled);
    let reply = ask("{}\nnonsense\n").await;
    assert_eq!(reply.text.lines().count(), 2);
    assert!(reply.text.lines().all(|line| line.contains("error")));
    assert_eq!(dora.post("/api/settle", json!({})).await.reason(415), "WrongType");
}

/// A body that turns out too long, or breaks off, is not answered as if that were all: the last line says so.
#[tokio::test]
async fn what_was_not_settled_is_told() {
    let most = RECORDS.len() + 100;
    let hall = Hall::open_with(|config| config.limits.bulk_bytes = most).await;
    let (wanted, _) = record::settle_lines(&record::Books::new(rulebook::embedded()), RECORDS);
    let wanted = String::from_utf8(wanted).expect("answers are text");
    let ends = [
        (Ok(Bytes::from(vec![b'\n'; 101])), format!("the body is longer than {most} bytes")),
        (Err(io::Error::other("the line is cut")), "the body broke off".to_owned()),
    ];
    for (end, why) in ends {
        let begins = Some(("application/x-ndjson", Vec::new()));
        let pieces = stream::iter([Ok(Bytes::from_static(RECORDS.as_bytes())), end]);
        let body = Body::from_stream(pieces);
        let request = hall.client("Dora").request(Method::POST, "/api/settle", begins).map(|_| body);
        let response = hall.router.clone().oneshot(request).await.expect("the router answers");
        assert_eq!(response.status(), 200);
        let text = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        let text = std::str::from_utf8(&text).expect("text");
        let last = text.strip_prefix(&wanted).expect("what came before is settled");
        let last: Value = serde_json::from_str(last).expect("one line");
        let error = last["error"].as_str().expect("an error");
        assert!(last["id"].is_null() && error.starts_with(&why), "{last}");
    }
}

#[tokio::test]
async fn rulebooks_and_shuffles_are_for_everybody() {
    let hall = Hall::open().await;
    let public = hall.public();
    assert_eq!(public.get("/api/rulebooks").await.ok().as_array().map(Vec::len), Some(4));
    let book = public.get("/api/rulebooks/megalink-holdem-v9").await.ok();
    assert!(book["clauses"].as_array().is_some_and(|clauses| 100 < clauses.len()));
    assert_eq!(book["citation"], "MTHB9");
    let clauses = book["clauses"].as_array().expect("clauses");
    let unproven = |clause: &&serde_json::Value| {
        let needs = clause["kind"] == "decided" || clause["kind"] == "discretion";
        needs && clause["tests"].as_array().is_none_or(Vec::is_empty)
    };
    assert_eq!(clauses.iter().find(unproven), None, "what code decides is proven by tests");
    // A round is dealt from its shuffle; when it is opened anybody can deal it again.
    hall.seat("H2", &["Ann"]).await;
    hall.play("Dora", "H2", json!({ "do": "declare-bad-cards", "fault": "missing" })).await;
    hall.play("Dora", "H2", json!({ "do": "begin-next-round" })).await;
    let opened = public.get("/api/tables/H2").await.ok()["shuffle"]["previous"].clone();
    let form = json!({ "table": "H2", "round": 1, "seed": opened["seed"], "salts": opened["salts"] });
    let made = public.post("/api/shuffles/verify", form).await.ok();
    assert_eq!(made["commitment"], opened["commitment"]);
    assert_eq!(made["salt"], opened["salt"]);
    assert_eq!(made["deck"].as_array().map(Vec::len), Some(52));
    assert_eq!(made["wrong"], json!([]));
}

/// A salt is committed to, awaited and opened; then anybody can check its link and deal the round again.
#[tokio::test]
async fn a_salted_shuffle_is_checked() {
    let hall = Hall::open().await;
    let (public, table, ann) = (hall.public(), TableId::new("H2"), PlayerId::new("Ann"));
    let salt = Hash([7; 32]);
    let anchor = floor::dealing::link(&table, &ann, salt);
    hall.seat("H2", &["Ann"]).await;
    let commit = json!({ "do": "commit-salts", "player": "Ann", "anchor": anchor.to_string() });
    hall.play("Ann", "H2", commit).await;
    hall.play("Dora", "H2", json!({ "do": "declare-bad-cards", "fault": "foreign" })).await;
    hall.play("Dora", "H2", json!({ "do": "begin-next-round" })).await;
    hall.play("Dora", "H2", json!({ "do": "open-bets" })).await;
    hall.play("Ann", "H2", json!({ "do": "place-wager", "position": 1, "area": "ante", "amount": 5_000 }))
        .await;
    hall.play("Dora", "H2", json!({ "do": "close-bets" })).await;
    assert_eq!(public.get("/api/tables/H2").await.ok()["shuffle"]["awaited"], json!(["Ann"]));
    hall.play("Ann", "H2", json!({ "do": "open-salt", "player": "Ann", "salt": salt.to_string() })).await;
    hall.play("Dora", "H2", json!({ "do": "deal-all" })).await;
    hall.play("Dora", "H2", json!({ "do": "declare-bad-cards", "fault": "foreign" })).await;
    hall.play("Dora", "H2", json!({ "do": "begin-next-round" })).await;
    let opened = public.get("/api/tables/H2").await.ok()["shuffle"]["previous"].clone();
    assert_eq!(opened["salts"], json!([{ "player": "Ann", "anchor": anchor, "salt": salt }]));
    let mut form = json!({ "table": "H2", "round": 2, "seed": opened["seed"], "salts": opened["salts"] });
    let made = public.post("/api/shuffles/verify", form.clone()).await.ok();
    assert_eq!((&made["commitment"], &made["salt"]), (&opened["commitment"], &opened["salt"]));
    assert_eq!(made["wrong"], json!([]));
    form["salts"][0]["salt"] = json!("8".repeat(64));
    let made = public.post("/api/shuffles/verify", form).await.ok();
    assert_eq!(made["wrong"].as_array().map(Vec::len), Some(1), "{made}");
}
