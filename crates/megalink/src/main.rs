//! The command line of Megalink.
//!
//! Data goes to standard output, progress and errors to standard error. Exit status: 0 for success, 1 if
//! something is wrong with the data, 2 if the command could not run.

#![deny(clippy::print_stdout, reason = "`say!` prints, and ends well where the reader closes our output")]

#[macro_use]
mod output;

mod archive;
mod audit;
mod backup;
mod books;
mod checkpoints;
mod config;
mod configuration;
mod doctor;
mod export;
mod identity;
mod lab;
mod pack;
mod report;
mod rules;
mod school;
mod serve;
mod settle;
mod shoe;
mod signing_key;
mod tables;
mod witness;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;

/// A server's threads give and take memory all the time; the allocator of the system made them wait for each other.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Megalink: casino poker against the house under Marina Bay Sands' rulebooks, exact to the rule and to the cent.
#[derive(Parser)]
#[command(name = "megalink", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the floor's server: tables, meters, the API and the pages.
    Serve(serve::Arguments),
    /// Run a practice floor: no money, arranged decks, mock tables. It has a data directory and a log of its own.
    Practice(serve::Arguments),
    /// Show or check a server's configuration, or write an example.
    #[command(subcommand)]
    Config(config::Command),
    /// Say what is wrong with this installation, in plain words with what to do: disk, clock, keys, database, certificate,
    /// backups, log, witnesses.
    Doctor(doctor::Arguments),
    /// Show what runs: version, digest of the program, digests of the rulebooks. Sign it, or compare it with a manifest.
    Identity(identity::Arguments),
    /// Make the pack for an examiner: clauses and their tests, PAR sheets, threat model, recovery drill, build identity.
    Pack(pack::Arguments),
    /// Copy the log of a SQLite file into a new file while it is in use, and verify the copy.
    Backup(backup::Arguments),
    /// Export the signed checkpoints of a log, to be kept elsewhere.
    #[command(subcommand)]
    Checkpoints(checkpoints::Command),
    /// Run a witness: it keeps the checkpoints of houses elsewhere, and signs those that extend what it has seen.
    Witness(witness::Arguments),
    /// Show the public keys of a house, or make the key that is to sign next.
    SigningKey(signing_key::Arguments),
    /// Enter cards at one table from a card-reading shoe or a barcode reader, with the key of a device.
    Shoe(shoe::Arguments),
    /// Settle recorded rounds: one JSON record per line in, one settlement per line out, in order.
    Settle(settle::Arguments),
    /// Compare the rulebooks, or show one with all its clauses and the tests that prove them.
    Rules(rules::Arguments),
    /// Compute odds: house edge, strategy, variance, jackpot.
    #[command(subcommand)]
    Lab(lab::Command),
    /// Check courses that somebody wrote for the drill, or verify the certificate of an examination.
    #[command(subcommand)]
    School(school::Command),
    /// Move closed periods of a log into archive files, or check such files.
    #[command(subcommand)]
    Archive(archive::Command),
    /// Report what a gaming day, a month or a range came to: tables, games, links, awards, irregularities, people.
    Report(report::Arguments),
    /// Export rounds, entries, the ledger or awards of some gaming days, as JSON lines or CSV.
    Export(export::Arguments),
    /// Audit a floor's log: verify it, show a round, explain a meter, export a proof.
    #[command(subcommand)]
    Audit(audit::Command),
    /// Write shell completions to standard output.
    Completions {
        /// The shell to write them for.
        shell: clap_complete::Shell,
    },
    /// Write the manual page to standard output.
    Man,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments.command) {
        Ok(status) => status,
        // A reader such as `head` may close our output early; that is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("megalink: {}", output::with_causes(&error));
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Practice(arguments) => serve::practice(arguments),
        Command::Config(command) => config::run(command),
        Command::Doctor(arguments) => Ok(doctor::run(arguments)),
        Command::Identity(arguments) => identity::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::Backup(arguments) => backup::run(arguments),
        Command::Checkpoints(command) => checkpoints::run(command),
        Command::Witness(arguments) => witness::run(arguments),
        Command::SigningKey(arguments) => signing_key::run(arguments),
        Command::Shoe(arguments) => shoe::run(arguments),
        Command::Settle(arguments) => settle::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Lab(command) => lab::run(command),
        Command::School(command) => school::run(command),
        Command::Archive(command) => archive::run(command),
        Command::Report(arguments) => report::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Audit(command) => audit::run(command),
        Command::Completions { shell } => {
            // It panics where its reader closes early, so it writes into memory.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "megalink", &mut script);
            io::stdout().write_all(&script)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Man => {
            clap_mangen::Man::new(Arguments::command()).render(&mut io::stdout())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}
