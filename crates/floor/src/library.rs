//! The rulebooks a floor knows, each with the digest of its text.

use std::collections::BTreeMap;
use std::sync::Arc;

use journal::Hash;
use rulebook::{BookError, Rulebook};
use sha2::{Digest, Sha256};

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

    /// The digest of every book's text, by the book's id.
    pub fn digests(&self) -> BTreeMap<String, Hash> {
        self.0.iter().map(|(book, digest)| (book.id.clone(), *digest)).collect()
    }

    /// Every book.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rulebook>> {
        self.0.iter().map(|(book, _)| book)
    }
}
