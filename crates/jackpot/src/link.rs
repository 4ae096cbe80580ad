//! A link's state, and how it handles a command: decide, then evolve.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cards::HandOrder;
use money::{Money, Percent, Pool};
use rulebook::{Citation, Clause, Pays, Position, Rule, Rulebook};

use crate::account::{Balances, MovementTotals, Total};
use crate::award::Award;
use crate::command::{Command, Wager};
use crate::event::Event;
use crate::names::{AwardNumber, TableId, Terms};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// The tables that play for one meter, and the complete state of that meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub(crate) books: Books,
    /// All settings so far; the last are in force.
    pub(crate) settings: Vec<Settings>,
    pub(crate) scheduled: Option<Settings>,
    pub(crate) opening: Pool,
    pub(crate) balances: Balances,
    pub(crate) tables: BTreeMap<TableId, TableLink>,
    /// Every award, in order of number.
    pub(crate) awards: Vec<Award>,
    pub(crate) moved: MovementTotals,
    pub(crate) wagers_counted: u64,
    pub(crate) wagered: Total,
    pub(crate) hits: u64,
}

/// The rulebooks of a link. `Debug` shows only their citations, because a whole book is a long text.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Books(Vec<Arc<Rulebook>>);

impl fmt::Debug for Books {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|book| book.citation)).finish()
    }
}

/// What the controller remembers about a table. A table numbers its rounds upwards, so the last one entered is
/// enough to detect a second entry, and memory does not grow with the rounds played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableLink {
    pub(crate) lost: bool,
    pub(crate) last: Option<LastEntry>,
}

/// The last round a table entered: what is needed to undo it, or to enter it anew without some of its hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastEntry {
    pub(crate) round: u64,
    pub(crate) book: Citation,
    pub(crate) terms: Terms,
    /// What the link held before the round was entered.
    pub(crate) before: Balances,
    /// The settings in force at the entry.
    pub(crate) in_force: Terms,
    /// The settings that waited for a restart at the entry.
    pub(crate) scheduled: Option<Settings>,
    pub(crate) standing: Vec<Wager>,
    /// The part of the contributions that went above the cap.
    pub(crate) over_cap: Pool,
    pub(crate) out: Vec<Position>,
}

/// Why a link cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The list of rulebooks is empty.
    #[error("a link needs at least one rulebook")]
    NoBook,
    /// The list of rulebooks names one twice.
    #[error("{0} is on the link twice")]
    BookTwice(Citation),
    /// The rulebook's game has its own meter and cannot be linked.
    #[error("{0} has its own meter and cannot be linked to other games")]
    NotForLinks(Citation),
    /// The rulebooks pay different hands or percentages from the meter.
    #[error("{0} does not pay the same hands from the meter as the first rulebook of the link")]
    LinesDiffer(Citation),
    /// The opening amount is above the cap.
    #[error("the meter cannot open above its cap")]
    AboveTheCap,
}

impl Link {
    /// A link that opens with its meter at `opening`, or why it cannot open. Linked games must pay the same hands
    /// the same percentages of the meter. A refusal that concerns no table cites the first book.
    pub fn new(books: Vec<Arc<Rulebook>>, settings: Settings, opening: Pool) -> Result<Link, LinkError> {
        check_books(&books)?;
        if settings.cap().is_some_and(|cap| cap < opening) {
            return Err(LinkError::AboveTheCap);
        }
        Ok(Link {
            books: Books(books),
            settings: vec![settings],
            scheduled: None,
            opening,
            balances: Balances { meter: opening, ..Balances::default() },
            tables: BTreeMap::new(),
            awards: Vec::new(),
            moved: MovementTotals::default(),
            wagers_counted: 0,
            wagered: Total::default(),
            hits: 0,
        })
    }

    /// Executes `command`, or refuses it and changes nothing.
    pub fn apply(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.decide(command)?;
        for event in &events {
            self.evolve(event);
        }
        Ok(events)
    }

    /// The rulebooks whose tables play for the meter.
    pub fn books(&self) -> &[Arc<Rulebook>] {
        &self.books.0
    }

    /// The meter, with its fraction of a cent.
    pub const fn meter(&self) -> Pool {
        self.balances.meter
    }

    /// What the meter displays.
    pub const fn displayed(&self) -> Money {
        self.balances.meter.displayed()
    }

    /// The balances of meter, reserve and overflow.
    pub const fn balances(&self) -> Balances {
        self.balances
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        self.settings.last().expect("a link always has settings")
    }

    /// The settings that will apply at the next restart.
    pub const fn scheduled(&self) -> Option<&Settings> {
        self.scheduled.as_ref()
    }

    /// The number of the settings in force, for wagers placed now.
    pub fn terms(&self) -> Terms {
        let earlier = self.settings.len().saturating_sub(1);
        Terms(u32::try_from(earlier).expect("a link changes its settings fewer than 2 to the 32nd times"))
    }

    /// The settings with this number.
    pub fn settings_of(&self, terms: Terms) -> Option<&Settings> {
        self.settings.get(usize::try_from(terms.0).ok()?)
    }

    /// The award with this number.
    pub fn award(&self, number: AwardNumber) -> Option<&Award> {
        self.awards.get(place(number)?)
    }

    /// Every award, in order of number.
    pub fn awards(&self) -> &[Award] {
        &self.awards
    }

    /// The awards that are still to be paid, in order of number.
    pub fn open_awards(&self) -> impl Iterator<Item = &Award> {
        self.awards.iter().filter(|award| award.is_open())
    }

    /// Whether a table may take Jackpot wagers: its connection is not reported lost.
    pub fn reaches(&self, table: &TableId) -> bool {
        !self.tables.get(table).is_some_and(|table| table.lost)
    }

    /// The last round a table entered.
    pub(crate) fn last_entry_of(&self, table: &TableId) -> Option<&LastEntry> {
        self.tables.get(table)?.last.as_ref()
    }

    /// The book to cite when no table is concerned.
    pub(crate) fn home(&self) -> Citation {
        self.books().first().expect("a link has a rulebook").citation
    }

    /// The link's rulebook with this citation.
    pub(crate) fn book(&self, citation: Citation) -> Option<&Rulebook> {
        self.books().iter().find(|book| book.citation == citation).map(Arc::as_ref)
    }

    /// A clause of the book to cite when no table is concerned.
    pub(crate) fn default_clause(&self, rule: Rule) -> Clause {
        Clause { book: self.home(), rule }
    }
}

/// The index of an award in the list.
pub(crate) fn place(number: AwardNumber) -> Option<usize> {
    usize::try_from(number.0.checked_sub(1)?).ok()
}

/// Several games may share a meter only if each is made for links and pays the same parts of the meter.
fn check_books(books: &[Arc<Rulebook>]) -> Result<(), LinkError> {
    let first = books.first().ok_or(LinkError::NoBook)?;
    for (place, book) in books.iter().enumerate() {
        if books.iter().take(place).any(|earlier| earlier.citation == book.citation) {
            return Err(LinkError::BookTwice(book.citation));
        }
        if 1 < books.len() && !book.jackpot.linked_games {
            return Err(LinkError::NotForLinks(book.citation));
        }
        if !meter_lines(book).eq(meter_lines(first)) {
            return Err(LinkError::LinesDiffer(book.citation));
        }
    }
    Ok(())
}

/// The lines of a pay table that are paid from the meter.
pub(crate) fn meter_lines(book: &Rulebook) -> impl Iterator<Item = (HandOrder, Percent)> {
    book.jackpot.lines.iter().filter_map(|line| match line.pays {
        Pays::Share(percent) => Some((line.hand, percent)),
        Pays::Odds(_) | Pays::Fixed(_) => None,
    })
}
