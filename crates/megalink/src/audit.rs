//! `megalink audit`: a floor's log checked, told and taken out, offline and without changing anything.

mod export;
mod meter;
mod records;
mod replay;
mod round;
mod statistics;
mod verify;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, path::Path};

use anyhow::{Context, bail};
use floor::Library;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use journal::archive::Joined;
use journal::postgres::PostgresStore;
use journal::sqlite::SqliteStore;
use journal::{Hash, Reader};
use rulebook::Rulebook;
use server::config::Database;

/// What may be asked of the auditor.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Check everything: chain, checkpoints, money, and every command given again. Or check an exported proof.
    Verify(verify::Arguments),
    /// Tell one round step by step: who did what, the cards, each wager with its clause, the money, the hashes.
    Round(round::Arguments),
    /// Settle rounds as another rulebook, or another reading, would have.
    Replay(replay::Arguments),
    /// Write finished rounds as records, one JSON object a line, for `megalink settle`.
    Records(records::Arguments),
    /// Explain a meter: what it opened with, what came in and what went out, and that the ledger agrees.
    Meter(meter::Arguments),
    /// Take a round or an award out of the log, as one file that `verify` checks without the database.
    Export(export::Arguments),
    /// Is it honest? Results beside what was expected, what decisions cost, who may have known a hidden card, and the cards.
    Statistics(statistics::Arguments),
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Verify(arguments) => verify::run(arguments),
        Command::Round(arguments) => round::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Records(arguments) => records::run(arguments),
        Command::Meter(arguments) => meter::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Statistics(arguments) => statistics::run(arguments),
    }
}

/// The log to look at.
#[derive(clap::Args)]
pub(crate) struct Source {
    /// A copy of the SQLite file, or `postgres://…`. Nothing is written to it.
    #[arg(long, value_name = "FILE")]
    database: String,
    /// The folder of the archives of what was taken out of the log.
    #[arg(long, value_name = "FOLDER")]
    archives: Option<PathBuf>,
    #[command(flatten)]
    books: LogBooks,
}

/// The rulebooks a log was written under.
#[derive(clap::Args)]
pub(crate) struct LogBooks {
    /// A rulebook file the log was written under, beside the embedded ones or in place of the one with the same id.
    /// May be repeated.
    #[arg(long, value_name = "FILE")]
    rulebook_file: Vec<PathBuf>,
}

impl Source {
    /// Opens the log for reading.
    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn Reader>> {
        let mut reader = open_with(&self.database, self.archives.as_deref())?;
        if floor::audit::is_practice(&mut *reader) {
            eprintln!("megalink: {}: {}", self.database, floor::audit::PRACTICE_LOG);
        }
        Ok(reader)
    }

    /// The rulebooks that the program has, and those given.
    pub(crate) fn books(&self) -> anyhow::Result<Library> {
        self.books.library()
    }

    /// The rulebooks it was written under: those the program has and those given, with those its house changed to.
    pub(crate) fn library(&self, reader: &mut dyn Reader) -> anyhow::Result<Library> {
        Ok(floor::audit::library_of(reader, &self.books.library()?)?)
    }
}

impl LogBooks {
    /// The embedded books and those given, a given one in place of the embedded one of its id.
    pub(crate) fn library(&self) -> anyhow::Result<Library> {
        let mut texts: Vec<(String, String, String)> = Vec::new();
        let embedded = rulebook::embedded_texts().map(|(file, text)| (file.to_owned(), text.to_owned()));
        let given = self.rulebook_file.iter().map(|path| {
            let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
            Ok((path.display().to_string(), text))
        });
        for book in embedded.map(anyhow::Ok).chain(given) {
            let (file, text) = book?;
            let id = Rulebook::parse(&file, &text)?.id;
            texts.retain(|(earlier, ..)| *earlier != id);
            texts.push((id, file, text));
        }
        Ok(Library::of(texts.iter().map(|(_, file, text)| (file.as_str(), text.as_str())))?)
    }
}

/// Opens a log for reading, with the archives of what was taken out of it.
pub(crate) fn open_with(database: &str, archives: Option<&Path>) -> anyhow::Result<Box<dyn Reader>> {
    let live = open(database)?;
    match archives {
        None => Ok(live),
        Some(folder) => Ok(Box::new(Joined::open(live, folder).context("opening the archives")?)),
    }
}

/// Opens a log for reading, wherever it is kept.
pub(crate) fn open(database: &str) -> anyhow::Result<Box<dyn Reader>> {
    let path = match named(database)? {
        Database::Postgres(url) => {
            return PostgresStore::open_read_only(&url).context("opening the database");
        }
        Database::Sqlite(path) => path,
    };
    match fs::metadata(&path) {
        Err(error) => return Err(error).with_context(|| format!("opening {database}")),
        Ok(about) if about.is_dir() => bail!("{database} is a directory; name the database file in it"),
        Ok(_) => {}
    }
    let reader = SqliteStore::open_read_only(&path);
    Ok(Box::new(reader.with_context(|| format!("opening {database} as the log of a floor"))?))
}

/// The database that a person named.
pub(crate) fn named(database: &str) -> anyhow::Result<Database> {
    database.parse().map_err(anyhow::Error::msg)
}

/// A public key, as 64 hexadecimal digits.
pub(crate) fn public_key(text: &str) -> Result<[u8; 32], String> {
    let key: Hash = text.trim().parse().map_err(|error: journal::HashError| error.to_string())?;
    Ok(key.0)
}

/// Progress for people who wait: only on a terminal.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{human_pos} of {human_len} entries, {per_sec}, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Ten-thousandths of a cent, in dollars with six places.
pub(crate) fn dollars(amount: i128) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let amount = amount.unsigned_abs();
    let cents = u64::try_from(amount / 10_000).unwrap_or(u64::MAX);
    format!("{sign}{}{:04}", money::Money::from_cents(cents), amount % 10_000)
}

/// One JSON value, on standard output.
fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    say!("{}", serde_json::to_string_pretty(value)?);
    Ok(())
}

/// 0 where all is well, 1 where something was found wrong.
fn status(is_well: bool) -> ExitCode {
    if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
