//! The decision trainer: what a Player would do, marked by the lab, and what the answers say of their play. Anybody may train.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use lab::exact::{Action, Lab, Question};
use lab::rules::{self, Price};
use rulebook::Rulebook;
use school::{Decision, DecisionMarking, Rating, Tally, ToDecide, Trainer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, QueryParams};
use super::drill::book;
use super::lab::{lab_problem, text};
use super::learners::learner_of;
use crate::app::App;
use crate::auth::guard::Visitor;
use crate::problem::Problem;

/// How many rounds an hour has, for what a loss comes to. An assumption of the lab.
const ROUNDS_AN_HOUR: u32 = 40;

/// Which decision.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WantedDecision {
    /// The rulebook's id.
    #[param(example = "megalink-stud-v9")]
    rulebook: String,
    /// The number it is made from.
    #[param(example = 1)]
    seed: u32,
}

/// What a Player would do.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionForm {
    /// The rulebook's id.
    rulebook: String,
    seed: u32,
    action: Action,
    /// The answers so far, of somebody whose record the server does not keep.
    #[serde(default)]
    tally: Tally,
}

/// A decision, marked.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DecisionMarked {
    #[serde(flatten)]
    marking: DecisionMarking,
    /// The answers so far, with this one if it had not been answered before.
    tally: Tally,
    /// What they say, once there are enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
    /// How many rounds an hour is taken to have.
    rounds_an_hour: u32,
}

/// Which book's lessons.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WantedLessons {
    /// The rulebook's id.
    #[param(example = "megalink-stud-v9")]
    rulebook: String,
}

/// A line of a lesson.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LessonLine {
    /// The rule, such as `turn: pair`.
    rule: String,
    /// What leaving it out costs, in Antes a round.
    cost_without: f64,
}

/// A list of rules to learn.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Lesson {
    /// Its name in data.
    name: String,
    lines: Vec<LessonLine>,
    /// What playing by it costs against perfect play, in Antes a round.
    cost: f64,
    /// What the house keeps of an Ante then.
    house_edge: f64,
}

/// The rule lists of a book, from the shortest to the best.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Lessons {
    lessons: Vec<Lesson>,
    rounds_an_hour: u32,
}

/// A situation in which a Player decides.
#[utoipa::path(get, path = "/api/train/decision", tag = "train", params(WantedDecision),
    responses((status = 200, description = "The situation; the same for the same book and seed", body = ToDecide)))]
pub(super) async fn decision(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<WantedDecision>,
) -> Result<Json<ToDecide>, Problem> {
    let book = book(&app, &wanted.rulebook)?;
    let (_, decision) = made(&app, book, wanted.seed).await?;
    Ok(Json(decision.shown().clone()))
}

/// Marks a decision with the exact value of each choice, and rates the answers so far. Of somebody who is signed in the server
/// keeps them.
#[utoipa::path(post, path = "/api/train/mark", tag = "train",
    request_body(content = DecisionForm,
        example = json!({ "rulebook": "megalink-stud-v9", "seed": 1, "action": "fold" })),
    responses((status = 200, description = "The marking", body = DecisionMarked)))]
pub(super) async fn mark_decision(
    State(app): State<App>,
    who: Visitor,
    asked: JsonBody<DecisionForm>,
) -> Result<Json<DecisionMarked>, Problem> {
    let form = asked.form;
    let book = book(&app, &form.rulebook)?;
    let (trainer, decision) = made(&app, book, form.seed).await?;
    let marking = decision.mark(form.action).ok_or_else(|| {
        let detail = "This cannot be done here; answer with one of the choices of the situation.";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "NoSuchChoice", detail)
    })?;
    let tally = match learner_of(&app, &who) {
        None => form.tally.with(&marking),
        Some(learner) => {
            let name = format!("decision {} {}", form.rulebook, form.seed);
            let changed = app.school.change(&learner, |record| {
                if record.remember(&name) {
                    let tally = record.decisions.entry(form.rulebook.clone()).or_default();
                    *tally = tally.with(&marking);
                }
            });
            changed.await?.decisions.get(&form.rulebook).copied().unwrap_or_default()
        }
    };
    let rating = trainer.rating(&tally);
    Ok(Json(DecisionMarked { marking, tally, rating, rounds_an_hour: ROUNDS_AN_HOUR }))
}

/// The lab's rule lists as lessons: each line, and what leaving it out costs.
#[utoipa::path(get, path = "/api/train/lessons", tag = "train", params(WantedLessons),
    responses((status = 200, description = "The lessons", body = Lessons)))]
pub(super) async fn lessons(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<WantedLessons>,
) -> Result<Response, Problem> {
    let book = book(&app, &wanted.rulebook)?;
    let work = move |lab: &Lab| {
        let conditions = rules::conditions(lab, &book).map_err(|error| lab_problem(&error))?;
        let lesson = |(name, list): &(&str, &str)| {
            let price = rules::price(lab, &book, &Question::default(), list);
            price.map(|price| lesson(name, price)).map_err(|error| lab_problem(&error))
        };
        let lessons = conditions.shipped.iter().map(lesson).collect::<Result<_, Problem>>()?;
        text(&Lessons { lessons, rounds_an_hour: ROUNDS_AN_HOUR })
    };
    app.work.lab.answer(format!("lessons {}", wanted.rulebook), work).await
}

fn lesson(name: &str, price: Price) -> Lesson {
    let line = |line: rules::PricedRule| LessonLine { rule: line.rule, cost_without: line.cost_without };
    Lesson {
        name: name.to_owned(),
        lines: price.rules.into_iter().map(line).collect(),
        cost: price.cost.total,
        house_edge: price.house_edge,
    }
}

/// The decision of a seed, and the trainer that made it.
async fn made(app: &App, book: Arc<Rulebook>, seed: u32) -> Result<(Arc<Trainer>, Decision), Problem> {
    let school = Arc::clone(&app.school);
    let work = move |lab: &Lab| {
        let make = || Trainer::new(lab, &book).map_err(|error| lab_problem(&error));
        let trainer = school.trainer(&book, make)?;
        let decision = trainer.decision(lab, seed).map_err(|_| Problem::broken())?;
        Ok((trainer, decision))
    };
    app.work.lab.soon(work).await
}
