//! The auditor's routes: the log itself, a round in a form that can be checked elsewhere, and rounds settled again.
//!
//! A round that is being played is not in them: its entries may hold cards that lie face down.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use floor::audit::{AsBook, AuditError, Comparison, proof as proofs, replay as settle_again};
use jackpot::TableId;
use journal::{Entry, Reader, Stream, Version, transfers_text};
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::{JsonBody, PathParams, QueryParams};
use super::{history, tables};
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;
use crate::verification::Progress;

/// How far the part of the log that the start did not read has been verified since, and what is wrong with it. For the
/// staff.
#[utoipa::path(get, path = "/api/audit/verification", tag = "audit",
    responses((status = 200, description = "How far it is", body = Progress)))]
pub(super) async fn verification(State(app): State<App>, _: Staff) -> Json<Progress> {
    Json(app.verification.progress())
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichEntries {
    /// The stream: `house`, `table/NAME` or `link/NAME`.
    #[param(example = "house")]
    stream: String,
    /// Entries after this version.
    after: Option<u64>,
    /// How many: a hundred where nothing is said, a thousand at most.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// An entry as it stands in the log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EntryView {
    /// Its number.
    version: u64,
    /// The command it came of.
    command: String,
    /// Who gave that.
    actor: String,
    /// When, in milliseconds since 1970 (UTC), by the node's clock.
    at: u64,
    /// The kind of the event's form.
    kind: String,
    /// The event, as JSON.
    body: String,
    /// The money it moved.
    transfers: String,
    /// The hash of the entry before it.
    previous: String,
    hash: String,
}

/// Entries of a stream.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LogPart {
    stream: String,
    /// The entries, in order.
    entries: Vec<EntryView>,
    /// The last version that can be read now: a round is in the log when it is over.
    until: u64,
}

/// Entries of the log, raw. From a Pit Supervisor up; a round that is being played is not among them.
#[utoipa::path(get, path = "/api/audit/entries", tag = "audit", params(WhichEntries),
    responses((status = 200, description = "The entries", body = LogPart)))]
pub(super) async fn entries(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichEntries>,
    who: Staff,
) -> Result<Json<LogPart>, Problem> {
    who.may_look_from(Office::PitSupervisor)?;
    let no_stream = || Problem::not_found("There is no stream of this name.");
    let stream: Stream = which.stream.parse().map_err(|_| no_stream())?;
    let head = app.board.head(&stream).ok_or_else(no_stream)?;
    let until = readable(&app, &stream).await?.unwrap_or(head.version);
    let after = Version(which.after.unwrap_or(0));
    let left = usize::try_from(until.0.saturating_sub(after.0)).unwrap_or(usize::MAX);
    let limit = which.limit.unwrap_or(100).clamp(1, 1000).min(left);
    let asked = stream.clone();
    let read = move |reader: &mut dyn Reader| {
        if limit == 0 { Ok(Vec::new()) } else { reader.entries(&asked, after, limit) }
    };
    let entries = app.vault.read(read).await?;
    Ok(Json(LogPart {
        stream: stream.to_string(),
        entries: entries.iter().map(view).collect(),
        until: until.0,
    }))
}

fn view(entry: &Entry) -> EntryView {
    EntryView {
        version: entry.version.0,
        command: entry.command.to_string(),
        actor: entry.actor.code(),
        at: entry.at.0,
        kind: entry.body.kind.clone(),
        body: entry.body.json.clone(),
        transfers: transfers_text(&entry.transfers),
        previous: entry.previous.to_string(),
        hash: entry.hash.to_string(),
    }
}

/// Where a table's round in play began, less one; `None` where none is being played.
async fn readable(app: &App, stream: &Stream) -> Result<Option<Version>, Problem> {
    let Stream::Table(table) = stream else {
        return Ok(None);
    };
    if !is_in_play(app, table, None) {
        return Ok(None);
    }
    let newest = history::rounds(app, table, None, 1).await?;
    Ok(Some(newest.first().map_or(Version(0), |span| span.after())))
}

/// Whether a round of a table, or any, is being played, or not yet over.
pub(super) fn is_in_play(app: &App, table: &TableId, round: Option<u64>) -> bool {
    let table = app.board.table(table);
    table.is_some_and(|table| {
        let over = table.round().settlement().is_some() || table.round().stage() == round::Stage::Void;
        !over && round.is_none_or(|round| table.number() <= round)
    })
}

fn check_over(app: &App, table: &TableId, round: u64) -> Result<(), Problem> {
    if is_in_play(app, table, Some(round)) {
        let detail = "The round is being played; ask again when it is over.";
        return Err(Problem::new(StatusCode::CONFLICT, "RoundIsInPlay", detail).retry_after(10));
    }
    Ok(())
}

/// A round in a form that can be checked without this floor (`megalink audit verify`). From a Pit Supervisor up.
#[utoipa::path(get, path = "/api/audit/rounds/{table}/{round}/proof", tag = "audit",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1"),
        ("round" = u64, Path, description = "The number of the round", example = 1)),
    responses((status = 200, description = "The proof", body = Object, content_type = "application/json"),
        (status = 409, description = "The round is not over, or not sealed by a checkpoint yet", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn proof(
    State(app): State<App>,
    PathParams((table, round)): PathParams<(String, u64)>,
    who: Staff,
) -> Result<Response, Problem> {
    who.may_look_from(Office::PitSupervisor)?;
    let id = tables::known(&app, &table)?;
    if history::round(&app, &id, round).await?.is_none() {
        return Err(Problem::not_found("There is no round of this number at this table."));
    }
    check_over(&app, &id, round)?;
    let library = app.library();
    let make = move |reader: &mut dyn Reader| Ok(proofs::export_round(reader, &library, &table, round));
    let text = app.vault.read(make).await?.map_err(|error| audit_problem(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// Rounds to settle again.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplayForm {
    #[schema(example = "MTHB9-1")]
    table: String,
    /// The round; every one where none is named.
    #[serde(default)]
    round: Option<u64>,
    /// The rulebook to settle them under.
    #[schema(example = "megalink-holdem-v6")]
    rulebook: String,
}

/// Rounds under two books.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReplayedView {
    /// Rounds settled under both.
    compared: u64,
    /// Rounds that cannot be compared.
    not_compared: u64,
    /// Rounds of which something differs.
    different: u64,
    /// What the compared rounds brought their Players, in cents.
    was: String,
    /// What they would have brought, in cents.
    would: String,
    /// The rounds of which something differs or cannot be said; a hundred at most.
    #[schema(value_type = Vec<Object>)]
    rounds: Vec<Comparison>,
}

/// What another rulebook would have paid for rounds that were played. From a Pit Supervisor up.
#[utoipa::path(post, path = "/api/audit/replay", tag = "audit", request_body = ReplayForm,
    responses((status = 200, description = "The rounds under both books", body = ReplayedView)))]
pub(super) async fn replay(
    State(app): State<App>,
    who: Staff,
    asked: JsonBody<ReplayForm>,
) -> Result<Json<ReplayedView>, Problem> {
    who.may_look_from(Office::PitSupervisor)?;
    let ReplayForm { table, round, rulebook } = asked.form;
    let id = tables::known(&app, &table)?;
    let book = app.library().get(&rulebook).map(|(book, _)| std::sync::Arc::clone(book));
    let book = book.ok_or_else(|| Problem::not_found("There is no rulebook of this id."))?;
    if let Some(round) = round {
        check_over(&app, &id, round)?;
    }
    let playing = app
        .board
        .table(&id)
        .map(|table| table.number())
        .filter(|number| is_in_play(&app, &id, Some(*number)));
    let library = app.library();
    let make = move |reader: &mut dyn Reader| {
        let mut rounds = Vec::new();
        let mut keep = |comparison: &Comparison| {
            let says = !comparison.differences.is_empty() || comparison.why_not.is_some();
            if says && Some(comparison.round) != playing && rounds.len() < 100 {
                rounds.push(comparison.clone());
            }
        };
        let replayed = settle_again(reader, &library, &AsBook { table, round, book }, &mut keep);
        Ok(replayed.map(|replayed| (replayed, rounds)))
    };
    let (replayed, rounds) = app.vault.read(make).await?.map_err(|error| audit_problem(&error))?;
    Ok(Json(ReplayedView {
        compared: replayed.compared,
        not_compared: replayed.not_compared,
        different: replayed.different,
        was: replayed.was.to_string(),
        would: replayed.would.to_string(),
        rounds,
    }))
}

fn audit_problem(error: &AuditError) -> Problem {
    match error {
        AuditError::NoSuchTable { .. }
        | AuditError::NoSuchLink { .. }
        | AuditError::NoSuchRound { .. }
        | AuditError::NoSuchAward { .. } => Problem::not_found(format!("{}.", capital(&error.to_string()))),
        AuditError::NotOver { .. } => {
            let detail = "The round can still be corrected; ask again when the next one has begun.";
            Problem::new(StatusCode::CONFLICT, "RoundIsInPlay", detail).retry_after(10)
        }
        AuditError::NotSealed(_) => {
            let detail = "No signed checkpoint seals this round yet; ask again in a minute.";
            Problem::new(StatusCode::CONFLICT, "NotSealedYet", detail).retry_after(60)
        }
        AuditError::Store(_)
        | AuditError::Broken(_)
        | AuditError::NoProof(_)
        | AuditError::Archived { .. } => {
            tracing::error!(%error, "an audit could not be made");
            Problem::broken()
        }
    }
}

/// A sentence with its capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
