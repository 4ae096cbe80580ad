//! `megalink checkpoints`: the signed checkpoints of a log, taken out to be kept elsewhere.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use journal::Reader;
use journal::vault::kind::COSIGNATURE;
use journal::witness::{Cosignature, Cosigned};

use crate::audit::open;
use crate::configuration::{self, Options};

/// How many checkpoints are read at a time.
const PAGE: usize = 1000;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Write every checkpoint with its cosignatures, one JSON object a line. `audit verify --checkpoint` reads them.
    Export(Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Write only checkpoints after this number.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    after: u64,
    /// The new file; standard output if none is named. An existing file is never overwritten.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Export(arguments) => export(arguments),
    }
}

fn export(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let config = configuration::load(&arguments.options)?.config;
    let mut reader = match server::sqlite_file(&config.storage)? {
        // A server may have it open.
        Some(path) => {
            if !path.is_file() {
                bail!("{} is not a file; name the log with --database or --data", path.display());
            }
            journal::sqlite::SqliteStore::open_beside(&path)
                .with_context(|| format!("opening {}", path.display()))?
        }
        None => open(config.storage.database.as_deref().unwrap_or_default())?,
    };
    let Some(path) = &arguments.out else {
        write(&mut *reader, arguments.after, &mut BufWriter::new(io::stdout().lock()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let file = File::create_new(path).with_context(|| format!("creating {}", path.display()))?;
    let mut output = BufWriter::new(file);
    let count = write(&mut *reader, arguments.after, &mut output)?;
    output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    say!("{} has {count} checkpoints", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the checkpoints after a number, and says how many there were.
fn write(reader: &mut dyn Reader, mut after: u64, output: &mut dyn Write) -> anyhow::Result<u64> {
    let mut cosignatures: BTreeMap<u64, Vec<Cosignature>> = BTreeMap::new();
    for (key, value) in reader.sealed_all(COSIGNATURE)? {
        let number = key.split_once('/').and_then(|(number, _)| number.parse().ok());
        let cosignature = String::from_utf8(value).ok().and_then(|text| Cosignature::from_text(&text).ok());
        if let (Some(number), Some(cosignature)) = (number, cosignature) {
            cosignatures.entry(number).or_default().push(cosignature);
        }
    }
    let mut count = 0;
    loop {
        let page = reader.checkpoints(after, PAGE)?;
        let Some(last) = page.last() else {
            output.flush()?;
            return Ok(count);
        };
        after = last.number;
        for checkpoint in page {
            // Beside the log anybody could have written them: only those that hold are passed on.
            let mut cosignatures = cosignatures.remove(&checkpoint.number).unwrap_or_default();
            cosignatures.retain(|cosignature| cosignature.verify(&checkpoint).is_ok());
            writeln!(output, "{}", Cosigned { checkpoint, cosignatures }.to_text())?;
            count += 1;
        }
    }
}
