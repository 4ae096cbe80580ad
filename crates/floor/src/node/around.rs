//! What a node gets from outside: the time and random numbers.

use std::time::{Duration, Instant};

use journal::Moment;

pub trait Clock: Send {
    /// The time of day, for people to read. It may jump either way: nothing depends on it.
    fn now(&self) -> Moment;

    /// Time passed since some beginning. It never goes back.
    fn monotonic(&self) -> Duration;
}

/// Random bytes that nobody can predict.
pub trait Chance: Send {
    /// Thirty-two of them, or why there are none.
    fn draw(&mut self) -> Result<[u8; 32], String>;
}

/// The clocks of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    began: Instant,
}

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock { began: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        Moment::now()
    }

    fn monotonic(&self) -> Duration {
        self.began.elapsed()
    }
}

/// The random numbers of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn draw(&mut self) -> Result<[u8; 32], String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}
