//! The part of the log that a start did not read is verified while the floor plays: slowly, one period after the other, and
//! never in anybody's way. What is found raises an alarm and is reported as a fault of the links it concerns.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use floor::audit::{self, Finding, Watch};
use floor::node::Request;
use floor::{Command, DeskCommand};
use jackpot::FaultKind;
use journal::{Actor, Hash, LinkId, Reader, Stream, Version};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::departures::random_id;

/// It rests for so many times as long as it worked, so that it takes a quarter of one processor.
const REST: u32 = 3;

/// When a log that could not be read is tried again.
const AGAIN_AFTER: Duration = Duration::from_mins(1);

/// How many findings are shown.
const SHOWN: usize = 20;

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LogVerification)]
pub(crate) struct Progress {
    /// How many entries were verified since the start.
    pub done: u64,
    /// How many stood before the books that the server was started from.
    pub of: u64,
    /// Whether it has come to its end.
    pub is_over: bool,
    /// What is wrong, the first of it.
    pub findings: Vec<String>,
}

/// How far the verification is, for all who ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verification(Arc<Mutex<Progress>>);

impl Verification {
    pub(crate) fn progress(&self) -> Progress {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Follows the verification, and slows it down.
struct Slowly {
    verification: Verification,
    stopping: CancellationToken,
    worked_since: Mutex<Instant>,
}

impl Slowly {
    /// Rests for so long, or until the server stops.
    fn rest(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while Instant::now() < end && !self.stops() {
            thread::sleep(Duration::from_millis(20).min(end.saturating_duration_since(Instant::now())));
        }
    }
}

impl Watch for Slowly {
    fn progress(&self, done: u64, of: u64) {
        let mut progress = self.verification.lock();
        (progress.done, progress.of) = (done, of);
    }

    fn in_order(&self, _: Hash) {
        let mut since = self.worked_since.lock().unwrap_or_else(PoisonError::into_inner);
        self.rest(since.elapsed() * REST);
        *since = Instant::now();
    }

    fn stops(&self) -> bool {
        self.stopping.is_cancelled()
    }
}

/// Begins to verify what stands before the entry that the server was started from.
pub(crate) fn begin(app: &App, older: Option<(Box<dyn Reader>, Version)>) -> std::io::Result<()> {
    let Some((mut older, up_to)) = older else {
        app.verification.lock().is_over = true;
        return Ok(());
    };
    let (app, runtime) = (app.clone(), tokio::runtime::Handle::current());
    thread::Builder::new().name("verification".to_owned()).spawn(move || {
        let watch = Slowly {
            verification: app.verification.clone(),
            stopping: app.stopping.clone(),
            worked_since: Mutex::new(Instant::now()),
        };
        let findings = loop {
            match audit::verify_closed(&mut *older, &app.library(), up_to, &watch) {
                Ok(findings) => break findings,
                Err(error) => {
                    tracing::error!(%error, "the older part of the log could not be read: it is tried again");
                }
            }
            watch.rest(AGAIN_AFTER);
            if watch.stops() {
                return;
            }
        };
        if watch.stops() {
            return;
        }
        let mut progress = app.verification.lock();
        progress.is_over = true;
        progress.findings = findings.iter().take(SHOWN).map(ToString::to_string).collect();
        drop(progress);
        for finding in findings.iter().take(SHOWN) {
            tracing::error!(%finding, "the log is not what was written");
        }
        if let Some(first) = findings.iter().next() {
            runtime.block_on(report(&app, findings.iter(), first));
        }
    })?;
    Ok(())
}

/// Reports a fault of every link that the findings concern: of the link itself, of the one a table plays for, or of all.
async fn report(app: &App, findings: impl Iterator<Item = &Finding>, first: &Finding) {
    let mut links: BTreeSet<LinkId> = BTreeSet::new();
    for finding in findings {
        match finding.place.parse() {
            Ok(Stream::Link(link)) => {
                links.insert(link);
            }
            Ok(Stream::Table(table)) => {
                links.extend(app.board.table(&table).and_then(|table| table.setup().link.clone()));
            }
            Ok(Stream::House) | Err(_) => links.extend(app.board.links().into_iter().map(|(link, _)| link)),
        }
    }
    for link in links {
        let seen = format!("The log is not what was written: {first}");
        let seen: String = seen.chars().take(400).collect();
        let fault = DeskCommand::ReportFault { kind: FaultKind::LogWrong, table: None, seen, counted: None };
        let command = Command::Desk { link: link.clone(), command: fault };
        if let Err(problem) = app.ask(Request::new(random_id(), Actor::System, command)).await {
            tracing::error!(link = %link, reason = problem.reason, "a fault of the log could not be reported");
        }
    }
}
