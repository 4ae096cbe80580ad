//! `megalink pack`: everything an examiner asks for, in one folder with an index page. The same program, rulebooks, log and
//! key give the same bytes, so that two people can make it and compare.

mod drill;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use floor::Library;
use journal::checkpoint::Signer;
use journal::{Hash, Identity, Manifest, Seal};
use lab::exact::Lab;
use lab::par;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::audit::LogBooks;
use crate::lab::shuffle;
use crate::rules;

/// The name of the form of the list of files, and the purpose of its signature.
const FORM: &str = "megalink.pack.v1";

/// What the pack is made of, and where it goes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to write. It must be empty, or not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The log to drill the recovery of: a SQLite file, or `postgres://…`. Nothing is written to it.
    #[arg(long, value_name = "FILE")]
    database: Option<String>,
    /// The file of the key that signs the manifest and the list of files.
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
    /// The date to print on the index page; without it there is none.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date)]
    date: Option<String>,
    #[command(flatten)]
    books: LogBooks,
}

/// A date as it is printed.
fn date(text: &str) -> Result<String, String> {
    let date: jiff::civil::Date = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Ok(date.to_string())
}

/// A file of the pack.
struct File {
    /// Its name, with the folder it is in.
    name: String,
    /// What it is, for the index.
    about: String,
    text: String,
}

/// The files so far.
#[derive(Default)]
struct Pack(Vec<File>);

impl Pack {
    fn add(&mut self, name: impl Into<String>, about: impl Into<String>, text: String) {
        self.0.push(File { name: name.into(), about: about.into(), text });
    }

    /// A page made from a document of the project.
    fn add_document(&mut self, name: &str, about: &str, text: &str) {
        self.add(format!("{name}.html"), about, page::of_document(text));
    }
}

/// How many decks the shuffle is tested with: enough for every test, and a matter of seconds.
const SHUFFLED_DECKS: u64 = 100_000;

/// The list of every other file, with its digest.
#[derive(Serialize)]
struct List {
    form: &'static str,
    files: BTreeMap<String, Hash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seal: Option<Seal>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    check_empty(&arguments.out)?;
    let library = arguments.books.library()?;
    let identity = server::identity::running(&library).context("reading the program's own file")?;
    let signer = arguments.signing_key.as_ref().map(|path| Signer::load(path)).transpose()?;
    let mut pack = Pack::default();
    add_identity(&mut pack, &identity, signer.as_ref())?;
    add_clauses(&mut pack, &library)?;
    add_par_sheets(&mut pack, &library)?;
    add_shuffle(&mut pack)?;
    pack.add_document("threat-model", "Threat model: what is defended, against whom", SECURITY);
    pack.add_document("reliability", "Reliability: what is promised, and how it is tested", RELIABILITY);
    pack.add_document("permissions", "Permissions: who may do what, and what takes two people", PERMISSIONS);
    let is_well = drill::add(&mut pack, arguments.database.as_deref(), &library)?;
    let index = page::index(&pack.0, &identity, arguments.date.as_deref(), signer.as_ref());
    pack.add("index.html", "This page", index);
    let list = list(&pack.0, signer.as_ref());
    pack.add("files.json", "Every file with its SHA-256", serde_json::to_string_pretty(&list)? + "\n");
    for file in &pack.0 {
        write(&arguments.out.join(&file.name), &file.text)?;
    }
    say!("{}", arguments.out.join("index.html").display());
    if !is_well {
        eprintln!("megalink: the recovery drill found something wrong; see {}", drill::PAGE);
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

const SECURITY: &str = include_str!("../../../docs/security.md");
const RELIABILITY: &str = include_str!("../../../docs/reliability.md");
const PERMISSIONS: &str = include_str!("../../../docs/permissions.md");
const CLAUSES: &str = include_str!("../../../docs/clauses.md");
const READINGS: &str = include_str!("../../../docs/readings.md");
const SHUFFLE: &str = include_str!("../../../docs/shuffle.md");

/// Refuses a folder that has something in it: an old file would be taken for a part of the pack.
fn check_empty(folder: &Path) -> anyhow::Result<()> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("reading {}", folder.display())),
        Ok(mut files) => match files.next() {
            None => Ok(()),
            Some(_) => bail!("{} is not empty; name another folder", folder.display()),
        },
    }
}

/// What runs: as JSON, and as a manifest where there is a key.
fn add_identity(pack: &mut Pack, identity: &Identity, signer: Option<&Signer>) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(identity)? + "\n";
    pack.add(
        "identity.json",
        "Build identity: version, digest of the program, digests of the rulebooks",
        text,
    );
    if let Some(signer) = signer {
        let manifest = Manifest::sign(signer, identity.clone()).to_text();
        pack.add("manifest.json", "The same, signed, for `megalink identity --check`", manifest);
    }
    Ok(())
}

/// Every clause with the tests that prove it, and what the texts leave open.
fn add_clauses(pack: &mut Pack, library: &Library) -> anyhow::Result<()> {
    pack.add_document("clauses", "Clause-to-test matrix of every rulebook", CLAUSES);
    let books: Vec<_> = library.iter().collect();
    pack.add("clauses.json", "The same for programs, with figures and readings", rules::json(&books)?);
    pack.add_document("readings", "Open readings: what the texts leave open, and how it is read", READINGS);
    Ok(())
}

/// The exact mathematics of every book.
fn add_par_sheets(pack: &mut Pack, library: &Library) -> anyhow::Result<()> {
    let lab = Lab::new();
    for book in library.iter() {
        let sheet = par::sheet(&lab, book, &par::Options::default())?;
        let about = format!("PAR sheet: {}, version {}", book.title, book.version);
        pack.add(format!("par/{}.html", book.id), &about, sheet.html());
        let json = serde_json::to_string_pretty(&sheet)? + "\n";
        pack.add(format!("par/{}.json", book.id), format!("{about}, for programs"), json);
    }
    Ok(())
}

/// How cards are shuffled, and how that is tested.
fn add_shuffle(pack: &mut Pack) -> anyhow::Result<()> {
    pack.add_document("shuffle", "Shuffle: how it is drawn, committed to and tested", SHUFFLE);
    let report = shuffle::of_tables(SHUFFLED_DECKS)?;
    pack.add(
        "shuffle-report.html",
        "Shuffle: the tests that regulators name, with p-values and plots",
        report.html(),
    );
    let json = serde_json::to_string_pretty(&report)? + "\n";
    pack.add("shuffle-report.json", "The same for programs", json);
    Ok(())
}

/// The digest of every file, signed where there is a key.
fn list(files: &[File], signer: Option<&Signer>) -> List {
    let digest = |file: &File| (file.name.clone(), Hash(Sha256::digest(file.text.as_bytes()).into()));
    let files: BTreeMap<String, Hash> = files.iter().map(digest).collect();
    let seal = signer.map(|signer| Seal::of(signer, &digest_of_list(&files)));
    List { form: FORM, files, seal }
}

/// What the signature of the list is made over.
fn digest_of_list(files: &BTreeMap<String, Hash>) -> Hash {
    let each = files.iter().flat_map(|(name, digest)| [name.as_bytes(), &digest.0]);
    Hash::of(std::iter::once(FORM.as_bytes()).chain(each))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let writing = || format!("writing {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(writing)?;
    }
    fs::write(path, text).with_context(writing)
}
