//! `megalink shoe`: turns what a card-reading shoe or a barcode reader sends into card commands at one table. docs/devices.md
//! has the lines that are spoken.

mod adapter;
mod line;
mod table;

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use self::adapter::{Adapter, Kept};
use self::table::TableClient;

/// The longest line that is read.
const LINE_MAX: usize = 200;

/// How many lines wait at most. A reader that is faster is kept waiting by the line itself.
const LINES_WAITING: usize = 64;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The address of the server, such as `https://floor.example`.
    #[arg(long, value_name = "URL")]
    server: String,
    /// The table whose cards are entered.
    #[arg(long)]
    table: String,
    /// A file with the key of this device, which only its owner may read. Without it, the variable MEGALINK_DEVICE_KEY.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The file in which this program keeps how far it has come. It survives a restart.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The device of a serial line, such as /dev/ttyUSB0. Without it, standard input.
    #[arg(long, value_name = "DEVICE")]
    line: Option<PathBuf>,
    /// The speed of the serial line.
    #[arg(long, default_value_t = 9600)]
    baud: u32,
    /// What is sent: `numbered` lines with numbers and checksums, as a shoe sends them, or `plain` lines with a card each, as a
    /// barcode reader types them.
    #[arg(long, value_enum, default_value_t = Form::Numbered)]
    form: Form,
    /// A file with the root certificates to trust, instead of the system's.
    #[arg(long, value_name = "FILE")]
    root_certificate: Option<PathBuf>,
    /// How many seconds a read that is missing may take to arrive again before play is stopped.
    #[arg(long, default_value_t = 3)]
    patience: u64,
}

/// The form of what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    Numbered,
    Plain,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let key = key(arguments.key_file.as_deref())?;
    let table =
        TableClient::new(&arguments.server, &arguments.table, &key, arguments.root_certificate.as_deref())?;
    let kept = Kept::load(&arguments.state)?;
    let device = table.check()?;
    let (lines, mut answers): (Receiver<Vec<u8>>, Box<dyn Write>) = match &arguments.line {
        Some(path) => {
            let line = open_line(path, arguments.baud)?;
            let answers = line.try_clone().with_context(|| format!("opening {}", path.display()))?;
            (read_lines(line), Box::new(answers))
        }
        None => (read_lines(io::stdin()), Box::new(io::stdout())),
    };
    eprintln!(
        "megalink: {device} enters the cards of table {} from read {} on",
        arguments.table,
        kept.next()
    );
    let patience = Duration::from_secs(arguments.patience);
    let mut adapter = Adapter::new(table, kept, arguments.form, patience);
    adapter.run(&lines, &mut answers)?;
    Ok(ExitCode::SUCCESS)
}

/// The key of the device. A file that others may read is refused.
fn key(file: Option<&Path>) -> anyhow::Result<String> {
    let Some(path) = file else {
        let key = std::env::var("MEGALINK_DEVICE_KEY");
        return key.context("no key: name a file with --key-file, or set MEGALINK_DEVICE_KEY");
    };
    let reading = || format!("reading the key in {}", path.display());
    let mode = fs::metadata(path).with_context(reading)?.permissions().mode();
    if mode & 0o077 != 0 {
        bail!("others may read {}; run: chmod 600 {}", path.display(), path.display());
    }
    Ok(fs::read_to_string(path).with_context(reading)?.trim().to_owned())
}

/// Opens a serial line: every byte as it is, no echo.
fn open_line(path: &Path, baud: u32) -> anyhow::Result<fs::File> {
    let opening = || format!("opening the line {}", path.display());
    let line = fs::File::options().read(true).write(true).open(path).with_context(opening)?;
    let mut settings =
        tcgetattr(&line).with_context(|| format!("{} is not a serial line", path.display()))?;
    settings.make_raw();
    settings.set_speed(baud).with_context(|| format!("{baud} is not a speed of {}", path.display()))?;
    tcsetattr(&line, OptionalActions::Now, &settings).with_context(opening)?;
    Ok(line)
}

/// Lines as they arrive, on a thread of their own. The channel closes where the line does.
fn read_lines(input: impl io::Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(LINES_WAITING);
    thread::spawn(move || forward(BufReader::new(input), &sender));
    receiver
}

/// Hands lines over. One that is too long is cut, and so has a wrong checksum.
fn forward(mut input: impl BufRead, lines: &SyncSender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        loop {
            let Ok(read) = input.fill_buf() else { return };
            if read.is_empty() {
                if !line.is_empty() {
                    let _ = lines.send(line);
                }
                return;
            }
            // A reader that types like a keyboard ends a line with a carriage return alone.
            let end = read.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let taken = end.unwrap_or(read.len());
            let room = LINE_MAX.saturating_sub(line.len()).min(taken);
            line.extend_from_slice(read.get(..room).unwrap_or_default());
            input.consume(taken.saturating_add(usize::from(end.is_some())));
            if end.is_some() {
                break;
            }
        }
        if !line.is_empty() && lines.send(line).is_err() {
            return;
        }
    }
}
