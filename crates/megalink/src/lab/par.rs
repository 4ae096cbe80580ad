//! `megalink lab par`: a PAR sheet as a page, with JSON and CSV beside it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use lab::exact::Lab;
use lab::par::{Funding, Options, SESSION_ROUNDS_MAX, sheet};
use money::Rate;

use super::question::{self, Book, Wagers};

/// Which book, what the table chooses, and where the sheet goes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    /// The page to write; JSON and CSV go beside it under the same name.
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// How much of a jackpot wager feeds the meter, in ten-thousandths; 4000 where none is named.
    #[arg(long, value_name = "N")]
    contribution_bps: Option<u64>,
    /// How much of a jackpot wager feeds the reserve that pays for resets, in ten-thousandths.
    #[arg(long, value_name = "N", default_value_t = 0)]
    reserve_bps: u64,
    /// What the meter restarts from in cents; 10000000 where none is named.
    #[arg(long, value_name = "CENTS")]
    reset: Option<u64>,
    /// How many rounds the session that is drawn has.
    #[arg(long, value_name = "N", default_value_t = 500)]
    session: u32,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let is_page = arguments.out.extension().is_some_and(|end| end == "html" || end == "htm");
    ensure!(
        is_page,
        "--out {}: the page is an .html file; JSON and CSV go beside it",
        arguments.out.display()
    );
    let asked = question::load(&arguments.book, &arguments.wagers)?;
    let scenario = &asked.scenario;
    let usual = Options::default();
    let rate =
        |points: u64| Rate::from_basis_points(points).map(Rate::basis_points).map_err(anyhow::Error::msg);
    let contribution = arguments.contribution_bps.or(scenario.link.contribution_basis_points);
    let funding = Funding {
        contribution_bps: contribution.map_or(Ok(usual.funding.contribution_bps), rate)?,
        reserve_bps: rate(arguments.reserve_bps)?,
        reset_cents: arguments.reset.or(scenario.link.reset_cents).unwrap_or(usual.funding.reset_cents),
    };
    ensure!(
        funding.contribution_bps + funding.reserve_bps <= 10_000,
        "contribution and reserve together are more than the whole wager"
    );
    ensure!(
        (1..=SESSION_ROUNDS_MAX).contains(&arguments.session),
        "--session {}: a session of 1 to {SESSION_ROUNDS_MAX} rounds is drawn",
        arguments.session
    );
    let options = Options {
        ante_cents: scenario.question.ante_cents,
        jackpot_wager_cents: scenario.question.jackpot_unit_cents(),
        meter_cents: scenario.question.meter_cents,
        funding,
        session_rounds: arguments.session,
        ante_pays_from: scenario.question.ante_pays_from,
    };
    let mut sheet = sheet(&Lab::new(), &scenario.book, &options)?;
    let mut changed: Vec<String> =
        asked.changes.iter().map(|change| format!("{} = {}", change.key, change.value)).collect();
    changed.extend(options.ante_pays_from.map(|order| format!("ante-pays-from = {}", order.name())));
    if !changed.is_empty() {
        sheet.warnings.insert(0, format!("Figures changed from the rulebook: {}.", changed.join("; ")));
    }
    let mut output = io::stdout().lock();
    for (path, text) in [
        (arguments.out.clone(), sheet.html()),
        (arguments.out.with_extension("json"), serde_json::to_string_pretty(&sheet)? + "\n"),
        (arguments.out.with_extension("csv"), sheet.csv()),
    ] {
        write(&path, &text)?;
        writeln!(output, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
