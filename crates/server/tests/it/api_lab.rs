//! The lab over HTTP, asked by nobody in particular.

use serde_json::{Value, json};

use super::support::Hall;

const STUD: &str = "megalink-stud-v9";
const BOOKS: [&str; 4] =
    ["megalink-holdem-v9", "megalink-holdem-v6", "megalink-stud-v9", "holdem-progressive-v6"];

/// An exact number of an answer, as near as a float comes.
#[track_caller]
fn value(ratio: &Value) -> f64 {
    let part = |name: &str| ratio[name].as_str().and_then(|digits| digits.parse::<f64>().ok());
    part("numerator").zip(part("denominator")).map(|(over, under)| over / under).expect("a fraction")
}

#[tokio::test]
async fn the_lab_answers_exactly() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let question = json!({ "game": { "rulebook": STUD }, "cards": "As Ks Qd 7h 2c", "up": "9d" });
    let advice = public.post("/api/lab/advise", question).await.ok();
    assert_eq!(advice["choices"].as_array().map(Vec::len), Some(2), "{advice}");
    let twice = json!({ "game": { "rulebook": STUD }, "cards": "As As Qd 7h 2c", "up": "9d" });
    assert_eq!(public.post("/api/lab/advise", twice).await.reason(422), "QuestionIsWrong");
    assert_eq!(public.post("/api/lab/exact", json!({ "rulebook": "none" })).await.reason(404), "NotFound");
    let wrong = json!({ "rulebook": STUD, "changes": { "moon": "1 to 1" } });
    assert_eq!(public.post("/api/lab/what-if", wrong).await.reason(422), "QuestionIsWrong");
    let form = json!({ "rulebook": STUD, "changes": { "stud.bet.royal-flush": "500 to 1" } });
    let both = public.post("/api/lab/what-if", form).await.ok();
    assert!(value(&both["now"]["base"]["net"]) < value(&both["then"]["base"]["net"]));
    // Every line of the pay table can be changed by the key that stands beside it.
    let book = public.get(&format!("/api/rulebooks/{STUD}")).await.ok();
    for line in book["pays"].as_array().expect("lines") {
        for key in line["keys"].as_array().expect("keys") {
            let changes = json!({ key.as_str().expect("a key"): line["pays"] });
            let same =
                public.post("/api/lab/what-if", json!({ "rulebook": STUD, "changes": changes })).await.ok();
            assert_eq!(same["now"]["base"]["net"], same["then"]["base"]["net"], "{key}");
        }
    }
}

/// The curve goes through the break-even meter, and is what single questions answer.
#[tokio::test]
async fn the_jackpot_against_its_meter() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    for book in [STUD, "holdem-progressive-v6"] {
        let ask = async |meters: Vec<u64>| {
            let form = json!({ "game": { "rulebook": book, "jackpot_wager": 500 }, "meters": meters });
            public.post("/api/lab/curve", form).await
        };
        let even = ask(vec![1_000_000]).await.ok()["break_even_meter"].as_u64().expect("a meter");
        let curve = ask(vec![1_000_000, even - 1, even, 2 * even]).await.ok();
        let points = curve["points"].as_array().expect("points");
        let nets: Vec<f64> = points.iter().map(|point| value(&point["jackpot_net"])).collect();
        assert!(nets.windows(2).all(|pair| pair[0] < pair[1]), "{nets:?}");
        let form = json!({ "rulebook": book, "jackpot_wager": 500, "meter": even });
        let exact = public.post("/api/lab/exact", form).await.ok();
        assert_eq!(exact["combined"]["net"]["numerator"], points[2]["combined_net"]["numerator"], "{book}");
        if book == STUD {
            assert!(nets[1] < 0.0 && 0.0 <= nets[2], "the least meter that loses nothing: {nets:?}");
        }
        assert_eq!(ask(Vec::new()).await.reason(422), "QuestionIsWrong");
        assert_eq!(ask(vec![1; 201]).await.reason(422), "QuestionIsWrong");
    }
}

/// The lists that come with the program have prices, and advice names the rule that applies.
#[tokio::test]
async fn rule_lists() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let stud = public.post("/api/lab/rules", json!({ "rulebook": STUD })).await.ok();
    let list = &stud["lists"][0];
    assert_eq!((&list["name"], &stud["curve"]), (&json!("three-rules"), &json!([])));
    let cost = list["price"]["cost"]["total"].as_f64().expect("a cost");
    assert!((cost - 311_433.0 / 138_425_211_925.0).abs() < 1e-12, "{cost}");
    let question = json!({ "game": { "rulebook": STUD }, "cards": "As Kd 9c 5h 2s", "up": "5d" });
    let says = &public.post("/api/lab/advise", question).await.ok()["rules"][0];
    assert_eq!(says["rule"], "bet: ace-king, up card paired, no up card ace or king");
    assert_eq!((&says["list"], &says["action"]), (&json!("three-rules"), &json!("bet")));
}

/// The chart has every starting hand once, and its values sum to what the whole game is worth.
#[tokio::test]
async fn the_chart_of_starting_hands() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let form = json!({ "rulebook": "megalink-holdem-v9" });
    let chart = public.post("/api/lab/chart", form.clone()).await.ok();
    let cells = chart["cells"].as_array().expect("cells");
    assert_eq!((cells.len(), &chart["mistakes_in"]), (169, &json!("antes")));
    let weight = |cell: &Value| cell["combinations"].as_f64().map_or(0.0, |hands| hands / 1326.0);
    let best = |cell: &Value| value(&cell[cell["best"].as_str().expect("a choice")]);
    let sum: f64 = cells.iter().map(|cell| weight(cell) * best(cell)).sum();
    let exact = public.post("/api/lab/exact", form).await.ok();
    assert!((sum - value(&exact["base"]["net"])).abs() < 1e-12, "{sum}");
    for cell in cells {
        let apart = value(&cell["bet"]) - value(&cell["fold"]);
        assert!((apart.abs() - value(&cell["mistake"])).abs() < 1e-12, "{cell}");
    }
    // With a jackpot that a fold loses lines of, mistakes are weighed in money.
    let form = json!({ "rulebook": "holdem-progressive-v6", "jackpot_wager": 500, "meter": 100_000_000 });
    assert_eq!(public.post("/api/lab/chart", form).await.ok()["mistakes_in"], "cents");
    assert_eq!(
        public.post("/api/lab/chart", json!({ "rulebook": STUD })).await.reason(422),
        "QuestionIsWrong"
    );
}

#[tokio::test]
async fn what_a_session_comes_to() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let ask = async |rounds: u32| {
        public.post("/api/lab/session", json!({ "game": { "rulebook": STUD }, "rounds": rounds })).await
    };
    let session = ask(100).await.ok();
    let chance = |name: &str| session[name].as_f64().expect("a chance");
    assert!((chance("ahead") + chance("level") + chance("behind") - 1.0).abs() < 1e-9);
    let bars = session["bars"].as_array().expect("bars");
    let sum: f64 = bars.iter().filter_map(|bar| bar["chance"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-9 && bars.len() <= 60, "{sum}");
    assert!(bars.windows(2).all(|pair| pair[0]["to"].as_i64() < pair[1]["from"].as_i64()));
    let last = session["course"].as_array().and_then(|course| course.last()).expect("a course");
    assert_eq!(last["percentiles"], session["percentiles"]);
    assert_eq!(ask(0).await.reason(422), "QuestionIsWrong");
    assert_eq!(ask(2_001).await.reason(422), "QuestionIsWrong");
    let form = json!({ "game": { "rulebook": STUD, "jackpot_wager": 500 }, "rounds": 5_000, "session_rounds": 100,
        "seed": 7 });
    let (one, two) =
        (public.post("/api/lab/simulate", form.clone()).await, public.post("/api/lab/simulate", form).await);
    assert_eq!(one.text, two.text, "the same seed, the same answer");
    assert_eq!(one.ok()["sessions"]["count"], 50);
    let long = json!({ "game": { "rulebook": STUD }, "rounds": 300_001 });
    assert_eq!(public.post("/api/lab/simulate", long).await.reason(422), "QuestionIsWrong");
}

/// A sheet is a page that runs nothing, or its tables.
#[tokio::test]
async fn par_sheets_are_downloaded() {
    let hall = Hall::empty(|_| {}).await;
    let public = hall.public();
    let ask = async |rest: &str| public.get(&format!("/api/lab/par?rulebook={STUD}{rest}")).await;
    let page = ask("").await;
    assert!(page.text.starts_with("<!doctype html>") || page.text.starts_with("<!DOCTYPE html>"));
    assert!(!page.text.contains("<script") && page.text.contains("MSSP9"));
    let policy = page.headers["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert!(page.headers["content-type"].to_str().is_ok_and(|kind| kind.starts_with("text/html")));
    let file = ask("&format=csv&download=true&changes=stud.ante=2 to 1".replace(' ', "%20").as_str()).await;
    assert_eq!(file.headers["content-disposition"], format!("attachment; filename=\"par-{STUD}.csv\""));
    let sheet = ask("&format=json&readings=declined-no-hand=lost;").await.ok();
    assert_eq!(sheet["citation"], "MSSP9");
    assert_eq!(ask("&changes=moon").await.reason(422), "QuestionIsWrong");
    assert_eq!(ask("&contribution_bps=9000&reserve_bps=9000").await.reason(422), "QuestionIsWrong");
    assert_eq!(ask(&format!("&reset={}&meter=1", u64::MAX)).await.reason(422), "QuestionIsWrong");
    assert_eq!(ask("&format=pdf").await.reason(400), "QueryIsWrong");
}

/// The effect of a reading is the one the documents name.
#[tokio::test]
async fn readings_have_their_effect_in_money() {
    let hall = Hall::empty(|_| {}).await;
    let mut effects = std::collections::BTreeMap::new();
    for book in BOOKS {
        let answer = hall.public().get(&format!("/api/rulebooks/{book}/readings")).await.ok();
        for reading in answer["readings"].as_array().expect("readings") {
            effects.insert((book, reading["name"].as_str().expect("a name").to_owned()), reading.clone());
        }
    }
    let under = |book: &'static str, name: &str, value: &str| {
        let values = effects[&(book, name.to_owned())]["values"].as_array().expect("values");
        values.iter().find(|one| one["value"] == value).expect("a value")["figures"].clone()
    };
    let edge = |value: &str| {
        let figures = under("megalink-holdem-v9", "bonus-follows", value);
        format!("{:.4}", 100.0 * figures["bonus_edge"]["value"].as_f64().expect("an edge"))
    };
    assert_eq!((edge("hole-cards").as_str(), edge("showdown").as_str()), ("8.5406", "34.8985"));
    let shares = |value: &str| {
        under("megalink-stud-v9", "straight-flush-share", value)["two_straight_flushes"].clone()
    };
    assert_eq!(shares("declining"), json!([12_198_734, 12_198_734]));
    assert_eq!(shares("reseeded"), json!([6_920_386, 6_920_386]));
    let told = &effects[&("megalink-stud-v9", "told-for".to_owned())];
    assert_eq!(told["differs"], false);
    assert_eq!(effects[&("megalink-holdem-v9", "bonus-follows".to_owned())]["differs"], true);
}

/// Strangers have a share of the lab, and no more; whoever is signed in has one of their own.
#[tokio::test]
async fn strangers_do_not_take_the_whole_lab() {
    let hall = Hall::empty(|config| {
        config.limits.requests_burst = 50;
        config.limits.requests_per_second = 1;
    })
    .await;
    let ask = async |client: &super::support::Client| {
        client.post("/api/lab/exact", json!({ "rulebook": "none" })).await
    };
    let stranger = hall.public().from("192.0.2.9");
    let mut refused = 0;
    for _ in 0..25 {
        refused += usize::from(ask(&stranger).await.status == 429);
    }
    assert!((1..=5).contains(&refused), "{refused}");
    stranger.get("/api/lobby").await.ok();
    assert_eq!(ask(&hall.client("Gus").from("192.0.2.9")).await.reason(404), "NotFound");
}
