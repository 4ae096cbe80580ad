//! `megalink audit round`.

use std::io::{self, Write};
use std::process::ExitCode;

use floor::audit::{self, LineReport, RoundReport, Step};
use money::Money;

use super::{Source, print_json, status};
use crate::tables;

/// Which round to show.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The table.
    table: String,
    /// The number of the round there.
    number: u64,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut reader = arguments.source.open()?;
    let library = arguments.source.library(&mut *reader)?;
    let tale = audit::round_of(&mut *reader, &library, &arguments.table, arguments.number)?;
    if arguments.json {
        print_json(&tale)?;
    } else {
        print(&tale)?;
    }
    Ok(status(tale.findings.is_empty()))
}

fn print(tale: &RoundReport) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "Table {}, round {} · {} · {}", tale.table, tale.round, tale.rulebook, tale.title)?;
    if let Some(link) = &tale.link {
        writeln!(output, "playing for link {link}")?;
    }
    writeln!(output)?;
    steps(&mut output, &tale.steps)?;
    if let Some(lines) = &tale.settlement {
        writeln!(output, "\nHow it ended:\n{}", settlement(lines))?;
    }
    if !tale.jackpot.is_empty() {
        writeln!(output, "\nAt the link:")?;
        steps(&mut output, &tale.jackpot)?;
    }
    for finding in &tale.findings {
        writeln!(output, "WRONG {finding}")?;
    }
    Ok(())
}

/// Each step with the money under it.
fn steps(output: &mut impl Write, steps: &[Step]) -> io::Result<()> {
    for step in steps {
        let clause = step.clause.as_ref().map_or_else(String::new, |clause| format!(" ({clause})"));
        let hash = step.hash.get(..12).unwrap_or_default();
        writeln!(
            output,
            "{:>5} {} {hash} {}: {}{clause}",
            step.version,
            time(step.at),
            step.actor,
            step.what
        )?;
        for moved in &step.transfers {
            writeln!(output, "      {} from {} to {} ({})", moved.dollars, moved.from, moved.to, moved.code)?;
        }
    }
    Ok(())
}

/// A moment, in UTC.
fn time(milliseconds: u64) -> String {
    let moment = i64::try_from(milliseconds).ok().and_then(|at| jiff::Timestamp::from_millisecond(at).ok());
    moment.map_or_else(|| milliseconds.to_string(), |at| at.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

fn settlement(lines: &[LineReport]) -> comfy_table::Table {
    let head = ["position", "area", "owner", "staked", "paid", "returned", "collected", "outcome", "clause"];
    let mut table = tables::plain(&head);
    tables::figures(&mut table, &[3, 4, 5, 6]);
    let amount = |amount: Money| if amount.is_zero() { String::new() } else { amount.to_string() };
    for line in lines {
        let more = line.odds_clause.iter().chain(&line.limit_clause);
        let mut clauses: Vec<&str> = std::iter::once(&line.clause).chain(more).map(String::as_str).collect();
        clauses.dedup();
        table.add_row([
            line.position.to_string(),
            line.area.clone(),
            line.owner.clone(),
            amount(line.staked),
            amount(line.paid),
            amount(line.returned),
            amount(line.collected),
            line.outcome.clone(),
            clauses.join(", "),
        ]);
    }
    table
}
