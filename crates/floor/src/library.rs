//! The rulebooks a floor knows, each with the digest of its text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use journal::{Hash, Moment};
use rulebook::{BookError, Rulebook};
use sha2::{Digest, Sha256};

use crate::view::date_and_time;

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

/// The texts of the embedded books in earlier releases, by digest. They differ from today's in words and in readings that
/// were not named then: a table that was opened under one is read on.
const EARLIER_TEXTS: [(&str, &str); 4] = [
    ("holdem-progressive-v6", "0c2bd68ac027de13316db19366259ce8db7ac3ba4ee78e840981ec1e37defd74"),
    ("megalink-holdem-v6", "4a7d4e42528ee6aaf2b4052d62e184f6e0ecfdf4cd614663fb95449da3d48778"),
    ("megalink-holdem-v9", "e0700421a97acdfe8ff000c32340e6d7930e90a4b0abbc8f8677f92c150306df"),
    ("megalink-stud-v9", "0b2f52ad4e06f3326439c6c53034d2614a11cdac1b9809038f022400f03b4a4a"),
];

/// The rulebooks tables may be opened under.
#[derive(Clone, Debug)]
pub struct Library(Arc<[(Arc<Rulebook>, Hash)]>);

impl Library {
    /// The books that come with the program.
    pub fn embedded() -> Library {
        Library::of(rulebook::embedded_texts()).expect("the embedded books are part of the program")
    }

    /// Books from their files' names and texts.
    pub fn of<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Result<Library, BookError> {
        let read = |(file, text): (&str, &str)| {
            let digest = Hash(Sha256::digest(text.as_bytes()).into());
            Ok((Arc::new(Rulebook::parse(file, text)?), digest))
        };
        texts.map(read).collect::<Result<_, BookError>>().map(Library)
    }

    /// A book with the digest of its text.
    pub fn get(&self, id: &str) -> Option<(&Arc<Rulebook>, Hash)> {
        self.0.iter().find(|(book, _)| book.id == id).map(|(book, digest)| (book, *digest))
    }

    /// Whether a digest is that of a book's text, or of the same book's text in an earlier release.
    pub fn is_text_of(&self, id: &str, digest: Hash) -> bool {
        let Some((_, present)) = self.get(id) else { return false };
        let embedded = rulebook::embedded_text(id).map(|text| Hash(Sha256::digest(text.as_bytes()).into()));
        let earlier = EARLIER_TEXTS.contains(&(id, digest.to_string().as_str()));
        digest == present || earlier && embedded == Some(present)
    }

    /// The digest of every book's text, by the book's id.
    pub fn digests(&self) -> BTreeMap<String, Hash> {
        self.0.iter().map(|(book, digest)| (book.id.clone(), *digest)).collect()
    }

    /// How a book stands at a moment: it may be of the future, or a later version of the same game may be in force. `None`
    /// where there is no such book.
    pub fn standing(&self, id: &str, at: Moment) -> Option<Standing> {
        let (book, _) = self.get(id)?;
        let now = local_time(at);
        let is_in_force = |book: &Rulebook| book.in_force <= now;
        if !is_in_force(book) {
            return Some(Standing::NotYet { from: book.in_force.clone() });
        }
        let later = self.iter().filter(|other| other.title == book.title && book.version < other.version);
        let newest = later.filter(|other| is_in_force(other)).max_by_key(|other| other.version);
        Some(newest.map_or(Standing::InForce, |by| Standing::Superseded { by: by.id.clone() }))
    }

    /// Every book.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rulebook>> {
        self.0.iter().map(|(book, _)| book)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V6: &str = "megalink-holdem-v6";
    const V9: &str = "megalink-holdem-v9";

    /// The text of an earlier release is known, of this book and no other; another text is not, nor where the book itself
    /// is another.
    #[test]
    fn an_earlier_text_is_read_on() {
        let library = Library::embedded();
        for (id, digest) in EARLIER_TEXTS {
            let digest: Hash = digest.parse().expect("a digest");
            assert!(library.is_text_of(id, digest));
            let others = library.iter().filter(|book| book.id != id);
            assert!(others.into_iter().all(|book| !library.is_text_of(&book.id, digest)));
            assert!(!library.is_text_of(id, Hash([7; 32])));
            let text = format!("{}\n# changed here\n", rulebook::embedded_text(id).expect("embedded"));
            let changed = Library::of([(id, text.as_str())].into_iter()).expect("a comment changes nothing");
            assert!(!changed.is_text_of(id, digest));
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
