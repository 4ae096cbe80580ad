//! The rulebooks of a command: the built-in ones, and files given with options.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use record::Books;

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

/// The books for these options. A book that comes with records has the readings too.
pub(crate) fn load(options: &BookOptions) -> anyhow::Result<Books> {
    let readings = readings(&options.reading)?;
    let mut books = Books::with_readings(readings.clone());
    for (file, text) in rulebook::embedded_texts() {
        books.add(file, text)?;
    }
    for path in &options.rulebook_file {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        books.add(&path.display().to_string(), &text)?;
    }
    for (name, _) in &readings {
        if !books.iter().any(|book| book.reading(name).is_some()) {
            bail!("no rulebook has a reading {name:?}; see `megalink rules --readings` for the list");
        }
    }
    Ok(books)
}

fn readings(given: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |text| match str::split_once(text, '=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => bail!("--reading {text:?}: write it as NAME=VALUE, such as bonus-follows=showdown"),
    };
    given.iter().map(String::as_str).map(pair).collect()
}
