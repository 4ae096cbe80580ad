//! What to do when something goes wrong at a table: what happened goes in, what the rules allow comes out, each choice
//! with what it would do to every wager, before anything is done.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use floor::Refusal;
use floor::view::Choice;
use journal::{Moment, TableCommand};
use round::Irregularity;
use serde::Serialize;
use utoipa::ToSchema;

use super::body::{JsonBody, PathParams};
use super::tables::{known, no_table};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// What the rules allow.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Guided {
    choices: Vec<Choice<TableCommand>>,
}

/// What the rules allow when something goes wrong, and what each choice would do. Changes nothing. For the staff.
#[utoipa::path(post, path = "/api/tables/{table}/guide", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    request_body(content = Irregularity, example = json!({ "what": "bad-cards", "fault": "missing" })),
    responses((status = 200, description = "What may be done", body = Guided)))]
pub(super) async fn guide(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    who: Staff,
    asked: JsonBody<Irregularity>,
) -> Result<Json<Guided>, Problem> {
    let table = app.board.table(&known(&app, &table)?).ok_or_else(no_table)?;
    if let Irregularity::Uncovered { words } = &asked.form
        && 500 < words.chars().count()
    {
        let detail = "A text has at most five hundred characters; say it in fewer.";
        return Err(Problem::new(StatusCode::CONFLICT, "TextIsTooLong", detail));
    }
    if let Some(practice) = &app.practice {
        practice.named(&table, &who.actor, &asked.form);
    }
    let floor = app.board.floor();
    let choices = floor::view::guide(&floor, &table, &asked.form, &who.actor, Moment::now())
        .map_err(|refusal| Problem::from(Refusal::from(refusal)))?;
    Ok(Json(Guided { choices }))
}
