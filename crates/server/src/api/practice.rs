//! Practice floors: mock tables, the theatre, and the trainer's view of every move. Any other floor refuses all of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::Library;
use jackpot::TableId;
use journal::Stream;
use practice::{
    Happening, Level, Mark, Mock, Paid, Planned, Recipe, RoundSummary, Scene, Script, Summary, Until, Wish,
    embedded, from_record, from_words,
};
use rulebook::Rulebook;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::tables::{known, no_table};
use crate::app::{App, viewer};
use crate::auth::guard::Staff;
use crate::practice::Practice;
use crate::problem::Problem;
use crate::startup::PRACTICE_PASSWORD;
use crate::view::Snapshot;

/// The rulebooks that words of the theatre are tried under, in this order.
const FIRST_BOOKS: [&str; 2] = ["megalink-holdem-v9", "megalink-stud-v9"];

/// Something that can be made to happen.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HappeningView {
    what: Happening,
    title: &'static str,
}

/// A script that comes with the program.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ScriptView {
    name: &'static str,
    title: String,
    rulebook: String,
}

/// Somebody who can be signed in as.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PracticePerson {
    name: String,
    post: String,
}

/// Whether this is a practice floor, and what it offers.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PracticeNow {
    /// Whether this is a practice floor.
    practice: bool,
    /// What it is, or how to start one.
    words: &'static str,
    /// Everybody's password: it protects nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'static str>,
    people: Vec<PracticePerson>,
    levels: Vec<Level>,
    happenings: Vec<HappeningView>,
    scripts: Vec<ScriptView>,
    /// The mock tables, the newest first.
    tables: Vec<MockRow>,
}

/// A mock table in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MockRow {
    table: String,
    rulebook: String,
    title: String,
    summary: Summary,
}

/// A mock table to open.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MockForm {
    /// The rulebook's id; hold'em where none is given. A script names its own.
    #[serde(default)]
    rulebook: Option<String>,
    #[serde(default)]
    level: Level,
    /// How many house players; 3 where it is not given.
    #[serde(default)]
    players: Option<u8>,
    /// A script that comes with the program, by its name.
    #[serde(default)]
    script: Option<String>,
    /// A script of your own.
    #[serde(default)]
    own_script: Option<Script>,
    /// The number that players and cards follow from; 1 where it is not given.
    #[serde(default)]
    seed: Option<u64>,
}

/// A mock table that was opened.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpenedMock {
    table: String,
    /// The page of whoever deals.
    dealer: String,
    /// The page of the trainer.
    trainer: String,
}

/// A mock table as its trainer sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MockView {
    table: String,
    rulebook: String,
    title: String,
    /// The number of the round, and its stage.
    round: u64,
    stage: round::Stage,
    /// What has happened and waits for the Dealer, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    happened: Option<String>,
    /// What is still to happen.
    plan: Vec<Planned>,
    /// Every move and its mark, the newest last.
    marks: Vec<Mark>,
    rounds: Vec<RoundSummary>,
    summary: Summary,
    /// How many steps of taking, paying and returning by hand are still to be done before the round is settled.
    unpaid: usize,
}

/// A situation: in words, as chosen cards, or as a recorded round.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TheatreForm {
    /// Such as "royal and two straight flushes on one table".
    #[serde(default)]
    say: Option<String>,
    /// The rulebook's id; the first in which the hands can be dealt together where none is given.
    #[serde(default)]
    rulebook: Option<String>,
    #[serde(default)]
    scene: Option<Scene>,
    /// A record, as docs/records.md describes it.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    record: Option<serde_json::Value>,
    /// How far a recorded round, or one in words, is played.
    #[serde(default)]
    until: Option<Until>,
    /// The number that cards which were not chosen follow from; 1 where it is not given.
    #[serde(default)]
    seed: Option<u64>,
}

/// The situations that were set, one a table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SetScenes {
    tables: Vec<OpenedMock>,
    scenes: Vec<Scene>,
}

/// Whether a script can be played.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckedScript {
    title: String,
    rounds: usize,
    happenings: usize,
}

/// Whether this is a practice floor, with its people, scripts and tables.
#[utoipa::path(get, path = "/api/practice", tag = "practice",
    responses((status = 200, description = "What it offers", body = PracticeNow)))]
pub(super) async fn now(State(app): State<App>) -> Json<PracticeNow> {
    let Some(practice) = &app.practice else {
        return Json(PracticeNow {
            practice: false,
            words: "This is not a practice floor. Start one beside it: megalink practice --listen 127.0.0.1:7778",
            password: None,
            people: Vec::new(),
            levels: Vec::new(),
            happenings: Vec::new(),
            scripts: Vec::new(),
            tables: Vec::new(),
        });
    };
    let house = app.board.house();
    let person = |(person, post): (&jackpot::Person, jackpot::Post)| PracticePerson {
        name: person.name().to_owned(),
        post: post.to_string(),
    };
    let script = |(name, text): (&'static str, &str)| {
        let script = Script::parse(text, book_of(&app.library())).ok()?;
        Some(ScriptView { name, title: script.title, rulebook: script.rulebook })
    };
    let _ = crate::practice::again(&app, practice).await;
    let mocks = practice.mocks();
    let row = |(id, mock): (&TableId, &Mock)| {
        let table = app.board.table(id)?;
        Some(MockRow {
            table: id.name().to_owned(),
            rulebook: table.setup().rulebook.clone(),
            title: title(mock),
            summary: mock.summary(),
        })
    };
    Json(PracticeNow {
        practice: true,
        words: "Practice: no money, no real meter, arranged cards. Nothing here is evidence of play.",
        password: Some(PRACTICE_PASSWORD),
        people: house.staff().map(person).collect(),
        levels: vec![Level::Calm, Level::Steady, Level::Busy, Level::Brutal],
        happenings: Happening::ALL.map(|what| HappeningView { what, title: what.title() }).into(),
        scripts: embedded().into_iter().filter_map(script).collect(),
        tables: mocks.iter().rev().filter_map(row).collect(),
    })
}

/// Opens a mock table: a real table of this practice floor, with house players.
#[utoipa::path(post, path = "/api/practice/tables", tag = "practice",
    request_body(content = MockForm, example = json!({ "rulebook": "megalink-holdem-v9", "level": "busy", "players": 3 })),
    responses((status = 200, description = "The table", body = OpenedMock)))]
pub(super) async fn open(
    State(app): State<App>,
    _who: Staff,
    asked: JsonBody<MockForm>,
) -> Result<Json<OpenedMock>, Problem> {
    let practice = practice_of(&app)?;
    let form = asked.form;
    let seed = form.seed.unwrap_or(1);
    let script = match (form.script, form.own_script) {
        (Some(name), _) => {
            let found = embedded().into_iter().find(|(known, _)| *known == name);
            let (_, text) = found.ok_or_else(|| Problem::not_found("There is no script of this name."))?;
            Some(Script::parse(text, book_of(&app.library())).map_err(|error| wrong(&error))?)
        }
        (None, Some(script)) => Some(checked(&app, script).await?),
        (None, None) => None,
    };
    let opened = if let Some(script) = script {
        let book = script.rulebook.clone();
        crate::practice::open(&app, practice, &book, Recipe::Script { script, seed }).await?
    } else {
        let book = form.rulebook.unwrap_or_else(|| FIRST_BOOKS[0].to_owned());
        let players = form.players.unwrap_or(3);
        if !(1..=6).contains(&players) {
            return Err(wrong(&"players: from 1 to 6 house players"));
        }
        let level = form.level;
        crate::practice::open(&app, practice, &book, Recipe::Level { players, level, seed }).await?
    };
    Ok(Json(links(&opened)))
}

/// A mock table: what waits, what is to come, every move with its mark, and how each round went.
#[utoipa::path(get, path = "/api/practice/tables/{table}", tag = "practice",
    params(("table" = String, Path, description = "The table", example = "PRACTICE-1")),
    responses((status = 200, description = "The table", body = MockView)))]
pub(super) async fn mock(
    State(app): State<App>,
    _who: Staff,
    PathParams(table): PathParams<String>,
) -> Result<Json<MockView>, Problem> {
    let practice = practice_of(&app)?;
    crate::practice::again(&app, practice).await?;
    mock_view(&app, practice, &table).map(Json)
}

/// Marks what a Dealer takes, pays or returns by hand, before the round is settled: its order and its amount.
#[utoipa::path(post, path = "/api/practice/tables/{table}/paying", tag = "practice",
    params(("table" = String, Path, description = "The table", example = "PRACTICE-1")),
    request_body(content = Paid, example = json!({ "position": 1, "area": "ante", "does": "take", "amount": 5_000 })),
    responses((status = 200, description = "The table", body = MockView)))]
pub(super) async fn pay(
    State(app): State<App>,
    who: Staff,
    PathParams(table): PathParams<String>,
    asked: JsonBody<Paid>,
) -> Result<Json<MockView>, Problem> {
    let practice = practice_of(&app)?;
    if !practice.paid(&app, &TableId::new(&table), &who.actor, &asked.form) {
        let detail = "Nothing is to be taken and paid at this table now.";
        return Err(Problem::new(StatusCode::CONFLICT, "NothingToPay", detail));
    }
    mock_view(&app, practice, &table).map(Json)
}

/// Makes something happen at a mock table, as soon as its round has come to the moment.
#[utoipa::path(post, path = "/api/practice/tables/{table}/happen", tag = "practice",
    params(("table" = String, Path, description = "The table", example = "PRACTICE-1")),
    request_body(content = Planned, example = json!({ "what": "late-bet", "position": 2 })),
    responses((status = 200, description = "The table", body = MockView)))]
pub(super) async fn happen(
    State(app): State<App>,
    _who: Staff,
    PathParams(table): PathParams<String>,
    asked: JsonBody<Planned>,
) -> Result<Json<MockView>, Problem> {
    let practice = practice_of(&app)?;
    match practice.mocks().get_mut(&TableId::new(&table)) {
        Some(mock) => mock.happen(asked.form),
        None => return Err(no_table()),
    }
    mock_view(&app, practice, &table).map(Json)
}

/// Sets situations on tables of their own: from words, from chosen cards, from a recorded round.
#[utoipa::path(post, path = "/api/practice/theatre", tag = "practice",
    request_body(content = TheatreForm, example = json!({ "say": "award race on two tables" })),
    responses((status = 200, description = "What was set, and where", body = SetScenes)))]
pub(super) async fn theatre(
    State(app): State<App>,
    _who: Staff,
    asked: JsonBody<TheatreForm>,
) -> Result<Json<SetScenes>, Problem> {
    let practice = practice_of(&app)?;
    let form = asked.form;
    let (seed, until) = (form.seed.unwrap_or(1), form.until);
    let scenes = match (form.say, form.scene, form.record) {
        (Some(words), None, None) => {
            let mut scenes = told(&app, words, form.rulebook, seed).await?;
            if let Some(until) = until {
                for scene in &mut scenes {
                    scene.until = until;
                }
            }
            scenes
        }
        (None, Some(scene), None) => vec![scene],
        (None, None, Some(record)) => {
            let text = record.to_string();
            let record = serde_json::from_str(&text).map_err(|error| wrong(&format!("record: {error}")))?;
            vec![from_record(&record, until.unwrap_or_default()).map_err(|error| wrong(&error))?]
        }
        _ => return Err(wrong(&"give one of say, scene and record")),
    };
    for scene in &scenes {
        let book = book(&app, &scene.rulebook)?;
        scene.check(&book).map_err(|error| wrong(&error))?;
    }
    let mut tables = Vec::new();
    for scene in &scenes {
        let recipe = Recipe::Scene { scene: scene.clone(), seed };
        let opened = crate::practice::open(&app, practice, &scene.rulebook, recipe).await?;
        tables.push(links(&opened));
    }
    Ok(Json(SetScenes { tables, scenes }))
}

/// Checks a script. Nothing is kept.
#[utoipa::path(post, path = "/api/practice/scripts", tag = "practice", request_body(content = Script,
        example = json!({ "title": "A late bet", "rulebook": "megalink-holdem-v9", "players": 3, "rounds": [{ "happens": [{ "what": "late-bet" }] }] })),
    responses((status = 200, description = "It can be played", body = CheckedScript)))]
pub(super) async fn check_script(
    State(app): State<App>,
    _who: Staff,
    asked: JsonBody<Script>,
) -> Result<Json<CheckedScript>, Problem> {
    practice_of(&app)?;
    let script = checked(&app, asked.form).await?;
    let happenings = script.rounds.iter().map(|round| round.happens.len()).sum();
    Ok(Json(CheckedScript { title: script.title, rounds: script.rounds.len(), happenings }))
}

/// The scenes that words ask for. Finding hands may take a moment, so it is not done on this thread.
async fn told(app: &App, words: String, id: Option<String>, seed: u64) -> Result<Vec<Scene>, Problem> {
    let chosen = id.map(|id| book(app, &id)).transpose()?;
    let books: Vec<Arc<Rulebook>> = FIRST_BOOKS.iter().filter_map(|id| app.book(id)).collect();
    let work = move |_: &lab::exact::Lab| {
        let books: Vec<&Rulebook> = books.iter().map(AsRef::as_ref).collect();
        from_words(&words, chosen.as_deref(), &books, seed).map_err(|error| wrong(&error))
    };
    app.work.lab.soon(work).await
}

/// A script that can be played. Its hands are looked for, so it is not done on this thread.
async fn checked(app: &App, script: Script) -> Result<Script, Problem> {
    let library = app.library();
    let work = move |_: &lab::exact::Lab| {
        script.check(book_of(&library)).map_err(|error| wrong(&error))?;
        Ok(script)
    };
    app.work.lab.soon(work).await
}

/// The cards of the rounds in which a script names hands.
pub(crate) async fn wishes(app: &App, script: &Script, seed: u64) -> Result<BTreeMap<u64, Wish>, Problem> {
    let book = book(app, &script.rulebook)?;
    let named: Vec<(u64, String)> = (1..)
        .zip(&script.rounds)
        .filter_map(|(number, round)| Some((number, round.hands.clone()?)))
        .collect();
    let work = move |_: &lab::exact::Lab| {
        let mut wishes = BTreeMap::new();
        for (number, words) in named {
            let scenes = from_words(&words, Some(&book), &[&book], seed).map_err(|error| wrong(&error))?;
            wishes.extend(scenes.first().map(|scene| (number, scene.wish())));
        }
        Ok(wishes)
    };
    app.work.lab.soon(work).await
}

fn mock_view(app: &App, practice: &Practice, table: &str) -> Result<MockView, Problem> {
    let id = known(app, table)?;
    let now = app.board.table(&id).ok_or_else(no_table)?;
    let paying = paying_now(app, &id);
    let mocks = practice.mocks();
    let mock = mocks.get(&id).ok_or_else(no_table)?;
    Ok(MockView {
        unpaid: mock.unpaid(now.number(), &paying).len(),
        table: table.to_owned(),
        rulebook: now.setup().rulebook.clone(),
        title: title(mock),
        round: now.number(),
        stage: now.round().stage(),
        happened: mock.incident().map(|incident| incident.words.clone()),
        plan: mock.plan().cloned().collect(),
        marks: mock.marks().to_vec(),
        rounds: mock.rounds(),
        summary: mock.summary(),
    })
}

/// What is to be taken, paid and returned before the round is settled.
fn paying_now(app: &App, id: &TableId) -> Vec<round::PayingStep> {
    let dealer = practice::trainer();
    match super::look(app, &Stream::Table(id.clone()), &viewer(Some(&dealer))) {
        Some(Snapshot::Table(view)) if view.seen.stage.stage == round::Stage::Settling => view.seen.paying,
        _ => Vec::new(),
    }
}

fn title(mock: &Mock) -> String {
    mock.title().map_or_else(|| format!("{:?}", mock.level()), str::to_owned)
}

fn links(table: &TableId) -> OpenedMock {
    let table = table.name().to_owned();
    OpenedMock {
        dealer: format!("/practice?table={table}"),
        trainer: format!("/practice?trainer={table}"),
        table,
    }
}

/// The mock tables of this floor. Refuses where the floor is not a practice floor by its own log.
fn practice_of(app: &App) -> Result<&Practice, Problem> {
    let detail =
        "This is not a practice floor: nothing is arranged here. Start one with `megalink practice`.";
    app.practice.as_ref().ok_or_else(|| Problem::forbidden("NotAPracticeFloor", detail))
}

fn book_of<'a>(library: &'a Library) -> impl Fn(&str) -> Option<&'a Rulebook> {
    |id| library.get(id).map(|(book, _)| book.as_ref())
}

fn book(app: &App, id: &str) -> Result<Arc<Rulebook>, Problem> {
    app.book(id).ok_or_else(|| Problem::not_found("There is no such rulebook."))
}

fn wrong(why: &dyn std::fmt::Display) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "SceneIsWrong", format!("This cannot be set: {why}."))
}
