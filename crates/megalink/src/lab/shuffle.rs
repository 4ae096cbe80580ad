//! `megalink lab shuffle`: is the shuffle fair?

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use cards::Card;
use clap::ValueEnum;
use floor::dealing::{self, Seed};
use jackpot::TableId;
use journal::Hash;
use lab::shuffle::{DECKS_MIN, Listed, Order, Report, Source, Words, read_orders, shown};

use super::simulate::{number, progress_bar};
use super::words::count;
use crate::tables;

/// Which decks to test, and how to show it.
///
/// The exit status is 0 if all tests pass together at the level of --confidence, 1 if they do not, 2 if they could not be
/// made.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many decks the tables' shuffle makes; underscores and the endings k, m and g are understood.
    #[arg(long, value_name = "N", default_value = "1m", value_parser = number, conflicts_with = "orders")]
    decks: u64,
    /// Draws the seeds of the rounds. The same number gives the same report, whatever the number of threads.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "orders")]
    seed: u64,
    /// Test the orders of physical decks: one deck a line, 52 cards such as `Ts 9h 2c`, the first to be dealt first; -
    /// for standard input.
    #[arg(long, value_name = "FILE")]
    orders: Option<PathBuf>,
    /// At how many tables the decks are dealt, in turn: 2 for the tables' shuffle, 1 for a file where none is named.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    tables: Option<u64>,
    /// The level of the exit status.
    #[arg(long, value_enum, default_value = "99")]
    confidence: Confidence,
    /// How to show it.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Confidence {
    /// A fair shuffle fails one run of twenty.
    #[value(name = "95")]
    NinetyFive,
    /// A fair shuffle fails one run of a hundred.
    #[value(name = "99")]
    NinetyNine,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table for reading.
    Text,
    /// Everything, with the counts of card by place.
    Json,
    /// One page with plots.
    Html,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let report = match &arguments.orders {
        Some(path) => tested(&listed(path, arguments.tables.unwrap_or(1))?)?,
        None => tested(&TablesShuffle::new(arguments))?,
    };
    let mut output = io::stdout().lock();
    match arguments.format {
        Format::Text => write!(output, "{}", text(&report))?,
        Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?,
        Format::Html => write!(output, "{}", report.html())?,
    }
    let passes = match arguments.confidence {
        Confidence::NinetyFive => report.passes.at_95,
        Confidence::NinetyNine => report.passes.at_99,
    };
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The report on the tables' shuffle that a pack has: always the same for the same program.
pub(crate) fn of_tables(decks: u64) -> anyhow::Result<Report> {
    let tables = (1..=2).map(|number| TableId::new(&format!("T{number}"))).collect();
    tested(&TablesShuffle { seed: 1, decks, tables })
}

fn tested(source: &impl Source) -> anyhow::Result<Report> {
    anyhow::ensure!(
        DECKS_MIN <= source.decks(),
        "{} decks: at least {DECKS_MIN} are needed to judge a shuffle",
        source.decks()
    );
    let bar = progress_bar(source.decks(), "decks");
    let report = lab::shuffle::test(source, |decks| bar.inc(decks));
    bar.finish_and_clear();
    Ok(report)
}

fn listed(path: &Path, tables: u64) -> anyhow::Result<Listed> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let orders = read_orders(&text).with_context(|| path.display().to_string())?;
    Ok(Listed { name: format!("Decks of {}", path.display()), tables, orders })
}

/// The committed shuffle of the tables, round after round, with a seed for each round.
struct TablesShuffle {
    seed: u64,
    decks: u64,
    tables: Vec<TableId>,
}

impl TablesShuffle {
    fn new(arguments: &Arguments) -> TablesShuffle {
        let tables = 1..=arguments.tables.unwrap_or(2);
        TablesShuffle {
            seed: arguments.seed,
            decks: arguments.decks,
            tables: tables.map(|number| TableId::new(&format!("T{number}"))).collect(),
        }
    }

    /// What the table would draw and mix for this deck. No Player adds a salt.
    fn drawn(&self, number: u64) -> (Seed, Hash) {
        let what: &[u8] = b"megalink.lab.shuffle.seed.1";
        let seed = Seed(Hash::of([what, &self.seed.to_be_bytes(), &number.to_be_bytes()]).0);
        let table = usize::try_from(number % self.tables()).expect("a place in the list of tables");
        let commitment = dealing::commitment(&self.tables[table], number / self.tables() + 1, seed);
        (seed, dealing::mixed(commitment, &[]))
    }
}

impl Source for TablesShuffle {
    fn name(&self) -> String {
        format!("The tables' shuffle, seeds of {}", self.seed)
    }

    fn decks(&self) -> u64 {
        self.decks
    }

    fn tables(&self) -> u64 {
        self.tables.len() as u64
    }

    fn deck(&self, number: u64) -> Order {
        let (seed, salt) = self.drawn(number);
        dealing::deck(seed, salt).cards().map(Card::index)
    }

    fn words(&self, number: u64) -> Option<Words> {
        let (seed, salt) = self.drawn(number);
        let mut words = dealing::words(seed, salt);
        Some(std::array::from_fn(|_| words()))
    }
}

/// The report for people: the verdict first.
fn text(report: &Report) -> String {
    let verdict = |passes: bool| if passes { "pass" } else { "FAIL" };
    let tables = if report.tables == 1 { "1 table".to_owned() } else { format!("{} tables", report.tables) };
    let mut text = format!(
        "{}: {} decks at {tables}. {} tests together: {} at 95 %, {} at 99 %.\n\n",
        report.source,
        count(report.decks),
        report.tests.len(),
        verdict(report.passes.at_95),
        verdict(report.passes.at_99),
    );
    let head =
        ["test", "what is counted", "statistic", "freedom", "p", "corrected", "alone 95/99 %", "95/99 %"];
    let mut table = tables::plain(&head);
    tables::figures(&mut table, &[2, 3, 4, 5]);
    let both = |passes: lab::shuffle::Passes| {
        let word = |passes: bool| if passes { "pass" } else { "FAIL" };
        format!("{} {}", word(passes.at_95), word(passes.at_99))
    };
    for test in &report.tests {
        let detail = test.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
        table.add_row([
            test.family.name().to_owned(),
            format!("{}{detail}", test.name),
            format!("{:.4}", test.statistic),
            test.freedom.map_or_else(String::new, |freedom| format!("{freedom:.0}")),
            shown(test.p),
            shown(test.adjusted),
            both(test.alone),
            both(test.together),
        ]);
    }
    text += &format!("{table}\n");
    for skipped in &report.skipped {
        text += &format!("Not made: {}, {} ({}).\n", skipped.family.name(), skipped.name, skipped.why);
    }
    text + "p says how often a fair shuffle is as far off; corrected, as one of all tests (Holm).\n"
}
