//! Whether this node can write: what its last writes came to, and for how long it has waited for the store. Known to every
//! request, so that none waits for a database that does not answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use journal::StoreError;

/// A store that has not answered for so long is not waited for any more: what it came to is asked for again later.
const SILENT_MAX: Duration = Duration::from_millis(1200);

/// How long something is waited for that needs a store which has just failed: the store may be back.
const FAILING_MAX: Duration = Duration::from_millis(1400);

/// How often it is looked whether to wait on.
const LOOK: Duration = Duration::from_millis(200);

/// For how long a write says that the next will succeed.
const FRESH: Duration = Duration::from_secs(2);

/// What is known of the writes of a node. A cheap handle.
#[derive(Clone, Debug, Default)]
pub struct Writing(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// Since when the node has waited for its store, where it does.
    waits: Option<Instant>,
    written: Option<Instant>,
    /// Why the last write failed.
    failed: Option<String>,
}

impl Writing {
    /// Notes what becomes of a call of the store, and how long it takes.
    pub(crate) fn watch<T>(&self, call: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.state().waits = Some(Instant::now());
        let done = call();
        let mut state = self.state();
        state.waits = None;
        if let Err(error) = &done
            && let Some(why) = unwritable(error)
        {
            state.failed = Some(why);
        }
        done
    }

    /// Something is durable.
    pub(crate) fn note_written(&self) {
        let mut state = self.state();
        state.written = Some(Instant::now());
        state.failed = None;
    }

    /// Why nothing can be written, as far as it is known.
    pub(crate) fn problem(&self) -> Option<String> {
        if self.is_silent() {
            return Some("The database does not answer, so nothing can be written.".to_owned());
        }
        self.state().failed.clone()
    }

    /// Whether the node waits for its store at this moment.
    pub(crate) fn is_waiting(&self) -> bool {
        self.state().waits.is_some()
    }

    /// Whether the node has waited for its store for too long.
    fn is_silent(&self) -> bool {
        self.state().waits.is_some_and(|since| SILENT_MAX <= since.elapsed())
    }

    /// Whether something was written so lately that it need not be tried.
    pub(crate) fn is_fresh(&self) -> bool {
        self.problem().is_none() && self.state().written.is_some_and(|written| written.elapsed() < FRESH)
    }

    /// Waits for what the store is needed for; `None` where the store does not answer.
    pub(crate) async fn in_time<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let (mut work, began) = (std::pin::pin!(work), Instant::now());
        loop {
            if let Ok(done) = tokio::time::timeout(LOOK, &mut work).await {
                return Some(done);
            }
            let is_failing = FAILING_MAX <= began.elapsed() && self.problem().is_some();
            if is_failing || self.is_silent() {
                return None;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an error says about the next write, in a sentence; nothing where it concerns this write alone.
fn unwritable(error: &StoreError) -> Option<String> {
    match error {
        StoreError::Full(_) => Some("There is no space to write to.".to_owned()),
        StoreError::Unavailable(_) => {
            Some("The database cannot be reached, so nothing can be written.".to_owned())
        }
        StoreError::Failed(_) | StoreError::Corrupt { .. } | StoreError::Schema(_) => {
            Some("The storage has failed.".to_owned())
        }
        StoreError::Conflict(_) | StoreError::Fenced(_) | StoreError::Short(_) => None,
    }
}
