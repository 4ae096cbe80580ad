//! `megalink backup`: copies the log while it is in use, and verifies the copy. It gets its name when it is in order.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use floor::node::STREAM_UNSEALED_MAX;
use journal::sqlite::SqliteStore;
use journal::verify::{Known, verify_remaining};
use journal::{Reader as _, Stream, Version};

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
    if arguments.to.try_exists()? {
        bail!("{} already exists and is not overwritten", arguments.to.display());
    }
    let folder = arguments.to.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
        bail!("the folder {} does not exist", missing.display());
    }
    let copy = Unnamed::of(arguments, &log);
    SqliteStore::backup(&log, &copy.0).with_context(|| format!("copying {}", log.display()))?;
    let verifying = || format!("verifying the copy of {}", log.display());
    let mut reader = SqliteStore::open_read_only(&copy.0).with_context(verifying)?;
    let begins = reader.begins(&Stream::House).with_context(verifying)?;
    let known = Known { unsealed_max: Some(STREAM_UNSEALED_MAX), ..Known::default() };
    let report = match verify_remaining(&mut reader, &known, &mut |_| ()).with_context(verifying)? {
        Ok(report) => report,
        Err(findings) => {
            for finding in findings {
                eprintln!("megalink: {finding}");
            }
            eprintln!("megalink: the copy is not what was written, so no backup was made");
            return Ok(ExitCode::FAILURE);
        }
    };
    drop(reader);
    if arguments.recipient.is_empty() {
        fs::rename(&copy.0, &arguments.to).with_context(|| format!("naming {}", arguments.to.display()))?;
    } else {
        encrypt(&copy.0, &arguments.to, &arguments.recipient)?;
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
        if let Some(begins) = begins.filter(|begins| Version(1) < *begins) {
            say!(
                "what stands before entry {begins} of the house is in archives: keep a copy of their folder too"
            );
        }
        say!(
            "keep a copy of signing.key apart from it: without the key the house cannot be restarted, and with both a \
             thief has everything"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The copy before it is verified and encrypted. What is left of it when all is done goes.
struct Unnamed(PathBuf);

impl Unnamed {
    /// Beside the log, where it is no more readable than the log itself, if it is to be encrypted; else where it is to be.
    fn of(arguments: &Arguments, log: &Path) -> Unnamed {
        let beside: &Path = if arguments.recipient.is_empty() { &arguments.to } else { log };
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".copy-{}", std::process::id()));
        Unnamed(name.into())
    }
}

impl Drop for Unnamed {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(end);
            // What cannot be removed was not made.
            let _ = fs::remove_file(PathBuf::from(name));
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
