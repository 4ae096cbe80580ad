//! Rulebooks in a stream of records: a house that changed its rules exports the files of its books before its rounds, so that
//! whoever settles them needs nothing else.

use std::io::Write;

use rulebook::Rulebook;
use serde::{Deserialize, Serialize};

use crate::play::Books;

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

impl Books {
    /// Takes the book of a line, unless one of its id is known; or says what is wrong with it.
    pub fn take_line(&mut self, line: &str) -> Result<(), String> {
        let BookLine { book: id, text } =
            serde_json::from_str(line).map_err(|error| format!("not a valid book: {error}"))?;
        if self.get(id).is_some() {
            return Ok(());
        }
        if BOOKS_MAX <= self.iter().count() {
            return Err("not a valid book: there are too many".to_owned());
        }
        let book = Rulebook::parse(id, &text).map_err(|error| format!("not a valid book: {error}"))?;
        if book.id != id {
            return Err(format!("not a valid book: the id in its file is {:?}, not {id:?}", book.id));
        }
        self.add(book);
        Ok(())
    }

    /// Whether the book of a line is known.
    pub(crate) fn knows_line(&self, line: &str) -> bool {
        serde_json::from_str::<BookLine<'_>>(line).is_ok_and(|line| self.get(line.book).is_some())
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

/// Writes the books that a stream of records needs.
pub fn write_books<'a>(
    output: &mut dyn Write,
    books: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> std::io::Result<()> {
    books.into_iter().try_for_each(|(id, text)| output.write_all(book_line(id, text).as_bytes()))
}
