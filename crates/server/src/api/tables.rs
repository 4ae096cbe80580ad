//! A table as it is, and its rounds as they were.

use axum::Json;
use axum::extract::State;
use floor::view::{AwardView, ComparedView, EventKind, EventView, LineView, Viewer};
use jackpot::TableId;
use journal::{Entry, Hash, Reader, Stream};
use rulebook::Office;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer::look;
use super::audit;
use super::body::{PathParams, QueryParams};
use super::history::{self, Span};
use crate::app::App;
use crate::auth::guard::Visitor;
use crate::problem::Problem;
use crate::view::{Snapshot, TableNow};

/// The most rounds sent at once.
const ROUNDS_MAX: usize = 50;

/// A table as you see it, with what you may do now.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1")),
    responses((status = 200, description = "The table", body = TableNow)))]
pub(super) async fn table(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    visitor: Visitor,
) -> Result<Json<TableNow>, Problem> {
    match look(&app, &Stream::Table(TableId::new(&table)), &visitor.viewer()) {
        Some(Snapshot::Table(view)) => Ok(Json(*view)),
        Some(Snapshot::Link(_) | Snapshot::House) | None => Err(no_table()),
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichRounds {
    /// Rounds before this number; the newest where none is named.
    before: Option<u64>,
    /// How many: 10 where none is given, 50 at most.
    #[param(minimum = 1, maximum = 50)]
    limit: Option<usize>,
}

/// How far a round has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RoundState {
    /// It is being played.
    InPlay,
    Settled,
    Void,
}

/// A round in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoundRow {
    /// Its number.
    round: u64,
    /// When it began, in milliseconds since 1970 (UTC).
    began_at: u64,
    /// When the last thing in it happened.
    last_at: u64,
    /// How far it has come.
    state: RoundState,
    /// Every wager to its end, once it is settled.
    lines: Vec<LineView>,
    /// The hands compared with the Dealer's, where they lie open.
    compared: Vec<ComparedView>,
}

/// The rounds of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Rounds {
    /// The rounds, newest first.
    rounds: Vec<RoundRow>,
    /// What to give as `before` for those that came earlier; `null` where there are none.
    before: Option<u64>,
}

/// The rounds of a table, newest first, each with its outcome.
#[utoipa::path(get, path = "/api/tables/{table}/rounds", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1"), WhichRounds),
    responses((status = 200, description = "The rounds", body = Rounds)))]
pub(super) async fn rounds(
    State(app): State<App>,
    PathParams(table): PathParams<String>,
    QueryParams(which): QueryParams<WhichRounds>,
    visitor: Visitor,
) -> Result<Json<Rounds>, Problem> {
    let table = known(&app, &table)?;
    let limit = which.limit.unwrap_or(10).clamp(1, ROUNDS_MAX);
    let spans = history::rounds(&app, &table, which.before, limit).await?;
    let before = spans.last().map(|span| span.number).filter(|number| spans.len() == limit && 1 < *number);
    let mut rounds = Vec::new();
    for span in spans {
        let events = round_events(&app, &table, span, &visitor.viewer()).await?;
        rounds.push(row(span.number, events));
    }
    Ok(Json(Rounds { rounds, before }))
}

fn row(round: u64, events: Vec<EventView>) -> RoundRow {
    let at = |event: Option<&EventView>| event.map_or(0, |event| event.at);
    let (began_at, last_at) = (at(events.first()), at(events.last()));
    let (mut state, mut lines, mut compared) = (RoundState::InPlay, Vec::new(), Vec::new());
    for event in events {
        if event.kind == EventKind::RoundVoided {
            state = RoundState::Void;
        } else if event.kind == EventKind::Settled {
            (lines, compared) = (event.data.lines, event.data.compared);
            // A void round is settled too: every wager goes back.
            if state == RoundState::InPlay {
                state = RoundState::Settled;
            }
        }
    }
    RoundRow { round, began_at, last_at, state, lines, compared }
}

/// A round step by step.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoundEvents {
    table: String,
    /// The number of the round.
    round: u64,
    /// Whether it is over. The log of a round that is being played is not shown to anybody.
    over: bool,
    /// What happened, as you may see it.
    events: Vec<EventView>,
    /// What its hands won of a meter, as each award stands now.
    awards: Vec<AwardView>,
    /// The hash of its last entry, which seals all before it, once the round is over.
    sealed_by: Option<SealedEntry>,
    /// The hash of every entry, once the round is over: for everybody where its shuffle was opened, for Pit Supervisors
    /// and above anywhere. Elsewhere a card that stayed face down could be found from a hash by trying all 52.
    hashes: Vec<SealedEntry>,
}

/// The place of an entry in the chain.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SealedEntry {
    version: u64,
    /// The hash of the entry before it.
    previous: Hash,
    hash: Hash,
}

impl SealedEntry {
    fn of(entry: &Entry) -> SealedEntry {
        SealedEntry { version: entry.version.0, previous: entry.previous, hash: entry.hash }
    }
}

/// A round step by step, as far as you may see it; the staff see more.
#[utoipa::path(get, path = "/api/tables/{table}/rounds/{round}", tag = "tables",
    params(("table" = String, Path, description = "The table", example = "MTHB9-1"),
        ("round" = u64, Path, description = "The number of the round", example = 1)),
    responses((status = 200, description = "The round", body = RoundEvents)))]
pub(super) async fn round(
    State(app): State<App>,
    PathParams((table, number)): PathParams<(String, u64)>,
    visitor: Visitor,
) -> Result<Json<RoundEvents>, Problem> {
    let id = known(&app, &table)?;
    let span = history::round(&app, &id, number).await?;
    let span = span.ok_or_else(|| Problem::not_found("There is no round of this number at this table."))?;
    let viewer = visitor.viewer();
    let events = round_events(&app, &id, span, &viewer).await?;
    let over = !audit::is_in_play(&app, &id, Some(number));
    let opened = events.iter().any(|event| event.kind == EventKind::ShuffleOpened);
    let may_audit = match viewer {
        Viewer::Staff(_, office) => Office::PitSupervisor <= office,
        Viewer::Department(..) => true,
        Viewer::Public | Viewer::Player(_) | Viewer::Auditor => false,
    };
    let mut chain = if over { chain(&app, &id, span).await? } else { Vec::new() };
    let sealed_by = chain.last().map(SealedEntry::of);
    chain.retain(|_| opened || may_audit);
    let hashes = chain.iter().map(SealedEntry::of).collect();
    let links = app.board.links();
    let awards = links.iter().flat_map(|(_, desk)| AwardView::of_round(desk, &id, number)).collect();
    Ok(Json(RoundEvents { table, round: number, over, events, awards, sealed_by, hashes }))
}

/// The entries of a round as they stand in the log.
async fn chain(app: &App, table: &TableId, span: Span) -> Result<Vec<Entry>, Problem> {
    let stream = Stream::Table(table.clone());
    let most = usize::try_from(span.last.0.saturating_sub(span.after().0)).unwrap_or(usize::MAX);
    app.vault.read(move |reader: &mut dyn Reader| reader.entries(&stream, span.after(), most)).await
}

async fn round_events(
    app: &App,
    table: &TableId,
    span: Span,
    viewer: &Viewer,
) -> Result<Vec<EventView>, Problem> {
    history::events(app, Stream::Table(table.clone()), span.after(), span.last, viewer).await
}

/// A table of the floor, by its name.
pub(super) fn known(app: &App, table: &str) -> Result<TableId, Problem> {
    let table = TableId::new(table);
    app.board.table(&table).map(|_| table).ok_or_else(no_table)
}

pub(super) fn no_table() -> Problem {
    Problem::not_found("There is no table of this name.")
}
