//! A report as a PDF, on A4 across. The same report gives the same bytes.

use lab::pdf::{Font, GREEN, Grid, INK, LOST, Pages, Paper, SOFT, written};

use super::render::shown;
use super::{FigureKind, Heading, NOT_OVER, Report, Section, StreamEnd, Value};

/// What wrote it, for the document's properties. No version: the same log gives the same bytes from every program.
const PRODUCER: &str = "Megalink";

impl Report {
    /// Pages to print, sign and file.
    pub fn pdf(&self) -> Vec<u8> {
        let title = self.title();
        let mut pages = Pages::new(Paper::Landscape);
        pages.paragraph(&title, Font::Bold, 16.0, INK);
        pages.space(6.0);
        pages.paragraph(&self.money_in_words(), Font::Plain, 8.5, INK);
        if !self.is_over {
            pages.paragraph(NOT_OVER, Font::Bold, 8.5, LOST);
        }
        pages.paragraph(&format!("Made from the log with the head {}.", self.log), Font::Plain, 7.5, SOFT);
        for section in &self.sections {
            section_on(section, &mut pages);
        }
        heads_on(&self.heads, &mut pages);
        written(&title, PRODUCER, pages)
    }
}

fn heading(title: &str, pages: &mut Pages) {
    pages.space(12.0);
    // A heading stays with what follows it.
    pages.room(80.0);
    pages.paragraph(title, Font::Bold, 12.0, GREEN);
    pages.space(2.0);
}

fn section_on(section: &Section, pages: &mut Pages) {
    heading(section.title, pages);
    for note in &section.notes {
        pages.paragraph(note, Font::Plain, 8.0, INK);
    }
    if section.rows.is_empty() {
        pages.paragraph("None.", Font::Plain, 8.0, SOFT);
        return;
    }
    let cells = |row: &Vec<Value>| {
        let cell = |(value, column): (&Value, &Heading)| (shown(column.kind, value), String::new());
        row.iter().zip(&section.columns).map(cell).collect()
    };
    pages.grid(&Grid {
        titles: section.columns.iter().map(|column| column.name.to_owned()).collect(),
        rows: section.rows.iter().map(cells).collect(),
        is_figure: section.columns.iter().map(|column| column.kind != FigureKind::Text).collect(),
        has_heading: true,
        ..Grid::default()
    });
}

fn heads_on(heads: &[StreamEnd], pages: &mut Pages) {
    heading("Ends of the log's streams", pages);
    let row = |StreamEnd { stream, version, hash }: &StreamEnd| {
        [stream.clone(), version.to_string(), hash.clone()].map(|text| (text, String::new())).to_vec()
    };
    pages.grid(&Grid {
        titles: ["stream", "entry", "hash"].map(str::to_owned).to_vec(),
        rows: heads.iter().map(row).collect(),
        is_figure: vec![false, true, false],
        has_heading: true,
        ..Grid::default()
    });
}
