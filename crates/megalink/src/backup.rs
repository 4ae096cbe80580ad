//! `megalink backup`: a copy of the log, taken while it is in use, and verified.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};

use crate::configuration::{self, Options};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The new file. It is never written over.
    to: PathBuf,
    #[command(flatten)]
    options: Options,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let config = configuration::load(&arguments.options)?.config;
    let Some(log) = server::sqlite_file(&config.storage)? else {
        bail!("the log is in PostgreSQL: use pg_dump, or PostgreSQL's own continuous archiving");
    };
    SqliteStore::backup(&log, &arguments.to).with_context(|| format!("copying {}", log.display()))?;
    let copy = || format!("verifying {}", arguments.to.display());
    let mut reader = SqliteStore::open_read_only(&arguments.to).with_context(copy)?;
    let report = match verify_log(&mut reader, &Known::default(), &mut |_| ()).with_context(copy)? {
        Ok(report) => report,
        Err(findings) => {
            for finding in findings {
                eprintln!("megalink: {finding}");
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    if arguments.json {
        let answer = serde_json::json!({
            "from": log, "to": arguments.to, "entries": report.entries, "streams": report.streams,
            "checkpoints": report.checkpoints, "unsealed": report.unsealed,
        });
        println!("{answer}");
    } else {
        println!(
            "{} holds {} entries of {} streams, verified; {} checkpoints seal all but {}",
            arguments.to.display(),
            report.entries,
            report.streams,
            report.checkpoints,
            report.unsealed,
        );
        println!(
            "keep signing.key with it, in another place: without the key the house cannot be carried on"
        );
    }
    Ok(ExitCode::SUCCESS)
}
