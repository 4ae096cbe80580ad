//! A node's clock: the run's time, skewed, jumping or standing still. Its time passed never goes back.

use std::time::Duration;

use floor::node::{Chance, Clock};
use journal::Moment;

use super::dice::{Dice, Held};

/// The beginning of every run, in milliseconds since 1970.
pub(crate) const BEGAN: u64 = 1_790_000_000_000;

/// The hands of a clock.
#[derive(Debug)]
pub(crate) struct Hands {
    /// Time passed, as the node counts it.
    passed: u64,
    /// The run's time when that was last brought forward.
    seen: u64,
    /// How many thousandths of real time it counts: nought stands still.
    pub(crate) pace: u64,
    /// How far the time of day is off.
    pub(crate) off: i64,
}

/// A clock that the run moves and a node reads.
#[derive(Clone, Debug)]
pub(crate) struct SimClock(Held<Hands>);

impl SimClock {
    pub(crate) fn new() -> SimClock {
        SimClock(Held::new(Hands { passed: 0, seen: 0, pace: 1_000, off: 0 }))
    }

    /// The run's time is this now.
    pub(crate) fn tick(&self, now: u64) {
        self.0.with(|hands| {
            hands.passed += now.saturating_sub(hands.seen) * hands.pace / 1_000;
            hands.seen = now;
        });
    }

    /// Turns the hands.
    pub(crate) fn turn(&self, turn: impl FnOnce(&mut Hands)) {
        self.0.with(turn);
    }
}

impl Clock for SimClock {
    fn now(&self) -> Moment {
        self.0.with(|hands| Moment((BEGAN + hands.seen).saturating_add_signed(hands.off)))
    }

    fn monotonic(&self) -> Duration {
        self.0.with(|hands| Duration::from_millis(hands.passed))
    }
}

/// Seeds of shuffles, the same in every run of a seed.
#[derive(Debug)]
pub(crate) struct Seeds(pub(crate) Dice);

impl Chance for Seeds {
    fn draw(&mut self) -> Result<[u8; 32], String> {
        let mut bytes = [0; 32];
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.0.roll().to_be_bytes());
        }
        Ok(bytes)
    }
}
