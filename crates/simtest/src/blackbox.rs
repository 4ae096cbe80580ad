//! Black box: the real binary, killed, frozen, starved of space and cut off, under clients that ask until they are
//! answered. Every answer is kept, nothing happens twice, and the log verifies with every cent.

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

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// For how many minutes, all kinds of failure one after the other
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// What the choices are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this kind of failure
    #[arg(long, value_enum)]
    only: Option<Scenario>,
}

/// What may be asked of a run of kills.
#[derive(Debug, clap::Args)]
pub struct KillArgs {
    /// How many kills
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// What the choices are drawn from
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
    /// kill -9 at any moment under load, and while it begins.
    Killed,
    /// A node stands still, loses its tables, and goes on.
    Frozen,
    /// The disk is full.
    Full,
    /// The operating system fails to sync a file.
    SyncsFail,
    /// The network delays, cuts off and goes silent.
    CutOff,
    /// The database is killed and started again.
    DatabaseKilled,
}

/// All of them.
const ALL: [Scenario; 6] = [
    Scenario::Killed,
    Scenario::Frozen,
    Scenario::Full,
    Scenario::SyncsFail,
    Scenario::CutOff,
    Scenario::DatabaseKilled,
];

impl Scenario {
    /// Lets it happen so often, and says what was seen; or what was found wrong.
    pub fn run(self, seed: u64, times: u64) -> Result<String, Finding> {
        let done = match self {
            Scenario::Killed => scenarios::killed(seed, times),
            Scenario::Frozen => databases::frozen(seed, times),
            Scenario::Full => scenarios::full(seed, times),
            Scenario::SyncsFail => scenarios::syncs_fail(seed, times),
            Scenario::CutOff => scenarios::cut_off(seed, usize::try_from(times).unwrap_or(usize::MAX)),
            Scenario::DatabaseKilled => databases::database_killed(seed, times),
        };
        done.map_err(|what| Finding(format!("{self:?} with seed {seed}: {what}")))
    }

    /// How often it is to happen in one go, so that each takes about as long as the others.
    const fn times(self) -> u64 {
        match self {
            Scenario::Killed => 20,
            Scenario::Frozen | Scenario::DatabaseKilled => 4,
            Scenario::Full => 10,
            Scenario::SyncsFail => 8,
            Scenario::CutOff => 200,
        }
    }
}

/// Runs it, and says what was found wrong.
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

/// Kills processes one after the other, and says what was found wrong.
pub fn kills(args: &KillArgs) -> Result<(), Finding> {
    let done = catch_unwind(|| kills::run(args));
    done.map_err(|_| Finding(format!("something was missing after a kill; the seed was {}", args.seed)))
}
