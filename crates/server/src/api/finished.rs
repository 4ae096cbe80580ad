//! Finished rounds and awards, for a system that follows them from any point without losing one: docs/devices.md.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ::reports::{Finished, GamingDay, Position, finished as finished_after};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jackpot::TableId;
use journal::{Head, Reader};
use round::Stage;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::body::QueryParams;
use super::reports::{Ends, log_problem};
use crate::app::App;
use crate::auth::guard::LogReader;
use crate::problem::Problem;

/// How many are handed over where no limit is given, and about how many at most.
const USUAL: usize = 100;
const MOST: usize = 1000;

/// For how long an answer may wait for something to finish, in seconds, and how often it is looked.
const WAIT_MAX: u64 = 30;
const LOOKED: Duration = Duration::from_millis(200);

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichFinished {
    /// The position of the last answer. Without it, from the beginning of the log.
    after: Option<String>,
    /// Instead of a position: the gaming day to begin with.
    #[param(example = "2026-11-16")]
    from: Option<String>,
    /// About how many at most: 100 where none is given, 1,000 at most.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// For how many seconds to wait where nothing has finished: none where it is not given, 30 at most.
    #[param(maximum = 30)]
    wait: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FinishedPage {
    /// What finished, each once: those of one table or one link in order.
    items: Vec<Finished>,
    /// Send it as `after` to go on. Keep it together with what you did with the items: then nothing is lost and nothing is
    /// done twice.
    position: String,
    /// Whether there may be more at once.
    more: bool,
}

/// Finished rounds and the steps of awards, from a position on. For devices with a key to follow, and from a Pit Manager up.
///
/// Every round that is over and every step of an award is handed over once, also out of archives. Ask again with the position of
/// the answer; `wait` keeps the answer back until something finishes.
#[utoipa::path(get, path = "/api/finished", tag = "devices", params(WhichFinished),
    responses((status = 200, description = "What finished", body = FinishedPage),
        (status = 409, description = "The log has not come as far as this position", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "This is no position or no gaming day", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn finished(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichFinished>,
    who: LogReader,
) -> Result<Json<FinishedPage>, Problem> {
    who.may_look_from(Office::PitManager)?;
    let WhichFinished { after, from, limit, wait } = which;
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let wait = Duration::from_secs(wait.unwrap_or(0).min(WAIT_MAX));
    let mut start = match (after, from) {
        (Some(after), None) => Start::At(after.parse().map_err(|error| wrong(&error))?),
        (None, Some(from)) => Start::Day(from.parse().map_err(|error| wrong(&error))?),
        (None, None) => Start::At(Position::default()),
        (Some(_), Some(_)) => return Err(wrong(&"name a position or a gaming day, not both")),
    };
    let began = Instant::now();
    loop {
        let heads = app.board.heads();
        let (items, position) = read(&app, start, limit).await?;
        if !items.is_empty() || wait <= began.elapsed() {
            let more = limit <= items.len();
            return Ok(Json(FinishedPage { items, position: position.to_string(), more }));
        }
        start = Start::At(position);
        changed(&app, &heads, wait.saturating_sub(began.elapsed())).await;
    }
}

/// From where on.
enum Start {
    At(Position),
    Day(GamingDay),
}

async fn read(app: &App, start: Start, limit: usize) -> Result<(Vec<Finished>, Position), Problem> {
    // Which tables are closed is asked first: what was written until then is within the ends.
    let closed = closed(app);
    let (library, ends) = (app.library(), Ends::whole(app));
    let read = move |reader: &mut dyn Reader| {
        if let Start::At(position) = &start
            && !position.is_within(&reader.heads()?)
        {
            return Ok(None);
        }
        let found = ends.log(reader, &library).and_then(|mut log| {
            let position = match start {
                Start::At(position) => position,
                Start::Day(day) => Position::at(&mut log, day)?,
            };
            finished_after(&mut log, position, &closed, limit)
        });
        Ok(Some(found))
    };
    let found = app.vault.read(read).await?.ok_or_else(|| {
        let detail = "The log has not come as far as this position: an older copy of it was restored, or the position is of \
                      another house. Compare what you have with the log, and follow from a gaming day on.";
        Problem::new(StatusCode::CONFLICT, "PositionIsNotInLog", detail)
    })?;
    found.map_err(|error| log_problem(&error))
}

/// The tables where nobody plays any more: their last round is over.
fn closed(app: &App) -> BTreeSet<TableId> {
    let tables = app.board.tables();
    let over = tables.iter().filter(|table| !table.is_open() || table.round().stage() == Stage::Closed);
    over.map(|table| table.id().clone()).collect()
}

/// Waits until something was written since, for so long at most.
async fn changed(app: &App, heads: &[Head], wait: Duration) {
    let began = Instant::now();
    while began.elapsed() < wait && app.board.heads() == heads && !app.stopping.is_cancelled() {
        tokio::time::sleep(LOOKED).await;
    }
}

fn wrong(error: &dyn ToString) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "NoSuchPosition", format!("{}.", error.to_string()))
}
