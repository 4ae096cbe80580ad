//! `megalink audit verify`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use floor::audit::proof::{About, Checked};
use floor::audit::{self, Counts, Findings, Options, Report};
use journal::checkpoint::{Checkpoint, Signer};
use journal::witness::{Cosigned, Witnessed};
use journal::{Hash, Identity, VaultKey};
use serde_json::json;
use server::config::Config;
use server::witness::{AskError, Witness};

use super::{LogBooks, dollars, open_with, print_json, progress_bar, public_key, status};
use crate::tables;

/// What to check, and against what.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A proof written by `megalink audit export`, to be checked without a database.
    #[arg(conflicts_with = "database")]
    proof: Option<PathBuf>,
    /// A copy of the SQLite file, or `postgres://…`. Nothing is written to it.
    #[arg(long, value_name = "FILE")]
    database: Option<String>,
    /// The folder of the archives of what was taken out of the log.
    #[arg(long, value_name = "FOLDER", conflicts_with = "proof")]
    archives: Option<PathBuf>,
    /// The public key of the house, as it published it: 64 hexadecimal digits. Without it, the one the log names.
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    public_key: Option<[u8; 32]>,
    /// A file of checkpoints kept away from the database, one a line. May be repeated.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    checkpoint: Vec<PathBuf>,
    /// The vault key, to check what is kept beside the log: a file, `env:NAME` or `command:PROGRAM ARGUMENTS`.
    #[arg(long, value_name = "SOURCE", conflicts_with_all = ["proof", "signing_key"])]
    vault_key: Option<String>,
    /// The signing key file, where the vault key is derived from it.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    signing_key: Option<PathBuf>,
    /// A witness to ask what it has seen: a file, a folder or a web address. May be repeated.
    #[arg(long, value_name = "PLACE", conflicts_with = "proof")]
    witness: Vec<String>,
    /// The configuration of the server, to ask the witnesses it names.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    config: Option<PathBuf>,
    /// A file with a checkpoint that you trust: what it seals is not followed again. Of several, the newest.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    since: Option<PathBuf>,
    /// A file that keeps which periods were found in order. Where it exists, they are not followed again: a verification
    /// that was broken off goes on where it was.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    resume: Option<PathBuf>,
    /// How many threads follow periods. Without it, as many as there are processors.
    #[arg(long, value_name = "NUMBER", conflicts_with = "proof")]
    threads: Option<std::num::NonZeroUsize>,
    /// Check the log or a proof of a practice floor all the same. Without it they are refused.
    #[arg(long)]
    practice: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    books: LogBooks,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match (&arguments.proof, &arguments.database) {
        (Some(proof), _) => check_proof(arguments, proof),
        (None, Some(database)) => check_log(arguments, database),
        (None, None) => bail!("name a proof, or a database with --database"),
    }
}

fn check_log(arguments: &Arguments, database: &str) -> anyhow::Result<ExitCode> {
    let library = arguments.books.library()?;
    let checkpoints = checkpoints(&arguments.checkpoint)?;
    let witnesses = witnesses(arguments)?;
    let archives = arguments.archives.as_deref();
    let mut reader = open_with(database, archives)?;
    check_practice(arguments, audit::is_practice(&mut *reader))?;
    let house = arguments.public_key.or_else(|| audit::key_of(&mut *reader));
    let (seen, remarks) = ask(&witnesses, house)?;
    let vault_key = vault_key(arguments)?;
    let since = trusted(arguments.since.as_deref())?;
    let resumed = Resumed::open(arguments.resume.as_deref())?;
    let options = Options {
        key: arguments.public_key,
        checkpoints,
        vault_key,
        witnessed: seen,
        since,
        done: resumed.done.clone(),
    };
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    let another = |_| match reader.another()? {
        Some(another) => Ok(another),
        None => open_with(database, archives),
    };
    let others = (1..threads.map_or(1, std::num::NonZeroUsize::get)).map(another);
    let others = others.collect::<anyhow::Result<Vec<_>>>()?;
    let watcher = Watcher { bar: progress_bar(), resumed };
    let began = Instant::now();
    let mut report = audit::verify_on(&mut *reader, others, &library, &options, &watcher)?;
    watcher.bar.finish_and_clear();
    if let Some(error) = watcher.resumed.failed() {
        report.notes.push(format!("what was found in order could not be kept: {error}"));
    }
    report.notes.extend(remarks);
    let seconds = began.elapsed().as_secs_f64();
    if arguments.json {
        let auditor = server::identity::running(&library).context("reading the program's own file")?;
        print_json(&log_json(&report, seconds, &auditor))?;
    } else {
        print_log(&report, seconds)?;
    }
    Ok(status(report.is_well()))
}

/// Refuses what is of a practice floor, unless that is what was asked for.
fn check_practice(arguments: &Arguments, is_practice: bool) -> anyhow::Result<()> {
    if is_practice && !arguments.practice {
        bail!("{}. To check it all the same, give --practice", audit::PRACTICE_LOG);
    }
    Ok(())
}

/// The newest checkpoint of a file.
fn trusted(file: Option<&Path>) -> anyhow::Result<Option<Checkpoint>> {
    let Some(file) = file else { return Ok(None) };
    let all = checkpoints(&[file.to_owned()])?;
    let newest = all.into_iter().max_by_key(|checkpoint| checkpoint.number);
    newest.map(Some).with_context(|| format!("{} has no checkpoint", file.display()))
}

/// Which periods were found in order, in a file: the hash of the entry that closed each, one a line.
struct Resumed {
    done: BTreeSet<Hash>,
    file: Option<Mutex<fs::File>>,
    failed: Mutex<Option<io::Error>>,
}

impl Resumed {
    fn open(path: Option<&Path>) -> anyhow::Result<Resumed> {
        let mut resumed = Resumed { done: BTreeSet::new(), file: None, failed: Mutex::new(None) };
        let Some(path) = path else { return Ok(resumed) };
        let about = || format!("reading {}", path.display());
        if path.exists() {
            let text = fs::read_to_string(path).with_context(about)?;
            // A line that was not finished is followed again.
            resumed.done = text.lines().filter_map(|line| line.parse().ok()).collect();
        }
        let file = fs::OpenOptions::new().create(true).append(true).open(path).with_context(about)?;
        resumed.file = Some(Mutex::new(file));
        Ok(resumed)
    }

    fn failed(&self) -> Option<io::Error> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Shows the progress, and keeps what was found in order.
struct Watcher {
    bar: indicatif::ProgressBar,
    resumed: Resumed,
}

impl audit::Watch for Watcher {
    fn progress(&self, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
    }

    fn in_order(&self, closed_by: Hash) {
        let Some(file) = &self.resumed.file else { return };
        let written = writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{closed_by}");
        if let Err(error) = written {
            *self.resumed.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

/// The key that opens what is kept beside the log, where one is given.
fn vault_key(arguments: &Arguments) -> anyhow::Result<Option<VaultKey>> {
    match (&arguments.vault_key, &arguments.signing_key) {
        (Some(source), _) => Ok(Some(VaultKey::from_source(source)?)),
        (None, Some(path)) => Ok(Some(VaultKey::derived(&Signer::load(path)?))),
        (None, None) => Ok(None),
    }
}

/// The witnesses named on the command line and in the configuration.
fn witnesses(arguments: &Arguments) -> anyhow::Result<Vec<Witness>> {
    let mut witnesses = Vec::new();
    for place in &arguments.witness {
        witnesses.push(Witness::at(place).map_err(|problem| anyhow!("--witness: {problem}"))?);
    }
    if let Some(file) = &arguments.config {
        let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let config: Config = toml::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
        for settings in &config.witness {
            let witness =
                Witness::of(settings).map_err(|problem| anyhow!("witness {}: {problem}", settings.name))?;
            witnesses.push(witness);
        }
    }
    Ok(witnesses)
}

/// Asks witnesses for everything they have seen of a house. Returns also who could not be asked.
fn ask(witnesses: &[Witness], house: Option<[u8; 32]>) -> anyhow::Result<(Vec<Witnessed>, Vec<String>)> {
    let (mut seen, mut remarks) = (Vec::new(), Vec::new());
    for witness in witnesses {
        let name = &witness.name;
        match witness.seen(house.unwrap_or_default(), 0) {
            Ok(Some(checkpoints)) => {
                seen.push(Witnessed { witness: name.clone(), checkpoints });
            }
            Ok(None) => remarks.push(format!("the witness {name} cannot be asked what it has seen")),
            Err(error @ AskError::Unreachable(_)) if !witness.required => {
                remarks.push(format!("the witness {name} could not be reached: {error}"));
            }
            Err(error @ AskError::Unreachable(_)) => {
                bail!("the witness {name} could not be reached: {error}")
            }
            Err(error @ AskError::Changed(_)) => {
                bail!("what the witness {name} keeps is not what it was sent: {error}")
            }
        }
    }
    Ok((seen, remarks))
}

/// Checkpoints from files, one a line.
fn checkpoints(files: &[PathBuf]) -> anyhow::Result<Vec<Checkpoint>> {
    let mut checkpoints = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = || format!("{}, line {}", path.display(), number + 1);
            checkpoints.push(Cosigned::from_text(line.trim()).with_context(place)?.checkpoint);
        }
    }
    Ok(checkpoints)
}

fn log_json(report: &Report, seconds: f64, auditor: &Identity) -> serde_json::Value {
    json!({
        "well": report.is_well(),
        "counts": report.counts,
        "not_accounted_for": report.figure.to_string(),
        "findings": report.findings.iter().collect::<Vec<_>>(),
        "findings_in_all": report.findings.count(),
        "notes": report.notes,
        "seconds": seconds,
        "entries_per_second": per_second(report.counts.entries, seconds),
        "auditor": { "version": auditor.version, "program": auditor.program },
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate for people"
)]
fn per_second(entries: u64, seconds: f64) -> u64 {
    (entries as f64 / seconds.max(1e-6)) as u64
}

fn print_log(report: &Report, seconds: f64) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{}", counts(&report.counts))?;
    findings(&mut output, &report.findings, &report.notes)?;
    if report.is_well() {
        writeln!(
            output,
            "All is well: every cent is accounted for, and every command gives again what was written."
        )?;
    } else {
        let figure = i128::try_from(report.figure).unwrap_or(i128::MAX);
        writeln!(output, "{} found wrong; {} not accounted for.", report.findings.count(), dollars(figure))?;
    }
    let rate = per_second(report.counts.entries, seconds);
    writeln!(output, "{seconds:.2} seconds, {rate} entries a second")?;
    Ok(())
}

fn counts(counts: &Counts) -> comfy_table::Table {
    let mut table = tables::plain(&["checked", "number"]);
    tables::figures(&mut table, &[1]);
    let rows = [
        ("streams", counts.streams),
        ("entries, each chained to the one before", counts.entries),
        ("signed checkpoints", counts.checkpoints),
        ("commands given again", counts.commands),
        ("rounds", counts.rounds),
        ("settlements computed again", counts.settlements),
        ("of these corrections", counts.corrections),
        ("rounds entered into a meter again", counts.rounds_entered),
        ("awards computed again", counts.awards),
        ("shuffles made again", counts.shuffles),
        ("cards compared with their shuffle", counts.cards),
        ("transfers computed again", counts.transfers),
    ];
    for (name, number) in rows {
        table.add_row([name.to_owned(), number.to_string()]);
    }
    table
}

fn findings(output: &mut impl Write, findings: &Findings, notes: &[String]) -> io::Result<()> {
    for note in notes {
        writeln!(output, "note: {note}")?;
    }
    for finding in findings.iter() {
        writeln!(output, "WRONG {finding}")?;
    }
    Ok(())
}

fn check_proof(arguments: &Arguments, path: &Path) -> anyhow::Result<ExitCode> {
    let library = arguments.books.library()?;
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let checked = match audit::proof::check(&text, &library, arguments.public_key) {
        Ok(checked) => checked,
        // A proof that is none was found wrong; that is what was asked.
        Err(error @ audit::AuditError::NoProof(_)) => {
            if arguments.json {
                print_json(&json!({ "well": false, "error": error.to_string() }))?;
            } else {
                say!("WRONG {}: {error}", path.display());
            }
            return Ok(ExitCode::from(1));
        }
        Err(error) => return Err(error.into()),
    };
    check_practice(arguments, checked.is_practice())?;
    if arguments.json {
        print_json(&json!({
            "well": checked.is_well(),
            "about": checked.about,
            "house": checked.house,
            "key": Hash(checked.key).to_string(),
            "checkpoints": checked.checkpoints,
            "programs": checked.programs,
            "counts": checked.counts,
            "findings": checked.findings.iter().collect::<Vec<_>>(),
            "notes": checked.notes,
        }))?;
    } else {
        print_proof(&checked)?;
    }
    Ok(status(checked.is_well()))
}

fn print_proof(checked: &Checked) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    let about = match &checked.about {
        About::Round { table, number } => format!("round {number} of table {table}"),
        About::Award { link, number, table, round } => {
            format!("award {number} of link {link}, won in round {round} of table {table}")
        }
    };
    writeln!(output, "A proof of {about}, by {}.", checked.house)?;
    writeln!(output, "{}", counts(&checked.counts))?;
    for program in &checked.programs {
        writeln!(output, "It ran on {program}.")?;
    }
    findings(&mut output, &checked.findings, &checked.notes)?;
    if checked.is_well() {
        writeln!(
            output,
            "All is well: the entries are those the house signed, and the rules give the same again."
        )?;
    } else {
        writeln!(output, "{} found wrong.", checked.findings.count())?;
    }
    Ok(())
}
