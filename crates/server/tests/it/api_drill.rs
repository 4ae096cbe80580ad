//! The drill over HTTP: anybody trains, and the server marks.

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

pub(crate) fn guesses(exercise: &Value) -> Vec<Value> {
    let questions = exercise["questions"].as_array().expect("questions");
    questions.iter().map(|question| guess(&question["form"])).collect()
}

/// The right answers, as the marking of a guess names them.
pub(crate) fn right(marking: &Value) -> Vec<Value> {
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

/// Practice is marked and earns nothing: its seed is known, so its answers can be asked for.
#[tokio::test]
async fn an_examination_to_practise_earns_no_certificate() {
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
    let form = |answers: &[Vec<Value>], seed: u32| json!({ "rulebook": BOOK, "level": "trainee", "seed": seed, "ticket": paper["ticket"], "answers": answers });
    let failed =
        public.post("/api/drill/examination", form(&vec![Vec::new(); exercises.len()], 3)).await.ok();
    assert_eq!((&failed["score"]["right"], &failed["passed"]), (&json!(0), &json!(false)));
    let passed = public.post("/api/drill/examination", form(&answers, 3)).await.ok();
    assert_eq!(passed["score"]["right"], passed["score"]["of"]);
    assert_eq!((&passed["passed"], passed.get("certificate")), (&json!(true), None));
    // The ticket is for one examination.
    assert_eq!(public.post("/api/drill/examination", form(&answers, 4)).await.reason(422), "NotBegun");
}

/// A file is checked with its line, and its exercises are marked by the engine.
#[tokio::test]
async fn a_course_is_previewed_and_marked() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let course = include_str!("../../../school/tests/it/course.toml");
    let shown = public.post("/api/drill/course", json!({ "course": course })).await.ok();
    let exercises = shown["exercises"].as_array().expect("exercises");
    assert!(1 < exercises.len() && !shown.to_string().contains("\"answer\""));
    for (place, exercise) in exercises.iter().enumerate() {
        let form = |answers: Vec<Value>| json!({ "course": course, "exercise": place, "answers": answers });
        let marking = public.post("/api/drill/course/mark", form(guesses(exercise))).await.ok();
        let marked = public.post("/api/drill/course/mark", form(right(&marking))).await.ok();
        assert_eq!(marked["right"], true, "{marked}");
    }
    let wrong = course.replace("kind = \"pay-the-table\"", "kind = \"pay-the-table\"\nanswer = \"25.00\"");
    let refused = public.post("/api/drill/course", json!({ "course": wrong })).await;
    assert_eq!(refused.reason(422), "CourseIsWrong");
    assert!(refused.text.contains("answer: a file has no answers"), "{}", refused.text);
}
