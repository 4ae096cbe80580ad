//! Names and other texts as they come in: what can be shown, stored and distinguished.

use crate::house::compared;
use crate::refusal::{Reason, Refusal};

/// What the name of a practice floor, and of each of its tables and links, begins with.
pub const PRACTICE: &str = "PRACTICE";

/// Whether a name says that it is of a practice floor.
pub fn is_practice_name(name: &str) -> bool {
    name.get(..PRACTICE.len()).is_some_and(|start| start.eq_ignore_ascii_case(PRACTICE))
}

/// The most letters of a name.
const NAME_MAX: usize = 40;

/// The most letters of any other text.
const TEXT_MAX: usize = 500;

/// Refuses a name that could be taken for another: of the house, a person, a Player, a table or a link.
pub fn check_name(name: &str) -> Result<(), Refusal> {
    let fits = (1..=NAME_MAX).contains(&name.chars().count());
    let spaced = name.trim() != name || name.contains("  ");
    if fits && !spaced && name.chars().all(is_plain) { Ok(()) } else { Err(Reason::NameIsWrong.refuse()) }
}

/// Refuses a name that somebody or something of its kind has, in large letters or small.
pub(crate) fn check_free<'n>(name: &str, taken: impl IntoIterator<Item = &'n str>) -> Result<(), Refusal> {
    let name = compared(name);
    if taken.into_iter().any(|other| compared(other) == name) {
        return Err(Reason::NameIsTaken.refuse());
    }
    Ok(())
}

/// Refuses a text that is too long to be kept.
pub(crate) fn check_text(text: &str) -> Result<(), Refusal> {
    if TEXT_MAX < text.chars().count() { Err(Reason::TextIsTooLong.refuse()) } else { Ok(()) }
}

/// Letters and digits of scripts that cannot be taken for Latin, a plain space, and what is on every keyboard but for the
/// slash, which parts names from each other.
fn is_plain(letter: char) -> bool {
    let on_keyboard = letter == ' ' || letter.is_ascii_graphic() && letter != '/';
    on_keyboard || letter.is_alphanumeric() && !letter.is_ascii() && !is_lookalike(letter)
}

/// Letters that pass for Latin ones: Greek, Cyrillic, letters of mathematics, wide letters.
const fn is_lookalike(letter: char) -> bool {
    matches!(
        letter,
        '\u{0131}'
            | '\u{0250}'..='\u{02ff}'
            | '\u{0370}'..='\u{052f}'
            | '\u{13a0}'..='\u{13ff}'
            | '\u{1d00}'..='\u{1dbf}'
            | '\u{1f00}'..='\u{1fff}'
            | '\u{2070}'..='\u{218f}'
            | '\u{2460}'..='\u{24ff}'
            | '\u{2c60}'..='\u{2dff}'
            | '\u{a640}'..='\u{a69f}'
            | '\u{a720}'..='\u{a7ff}'
            | '\u{ab30}'..='\u{abbf}'
            | '\u{fb00}'..='\u{fb4f}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{1d400}'..='\u{1d7ff}'
            | '\u{1f100}'..='\u{1f1ff}'
    )
}
