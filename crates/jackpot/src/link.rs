//! A link's state, and how it handles a command: decide, then evolve.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cards::HandOrder;
use money::{Money, Percent, Pool};
use rulebook::{Citation, Clause, Pays, Position, Rule, Rulebook};
use serde::{Deserialize, Serialize};

use crate::account::{Balances, MovementTotals};
use crate::award::Award;
use crate::command::{Command, Destination, FixedPrize, Shown, Wager};
use crate::event::Event;
use crate::fault::{Counts, Fault};
use crate::meters::Lifetime;
use crate::names::{AwardNumber, EntryId, TableId, Terms};
use crate::refusal::Refusal;
use crate::settings::Settings;

/// The tables that play for one meter, and the complete state of that meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    #[serde(skip)]
    pub(crate) books: Books,
    /// All settings so far; the last are in force.
    pub(crate) settings: Vec<Settings>,
    pub(crate) scheduled: Option<Scheduled>,
    pub(crate) opening: Pool,
    pub(crate) balances: Balances,
    pub(crate) tables: BTreeMap<TableId, TableLink>,
    /// Every award, in order of number.
    pub(crate) awards: Vec<Award>,
    /// The rounds with awards whose table has entered a later one. An award may still be rejected, and then the others
    /// of its round are computed again.
    #[serde(with = "crate::pairs")]
    pub(crate) awarded: BTreeMap<EntryId, EnteredRound>,
    pub(crate) moved: MovementTotals,
    pub(crate) lifetime: Lifetime,
    /// How many rounds were entered.
    pub(crate) entries: u64,
    /// The faults that are not cleared.
    pub(crate) faults: Vec<Fault>,
    /// How many faults there ever were.
    pub(crate) faults_found: u64,
    pub(crate) closing: Option<Closing>,
    pub(crate) closed: bool,
}

/// Settings that wait for a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Scheduled {
    pub(crate) settings: Settings,
    /// How many awards there were: only a restart after that lets the settings in.
    pub(crate) awards_before: usize,
}

/// An announced closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// Where the money will go.
    pub to: Destination,
    /// What Players are told.
    pub words: String,
}

/// The rulebooks of a link. `Debug` shows only their citations, because a whole book is a long text.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Books(Vec<Arc<Rulebook>>);

impl fmt::Debug for Books {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|book| book.citation)).finish()
    }
}

/// What the controller remembers about a table. A table numbers its rounds upwards, so the last one entered is
/// enough to detect a second entry, and memory does not grow with the rounds played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableLink {
    pub(crate) lost: Option<Lost>,
    pub(crate) last: Option<EnteredRound>,
    /// What it has entered over its life on the link.
    pub(crate) counted: Counts,
}

/// Why a table is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lost {
    /// Whether the program noticed that it does not answer; otherwise somebody reported it.
    pub(crate) silent: bool,
}

/// A round that was entered: what is needed to undo it, or to enter it anew without some of its hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EnteredRound {
    pub(crate) round: u64,
    pub(crate) book: Citation,
    pub(crate) terms: Terms,
    /// What the link held before the round was entered.
    pub(crate) before: Balances,
    /// The settings in force at the entry.
    pub(crate) in_force: Terms,
    pub(crate) standing: Vec<Wager>,
    pub(crate) fixed: Vec<FixedPrize>,
    pub(crate) shown: Option<Shown>,
    /// How many awards there were before: only later ones can be of this round.
    pub(crate) awards_before: usize,
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
            awarded: BTreeMap::new(),
            moved: MovementTotals::default(),
            lifetime: Lifetime::default(),
            entries: 0,
            faults: Vec::new(),
            faults_found: 0,
            closing: None,
            closed: false,
        })
    }

    /// A link that was carried forward: its stored state with the rulebooks it was opened with.
    pub fn with_books(self, books: Vec<Arc<Rulebook>>) -> Result<Link, LinkError> {
        check_books(&books)?;
        Ok(Link { books: Books(books), ..self })
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
    pub fn scheduled(&self) -> Option<&Settings> {
        self.scheduled.as_ref().map(|scheduled| &scheduled.settings)
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

    /// Whether a table may take Jackpot wagers: the link is open, the table's connection is not reported lost, and no
    /// fault stops it.
    pub fn reaches(&self, table: &TableId) -> bool {
        !self.closed && !self.is_lost(table) && !self.faults.iter().any(|fault| fault.stops(table))
    }

    /// Whether a table's connection is reported lost.
    pub fn is_lost(&self, table: &TableId) -> bool {
        self.tables.get(table).is_some_and(|table| table.lost.is_some())
    }

    /// Whether a table is lost because the program noticed that it does not answer.
    pub fn is_silent(&self, table: &TableId) -> bool {
        self.tables.get(table).and_then(|table| table.lost).is_some_and(|lost| lost.silent)
    }

    /// The faults that are not cleared, in order of number.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How many faults there ever were.
    pub const fn faults_found(&self) -> u64 {
        self.faults_found
    }

    /// The announced closing, if there is one.
    pub const fn closing(&self) -> Option<&Closing> {
        self.closing.as_ref()
    }

    /// Whether the link has closed.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// What players see now.
    pub const fn shown(&self) -> Shown {
        Shown { entries: self.entries, displayed: self.displayed() }
    }

    /// What a table has entered over its life on the link.
    pub fn counted(&self, table: &TableId) -> Counts {
        self.tables.get(table).map(|table| table.counted).unwrap_or_default()
    }

    /// The number of the last round a table entered.
    pub fn last_round_of(&self, table: &TableId) -> Option<u64> {
        self.last_entry_of(table).map(|last| last.round)
    }

    /// The last round a table entered.
    pub(crate) fn last_entry_of(&self, table: &TableId) -> Option<&EnteredRound> {
        self.tables.get(table)?.last.as_ref()
    }

    /// An entered round that is the last of its table or has awards.
    pub(crate) fn entered_round(&self, entry: &EntryId) -> Option<&EnteredRound> {
        let last = self.last_entry_of(&entry.table).filter(|last| last.round == entry.round);
        last.or_else(|| self.awarded.get(entry))
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
