//! `megalink backup`: copies the log while it is in use, and verifies the copy.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use floor::node::STREAM_UNSEALED_MAX;
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};

use crate::configuration::{self, Options};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The new file. An existing file is never overwritten.
    to: PathBuf,
    #[command(flatten)]
    options: Options,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let config = configuration::load(&arguments.options)?.config;
    let Some(log) = server::sqlite_file(&config.storage)? else {
        bail!("the log is in PostgreSQL; back it up with pg_dump or PostgreSQL's continuous archiving");
    };
    SqliteStore::backup(&log, &arguments.to).with_context(|| format!("copying {}", log.display()))?;
    let copy = || format!("verifying {}", arguments.to.display());
    let mut reader = SqliteStore::open_read_only(&arguments.to).with_context(copy)?;
    let known = Known { unsealed_max: Some(STREAM_UNSEALED_MAX), ..Known::default() };
    let report = match verify_log(&mut reader, &known, &mut |_| ()).with_context(copy)? {
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
            "{} has {} entries of {} streams, all verified; {} checkpoints seal all but {}",
            arguments.to.display(),
            report.entries,
            report.streams,
            report.checkpoints,
            report.unsealed,
        );
        println!(
            "keep a copy of signing.key in another place too: without the key the house cannot be restarted"
        );
    }
    Ok(ExitCode::SUCCESS)
}
