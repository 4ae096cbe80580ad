//! `megalink audit meter`.

use std::io::{self, Write};
use std::process::ExitCode;

use floor::audit::{self, Meter};
use serde_json::json;

use super::{Source, dollars, print_json, status};
use crate::tables;

/// Which meter to explain.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The link.
    link: String,
    /// Explain it from after this entry of the link on; from its opening where none is named.
    #[arg(long, value_name = "VERSION")]
    since: Option<u64>,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut reader = arguments.source.open()?;
    let meter = audit::meter_of(&mut *reader, &arguments.link, arguments.since)?;
    if arguments.json {
        let mut value = serde_json::to_value(&meter)?;
        if let Some(object) = value.as_object_mut() {
            object.insert("reconciled".to_owned(), json!(meter.is_reconciled()));
        }
        print_json(&value)?;
    } else {
        print(&meter)?;
    }
    Ok(status(meter.is_reconciled()))
}

fn print(meter: &Meter) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let mut table = tables::plain(&["cause", "times", "amount"]);
    tables::figures(&mut table, &[1, 2]);
    let signed = |amount: u128| i128::try_from(amount).unwrap_or(i128::MAX);
    let from = if meter.since == 0 { "opening".to_owned() } else { format!("after entry {}", meter.since) };
    table.add_row([from, String::new(), dollars(signed(meter.opening))]);
    for line in &meter.lines {
        let sum = signed(line.sum);
        let sum = if line.raises { sum } else { -sum };
        table.add_row([line.cause.to_owned(), line.count.to_string(), dollars(sum)]);
    }
    table.add_row(["comes to".to_owned(), String::new(), dollars(meter.explained)]);
    writeln!(output, "The meter of link {}, entries {} to {}", meter.link, meter.since + 1, meter.until)?;
    writeln!(output, "{table}\n")?;
    writeln!(output, "the link says      {}", dollars(signed(meter.meter)))?;
    writeln!(output, "the ledger says    {}", dollars(meter.ledger))?;
    writeln!(output, "its transfers say  {}", dollars(meter.transferred))?;
    writeln!(
        output,
        "reserve {}, overflow {}",
        dollars(signed(meter.reserve)),
        dollars(signed(meter.overflow))
    )?;
    writeln!(output, "{} rounds and {} awards were entered", meter.rounds, meter.awards)?;
    let verdict = if meter.is_reconciled() { "All agree." } else { "WRONG: they do not agree." };
    writeln!(output, "{verdict}")
}
