//! `megalink report`: what a gaming day, a month or any range came to.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use journal::checkpoint::Signer;
use journal::{Moment, VaultKey};
use reports::{DayCache, Days, GamingDay, Log, Reporter};
use round::PlayerId;

use crate::audit::Source;

/// Which days, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A gaming day, a month or a year: 2026-11-16, 2026-11 or 2026. A day begins on its date, at the
    /// hour of the house (06:00 in Singapore unless it was opened with another).
    days: Days,
    /// The last gaming day of a longer range.
    #[arg(long, value_name = "DAY")]
    to: Option<GamingDay>,
    /// The statement of one Player instead of the report.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The form: that of the file's ending where none is named, else HTML.
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// A new file that it goes to; standard output where none is named.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// A folder that keeps the totals of days that are over, so that a month or a year need not be read again.
    #[arg(long, value_name = "FOLDER", requires = "signing_key")]
    totals: Option<PathBuf>,
    /// The house's signing key: totals are sealed with it, so that nobody else can change a report.
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// A page to read or print.
    Html,
    /// Comma-separated values, one line a figure.
    Csv,
    Json,
    /// Pages to print, sign and file.
    Pdf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let days = Days::new(arguments.days.from(), arguments.to.unwrap_or(arguments.days.to()))?;
    let mut reader = arguments.source.open()?;
    let library = arguments.source.books()?;
    let mut log = Log::new(&mut *reader, &library)?;
    let cache = match (&arguments.totals, &arguments.signing_key) {
        (Some(folder), Some(key)) => DayCache::in_folder(folder, VaultKey::derived(&Signer::load(key)?)),
        (_, _) => DayCache::default(),
    };
    let report = match &arguments.player {
        Some(player) => reports::statement(&mut log, &PlayerId::new(player), days, Moment::now())?,
        None => Reporter::new(cache).report(&mut log, days, Moment::now())?,
    };
    let ending = arguments.out.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
    let named = ending.and_then(|ending| FormatName::from_str(ending, true).ok());
    let text = match arguments.format.or(named).unwrap_or(FormatName::Html) {
        FormatName::Html => report.html().into_bytes(),
        FormatName::Csv => report.csv().into_bytes(),
        FormatName::Json => format!("{}\n", serde_json::to_string_pretty(&report)?).into_bytes(),
        FormatName::Pdf => report.pdf(),
    };
    match &arguments.out {
        Some(path) => {
            let mut file =
                fs::File::create_new(path).with_context(|| format!("creating {}", path.display()))?;
            file.write_all(&text).context("writing the report")?;
        }
        None => std::io::stdout().write_all(&text).context("writing the report")?,
    }
    Ok(ExitCode::SUCCESS)
}
