//! What people sign for is held against the lab and the log: a change of rules with its figures, a gaming day with its check
//! list. A book that the house changed to is there after a restart.

use std::time::Duration;

use floor::audit::{self, Options};
use journal::{DayRule, Moment, Reader};
use serde_json::{Value, json};

use super::api_school::{passed, verified};
use super::support::Hall;

const OLD: &str = "megalink-stud-v9";
const NEW: &str = "megalink-stud-v10";

/// So far the clock is set ahead for a gaming day to be over.
const DAY: Duration = Duration::from_hours(24);

/// Version 9 of the stud game as another version, paying less for a flush.
fn text() -> String {
    let text = rulebook::embedded_text(OLD).expect("embedded");
    let named = text.replace(OLD, NEW).replace("\"MSSP9\"", "\"MSSP10\"");
    named.replace("version = 9\n", "version = 10\n").replacen("flush = \"5 to 1\"", "flush = \"4 to 1\"", 1)
}

#[tokio::test]
async fn a_change_of_rules_is_counted_signed_and_there_after_a_restart() {
    let hall = Hall::open().await;
    let ask = |who: &'static str, form: Value| {
        let client = hall.client(who);
        async move { client.post("/api/rules/draft", form).await }
    };
    let form = json!({ "instead_of": OLD, "text": text() });
    assert_eq!(ask("Sue", form.clone()).await.reason(403), "OfficeIsTooLow");
    let bad = ask("Mia", json!({ "instead_of": OLD, "text": "id = \"x\"\nversion = ten\n" })).await;
    assert!(bad.text.contains("line 2"), "{}", bad.text);
    assert_eq!(bad.reason(422), "RulebookIsWrong");
    let draft = ask("Mia", form).await.ok();
    assert_eq!(draft["rulebook"], NEW);
    let edge = &draft["check"]["edges"][0];
    assert_eq!(edge["wager"], "Ante");
    assert!(edge["before"].as_i64() < edge["after"].as_i64(), "a flush pays less: {edge}");
    let flush = json!({ "what": "stud.bet.flush", "from": "5 to 1", "to": "4 to 1" });
    assert!(draft["changes"].as_array().expect("a list").contains(&flush), "{draft}");

    let from = Moment::now().0 + 3_600_000;
    let mut change = json!({ "instead_of": OLD, "rulebook": NEW, "digest": draft["digest"], "text": text(), "from": from,
        "check": draft["check"], "words": "A flush pays less from tomorrow on." });
    let proposal = |change: &Value| json!({ "kind": "change-rules", "change": change });
    let honest = change["check"]["edges"][0]["after"].take();
    change["check"]["edges"][0]["after"] = json!(1);
    let forged = hall.house("Gus", json!({ "do": "propose", "proposal": proposal(&change) })).await;
    assert_eq!(forged.reason(422), "ChecksDiffer", "figures that the lab does not count");
    change["check"]["edges"][0]["after"] = honest;
    hall.two_sign("Gus", "Abe", proposal(&change)).await.ok();

    let hall = hall.altered(|_| ()).await;
    let changes = hall.client("Mia").get("/api/rules/changes").await.ok();
    let signed = &changes[0];
    assert_eq!((&signed["rulebook"], &signed["holds"]), (&json!(NEW), &json!(false)));
    assert_eq!(signed["check"], change["check"], "what the lab said stands beside it");
    let book = hall.public().get(&format!("/api/rulebooks/{NEW}")).await.ok();
    assert!(book["not_in_force"].as_str().is_some_and(|why| why.starts_with("in force from")), "{book}");
    let what_if = json!({ "rulebook": NEW });
    let exact = hall.public().post("/api/lab/exact", what_if).await.ok();
    assert_eq!(exact["rulebook"], NEW, "the lab counts it");
    let certificate = passed(&hall, NEW).await;
    assert_eq!(certificate["digest"], json!(hall.app.library().digests()[NEW]), "it names the edition");
    assert_eq!(certificate["digest"].as_str().map(str::len), Some(64));
    assert_eq!(verified(&hall, &certificate).await, json!({ "valid": true, "findings": [] }));
    let library = hall.app.library();
    let verify = move |reader: &mut dyn Reader| {
        Ok(audit::verify(reader, &library, &Options::default(), &mut |_, _| {}).expect("the log can be read"))
    };
    let report = hall.app.vault.read(verify).await.expect("the log can be read");
    assert!(report.is_well(), "{:?}", report.findings.iter().collect::<Vec<_>>());
}

/// A gaming day is signed for as its report has it, and not as somebody says.
#[tokio::test]
async fn a_day_is_signed_for_as_the_log_has_it() {
    let hall = Hall::open().await;
    let yesterday = DayRule::default().day_of(Moment::now());
    hall.app.config.clock.set_ahead(DAY);
    let day = reports::GamingDay::from_number(yesterday).to_string();
    let report = hall.client("Mia").get(&format!("/api/reports?days={day}")).await.ok();
    let sign = |open: u64, log: &Value| {
        let checks =
            json!({ "open_awards": open, "disputed_rounds": 0, "tables_in_play": 0, "difference": 0 });
        let words = "An award waits for its winner.";
        json!({ "kind": "sign-day", "day": yesterday, "log": log, "checks": checks, "words": words })
    };
    let propose = |proposal: Value| hall.house("Gus", json!({ "do": "propose", "proposal": proposal }));
    let wrong = propose(sign(1, &report["log"])).await;
    assert!(wrong.text.contains("0 awards open"), "{}", wrong.text);
    assert_eq!(wrong.reason(409), "ChecksDiffer");
    assert_eq!(propose(sign(0, &json!("00".repeat(32)))).await.reason(409), "ChecksDiffer", "another log");
    hall.two_sign("Gia", "Mia", sign(0, &report["log"])).await.ok();
    let pdf = hall.client("Mia").get(&format!("/api/reports?days={day}&format=pdf")).await;
    assert!(pdf.text.starts_with("%PDF-1.4"), "{}", pdf.text);
}

/// Nothing is signed for that the house was not there for, or that is not over: days before it opened, today, days to come.
#[tokio::test]
async fn a_day_is_signed_for_that_the_house_was_open_on() {
    let hall = Hall::open().await;
    let today = DayRule::default().day_of(Moment::now());
    for (day, reason) in [
        (today - 1, "DayIsBeforeOpening"),
        (today - 365, "DayIsBeforeOpening"),
        (today, "DayIsNotOver"),
        (today + 1, "DayIsNotOver"),
    ] {
        let proposal = clean(day, &json!("00".repeat(32)));
        let refused = hall.house("Gus", json!({ "do": "propose", "proposal": proposal })).await;
        assert_eq!(refused.json()["reason"], reason, "day {day} of {today}: {}", refused.text);
    }
}

/// A house with gaming days of its own says which they are, and its days are signed for by them.
#[tokio::test]
async fn a_house_has_its_own_gaming_days() {
    let hall = Hall::open_with(|config| {
        config.floor.gaming_day_begins = "04:30".parse().expect("a time of day");
        config.floor.gaming_day_utc_offset = "+09:00".parse().expect("an offset");
    })
    .await;
    let version = hall.public().get("/version").await.ok();
    assert_eq!(version["gaming_day"], json!({ "begins": "04:30", "utc_offset": "+09:00" }));
    let rule = hall.app.board.house().day_rule();
    assert_eq!(rule, hall.app.config.floor.gaming_day());
    let today = rule.day_of(Moment::now());
    let propose = |proposal: Value| hall.house("Gus", json!({ "do": "propose", "proposal": proposal }));
    let refused = propose(clean(today, &json!("00".repeat(32)))).await;
    assert!(refused.text.contains("(a gaming day is from 04:30 to 04:30, UTC+09:00)"), "{}", refused.text);
    assert_eq!(refused.json()["reason"], "DayIsNotOver");
    hall.app.config.clock.set_ahead(DAY);
    let day = reports::GamingDay::from_number(today).to_string();
    let report = hall.client("Mia").get(&format!("/api/reports?days={day}")).await.ok();
    assert_eq!(report["gaming_day"], version["gaming_day"]);
    hall.two_sign("Gia", "Mia", clean(today, &report["log"])).await.ok();
}

/// A round that began before 06:00 and goes on after it: its day is signed for when the round is over.
#[tokio::test]
async fn a_day_is_signed_for_when_its_last_round_is_over() {
    let hall = Hall::open().await;
    hall.seat("H1", &["Ann"]).await;
    let day = DayRule::default().day_of(Moment::now());
    hall.app.config.clock.set_ahead(DAY);
    let proposal = clean(day, &json!("00".repeat(32)));
    let refused = hall.house("Gus", json!({ "do": "propose", "proposal": proposal })).await;
    assert_eq!(refused.reason(409), "RoundIsInPlay", "{}", refused.text);
    assert!(refused.text.contains("table H1"), "{}", refused.text);
    let days = reports::GamingDay::from_number(day).to_string();
    let shown = async || hall.client("Mia").get(&format!("/api/reports?days={days}")).await.ok();
    let check = |report: &Value| rows(report, "checks")[2][2].clone();
    let before = shown().await;
    assert_eq!((before["is_over"].clone(), check(&before)), (json!(false), json!(1)), "the round goes on");
    hall.play("Dora", "H1", json!({ "do": "declare-bad-cards", "fault": "unshuffled" })).await;
    let report = shown().await;
    assert_eq!((report["is_over"].clone(), check(&report)), (json!(true), json!(1)), "the same figure");
    assert_eq!(rows(&report, "signed"), json!([]));
    let signed = json!({ "kind": "sign-day", "day": day, "log": report["log"], "words": "A round was void after 06:00.",
        "checks": { "open_awards": 0, "disputed_rounds": 0, "tables_in_play": 1, "difference": 0 } });
    hall.two_sign("Gia", "Mia", signed).await.ok();
    let signed = shown().await;
    let row = &rows(&signed, "signed")[0];
    assert_eq!(
        (&row[0], &row[1], &row[2], &row[4]),
        (&json!(days), &json!("Gia"), &json!("Mia"), &report["log"])
    );
    assert_eq!(signed["log"], report["log"]);
}

/// The rows of a section of a report.
fn rows(report: &Value, id: &str) -> Value {
    let sections = report["sections"].as_array().expect("sections");
    sections.iter().find(|section| section["id"] == id).expect("a section")["rows"].clone()
}

/// A day is over by the clock, also in a house where nothing happens any more.
#[tokio::test]
async fn a_quiet_day_is_over_by_the_clock() {
    let hall = Hall::open().await;
    let today = reports::GamingDay::of(Moment::now(), DayRule::default());
    let client = hall.client("Mia");
    let shown = async || client.get(&format!("/api/reports?days={today}")).await.ok();
    assert_eq!(shown().await["is_over"], json!(false));
    hall.app.config.clock.set_ahead(DAY);
    assert_eq!(shown().await["is_over"], json!(true));
    let before = client.get("/api/reports?days=2020-01-01").await.ok();
    assert_eq!((&before["heads"], &before["money"]), (&json!([]), &shown().await["money"]));
}

/// A day to be signed for, with a clean check list.
fn clean(day: u64, log: &Value) -> Value {
    let checks = json!({ "open_awards": 0, "disputed_rounds": 0, "tables_in_play": 0, "difference": 0 });
    json!({ "kind": "sign-day", "day": day, "log": log, "checks": checks })
}

/// Settings of a link with an hour carry what the lab counts, and nothing that somebody made up.
#[tokio::test]
async fn settings_of_an_hour_carry_the_labs_figures() {
    let hall = Hall::open().await;
    let settings = &hall.public().get("/api/links/mega").await.ok()["settings"];
    let mut other = settings.clone();
    other["contribution_bps"] = json!(settings["contribution_bps"].as_u64().expect("a rate") - 500);
    let draft = hall.client("Mia").post("/api/links/mega/draft", json!({ "settings": other })).await.ok();
    let check = &draft["check"];
    let hold = |when: &str| check[0][when]["hold"].as_i64().expect("a hold");
    assert_eq!(
        hold("after") - hold("before"),
        50_000_000,
        "the house keeps what it does not contribute: {check}"
    );
    assert_eq!(check[0]["after"]["break_even"], check[0]["before"]["break_even"], "which is the Player's");
    // A reserve pays for resets. What it takes beyond them is not the house's.
    let with_reserve = async |points: u64| {
        let mut other = settings.clone();
        other["reserve_bps"] = json!(points);
        let draft = hall.client("Mia").post("/api/links/mega/draft", json!({ "settings": other })).await.ok();
        draft["check"][0]["after"]["hold"].as_i64().expect("a hold")
    };
    assert_eq!(with_reserve(1).await, hold("before"), "less than the resets");
    assert_eq!(with_reserve(6_000).await - with_reserve(7_000).await, 100_000_000, "more than the resets");
    let from = Moment::now().0 + 3_600_000;
    let propose = |check: &Value| {
        let mut proposal = json!({ "kind": "reconfigure", "link": "mega", "settings": other, "from": from });
        if !check.is_null() {
            proposal["check"] = check.clone();
        }
        hall.house("Gus", json!({ "do": "propose", "proposal": proposal }))
    };
    let without = propose(&Value::Null).await;
    assert_eq!(without.reason(409), "LinkIsWrong", "without the lab: {}", without.text);
    let mut wrong = check.clone();
    wrong[0]["after"]["hold"] = json!(1);
    assert_eq!(propose(&wrong).await.reason(422), "ChecksDiffer", "another figure");
    // A hair too far ahead when the server looks, and no longer when the house does.
    let far = Moment::now().plus_days(366).0 + 3;
    let forged =
        json!({ "kind": "reconfigure", "link": "mega", "settings": other, "from": far, "check": wrong });
    let refused = hall.house("Gus", json!({ "do": "propose", "proposal": forged })).await;
    assert!(!refused.status.is_success(), "made-up figures: {}", refused.text);
    propose(check).await.ok();
    hall.confirm("Abe").await.ok();
    let desk = hall.client("Mia").get("/api/links/mega/desk").await.ok();
    assert_eq!(desk["planned"], json!([{ "from": from, "settings": other }]), "{desk}");
}

/// A table that waits for Players is read to its end: the report that is signed for is the one that the log gives for ever.
#[tokio::test]
async fn a_report_has_all_of_tables_that_wait() {
    let hall = Hall::open().await;
    hall.play("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    let today = reports::GamingDay::of(Moment::now(), DayRule::default());
    let shown = hall.client("Mia").get(&format!("/api/reports?days={today}")).await.ok();
    let library = hall.app.library();
    let whole = move |reader: &mut dyn Reader| {
        let mut log = reports::Log::new(reader, &library).expect("the log can be read");
        let days = reports::Days::new(today, today).expect("a day");
        let mut reporter = reports::Reporter::new(reports::DayCache::default());
        Ok(reporter.report(&mut log, days, Moment::now()).expect("a report").log)
    };
    let whole = hall.app.vault.read(whole).await.expect("the log can be read");
    assert_eq!(shown["log"], json!(whole));
}
