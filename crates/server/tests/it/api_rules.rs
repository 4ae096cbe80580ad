//! What people sign for is held against the lab and the log: a change of rules with its figures, a gaming day with its check
//! list. A book that the house changed to is there after a restart.

use floor::audit::{self, Options};
use journal::{Moment, Reader};
use serde_json::{Value, json};

use super::api_school::{passed, verified};
use super::support::Hall;

const OLD: &str = "megalink-stud-v9";
const NEW: &str = "megalink-stud-v10";

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
    let yesterday = Moment::now().gaming_day() - 1;
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

/// A table that waits for Players is read to its end: the report that is signed for is the one that the log gives for ever.
#[tokio::test]
async fn a_report_has_all_of_tables_that_wait() {
    let hall = Hall::open().await;
    hall.play("Ann", "H1", json!({ "do": "take-position", "position": 1 })).await;
    hall.play("Dora", "H1", json!({ "do": "open-bets" })).await;
    let today = reports::GamingDay::of(Moment::now());
    let shown = hall.client("Mia").get(&format!("/api/reports?days={today}")).await.ok();
    let library = hall.app.library();
    let whole = move |reader: &mut dyn Reader| {
        let mut log = reports::Log::new(reader, &library).expect("the log can be read");
        let days = reports::Days::new(today, today).expect("a day");
        let mut reporter = reports::Reporter::new(reports::DayCache::default());
        Ok(reporter.report(&mut log, days).expect("a report").log)
    };
    let whole = hall.app.vault.read(whole).await.expect("the log can be read");
    assert_eq!(shown["log"], json!(whole));
}
