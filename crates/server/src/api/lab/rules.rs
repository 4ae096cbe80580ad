//! The rule lists that come with the program: what each costs, what each of its rules saves, and how cost falls with length.

use axum::extract::State;
use axum::response::Response;
use lab::exact::{Lab, LabError};
use lab::rules::{self, Found, Price};
use serde::Serialize;
use utoipa::ToSchema;

use super::{LabForm, lab_problem, scenario, text};
use crate::api::body::JsonBody;
use crate::app::App;
use crate::problem::Problem;

/// How many lines a street the curve goes to.
const LINES_MAX: usize = 10;

/// A list of rules that a person can learn.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct ListedRules {
    /// The list, such as `five-lines`.
    #[schema(value_type = String)]
    name: &'static str,
    price: Price,
}

#[derive(Debug, Serialize, ToSchema)]
pub(in crate::api) struct RuleLists {
    /// The shortest first.
    lists: Vec<ListedRules>,
    /// The best list of each length for each street, as far as a search found them; empty where the game has no search.
    curve: Vec<Found>,
}

/// The rule lists that come with the program, with their exact prices, and the best lists of each length.
#[utoipa::path(post, path = "/api/lab/rules", tag = "lab",
    request_body(content = LabForm, example = json!({ "rulebook": "megalink-stud-v9" })),
    responses((status = 200, description = "The lists", body = RuleLists)))]
pub(in crate::api) async fn rules(
    State(app): State<App>,
    asked: JsonBody<LabForm>,
) -> Result<Response, Problem> {
    let scenario = scenario(&app, &asked.form, true)?;
    let work = move |lab: &Lab| {
        let lists = rules::shipped(lab, &scenario.book, &scenario.question);
        let lists = lists.map_err(|error| lab_problem(&error))?;
        let curve = match rules::search(lab, &scenario.book, &scenario.question, LINES_MAX) {
            Err(LabError::NotAvailable { .. }) => Vec::new(),
            found => found.map_err(|error| lab_problem(&error))?,
        };
        let listed = |(name, price)| ListedRules { name, price };
        text(&RuleLists { lists: lists.into_iter().map(listed).collect(), curve })
    };
    app.work.lab.answer(format!("rules {}", asked.text), work).await
}
