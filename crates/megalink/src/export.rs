//! `megalink export`: what the log has of some gaming days, for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use reports::{Days, Format, GamingDay, Log, Subject};

use crate::audit::Source;

/// What is exported, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to export.
    #[arg(value_enum)]
    what: What,
    /// The first gaming day, such as 2026-11-16: from the hour of the house on this date (06:00 in Singapore unless it was
    /// opened with another).
    #[arg(long, value_name = "DAY")]
    from: GamingDay,
    /// The last gaming day; the first where none is named.
    #[arg(long, value_name = "DAY")]
    to: Option<GamingDay>,
    /// The form. Rounds as JSON lines are records, which `megalink settle` checks.
    #[arg(long, value_enum, default_value_t = FormatName::Jsonl)]
    format: FormatName,
    /// The new file that it goes to. Without one it goes to standard output.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// Every settlement of a round; as JSON lines, every finished round as a record.
    Rounds,
    /// Every entry of the log.
    Entries,
    /// Every transfer of money.
    Ledger,
    /// Every step of every award.
    Awards,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatName {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values.
    Csv,
}

impl What {
    const fn subject(self) -> Subject {
        match self {
            What::Rounds => Subject::Rounds,
            What::Entries => Subject::Entries,
            What::Ledger => Subject::Ledger,
            What::Awards => Subject::Awards,
        }
    }
}

impl FormatName {
    const fn format(self) -> Format {
        match self {
            FormatName::Jsonl => Format::Jsonl,
            FormatName::Csv => Format::Csv,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let days = Days::new(arguments.from, arguments.to.unwrap_or(arguments.from))?;
    let (subject, format) = (arguments.what.subject(), arguments.format.format());
    let mut reader = arguments.source.open()?;
    let library = arguments.source.books()?;
    let mut log = Log::new(&mut *reader, &library)?;
    let mut output: Box<dyn Write> = match &arguments.out {
        Some(path) => {
            let file = File::create_new(path).with_context(|| format!("creating {}", path.display()))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    let written = reports::export(&mut log, subject, days, format, &mut output)?;
    eprintln!("megalink: {written} rows of {}, {days}", subject.name());
    Ok(ExitCode::SUCCESS)
}
