//! `megalink lab compare`: two designs of a game side by side.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use lab::exact::Lab;
use lab::par::{Design, Options, compare};
use lab::what_if::Change;

use super::forecast::LinkArguments;
use super::question::{self, Asked, Book, Wagers};
use crate::tables;

/// The first design, and what is changed in the second.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    #[command(flatten)]
    link: LinkArguments,
    /// What the second design has otherwise: a key and a value as for --set, contribution and reset too. May be repeated.
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    other: Vec<Change>,
    /// Write JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write CSV.
    #[arg(long)]
    csv: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let first = question::load(&arguments.book, &arguments.wagers)?;
    let second =
        question::load_with(&arguments.book, &arguments.wagers, &arguments.other).context("--other")?;
    let options = |asked: &Asked| -> anyhow::Result<Options> {
        let scenario = &asked.scenario;
        Ok(Options {
            ante_cents: scenario.question.ante_cents,
            jackpot_wager_cents: scenario.question.jackpot_unit_cents(),
            meter_cents: scenario.question.meter_cents,
            funding: arguments.link.funding(scenario.link)?,
            ante_pays_from: scenario.question.ante_pays_from,
            ..Options::default()
        })
    };
    let (one, other) = (options(&first)?, options(&second)?);
    let designs = [
        Design { book: &first.scenario.book, options: &one },
        Design { book: &second.scenario.book, options: &other },
    ];
    let section = compare(&Lab::new(), designs)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&section)?)?;
    } else if arguments.csv {
        write!(output, "{}", section.csv())?;
    } else {
        let changes: Vec<String> =
            arguments.other.iter().map(|change| format!("{} = {}", change.key, change.value)).collect();
        writeln!(output, "{}\nThe second design has {}.\n", first.scenario.book.title, changes.join("; "))?;
        for table in &section.tables {
            let head: Vec<&str> = table.columns.iter().map(|column| column.title.as_str()).collect();
            let mut shown = tables::plain(&head);
            for row in &table.rows {
                shown.add_row(row.iter().map(lab::par::Cell::shown));
            }
            if table.id == "designs" {
                tables::figures(&mut shown, &[1, 2, 3]);
            }
            match (table.rows.is_empty(), table.caption.as_str()) {
                (true, _) => writeln!(output, "Perfect play is the same in both.")?,
                (false, "") => writeln!(output, "{shown}\n")?,
                (false, caption) => writeln!(output, "{caption}\n{shown}")?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
