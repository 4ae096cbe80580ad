//! `megalink lab simulate`: rounds dealt and settled, beside the exact figures.

mod report;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::exact::{Lab, Question};
use lab::simulate::{JackpotSetup, Setup, Strategy, run as simulate};
use money::{Money, Pool, Rate};

use super::question::{self, Asked, Book, Wagers};

/// What to simulate, and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    /// How many rounds; underscores and the endings k, m and g are understood.
    #[arg(long, value_name = "N", default_value = "1m", value_parser = number)]
    rounds: u64,
    /// The seed of the shuffle. The same seed gives the same report, whatever the number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many players sit at the table, all playing alike.
    #[arg(long, value_name = "N", default_value_t = 1)]
    players: u8,
    /// How they play: perfect, never-fold, always-fold, blind; in stud also three-rules, a-k-j-8-3,
    /// pair-or-matched-a-k, pair and a-k (or simple); in hold'em also the rule lists three-lines, five-lines and chart.
    #[arg(long, value_name = "NAME", default_value = "perfect")]
    strategy: Strategy,
    /// Each player's Bonus in cents.
    #[arg(long, value_name = "CENTS", default_value_t = 0)]
    bonus: u64,
    /// Each player's jackpot wager, so many times the minimum; the minimum is --jackpot-wager, 500 where none is named.
    #[arg(long, value_name = "K")]
    jackpot: Option<u8>,
    /// How much of a jackpot wager feeds the meter, in ten-thousandths; 4000 where none is named.
    #[arg(long, value_name = "N")]
    contribution_bps: Option<u64>,
    /// What the meter restarts from in cents, and starts from without --meter; 10000000 where none is named.
    #[arg(long, value_name = "CENTS")]
    reset: Option<u64>,
    /// How many rounds a session has.
    #[arg(long, value_name = "N", default_value_t = 500)]
    session: u32,
    /// A bankroll in cents to ask about, beside the usual ones.
    #[arg(long, value_name = "CENTS")]
    bankroll: Option<u64>,
    /// How many threads; as many as there are cores where none is named.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Write everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let asked = question::load(&arguments.book, &arguments.wagers)?;
    let setup = setup(arguments, asked)?;
    let bar = progress_bar(setup.rounds, "rounds");
    let start = Instant::now();
    let report = simulate(&setup, &Lab::new(), |rounds| bar.inc(rounds));
    bar.finish_and_clear();
    let report = report?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(output, "{}", report::text(&setup.book, &report, start.elapsed()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The simulation that is asked for.
fn setup(arguments: &Arguments, asked: Asked) -> anyhow::Result<Setup> {
    let Asked { scenario, .. } = asked;
    let mut setup = Setup::new(scenario.book);
    setup.ante_pays_from = scenario.question.ante_pays_from;
    setup.jackpot = jackpot(arguments, &scenario.question, scenario.link)?;
    setup.rounds = arguments.rounds;
    setup.seed = arguments.seed;
    setup.players = arguments.players;
    setup.strategy = arguments.strategy;
    setup.ante = Money::from_cents(scenario.question.ante_cents);
    setup.bonus = Money::from_cents(arguments.bonus);
    setup.session_rounds = arguments.session;
    setup.bankroll = arguments.bankroll.map(Money::from_cents);
    setup.threads = arguments.threads;
    Ok(setup)
}

/// The jackpot, if there is a wager on it.
fn jackpot(
    arguments: &Arguments,
    question: &Question,
    link: lab::what_if::Link,
) -> anyhow::Result<Option<JackpotSetup>> {
    let wagered = u8::from(0 < question.jackpot_wager_cents);
    let units = arguments.jackpot.unwrap_or(wagered);
    if units == 0 {
        return Ok(None);
    }
    let points = arguments.contribution_bps.or(link.contribution_basis_points);
    let reset = Money::from_cents(arguments.reset.or(link.reset_cents).unwrap_or(JackpotSetup::RESET_CENTS));
    let meter = question.meter_cents.map_or(reset, Money::from_cents);
    Ok(Some(JackpotSetup {
        units,
        minimum: Money::from_cents(question.jackpot_unit_cents()),
        meter: Pool::try_from(meter)?,
        contribution: Rate::from_basis_points(points.unwrap_or(JackpotSetup::CONTRIBUTION_BPS))
            .map_err(anyhow::Error::msg)?,
        reset,
    }))
}

/// A number such as `10_000_000` or `10m`.
pub(super) fn number(text: &str) -> Result<u64, String> {
    let lower = text.replace('_', "").to_ascii_lowercase();
    let (digits, times) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 1_000),
        Some(b'm') => (&lower[..lower.len() - 1], 1_000_000),
        Some(b'g') => (&lower[..lower.len() - 1], 1_000_000_000),
        _ => (lower.as_str(), 1),
    };
    let number: Option<u64> = digits.parse().ok().and_then(|number: u64| number.checked_mul(times));
    number.ok_or_else(|| format!("{text:?} is no whole number; write it as 10000000, 10_000_000 or 10m"))
}

/// Progress for people who wait: on a terminal only.
pub(super) fn progress_bar(count: u64, of: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template(&format!(
        "{{bar:40}} {{human_pos}} of {{human_len}} {of}, {{per_sec}}, {{eta}} to go"
    ));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_of_rounds() {
        for (text, expected) in [
            ("10000000", 10_000_000),
            ("10_000_000", 10_000_000),
            ("10m", 10_000_000),
            ("2K", 2_000),
            ("1g", 1_000_000_000),
        ] {
            assert_eq!(number(text), Ok(expected));
        }
        for text in ["", "m", "ten", "-1", "1.5m", "99999999999g"] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
