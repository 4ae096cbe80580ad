//! The lines of an export: JSON objects or comma-separated values.

use std::io::{self, Write};

use super::{Cell, ColumnKind, Format, Subject};
use crate::csv;
use crate::day::GamingDay;

/// Writes the rows of a gaming day, each as a line. The day is the first column.
pub(super) struct Lines<'a> {
    output: &'a mut dyn Write,
    subject: Subject,
    format: Format,
    day: String,
    line: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(
        subject: Subject,
        format: Format,
        day: GamingDay,
        output: &'a mut dyn Write,
    ) -> Lines<'a> {
        Lines { output, subject, format, day: day.to_string(), line: Vec::new() }
    }

    /// Writes a row, which has a cell for each column.
    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.line.clear();
        match self.format {
            Format::Jsonl => self.json_row(cells)?,
            Format::Csv => self.csv_row(cells)?,
        }
        self.output.write_all(&self.line)
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
