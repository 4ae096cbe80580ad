//! The audit trail searched: entries of a stream in words, from the newest back, that fit what is looked for.
//!
//! One request looks at so many entries and no more, however long the log is; the answer says where it stopped.

use axum::Json;
use axum::extract::State;
use floor::view::EventView;
use journal::{Stream, Version};
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::QueryParams;
use super::history;
use crate::app::App;
use crate::auth::guard::Staff;
use crate::problem::Problem;

/// How many entries one request looks at, and how many it sends at most.
const LOOKED_AT_MAX: u64 = 2_000;
const FOUND_MAX: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// The stream: `house`, `table/NAME` or `link/NAME`.
    #[param(example = "house")]
    stream: String,
    /// Words that the sentence, the clause or who caused it contains; upper and lower case alike.
    text: Option<String>,
    /// What happened, in a word, such as `round-voided`.
    kind: Option<String>,
    /// Not before this moment, in milliseconds since 1970 (UTC).
    from: Option<u64>,
    /// Not after this moment.
    until: Option<u64>,
    /// Entries before this version; the newest where none is named.
    before: Option<u64>,
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Found {
    /// The entries, newest first.
    events: Vec<EventView>,
    /// How many entries were looked at.
    looked_at: u64,
    /// What to give as `before` to look further back; `null` where everything was looked at.
    before: Option<u64>,
}

/// Searches the audit trail of a stream, from the newest entry back. From a Pit Supervisor up.
#[utoipa::path(get, path = "/api/audit/trail", tag = "audit", params(Wanted),
    responses((status = 200, description = "What was found", body = Found)))]
pub(super) async fn trail(
    State(app): State<App>,
    QueryParams(wanted): QueryParams<Wanted>,
    who: Staff,
) -> Result<Json<Found>, Problem> {
    who.may_look_from(Office::PitSupervisor)?;
    let no_stream = || Problem::not_found("There is no stream of this name.");
    let stream: Stream = wanted.stream.parse().map_err(|_| no_stream())?;
    let head = app.board.head(&stream).ok_or_else(no_stream)?;
    let end = wanted.before.map_or(head.version.0, |before| head.version.0.min(before.saturating_sub(1)));
    let begin = end.saturating_sub(LOOKED_AT_MAX);
    let events = history::events(&app, stream, Version(begin), Version(end), &who.viewer()).await?;
    let is_past = wanted.from.is_some_and(|from| events.first().is_some_and(|event| event.at < from));
    let text = wanted.text.as_deref().map(str::to_lowercase);
    let fits = |event: &EventView| {
        let kind = serde_json::to_value(event.kind).unwrap_or_default();
        wanted.kind.as_deref().is_none_or(|wanted| kind == wanted)
            && wanted.from.is_none_or(|from| from <= event.at)
            && wanted.until.is_none_or(|until| event.at <= until)
            && text.as_deref().is_none_or(|text| says(event, text))
    };
    let mut found: Vec<EventView> = events.into_iter().rev().filter(fits).collect();
    let mut stopped = begin.saturating_add(1);
    if FOUND_MAX < found.len() {
        found.truncate(FOUND_MAX);
        stopped = found.last().map_or(stopped, |event| event.version);
    }
    let before = Some(stopped).filter(|stopped| 1 < *stopped && !is_past);
    Ok(Json(Found {
        looked_at: end.saturating_sub(stopped).saturating_add(1).min(end),
        events: found,
        before,
    }))
}

/// Whether an entry says something, in lower case.
fn says(event: &EventView, text: &str) -> bool {
    let clause = event.data.clause.map(|clause| clause.to_string());
    let all = [Some(event.sentence.as_str()), event.by.as_deref(), clause.as_deref()];
    all.into_iter().flatten().any(|said| said.to_lowercase().contains(text))
}
