//! For those who run it: whether it lives, whether it serves, what it is, what it measures.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use floor::node::{Audience, Board, News};
use journal::vault::kind::VAULT;
use journal::{Event, Sealed, Stream, TableEvent};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::witness::WitnessHealth;

/// How long it is tried to write before the answer is that it cannot be done.
const TRIED_MAX: Duration = Duration::from_millis(1500);

/// The routes of operations.
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(healthz))
        .routes(routes!(readyz))
        .routes(routes!(version))
        .routes(routes!(metrics))
}

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `well` or `stopped`.
    #[schema(example = "well")]
    pub status: &'static str,
    /// The name of this node.
    #[schema(example = "one")]
    pub node: String,
    /// How many tables there are.
    pub tables: usize,
    /// How many follow a live feed here.
    pub viewers: usize,
    /// The witnesses of the log. One that cannot be reached does not stop play, and should be looked after.
    pub witnesses: Vec<WitnessHealth>,
    /// What could be lost although it was acknowledged, each in a sentence.
    pub risks: Vec<String>,
}

/// Whether the process lives and its tables run. A server that answers otherwise must be started again.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses(
    (status = 200, description = "It lives.", body = Health),
    (status = 503, description = "Its tables have stopped for good.", body = Problem, content_type = "application/problem+json"),
))]
async fn healthz(State(app): State<App>) -> Response {
    match app.board.stopped() {
        None => Json(health(&app)).into_response(),
        Some(_) => Problem::unavailable("This server has stopped its tables and must be started again.")
            .into_response(),
    }
}

/// Whether requests are served: not while it begins or stops, and not while nothing can be written.
#[utoipa::path(get, path = "/readyz", tag = "operations", responses(
    (status = 200, description = "It serves.", body = Health),
    (status = 503, description = "It does not serve, and why.", body = Problem, content_type = "application/problem+json"),
))]
async fn readyz(State(app): State<App>) -> Response {
    if let Some(why) = why_unwritable(&app).await {
        return Problem::unavailable(&why).into_response();
    }
    if app.is_ready() {
        return Json(health(&app)).into_response();
    }
    Problem::unavailable("This server does not serve at present.").into_response()
}

fn health(app: &App) -> Health {
    Health {
        status: "well",
        node: app.config.floor.node.clone(),
        tables: app.board.tables().len(),
        viewers: app.hub.followers(),
        witnesses: app.couriers.healths(),
        risks: app.risks.clone(),
    }
}

/// Why nothing can be written here. Where nothing was written lately, it is tried.
async fn why_unwritable(app: &App) -> Option<String> {
    if app.board.stopped().is_some() {
        return Some("The tables of this server have stopped; it must be started again.".to_owned());
    }
    if app.writing.is_fresh() {
        return None;
    }
    let known = app.writing.problem();
    let row = Sealed {
        kind: VAULT.to_owned(),
        key: format!("written/{}", app.config.floor.node),
        value: Some(Vec::new()),
    };
    match tokio::time::timeout(TRIED_MAX, app.vault.put(vec![row])).await {
        Ok(Ok(())) => None,
        Ok(Err(problem)) => app.writing.problem().or(known).or(Some(problem.detail)),
        Err(_) => Some("The storage does not answer, so nothing can be written.".to_owned()),
    }
}

/// What runs here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Running {
    #[schema(example = "megalink")]
    pub program: &'static str,
    #[schema(example = "0.2.0")]
    pub version: &'static str,
    pub house: Option<String>,
    /// What the house's money is: `play` in a demonstration, or `real`.
    pub money: Option<journal::Currency>,
    /// What pages write before an amount; play money has a P before it.
    #[schema(example = "$")]
    pub currency: String,
    /// Likewise on paper that leaves the house.
    #[schema(example = "S$")]
    pub currency_on_paper: String,
    /// The time zone of the pages, by its name in the IANA database.
    #[schema(example = "Asia/Singapore")]
    pub time_zone: String,
    /// When the gaming days of the house begin.
    pub gaming_day: journal::DayRule,
    /// The public key that the log's checkpoints are signed with, in hexadecimal.
    pub key: Option<String>,
    /// The rulebooks it knows, by id.
    pub rulebooks: Vec<String>,
    /// The SHA-256 of the program's own file, in hexadecimal.
    pub program_digest: String,
    /// The SHA-256 of each rulebook's text, in hexadecimal, by the rulebook's id.
    pub rulebook_digests: BTreeMap<String, String>,
}

/// What runs here.
#[utoipa::path(get, path = "/version", tag = "operations", responses(
    (status = 200, description = "The program, the house, its key and its rulebooks.", body = Running),
))]
async fn version(State(app): State<App>) -> Json<Running> {
    let house = app.board.house();
    Json(Running {
        program: "megalink",
        version: crate::identity::VERSION,
        house: house.name().map(str::to_owned),
        money: house.money(),
        currency: app.config.floor.currency.clone(),
        currency_on_paper: app.config.floor.currency_on_paper.clone(),
        time_zone: app.config.floor.time_zone.clone(),
        gaming_day: house.day_rule(),
        key: house.key().map(|key| journal::Hash(key).to_string()),
        rulebooks: app.library().iter().map(|book| book.id.clone()).collect(),
        program_digest: app.identity.program.to_string(),
        rulebook_digests: app
            .identity
            .rulebooks
            .iter()
            .map(|(id, digest)| (id.clone(), digest.to_string()))
            .collect(),
    })
}

/// What is measured, in the text format of Prometheus. For whoever has the metrics key; without one, for this machine.
#[utoipa::path(get, path = "/metrics", tag = "operations", responses(
    (status = 200, description = "Counters, gauges and histograms.", body = String, content_type = "text/plain"),
    (status = 403, description = "The key is missing or wrong.", body = Problem, content_type = "application/problem+json"),
))]
async fn metrics(State(app): State<App>, caller: Caller, headers: HeaderMap) -> Response {
    if !may_measure(app.config.server.metrics_key.as_deref(), caller, &headers) {
        let detail =
            "The figures are for this machine, or for whoever sends the metrics key as a bearer token.";
        return Problem::forbidden("MetricsKeyNeeded", detail).into_response();
    }
    measure(&app);
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (StatusCode::OK, kind, app.metrics.render()).into_response()
}

/// Whether a caller may read the figures.
fn may_measure(key: Option<&str>, Caller(address): Caller, headers: &HeaderMap) -> bool {
    let Some(key) = key else {
        // A request that came over no socket has no address.
        return address.is_loopback() || address.is_unspecified();
    };
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer "));
    // Compared as digests, so that the time it takes says nothing about the key.
    given.is_some_and(|given| journal::Hash::of([given.as_bytes()]) == journal::Hash::of([key.as_bytes()]))
}

/// What is asked for when it is wanted rather than counted as it happens.
fn measure(app: &App) {
    metrics::gauge!("megalink_viewers").set(gauge(app.hub.followers()));
    metrics::gauge!("megalink_sessions").set(gauge(app.sessions.count()));
    metrics::gauge!("megalink_tables").set(gauge(app.board.tables().len()));
    let verified = app.verification.progress();
    metrics::gauge!("megalink_log_verified_entries")
        .set(gauge(usize::try_from(verified.done).unwrap_or(usize::MAX)));
    metrics::gauge!("megalink_log_entries_to_verify")
        .set(gauge(usize::try_from(verified.of).unwrap_or(usize::MAX)));
    metrics::gauge!("megalink_log_findings").set(gauge(verified.findings.len()));
    let is_ready = app.is_ready() && app.writing.problem().is_none();
    metrics::gauge!("megalink_ready").set(if is_ready { 1.0 } else { 0.0 });
    for health in app.couriers.healths() {
        let behind = usize::try_from(health.behind).unwrap_or(usize::MAX);
        metrics::gauge!("megalink_witness_behind", "witness" => health.name.clone()).set(gauge(behind));
        let is_well = if health.is_well() { 1.0 } else { 0.0 };
        metrics::gauge!("megalink_witness_well", "witness" => health.name).set(is_well);
    }
    for (link, desk) in app.board.links() {
        // A gauge is for the eye; the meter itself is in whole ten-thousandths of a cent.
        let cents = u32::try_from(desk.link().displayed().cents() / 100).unwrap_or(u32::MAX);
        metrics::gauge!("megalink_meter_dollars", "link" => link.name().to_owned()).set(f64::from(cents));
    }
}

fn gauge(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Counts the rounds of the tables run here as they are committed.
#[derive(Debug)]
pub(crate) struct Counting(pub Arc<Board>);

impl Audience for Counting {
    fn heard(&self, news: &News) {
        for new in &news.entries {
            let (Stream::Table(table), Event::Table(TableEvent::Round(event))) =
                (&new.entry.stream, &new.event)
            else {
                continue;
            };
            let end = match event {
                round::Event::Settled { .. } => "settled",
                round::Event::RoundVoided { .. } => "void",
                _ => continue,
            };
            if self.0.run_elsewhere(table).is_none() {
                metrics::counter!("megalink_rounds_total", "end" => end).increment(1);
            }
        }
    }
}
