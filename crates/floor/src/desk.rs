//! A link and its jackpot desk: the meter, and whose the awards are.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::{Award, AwardNumber, Link};
use journal::{LinkEvent, Moment, Winner};

use crate::floor::EvolveError;
use crate::library::Library;
use crate::refusal::Refusal;

/// A link with the winners of its awards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    link: Link,
    winners: BTreeMap<AwardNumber, Winner>,
    /// When each award was entered.
    entered_at: BTreeMap<AwardNumber, Moment>,
    /// When the closing was announced.
    closing_since: Option<Moment>,
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
        let (winners, entered_at) = (BTreeMap::new(), BTreeMap::new());
        Ok(Desk { link, winners, entered_at, closing_since: None })
    }

    pub const fn link(&self) -> &Link {
        &self.link
    }

    /// When the closing was announced.
    pub const fn closing_since(&self) -> Option<Moment> {
        self.closing_since
    }

    /// When an award was entered.
    pub fn entered_at(&self, award: AwardNumber) -> Option<Moment> {
        self.entered_at.get(&award).copied()
    }

    /// Whose an award is.
    pub fn winner(&self, award: AwardNumber) -> Option<&Winner> {
        self.winners.get(&award)
    }

    /// Who gets the awards that a link enters anew: whoever had the award before.
    pub(crate) fn winners_anew(&self, events: &[jackpot::Event]) -> Vec<Winner> {
        let winner = |event: &jackpot::Event| {
            let jackpot::Event::AwardEntered { award, .. } = event else {
                return None;
            };
            let before = self.winner(award.corrects?)?;
            Some(Winner { award: award.number, ..before.clone() })
        };
        events.iter().filter_map(winner).collect()
    }

    /// A refusal of the link, with the award that is paid first where that is the reason.
    pub(crate) fn refusal(&self, command: &jackpot::Command, refusal: jackpot::Refusal) -> Refusal {
        let waits = |award: AwardNumber| self.link.award(award).and_then(|award| self.link.waits_for(award));
        if let jackpot::Command::Pay { award, .. } = command
            && refusal.reason == jackpot::Reason::EarlierAwardIsOpen
            && let Some((first, _)) = waits(*award)
        {
            return Refusal { sentence: paid_first(first), ..refusal.into() };
        }
        refusal.into()
    }

    /// Writes one event.
    pub(crate) fn evolve(&mut self, event: &LinkEvent, at: Moment) -> Result<(), EvolveError> {
        match event {
            LinkEvent::Opened { .. } => return Err(EvolveError::OpenedTwice),
            LinkEvent::Jackpot(event) => {
                if let jackpot::Event::AwardEntered { award, .. } = event {
                    self.entered_at.insert(award.number, at);
                } else if let jackpot::Event::ClosingAnnounced { .. } = event {
                    self.closing_since = Some(at);
                }
                self.link.evolve(event);
            }
            LinkEvent::Won { winners } => {
                self.winners.extend(winners.iter().map(|winner| (winner.award, winner.clone())));
            }
        }
        Ok(())
    }
}

/// Which award is paid first, and what would let another be paid before it.
pub(crate) fn paid_first(first: &Award) -> String {
    let Award { number, entry, position, hand, .. } = first;
    format!(
        "First {number} is paid: {hand}, {position}, {entry}. This award waits until that one is paid or rejected, or \
         until a Gaming Shift Manager and a Pit Manager release this award because that one is disputed."
    )
}
