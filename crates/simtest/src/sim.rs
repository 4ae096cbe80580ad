//! The whole floor in one thread under faults drawn from one seed: many tables, links, players and staff, and one to
//! five nodes. The rules, the floor and the journal are real; the clock, the network and the disk are simulated.
//!
//! A seed decides the floor, the requests and the faults. After every step the promises about the log are checked
//! against what nodes have published. At the end all faults stop, every round must reach its end, and the log must pass
//! verification and audit. The same seed gives the same log, bit for bit.

mod altered;
mod books;
pub(crate) mod clock;
mod coverage;
mod database;
pub(crate) mod deck;
mod forged;
mod keys;
mod machine;
mod oracle;
mod plan;
mod planted;
pub(crate) mod shared;
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

/// Options of `simtest sim`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Runs one seed twice and compares the two logs
    #[arg(long, conflicts_with_all = ["from", "seeds", "rounds"])]
    pub seed: Option<u64>,
    /// With `--seed`: prints every fault, and every start and stop of a machine
    #[arg(long, requires = "seed")]
    pub verbose: bool,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    pub from: u64,
    /// How many seeds
    #[arg(long, default_value_t = 2_000)]
    pub seeds: u64,
    /// Continues until this many rounds have been played
    #[arg(long)]
    pub rounds: Option<u64>,
}

/// How many failed seeds are printed.
const FAILED_MAX: usize = 5;

/// The result of one seed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The digest of the whole log, or the violation.
    pub log: Result<Hash, String>,
    /// The faults and clauses that it met.
    pub coverage: Coverage,
}

/// Runs one seed.
pub fn simulate(seed: u64, planted: PlantedBug) -> Outcome {
    outcome(World::new(seed, library(), signer(), planted))
}

fn outcome(mut world: World) -> Outcome {
    let result = catch_unwind(AssertUnwindSafe(|| world.run()));
    let coverage = world.coverage();
    let log = match result {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(violation)) => Err(format!("step {}: {}", coverage.steps, violation.0)),
        Err(panic) => Err(format!("step {}: panic: {}", coverage.steps, message(&*panic))),
    };
    Outcome { log, coverage }
}

/// The message for a failed seed.
pub fn report(seed: u64, violation: &str) -> Finding {
    Finding(format!("seed {seed}, {violation}\nreplay: cargo run --release -p simtest -- sim --seed {seed}"))
}

/// Runs seeds on all cores and adds up their coverage. An error lists the seeds that failed.
pub fn seeds(from: u64, count: u64) -> Result<Coverage, Finding> {
    let outcomes: Vec<(u64, Outcome)> =
        (from..from + count).into_par_iter().map(|seed| (seed, simulate(seed, PlantedBug::None))).collect();
    let (mut coverage, mut failed) = (Coverage::default(), Vec::new());
    for (seed, outcome) in outcomes {
        coverage.add(&outcome.coverage);
        failed.extend(outcome.log.err().map(|why| report(seed, &why).0));
    }
    if failed.is_empty() {
        return Ok(coverage);
    }
    let (count, first) = (failed.len(), failed.into_iter().take(FAILED_MAX).collect::<Vec<_>>());
    Err(Finding(format!("{count} seeds failed\n{}", first.join("\n"))))
}

/// Runs the seeds that the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    if let Some(seed) = args.seed {
        return run_one(seed, args.verbose);
    }
    let (started, mut coverage, mut next) = (Instant::now(), Coverage::default(), args.from);
    let continues = |coverage: &Coverage, next: u64| match args.rounds {
        Some(rounds) => coverage.rounds < rounds,
        None => next < args.from + args.seeds,
    };
    while continues(&coverage, next) {
        // Small batches at first, so that a serious bug shows soon.
        let step = if next < args.from + 100 { 20 } else { 200 };
        let count = if args.rounds.is_some() { step } else { step.min(args.from + args.seeds - next) };
        coverage.add(&seeds(next, count)?);
        next += count;
        eprintln!(
            "seeds {}..{next}: {} rounds, {} second settlements, {} awards ({} entered anew, {} released), {} settings filed meanwhile, {} faults cleared, {} links closed, {} keys changed, {} entries, {} of {} requests \
             answered, {} repeated, {} recoveries, {:.0} s",
            args.from,
            coverage.rounds,
            coverage.second,
            coverage.awards,
            coverage.entered_anew,
            coverage.released,
            coverage.settings_while_open,
            coverage.faults_cleared,
            coverage.links_closed,
            coverage.keys_changed,
            coverage.entries,
            coverage.acknowledged,
            coverage.requests,
            coverage.repeated,
            coverage.recoveries,
            started.elapsed().as_secs_f64()
        );
    }
    for fault in Fault::ALL {
        println!("{:>9} {}", coverage.faults.get(fault).copied().unwrap_or_default(), fault.description());
    }
    let missing = coverage.missing();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Finding(format!("not covered in {} seeds:\n  {}", next - args.from, missing.join("\n  "))))
}

/// Runs one seed twice.
fn run_one(seed: u64, verbose: bool) -> Result<(), Finding> {
    let [first, second] = [verbose, false].map(|verbose| {
        let mut world = World::new(seed, library(), signer(), PlantedBug::None);
        world.verbose = verbose;
        outcome(world)
    });
    println!("{:#?}", first.coverage);
    match (first.log, second.log) {
        (Err(violation), _) | (_, Err(violation)) => Err(report(seed, &violation)),
        (Ok(one), Ok(other)) if one == other => {
            println!("both runs gave a log with digest {one}");
            Ok(())
        }
        (Ok(one), Ok(other)) => {
            Err(report(seed, &format!("two runs gave different logs: {one} and {other}")))
        }
    }
}

/// The rulebooks, parsed once.
pub(crate) fn library() -> &'static Library {
    static ONCE: OnceLock<Library> = OnceLock::new();
    ONCE.get_or_init(Library::embedded)
}

/// The message of a panic.
pub(crate) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
