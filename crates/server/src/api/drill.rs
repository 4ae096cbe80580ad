//! The drill: exercises made and marked by the engine. Nothing is stored, so an exercise is found again by its book, kind
//! and seed, and anybody may train.

pub(super) mod examination;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use rulebook::{Rule, Rulebook};
use school::{Drill, Exercise, Given, Kind, Marking};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, QueryParams};
use crate::app::App;
use crate::problem::Problem;

/// Which exercise.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// The rulebook's id.
    #[param(example = "megalink-holdem-v9")]
    rulebook: String,
    /// What it trains.
    #[param(inline)]
    kind: Kind,
    /// The number it is made from.
    #[param(example = 1)]
    seed: u32,
    /// The number of a clause: the first exercise from the seed on that rests on it.
    #[param(example = "5.7")]
    clause: Option<String>,
}

/// What a learner answers.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswersForm {
    /// The rulebook's id.
    rulebook: String,
    kind: Kind,
    /// The number that the exercise was made from.
    seed: u32,
    /// One answer for each question, in the order of the questions.
    answers: Vec<Given>,
}

/// An exercise, without its answers.
#[utoipa::path(get, path = "/api/drill/exercise", tag = "drill", params(Wanted),
    responses((status = 200, description = "The exercise; the same for the same book, kind and seed", body = Exercise)))]
pub(super) async fn exercise(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<Wanted>,
) -> Result<Json<Exercise>, Problem> {
    let book = book(&app, &wanted.rulebook)?;
    let rule = wanted.clause.as_deref().map(|text| rule(&book, text)).transpose()?;
    let work = move |_: &lab::exact::Lab| {
        let drill = match rule {
            None => Some(Drill::new(&book, wanted.kind, wanted.seed)),
            Some(rule) => Drill::about(&book, wanted.kind, rule, wanted.seed),
        };
        let none =
            || Problem::not_found("No exercise of this kind rests on the clause; choose another kind.");
        drill.map(|drill| Json(drill.exercise().clone())).ok_or_else(none)
    };
    app.work.lab.soon(work).await
}

/// Marks the answers to an exercise, with the right answers, their clauses and the reasons.
#[utoipa::path(post, path = "/api/drill/mark", tag = "drill",
    request_body(content = AnswersForm, example = json!({ "rulebook": "megalink-stud-v9", "kind": "power-failure",
        "seed": 1, "answers": [{ "one": 0 }, { "one": 0 }] })),
    responses((status = 200, description = "The marking", body = Marking)))]
pub(super) async fn mark(
    State(app): State<App>,
    asked: JsonBody<AnswersForm>,
) -> Result<Json<Marking>, Problem> {
    let form = asked.form;
    let book = book(&app, &form.rulebook)?;
    let work = move |_: &lab::exact::Lab| {
        let marked = Drill::new(&book, form.kind, form.seed).mark(&form.answers);
        marked.map(Json).map_err(|error| wrong(&error.to_string()))
    };
    app.work.lab.soon(work).await
}

fn book(app: &App, id: &str) -> Result<Arc<Rulebook>, Problem> {
    let book = app.books.get(id).cloned();
    book.ok_or_else(|| Problem::not_found("There is no such rulebook."))
}

fn rule(book: &Rulebook, text: &str) -> Result<Rule, Problem> {
    let known = |rule: &Rule| book.entry(*rule).is_some();
    let rule = text.parse().ok().filter(known);
    rule.ok_or_else(|| Problem::not_found("The rulebook has no such clause."))
}

fn wrong(why: &str) -> Problem {
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "AnswersAreWrongForm",
        format!("This cannot be marked: {why}."),
    )
}
