//! A practice floor over HTTP: mock tables and their marks, the theatre; and that no other floor arranges a deck.

use std::time::Duration;

use serde_json::{Value, json};
use server::config::Config;
use server::{App, app, start};
use tempfile::TempDir;

use super::support::{self, Client, Hall, until_some};

/// A practice floor whose people wait for nothing.
async fn practice() -> (Hall, Client) {
    let (hall, _) = Hall::bare(|config| {
        make_practice(config);
        config.floor.pace.think_ms = 0;
    })
    .await;
    let client = signed_in(&hall, "Learner").await;
    (hall, client)
}

fn make_practice(config: &mut Config) {
    config.floor.practice = true;
    config.floor.house = Some(automatic::PRACTICE_HOUSE.to_owned());
}

async fn signed_in(hall: &Hall, name: &str) -> Client {
    let now = hall.public().get("/api/practice").await.ok();
    let sign_in = json!({ "name": name, "password": now["password"] });
    let begun = hall.public().post("/api/session", sign_in).await.ok();
    let client = hall.public().holding(begun["token"].as_str().expect("a token").to_owned());
    let begun = client.post("/api/session/step-up", json!({ "password": now["password"] })).await.ok();
    hall.public().holding(begun["token"].as_str().expect("a token").to_owned())
}

/// Looks until something holds.
async fn until(client: &Client, path: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    until_some(what, async || Some(client.get(path).await.ok()).filter(&holds)).await
}

async fn give(client: &Client, table: &str, command: Value) -> Value {
    client.post(&format!("/api/tables/{table}/commands"), command).await.ok()
}

/// The Dealer's next step again and again, until the table is at a stage.
async fn deal_until(client: &Client, table: &str, stage: &str) {
    let path = format!("/api/tables/{table}");
    for _ in 0..400 {
        let view = client.get(&path).await.ok();
        if view["stage"]["at"] == stage {
            return;
        }
        let next = view["choices"].as_array().and_then(|all| all.iter().find(|one| one["next"] == true));
        // Cards, decisions and wagers are the shoe's and the house players'.
        let own = [
            "open-bets",
            "close-bets",
            "expose",
            "settle",
            "begin-next-round",
            "inform-player",
            "call-supervisor",
            "answer-call",
        ];
        let ready = view["stage"]["at"] != "before-bets" || seats(&view, "holder") == 3;
        let ready = ready && (view["stage"]["at"] != "bets-open" || antes(&view) == 3);
        match next.map(|next| &next["command"]) {
            Some(command) if command["do"] == "settle" => {
                for step in view["paying"].as_array().expect("a list") {
                    pay(client, table, step).await.ok();
                }
                give(client, table, command.clone()).await;
            }
            Some(command) if ready && own.iter().any(|name| command["do"] == *name) => {
                let _ = client.post(&format!("{path}/commands"), command.clone()).await;
            }
            _ => tokio::time::sleep(Duration::from_millis(25)).await,
        }
    }
    panic!("{table} never came to {stage}: {}", client.get(&path).await.text)
}

/// Takes, pays or returns by hand what a step of the list says.
async fn pay(client: &Client, table: &str, step: &Value) -> support::Reply {
    let paid = json!({ "position": step["position"], "area": step["area"], "does": step["does"], "amount": step["amount"] });
    client.post(&format!("/api/practice/tables/{table}/paying"), paid).await
}

fn seats(view: &Value, field: &str) -> usize {
    let seats = view["seats"].as_array().expect("seats");
    seats.iter().filter(|seat| !seat[field].is_null()).count()
}

fn antes(view: &Value) -> usize {
    let seats = view["seats"].as_array().expect("seats");
    seats.iter().filter(|seat| seat["areas"].to_string().contains("\"ante\"")).count()
}

/// The script of the first evening: a late bet is named, a misdeal reported and put in order, a jackpot called; and each is
/// marked with its clause.
#[tokio::test]
async fn a_mock_table_is_marked_by_the_rules() {
    let (hall, client) = practice().await;
    let opened = client.post("/api/practice/tables", json!({ "script": "first-evening" })).await.ok();
    let table = opened["table"].as_str().expect("a name").to_owned();
    assert_eq!(table, "PRACTICE-1");
    let path = format!("/api/practice/tables/{table}");
    let happened = |view: &Value| view["happened"].is_string();

    deal_until(&client, &table, "dealing").await;
    let view = until(&client, &path, "a late bet", happened).await;
    assert!(view["happened"].as_str().is_some_and(|words| words.contains("Bea 1")), "{view}");
    // The wager may not be entered.
    let late = json!({ "do": "place-wager", "position": 2, "area": "ante", "owner": "Bea 1", "amount": 1000, "means": "chips" });
    let refused = client.post(&format!("/api/tables/{table}/commands"), late).await;
    assert_eq!(refused.reason(409), "BetsAreClosed");
    let named = json!({ "what": "late-wager", "position": 2, "area": "ante", "player": "Bea 1" });
    client.post(&format!("/api/tables/{table}/guide"), named).await;
    let view = client.get(&path).await.ok();
    let marks = view["marks"].as_array().expect("marks");
    let last = |back: usize| &marks[marks.len() - back];
    assert_eq!((&last(2)["verdict"], &last(2)["clause"]), (&json!("wrong"), &json!("MTHB9 5.5")), "{view}");
    assert_eq!((&last(1)["verdict"], &last(1)["clause"]), (&json!("right"), &json!("MTHB9 5.5")), "{view}");
    assert!(!happened(&view));

    deal_until(&client, &table, "concluded").await;
    deal_until(&client, &table, "deciding").await;
    let view = until(&client, &path, "a misdeal", |view| view["round"] == 2 && happened(view)).await;
    assert!(view["happened"].as_str().is_some_and(|words| words.contains("The hand of position 3 lies at")));
    let piles =
        json!([{ "position": 1, "cards": 2 }, { "position": 2, "cards": 2 }, { "position": 4, "cards": 2 }]);
    give(&client, &table, json!({ "do": "report-misdeal", "piles": piles })).await;
    give(&client, &table, json!({ "do": "reconstruct" })).await;
    let view = client.get(&path).await.ok();
    let marks = view["marks"].as_array().expect("marks");
    let report = &marks[marks.len() - 2];
    assert_eq!((&report["verdict"], &report["clause"]), (&json!("right"), &json!("MTHB9 5.2")), "{view}");

    deal_until(&client, &table, "concluded").await;
    deal_until(&client, &table, "before-bets").await;
    deal_until(&client, &table, "concluded").await;
    let desk = signed_in(&hall, "Manager").await;
    let link = desk.get("/api/links/PRACTICE%20Megalink").await.ok();
    assert_eq!(link["pending"][0]["table"], "PRACTICE-1", "the arranged hand won: {link}");
    let next = client.get(&format!("/api/tables/{table}")).await.ok();
    assert_eq!(
        next["choices"][0]["command"]["do"], "call-supervisor",
        "a hand of the jackpot is looked at first"
    );
    give(&client, &table, json!({ "do": "call-supervisor" })).await;
    let view = client.get(&path).await.ok();
    assert_eq!(view["rounds"].as_array().map(Vec::len), Some(3));
    assert_eq!(view["summary"]["wrong"], 1, "{view}");
    assert_eq!(view["summary"]["missed"], 0);
    assert_eq!(view["summary"]["clauses"], json!(["MTHB9 5.5"]));
    // The supervisor comes and verifies the award; only then the next round may begin.
    let begins = |view: &Value| next_step(view) == Some("begin-next-round");
    until(&client, &format!("/api/tables/{table}"), "the award is verified", begins).await;
    let link = desk.get("/api/links/PRACTICE%20Megalink").await.ok();
    assert_eq!(link["pending"][0]["state"], "verified");
}

/// What is due at a table.
fn next_step(view: &Value) -> Option<&str> {
    let choices = view["choices"].as_array().expect("choices");
    choices.iter().find(|choice| choice["next"] == true)?["command"]["do"].as_str()
}

/// After a jackpot hand nothing is swept: a supervisor is called, and the table waits until the award is verified. To begin
/// the next round asks first, and is wrong.
#[tokio::test]
async fn the_cards_of_an_award_stay_until_they_are_verified() {
    let (_hall, client) = practice().await;
    let set = json!({ "say": "a royal flush", "until": "settling" });
    let set = client.post("/api/practice/theatre", set).await.ok();
    let table = set["tables"][0]["table"].as_str().expect("a table").to_owned();
    let path = format!("/api/tables/{table}");
    give(&client, &table, json!({ "do": "settle" })).await;
    let view = client.get(&path).await.ok();
    assert_eq!((next_step(&view), &view["unverified"]), (Some("call-supervisor"), &json!(true)), "{view}");
    give(&client, &table, json!({ "do": "call-supervisor" })).await;
    let answered = |view: &Value| view["choices"].to_string().contains("call-supervisor");
    let view = until(&client, &path, "the call is answered", answered).await;
    assert_eq!((next_step(&view), &view["unverified"]), (None, &json!(true)), "{view}");
    let choices = view["choices"].as_array().expect("choices");
    let begin = choices.iter().find(|choice| choice["command"]["do"] == "begin-next-round").expect("offered");
    assert_eq!(begin["confirm"], true);
    give(&client, &table, json!({ "do": "begin-next-round" })).await;
    let view = client.get(&format!("/api/practice/tables/{table}")).await.ok();
    let mark = view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark");
    assert_eq!((&mark["verdict"], &mark["expected"]), (&json!("wrong"), &json!(["Wait for the supervisor"])));
}

/// What a trainer makes happen and the learner passes over is missed, with what would have been right; a call is right where
/// a supervisor decides, and the supervisor then does it.
#[tokio::test]
async fn a_trainer_makes_things_go_wrong() {
    let (hall, client) = practice().await;
    let opened = client.post("/api/practice/tables", json!({ "level": "calm", "seed": 5 })).await.ok();
    let table = opened["table"].as_str().expect("a name").to_owned();
    let trainer = signed_in(&hall, "Trainer").await;
    let path = format!("/api/practice/tables/{table}");
    let planned =
        trainer.post(&format!("{path}/happen"), json!({ "what": "takes-off", "position": 1 })).await.ok();
    assert_eq!(planned["plan"][0]["what"], "takes-off", "it waits for its moment");
    trainer.post(&format!("{path}/happen"), json!({ "what": "argues", "position": 3 })).await.ok();

    deal_until(&client, &table, "dealing").await;
    until(&trainer, &path, "a wager is taken off", |view| view["happened"].is_string()).await;
    give(&client, &table, json!({ "do": "call-supervisor" })).await;
    let view = trainer.get(&path).await.ok();
    let mark = view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark");
    assert_eq!((&mark["verdict"], &mark["clause"]), (&json!("missed"), &json!("MTHB9 5.6")), "{mark}");
    assert!(mark["expected"][0].as_str().is_some_and(|words| words.contains("Ante")), "{mark}");

    deal_until(&client, &table, "deciding").await;
    until(&trainer, &path, "somebody argues", |view| view["happened"].is_string()).await;
    // Who decides it is not the Dealer.
    until(&client, &format!("/api/tables/{table}"), "the first call is answered", |view| {
        view["choices"].to_string().contains("call-supervisor")
    })
    .await;
    give(&client, &table, json!({ "do": "call-supervisor" })).await;
    let view = until(&client, &format!("/api/tables/{table}"), "the ruling", |view| {
        view["rulings"].as_array().is_some_and(|rulings| !rulings.is_empty())
    })
    .await;
    assert_eq!(view["rulings"][0]["effects"], 0, "play goes on");
    let view = trainer.get(&path).await.ok();
    let mark = view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark");
    assert_eq!((&mark["verdict"], &mark["clause"]), (&json!("right"), &json!("MTHB9 6.1")), "{mark}");
    // A report of what did not happen is wrong.
    give(&client, &table, json!({ "do": "report-power-failure" })).await;
    let view = trainer.get(&path).await.ok();
    let mark = view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark");
    assert_eq!(mark["verdict"], "wrong", "{mark}");
}

/// What is taken, paid and returned by hand is marked step by step: its order, its amount, and what was left out. The marks
/// outlive the server, and the table goes on.
#[tokio::test]
async fn paying_is_marked_and_the_marks_are_kept() {
    let (hall, client) = practice().await;
    let players = json!([{ "position": 1, "cards": ["As", "Ks"] }, { "position": 2, "cards": ["9s", "8s"] }]);
    let scene = json!({ "rulebook": "megalink-holdem-v9", "players": players, "board": ["Qs", "Js", "2d"], "dealer": ["2c", "2h"], "until": "settling" });
    let opened = client.post("/api/practice/theatre", json!({ "scene": scene })).await.ok();
    let table = opened["tables"][0]["table"].as_str().expect("a name").to_owned();
    let path = format!("/api/practice/tables/{table}");
    let at = format!("/api/tables/{table}");
    let view = until(&client, &at, "the settlement", |view| view["stage"]["at"] == "settling").await;
    let list = view["paying"].as_array().expect("a list").clone();
    assert!(4 <= list.len(), "{list:#?}");
    let unpaid = |view: &Value| view["unpaid"].as_u64().expect("a number");
    let newest =
        |view: &Value| view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark").clone();
    assert_eq!(unpaid(&client.get(&path).await.ok()), list.len() as u64);

    let second = pay(&client, &table, &list[1]).await.ok();
    assert_eq!(newest(&second)["verdict"], "wrong", "it was not the next one: {}", newest(&second));
    assert!(newest(&second)["expected"][0].as_str().is_some_and(|words| words.contains("position")));
    let first = pay(&client, &table, &list[0]).await.ok();
    assert_eq!(newest(&first)["verdict"], "right", "{}", newest(&first));
    assert_eq!(newest(&first)["clause"], list[0]["clause"]);
    let mut wrong = list[2].clone();
    wrong["amount"] = json!(wrong["amount"].as_u64().expect("cents") + 500);
    let third = pay(&client, &table, &wrong).await.ok();
    assert_eq!(newest(&third)["verdict"], "wrong", "{}", newest(&third));
    assert_eq!(unpaid(&third), list.len() as u64 - 3);
    let again = pay(&client, &table, &list[0]).await.ok();
    assert_eq!(newest(&again)["verdict"], "wrong", "it is done already");
    assert_eq!(unpaid(&again), list.len() as u64 - 3);
    give(&client, &table, json!({ "do": "settle" })).await;
    let settled = client.get(&path).await.ok();
    let marks = settled["marks"].as_array().expect("marks");
    let missed = &marks[marks.len() - 2];
    assert_eq!(missed["verdict"], "missed", "steps were left out: {missed}");
    assert_eq!(missed["expected"].as_array().map(Vec::len), Some(list.len() - 3));
    assert_eq!(pay(&client, &table, &list[3]).await.reason(409), "NothingToPay");

    // Everything is kept, once the row has the last mark.
    let kept = || async {
        let row = hall.app.vault.get("learner", &format!("table {table}")).await.expect("readable");
        row.and_then(|row| serde_json::from_slice::<Value>(&row).ok())
    };
    let is_kept = async || kept().await.filter(|kept| kept["marks"] == settled["marks"]);
    until_some("the row has the last mark", is_kept).await;
    let hall = hall.altered(|_| ()).await;
    let client = signed_in(&hall, "Learner").await;
    let view = client.get(&path).await.ok();
    assert_eq!((&view["marks"], &view["summary"]), (&settled["marks"], &settled["summary"]));
    // Its house players are there again: the next round is dealt to its end.
    give(&client, &table, json!({ "do": "begin-next-round" })).await;
    give(&client, &table, json!({ "do": "open-bets" })).await;
    until(&client, &at, "both wager", |view| antes(view) == 2).await;
    give(&client, &table, json!({ "do": "close-bets" })).await;
    // The house players may have decided by the time somebody looks.
    let is_dealt = |view: &Value| ["deciding", "exposing"].iter().any(|stage| view["stage"]["at"] == *stage);
    until(&client, &at, "the deal", is_dealt).await;
    let view = client.get(&path).await.ok();
    assert_eq!((&view["round"], view["rounds"].as_array().map(Vec::len)), (&json!(2), Some(2)), "{view}");
}

#[tokio::test]
async fn the_theatre_sets_any_situation() {
    let (_hall, client) = practice().await;
    let set = client.post(
        "/api/practice/theatre",
        json!({ "say": "royal and two straight flushes on one table", "until": "settling" }),
    );
    let set = set.await.ok();
    let table = set["tables"][0]["table"].as_str().expect("a table").to_owned();
    let view = client.get(&format!("/api/tables/{table}")).await.ok();
    assert_eq!(view["stage"]["at"], "settling", "{view}");
    give(&client, &table, json!({ "do": "settle" })).await;
    let link = client.get("/api/links/PRACTICE%20Megalink").await.ok();
    assert_eq!(link["pending"].as_array().map(Vec::len), Some(3), "three hands won: {link}");

    let race = client.post("/api/practice/theatre", json!({ "say": "award race on two tables" })).await.ok();
    assert_eq!(race["tables"].as_array().map(Vec::len), Some(2));
    for table in race["tables"].as_array().expect("tables") {
        let table = table["table"].as_str().expect("a name");
        give(&client, table, json!({ "do": "settle" })).await;
    }
    let link = client.get("/api/links/PRACTICE%20Megalink").await.ok();
    assert_eq!(link["pending"].as_array().map(Vec::len), Some(5), "{link}");

    let dark =
        client.post("/api/practice/theatre", json!({ "say": "power failure after a fold" })).await.ok();
    let table = dark["tables"][0]["table"].as_str().expect("a table").to_owned();
    let path = format!("/api/practice/tables/{table}");
    until(&client, &path, "the power fails", |view| view["happened"].is_string()).await;
    let view = client.get(&format!("/api/tables/{table}")).await.ok();
    assert_eq!(view["seats"][0]["decisions"], json!(["fold"]), "{view}");
    give(&client, &table, json!({ "do": "report-power-failure" })).await;
    let view = client.get(&path).await.ok();
    let mark = view["marks"].as_array().and_then(|marks| marks.last()).expect("a mark");
    assert_eq!(mark["verdict"], "right", "{mark}");
    assert!(mark["clause"].as_str().is_some_and(|clause| clause.starts_with("MTHB9 5.16")), "{mark}");

    // From chosen cards, to the card; and from a recorded round.
    let scene = json!({ "rulebook": "megalink-holdem-v9", "players": [{ "position": 2, "cards": ["As", "Ks"], "ante": 5000 }],
        "board": ["Qs", "Js", "Ts"], "dealer": ["2c", "2d"], "until": "settling" });
    let set = client.post("/api/practice/theatre", json!({ "scene": scene })).await.ok();
    let table = set["tables"][0]["table"].as_str().expect("a table").to_owned();
    let view = client.get(&format!("/api/tables/{table}")).await.ok();
    let board: Vec<&str> =
        view["community"].as_array().expect("cards").iter().filter_map(Value::as_str).collect();
    assert_eq!(board[..3], ["Qs", "Js", "Ts"]);
    let record: Value = serde_json::from_str(
        include_str!("../../../../samples/rounds.jsonl").lines().next().expect("a line"),
    )
    .expect("JSON");
    let set =
        client.post("/api/practice/theatre", json!({ "record": record, "until": "settling" })).await.ok();
    let table = set["tables"][0]["table"].as_str().expect("a table").to_owned();
    let view = client.get(&format!("/api/tables/{table}")).await.ok();
    assert_eq!(
        (&view["stage"]["at"], &view["community"]),
        (&json!("settling"), &record["community"]),
        "{view}"
    );

    // Empty lists are as good as none: that is how a page sends what was not chosen.
    let scene = json!({ "rulebook": "megalink-holdem-v9", "players": [{ "position": 1, "cards": [], "decisions": [] }], "board": [], "dealer": [] });
    client.post("/api/practice/theatre", json!({ "scene": scene })).await.ok();

    for (form, expected) in [
        (json!({}), "give one of"),
        (json!({ "say": "two elephants" }), "elephants"),
        (
            json!({ "say": "royal and two straight flushes", "rulebook": "megalink-holdem-v9" }),
            "community cards",
        ),
        (json!({ "scene": { "rulebook": "megalink-holdem-v9", "players": [] } }), "at least one Player"),
    ] {
        let refused = client.post("/api/practice/theatre", form).await;
        assert_eq!(refused.reason(422), "SceneIsWrong");
        assert!(refused.text.contains(expected), "{}", refused.text);
    }
}

/// Every page of a practice floor says what it is, before any script runs; its house, tables and links do too.
#[tokio::test]
async fn a_practice_floor_says_so_everywhere() {
    let (hall, client) = practice().await;
    for page in
        ["/", "/dealer", "/pit", "/desk", "/table", "/sign", "/replay", "/reports", "/practice", "/drill"]
    {
        let page = hall.public().get(page).await;
        if page.status == 404 {
            continue;
        }
        assert!(
            page.text.contains("PRACTICE FLOOR") && page.text.contains("<title>PRACTICE"),
            "{}",
            page.text
        );
    }
    let running = hall.public().get("/version").await.ok();
    assert_eq!((&running["money"], &running["house"]), (&json!("practice"), &json!("PRACTICE FLOOR")));
    let lobby = hall.public().get("/api/lobby").await.ok();
    assert_eq!(lobby["money"], "practice");
    assert_eq!(lobby["guests"], false);
    let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "limits": { "ante": [1000, 50_000], "bonus": [500, 10_000] },
        "dealing": "live", "staffing": "staffed", "link": null });
    let trainer = signed_in(&hall, "Trainer").await;
    let open = json!({ "do": "open-table", "table": "High Roller", "setup": setup });
    assert_eq!(trainer.post("/api/house/commands", open).await.reason(409), "NotMarkedAsPractice");
    // The cards of a software table come from its shuffle, on a practice floor too.
    let soft = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "limits": { "ante": [1000, 50_000], "bonus": [500, 10_000] },
        "dealing": "software", "staffing": "staffed", "link": null });
    trainer
        .post("/api/house/commands", json!({ "do": "open-table", "table": "PRACTICE SOFT", "setup": soft }))
        .await
        .ok();
    let card = json!({ "do": "deal-card", "card": "As" });
    let refused = client.post("/api/tables/PRACTICE%20SOFT/commands", card).await;
    assert_eq!(refused.reason(409), "SoftwareDeals");
    let buys = json!({ "do": "buy-in", "player": "Ann", "amount": 500, "means": "credits" });
    assert_eq!(trainer.post("/api/house/commands", buys).await.reason(409), "PlayMoney");
    // A certificate of a practice floor would be signed by no house.
    let begun =
        hall.public().get("/api/drill/examination?rulebook=megalink-holdem-v9&level=trainee&seed=1").await;
    assert_eq!(begun.reason(403), "PracticeFloor");
    let set = json!({ "candidate": "Dora", "rulebook": "megalink-holdem-v9", "level": "trainee" });
    assert_eq!(trainer.post("/api/school/examinations", set).await.reason(403), "PracticeFloor");
    for (step, body) in [("begin", json!({})), ("answers", json!({ "answers": [] }))] {
        let path = format!("/api/school/examinations/main-000001/{step}");
        assert_eq!(trainer.post(&path, body).await.reason(403), "PracticeFloor", "{step}");
    }
}

/// No request and no configuration arranges a deck, or makes a practice table, on a floor with real or play money.
#[tokio::test]
async fn no_other_floor_arranges_a_deck() {
    for play_money in [false, true] {
        let hall = Hall::open_with(|config| config.floor.play_money = play_money).await;
        let client = hall.client("Gus");
        assert_eq!(client.get("/api/practice").await.ok()["practice"], false);
        for (path, body) in [
            ("/api/practice/tables", json!({})),
            ("/api/practice/theatre", json!({ "say": "a royal flush" })),
            ("/api/practice/tables/H1/happen", json!({ "what": "misdeal" })),
        ] {
            assert_eq!(client.post(path, body).await.reason(403), "NotAPracticeFloor", "{path}");
        }
        assert_eq!(client.get("/api/practice/tables/H1").await.reason(403), "NotAPracticeFloor");
        // There is no word for it among the commands.
        for word in ["arrange-deck", "set-deck", "stack-deck", "wish"] {
            let asked = client.post("/api/tables/H2/commands", json!({ "do": word, "cards": ["As"] })).await;
            assert_eq!(asked.status, 422, "{word}: {}", asked.text);
        }
        // No table takes a name of a practice floor, and no page is marked as one.
        let setup = json!({ "rulebook": "megalink-holdem-v9", "positions": 6, "limits": { "ante": [2500, 100_000], "bonus": [500, 50_000] },
            "dealing": "live", "staffing": "staffed", "link": "mega" });
        let open = json!({ "do": "open-table", "table": "Practice 1", "setup": setup });
        assert_eq!(hall.house("Mia", open).await.reason(409), "NameIsWrong");
        assert!(!hall.public().get("/").await.text.contains("PRACTICE FLOOR"));
    }
}

/// Neither kind of floor starts on the log of the other, and a practice floor takes no key and no witness of a house.
#[tokio::test]
async fn practice_and_real_logs_do_not_mix() {
    async fn served(directory: &TempDir, change: impl FnOnce(&mut Config)) -> Result<App, String> {
        let mut config = support::config(directory);
        change(&mut config);
        let started = start(config).await.map_err(|error| error.to_string())?;
        drop(app(started.app.clone()));
        Ok(started.app)
    }
    async fn ended(app: App) {
        app.stopping.cancel();
        app.vault.close();
        let service = std::sync::Arc::clone(&app.service);
        drop(app);
        tokio::task::spawn_blocking(move || service.stop()).await.expect("it ends").expect("in order");
    }
    let real = tempfile::tempdir().expect("a directory");
    ended(served(&real, |_| {}).await.expect("a real house opens")).await;
    let refused = served(&real, make_practice).await.err().expect("it must not start");
    assert!(refused.contains("this is not the log of a practice floor"), "{refused}");
    let practice = tempfile::tempdir().expect("a directory");
    ended(served(&practice, make_practice).await.expect("a practice floor opens")).await;
    let refused = served(&practice, |_| {}).await.err().expect("it must not start");
    assert!(refused.contains("this is the log of a practice floor"), "{refused}");

    let mut config = support::config(&practice);
    make_practice(&mut config);
    config.storage.signing_key = Some(real.path().join("signing.key"));
    assert!(config.problems().iter().any(|problem| problem.contains("keys of its own")));
    let mut config = support::config(&practice);
    config.floor.practice = true;
    config.floor.house = None;
    assert!(config.problems().iter().any(|problem| problem.contains("begins with PRACTICE")));
    let mut config = support::config(&practice);
    config.floor.house = Some(automatic::PRACTICE_HOUSE.to_owned());
    assert!(config.problems().iter().any(|problem| problem.contains("begins with PRACTICE")));
}
