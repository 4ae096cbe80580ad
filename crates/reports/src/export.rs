//! Rows of the log for other programs: rounds, entries, the ledger and awards, day by day and in constant memory.

mod lines;
mod rows;

use std::io::Write;

use floor::audit::{AuditError, FollowedMeter, Meters, Span, event_in, records_between};
use journal::{Event, Happened, LinkId, Moment, Stream};

use crate::ahead::{ahead, happened, stretches, stretches_of};
use crate::day::{Days, GamingDay};
use crate::log::Log;

use lines::Lines;

pub use rows::dictionary;
pub(crate) use rows::{Step, award_steps};

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// Every settlement of a round; as JSON lines, every finished round as a record.
    Rounds,
    /// Every entry of the log.
    Entries,
    /// Every transfer of money.
    Ledger,
    /// Every step of every award.
    Awards,
}

impl Subject {
    /// All of them, in order.
    pub const ALL: [Subject; 4] = [Subject::Rounds, Subject::Entries, Subject::Ledger, Subject::Awards];

    /// Its name on the command line, in the API and of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Subject::Rounds => "rounds",
            Subject::Entries => "entries",
            Subject::Ledger => "ledger",
            Subject::Awards => "awards",
        }
    }

    /// Its columns.
    const fn columns(self) -> &'static [Column] {
        match self {
            Subject::Rounds => rows::ROUNDS,
            Subject::Entries => rows::ENTRIES,
            Subject::Ledger => rows::LEDGER,
            Subject::Awards => rows::AWARDS,
        }
    }
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a line of names (RFC 4180).
    Csv,
}

impl Format {
    /// How files of this form end.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy)]
enum ColumnKind {
    Text,
    /// An object in JSON lines, text in CSV.
    Json,
    Integer,
    /// Milliseconds since 1970 (UTC).
    Time,
}

impl ColumnKind {
    /// Its name in the data dictionary.
    const fn name(self) -> &'static str {
        match self {
            ColumnKind::Text => "text",
            ColumnKind::Json => "JSON",
            ColumnKind::Integer => "integer",
            ColumnKind::Time => "time",
        }
    }
}

/// A column of an export.
struct Column {
    name: &'static str,
    kind: ColumnKind,
    /// Whether a row may leave it empty.
    optional: bool,
    /// What it says, in a sentence.
    meaning: &'static str,
}

/// One value of a row.
enum Cell<'a> {
    Text(&'a str),
    Owned(String),
    Integer(i64),
    Empty,
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Log(#[from] AuditError),
    #[error("cannot write the export: {0}")]
    Output(#[from] std::io::Error),
}

/// Writes the rows of some days, in the order of days, streams and entries. Returns how many there are.
pub fn export(
    log: &mut Log<'_>,
    subject: Subject,
    days: Days,
    format: Format,
    output: &mut dyn Write,
) -> Result<u64, ExportError> {
    match (format, subject) {
        (Format::Jsonl, Subject::Rounds) => record::write_books(output, log.library.changed_to())?,
        (Format::Jsonl, Subject::Entries | Subject::Ledger | Subject::Awards) => {}
        (Format::Csv, _) => {
            let names: Vec<&str> = subject.columns().iter().map(|column| column.name).collect();
            write!(output, "gaming_day,{}\r\n", names.join(","))?;
        }
    }
    let mut written = 0_u64;
    for day in days.each() {
        let mut lines = Lines::new(subject, format, day, output);
        let wrote = match subject {
            Subject::Rounds if format == Format::Jsonl => records(log, day, output)?,
            Subject::Rounds => rows::rounds(log, day, &mut lines)?,
            Subject::Entries => rows::entries(log, day, &mut lines)?,
            Subject::Ledger => rows::ledger(log, day, &mut lines)?,
            Subject::Awards => rows::awards(log, day, &mut lines)?,
        };
        output.flush()?;
        written = written.saturating_add(wrote);
    }
    Ok(written)
}

/// How many entries of a table are followed at a time. Where a stretch begins some entries before it are read too.
const STRETCH: u64 = 16_384;

/// What every link held before each round of a day.
fn meters(log: &mut Log<'_>, links: Vec<(LinkId, Span)>) -> Result<Meters, ExportError> {
    let mut meters = Meters::default();
    for (link, span) in links {
        let mut followed = FollowedMeter::at(log.reader, &log.library, &link, span.after)?;
        let stream = [(Stream::Link(link.clone()), span)];
        ahead(
            log,
            &stretches(&stream),
            &|reader, stretch| -> Result<Vec<(Moment, Event)>, AuditError> {
                let event = |happened: &Happened| {
                    let Happened { version, at, body } = happened;
                    Ok((*at, event_in(stretch.stream, *version, body)?))
                };
                happened(reader, stretch)?.iter().map(event).collect()
            },
            &mut |_, events| {
                for (at, event) in &events {
                    followed.follow(event, *at);
                }
                Ok(())
            },
        )?;
        meters.add(link, followed);
    }
    Ok(meters)
}

/// Every finished round of a day as a record.
fn records(log: &mut Log<'_>, day: GamingDay, output: &mut dyn Write) -> Result<u64, ExportError> {
    let (mut links, mut tables): (Vec<(LinkId, Span)>, Vec<_>) = (Vec::new(), Vec::new());
    for stream in log.streams() {
        let span = log.span(&stream, day)?;
        match stream {
            Stream::Link(link) => links.push((link, span)),
            Stream::Table(_) if span.after < span.up_to => tables.push((stream, span)),
            Stream::House | Stream::Table(_) => {}
        }
    }
    if tables.is_empty() {
        return Ok(0);
    }
    let meters = meters(log, links)?;
    let library = log.library.clone();
    let mut written = 0_u64;
    ahead(
        log,
        &stretches_of(&tables, STRETCH),
        &|reader, stretch| -> Result<(u64, Vec<u8>), ExportError> {
            let Stream::Table(table) = stretch.stream else { return Ok((0, Vec::new())) };
            let (mut text, mut failed) = (Vec::new(), Ok(()));
            let wrote = records_between(reader, &library, &meters, table, stretch.span, &mut |record| {
                if failed.is_ok() {
                    failed = serde_json::to_writer(&mut text, record);
                    text.push(b'\n');
                }
            })?;
            failed.map_err(std::io::Error::from)?;
            Ok((wrote, text))
        },
        &mut |_, (wrote, text)| {
            written = written.saturating_add(wrote);
            Ok(output.write_all(&text)?)
        },
    )?;
    Ok(written)
}
