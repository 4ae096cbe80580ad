//! The periods of the log: a partition for each, so that one that archives have is dropped in one step.

use std::time::{Duration, Instant};

use super::session::Session;
use crate::store::StoreError;

/// How long a period lasts. A command is looked up in every period there is, so there should not be many.
const LASTS: &str = "SELECT journal_begin_period('7 days')";

/// Begins the next period whatever the age of the present one.
const BEGIN: &str = "SELECT journal_begin_period('0')";

/// The partitions of the next period are there before it begins.
const MAKE_NEXT: &str = "SELECT journal_make_next()";

/// Those who write wait for this at most so long.
const LOCK_BRIEFLY: &str = "SET LOCAL lock_timeout = '500ms'";

/// How often it is looked whether the present period has lasted long enough.
const LOOKED: Duration = Duration::from_mins(10);

/// When it was last looked.
#[derive(Debug, Default)]
pub(super) struct Periods {
    looked: Option<Instant>,
}

impl Periods {
    /// Begins the next period where it is due. A failure does no harm: the present one goes on, and it is tried again.
    pub(super) fn tend(&mut self, session: &mut Session) {
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOKED) {
            return;
        }
        self.looked = Some(Instant::now());
        let _ = next(session, LASTS);
    }
}

/// Ends the present period now.
pub(super) fn end(session: &mut Session) -> Result<(), StoreError> {
    next(session, BEGIN)
}

fn next(session: &mut Session, begin: &'static str) -> Result<(), StoreError> {
    for step in [MAKE_NEXT, begin, MAKE_NEXT] {
        alone(session, |session| session.write(step, &[]).map(drop))?;
    }
    Ok(())
}

/// Does something to the partitions, in a transaction of its own that gives up before others wait for long.
pub(super) fn alone<T>(
    session: &mut Session,
    work: impl FnOnce(&mut Session) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    session.begin()?;
    let done = session.batch(LOCK_BRIEFLY).and_then(|()| work(session));
    let done = done.and_then(|done| session.commit().map(|()| done));
    session.roll_back();
    done
}
