//! The long runs, by command. The tests run the same code for a shorter time.

use clap::{Parser, Subcommand};
use simtest::{Finding, model, planted, power, shuffle, sim};
#[cfg(feature = "outside")]
use simtest::{blackbox, fuzz};

/// Counts memory for the fuzzing.
#[cfg(feature = "outside")]
#[global_allocator]
static MEMORY: fuzz::Counting = fuzz::Counting;

/// Looks for a lost, doubled or unexplained cent.
#[derive(Debug, Parser)]
#[command(name = "simtest", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The whole floor in one thread under faults drawn from a seed
    Sim(sim::Args),
    /// Bugs planted in a copy of the sources, each to be caught by the simulator
    Planted(planted::Args),
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
    match Cli::parse().command {
        Command::Sim(args) => sim::run(&args),
        Command::Planted(args) => planted::run(&args),
        Command::Cuts(args) => power::run(&args),
        #[cfg(feature = "outside")]
        Command::Kills(args) => blackbox::kills(&args),
        #[cfg(feature = "outside")]
        Command::Blackbox(args) => blackbox::run(&args),
        #[cfg(feature = "outside")]
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Model(args) => model::run(&args),
        Command::Shuffle(args) => shuffle::run(&args),
    }
}
