//! The lab over HTTP: exact odds, advice, strategy, what if, sessions, PAR sheets. Anybody may ask.

pub(super) mod advise;
pub(super) mod chart;
pub(super) mod curve;
pub(super) mod par;
mod ratio;
pub(super) mod rules;
pub(super) mod session;
pub(super) mod simulate;
mod work;

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use lab::exact::{Exact, Lab, LabError, Question};
use lab::strategy::Strategy;
use lab::what_if::{self, Change, Scenario, WhatIfError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

pub(super) use ratio::Ratio;
pub(crate) use work::LabWork;

/// A rulebook and what is asked of it.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LabForm {
    /// The rulebook's id.
    #[schema(example = "megalink-stud-v9")]
    rulebook: String,
    /// Readings other than the usual ones, by name.
    #[serde(default)]
    readings: BTreeMap<String, String>,
    /// Figures changed, such as `{"stud.bet.royal-flush": "100 to 1"}`.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// The Ante in cents; 2500 where none is named.
    #[serde(default)]
    ante: Option<u64>,
    /// The Jackpot wager in cents; none where none is named.
    #[serde(default)]
    jackpot_wager: Option<u64>,
    /// The jackpot's meter in cents.
    #[serde(default)]
    meter: Option<u64>,
}

/// The whole game under perfect play, in exact numbers.
#[utoipa::path(post, path = "/api/lab/exact", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-stud-v9" })),
    responses((status = 200, description = "The game; exact numbers are decimal strings", body = Exact)))]
pub(super) async fn exact(State(app): State<App>, asked: JsonBody<LabForm>) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| {
        text(&lab.exact(&scenario.book, &scenario.question).map_err(|error| lab_problem(&error))?)
    };
    app.work.lab.answer(format!("exact {}", asked.text), work).await
}

/// Perfect play in a form people use, and what simpler play costs.
#[utoipa::path(post, path = "/api/lab/strategy", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-stud-v9" })),
    responses((status = 200, description = "The strategy; exact numbers are decimal strings", body = Strategy)))]
pub(super) async fn strategy(State(app): State<App>, asked: JsonBody<LabForm>) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| {
        let strategy = lab::strategy::strategy(lab, &scenario.book, &scenario.question);
        text(&strategy.map_err(|error| lab_problem(&error))?)
    };
    app.work.lab.answer(format!("strategy {}", asked.text), work).await
}

/// The game as it is, and as it would be.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WhatIfAnswer {
    now: Exact,
    /// With the changes.
    then: Exact,
}

/// The game as it is and as it would be with some figures changed.
#[utoipa::path(post, path = "/api/lab/what-if", tag = "lab",
    request_body(content = LabForm,
        example = json!({ "rulebook": "megalink-stud-v9", "changes": { "stud.bet.royal-flush": "200 to 1" } })),
    responses((status = 200, description = "Both games: `now` and `then`", body = WhatIfAnswer)))]
pub(super) async fn what_if(State(app): State<App>, asked: JsonBody<LabForm>) -> Result<Response, Problem> {
    let (now, then) = (scenario(&app, &asked.form, false)?, scenario(&app, &asked.form, true)?);
    let work = move |lab: &Lab| {
        let exact = |scenario: &Scenario| {
            lab.exact(&scenario.book, &scenario.question).map_err(|error| lab_problem(&error))
        };
        text(&json!(WhatIfAnswer { now: exact(&now)?, then: exact(&then)? }))
    };
    app.work.lab.answer(format!("what-if {}", asked.text), work).await
}

/// The book and the question, with the changes or without.
pub(super) fn scenario(app: &App, form: &LabForm, with_changes: bool) -> Result<Scenario, Problem> {
    let no_book = || Problem::not_found("There is no rulebook of this id.");
    let library = app.library();
    let text = library.text(&form.rulebook).ok_or_else(no_book)?;
    let pairs: Vec<(&str, &str)> =
        form.readings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let one = |(key, value): (&String, &String)| Change { key: key.clone(), value: value.clone() };
    let changes: Vec<Change> = form.changes.iter().filter(|_| with_changes).map(one).collect();
    let question = Question {
        ante_cents: form.ante.unwrap_or(Question::default().ante_cents),
        jackpot_wager_cents: form.jackpot_wager.unwrap_or(0),
        meter_cents: form.meter,
        ante_pays_from: None,
    };
    let file = format!("{}.toml", form.rulebook);
    what_if::scenario(&file, text, &pairs, &changes, question).map_err(|error| what_if_problem(&error))
}

pub(super) fn text(answer: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(answer).map_err(|_| Problem::broken())
}

pub(super) fn wrong(field: &str, what: &str) -> Problem {
    let what: String = what.chars().take(300).collect();
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "QuestionIsWrong",
        format!("This cannot be asked: {what}."),
    )
    .at(field)
}

pub(super) fn lab_problem(error: &LabError) -> Problem {
    wrong("rulebook", &error.to_string())
}

fn what_if_problem(error: &WhatIfError) -> Problem {
    wrong("changes", &error.to_string())
}
