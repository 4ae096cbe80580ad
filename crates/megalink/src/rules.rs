//! `megalink rules`: the books side by side, or one with its clauses and what proves them.

mod draft;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use record::Books;
use rulebook::{AfterFold, Clause, ClauseEntry, Device, Layout, Reading, Rulebook, Viewing};
use serde::Serialize;

use crate::{books, tables};

/// The tests behind each clause, kept current by a test.
const PROOFS: &str = include_str!("../../../rulebooks/proofs.toml");

/// Which book to show, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A rulebook's id or citation, such as megalink-holdem-v9 or MTHB9; all of them side by side where none is given.
    rulebook: Option<String>,
    /// Show the readings: what the texts leave open, and how it is read.
    #[arg(long)]
    readings: bool,
    /// Write JSON: every book, or the one named, with its clauses, readings and proofs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    draft: draft::DraftOptions,
    #[command(flatten)]
    books: books::BookOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(code) = draft::run(&arguments.draft)? {
        return Ok(code);
    }
    let all = books::load(&arguments.books)?;
    let proofs: Proofs = toml::from_str(PROOFS).context("the embedded register of proofs")?;
    let chosen: Vec<&Arc<Rulebook>> = match &arguments.rulebook {
        None => all.iter().collect(),
        Some(name) => vec![find(&all, name)?],
    };
    let mut output = io::stdout().lock();
    if arguments.json {
        let books: Vec<BookView<'_>> = chosen.iter().map(|book| book_view(book, &proofs)).collect();
        let text = if arguments.rulebook.is_some() {
            serde_json::to_string_pretty(&books[0])?
        } else {
            serde_json::to_string_pretty(&books)?
        };
        writeln!(output, "{text}")?;
    } else if arguments.readings {
        chosen.iter().try_for_each(|book| writeln!(output, "{}", readings_table(book)))?;
    } else if arguments.rulebook.is_some() {
        writeln!(output, "{}", clause_table(chosen[0], &proofs))?;
    } else {
        writeln!(output, "{}", side_by_side(&chosen))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every book with its clauses, readings and proofs.
pub(crate) fn json(books: &[&Arc<Rulebook>]) -> anyhow::Result<String> {
    let proofs: Proofs = toml::from_str(PROOFS).context("the embedded register of proofs")?;
    let books: Vec<BookView<'_>> = books.iter().map(|book| book_view(book, &proofs)).collect();
    Ok(serde_json::to_string_pretty(&books)? + "\n")
}

fn find<'a>(books: &'a Books, name: &str) -> anyhow::Result<&'a Arc<Rulebook>> {
    let known: Vec<String> = books.iter().map(|book| format!("{} ({})", book.id, book.citation)).collect();
    let same =
        |book: &&Arc<Rulebook>| book.id == name || book.citation.to_string().eq_ignore_ascii_case(name);
    books.iter().find(same).with_context(|| format!("no rulebook {name:?}; there are {}", known.join(", ")))
}

/// Citation, then rule, to the names of tests.
type Proofs = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn proven(proofs: &Proofs, clause: Clause) -> &[String] {
    let of_book = proofs.get(&clause.book.to_string());
    of_book.and_then(|rules| rules.get(&clause.rule.to_string())).map_or(&[], Vec::as_slice)
}

#[derive(Serialize)]
struct BookView<'a> {
    id: &'a str,
    citation: String,
    title: &'a str,
    version: u16,
    in_force: &'a str,
    figures: BTreeMap<&'static str, String>,
    readings: &'a [Reading],
    clauses: Vec<ClauseView<'a>>,
}

#[derive(Serialize)]
struct ClauseView<'a> {
    #[serde(flatten)]
    entry: &'a ClauseEntry,
    tests: &'a [String],
}

fn book_view<'a>(book: &'a Rulebook, proofs: &'a Proofs) -> BookView<'a> {
    let clause =
        |entry: &'a ClauseEntry| ClauseView { entry, tests: proven(proofs, book.clause(entry.number)) };
    BookView {
        id: &book.id,
        citation: book.citation.to_string(),
        title: &book.title,
        version: book.version,
        in_force: &book.in_force,
        figures: figures(book).into_iter().collect(),
        readings: &book.readings,
        clauses: book.clauses.iter().map(clause).collect(),
    }
}

fn clause_table(book: &Rulebook, proofs: &Proofs) -> String {
    let mut table = tables::ruled(&["clause", "kind", "gist", "proven by"]);
    for entry in &book.clauses {
        let tests = proven(proofs, book.clause(entry.number));
        let proof = if tests.is_empty() { entry.why.clone().unwrap_or_default() } else { tests.join(" ") };
        table.add_row([entry.number.to_string(), entry.kind.to_string(), entry.gist.clone(), proof]);
    }
    format!(
        "{}, version {} ({}), in force {}\n{table}",
        book.title, book.version, book.citation, book.in_force
    )
}

fn readings_table(book: &Rulebook) -> String {
    let mut table = tables::ruled(&["reading", "value", "other values", "clause", "question", "reason"]);
    for reading in &book.readings {
        let others: Vec<&str> =
            reading.values.iter().copied().filter(|value| *value != reading.value).collect();
        table.add_row([
            reading.name.clone(),
            reading.value.clone(),
            others.join(", "),
            book.clause(reading.clause).to_string(),
            reading.question.clone(),
            reading.reason.clone(),
        ]);
    }
    format!("{}, version {}\n{table}\n", book.title, book.version)
}

/// What differs between books, each a column.
fn side_by_side(books: &[&Arc<Rulebook>]) -> String {
    let ids: Vec<&str> = std::iter::once("").chain(books.iter().map(|book| book.id.as_str())).collect();
    let mut table = tables::ruled(&ids);
    let columns: Vec<Vec<(&'static str, String)>> = books.iter().map(|book| figures(book)).collect();
    let Some(first) = columns.first() else { return String::new() };
    for (row, (name, _)) in first.iter().enumerate() {
        let cells = columns.iter().map(|column| column[row].1.clone());
        table.add_row(std::iter::once((*name).to_owned()).chain(cells));
    }
    table.to_string()
}

/// The figures of a book, in words.
fn figures(book: &Rulebook) -> Vec<(&'static str, String)> {
    let jackpot = &book.jackpot;
    let multiples = match (jackpot.multiples.start(), jackpot.multiples.end()) {
        (1, 1) => "one fixed wager".to_owned(),
        (least, most) => format!("{least} to {most} times the minimum"),
    };
    let areas: Vec<&str> = book.areas().iter().map(|area| area.name()).collect();
    vec![
        ("title", format!("{}, version {}", book.title, book.version)),
        ("cited as", book.citation.to_string()),
        ("in force from", book.in_force.clone()),
        ("positions by layout", book.layouts.iter().map(layout).collect::<Vec<_>>().join("; ")),
        ("areas", areas.join(", ")),
        ("automated dealing", methods(book, Device::Automated)),
        ("manual dealing", methods(book, Device::Manual)),
        ("one hand to view", viewing(book.viewing).to_owned()),
        ("Ante and what follows", wagers(book)),
        ("Bonus", bonus(book)),
        ("Jackpot wager", multiples),
        ("Jackpot pays", lines(book)),
        ("Jackpot after a fold", after_fold(jackpot.after_fold).to_owned()),
        (
            "several straight flushes",
            shared(jackpot.sharing.straight_flush.map(|(rule, _)| book.clause(rule))),
        ),
        ("several royal flushes", shared(jackpot.sharing.royal_flush.map(|rule| book.clause(rule)))),
        ("clauses", book.clauses.len().to_string()),
    ]
}

fn layout(layout: &Layout) -> String {
    format!("{}: {} to {}", layout.letter, layout.positions.start(), layout.positions.end())
}

fn methods(book: &Rulebook, device: Device) -> String {
    let of_device = book.methods.iter().filter(|method| method.device == device);
    let describe = |method: &rulebook::Method| {
        let step = |step: &rulebook::Step| {
            let late = if step.after_decisions { " after the decisions" } else { "" };
            let secure = if step.security_card { " with a security card" } else { "" };
            format!("{:?} {}{late}{secure}", step.to, step.cards)
        };
        let mut steps: Vec<String> = method.steps.iter().map(step).collect();
        let all = steps.len();
        let repeat = (1..=all)
            .find(|len| all.is_multiple_of(*len) && steps.chunks(*len).all(|part| part == &steps[..*len]));
        let times = repeat.map_or(1, |len| all / len);
        steps.truncate(repeat.unwrap_or(all));
        let steps = steps.join(", ").to_lowercase();
        if times == 1 {
            format!("{}: {steps}", method.name)
        } else {
            format!("{}: {times} times {steps}", method.name)
        }
    };
    of_device.map(describe).collect::<Vec<_>>().join("; ")
}

const fn viewing(viewing: Viewing) -> &'static str {
    match viewing {
        Viewing::PlayerIsTold => "the Dealer tells the Player before the round",
        Viewing::PlayerMay => "the Player may view one",
    }
}

fn wagers(book: &Rulebook) -> String {
    let times: Vec<String> =
        book.times_ante.iter().map(|(area, times)| format!("{area} {times} times the Ante")).collect();
    format!("{}; {}", book.game.rules().pays_in_words(), times.join(", "))
}

fn bonus(book: &Rulebook) -> String {
    book.game.rules().bonus_in_words().unwrap_or_else(|| "none".to_owned())
}

fn lines(book: &Rulebook) -> String {
    let line = |line: &rulebook::JackpotLine| {
        let cards = match line.cards {
            rulebook::JackpotCards::Hand | rulebook::JackpotCards::HoleAndFlop => "",
            rulebook::JackpotCards::HoleToTurn => " on the turn",
            rulebook::JackpotCards::HoleToRiver => " in seven cards",
            rulebook::JackpotCards::HoleToRiverWithHoleCard => " on the river with a hole card",
            rulebook::JackpotCards::Community => " on the board",
        };
        format!("{}{cards} {}", line.hand, line.pays)
    };
    book.jackpot.lines.iter().map(line).collect::<Vec<_>>().join("; ")
}

const fn after_fold(after: AfterFold) -> &'static str {
    match after {
        AfterFold::EveryLine => "still in, on every line",
        AfterFold::CommunityLines => "only the lines on the board",
    }
}

fn shared(clause: Option<Clause>) -> String {
    clause.map_or_else(|| "not shared".to_owned(), |clause| format!("shared ({clause})"))
}
