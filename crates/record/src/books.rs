//! Rulebooks in a stream of records: a house that changed its rules exports the files of its books before its rounds, so that
//! whoever settles them needs nothing else.

use std::io::Write;
use std::sync::Arc;

use rulebook::{BookError, Rulebook};
use serde::{Deserialize, Serialize};

/// How a line that has a book begins.
const BEGINS: &str = "{\"book\":";

/// How many books the head of a stream has at most.
const BOOKS_MAX: usize = 64;

/// A line that has a book.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BookLine<'a> {
    /// Its id.
    book: &'a str,
    /// Its file.
    text: std::borrow::Cow<'a, str>,
}

/// Whether a line has a book and not a record.
pub fn is_book(line: &str) -> bool {
    line.starts_with(BEGINS)
}

/// The line that has a book, with its end.
fn book_line(id: &str, text: &str) -> String {
    let line = BookLine { book: id, text: text.into() };
    let mut line = serde_json::to_string(&line).expect("plain data has a JSON form");
    line.push('\n');
    line
}

/// The rulebooks that records may name.
#[derive(Clone, Debug, Default)]
pub struct Books {
    known: Vec<Arc<Rulebook>>,
    /// The readings that are chosen in every book that has them: name and value.
    readings: Vec<(String, String)>,
    /// The books that came with the records: their id and their file.
    brought: Vec<(String, String)>,
}

impl Books {
    pub fn new(books: Vec<Rulebook>) -> Books {
        books.into_iter().map(Arc::new).collect()
    }

    /// No books yet. Those that are added, and those that come with the records, have these readings.
    pub fn with_readings(readings: Vec<(String, String)>) -> Books {
        Books { readings, ..Books::default() }
    }

    /// The book with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Rulebook>> {
        self.known.iter().find(|book| book.id == id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rulebook>> {
        self.known.iter()
    }

    /// The books that came with the records: their id and their file.
    pub fn brought(&self) -> impl Iterator<Item = (&str, &str)> {
        self.brought.iter().map(|(id, text)| (id.as_str(), text.as_str()))
    }

    /// Adds a book from its file. It replaces an earlier book with the same id.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), BookError> {
        let book = self.read(file, text)?;
        self.known.retain(|earlier| earlier.id != book.id);
        self.known.push(Arc::new(book));
        Ok(())
    }

    /// A book from its file, with the chosen readings.
    fn read(&self, file: &str, text: &str) -> Result<Rulebook, BookError> {
        let book = Rulebook::parse(file, text)?;
        let chosen = self.readings.iter().filter(|(name, _)| book.reading(name).is_some());
        let chosen: Vec<(&str, &str)> = chosen.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if chosen.is_empty() { Ok(book) } else { Rulebook::parse_with(file, text, &chosen) }
    }

    /// Takes the book of a line, or says what is wrong with it. A book that is known already must have the same figures and
    /// readings.
    pub fn take_line(&mut self, line: &str) -> Result<(), String> {
        let line = read_line(line)?;
        if self.knows(&line)? {
            return Ok(());
        }
        if BOOKS_MAX <= self.known.len() {
            return Err("not a valid book: there are too many".to_owned());
        }
        let book = self.read_line(&line)?;
        self.known.push(Arc::new(book));
        self.brought.push((line.book.to_owned(), line.text.into_owned()));
        Ok(())
    }

    /// Checks the book of a line that stands after a record.
    pub(crate) fn check_line(&self, line: &str) -> Result<(), String> {
        if self.knows(&read_line(line)?)? {
            return Ok(());
        }
        Err("a book must stand before the records of its stream".to_owned())
    }

    /// Whether the book of a line is known; or why it is not the one that is known by its id.
    fn knows(&self, line: &BookLine<'_>) -> Result<bool, String> {
        let Some(known) = self.get(line.book) else {
            return Ok(false);
        };
        if !self.read_line(line)?.has_substance_of(known) {
            let id = line.book;
            return Err(format!(
                "not a valid book: another book is known as {id:?}, with other figures or readings"
            ));
        }
        Ok(true)
    }

    fn read_line(&self, line: &BookLine<'_>) -> Result<Rulebook, String> {
        let id = line.book;
        let book = self.read(id, &line.text).map_err(|error| format!("not a valid book: {error}"))?;
        if book.id != id {
            return Err(format!("not a valid book: the id in its file is {:?}, not {id:?}", book.id));
        }
        Ok(book)
    }

    /// Takes the books at the head of a block of whole lines; what stands after them. What is wrong with one goes to `wrong`.
    pub(crate) fn take_head<'b>(&mut self, mut block: &'b [u8], mut wrong: impl FnMut(String)) -> &'b [u8] {
        while block.trim_ascii_start().starts_with(BEGINS.as_bytes()) {
            block = block.trim_ascii_start();
            let end = block.iter().position(|byte| *byte == b'\n').unwrap_or(block.len());
            let (line, rest) = block.split_at(end);
            let taken = std::str::from_utf8(line)
                .map_err(|_| "the line is not UTF-8 text".to_owned())
                .and_then(|line| self.take_line(line.trim_ascii()));
            if let Err(error) = taken {
                wrong(error);
            }
            block = rest;
        }
        block
    }
}

impl FromIterator<Arc<Rulebook>> for Books {
    fn from_iter<I: IntoIterator<Item = Arc<Rulebook>>>(books: I) -> Books {
        Books { known: books.into_iter().collect(), ..Books::default() }
    }
}

fn read_line(line: &str) -> Result<BookLine<'_>, String> {
    serde_json::from_str(line).map_err(|error| format!("not a valid book: {error}"))
}

/// Writes the books that a stream of records needs.
pub fn write_books<'a>(
    output: &mut dyn Write,
    books: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> std::io::Result<()> {
    books.into_iter().try_for_each(|(id, text)| output.write_all(book_line(id, text).as_bytes()))
}
