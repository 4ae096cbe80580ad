//! `megalink backup`: copies the log while it is in use, and verifies the copy.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use floor::node::STREAM_UNSEALED_MAX;
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_log};

use crate::configuration::{self, Options};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The new file. An existing file is never overwritten.
    to: PathBuf,
    /// Encrypt the copy to a public key of `age` (age1…), with the program `age`. May be repeated.
    #[arg(long, value_name = "KEY")]
    recipient: Vec<String>,
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
    if !arguments.recipient.is_empty() && arguments.to.exists() {
        bail!("{} already exists and is not overwritten", arguments.to.display());
    }
    let plain = Plain::of(arguments, &log);
    SqliteStore::backup(&log, plain.path()).with_context(|| format!("copying {}", log.display()))?;
    let copy = || format!("verifying {}", plain.path().display());
    let mut reader = SqliteStore::open_read_only(plain.path()).with_context(copy)?;
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
    drop(reader);
    if let Plain::Removed(path) = &plain {
        encrypt(path, &arguments.to, &arguments.recipient)?;
    }
    if arguments.json {
        let answer = serde_json::json!({
            "from": log, "to": arguments.to, "entries": report.entries, "streams": report.streams,
            "checkpoints": report.checkpoints, "unsealed": report.unsealed,
        });
        say!("{answer}");
    } else {
        say!(
            "{} has {} entries of {} streams, all verified; {} checkpoints seal all but {}",
            arguments.to.display(),
            report.entries,
            report.streams,
            report.checkpoints,
            report.unsealed,
        );
        say!(
            "keep a copy of signing.key apart from it: without the key the house cannot be restarted, and with both a \
             thief has everything"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The copy before it is encrypted.
enum Plain {
    /// It is what was asked for.
    Kept(PathBuf),
    /// It lies beside the log, where it is no more readable than the log itself, and goes when it is encrypted.
    Removed(PathBuf),
}

impl Plain {
    fn of(arguments: &Arguments, log: &Path) -> Plain {
        if arguments.recipient.is_empty() {
            return Plain::Kept(arguments.to.clone());
        }
        let mut name = log.as_os_str().to_owned();
        name.push(format!(".copy-{}", std::process::id()));
        Plain::Removed(name.into())
    }

    fn path(&self) -> &Path {
        match self {
            Plain::Kept(path) | Plain::Removed(path) => path,
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        if let Plain::Removed(path) = self {
            // What cannot be removed was not made.
            let _ = fs::remove_file(path);
        }
    }
}

/// Encrypts a file with `age`. The file gets its name when it is complete.
fn encrypt(from: &Path, to: &Path, recipients: &[String]) -> anyhow::Result<()> {
    let mut unfinished = to.as_os_str().to_owned();
    unfinished.push(".part");
    let unfinished = PathBuf::from(unfinished);
    let mut age = Command::new("age");
    for recipient in recipients {
        age.arg("--recipient").arg(recipient);
    }
    let ran = age.arg("--output").arg(&unfinished).arg(from).output();
    let ran = ran.context("running age, which encrypts the copy; install it (Debian: apt install age)")?;
    if !ran.status.success() {
        let _ = fs::remove_file(&unfinished);
        bail!("age did not encrypt the copy: {}", String::from_utf8_lossy(&ran.stderr).trim());
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).context("writing the copy")?;
    fs::rename(&unfinished, to).with_context(|| format!("naming {}", to.display()))
}
