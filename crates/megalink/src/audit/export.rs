//! `megalink audit export`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use floor::audit::proof::{export_award, export_round};
use serde_json::json;

use super::{Source, print_json};

/// What to take out of the log.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// A round: TABLE and its number there.
    Round(Subject),
    /// An award, with the round it was won in: LINK and the number of its slip.
    Award(Subject),
}

#[derive(clap::Args)]
struct Subject {
    /// The table, or the link.
    name: String,
    /// The number of the round, or of the award.
    number: u64,
    /// The file to write. It must not be there yet.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write JSON about what was written.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (What::Round(subject) | What::Award(subject)) = &arguments.what;
    if subject.out.exists() {
        bail!("{} is there already; name another file", subject.out.display());
    }
    let mut reader = subject.source.open()?;
    let library = subject.source.library(&mut *reader)?;
    let text = match &arguments.what {
        What::Round(subject) => export_round(&mut *reader, &library, &subject.name, subject.number)?,
        What::Award(subject) => export_award(&mut *reader, &library, &subject.name, subject.number)?,
    };
    fs::write(&subject.out, &text).with_context(|| format!("writing {}", subject.out.display()))?;
    if subject.json {
        print_json(&json!({ "file": subject.out, "bytes": text.len() }))?;
    } else {
        let path = subject.out.display();
        say!("{path}: {} bytes; check it anywhere with `megalink audit verify {path}`", text.len());
    }
    Ok(ExitCode::SUCCESS)
}
