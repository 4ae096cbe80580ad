//! The drill over HTTP: anybody trains, the server marks, and a certificate is verified.

use serde_json::{Value, json};

use super::support::Hall;

const BOOK: &str = "megalink-holdem-v9";
const KINDS: [&str; 7] = [
    "read-the-hand",
    "pay-the-table",
    "what-comes-next",
    "something-is-wrong",
    "jackpot",
    "limits",
    "power-failure",
];

/// An answer of the right form, most likely wrong.
fn guess(form: &Value) -> Value {
    let all = || (0..form["options"].as_array().map_or(0, Vec::len)).collect::<Vec<usize>>();
    match form["form"].as_str().expect("a form") {
        "one" => json!({ "one": 0 }),
        "several" => json!({ "several": [] }),
        "order" => json!({ "order": all() }),
        "amount" => json!({ "amount": 1 }),
        "wager" => json!({ "wager": { "does": "take", "amount": 1 } }),
        "chips" => json!({ "chips": [{ "denomination": 1, "count": 1 }] }),
        other => panic!("no such form: {other}"),
    }
}

fn guesses(exercise: &Value) -> Vec<Value> {
    let questions = exercise["questions"].as_array().expect("questions");
    questions.iter().map(|question| guess(&question["form"])).collect()
}

/// The right answers, as the marking of a guess names them.
fn right(marking: &Value) -> Vec<Value> {
    let questions = marking["questions"].as_array().expect("questions");
    questions.iter().map(|question| question["answer"].clone()).collect()
}

#[tokio::test]
async fn an_exercise_is_found_again_and_marked_by_the_server() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    for kind in KINDS {
        let address = format!("/api/drill/exercise?rulebook={BOOK}&kind={kind}&seed=5");
        let exercise = public.get(&address).await.ok();
        assert_eq!(exercise, public.get(&address).await.ok());
        let text = exercise.to_string();
        assert!(!text.contains("\"answer\"") && !text.contains("\"right\""), "{kind}: the answers stay here");
        let form =
            |answers: &[Value]| json!({ "rulebook": BOOK, "kind": kind, "seed": 5, "answers": answers });
        let marking = public.post("/api/drill/mark", form(&guesses(&exercise))).await.ok();
        let marked = public.post("/api/drill/mark", form(&right(&marking))).await.ok();
        assert_eq!(marked["right"], true, "{kind}: {marked}");
        for question in marked["questions"].as_array().expect("questions") {
            let clause = question["clauses"][0]["clause"].as_str().expect("a clause");
            assert!(clause.starts_with("MTHB9 "), "{clause}");
        }
        assert_eq!(public.post("/api/drill/mark", form(&[])).await.reason(422), "AnswersAreWrongForm");
    }
}

#[tokio::test]
async fn an_exercise_is_found_by_its_clause() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let ask = |kind: &str, clause: &str| {
        format!("/api/drill/exercise?rulebook={BOOK}&kind={kind}&seed=1&clause={clause}")
    };
    let exercise = public.get(&ask("something-is-wrong", "5.11")).await.ok();
    let answers = guesses(&exercise);
    let form = json!({ "rulebook": BOOK, "kind": "something-is-wrong", "seed": exercise["seed"], "answers": answers });
    let marking = public.post("/api/drill/mark", form).await.ok();
    assert!(marking.to_string().contains("MTHB9 5.11"), "{marking}");
    assert_eq!(public.get(&ask("power-failure", "3.11.1")).await.reason(404), "NotFound");
    assert_eq!(public.get(&ask("limits", "9.9")).await.reason(404), "NotFound");
    let unknown = "/api/drill/exercise?rulebook=none&kind=limits&seed=1";
    assert_eq!(public.get(unknown).await.reason(404), "NotFound");
}

#[tokio::test]
async fn who_passes_gets_a_certificate_that_nobody_can_change() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let paper =
        public.get(&format!("/api/drill/examination?rulebook={BOOK}&level=trainee&seed=3")).await.ok();
    let exercises = paper["exercises"].as_array().expect("exercises");
    let mut answers = Vec::new();
    for exercise in exercises {
        let form = json!({ "rulebook": BOOK, "kind": exercise["kind"], "seed": exercise["seed"], "answers": guesses(exercise) });
        answers.push(right(&public.post("/api/drill/mark", form).await.ok()));
    }
    let form = |answers: &[Vec<Value>], seed: u32| json!({ "name": "Ann", "rulebook": BOOK, "level": "trainee", "seed": seed, "ticket": paper["ticket"], "answers": answers });
    let failed =
        public.post("/api/drill/examination", form(&vec![Vec::new(); exercises.len()], 3)).await.ok();
    assert_eq!((&failed["score"]["right"], failed.get("certificate")), (&json!(0), None));
    let passed = public.post("/api/drill/examination", form(&answers, 3)).await.ok();
    assert_eq!(passed["score"]["right"], passed["score"]["of"]);
    let certificate = passed["certificate"].clone();
    assert_eq!(certificate["digest"].as_str().map(str::len), Some(64), "{certificate}");
    let verify =
        async |certificate: &Value| public.post("/api/drill/certificate", certificate.clone()).await.ok();
    assert_eq!(verify(&certificate).await["valid"], true);
    for (field, value) in
        [("name", json!("Bob")), ("right", json!(1)), ("level", json!("supervisor")), ("seed", json!(4))]
    {
        let mut changed = certificate.clone();
        changed[field] = value;
        assert_eq!(verify(&changed).await["valid"], false, "{field}");
    }
    // The ticket is for one examination.
    assert_eq!(public.post("/api/drill/examination", form(&answers, 4)).await.reason(422), "NotBegun");
}
