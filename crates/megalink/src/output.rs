//! Lines on standard output, and errors in words.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::process::exit;

/// Prints a line like `println!`, which panics where this ends the program: a reader such as `head` closes our output as soon
/// as it has enough, and that is not an error.
macro_rules! say {
    ($($words:tt)*) => { $crate::output::line(format_args!($($words)*)) };
}

pub(crate) fn line(words: Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout(), "{words}") {
        if error.kind() == ErrorKind::BrokenPipe {
            exit(0);
        }
        eprintln!("megalink: standard output cannot be written: {error}");
        exit(2);
    }
}

/// An error with its causes, each said once: many errors name their cause themselves.
pub(crate) fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}
