//! `megalink lab collude`: what seats gain that show each other their cards.

use std::io::{self, Write};
use std::process::ExitCode;

use lab::collude::{Sampling, collude};
use lab::exact::Lab;

use super::protect::parts_bar;
use super::question::{self, Book, Wagers};

/// Which book, how many seats, and how exactly.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    /// How many seats share their cards, 2 to 7.
    #[arg(long, value_name = "COUNT")]
    players: u8,
    /// Half the width of the 95 % interval, in Antes.
    #[arg(long, value_name = "ANTES", default_value_t = Sampling::ERROR)]
    error: f64,
    /// The same seed gives the same answer.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    wagers: Wagers,
    /// Write JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    let sampling = Sampling { players: arguments.players, error: arguments.error, seed: arguments.seed };
    let (bar, progress) = parts_bar();
    let collusion = collude(&Lab::new(), &scenario.book, &scenario.question, &sampling, &progress);
    bar.finish_and_clear();
    let collusion = collusion?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&collusion)?)?;
    } else {
        let side = if collusion.player_edge < 0.0 { "loses" } else { "wins" };
        writeln!(
            output,
            "Each of {} seats that share their cards {side} {:.3} % of an Ante a round, ± {:.3} % with 95 %, from {} deals.",
            collusion.players,
            100.0 * collusion.player_edge.abs(),
            100.0 * collusion.half_width,
            collusion.situations,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
