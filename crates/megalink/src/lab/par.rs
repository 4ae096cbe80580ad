//! `megalink lab par`: a PAR sheet as a page and a PDF, with JSON and CSV beside them, signed where there is a key.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use jiff::Timestamp;
use journal::checkpoint::Signer;
use journal::{Hash, Seal};
use lab::exact::Lab;
use lab::par::{BONUS_CENTS, Evidence, Made, Options, SESSION_ROUNDS_MAX, Sheet, sheet, submission};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::forecast::LinkArguments;
use super::question::{self, Asked, Book, Wagers};
use super::simulate::{number, progress_bar};
use crate::audit::public_key;

/// Which book, what the table chooses, and where the sheet goes.
#[derive(clap::Args)]
#[command(
    after_help = "With --signing-key the digests of all files, the rulebook's, the program's and the day are signed in a file \
                        whose name ends in .signed.json; --check compares the files beside it with it."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    /// The page to write; PDF, JSON and CSV go beside it under the same name.
    #[arg(long, value_name = "FILE.html", required_unless_present = "check")]
    out: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArguments,
    /// The Bonus in cents that all wagers together are counted with, where the game has one.
    #[arg(long, value_name = "CENTS", default_value_t = BONUS_CENTS)]
    bonus: u64,
    /// How many rounds the session that is drawn has.
    #[arg(long, value_name = "N", default_value_t = 500)]
    session: u32,
    /// How many rounds are simulated as evidence; underscores and the endings k, m and g are understood.
    #[arg(long, value_name = "N", default_value = "5m", value_parser = number)]
    simulated: u64,
    /// The seed of the simulation.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The day on the sheet, such as 2026-11-16; today where none is named.
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// Leave out what takes longer than a second: strategy, all wagers together, the meter's future, protection, simulation.
    #[arg(long)]
    brief: bool,
    /// Sign with this key, such as signing.key in the data directory of the house.
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
    /// Compare files with what was signed of them. Exit status 1 where something differs.
    #[arg(long, value_name = "FILE.signed.json", requires = "public_key", conflicts_with = "out")]
    check: Option<PathBuf>,
    /// The public key that they are to be signed with: 64 hexadecimal digits.
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    public_key: Option<[u8; 32]>,
}

/// The name of the form of a signed list of files.
const FORM: &str = "megalink.par.v1";

/// What is signed of a sheet.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    form: String,
    sheet: SignedSheet,
    seal: Seal,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignedSheet {
    rulebook: String,
    rulebook_digest: String,
    /// The version of the program.
    version: String,
    program_digest: String,
    made_on: String,
    /// SHA-256 by file name.
    files: BTreeMap<String, Hash>,
}

impl SignedSheet {
    fn digest(&self) -> anyhow::Result<Hash> {
        let mut text = FORM.as_bytes().to_vec();
        text.push(b'\n');
        text.extend(serde_json::to_vec(self)?);
        Ok(Hash(Sha256::digest(text).into()))
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let (Some(path), Some(key)) = (&arguments.check, arguments.public_key) {
        return check(path, key);
    }
    let Some(out) = &arguments.out else { bail!("--out FILE.html says where the sheet goes") };
    let is_page = out.extension().is_some_and(|end| end == "html" || end == "htm");
    ensure!(is_page, "--out {}: the page is an .html file; PDF, JSON and CSV go beside it", out.display());
    let asked = question::load(&arguments.book, &arguments.wagers)?;
    let signer = arguments.signing_key.as_ref().map(|path| Signer::load(path)).transpose()?;
    check_free(out)?;
    for ending in ["pdf", "json", "csv"].into_iter().chain(signer.is_some().then_some("signed.json")) {
        check_free(&out.with_extension(ending))?;
    }
    let made = made(arguments)?;
    let sheet = made_sheet(arguments, &asked, made.clone())?;
    let files = [
        (out.clone(), sheet.html().into_bytes()),
        (out.with_extension("pdf"), sheet.pdf()),
        (out.with_extension("json"), (serde_json::to_string_pretty(&sheet)? + "\n").into_bytes()),
        (out.with_extension("csv"), sheet.csv().into_bytes()),
    ];
    let mut output = io::stdout().lock();
    let mut digests = BTreeMap::new();
    for (path, text) in &files {
        write(path, text)?;
        writeln!(output, "{}", path.display())?;
        digests.insert(name_of(path)?, Hash(Sha256::digest(text).into()));
    }
    if let Some(signer) = signer {
        let listed = SignedSheet {
            rulebook: sheet.rulebook.clone(),
            rulebook_digest: made.rulebook_digest,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program_digest: made.program_digest,
            made_on: made.on,
            files: digests,
        };
        let seal = Seal::of(&signer, &listed.digest()?);
        let path = out.with_extension("signed.json");
        let text =
            serde_json::to_string_pretty(&Signed { form: FORM.to_owned(), sheet: listed, seal })? + "\n";
        write(&path, text.as_bytes())?;
        writeln!(output, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The day, and the digests of rulebook and program.
fn made(arguments: &Arguments) -> anyhow::Result<Made> {
    let on = match &arguments.date {
        Some(day) => {
            day.parse::<jiff::civil::Date>().with_context(|| format!("--date {day}"))?;
            day.clone()
        }
        None => Timestamp::now().strftime("%Y-%m-%d").to_string(),
    };
    let (_, text) = question::text_of(&arguments.book)?;
    let rulebook: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let program = server::identity::program_digest().context("reading the program's own file")?;
    Ok(Made { on, rulebook_digest: Hash(rulebook).to_string(), program_digest: program.to_string() })
}

fn made_sheet(arguments: &Arguments, asked: &Asked, made: Made) -> anyhow::Result<Sheet> {
    let scenario = &asked.scenario;
    ensure!(
        (1..=SESSION_ROUNDS_MAX).contains(&arguments.session),
        "--session {}: a session of 1 to {SESSION_ROUNDS_MAX} rounds is drawn",
        arguments.session
    );
    let options = Options {
        ante_cents: scenario.question.ante_cents,
        jackpot_wager_cents: scenario.question.jackpot_unit_cents(),
        meter_cents: scenario.question.meter_cents,
        funding: arguments.link.funding(scenario.link)?,
        session_rounds: arguments.session,
        ante_pays_from: scenario.question.ante_pays_from,
    };
    let lab = Lab::new();
    let mut sheet = if arguments.brief {
        let mut sheet = sheet(&lab, &scenario.book, &options)?;
        sheet.made = Some(made);
        sheet
    } else {
        let bar = progress_bar(arguments.simulated, "rounds");
        let evidence = Evidence {
            made,
            bonus_cents: arguments.bonus,
            rounds: arguments.simulated,
            seed: arguments.seed,
            progress: &|rounds| bar.inc(rounds),
        };
        let sheet = submission(&lab, &scenario.book, &options, &evidence);
        bar.finish_and_clear();
        sheet?
    };
    let mut changed: Vec<String> =
        asked.changes.iter().map(|change| format!("{} = {}", change.key, change.value)).collect();
    changed.extend(options.ante_pays_from.map(|order| format!("ante-pays-from = {}", order.name())));
    if !changed.is_empty() {
        sheet.warnings.insert(0, format!("Figures changed from the rulebook: {}.", changed.join("; ")));
    }
    Ok(sheet)
}

/// Compares the files beside a signed list with it.
fn check(path: &Path, key: [u8; 32]) -> anyhow::Result<ExitCode> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let signed: Signed =
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    let mut wrong = Vec::new();
    if signed.form != FORM {
        wrong.push(format!("its form is {:?}, and this program reads {FORM:?}", signed.form));
    }
    if signed.seal.key != Hash(key) {
        wrong.push(format!("it is signed with the key {}", signed.seal.key));
    }
    if !signed.seal.holds(&signed.sheet.digest()?) {
        wrong.push("the signature is not of this list".to_owned());
    }
    for (name, digest) in &signed.sheet.files {
        match fs::read(path.with_file_name(name)) {
            Ok(file) if Hash(Sha256::digest(&file).into()) == *digest => {}
            Ok(_) => wrong.push(format!("{name} is not the file that was signed")),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    let mut output = io::stdout().lock();
    for what in &wrong {
        writeln!(output, "WRONG {}: {what}", path.display())?;
    }
    if wrong.is_empty() {
        let SignedSheet { rulebook, made_on, .. } = &signed.sheet;
        writeln!(output, "All is well: the sheet of {rulebook} of {made_on} is as it was signed.")?;
    }
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Refuses before anything is counted what cannot be written, or would be written over.
fn check_free(path: &Path) -> anyhow::Result<()> {
    ensure!(!path.exists(), "{} is there already; name another file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    ensure!(folder.is_none_or(Path::is_dir), "{}: there is no such folder; make it first", path.display());
    Ok(())
}

fn name_of(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).with_context(|| format!("{}: no name of a file", path.display()))
}

fn write(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
