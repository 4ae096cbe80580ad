//! Black box: the real binary is killed, paused and cut off, and its disk filled, while clients repeat requests until
//! they are answered. Every answer is kept, nothing happens twice, and the log verifies with every cent.

mod databases;
mod http;
mod kills;
mod load;
mod program;
mod proxy;
mod scenarios;

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use crate::Finding;

pub(crate) use self::program::program;

/// Options of `simtest blackbox`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many minutes, over all kinds of failure in turn
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this kind of failure
    #[arg(long, value_enum)]
    only: Option<Scenario>,
}

/// Options of `simtest kills`.
#[derive(Debug, clap::Args)]
pub struct KillArgs {
    /// How many kills
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// On a private PostgreSQL server, which is killed too
    #[arg(long)]
    postgres: bool,
    /// Be the process that is killed, with this log
    #[arg(long, hide = true)]
    victim: Option<String>,
}

/// A kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Scenario {
    /// kill -9 at any moment under load, and during its start.
    Killed,
    /// A node pauses, loses its tables, and continues.
    Paused,
    /// The disk is full.
    Full,
    /// The operating system fails to sync a file.
    SyncsFail,
    /// The network delays, cuts off and stops answering.
    CutOff,
    /// The database is killed and restarted.
    DatabaseKilled,
}

const ALL: [Scenario; 6] = [
    Scenario::Killed,
    Scenario::Paused,
    Scenario::Full,
    Scenario::SyncsFail,
    Scenario::CutOff,
    Scenario::DatabaseKilled,
];

impl Scenario {
    /// Runs it this many times. Returns a summary, or what is wrong.
    pub fn run(self, seed: u64, times: u64) -> Result<String, Finding> {
        let done = match self {
            Scenario::Killed => scenarios::killed(seed, times),
            Scenario::Paused => databases::paused(seed, times),
            Scenario::Full => scenarios::full(seed, times),
            Scenario::SyncsFail => scenarios::syncs_fail(seed, times),
            Scenario::CutOff => scenarios::cut_off(seed, usize::try_from(times).unwrap_or(usize::MAX)),
            Scenario::DatabaseKilled => databases::database_killed(seed, times),
        };
        done.map_err(|what| Finding(format!("{self:?} with seed {seed}: {what}")))
    }

    /// How often it happens in one run, so that all kinds take about the same time.
    const fn times(self) -> u64 {
        match self {
            Scenario::Killed => 20,
            Scenario::Paused | Scenario::DatabaseKilled => 4,
            Scenario::Full => 10,
            Scenario::SyncsFail => 8,
            Scenario::CutOff => 200,
        }
    }
}

/// Runs the failures that the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    let end = Instant::now() + Duration::from_secs(args.minutes * 60);
    for seed in args.seed.. {
        for scenario in ALL.into_iter().filter(|scenario| args.only.is_none_or(|only| only == *scenario)) {
            println!("{}", scenario.run(seed, scenario.times())?);
            if end < Instant::now() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Kills processes in turn, and checks the log after each.
pub fn kills(args: &KillArgs) -> Result<(), Finding> {
    let done = catch_unwind(|| kills::run(args));
    done.map_err(|_| Finding(format!("a check failed after a kill; the seed was {}", args.seed)))
}
