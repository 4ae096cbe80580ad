//! The part of the log that a start did not read is verified while the floor plays: slowly, one period after the other, and
//! never in anybody's way. What is found raises an alarm and is reported as a fault of the links it concerns.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use floor::audit::{self, Finding, Watch};
use floor::node::Request;
use floor::{Command, DeskCommand};
use jackpot::FaultKind;
use journal::{Actor, Hash, LinkId, Reader, Stream, Version};
use serde::Serialize;
use tokio::runtime::Handle;

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

/// Follows the verification, slows it down, and reports what it finds.
struct Slowly {
    app: App,
    runtime: Handle,
    worked_since: Mutex<Instant>,
    faults: Mutex<Faults>,
}

/// The links that findings concern.
#[derive(Default)]
struct Faults {
    /// Everything that was found: after a failure the log is verified again.
    known: BTreeSet<String>,
    /// What is to be reported of a link that has no fault yet.
    due: BTreeMap<LinkId, String>,
    reported: BTreeSet<LinkId>,
}

impl Slowly {
    /// Rests for so long, or until the server stops.
    fn rest(&self, duration: Duration) {
        let end = Instant::now() + duration;
        while Instant::now() < end && !self.stops() {
            thread::sleep(Duration::from_millis(20).min(end.saturating_duration_since(Instant::now())));
        }
    }

    /// Reports a fault of every link that the findings so far concern and that has none yet. Says whether all are reported.
    fn report(&self) -> bool {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        for (link, seen) in std::mem::take(&mut faults.due) {
            if self.runtime.block_on(report(&self.app, &link, seen.clone())) {
                faults.reported.insert(link);
            } else {
                faults.due.insert(link, seen);
            }
        }
        faults.due.is_empty()
    }
}

impl Watch for Slowly {
    fn progress(&self, done: u64, of: u64) {
        let mut progress = self.app.verification.lock();
        (progress.done, progress.of) = (done, of);
    }

    fn in_order(&self, _: Hash) {
        let mut since = self.worked_since.lock().unwrap_or_else(PoisonError::into_inner);
        self.rest(since.elapsed() * REST);
        *since = Instant::now();
    }

    fn found(&self, finding: &Finding) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if !faults.known.insert(finding.to_string()) {
            return;
        }
        let mut progress = self.app.verification.lock();
        if progress.findings.len() < SHOWN {
            tracing::error!(%finding, "the log is not what was written");
            progress.findings.push(finding.to_string());
        }
        drop(progress);
        for link in concerned(&self.app, finding) {
            if !faults.reported.contains(&link) {
                faults.due.entry(link).or_insert_with(|| finding.to_string());
            }
        }
        drop(faults);
        self.report();
    }

    fn stops(&self) -> bool {
        self.app.stopping.is_cancelled()
    }
}

/// Begins to verify what stands before the entry that the server was started from.
pub(crate) fn begin(app: &App, older: Option<(Box<dyn Reader>, Version)>) -> std::io::Result<()> {
    let Some((mut older, up_to)) = older else {
        app.verification.lock().is_over = true;
        return Ok(());
    };
    let (worked_since, faults) = (Mutex::new(Instant::now()), Mutex::default());
    let watch = Slowly { app: app.clone(), runtime: Handle::current(), worked_since, faults };
    thread::Builder::new().name("verification".to_owned()).spawn(move || {
        loop {
            match audit::verify_closed(&mut *older, &watch.app.library(), up_to, &watch) {
                Ok(findings) => {
                    findings.iter().for_each(|finding| watch.found(finding));
                    break;
                }
                Err(error) => {
                    tracing::error!(%error, "the older part of the log could not be read: it is tried again");
                }
            }
            watch.rest(AGAIN_AFTER);
            if watch.stops() {
                return;
            }
        }
        watch.app.verification.lock().is_over = !watch.stops();
        // What could not be written, because there was no room or no connection, is tried again.
        while !watch.stops() && !watch.report() {
            watch.rest(AGAIN_AFTER);
        }
    })?;
    Ok(())
}

/// The links that a finding concerns: the link itself, the one a table plays for, or all.
fn concerned(app: &App, finding: &Finding) -> Vec<LinkId> {
    match finding.place.parse() {
        Ok(Stream::Link(link)) => vec![link],
        Ok(Stream::Table(table)) => {
            app.board.table(&table).and_then(|table| table.setup().link.clone()).into_iter().collect()
        }
        Ok(Stream::House) | Err(_) => app.board.links().into_iter().map(|(link, _)| link).collect(),
    }
}

/// Reports a fault of a link. Says whether the link has it now.
async fn report(app: &App, link: &LinkId, finding: String) -> bool {
    let seen = format!("The log is not what was written: {finding}");
    let seen: String = seen.chars().take(400).collect();
    let fault = DeskCommand::ReportFault { kind: FaultKind::LogWrong, table: None, seen, counted: None };
    let command = Command::Desk { link: link.clone(), command: fault };
    match app.ask(Request::new(random_id(), Actor::System, command)).await {
        Ok(_) => true,
        Err(problem) => {
            tracing::error!(link = %link, reason = problem.reason, "a fault of the log could not be reported");
            // What the floor refuses is not taken later either.
            problem.status != StatusCode::SERVICE_UNAVAILABLE.as_u16()
        }
    }
}
