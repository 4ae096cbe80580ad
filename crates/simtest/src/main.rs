//! The command line of the long runs. The tests run the same code for a shorter time.

use clap::{Parser, Subcommand};
use simtest::{Finding, freemoney, model, planted, power, redteam, sim};
#[cfg(feature = "outside")]
use simtest::{blackbox, fuzz};

/// Counts memory, for the fuzzing.
#[cfg(feature = "outside")]
#[global_allocator]
static MEMORY: fuzz::Counting = fuzz::Counting;

/// Searches for a cent that is lost, doubled or unexplained.
#[derive(Debug, Parser)]
#[command(name = "simtest", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the whole floor in one thread under faults drawn from a seed
    Sim(sim::Args),
    /// Plants bugs in a copy of the sources; the simulator must catch each
    Planted(planted::Args),
    /// Cuts the power at every call that the store makes to its disk
    Cuts(power::Args),
    /// Kills processes at random moments
    #[cfg(feature = "outside")]
    Kills(blackbox::KillArgs),
    /// Kills, pauses and cuts off the real binary, fills its disk and stops its database
    #[cfg(feature = "outside")]
    Blackbox(blackbox::Args),
    /// Gives mutated input to every decoder
    #[cfg(feature = "outside")]
    Fuzz(fuzz::Args),
    /// Lets insiders try every command alone, and operators alter the finished file
    Redteam(redteam::Args),
    /// Searches for Players who win more than the rules give: silence, late chips, leaving, sharing, failures
    Freemoney(freemoney::Args),
    /// Checks the award protocol in every order of its steps
    Model(model::Args),
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
        Command::Redteam(args) => redteam::run(&args),
        Command::Freemoney(args) => freemoney::run(&args),
        Command::Model(args) => model::run(&args),
    }
}
