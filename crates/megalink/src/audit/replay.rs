//! `megalink audit replay`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use floor::audit::{self, AsBook, Comparison, Replayed};
use money::Money;
use rulebook::Rulebook;
use serde_json::json;

use super::{Source, print_json};
use crate::tables;

/// Which rounds, and as which book.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The table.
    table: String,
    /// The number of the round there.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    number: Option<u64>,
    /// Every round of the table.
    #[arg(long)]
    all: bool,
    /// The rulebook to settle them under, by its id or citation. A book given with --rulebook-file will do.
    #[arg(long, value_name = "RULEBOOK")]
    r#as: String,
    /// Read a clause otherwise than by default. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    reading: Vec<String>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let book = Arc::new(book(arguments)?);
    let asked = AsBook { table: arguments.table.clone(), round: arguments.number, book: Arc::clone(&book) };
    let mut reader = arguments.source.open()?;
    let library = arguments.source.library(&mut *reader)?;
    let mut comparisons = Vec::new();
    let replayed = audit::replay(&mut *reader, &library, &asked, &mut |comparison| {
        // Of a whole table only what differs is of interest.
        let matters =
            arguments.number.is_some() || comparison.why_not.is_some() || !comparison.differences.is_empty();
        if matters {
            comparisons.push(comparison.clone());
        }
    })?;
    if arguments.json {
        print_json(&json!({ "as": book.id, "total": replayed, "rounds": comparisons }))?;
    } else {
        print(&book, &replayed, &comparisons)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The book asked for, read as asked.
fn book(arguments: &Arguments) -> anyhow::Result<Rulebook> {
    let mut readings = Vec::new();
    for text in &arguments.reading {
        let Some(pair) = text.split_once('=') else {
            bail!("--reading {text:?}: write it as NAME=VALUE, such as bonus-follows=showdown");
        };
        readings.push(pair);
    }
    let mut texts: Vec<(String, String)> =
        rulebook::embedded_texts().map(|(file, text)| (file.to_owned(), text.to_owned())).collect();
    for path in &arguments.source.books.rulebook_file {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        texts.insert(0, (path.display().to_string(), text));
    }
    let mut known = Vec::new();
    for (file, text) in &texts {
        let book = Rulebook::parse(file, text)?;
        let asked = &arguments.r#as;
        if book.id == *asked || book.citation.to_string().eq_ignore_ascii_case(asked) {
            return Ok(Rulebook::parse_with(file, text, &readings)?);
        }
        known.push(book.id);
    }
    bail!("no rulebook {:?}; there are {}", arguments.r#as, known.join(", "))
}

fn print(book: &Rulebook, replayed: &Replayed, comparisons: &[Comparison]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "As {} version {} ({})", book.title, book.version, book.citation)?;
    for comparison in comparisons {
        writeln!(output, "\nround {}, played under {}", comparison.round, comparison.rulebook)?;
        if let Some(why_not) = &comparison.why_not {
            writeln!(output, "cannot be compared: {why_not}")?;
            continue;
        }
        if comparison.differences.is_empty() {
            writeln!(output, "every wager ends the same: {} to the Players", comparison.was)?;
            continue;
        }
        let mut table =
            tables::plain(&["position", "area", "owner", "was", "because", "would be", "because"]);
        tables::figures(&mut table, &[3, 5]);
        for line in &comparison.differences {
            table.add_row([
                line.position.to_string(),
                line.area.clone(),
                line.owner.clone(),
                line.was.to_string(),
                line.was_how.clone(),
                line.would.to_string(),
                line.would_how.clone(),
            ]);
        }
        writeln!(output, "{table}")?;
    }
    let cents = |cents: u128| Money::from_cents(u64::try_from(cents).unwrap_or(u64::MAX));
    writeln!(
        output,
        "\n{} rounds compared, {} differ, {} cannot be compared",
        replayed.compared, replayed.different, replayed.not_compared
    )?;
    writeln!(
        output,
        "to the Players, wagers included: {} as played, {} under {}",
        cents(replayed.was),
        cents(replayed.would),
        book.citation
    )
}
