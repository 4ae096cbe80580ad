//! `megalink lab protect`: what a seen card is worth.

use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::ProgressBar;
use lab::exact::Lab;
use lab::protect::{Known, Protection, protect};

use super::question::{self, Book, Wagers};
use super::simulate::progress_bar;
use super::words::count;

/// Which book, which cards are known, and how to answer.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    /// How many of the Dealer's cards are known: in hold'em 0 to 2, in stud 1 to 5 with the up card.
    #[arg(long, value_name = "COUNT")]
    dealer: Option<u8>,
    /// Hold'em: how many cards of the flop are known.
    #[arg(long, value_name = "COUNT")]
    flop: Option<u8>,
    /// Hold'em: the turn is known.
    #[arg(long)]
    turn: bool,
    /// Hold'em: the river is known.
    #[arg(long)]
    river: bool,
    #[command(flatten)]
    wagers: Wagers,
    /// Write JSON, exact numbers as decimal strings.
    #[arg(long)]
    json: bool,
}

/// Parts of the work that the progress bar counts.
const PARTS: u32 = 1_000;

/// A bar on a terminal, and what moves it to the part that is done.
pub(super) fn parts_bar() -> (ProgressBar, impl Fn(f64) + Sync) {
    let bar = progress_bar(PARTS.into(), "parts");
    let moved = bar.clone();
    let progress = move |part: f64| {
        let done = (0..=PARTS).rev().find(|done| f64::from(*done) <= part * f64::from(PARTS));
        moved.set_position(done.unwrap_or(0).into());
    };
    (bar, progress)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let scenario = question::load(&arguments.book, &arguments.wagers)?.scenario;
    let known = Known {
        dealer: arguments.dealer.unwrap_or(0),
        flop: arguments.flop,
        turn: arguments.turn.then_some(true),
        river: arguments.river.then_some(true),
    };
    let (bar, progress) = parts_bar();
    let protection = protect(&Lab::new(), &scenario.book, &scenario.question, known, &progress);
    bar.finish_and_clear();
    let protection = protection?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&protection)?)?;
    } else {
        writeln!(output, "{}", text(&protection))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(protection: &Protection) -> String {
    let side = if protection.player_edge < 0.0 { "loses" } else { "wins" };
    format!(
        "A Player who knows {} {side} {:.6} % of an Ante a round, exactly {}.\nPerfect play folds {:.4} % of {} deals.",
        words(protection.known),
        100.0 * protection.player_edge.abs(),
        protection.net.reduced(),
        100.0 * protection.fold_frequency,
        count(protection.deals),
    )
}

/// The known cards in words.
fn words(known: Known) -> String {
    let mut parts = Vec::new();
    match known.dealer {
        0 => {}
        1 => parts.push("one card of the Dealer".to_owned()),
        count => parts.push(format!("{count} cards of the Dealer")),
    }
    match known.flop {
        None | Some(0) => {}
        Some(1) => parts.push("one card of the flop".to_owned()),
        Some(count) => parts.push(format!("{count} cards of the flop")),
    }
    for (name, is_known) in [("the turn", known.turn), ("the river", known.river)] {
        if is_known == Some(true) {
            parts.push(name.to_owned());
        }
    }
    if parts.is_empty() { "no more than the rules show".to_owned() } else { parts.join(" and ") }
}
