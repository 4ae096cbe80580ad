//! The book and the question that several commands of the lab share.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cards::HandOrder;
use lab::exact::Question;
use lab::what_if::{self, Change, Scenario};
use rulebook::Rulebook;

/// Which book, and what is changed in it.
#[derive(clap::Args)]
pub(crate) struct Book {
    /// A rulebook: its id or citation, such as megalink-holdem-v9 or MTHB9, or a file.
    rulebook: String,
    /// Read a clause otherwise than by default. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    reading: Vec<String>,
    /// What if: change a figure, such as stud.bet.royal-flush="100 to 1" or jackpot.lines.flush="50 for 1". May be
    /// repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What if: change the figures that a TOML file lists.
    #[arg(long, value_name = "FILE")]
    what_if: Option<PathBuf>,
}

/// What is wagered, in cents.
#[derive(clap::Args)]
pub(crate) struct Wagers {
    /// The Ante in cents, 2500 where none is named. It matters where it is weighed against the jackpot.
    #[arg(long, value_name = "CENTS")]
    ante: Option<u64>,
    /// The jackpot wager in cents; 0 for none. Where it may be multiplied, this is the minimum.
    #[arg(long, value_name = "CENTS")]
    pub(super) jackpot_wager: Option<u64>,
    /// The jackpot's meter in cents.
    #[arg(long, value_name = "CENTS")]
    meter: Option<u64>,
    /// The lowest hand with which a won Ante is paid: another jurisdiction's rule, to compare published results.
    #[arg(long, value_name = "HAND", value_parser = ["straight", "flush"])]
    ante_pays_from: Option<String>,
}

/// A question with all changes made.
pub(crate) struct Asked {
    /// The book, the question and the link.
    pub(crate) scenario: Scenario,
    /// The changes, in the order they were made.
    pub(crate) changes: Vec<Change>,
}

/// The book and the question as the command line has them.
pub(crate) fn load(book: &Book, wagers: &Wagers) -> anyhow::Result<Asked> {
    load_with(book, wagers, &[])
}

/// The same with further changes after those of the command line.
pub(crate) fn load_with(book: &Book, wagers: &Wagers, more: &[Change]) -> anyhow::Result<Asked> {
    let (file, text) = book_text(&book.rulebook)?;
    let mut changes = match &book.what_if {
        None => Vec::new(),
        Some(path) => what_if::read(&read(path)?).with_context(|| format!("reading {}", path.display()))?,
    };
    for text in &book.set {
        changes.push(text.parse().context("--set")?);
    }
    changes.extend_from_slice(more);
    let readings = readings(&book.reading)?;
    let usual = Question::default();
    let question = Question {
        ante_cents: wagers.ante.unwrap_or(usual.ante_cents),
        jackpot_wager_cents: wagers.jackpot_wager.unwrap_or(0),
        meter_cents: wagers.meter,
        ante_pays_from: wagers.ante_pays_from.as_deref().and_then(order),
    };
    let scenario = what_if::scenario(&file, &text, &readings, &changes, question)?;
    Ok(Asked { scenario, changes })
}

/// A book by id, citation or path, with nothing changed.
pub(crate) fn plain_book(name: &str) -> anyhow::Result<Rulebook> {
    let (file, text) = book_text(name)?;
    Ok(what_if::scenario(&file, &text, &[], &[], Question::default())?.book)
}

/// The text of the book that is asked about, before any change, and the name of its file.
pub(crate) fn text_of(book: &Book) -> anyhow::Result<(String, String)> {
    book_text(&book.rulebook)
}

/// The text of a book by id, citation or path, and the name of its file.
fn book_text(name: &str) -> anyhow::Result<(String, String)> {
    if let Some(text) = rulebook::embedded_text(name) {
        return Ok((format!("{name}.toml"), text.to_owned()));
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|end| end == "toml") {
        return Ok((name.to_owned(), read(path)?));
    }
    let books = rulebook::embedded();
    let book = books.iter().find(|book| book.citation.to_string().eq_ignore_ascii_case(name));
    let Some((id, text)) = book.and_then(|book| Some((&book.id, rulebook::embedded_text(&book.id)?))) else {
        let known: Vec<String> =
            books.iter().map(|book| format!("{} ({})", book.id, book.citation)).collect();
        bail!("no rulebook {name:?}; there are {}, and files that end in .toml", known.join(", "));
    };
    Ok((format!("{id}.toml"), text.to_owned()))
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn readings(given: &[String]) -> anyhow::Result<Vec<(&str, &str)>> {
    let pair = |text| match str::split_once(text, '=') {
        Some(pair) => Ok(pair),
        None => bail!("--reading {text:?}: write it as NAME=VALUE, such as bonus-follows=showdown"),
    };
    given.iter().map(String::as_str).map(pair).collect()
}

fn order(name: &str) -> Option<HandOrder> {
    HandOrder::ALL.into_iter().find(|order| order.name() == name)
}
