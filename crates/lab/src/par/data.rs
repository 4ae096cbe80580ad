//! The sheet as JSON and as CSV.

use std::fmt::Write;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::sheet::{Cell, Section, Sheet, Table};

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rulebook", &self.rulebook)?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("version", &self.version)?;
        map.serialize_entry("citation", &self.citation)?;
        map.serialize_entry("in_force", &self.in_force)?;
        map.serialize_entry("program", &self.program)?;
        if let Some(made) = &self.made {
            map.serialize_entry("made_on", &made.on)?;
            map.serialize_entry("rulebook_digest", &made.rulebook_digest)?;
            map.serialize_entry("program_digest", &made.program_digest)?;
        }
        map.serialize_entry("warnings", &self.warnings)?;
        map.serialize_entry("sections", &self.sections)?;
        map.end()
    }
}

impl Serialize for Section {
    /// Its tables by name; plots are drawings of what the tables hold.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("section", self.id)?;
        map.serialize_entry("title", self.title)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("tables", &self.tables)?;
        map.end()
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Row<'_>> = self.rows.iter().map(|cells| Row { table: self, cells }).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("table", self.id)?;
        map.serialize_entry("caption", &self.caption)?;
        map.serialize_entry("last_row_is_total", &self.has_total)?;
        map.serialize_entry("rows", &Rows(&rows))?;
        map.end()
    }
}

struct Rows<'a>(&'a [Row<'a>]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|row| list.serialize_element(row))?;
        list.end()
    }
}

struct Row<'a> {
    table: &'a Table,
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    /// Cells by the name of their column, empty ones left out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (column, cell) in self.table.columns.iter().zip(self.cells) {
            if *cell != Cell::Empty {
                map.serialize_entry(column.id, cell)?;
            }
        }
        map.end()
    }
}

impl Serialize for Cell {
    /// Words and whole numbers as text, fractions as two texts and a number for reading, other numbers as numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Empty => serializer.serialize_none(),
            Cell::Text(words) => serializer.serialize_str(words),
            Cell::Whole(number) => serializer.collect_str(number),
            Cell::Rounded(value, _) => serializer.serialize_f64(*value),
            Cell::Exact(fraction, _) => {
                let fraction = fraction.reduced();
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("numerator", &fraction.numerator().to_string())?;
                map.serialize_entry("denominator", &fraction.denominator().to_string())?;
                map.serialize_entry("decimal", &fraction.value())?;
                if let Some(unit) = self.unit() {
                    map.serialize_entry("unit", unit)?;
                }
                map.end()
            }
        }
    }
}

/// Sections as CSV: one line a cell, with fractions in two columns of their own.
pub(super) fn csv(sections: &[Section]) -> String {
    let mut lines = String::from("section,table,row,name,column,value,numerator,denominator,unit\r\n");
    for section in sections {
        for table in &section.tables {
            for (number, row) in table.rows.iter().enumerate() {
                let name = row.first().map(Cell::shown).unwrap_or_default();
                for (column, cell) in table.columns.iter().zip(row) {
                    let fraction = match cell {
                        Cell::Exact(fraction, _) => Some(fraction.reduced()),
                        Cell::Empty | Cell::Text(_) | Cell::Whole(_) | Cell::Rounded(..) => None,
                    };
                    let value = match cell {
                        Cell::Empty => continue,
                        Cell::Text(words) => words.clone(),
                        Cell::Whole(number) => number.to_string(),
                        Cell::Exact(fraction, _) => fraction.value().to_string(),
                        Cell::Rounded(value, _) => value.to_string(),
                    };
                    let [above, below] = fraction.map_or([String::new(), String::new()], |f| {
                        [f.numerator().to_string(), f.denominator().to_string()]
                    });
                    let place = format!("{},{},{}", section.id, table.id, number + 1);
                    let (name, value) = (quoted(&name), quoted(&value));
                    write!(
                        lines,
                        "{place},{name},{},{value},{above},{below},{}\r\n",
                        column.id,
                        cell.unit().unwrap_or_default()
                    )
                    .expect("a string takes all");
                }
            }
        }
    }
    lines
}

/// A field in quotes where it needs them (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
