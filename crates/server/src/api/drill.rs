//! The drill: exercises made and marked by the engine. An exercise is found again by its book, kind and seed, and anybody may
//! train; of those who are signed in the server keeps what they have answered.

pub(super) mod course;
pub(super) mod examination;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use journal::Moment;
use rulebook::{Rule, Rulebook};
use school::{AnsweredExercise, Drill, Exercise, Given, Kind, LearnerRecord, Marking};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, QueryParams};
use super::learners::learner_of;
use crate::app::App;
use crate::auth::guard::Visitor;
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
    /// How long the learner took.
    #[serde(default)]
    milliseconds: u64,
}

/// An exercise, marked.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Marked {
    #[serde(flatten)]
    marking: Marking,
    /// The record of a learner who is signed in, with this exercise if it had not been answered before.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<LearnerRecord>,
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
    responses((status = 200, description = "The marking", body = Marked)))]
pub(super) async fn mark(
    State(app): State<App>,
    who: Visitor,
    asked: JsonBody<AnswersForm>,
) -> Result<Json<Marked>, Problem> {
    let form = asked.form;
    let book = book(&app, &form.rulebook)?;
    let (kind, seed, answers) = (form.kind, form.seed, form.answers);
    let name = format!("{} {} {seed}", form.rulebook, kind.name());
    let work = move |_: &lab::exact::Lab| {
        Drill::new(&book, kind, seed).mark(&answers).map_err(|error| wrong(&error.to_string()))
    };
    let marking = app.work.lab.soon(work).await?;
    let record = match learner_of(&app, &who) {
        None => None,
        Some(learner) => {
            let at = Moment::now().0;
            let answered =
                AnsweredExercise { name, kind, marking: &marking, milliseconds: form.milliseconds, at };
            let count = |record: &mut LearnerRecord| {
                record.add(&answered);
            };
            Some(app.school.change(&learner, count).await?)
        }
    };
    Ok(Json(Marked { marking, record }))
}

pub(super) fn book(app: &App, id: &str) -> Result<Arc<Rulebook>, Problem> {
    app.book(id).ok_or_else(|| Problem::not_found("There is no such rulebook."))
}

fn rule(book: &Rulebook, text: &str) -> Result<Rule, Problem> {
    let known = |rule: &Rule| book.entry(*rule).is_some();
    let rule = text.parse().ok().filter(known);
    rule.ok_or_else(|| Problem::not_found("The rulebook has no such clause."))
}

pub(super) fn wrong(why: &str) -> Problem {
    Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "AnswersAreWrongForm",
        format!("This cannot be marked: {why}."),
    )
}
