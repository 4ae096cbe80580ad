//! Where rows go: lines of JSON or of comma-separated values, or Parquet files, one a day.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::parquet::ParquetFile;
use super::{Cell, Column, ColumnKind, Format, Subject};
use crate::csv;
use crate::day::GamingDay;

/// Takes rows, a day after the other.
pub trait RowSink {
    /// A day begins.
    fn begin(&mut self, day: GamingDay) -> io::Result<()>;

    /// A row of the day, a cell for each column.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// The day is over.
    fn end(&mut self) -> io::Result<()>;

    /// Whether rounds go here as records.
    fn takes_records(&self) -> bool {
        false
    }

    /// Rounds as records, each a line of JSON.
    fn records(&mut self, _lines: &[u8]) -> io::Result<()> {
        Err(io::Error::other("only JSON lines take records"))
    }
}

/// One file of lines. The gaming day is the first column.
pub struct LineWriter<W: Write> {
    output: W,
    subject: Subject,
    is_json: bool,
    day: String,
    line: Vec<u8>,
}

impl<W: Write> LineWriter<W> {
    /// Lines of JSON.
    pub const fn json(subject: Subject, output: W) -> LineWriter<W> {
        LineWriter { output, subject, is_json: true, day: String::new(), line: Vec::new() }
    }

    /// Comma-separated values, with the line of names written.
    pub fn csv(subject: Subject, mut output: W) -> io::Result<LineWriter<W>> {
        let names: Vec<&str> = subject.columns().iter().map(|column| column.name).collect();
        write!(output, "gaming_day,{}\r\n", names.join(","))?;
        Ok(LineWriter { output, subject, is_json: false, day: String::new(), line: Vec::new() })
    }

    /// What the lines were written to.
    pub fn into_inner(self) -> W {
        self.output
    }

    fn json_row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        write!(self.line, "{{\"gaming_day\":\"{}\"", self.day)?;
        for (column, cell) in self.subject.columns().iter().zip(cells) {
            let text = match cell {
                Cell::Empty => continue,
                Cell::Integer(value) => {
                    write!(self.line, ",\"{}\":{value}", column.name)?;
                    continue;
                }
                Cell::Text(text) => *text,
                Cell::Owned(text) => text.as_str(),
            };
            write!(self.line, ",\"{}\":", column.name)?;
            match column.kind {
                ColumnKind::Json => self.line.write_all(text.as_bytes())?,
                ColumnKind::Text | ColumnKind::Integer | ColumnKind::Time => {
                    serde_json::to_writer(&mut self.line, text)?;
                }
            }
        }
        self.line.extend(b"}\n");
        Ok(())
    }

    fn csv_row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.extend(self.day.as_bytes());
        for cell in cells {
            self.line.push(b',');
            match cell {
                Cell::Empty => {}
                Cell::Integer(value) => write!(self.line, "{value}")?,
                Cell::Text(text) => self.line.extend(csv::field(text).as_bytes()),
                Cell::Owned(text) => self.line.extend(csv::field(text).as_bytes()),
            }
        }
        self.line.extend(b"\r\n");
        Ok(())
    }
}

impl<W: Write> RowSink for LineWriter<W> {
    fn begin(&mut self, day: GamingDay) -> io::Result<()> {
        self.day = day.to_string();
        Ok(())
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.clear();
        if self.is_json {
            self.json_row(cells)?;
        } else {
            self.csv_row(cells)?;
        }
        self.output.write_all(&self.line)
    }

    fn end(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn takes_records(&self) -> bool {
        self.is_json
    }

    fn records(&mut self, lines: &[u8]) -> io::Result<()> {
        self.output.write_all(lines)
    }
}

/// A folder of Parquet files, in a folder for each gaming day: `gaming_day=2026-11-16/rounds.parquet`. A day without
/// rows has no file. No file is written over.
pub struct DayFiles {
    folder: PathBuf,
    subject: Subject,
    day: Option<GamingDay>,
    file: Option<(PathBuf, ParquetFile<BufWriter<File>>)>,
}

impl DayFiles {
    /// Files in this folder, which need not exist.
    pub fn new(folder: &Path, subject: Subject) -> DayFiles {
        DayFiles { folder: folder.to_owned(), subject, day: None, file: None }
    }

    fn open(&mut self) -> io::Result<&mut ParquetFile<BufWriter<File>>> {
        if self.file.is_none() {
            let day = self.day.ok_or_else(|| io::Error::other("no day has begun"))?;
            let folder = self.folder.join(format!("gaming_day={day}"));
            std::fs::create_dir_all(&folder)?;
            let path = folder.join(format!("{}.{}", self.subject.name(), Format::Parquet.ending()));
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            let file = File::create_new(&path).map_err(named)?;
            let file = ParquetFile::new(BufWriter::new(file), self.subject.columns())?;
            self.file = Some((path, file));
        }
        self.file.as_mut().map(|(_, file)| file).ok_or_else(|| io::Error::other("no file is open"))
    }
}

impl RowSink for DayFiles {
    fn begin(&mut self, day: GamingDay) -> io::Result<()> {
        self.day = Some(day);
        Ok(())
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.open()?.row(cells)
    }

    fn end(&mut self) -> io::Result<()> {
        match self.file.take() {
            Some((_, file)) => file.finish()?.into_inner()?.sync_all(),
            None => Ok(()),
        }
    }
}

/// One Parquet file for one day.
pub struct OneDayFile<W: Write> {
    file: Option<ParquetFile<W>>,
}

impl<W: Write> OneDayFile<W> {
    /// A file that goes to this output.
    pub fn new(subject: Subject, output: W) -> io::Result<OneDayFile<W>> {
        ParquetFile::new(output, subject.columns()).map(|file| OneDayFile { file: Some(file) })
    }
}

impl<W: Write> RowSink for OneDayFile<W> {
    fn begin(&mut self, _: GamingDay) -> io::Result<()> {
        self.file.as_ref().map(|_| ()).ok_or_else(|| io::Error::other("one file has one day"))
    }

    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.row(cells))
    }

    fn end(&mut self) -> io::Result<()> {
        self.file.take().map_or(Ok(()), |file| file.finish().map(drop))
    }
}

impl Format {
    /// How files of this form end.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        }
    }
}

impl Column {
    /// The type of its values, for people.
    pub const fn type_name(&self) -> &'static str {
        match self.kind {
            ColumnKind::Text => "text",
            ColumnKind::Json => "JSON",
            ColumnKind::Integer => "integer",
            ColumnKind::Time => "time",
        }
    }
}
