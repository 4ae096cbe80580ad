//! A link and its jackpot desk: the meter, and whose the awards are.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::{AwardNumber, Link};
use journal::{LinkEvent, Winner};

use crate::floor::EvolveError;
use crate::library::Library;

/// A link with the winners of its awards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    link: Link,
    winners: BTreeMap<AwardNumber, Winner>,
}

impl Desk {
    /// A link that has just opened.
    pub(crate) fn open(library: &Library, event: &LinkEvent) -> Result<Desk, EvolveError> {
        let LinkEvent::Opened { books, settings, opening } = event else {
            return Err(EvolveError::NotOpened);
        };
        let book = |id: &String| match library.get(id) {
            Some((book, _)) => Ok(Arc::clone(book)),
            None => Err(EvolveError::NoSuchRulebook(id.clone())),
        };
        let books = books.iter().map(book).collect::<Result<_, _>>()?;
        let link =
            Link::new(books, *settings, *opening).map_err(|error| EvolveError::Link(error.to_string()))?;
        Ok(Desk { link, winners: BTreeMap::new() })
    }

    pub const fn link(&self) -> &Link {
        &self.link
    }

    /// Whose an award is.
    pub fn winner(&self, award: AwardNumber) -> Option<&Winner> {
        self.winners.get(&award)
    }

    /// Writes one event.
    pub(crate) fn evolve(&mut self, event: &LinkEvent) -> Result<(), EvolveError> {
        match event {
            LinkEvent::Opened { .. } => return Err(EvolveError::OpenedTwice),
            LinkEvent::Jackpot(event) => self.link.evolve(event),
            LinkEvent::Won { winners } => {
                self.winners.extend(winners.iter().map(|winner| (winner.award, winner.clone())));
            }
        }
        Ok(())
    }
}
