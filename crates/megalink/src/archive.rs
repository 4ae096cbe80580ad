//! `megalink archive`: closed periods of a log in files of their own.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use floor::audit::day_rule_of;
use journal::archive::{Archive, Archived, archive_until_on, write_due};
use journal::postgres::PostgresStore;
use journal::sqlite::SqliteStore;
use journal::{Hash, Moment, Reader, Store};
use server::config::Database;

use crate::audit::{named, open, public_key};
use crate::tables;

/// How many entries are taken out of the log at once.
const AT_ONCE: usize = 1000;

/// What is done with archives.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Write the closed periods of a log into a folder, a gaming day to a file. A running server does it by itself where
    /// its configuration names the folder.
    Write(Write),
    /// Check every archive of a folder by itself, and that none is missing before or between them.
    Verify(Verify),
}

#[derive(clap::Args)]
pub(crate) struct Write {
    /// The SQLite file, or `postgres://…`.
    #[arg(long, value_name = "FILE")]
    database: String,
    /// Where the archives are.
    #[arg(long, value_name = "FOLDER")]
    archives: PathBuf,
    /// How many days stay in the log.
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_days: u16,
    /// Take what is archived out of the log. The server must not be running on a SQLite file.
    #[arg(long)]
    prune: bool,
}

#[derive(clap::Args)]
pub(crate) struct Verify {
    /// Where the archives are.
    #[arg(value_name = "FOLDER")]
    archives: PathBuf,
    /// The public key of the house, as it published it: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    public_key: Option<[u8; 32]>,
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Write(arguments) => write(arguments),
        Command::Verify(arguments) => verify(arguments),
    }
}

fn write(arguments: &Write) -> anyhow::Result<ExitCode> {
    let database = &arguments.database;
    std::fs::create_dir_all(&arguments.archives)
        .with_context(|| format!("making the folder {}", arguments.archives.display()))?;
    let days = Duration::from_secs(u64::from(arguments.keep_days).saturating_mul(24 * 60 * 60));
    let millis = u64::try_from(days.as_millis()).unwrap_or(u64::MAX);
    let before = Moment(Moment::now().0.saturating_sub(millis));
    let mut store: Option<Box<dyn Store>> = match (arguments.prune, named(database)?) {
        (false, _) => None,
        (true, Database::Postgres(url)) => Some(Box::new(PostgresStore::connect(&url)?)),
        (true, Database::Sqlite(path)) => Some(Box::new(SqliteStore::open(path)?)),
    };
    let mut reader: Box<dyn Reader> = match &store {
        Some(store) => store.reader()?,
        None => open(database)?,
    };
    let (folder, days) = (&arguments.archives, day_rule_of(&mut *reader)?);
    let archived = if arguments.prune {
        archive_until_on(&mut *reader, folder, before, days, processors())?
    } else {
        let written = write_due(&mut *reader, folder, before, days, processors())?;
        Archived { written, ..Archived::default() }
    };
    for written in &archived.written {
        say!("{}: {} entries, {} bytes", written.path.display(), written.entries, written.bytes);
    }
    if archived.written.is_empty() {
        say!("Nothing new is due: every period that was closed by then is archived.");
    }
    if let Some(store) = &mut store {
        drop(reader);
        let mut taken = 0;
        loop {
            match store.prune(&archived.pruning, AT_ONCE)? {
                0 => break,
                more => taken += more,
            }
        }
        say!("{taken} entries and answers were taken out of the log.");
    }
    Ok(ExitCode::SUCCESS)
}

/// How many processors there are.
fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn verify(arguments: &Verify) -> anyhow::Result<ExitCode> {
    let archives = Archive::open_folder(&arguments.archives)?;
    if archives.is_empty() {
        bail!("there is no archive in {}", arguments.archives.display());
    }
    let mut table = tables::plain(&["archive", "entries", "closed by", "sealed by"]);
    let mut wrong = Vec::new();
    if let Some(before) = archives.first().and_then(Archive::opened_by) {
        let folder = arguments.archives.display();
        let what = format!(
            "{folder}: the archives up to house entry {} are missing; put the files back",
            before.version
        );
        wrong.push(what);
    }
    for mut archive in archives {
        let path = archive.path().display().to_string();
        let found = archive.verify_on(arguments.public_key, processors())?;
        wrong.extend(found.into_iter().map(|what| format!("{path}: {what}")));
        let seal = archive.seal()?;
        table.add_row([
            path,
            archive.entries_count().to_string(),
            format!("house entry {}", archive.closed_by().version),
            format!("checkpoint {}, key {}", seal.number, Hash(seal.key)),
        ]);
    }
    say!("{table}");
    for what in &wrong {
        say!("WRONG {what}");
    }
    if wrong.is_empty() {
        say!("All is well: every archive is what was written, and none is missing before or between them.");
    }
    Ok(ExitCode::from(u8::from(!wrong.is_empty())))
}
