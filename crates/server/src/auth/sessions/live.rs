//! A session as one node knows it: when it was last used, here and, as far as is known, on other nodes, and whether it has
//! run out.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::{Kept, Lifetimes, NOTED, seconds};

/// A session as this node knows it. Its age here is by a clock that never jumps.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) kept: Kept,
    pub(super) begun: Instant,
    pub(super) used: Instant,
    pub(super) asked: Instant,
    /// When this node last noted that it was used, if it has.
    pub(super) noted: Option<Instant>,
    /// When this node first knew of it.
    pub(super) first_seen: Instant,
    /// Whether another node uses it too.
    pub(super) is_shared: bool,
    pub(super) stepped_up: Option<Instant>,
    pub(super) ended: CancellationToken,
}

impl Live {
    /// A session that began here, or that this node learns of: as old as the store says, as far as this node's clock can
    /// tell.
    pub(super) fn new(kept: Kept, noted: Option<Instant>) -> Live {
        let now = Instant::now();
        Live {
            begun: instant(kept.begun),
            used: instant(kept.used),
            stepped_up: kept.stepped_up.map(instant),
            asked: now,
            is_shared: noted.is_none(),
            noted,
            first_seen: now,
            ended: CancellationToken::new(),
            kept,
        }
    }

    /// The store has a note of its use: one that is later than what is known here is another node's.
    pub(super) fn update_used(&mut self, used: u64) {
        if self.kept.used < used {
            self.kept.used = used;
            self.used = self.used.max(instant(used));
            self.is_shared = true;
        }
    }

    pub(super) fn has_run_out(&self, lifetimes: &Lifetimes) -> bool {
        self.is_old(lifetimes) || self.is_idle(lifetimes)
    }

    pub(super) fn is_old(&self, lifetimes: &Lifetimes) -> bool {
        lifetimes.absolute <= self.begun.elapsed()
    }

    pub(super) fn is_idle(&self, lifetimes: &Lifetimes) -> bool {
        // Another node may have used it since, and not noted that yet.
        let not_noted = if self.is_shared { NOTED } else { Duration::ZERO };
        lifetimes.idle.saturating_add(not_noted) <= self.used.elapsed()
    }
}

/// A moment that was kept, by a clock that never jumps.
fn instant(moment: u64) -> Instant {
    let now = Instant::now();
    let age = Duration::from_secs(seconds().saturating_sub(moment));
    now.checked_sub(age).unwrap_or(now)
}
