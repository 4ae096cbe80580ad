//! `megalink lab par`: a PAR sheet as a page, with JSON and CSV beside it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use lab::exact::Lab;
use lab::par::{Options, SESSION_ROUNDS_MAX, sheet};

use super::forecast::LinkArguments;
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
    #[command(flatten)]
    link: LinkArguments,
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
    let funding = arguments.link.funding(scenario.link)?;
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
