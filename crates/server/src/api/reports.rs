//! Reports of gaming days, and exports for machines. Both are made from the log by a thread of their own, and the part of a
//! round that is being played is in neither.

use std::future::pending;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::reports::{DayCache, Days, ExportError, Format, GamingDay, Log, Report, Reporter, Subject};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use floor::Library;
use floor::audit::AuditError;
use futures_util::stream::unfold;
use jackpot::TableId;
use journal::{DayChecks, Direction, Hash, Head, Reader, StoreError, Stream, VaultKey, Version};
use round::PlayerId;
use rulebook::Office;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::{IntoParams, ToSchema};

use super::body::{PathParams, QueryParams};
use crate::app::App;
use crate::auth::guard::LogReader;
use crate::problem::Problem;

/// A printed report needs nothing else: it carries its styles, and runs no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// How many pieces of an export wait for a client, and how large each is.
const PIECES: usize = 4;
const PIECE: usize = 64 * 1024;

/// The longest range of one report or export, in days: a year and a day.
const DAYS_MAX: u64 = 367;

/// How long a client of an export may take for one piece. Others wait for the same reader of the log.
const STALLED: Duration = Duration::from_secs(20);

/// What reports are made with. One report and one export are made at once: an export takes as long as its client reads.
pub(crate) struct ReportWork {
    reporter: Arc<Mutex<Option<Reporter>>>,
    reports: Arc<Semaphore>,
    exports: Arc<Semaphore>,
}

impl Default for ReportWork {
    fn default() -> ReportWork {
        let one = || Arc::new(Semaphore::new(1));
        ReportWork { reporter: Arc::default(), reports: one(), exports: one() }
    }
}

impl ReportWork {
    /// A permit to read many rounds for a report. The work itself holds it, also where nobody waits for it any more.
    pub(super) async fn permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        one_at_a_time(&self.reports).await
    }
}

async fn one_at_a_time(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    let permit = Arc::clone(permits).acquire_owned().await;
    permit.map_err(|_| Problem::unavailable("The server is stopping."))
}

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReportFormat {
    /// Sections of figures, as JSON.
    #[default]
    Json,
    /// A page to read or print.
    Html,
    /// Comma-separated values, one line a figure.
    Csv,
    /// Pages to print, sign and file.
    Pdf,
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichReport {
    /// A gaming day, a month or a year: `2026-11-16`, `2026-11` or `2026`.
    #[param(example = "2026-11-16")]
    days: String,
    /// The last gaming day of a longer range.
    to: Option<String>,
    /// The statement of one Player instead of the report.
    player: Option<String>,
    /// The form; `json` by default.
    #[serde(default)]
    #[param(inline)]
    format: ReportFormat,
}

/// What some gaming days came to: drop, win and hold of every table and game beside what was expected, every link's meter to the
/// ten-thousandth of a cent, awards, irregularities and rulings, Players and people. From a Pit Manager up.
#[utoipa::path(get, path = "/api/reports", tag = "reports", params(WhichReport),
    responses((status = 200, description = "The report", content(
            (Report = "application/json"), (String = "text/html"), (String = "text/csv"), (Vec<u8> = "application/pdf"))),
        (status = 422, description = "These are no gaming days", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn report(
    State(app): State<App>,
    QueryParams(which): QueryParams<WhichReport>,
    who: LogReader,
) -> Result<Response, Problem> {
    who.may_look_from(Office::PitManager)?;
    let days: Days = which.days.parse().map_err(|error| wrong(&error))?;
    let days = range(days.from(), day(which.to.as_deref())?.unwrap_or(days.to()))?;
    let player = which.player.as_deref().map(PlayerId::new);
    let made = make_report(&app, days, player, false).await?;
    let report = made.map_err(|error| log_problem(&error))?;
    let (kind, text) = match which.format {
        ReportFormat::Json => {
            ("application/json", serde_json::to_vec(&report).map_err(|_| Problem::broken())?)
        }
        ReportFormat::Html => ("text/html; charset=utf-8", report.html().into_bytes()),
        ReportFormat::Csv => ("text/csv; charset=utf-8", report.csv().into_bytes()),
        ReportFormat::Pdf => ("application/pdf", report.pdf()),
    };
    let mut response = ([(header::CONTENT_TYPE, kind)], text).into_response();
    let policy = HeaderValue::from_static(POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// Refuses to sign for a gaming day that is not over, or whose log or check list is not as stated.
pub(super) async fn check_day(app: &App, day: u64, log: Hash, checks: DayChecks) -> Result<(), Problem> {
    app.board.house().check_day_is_over(day, app.config.clock.now())?;
    let day = GamingDay::from_number(day);
    check_played_out(app, day).await?;
    let made = make_report(app, range(day, day)?, None, true).await?;
    let report = made.map_err(|error| log_problem(&error))?;
    if report.heads.is_empty() {
        let detail =
            "The house was not open on this gaming day: its log begins later. There is nothing to sign for.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "DayIsBeforeOpening", detail).at("day"));
    }
    if report.log == log.to_string() && report.checks() == checks {
        return Ok(());
    }
    let DayChecks { open_awards, disputed_rounds, tables_in_play, difference } = report.checks();
    let detail = format!(
        "The check list or the log of this day is not as stated. The log with the head {} has {open_awards} awards open, \
         {disputed_rounds} rounds void or settled again, {tables_in_play} tables in play, and the books differ by {difference} \
         ten-thousandths of a cent. Look at the report again, then sign for that.",
        report.log
    );
    Err(Problem::new(StatusCode::CONFLICT, "ChecksDiffer", detail))
}

/// Refuses to sign for a day while a round that began on it is in play. The report leaves that round out as long as it goes
/// on, and has it later, so nobody could make the report again that was signed for.
async fn check_played_out(app: &App, day: GamingDay) -> Result<(), Problem> {
    let (ends, rule) = (Ends::now(app), app.board.house().day_rule());
    let playing = move |reader: &mut dyn Reader| {
        for table in ends.playing {
            let stream = Stream::Table(table.clone());
            let began = began(reader, &stream)?;
            let entry = reader.entry(&stream, began)?;
            if entry.is_some_and(|entry| GamingDay::of(entry.at, rule) <= day) {
                return Ok(Some(table));
            }
        }
        Ok(None)
    };
    match app.vault.read(playing).await? {
        None => Ok(()),
        Some(table) => {
            let detail = format!(
                "A round that began on this gaming day is in play at table {}. Sign for the day when it is over.",
                table.name()
            );
            Err(Problem::new(StatusCode::CONFLICT, "RoundIsInPlay", detail).retry_after(10))
        }
    }
}

async fn make_report(
    app: &App,
    days: Days,
    player: Option<PlayerId>,
    is_signed: bool,
) -> Result<Result<Report, AuditError>, Problem> {
    let permit = app.work.reports.permit().await?;
    let (library, ends, now) = (app.library(), Ends::now(app), app.config.clock.now());
    let reporter = Arc::clone(&app.work.reports.reporter);
    let folder = app.config.storage.directory.as_ref().map(|directory| directory.join("totals"));
    let key = VaultKey::derived(app.keys.first());
    let read = move |reader: &mut dyn Reader| {
        let _permit = permit;
        let mut log = match ends.log(reader, &library) {
            Ok(log) if is_signed => log.by_every_entry(),
            Ok(log) => log,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(player) = &player {
            return Ok(::reports::statement(&mut log, player, days, now));
        }
        let cache =
            || folder.as_deref().map_or_else(DayCache::default, |folder| DayCache::in_folder(folder, key));
        let mut reporter = reporter.lock().unwrap_or_else(PoisonError::into_inner);
        let reporter = reporter.get_or_insert_with(|| Reporter::new(cache()));
        Ok(reporter.report(&mut log, days, now))
    };
    app.vault.read(read).await
}

/// The form of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExportFormat {
    /// One JSON object a line.
    #[default]
    Jsonl,
    /// Comma-separated values.
    Csv,
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct WhichDays {
    /// The first gaming day.
    #[param(example = "2026-11-16")]
    from: String,
    /// The last gaming day; the first where none is named.
    to: Option<String>,
    /// The form; `jsonl` by default.
    #[serde(default)]
    #[param(inline)]
    format: ExportFormat,
}

/// What the log has of some gaming days, for other programs: `rounds`, `entries`, `ledger` or `awards`. Rounds as JSON lines are
/// records, which `megalink settle` checks. From a Pit Manager up. The data dictionary is in docs/exports.md.
#[utoipa::path(get, path = "/api/exports/{what}", tag = "reports", params(
        ("what" = String, Path, description = "What is exported", example = "ledger"), WhichDays),
    responses((status = 200, description = "The rows", content(
            (String = "application/x-ndjson"), (String = "text/csv"))),
        (status = 422, description = "These are no gaming days", body = Problem,
            content_type = "application/problem+json")))]
pub(super) async fn export(
    State(app): State<App>,
    PathParams(what): PathParams<String>,
    QueryParams(which): QueryParams<WhichDays>,
    who: LogReader,
) -> Result<Response, Problem> {
    who.may_look_from(Office::PitManager)?;
    let subject = Subject::ALL.into_iter().find(|subject| subject.name() == what);
    let subject = subject.ok_or_else(|| Problem::not_found("There is no export of this name."))?;
    let from: GamingDay = which.from.parse().map_err(|error| wrong(&error))?;
    let days = range(from, day(which.to.as_deref())?.unwrap_or(from))?;
    let (kind, format) = match which.format {
        ExportFormat::Jsonl => ("application/x-ndjson", Format::Jsonl),
        ExportFormat::Csv => ("text/csv; charset=utf-8", Format::Csv),
    };
    let permit = one_at_a_time(&app.work.reports.exports).await?;
    let (given, pieces) = channel(PIECES);
    let (library, ends) = (app.library(), Ends::now(&app));
    let client = Client { given, app: app.clone(), who, runtime: Handle::current() };
    let read = move |reader: &mut dyn Reader| {
        let written = ends.log(reader, &library).map_err(ExportError::from).and_then(|mut log| {
            let mut output = BufWriter::with_capacity(PIECE, &client);
            ::reports::export(&mut log, subject, days, format, &mut output)
        });
        if let Err(error) = written {
            tracing::warn!(%error, "an export ended early");
            // The client sees that the answer broke off.
            let _ = client.give(Err(io::Error::other("the export broke off")));
        }
        drop(permit);
        Ok::<(), StoreError>(())
    };
    tokio::spawn(async move { app.vault.read(read).await });
    let body = Body::from_stream(unfold(pieces, async |mut pieces: Receiver<io::Result<Bytes>>| {
        let piece = pieces.recv().await?;
        Some((piece, pieces))
    }));
    let file = format!("attachment; filename=\"{}-{}.{}\"", subject.name(), days.from(), format.ending());
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((StatusCode::OK, headers, body).into_response())
}

/// Whoever takes the pieces of an export.
struct Client {
    given: Sender<io::Result<Bytes>>,
    app: App,
    who: LogReader,
    runtime: Handle,
}

impl Client {
    /// Gives a piece to a client that takes it in time. What a device reads ends when its key is revoked.
    fn give(&self, piece: io::Result<Bytes>) -> io::Result<()> {
        let revoked = async {
            match &self.who {
                LogReader::Device(device) => self.app.devices.ended(device).await,
                LogReader::Staff(_) => pending().await,
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                sent = tokio::time::timeout(STALLED, self.given.send(piece)) => match sent {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
                    Err(_) => Err(io::ErrorKind::TimedOut.into()),
                },
                () = revoked => Err(io::ErrorKind::PermissionDenied.into()),
            }
        })
    }
}

impl Write for &Client {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.give(Ok(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn day(text: Option<&str>) -> Result<Option<GamingDay>, Problem> {
    text.map(|text| text.parse().map_err(|error| wrong(&error))).transpose()
}

pub(super) fn range(from: GamingDay, to: GamingDay) -> Result<Days, Problem> {
    let days = Days::new(from, to).map_err(|error| wrong(&error))?;
    if from.number().saturating_add(DAYS_MAX) <= to.number() {
        return Err(wrong(&format!("one range has {DAYS_MAX} days at most")));
    }
    Ok(days)
}

pub(super) fn wrong(error: &dyn ToString) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "NoSuchDays", format!("{}.", error.to_string()))
}

/// Up to where each stream was written before it was looked which rounds are in play, and the tables where one is.
pub(super) struct Ends {
    heads: Vec<Head>,
    playing: Vec<TableId>,
}

impl Ends {
    /// Up to where each stream is written by now, with rounds in play.
    pub(super) fn whole(app: &App) -> Ends {
        Ends { heads: app.board.heads(), playing: Vec::new() }
    }

    pub(super) fn now(app: &App) -> Ends {
        let heads = app.board.heads();
        // Before "No more bets" a round has no cards: a table that waits for Players is read to its end.
        let playing = app.board.tables().into_iter().filter(|table| table.round().stage().is_in_play());
        Ends { heads, playing: playing.map(|table| table.id().clone()).collect() }
    }

    /// The log without rounds in play, whose entries may hold cards that lie face down.
    pub(super) fn log<'a>(
        &self,
        reader: &'a mut dyn Reader,
        library: &Library,
    ) -> Result<Log<'a>, AuditError> {
        let mut ends: Vec<(Stream, Version)> =
            self.heads.iter().map(|head| (head.stream.clone(), head.version)).collect();
        for table in &self.playing {
            let stream = Stream::Table(table.clone());
            let began = began(reader, &stream)?;
            ends.push((stream, Version(began.0.saturating_sub(1))));
        }
        let log = Log::new(reader, library)?;
        Ok(ends.iter().fold(log, |log, (stream, version)| log.until(stream, *version)))
    }
}

/// Where the newest round of a table began.
fn began(reader: &mut dyn Reader, stream: &Stream) -> Result<Version, StoreError> {
    let newest = Direction::Before(Version(u64::MAX));
    let began = reader.about(stream, &journal::Subject::Rounds, newest, 1)?.pop();
    Ok(began.unwrap_or(Version(0)))
}

pub(super) fn log_problem(error: &AuditError) -> Problem {
    tracing::error!(%error, "a report could not be made");
    Problem::unavailable("The log of these days cannot be read here; `megalink report --archives` can.")
}
