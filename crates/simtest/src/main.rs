//! The long runs, by command. The tests run the same code for a shorter time.

use clap::{Parser, Subcommand};
use simtest::{Finding, model, power, shuffle, sim, teeth};
#[cfg(feature = "outside")]
use simtest::{blackbox, fuzz};

/// Counts memory for the fuzzing.
#[cfg(feature = "outside")]
#[global_allocator]
static MEMORY: fuzz::Counting = fuzz::Counting;

/// Looks for a lost, doubled or unexplained cent.
#[derive(Debug, Parser)]
#[command(name = "simtest", version)]
struct Proof {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The whole floor in one thread under faults drawn from a seed
    Sim(sim::Args),
    /// Bugs planted in a copy of the sources, each to be caught by the simulator
    Teeth(teeth::Args),
    /// Power cuts at every call the store makes to its disk
    Cuts(power::Args),
    /// Processes killed at any instant
    #[cfg(feature = "outside")]
    Kills(blackbox::KillArgs),
    /// The real binary, killed, frozen, starved and cut off
    #[cfg(feature = "outside")]
    Blackbox(blackbox::Args),
    /// Every decoder against mutated input
    #[cfg(feature = "outside")]
    Fuzz(fuzz::Args),
    /// The award protocol over all interleavings
    Model(model::Args),
    /// Statistics of the shuffle and the deal
    Shuffle(shuffle::Args),
}

fn main() -> Result<(), Finding> {
    match Proof::parse().what {
        What::Sim(args) => sim::run(&args),
        What::Teeth(args) => teeth::run(&args),
        What::Cuts(args) => power::run(&args),
        #[cfg(feature = "outside")]
        What::Kills(args) => blackbox::kills(&args),
        #[cfg(feature = "outside")]
        What::Blackbox(args) => blackbox::run(&args),
        #[cfg(feature = "outside")]
        What::Fuzz(args) => fuzz::run(&args),
        What::Model(args) => model::run(&args),
        What::Shuffle(args) => shuffle::run(&args),
    }
}
