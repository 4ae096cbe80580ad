//! Learners and examinations over HTTP: what is kept of whom, who sees it, and what a cheat does not get.

use std::fs;

use journal::checkpoint::Signer;
use journal::vault::kind::EXAMINATION;
use journal::{Hash, Seal};
use school::Certificate;
use serde_json::{Value, json};

use super::api_drill::{guesses, right};
use super::support::{Client, Hall};

const BOOK: &str = "megalink-holdem-v9";

/// Sue sets an examination for Dora.
async fn set(hall: &Hall) -> String {
    set_under(hall, BOOK).await
}

async fn set_under(hall: &Hall, book: &str) -> String {
    let form = json!({ "candidate": "Dora", "rulebook": book, "level": "trainee" });
    let set = hall.client("Sue").post("/api/school/examinations", form).await.ok();
    assert_eq!((&set["standing"], set.get("seed")), (&json!("set"), None));
    set["number"].as_str().expect("a number").to_owned()
}

async fn begin(client: &Client, number: &str) -> Value {
    client.post(&format!("/api/school/examinations/{number}/begin"), json!({})).await.ok()
}

/// The right answers, as only the engine with the house's secret knows them.
async fn solution(hall: &Hall, number: &str) -> Vec<Value> {
    let kept = hall.app.vault.get(EXAMINATION, number).await.expect("readable").expect("a row");
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    let book = hall.app.book(kept["rulebook"].as_str().expect("an id")).expect("a book");
    let secret = kept["secret"].as_u64().expect("a number");
    let paper = school::Paper::of_secret(&book, school::Level::Trainee, secret);
    paper.solution().iter().map(|answers| json!(answers)).collect()
}

/// The certificate of an examination that Sue sets and Dora passes.
pub(crate) async fn passed(hall: &Hall, book: &str) -> Value {
    let number = set_under(hall, book).await;
    begin(&hall.client("Dora"), &number).await;
    let answers = json!({ "answers": solution(hall, &number).await });
    let path = format!("/api/school/examinations/{number}/answers");
    let done = hall.client("Dora").post(&path, answers).await.ok();
    done["handed_in"]["certificate"].clone()
}

/// What anybody learns of a certificate.
pub(crate) async fn verified(hall: &Hall, certificate: &Value) -> Value {
    hall.public().post("/api/drill/certificate", certificate.clone()).await.ok()
}

#[tokio::test]
async fn an_examination_from_its_setting_to_its_certificate() {
    let hall = Hall::open().await;
    let (dora, sue) = (hall.client("Dora"), hall.client("Sue"));
    let number = set(&hall).await;
    let sitting = begin(&dora, &number).await;
    let exercises = sitting["exercises"].as_array().expect("exercises");
    assert!(exercises.iter().all(|exercise| exercise["seed"] == 0), "what it is made from is not shown");
    let row = sue.get("/api/school/examinations").await.ok()["examinations"][0].clone();
    assert_eq!((&row["standing"], row.get("seed")), (&json!("running"), None), "not even to the trainer");
    let answers = solution(&hall, &number).await;
    let path = format!("/api/school/examinations/{number}/answers");
    let done = dora.post(&path, json!({ "answers": answers })).await.ok();
    assert_eq!(done["standing"], "passed", "{done}");
    let certificate = done["handed_in"]["certificate"].clone();
    assert_eq!((&certificate["candidate"], &certificate["trainer"]), (&json!("Dora"), &json!("Sue")));
    assert_eq!(certificate["digest"].as_str().map(str::len), Some(64));
    assert_eq!(done["seed"], certificate["seed"]);

    // Anybody may verify it; nobody can change it, and it is nobody else's.
    let verify = async |certificate: &Value| {
        hall.public().post("/api/drill/certificate", certificate.clone()).await.ok()
    };
    assert_eq!(verify(&certificate).await, json!({ "valid": true, "findings": [] }));
    for (field, value) in [
        ("candidate", json!("Bob")),
        ("trainer", json!("Gia")),
        ("right", json!(1)),
        ("level", json!("supervisor")),
        ("seed", json!("0000000000000000")),
        ("number", json!("main-000009")),
        ("form", json!("megalink examination certificate 3")),
        ("key", json!("00".repeat(32))),
        ("signature", json!("00".repeat(64))),
    ] {
        let mut changed = certificate.clone();
        changed[field] = value;
        assert_eq!(verify(&changed).await["valid"], false, "{field}");
    }

    // It is handed in once, and begun no more.
    assert_eq!(dora.post(&path, json!({ "answers": answers })).await.reason(409), "HandedIn");
    let again = dora.post(&format!("/api/school/examinations/{number}/begin"), json!({})).await;
    assert_eq!(again.reason(409), "HandedIn");
    let csv = sue.get("/api/school/examinations?format=csv").await;
    assert!(
        csv.text.starts_with("number,candidate,trainer,") && csv.text.contains(",passed,"),
        "{}",
        csv.text
    );
}

/// After a change of the signing key the new key signs. What the old one signed holds where the register has it, so whoever
/// got hold of the old key certifies nobody.
#[tokio::test]
async fn a_replaced_key_certifies_nobody() {
    let hall = Hall::open().await;
    let before = passed(&hall, BOOK).await;
    let first = hall.app.config.storage.directory.as_ref().expect("a directory").join("signing.key");
    let old = Signer::load(&first).expect("the first key");
    let mut forged: Certificate = serde_json::from_value(before.clone()).expect("a certificate");
    forged.candidate = "Bob".to_owned();
    forged.signature = Seal::of(&old, &Hash::of([forged.message().as_slice()])).signature;
    let forged = json!(forged);

    let (file, next) = Signer::create_further(&first).expect("another key");
    let elsewhere = file.with_extension("elsewhere");
    fs::rename(&file, &elsewhere).expect("moved");
    let key = Hash(next.public_key());
    hall.two_sign("Gus", "Abe", json!({ "kind": "change-signing-key", "key": key })).await.ok();
    let number = set(&hall).await;
    let begun =
        hall.client("Dora").post(&format!("/api/school/examinations/{number}/begin"), json!({})).await;
    assert_eq!(begun.reason(503), "Unavailable", "the old key does not sign instead");
    fs::rename(&elsewhere, &file).expect("moved back");
    let after = passed(&hall, BOOK).await;
    assert_eq!(after["key"], json!(key));
    for certificate in [&before, &after] {
        assert_eq!(verified(&hall, certificate).await, json!({ "valid": true, "findings": [] }));
    }
    let finding = "It was signed by a key that was replaced, and the register has no such examination.";
    assert_eq!(verified(&hall, &forged).await, json!({ "valid": false, "findings": [finding] }));
}

/// The answers are asked for early in every way there is: none gives them.
#[tokio::test]
async fn nobody_learns_the_answers_before_handing_in() {
    let hall = Hall::open().await;
    let dora = hall.client("Dora");
    let number = set(&hall).await;
    let path = format!("/api/school/examinations/{number}/answers");
    assert_eq!(dora.post(&path, json!({ "answers": [] })).await.reason(409), "NotBegun");
    let first = begin(&dora, &number).await;
    // The exercises as they are shown name no seed by which the drill would answer: that of zero is another exercise.
    for exercise in first["exercises"].as_array().expect("exercises") {
        let kind = exercise["kind"].as_str().expect("a kind");
        let drill = format!("/api/drill/exercise?rulebook={BOOK}&kind={kind}&seed=0");
        assert_ne!(&dora.get(&drill).await.ok(), exercise);
    }
    // The paper's cards, written as an exercise of one's own, are marked neither for the candidate nor for a stranger.
    let course = json!({ "course": "title = \"Mine\"\nbook = \"MTHB9\"\n[[exercise]]\nkind = \"pay-the-table\"\nseed = 1\n",
        "exercise": 0, "answers": [] });
    for asks in [dora.clone(), hall.public()] {
        assert_eq!(
            asks.post("/api/drill/course/mark", course.clone()).await.reason(409),
            "ExaminationIsTaken"
        );
    }
    assert_ne!(hall.client("Sue").post("/api/drill/course/mark", course.clone()).await.status, 409);
    // Begun again it is the same paper, with less time.
    let second = begin(&dora, &number).await;
    assert_eq!(first["exercises"], second["exercises"]);
    assert!(second["left"].as_u64() <= first["left"].as_u64());
    // A sheet that cannot be marked is refused and not counted; it says nothing of the answers.
    let short = dora.post(&path, json!({ "answers": [[]] })).await;
    assert_eq!(short.reason(422), "AnswersAreWrongForm");
    // Others see nothing of it: not another Dealer's work, not a Player, not the trainer, whose examination it is not.
    for other in ["Sue", "Gia", "Ann"] {
        let begun =
            hall.client(other).post(&format!("/api/school/examinations/{number}/begin"), json!({})).await;
        assert_eq!(begun.reason(403), "NotYourExamination", "{other}");
        assert_eq!(hall.client(other).post(&path, json!({ "answers": [] })).await.status, 403, "{other}");
    }
    // Two sheets at the same time: one is taken.
    let empty =
        json!({ "answers": vec![json!([]); first["exercises"].as_array().expect("exercises").len()] });
    let (one, other) = tokio::join!(dora.post(&path, empty.clone()), dora.post(&path, empty));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let row = &dora.get("/api/school/examinations").await.ok()["examinations"][0];
    assert_eq!((&row["standing"], row["handed_in"].get("certificate")), (&json!("failed"), None));
    assert_ne!(hall.public().post("/api/drill/course/mark", course).await.status, 409, "it is over");
}

#[tokio::test]
async fn trainers_examine_others_and_only_they_see_the_class() {
    let hall = Hall::open().await;
    let form = |candidate: &str| json!({ "candidate": candidate, "rulebook": BOOK, "level": "dealer" });
    let path = "/api/school/examinations";
    assert_eq!(hall.client("Sue").post(path, form("Sue")).await.reason(403), "OwnExamination");
    assert_eq!(hall.client("Dora").post(path, form("Sue")).await.reason(403), "OfficeIsTooLow");
    assert_eq!(hall.client("Abe").post(path, form("Dora")).await.reason(403), "TableGamesOnly");
    assert_eq!(hall.client("Sue").post(path, form("Nobody")).await.reason(404), "NotFound");

    // A wrong answer of Dora's: kept, seen by her and by Sue, and counted once.
    let exercise =
        hall.public().get(&format!("/api/drill/exercise?rulebook={BOOK}&kind=limits&seed=4")).await.ok();
    let answers = |given: Vec<Value>| json!({ "rulebook": BOOK, "kind": "limits", "seed": 4, "answers": given, "milliseconds": 9000 });
    let marked = hall.client("Dora").post("/api/drill/mark", answers(guesses(&exercise))).await.ok();
    assert_eq!(marked["record"]["kinds"]["limits"]["seen"], 1);
    let again = hall.client("Dora").post("/api/drill/mark", answers(right(&marked))).await.ok();
    assert_eq!(again["right"], true);
    assert_eq!(
        again["record"]["kinds"]["limits"], marked["record"]["kinds"]["limits"],
        "the answers were shown before"
    );
    let own = hall.client("Dora").get("/api/school/record").await.ok();
    assert_eq!(own["kinds"]["limits"]["milliseconds"], 9000);
    assert!(own["clauses"].as_object().expect("clauses").values().any(|clause| clause["box"] == 0));
    let class = hall.client("Sue").get("/api/school/class").await.ok();
    assert_eq!(
        (&class["learners"][0]["name"], &class["learners"][0]["staff"]),
        (&json!("Dora"), &json!(true))
    );
    assert!(!class["weak"].as_array().expect("clauses").is_empty());
    let csv = hall.client("Sue").get("/api/school/class?format=csv").await.text;
    assert!(csv.starts_with("learner,clause,kind,seen,") && csv.contains("staff Dora,MTHB9 "), "{csv}");
    assert_eq!(hall.client("Dora").get("/api/school/class").await.reason(403), "OfficeIsTooLow");
    assert_eq!(hall.client("Ann").get("/api/school/class").await.reason(403), "StaffOnly");
    // Nobody is signed in: nothing is kept.
    let public = hall.public().post("/api/drill/mark", answers(guesses(&exercise))).await.ok();
    assert_eq!(public.get("record"), None);
}

/// What is kept outlasts a restart. A row that somebody alters is ignored, and one that is taken away is missed.
#[tokio::test]
async fn records_and_examinations_outlast_a_restart_and_show_tampering() {
    let hall = Hall::open().await;
    let (first, second) = (set(&hall).await, set(&hall).await);
    assert_ne!(first, second);
    let third = set(&hall).await;
    let hall = hall
        .altered(|database| {
            let sealed = "UPDATE sealed SET value = zeroblob(80) WHERE kind = 'examination' AND key = ?1";
            assert_eq!(database.execute(sealed, [&second]).expect("a row"), 1);
        })
        .await;
    let register = hall.client("Sue").get("/api/school/examinations").await.ok();
    let numbers: Vec<&str> = register["examinations"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["number"].as_str())
        .collect();
    assert_eq!(numbers, [first.as_str(), third.as_str()]);
    assert_eq!(register["missing"], json!([second]));
}

/// Decisions of a Player: the values are the lab's, guests carry their own tally, and a Player's is kept.
#[tokio::test]
async fn decisions_are_marked_and_rated() {
    let hall = Hall::open().await;
    let stud = "megalink-stud-v9";
    let (public, ann) = (hall.public(), hall.client("Ann"));
    let mut tally = json!({ "ordinary": { "seen": 0, "wrong": 0 }, "hard": { "seen": 0, "wrong": 0 }, "streak": 0, "best_streak": 0 });
    let mut last = Value::Null;
    for seed in 0..40 {
        let shown = public.get(&format!("/api/train/decision?rulebook={stud}&seed={seed}")).await.ok();
        assert_eq!(shown["own"].as_array().map(Vec::len), Some(5));
        let form = json!({ "rulebook": stud, "seed": seed, "action": "bet", "tally": tally });
        last = public.post("/api/train/mark", form.clone()).await.ok();
        assert_eq!(last["right"], json!(last["advice"]["best"] == "bet"));
        tally = last["tally"].clone();
        let kept = ann.post("/api/train/mark", form).await.ok();
        assert_eq!(kept["tally"], tally, "the house keeps the same for Ann");
    }
    let rating = &last["rating"];
    assert!(
        rating["low"].as_f64() <= rating["loss"].as_f64()
            && rating["loss"].as_f64() <= rating["high"].as_f64()
    );
    assert!(0.0 < rating["loss"].as_f64().expect("a number"), "betting everything is not perfect");
    // The same decision again counts nothing.
    let form = json!({ "rulebook": stud, "seed": 0, "action": "fold" });
    assert_eq!(ann.post("/api/train/mark", form).await.ok()["tally"], tally);
    let impossible = json!({ "rulebook": stud, "seed": 0, "action": "check" });
    assert_eq!(public.post("/api/train/mark", impossible).await.reason(422), "NoSuchChoice");
    let lessons = public.get(&format!("/api/train/lessons?rulebook={stud}")).await.ok();
    let lines = lessons["lessons"][0]["lines"].as_array().expect("lines");
    assert!(
        lines
            .iter()
            .any(|line| line["rule"] == "bet: pair" && 0.1 < line["cost_without"].as_f64().unwrap_or(0.0))
    );
}
