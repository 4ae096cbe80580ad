//! The time of day as the server takes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use floor::node::{Clock, SystemClock};
use journal::Moment;

/// The clock of the machine. Tests set it ahead: a gaming day is then over without waiting for it.
#[derive(Clone, Debug, Default)]
pub struct HouseClock {
    ahead_milliseconds: Arc<AtomicU64>,
    machine: SystemClock,
}

impl HouseClock {
    pub fn now(&self) -> Moment {
        let ahead = self.ahead_milliseconds.load(Ordering::Relaxed);
        Moment(Moment::now().0.saturating_add(ahead))
    }

    /// Sets it ahead of the machine's clock, from now on and for everybody who has it.
    pub fn set_ahead(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.ahead_milliseconds.store(millis, Ordering::Relaxed);
    }
}

impl Clock for HouseClock {
    fn now(&self) -> Moment {
        HouseClock::now(self)
    }

    fn monotonic(&self) -> Duration {
        self.machine.monotonic()
    }
}

impl PartialEq for HouseClock {
    fn eq(&self, other: &HouseClock) -> bool {
        let ahead = |clock: &HouseClock| clock.ahead_milliseconds.load(Ordering::Relaxed);
        ahead(self) == ahead(other)
    }
}

impl Eq for HouseClock {}
