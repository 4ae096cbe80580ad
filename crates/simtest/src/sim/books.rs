//! The rulebooks that a house changes to in the middle of a run: each of the four again, with one odd changed.

use std::sync::OnceLock;

use floor::{Library, read_book};
use journal::{Hash, LabCheck, Moment, RulesChange};
use rulebook::PlayingArea;

/// What stands after the id of a book that is changed.
const CHANGED: &str = "-changed";

/// A book that a house can change to, and the odds that it has otherwise.
#[derive(Clone, Debug)]
pub(crate) struct ChangedBook {
    /// The book of the program that it is made of.
    pub(crate) base: String,
    pub(crate) id: String,
    text: String,
    digest: Hash,
    /// The area whose odds are other ones: where the base pays so many to 1, it pays so many.
    pub(crate) area: PlayingArea,
    pub(crate) odds: (u64, u64),
}

/// The four books, changed.
pub(crate) fn changed_books() -> &'static [ChangedBook] {
    static ONCE: OnceLock<Vec<ChangedBook>> = OnceLock::new();
    ONCE.get_or_init(|| rulebook::embedded_texts().map(|(_, text)| ChangedBook::of(text)).collect())
}

/// The id of the book of the program that a book is, or is made of.
pub(crate) fn base(id: &str) -> &str {
    id.strip_suffix(CHANGED).unwrap_or(id)
}

/// The changed book of this id.
pub(crate) fn changed(id: &str) -> Option<&'static ChangedBook> {
    changed_books().iter().find(|book| book.id == id)
}

impl ChangedBook {
    fn of(text: &str) -> ChangedBook {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)).expect("a book has it");
            line.trim_matches([' ', '=', '"']).to_owned()
        };
        let (base, citation, version) = (value("id"), value("citation"), value("version"));
        let (area, figure, other, odds) = if text.contains("\n[stud]") {
            (PlayingArea::Bet, "two-pairs = \"2 to 1\"", "two-pairs = \"3 to 1\"", (2, 3))
        } else {
            (PlayingArea::Bonus, "pays = \"3 to 1\"", "pays = \"4 to 1\"", (3, 4))
        };
        assert!(text.contains(figure), "{base} has the odds {figure}");
        let id = format!("{base}{CHANGED}");
        let text = text
            .replace(&format!("\"{base}\""), &format!("\"{id}\""))
            .replace(&format!("\"{citation}\""), &format!("\"{citation}0\""))
            .replace(&format!("version = {version}\n"), &format!("version = {version}0\n"))
            .replacen(figure, other, 1);
        let (_, digest) = read_book(&id, &text).expect("a book with other odds");
        ChangedBook { base, id, text, digest, area, odds }
    }

    /// What this book pays where its base pays `paid` for a wager that counts as `staked`.
    pub(crate) fn paid_instead(&self, area: PlayingArea, staked: u64, paid: u64) -> u64 {
        let (before, after) = self.odds;
        if area == self.area && paid == staked * before { staked * after } else { paid }
    }
}

/// A change from a book to its changed one, or the way back, from a moment on.
pub(crate) fn change_from(library: &Library, id: &str, from: Moment) -> Option<RulesChange> {
    let (rulebook, digest, text) = if let Some(book) = changed(id) {
        (book.base.clone(), library.get(&book.base)?.1, None)
    } else {
        let book = changed_books().iter().find(|book| book.base == id)?;
        let is_known = library.get(&book.id).is_some();
        (book.id.clone(), book.digest, Some(book.text.clone()).filter(|_| !is_known))
    };
    let check = LabCheck { uncounted: Some("a simulation".to_owned()), ..LabCheck::default() };
    let words = "the regulator approved other odds".to_owned();
    Some(RulesChange { instead_of: id.to_owned(), rulebook, digest, text, from, check, words })
}
