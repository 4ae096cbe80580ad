//! `megalink audit records`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Context;
use floor::audit;

use super::Source;

/// Which rounds to write.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The table.
    table: String,
    /// The number of the round there; every finished one where none is named.
    number: Option<u64>,
    #[command(flatten)]
    source: Source,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut reader = arguments.source.open()?;
    let library = arguments.source.library(&mut *reader)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut failed = record::write_books(&mut output, library.changed_to());
    audit::records(&mut *reader, &library, &arguments.table, arguments.number, &mut |record| {
        if failed.is_ok() {
            let line = serde_json::to_string(record).map_err(io::Error::from);
            failed = line.and_then(|line| writeln!(output, "{line}"));
        }
    })?;
    failed.and_then(|()| output.flush()).context("writing the records")?;
    Ok(ExitCode::SUCCESS)
}
