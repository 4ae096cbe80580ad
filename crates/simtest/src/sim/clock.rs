//! A node's clock: the run's time, skewed, jumping or standing still. Its time passed never goes back.

use std::time::Duration;

use floor::node::{Chance, Clock};
use journal::Moment;

use super::shared::Shared;
use crate::dice::{Dice, bytes};

/// The beginning of every run, in milliseconds since 1970.
pub(crate) const START_MS: u64 = 1_790_000_000_000;

/// The clock of a clock.
#[derive(Debug)]
pub(crate) struct ClockState {
    /// Time passed, as the node counts it.
    passed: u64,
    /// The run's time when that was last brought forward.
    seen: u64,
    /// How many thousandths of real time it counts: nought stands still.
    pub(crate) rate_permille: u64,
    /// How far the time of day is off.
    pub(crate) offset: i64,
}

/// A clock that the run moves and a node reads.
#[derive(Clone, Debug)]
pub(crate) struct SimClock(Shared<ClockState>);

impl SimClock {
    pub(crate) fn new() -> SimClock {
        SimClock(Shared::new(ClockState { passed: 0, seen: 0, rate_permille: 1_000, offset: 0 }))
    }

    /// The run's time is this now.
    pub(crate) fn tick(&self, now: u64) {
        self.0.with(|clock| {
            clock.passed += now.saturating_sub(clock.seen) * clock.rate_permille / 1_000;
            clock.seen = now;
        });
    }

    /// Turns the clock.
    pub(crate) fn adjust(&self, change: impl FnOnce(&mut ClockState)) {
        self.0.with(change);
    }
}

impl Clock for SimClock {
    fn now(&self) -> Moment {
        self.0.with(|clock| Moment((START_MS + clock.seen).saturating_add_signed(clock.offset)))
    }

    fn monotonic(&self) -> Duration {
        self.0.with(|clock| Duration::from_millis(clock.passed))
    }
}

/// SeededChance of shuffles, the same in every run of a seed.
#[derive(Debug)]
pub(crate) struct SeededChance(pub(crate) Dice);

impl Chance for SeededChance {
    fn draw(&mut self) -> Result<[u8; 32], String> {
        Ok(bytes(|| self.0.roll()))
    }
}
