//! `megalink settle`: recorded rounds in, settlements out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use money::Money;
use record::{Books, Record, Summary, settle_stream};

use crate::{books, tables};

/// What to settle and how to show it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of records. Without any, or for `-`, standard input is read.
    files: Vec<PathBuf>,
    /// Print tables for people instead of JSON lines.
    #[arg(long)]
    table: bool,
    #[command(flatten)]
    books: books::BookOptions,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut books = books::load(&arguments.books)?;
    let input = input(&arguments.files)?;
    if arguments.table {
        let status = show(&mut books, input);
        list_brought(&books);
        return status;
    }
    let bar = progress_bar();
    let output = io::stdout().lock();
    let progress = |summary: Summary| bar.set_position(summary.settled + summary.errors);
    let summary = settle_stream(&mut books, input, output, progress);
    bar.finish_and_clear();
    list_brought(&books);
    let summary = summary?;
    if summary.errors != 0 {
        eprintln!("megalink: {} records settled, {} records invalid", summary.settled, summary.errors);
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

/// Names the books that came with the records: whoever reads the settlements must know whose rules they follow.
fn list_brought(books: &Books) {
    for (id, text) in books.brought() {
        if let Ok((_, digest)) = floor::read_book(id, text) {
            eprintln!("megalink: the rulebook {id} came with the records; digest {digest}");
        }
    }
}

/// The files one after the other. All are opened before anything is settled.
fn input(files: &[PathBuf]) -> anyhow::Result<Box<dyn Read + Send>> {
    if files.is_empty() {
        return Ok(Box::new(io::stdin()));
    }
    let mut input: Box<dyn Read + Send> = Box::new(io::empty());
    for path in files {
        let next: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            let file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
            if file.metadata().is_ok_and(|about| about.is_dir()) {
                bail!("{} is a directory; give the files in it", path.display());
            }
            Box::new(file)
        };
        // The last line of a file may lack its line end.
        input = Box::new(input.chain(next).chain(&b"\n"[..]));
    }
    Ok(input)
}

/// A progress bar, on a terminal only and never over the answers.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{human_pos} records settled, {per_sec}, {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Each round as a table, with the clause behind every wager. Names an invalid line and continues with the next.
fn show(books: &mut Books, input: impl Read) -> anyhow::Result<ExitCode> {
    let mut output = io::stdout().lock();
    let mut status = ExitCode::SUCCESS;
    for (number, line) in BufReader::new(input).split(b'\n').enumerate() {
        let line = line.context("reading records")?;
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if let Some(line) = std::str::from_utf8(line).ok().filter(|line| record::is_book(line)) {
            if let Err(error) = books.take_line(line) {
                writeln!(output, "line {}: {error}\n", number + 1)?;
                status = ExitCode::from(1);
            }
            continue;
        }
        let table = serde_json::from_slice::<Record<'_>>(line)
            .map_err(anyhow::Error::from)
            .and_then(|record| round_table(books, &record));
        match table {
            Ok(table) => writeln!(output, "{table}\n")?,
            Err(error) => {
                writeln!(output, "line {} is not a valid record: {error}\n", number + 1)?;
                status = ExitCode::from(1);
            }
        }
    }
    Ok(status)
}

fn round_table(books: &Books, record: &Record<'_>) -> anyhow::Result<String> {
    let answer = record::settle(books, record)?;
    let book = books.get(&record.rulebook).context("the rulebook was found when the record was settled")?;
    let mut table =
        tables::plain(&["position", "area", "staked", "paid", "returned", "collected", "outcome", "clause"]);
    tables::figures(&mut table, &[2, 3, 4, 5]);
    for position in &answer.positions {
        for (area, line) in position.areas.iter() {
            let limit = line.limit_clause.map_or_else(String::new, |rule| format!(", {rule}"));
            let clause = format!("{}{limit}", book.clause(line.clause));
            let amount = |amount: Money| if amount.is_zero() { String::new() } else { amount.to_string() };
            table.add_row([
                position.position.to_string(),
                area.name().to_owned(),
                amount(line.staked),
                amount(line.paid),
                amount(line.returned),
                amount(line.collected),
                line.outcome.to_owned(),
                clause,
            ]);
            for share in &line.shares {
                let part = &share.settled;
                table.add_row([
                    String::new(),
                    format!("of it {}", share.player),
                    amount(part.staked),
                    amount(part.paid),
                    amount(part.returned),
                    amount(part.collected),
                    part.outcome.to_owned(),
                    book.clause(part.clause).to_string(),
                ]);
            }
        }
    }
    let card = |card: &Option<cards::Card>| card.map_or_else(|| "unread".to_owned(), |card| card.to_string());
    let cards = |cards: &[Option<cards::Card>]| cards.iter().map(card).collect::<Vec<_>>().join(" ");
    let hands = record.positions.iter().map(|seat| format!("{} {}", seat.position, cards(&seat.cards)));
    let mut text =
        format!("{} · {} version {} · round {}\n", answer.id, book.title, book.version, answer.round);
    if !record.community.is_empty() {
        text += &format!("community {} · ", cards(&record.community));
    }
    text += &format!(
        "dealer {} · positions {}\n{table}\n",
        cards(&record.dealer),
        hands.collect::<Vec<_>>().join(", ")
    );
    for award in &answer.jackpot.awards {
        let clause = book.clause(award.clause);
        text += &format!(
            "award to position {}: {} for a {} ({clause})\n",
            award.position, award.amount, award.hand
        );
    }
    for player in &answer.warned {
        let clause = book.clause(rulebook::R5_13);
        text += &format!(
            "{player} wagered under the minimum: from the next round on such wagers are returned ({clause})\n"
        );
    }
    if let Some(jackpot) = &record.jackpot {
        text += &format!("meter {} before, {} after", jackpot.meter, answer.jackpot.meter);
    }
    Ok(text)
}
