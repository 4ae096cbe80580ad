//! The rulebooks a floor knows. A table is opened under a book's figures and readings: its words may be edited.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use journal::{Hash, Moment, RulesChange};
use rulebook::{BookError, Rulebook};
use sha2::{Digest, Sha256};

use crate::floor::EvolveError;
use crate::house::House;
use crate::view::{date_and_time, local_date_and_time};

/// How a book stands on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    InForce,
    /// It comes into force later.
    NotYet {
        from: String,
    },
    /// A later version is in force.
    Superseded {
        by: String,
    },
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::InForce => f.write_str("in force"),
            Standing::NotYet { from } => write!(f, "in force from {from}"),
            Standing::Superseded { by } => write!(f, "superseded by {by}"),
        }
    }
}

/// Singapore's time, which the books' dates are in, is so far ahead of UTC, in milliseconds. It has no summer time.
const SINGAPORE_AHEAD: u64 = 8 * 60 * 60 * 1000;

/// A moment as the books write their dates, so that the two can be compared as texts.
fn local_time(at: Moment) -> String {
    date_and_time(Moment(at.0.saturating_add(SINGAPORE_AHEAD))).replace(' ', "T")
}

/// The texts of the embedded books in release 0.2.0 and after it, while tables named a book by the digest of its text, each
/// with the digest of its figures and readings. Readings that were not named in 0.2.0 were taken as they were named later.
/// A table that was opened under one of these texts is read on as long as the book has these figures and readings.
const EARLIER_TEXTS: [(&str, &str, &str); 8] = [
    (
        "holdem-progressive-v6",
        "0c2bd68ac027de13316db19366259ce8db7ac3ba4ee78e840981ec1e37defd74",
        "e53ad52df80a7345af705c5e49415c39ebf5e2f5b831d28c3940bfb3f741e535",
    ),
    (
        "megalink-holdem-v6",
        "4a7d4e42528ee6aaf2b4052d62e184f6e0ecfdf4cd614663fb95449da3d48778",
        "327212c2b537267efb895ccba2d903c3df93819bfcae72a42f1d2cfc1d7d8e88",
    ),
    (
        "megalink-holdem-v9",
        "e0700421a97acdfe8ff000c32340e6d7930e90a4b0abbc8f8677f92c150306df",
        "f5e103a2cbdfd09bd2881b31d93ca4c6a54043943627843e542e782bdddb7bdb",
    ),
    (
        "megalink-stud-v9",
        "0b2f52ad4e06f3326439c6c53034d2614a11cdac1b9809038f022400f03b4a4a",
        "b44790f3bfe1ebaeb0f32d32eaf461f236cf83c3308c38d08ab045aa1191f529",
    ),
    (
        "holdem-progressive-v6",
        "f84f7601b441b344d10fd4747325b9105a7a16a1890f3e5bed291d3f9ad58576",
        "e53ad52df80a7345af705c5e49415c39ebf5e2f5b831d28c3940bfb3f741e535",
    ),
    (
        "megalink-holdem-v6",
        "412093144e1ec0979283d2e645865213a3c9fca2b559527a1d3ce8ab2af60947",
        "327212c2b537267efb895ccba2d903c3df93819bfcae72a42f1d2cfc1d7d8e88",
    ),
    (
        "megalink-holdem-v9",
        "2cbd46b35e176a097aeda26c772a852ee5198709caed9be355de33dbee603972",
        "f5e103a2cbdfd09bd2881b31d93ca4c6a54043943627843e542e782bdddb7bdb",
    ),
    (
        "megalink-stud-v9",
        "a47ab685268515b6945fb3d95c5785e7be6814ea5732668fba3a62115c0c7e57",
        "b44790f3bfe1ebaeb0f32d32eaf461f236cf83c3308c38d08ab045aa1191f529",
    ),
];

/// Names the purpose of the digest of a book's figures, so that no other digest passes for it.
const FIGURES: &[u8] = b"megalink.rulebook.figures.1";

/// The rulebooks tables may be opened under: those the program was given, and those the house changed to.
#[derive(Clone, Debug)]
pub struct Library {
    /// What the program was given.
    given: Arc<[Shelved]>,
    books: Arc<[Shelved]>,
    /// The changes of rules that the house signed for, by the hour they hold from.
    changes: Arc<[RulesChange]>,
}

/// A book and the digests it is named by.
#[derive(Clone, Debug)]
struct Shelved {
    book: Arc<Rulebook>,
    source: Arc<str>,
    /// Of its text: what runs, to the letter.
    text: Hash,
    /// Of its figures and readings: what tables are opened under.
    figures: Hash,
}

impl Shelved {
    fn read(file: &str, text: &str) -> Result<Shelved, BookError> {
        let (book, figures) = read_book(file, text)?;
        let digest = Hash(Sha256::digest(text.as_bytes()).into());
        Ok(Shelved { book: Arc::new(book), source: text.into(), text: digest, figures })
    }
}

/// A book from its file, with the digest of its figures and readings.
pub fn read_book(file: &str, text: &str) -> Result<(Rulebook, Hash), BookError> {
    let book = Rulebook::parse(file, text)?;
    let figures = Hash::of([FIGURES, rulebook::substance(file, text)?.as_bytes()]);
    Ok((book, figures))
}

impl Library {
    /// The books that come with the program.
    pub fn embedded() -> Library {
        Library::of(rulebook::embedded_texts()).expect("the embedded books are part of the program")
    }

    /// Books from their files' names and texts.
    pub fn of<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Result<Library, BookError> {
        let given: Arc<[Shelved]> =
            texts.map(|(file, text)| Shelved::read(file, text)).collect::<Result<_, BookError>>()?;
        Ok(Library { books: Arc::clone(&given), given, changes: Arc::new([]) })
    }

    /// These books with one more, in the place of one with the same id.
    pub(crate) fn with(&self, file: &str, text: &str) -> Result<Library, BookError> {
        let more = Shelved::read(file, text)?;
        let others = self.books.iter().filter(|shelved| shelved.book.id != more.book.id).cloned();
        let books: Arc<[Shelved]> = others.chain([more.clone()]).collect();
        Ok(Library { books, given: Arc::clone(&self.given), changes: Arc::clone(&self.changes) })
    }

    /// These books with those that a house changed to. A book of the log stands before one of the same id that the program
    /// was given: tables play under it.
    pub(crate) fn of_house(&self, house: &House) -> Result<Library, EvolveError> {
        if house.rules().len() == self.changes.len() {
            return Ok(self.clone());
        }
        let mut books: Vec<Shelved> = self.given.to_vec();
        for (change, text) in house.rules().iter().filter_map(|change| Some((change, change.text.as_ref()?)))
        {
            let read = Shelved::read(&change.rulebook, text);
            let read = read.map_err(|error| EvolveError::Rulebook(error.to_string()))?;
            books.retain(|shelved| shelved.book.id != read.book.id);
            books.push(read);
        }
        let mut changes = house.rules().to_vec();
        changes.sort_by_key(|change| change.from);
        Ok(Library { given: Arc::clone(&self.given), books: books.into(), changes: changes.into() })
    }

    /// How many changes of rules hold at a moment.
    pub(crate) fn changes_by(&self, at: Moment) -> u64 {
        u64::try_from(self.held(at).len()).unwrap_or(u64::MAX)
    }

    /// Whether the house ever changed its rules.
    pub(crate) fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The changes that hold at a moment, in their order.
    fn held(&self, at: Moment) -> &[RulesChange] {
        let held = self.changes.partition_point(|change| change.from <= at);
        self.changes.get(..held).unwrap_or_default()
    }

    /// A moment, and the hours after it up to another one at which changes begin to hold.
    pub(crate) fn hours(&self, since: Moment, up_to: Moment) -> impl Iterator<Item = Moment> {
        let hours = self.changes.iter().map(|change| change.from);
        std::iter::once(since).chain(hours.filter(move |hour| since < *hour && *hour <= up_to))
    }

    /// The book under which tables play at a moment that opened under one when some changes held.
    pub(crate) fn present(&self, id: &str, changes: u64, at: Moment) -> String {
        let passed = usize::try_from(changes).unwrap_or(usize::MAX);
        let since = self.held(at).get(passed..).unwrap_or_default();
        since.iter().fold(id.to_owned(), |book, change| {
            if book == change.instead_of { change.rulebook.clone() } else { book }
        })
    }

    /// The other books that tables have to take from a moment on, as far as is signed for, that opened under one when some
    /// changes held.
    pub(crate) fn to_come(&self, id: &str, changes: u64, at: Moment) -> Vec<String> {
        let hours = self.changes.iter().map(|change| change.from.max(at));
        let mut books: Vec<String> = hours.map(|hour| self.present(id, changes, hour)).collect();
        books.dedup();
        books.retain(|book| book != id);
        books
    }

    /// The books that the house changed to and that its log has the files of: their ids and texts.
    pub fn changed_to(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_log =
            |id: &str| self.changes.iter().any(|change| change.rulebook == id && change.text.is_some());
        let books = self.books.iter().map(|shelved| (shelved.book.id.as_str(), &*shelved.source));
        books.filter(move |(id, _)| of_log(id))
    }

    fn shelved(&self, id: &str) -> Option<&Shelved> {
        self.books.iter().find(|shelved| shelved.book.id == id)
    }

    /// A book with the digest of its figures and readings.
    pub fn get(&self, id: &str) -> Option<(&Arc<Rulebook>, Hash)> {
        self.shelved(id).map(|shelved| (&shelved.book, shelved.figures))
    }

    /// The file of a book.
    pub fn text(&self, id: &str) -> Option<&str> {
        self.shelved(id).map(|shelved| &*shelved.source)
    }

    /// Whether a digest names a book: by its figures and readings, or as earlier programs did by its text.
    pub fn is_text_of(&self, id: &str, digest: Hash) -> bool {
        let Some(Shelved { text, figures, .. }) = self.shelved(id) else { return false };
        let (named, present) = (digest.to_string(), figures.to_string());
        let earlier = EARLIER_TEXTS.contains(&(id, named.as_str(), present.as_str()));
        digest == *figures || digest == *text || earlier
    }

    /// The digest of every book's text, by the book's id.
    pub fn digests(&self) -> BTreeMap<String, Hash> {
        self.books.iter().map(|shelved| (shelved.book.id.clone(), shelved.text)).collect()
    }

    /// How a book stands at a moment: it may be of the future, or a later version of the same game may be in force. `None`
    /// where there is no such book.
    pub fn standing(&self, id: &str, at: Moment) -> Option<Standing> {
        let (book, _) = self.get(id)?;
        // What two people signed stands before the date in a book.
        let concerns = |change: &&RulesChange| change.rulebook == id || change.instead_of == id;
        if let Some(last) = self.held(at).iter().rfind(concerns) {
            let by = last.rulebook.clone();
            return Some(if by == id { Standing::InForce } else { Standing::Superseded { by } });
        }
        if !self.is_given(id) {
            let first = self.changes.iter().find(|change| change.rulebook == id);
            let from = first.map_or_else(String::new, |first| local_date_and_time(first.from));
            return Some(Standing::NotYet { from });
        }
        let now = local_time(at);
        let is_in_force = |book: &Rulebook| book.in_force <= now;
        if !is_in_force(book) {
            return Some(Standing::NotYet { from: book.in_force.clone() });
        }
        let later = self.given.iter().map(|shelved| &shelved.book);
        let later = later.filter(|other| other.title == book.title && book.version < other.version);
        let newest = later.filter(|other| is_in_force(other)).max_by_key(|other| other.version);
        Some(newest.map_or(Standing::InForce, |by| Standing::Superseded { by: by.id.clone() }))
    }

    /// Whether the program was given a book of this id.
    fn is_given(&self, id: &str) -> bool {
        self.given.iter().any(|shelved| shelved.book.id == id)
    }

    /// Every book.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rulebook>> {
        self.books.iter().map(|shelved| &shelved.book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V6: &str = "megalink-holdem-v6";
    const V9: &str = "megalink-holdem-v9";

    /// A table that was opened under the text of release 0.2.0, under another text with the same figures, or under these
    /// figures is read on; under other figures or readings it is not.
    #[test]
    fn words_may_be_edited_and_figures_not() {
        let library = Library::embedded();
        for (id, digest, _) in EARLIER_TEXTS {
            let earlier: Hash = digest.parse().expect("a digest");
            let text = rulebook::embedded_text(id).expect("embedded");
            let (_, figures) = library.get(id).expect("a book");
            let of = |text: String| Library::of([(id, text.as_str())].into_iter()).expect("a book");
            let edited = of(format!("# Words.\n{}", text.replace("gist = \"", "gist = \"In short: ")));
            for library in [&library, &edited] {
                assert!(library.is_text_of(id, earlier), "{id} of 0.2.0");
                assert!(library.is_text_of(id, figures), "{id}");
                assert!(!library.is_text_of(id, Hash([7; 32])));
            }
            let others = library.iter().filter(|book| book.id != id);
            assert!(others.into_iter().all(|book| !library.is_text_of(&book.id, earlier)));
            let other = of(text.replace("\"1 to 1\"", "\"2 to 1\""));
            assert!(!other.is_text_of(id, earlier) && !other.is_text_of(id, figures), "{id} pays otherwise");
        }
    }

    /// Version 9 came into force on 4 July 2023 at seven in the morning, Singapore's time: 3 July, 23:00 UTC.
    #[test]
    fn a_book_is_superseded_at_the_minute_the_next_comes_into_force() {
        let library = Library::embedded();
        let change = 1_688_425_200_000;
        assert_eq!(date_and_time(Moment(change)), "2023-07-03 23:00:00");
        let before = Moment(change - 1);
        assert_eq!(library.standing(V6, before), Some(Standing::InForce));
        assert_eq!(
            library.standing(V9, before),
            Some(Standing::NotYet { from: "2023-07-04T07:00".to_owned() })
        );
        let from_then_on = Moment(change);
        assert_eq!(library.standing(V6, from_then_on), Some(Standing::Superseded { by: V9.to_owned() }));
        assert_eq!(library.standing(V9, from_then_on), Some(Standing::InForce));
        // The game that is not linked has no later version here.
        assert_eq!(library.standing("holdem-progressive-v6", from_then_on), Some(Standing::InForce));
        assert_eq!(library.standing("nothing", from_then_on), None);
    }
}
