//! People and operators who want money that is not theirs, on a real floor over a real file.
//!
//! Each seed has one insider: somebody of the staff, of any office, with a Player as accomplice. They give any command
//! they can think of, alone; the others only play. Nothing may reach the Player that one person cannot give
//! (`docs/permissions.md`), and the meter moves only by what was wagered and won (`ledger`). Then somebody with the
//! database alters the finished file, once in each copy of it: an audit or a start must say so (`operator`).

mod beside;
mod insider;
mod ledger;
mod operator;
mod schemes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rayon::prelude::*;

use crate::Finding;

pub use operator::{Effect, UNSEEN, Unseen};

/// How many commands a seed tries, and how many alterations of the file.
const STEPS: u64 = 420;
const ALTERATIONS: u64 = 12;

/// How many failed seeds are printed.
const FAILED_MAX: usize = 8;

/// Options of `simtest redteam`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many seeds
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub seeds: u64,
    /// Commands of the insider and the accomplice, and those of them that were taken.
    pub tried: u64,
    pub taken: u64,
    /// Rounds settled, and how many of them were settled again.
    pub settled: u64,
    pub corrected: u64,
    /// Rulings made.
    pub rulings: u64,
    /// Awards entered. None is paid, as nobody else signs.
    pub awards: u64,
    /// The most, in cents, that rulings and corrections of one person gave in a round.
    pub given_max: u64,
    /// The most, in cents, of losing or undecided wagers that one person's rulings returned before a settlement.
    pub spared_max: u64,
    /// Alterations of the file; those that pass unseen because they do no harm, and those that are not solved ([`UNSEEN`]).
    pub altered: u64,
    pub harmless: u64,
    pub open: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.seeds += other.seeds;
        self.tried += other.tried;
        self.taken += other.taken;
        self.settled += other.settled;
        self.corrected += other.corrected;
        self.rulings += other.rulings;
        self.awards += other.awards;
        self.given_max = self.given_max.max(other.given_max);
        self.spared_max = self.spared_max.max(other.spared_max);
        self.altered += other.altered;
        self.harmless += other.harmless;
        self.open += other.open;
    }
}

/// Runs the seeds that the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    let started = Instant::now();
    let tally = seeds(args.seed, args.seeds)?;
    println!("{tally:#?}\n{:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Runs seeds on all cores. An error lists what went unseen.
pub fn seeds(from: u64, count: u64) -> Result<Tally, Finding> {
    let results: Vec<_> = (from..from + count).into_par_iter().map(|seed| (seed, attack(seed))).collect();
    let (mut tally, mut failed) = (Tally::default(), Vec::new());
    for (seed, result) in results {
        match result {
            Ok(one) => tally.add(&one),
            Err(what) => {
                failed.push(format!("seed {seed}: {what}\nreplay: simtest redteam --seeds 1 --seed {seed}"));
            }
        }
    }
    if failed.is_empty() {
        return Ok(tally);
    }
    let (count, first) = (failed.len(), failed.into_iter().take(FAILED_MAX).collect::<Vec<_>>());
    Err(Finding(format!("{count} seeds failed\n{}", first.join("\n\n"))))
}

/// Runs one seed: the insider, then the operator.
pub fn attack(seed: u64) -> Result<Tally, String> {
    let work = AssertUnwindSafe(|| {
        let mut finished = insider::run(seed, STEPS)?;
        operator::run(seed, &mut finished, ALTERATIONS)?;
        Ok(Tally { seeds: 1, ..finished.tally })
    });
    catch_unwind(work).unwrap_or_else(|panic| Err(format!("panic: {}", crate::sim::message(&*panic))))
}
