//! `megalink lab`: the exact mathematics of the games.

mod advise;
mod collude;
mod compare;
mod exact;
mod forecast;
mod par;
mod protect;
mod question;
mod risk;
pub(crate) mod shuffle;
mod simulate;
mod strategy;
mod words;

use std::process::ExitCode;

use clap::Subcommand;

/// What to ask the lab.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// The whole game under perfect play, as exact numbers.
    Exact(exact::Arguments),
    /// The exact value of each choice in one situation.
    Advise(advise::Arguments),
    /// Perfect play in a form people use, and what simpler play costs.
    Strategy(strategy::Arguments),
    /// What a seen card is worth: the exact value of perfect play when cards are known from the start.
    Protect(protect::Arguments),
    /// What seats gain that show each other their cards.
    Collude(collude::Arguments),
    /// What a jackpot's meter will do, and what funds its resets.
    Forecast(forecast::Arguments),
    /// What sessions come to, how bankrolls fare, and what the house wins in an hour.
    Risk(risk::Arguments),
    /// Two designs side by side: pay tables, contribution, reset.
    Compare(compare::Arguments),
    /// Rounds dealt by the real shuffle and settled by the real settlement, beside the exact figures.
    Simulate(simulate::Arguments),
    /// Test the shuffle with the tests that regulators name, or orders of physical decks from a file.
    Shuffle(shuffle::Arguments),
    /// A PAR sheet: one self-contained page and a PDF, with JSON and CSV beside them, signed with the key of the house.
    Par(par::Arguments),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Exact(arguments) => exact::run(arguments),
        Command::Advise(arguments) => advise::run(arguments),
        Command::Strategy(arguments) => strategy::run(arguments),
        Command::Protect(arguments) => protect::run(arguments),
        Command::Collude(arguments) => collude::run(arguments),
        Command::Forecast(arguments) => forecast::run(arguments),
        Command::Risk(arguments) => risk::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Shuffle(arguments) => shuffle::run(arguments),
        Command::Par(arguments) => par::run(arguments),
    }
}
