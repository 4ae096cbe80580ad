//! The rulebooks of a command: the built-in ones, and files given with options.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use record::Books;
use rulebook::Rulebook;

/// Which books, and how they are read.
#[derive(clap::Args)]
pub(crate) struct BookOptions {
    /// A rulebook file to add to the built-in ones. It replaces a book with the same id. May be repeated.
    #[arg(long, value_name = "FILE")]
    rulebook_file: Vec<PathBuf>,
    /// Choose another value for a reading, in every book that has it. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    reading: Vec<String>,
}

/// The books for these options.
pub(crate) fn load(options: &BookOptions) -> anyhow::Result<Books> {
    let mut books = Vec::new();
    let readings = readings(&options.reading)?;
    for (file, text) in rulebook::embedded_texts() {
        add(&mut books, file, text, &readings)?;
    }
    for path in &options.rulebook_file {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        add(&mut books, &path.display().to_string(), &text, &readings)?;
    }
    for (name, _) in &readings {
        if !books.iter().any(|book| book.reading(name).is_some()) {
            bail!("no rulebook has a reading {name:?}; see `megalink rules --readings` for the list");
        }
    }
    Ok(Books::new(books))
}

/// Adds a book with its readings set. It replaces an earlier book with the same id.
fn add(books: &mut Vec<Rulebook>, file: &str, text: &str, readings: &[(&str, &str)]) -> anyhow::Result<()> {
    let mut book = Rulebook::parse(file, text)?;
    let changed: Vec<(&str, &str)> =
        readings.iter().filter(|(name, _)| book.reading(name).is_some()).copied().collect();
    if !changed.is_empty() {
        book = Rulebook::parse_with(file, text, &changed)?;
    }
    books.retain(|earlier| earlier.id != book.id);
    books.push(book);
    Ok(())
}

fn readings(given: &[String]) -> anyhow::Result<Vec<(&str, &str)>> {
    let pair = |text| match str::split_once(text, '=') {
        Some(pair) => Ok(pair),
        None => bail!("--reading {text:?}: write it as NAME=VALUE, such as bonus-follows=showdown"),
    };
    given.iter().map(String::as_str).map(pair).collect()
}
