//! `megalink lab exact`: the whole game under perfect play, as exact numbers.

mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use lab::exact::{Action, Exact, Lab, OutcomeRow};
use lab::what_if::Change;
use serde::Serialize;

use super::question::{self, Book, Wagers};

/// Which book, which question, and how to answer.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    book: Book,
    #[command(flatten)]
    wagers: Wagers,
    /// Count all deals of hold'em anew instead of taking the counts that come with the program.
    #[arg(long)]
    recount: bool,
    /// Write everything as JSON, exact numbers as decimal strings.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write the outcomes as CSV.
    #[arg(long)]
    csv: bool,
}

/// The answer as JSON, with what was changed beside it.
#[derive(Serialize)]
struct View<'a> {
    #[serde(flatten)]
    exact: &'a Exact,
    #[serde(skip_serializing_if = "<[Change]>::is_empty")]
    what_if: &'a [Change],
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let asked = question::load(&arguments.book, &arguments.wagers)?;
    let scenario = &asked.scenario;
    let lab = if arguments.recount { Lab::recounting() } else { Lab::new() };
    let exact = lab.exact(&scenario.book, &scenario.question)?;
    let mut output = io::stdout().lock();
    if arguments.json {
        let view = View { exact: &exact, what_if: &asked.changes };
        writeln!(output, "{}", serde_json::to_string_pretty(&view)?)?;
    } else if arguments.csv {
        write!(output, "{}", csv(&exact))?;
    } else {
        write!(output, "{}", report::text(&scenario.book, &exact, &asked.changes))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The outcomes as CSV.
fn csv(exact: &Exact) -> String {
    let mut lines = vec![
        if exact.outcomes_are_by_hand() { "hand,result,deals,net" } else { "turn,river,result,deals,net" }
            .to_owned(),
    ];
    for row in &exact.outcomes {
        let OutcomeRow { hand, turn, river, result, deals, net } = *row;
        let action = |action: Option<Action>| action.map_or("", Action::name);
        let first = match hand {
            Some(hand) => hand.name().to_owned(),
            None => format!("{},{}", action(turn), action(river)),
        };
        lines.push(format!("{first},{},{deals},{net}", result.name()));
    }
    lines.join("\n") + "\n"
}
