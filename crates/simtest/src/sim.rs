//! The whole floor in one thread under faults drawn from one seed: many tables, links, players, staff and one to five
//! nodes, with the real rules, the real floor and the real journal, over a simulated clock, network and disk.
//!
//! A seed draws the floor, what its people ask for and what goes wrong. After every step the promises of the log are
//! held against what was told; at the end everything heals, every round must come to its end, and the log must pass
//! verification and audit. The same seed gives the same log, bit for bit.

mod clock;
mod coverage;
mod database;
mod deck;
mod machine;
mod oracle;
mod plan;
mod planted;
mod shared;
mod workload;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Instant;

use floor::Library;
use journal::Hash;
use rayon::prelude::*;

use crate::Finding;
use crate::node_process::signer;
use world::World;

pub use coverage::{Coverage, Fault, exemption};
pub use planted::PlantedBug;

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs one seed alone, twice, and holds the two against each other
    #[arg(long, conflicts_with_all = ["from", "seeds", "rounds"])]
    pub seed: Option<u64>,
    /// With `--seed`: verbose every fault, start and end of a machine as it happens
    #[arg(long, requires = "seed")]
    pub verbose: bool,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    pub from: u64,
    /// How many seeds
    #[arg(long, default_value_t = 2_000)]
    pub seeds: u64,
    /// Goes on until so many rounds have been played
    #[arg(long)]
    pub rounds: Option<u64>,
}

/// How many broken seeds are told of at once.
const BROKEN_MAX: usize = 5;

/// What came of one seed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The digest of the whole log, or what broke.
    pub log: Result<Hash, String>,
    /// What it has seen.
    pub coverage: Coverage,
}

/// Runs one seed.
pub fn simulate(seed: u64, planted: PlantedBug) -> Outcome {
    outcome(World::new(seed, library(), signer(), planted))
}

fn outcome(mut world: World) -> Outcome {
    let ran = catch_unwind(AssertUnwindSafe(|| world.run()));
    let coverage = world.coverage();
    let log = match ran {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(broken)) => Err(format!("step {}: {}", coverage.steps, broken.0)),
        Err(panic) => Err(format!("step {}: panic: {}", coverage.steps, words(&*panic))),
    };
    Outcome { log, coverage }
}

/// The sentence a broken seed is reported with.
pub fn report(seed: u64, broken: &str) -> Finding {
    Finding(format!("seed {seed}, {broken}\nreplay: cargo run --release -p simtest -- sim --seed {seed}"))
}

/// Runs seeds on all cores and adds up what they have seen; which broke, where some did.
pub fn seeds(from: u64, count: u64) -> Result<Coverage, Finding> {
    let outcomes: Vec<(u64, Outcome)> =
        (from..from + count).into_par_iter().map(|seed| (seed, simulate(seed, PlantedBug::None))).collect();
    let (mut coverage, mut broken) = (Coverage::default(), Vec::new());
    for (seed, outcome) in outcomes {
        coverage.add(&outcome.coverage);
        broken.extend(outcome.log.err().map(|why| report(seed, &why).0));
    }
    if broken.is_empty() {
        return Ok(coverage);
    }
    let (count, first) = (broken.len(), broken.into_iter().take(BROKEN_MAX).collect::<Vec<_>>());
    Err(Finding(format!("{count} seeds broke\n{}", first.join("\n"))))
}

/// Runs it, and says what was found wrong.
pub fn run(args: &Args) -> Result<(), Finding> {
    if let Some(seed) = args.seed {
        return run_one(seed, args.verbose);
    }
    let (began, mut coverage, mut next) = (Instant::now(), Coverage::default(), args.from);
    let goes_on = |coverage: &Coverage, next: u64| match args.rounds {
        Some(rounds) => coverage.rounds < rounds,
        None => next < args.from + args.seeds,
    };
    while goes_on(&coverage, next) {
        // Small steps at first: what is badly broken shows soon.
        let step = if next < args.from + 100 { 20 } else { 200 };
        let count = if args.rounds.is_some() { step } else { step.min(args.from + args.seeds - next) };
        coverage.add(&seeds(next, count)?);
        next += count;
        eprintln!(
            "seeds {}..{next}: {} rounds, {} second settlements, {} awards, {} entries, {} of {} requests \
             answered, {} repeated, {} recoveries, {:.0} s",
            args.from,
            coverage.rounds,
            coverage.second,
            coverage.awards,
            coverage.entries,
            coverage.acknowledged,
            coverage.requests,
            coverage.repeated,
            coverage.recoveries,
            began.elapsed().as_secs_f64()
        );
    }
    for fault in Fault::ALL {
        println!("{:>9} {}", coverage.faults.get(fault).copied().unwrap_or_default(), fault.words());
    }
    let missing = coverage.missing();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("never seen in {} seeds:\n  {}", next - args.from, missing.join("\n  "))))
}

/// One seed, twice.
fn run_one(seed: u64, verbose: bool) -> Result<(), Finding> {
    let [first, second] = [verbose, false].map(|verbose| {
        let mut world = World::new(seed, library(), signer(), PlantedBug::None);
        world.verbose = verbose;
        outcome(world)
    });
    println!("{:#?}", first.coverage);
    match (first.log, second.log) {
        (Err(broken), _) | (_, Err(broken)) => Err(report(seed, &broken)),
        (Ok(one), Ok(other)) if one == other => {
            println!("the log's digest is {one}, twice");
            Ok(())
        }
        (Ok(one), Ok(other)) => Err(report(seed, &format!("ran differently: {one} and {other}"))),
    }
}

/// The rulebooks, read once.
pub(crate) fn library() -> &'static Library {
    static ONCE: OnceLock<Library> = OnceLock::new();
    ONCE.get_or_init(Library::embedded)
}

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
