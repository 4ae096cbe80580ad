//! Learners: each one's own record, and the class as a trainer sees it.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use floor::permissions::{TRAINING, Who};
use journal::{Actor, PlayerKind};
use rulebook::Office;
use school::{Kind, LearnerRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::QueryParams;
use crate::app::App;
use crate::auth::guard::{SignedIn, Staff, Visitor};
use crate::problem::Problem;
use crate::school::learner;

/// How many weak clauses of a learner are shown.
const WEAK_MAX: usize = 8;

/// The form of an answer.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ListFormat {
    #[default]
    Json,
    Csv,
}

/// Which form.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WantedFormat {
    /// The form; `json` by default.
    #[serde(default)]
    #[param(inline)]
    pub(super) format: ListFormat,
}

/// How a kind goes with a learner.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KindResult {
    kind: Kind,
    seen: u32,
    right: u32,
    /// The time of one exercise, in milliseconds.
    milliseconds: u64,
    last: u64,
}

/// A clause that a learner has answered wrong.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WeakClause {
    clause: String,
    seen: u32,
    right: u32,
    /// The time of its questions each time, in milliseconds.
    milliseconds: u64,
    last: u64,
}

/// A learner as a trainer sees them.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Learner {
    name: String,
    /// Whether they are of the staff.
    staff: bool,
    seen: u32,
    right: u32,
    best_streak: u32,
    /// When they last answered something, in milliseconds since 1970.
    last: u64,
    kinds: Vec<KindResult>,
    /// Worst first.
    weak: Vec<WeakClause>,
    /// How many clauses they have met.
    clauses: usize,
}

/// The class.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Class {
    learners: Vec<Learner>,
    /// The clauses that the class answers wrong most often, worst first.
    weak: Vec<WeakClause>,
}

/// The name of the record of whoever asks; `None` where the server keeps none.
pub(super) fn learner_of(app: &App, who: &Visitor) -> Option<String> {
    who.signed_in.as_ref().and_then(|(_, actor)| learner_name(app, actor))
}

fn learner_name(app: &App, actor: &Actor) -> Option<String> {
    let is_guest = match actor {
        Actor::Player(player) => app.board.house().player(player) != Some(PlayerKind::Member),
        Actor::Staff(..) | Actor::Acting(..) | Actor::Department(..) | Actor::Device(_) | Actor::System => {
            false
        }
    };
    learner(actor, is_guest)
}

/// The lowest office that trains.
pub(super) const fn trainers_office() -> Office {
    match TRAINING.who {
        Who::Staff(office) => office,
        Who::System | Who::Player | Who::Holder => Office::GamingShiftManager,
    }
}

/// Your own record. Guests have none here: theirs is in the browser.
#[utoipa::path(get, path = "/api/school/record", tag = "school",
    responses((status = 200, description = "The record; `null` for guests", body = Option<LearnerRecord>)))]
pub(super) async fn record(
    State(app): State<App>,
    who: SignedIn,
) -> Result<Json<Option<LearnerRecord>>, Problem> {
    match learner_name(&app, &who.actor) {
        None => Ok(Json(None)),
        Some(learner) => Ok(Json(Some(app.school.record(&learner).await?))),
    }
}

/// The class: what every learner has answered, and what is weak. From a Pit Supervisor up.
#[utoipa::path(get, path = "/api/school/class", tag = "school", params(WantedFormat),
    responses((status = 200, description = "The class", content(
        (Class = "application/json"), (String = "text/csv")))))]
pub(super) async fn class(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<WantedFormat>,
    who: Staff,
) -> Result<Response, Problem> {
    who.may_look_from(trainers_office())?;
    let records = app.school.records().await?;
    match wanted.format {
        ListFormat::Json => Ok(Json(class_of(&records)).into_response()),
        ListFormat::Csv => Ok(csv(&class_rows(&records))),
    }
}

fn class_of(records: &[(String, LearnerRecord)]) -> Class {
    let mut learners: Vec<Learner> =
        records.iter().map(|(name, record)| seen_by_trainer(name, record)).collect();
    learners.sort_by_key(|learner| std::cmp::Reverse(learner.last));
    let mut all = LearnerRecord::default();
    for (clause, one) in records.iter().flat_map(|(_, record)| &record.clauses) {
        let sum = all.clauses.entry(clause.clone()).or_insert(*one);
        if sum != one {
            sum.seen = sum.seen.saturating_add(one.seen);
            sum.right = sum.right.saturating_add(one.right);
            sum.milliseconds = sum.milliseconds.saturating_add(one.milliseconds);
            sum.last = sum.last.max(one.last);
        }
    }
    Class { learners, weak: weak(&all) }
}

fn weak(record: &LearnerRecord) -> Vec<WeakClause> {
    let clauses = record.weak_clauses().into_iter().take(WEAK_MAX);
    let one = |(clause, one): (&str, school::ClauseRecord)| WeakClause {
        clause: clause.to_owned(),
        seen: one.seen,
        right: one.right,
        milliseconds: one.milliseconds / u64::from(one.seen.max(1)),
        last: one.last,
    };
    clauses.map(one).collect()
}

fn seen_by_trainer(name: &str, record: &LearnerRecord) -> Learner {
    let kinds = record.kinds.iter().map(|(kind, one)| KindResult {
        kind: *kind,
        seen: one.seen,
        right: one.right,
        milliseconds: one.milliseconds / u64::from(one.seen.max(1)),
        last: one.last,
    });
    let kinds: Vec<KindResult> = kinds.collect();
    let (group, name) = name.split_once(' ').unwrap_or(("", name));
    Learner {
        name: name.to_owned(),
        staff: group == "staff",
        seen: kinds.iter().map(|kind| kind.seen).sum(),
        right: kinds.iter().map(|kind| kind.right).sum(),
        best_streak: record.best_streak,
        last: kinds.iter().map(|kind| kind.last).max().unwrap_or(0),
        kinds,
        weak: weak(record),
        clauses: record.clauses.len(),
    }
}

/// One row for each learner and clause.
fn class_rows(records: &[(String, LearnerRecord)]) -> Vec<Vec<String>> {
    let head = ["learner", "clause", "kind", "seen", "right", "milliseconds_each", "last", "box"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, record) in records {
        for (clause, one) in &record.clauses {
            rows.push(vec![
                name.clone(),
                clause.clone(),
                one.kind.name().to_owned(),
                one.seen.to_string(),
                one.right.to_string(),
                (one.milliseconds / u64::from(one.seen.max(1))).to_string(),
                one.last.to_string(),
                one.level.to_string(),
            ]);
        }
    }
    rows
}

/// A table as CSV.
pub(super) fn csv(rows: &[Vec<String>]) -> Response {
    let line =
        |row: &Vec<String>| row.iter().map(|text| ::reports::csv::field(text)).collect::<Vec<_>>().join(",");
    let text = rows.iter().map(line).collect::<Vec<_>>().join("\r\n") + "\r\n";
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response()
}
