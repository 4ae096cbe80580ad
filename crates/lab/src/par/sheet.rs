//! A sheet as plain data: sections of tables and plots. Page, JSON and CSV are all written from it, so they agree.

use crate::exact::Fraction;
pub use crate::svg::Picture;

/// A whole sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The book's id.
    pub rulebook: String,
    pub title: String,
    pub version: u16,
    /// How it is cited.
    pub citation: String,
    /// From when it is in force.
    pub in_force: String,
    /// What made the sheet.
    pub program: String,
    /// When it was made, and the digest of the rulebook's text, where it is to be submitted.
    pub made: Option<Made>,
    /// Warnings to show at the top.
    pub warnings: Vec<String>,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// What ties a sheet to a day and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The day, such as `2026-11-16`.
    pub on: String,
    /// SHA-256 of the rulebook's file.
    pub rulebook_digest: String,
    /// SHA-256 of the program.
    pub program_digest: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name in data.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Paragraphs before the tables.
    pub text: Vec<String>,
    pub tables: Vec<Table>,
    pub plots: Vec<Plot>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in data.
    pub id: &'static str,
    /// The text above it; empty for a section's only table.
    pub caption: String,
    /// How the page shows it.
    pub look: Look,
    /// The columns; the first names the row.
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// Whether the last row is what the others come to.
    pub has_total: bool,
}

/// How the page shows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Rows and columns.
    Plain,
    /// A few large figures, one a row.
    Headline,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in data.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
}

/// What stands in one place of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Text(String),
    /// A whole number.
    Whole(i128),
    /// An exact number: the page shows it as a decimal and as a fraction.
    Exact(Fraction, Show),
    /// A number that is no fraction, such as a standard deviation.
    Rounded(f64, Show),
}

/// How a number is written for reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// With so many decimals.
    Number(usize),
    /// With a sign and so many decimals.
    Signed(usize),
    /// As a percentage with so many decimals.
    Percent(usize),
    /// One in so many, the fraction being that of the chance beside it.
    OneIn,
    /// Cents as dollars.
    Dollars,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What it shows and how it was made.
    pub caption: String,
    pub picture: Picture,
}

impl Table {
    /// A table with columns of name and heading, and no rows yet.
    pub fn new(id: &'static str, caption: impl Into<String>, columns: &[(&'static str, &str)]) -> Table {
        let column = |&(id, title): &(&'static str, &str)| Column { id, title: title.to_owned() };
        Table {
            id,
            caption: caption.into(),
            look: Look::Plain,
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            has_total: false,
        }
    }

    /// Adds a row, one cell a column.
    pub fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "{}: a row has a cell for every column", self.id);
        self.rows.push(cells);
    }

    /// Adds what the rows come to.
    pub fn total(&mut self, cells: Vec<Cell>) {
        self.row(cells);
        self.has_total = true;
    }
}

pub(super) fn text(words: impl Into<String>) -> Cell {
    Cell::Text(words.into())
}

impl Cell {
    /// The number for reading, if it is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Cell::Empty | Cell::Text(_) => None,
            #[expect(
                clippy::cast_precision_loss,
                reason = "a view; the exact number is written out beside it"
            )]
            Cell::Whole(number) => Some(*number as f64),
            Cell::Exact(fraction, _) => Some(fraction.value()),
            Cell::Rounded(value, _) => Some(*value),
        }
    }

    /// As it is read.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(words) => words.clone(),
            Cell::Whole(number) => thousands(&number.to_string()),
            Cell::Exact(fraction, show) => show.number(fraction.value()),
            Cell::Rounded(value, show) => show.number(*value),
        }
    }

    /// The fraction to be read under it: in the unit that is shown, where that is not plain from the decimal already.
    pub fn fraction(&self) -> Option<Fraction> {
        let fraction = match self {
            Cell::Exact(fraction, Show::Dollars) => fraction.times(Fraction::new(1, 100)),
            Cell::Exact(fraction, Show::Number(_) | Show::Signed(_) | Show::Percent(_)) => fraction.reduced(),
            Cell::Exact(_, Show::OneIn)
            | Cell::Empty
            | Cell::Text(_)
            | Cell::Whole(_)
            | Cell::Rounded(..) => return None,
        };
        let is_whole_cents =
            matches!(self, Cell::Exact(cents, Show::Dollars) if cents.reduced().denominator() == 1);
        Some(fraction).filter(|fraction| fraction.denominator() != 1 && !is_whole_cents)
    }

    /// The unit of the number in data: amounts are in cents there.
    pub fn unit(&self) -> Option<&'static str> {
        match self {
            Cell::Exact(_, Show::Dollars) | Cell::Rounded(_, Show::Dollars) => Some("cents"),
            Cell::Exact(..) | Cell::Rounded(..) | Cell::Empty | Cell::Text(_) | Cell::Whole(_) => None,
        }
    }
}

impl Show {
    /// A number in this way, with a true minus sign.
    pub fn number(self, value: f64) -> String {
        let text = match self {
            Show::Number(decimals) => thousands(&format!("{value:.decimals$}")),
            Show::Signed(decimals) => thousands(&format!("{value:+.decimals$}")),
            Show::Percent(decimals) => thousands(&format!("{:.decimals$}", 100.0 * value)) + " %",
            Show::OneIn => thousands(&format!("{value:.2}")),
            Show::Dollars => dollars(value),
        };
        // What rounds to zero has no sign.
        let is_zero = !text.chars().any(|digit| ('1'..='9').contains(&digit));
        if is_zero { text.replace(['-', '+'], "") } else { text.replace('-', "\u{2212}") }
    }
}

/// Cents as dollars: whole cents are written as money, fractions of one more finely.
fn dollars(cents: f64) -> String {
    let decimals = if cents.abs() < 100.0 { 6 } else { 2 };
    let sign = if cents < 0.0 { "-" } else { "" };
    format!("{sign}${}", thousands(&format!("{:.decimals$}", cents.abs() / 100.0)))
}

/// A number as digits with its thousands apart.
pub(super) fn thousands(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let (sign, whole) = whole.split_at(usize::from(whole.starts_with(['-', '+'])));
    let mut text = sign.to_owned();
    for (place, digit) in whole.chars().enumerate() {
        if 0 < place && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}
