//! A node's clock: the time of the run, fast, slow, jumping or stopped. Its monotonic time never goes back.

use std::time::Duration;

use floor::node::{Chance, Clock};
use journal::Moment;

use super::shared::Shared;
use crate::dice::{Dice, bytes};

/// The time of day when every run starts, in milliseconds since 1970.
pub(crate) const START_MS: u64 = 1_790_000_000_000;

#[derive(Debug)]
pub(crate) struct ClockState {
    /// Monotonic time, as the node counts it, in milliseconds.
    monotonic: u64,
    /// The time of the run at the last update.
    updated: u64,
    /// How fast the clock runs, in thousandths of real time. Zero means stopped.
    pub(crate) rate_permille: u64,
    /// How far the time of day is off, in milliseconds.
    pub(crate) offset: i64,
}

/// A clock that the run sets and a node reads.
#[derive(Clone, Debug)]
pub(crate) struct SimClock(Shared<ClockState>);

impl SimClock {
    pub(crate) fn new() -> SimClock {
        SimClock(Shared::new(ClockState { monotonic: 0, updated: 0, rate_permille: 1_000, offset: 0 }))
    }

    /// Sets the time of the run.
    pub(crate) fn tick(&self, now: u64) {
        self.0.with(|clock| {
            clock.monotonic += now.saturating_sub(clock.updated) * clock.rate_permille / 1_000;
            clock.updated = now;
        });
    }

    pub(crate) fn adjust(&self, change: impl FnOnce(&mut ClockState)) {
        self.0.with(change);
    }
}

impl Clock for SimClock {
    fn now(&self) -> Moment {
        self.0.with(|clock| Moment((START_MS + clock.updated).saturating_add_signed(clock.offset)))
    }

    fn monotonic(&self) -> Duration {
        self.0.with(|clock| Duration::from_millis(clock.monotonic))
    }
}

/// Seeds of shuffles, the same in every run of a seed.
#[derive(Debug)]
pub(crate) struct SeededChance(pub(crate) Dice);

impl Chance for SeededChance {
    fn draw(&mut self) -> Result<[u8; 32], String> {
        Ok(bytes(|| self.0.roll()))
    }
}
