//! The whole floor: the fold of every stream.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::TableId;
use journal::{Actor, Event, HouseEvent, LinkId, Moment, Stream};
use money::Money;
use round::PlayerId;

use crate::desk::Desk;
use crate::house::House;
use crate::library::Library;
use crate::table::Table;

/// Why an event of the journal cannot have happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvolveError {
    /// The stream begins with something else than its opening.
    #[error("the stream does not begin with its opening")]
    NotOpened,
    /// A link opened twice.
    #[error("the link opened twice")]
    OpenedTwice,
    /// An event of another kind of stream.
    #[error("an event of this kind does not belong to this stream")]
    WrongStream,
    /// A rulebook that is not there.
    #[error("there is no rulebook {0:?} here; give it with --rulebook-file")]
    NoSuchRulebook(String),
    /// A rulebook whose text is another.
    #[error("rulebook {0:?} is not the text the table was opened under; give that one with --rulebook-file")]
    RulebookHasChanged(String),
    /// A rulebook of the log that this program cannot read.
    #[error("a rulebook that the house changed to cannot be read: {0}")]
    Rulebook(String),
    /// A table that cannot be.
    #[error("no such table can be: {0}")]
    Table(String),
    /// A link that cannot be.
    #[error("no such link can be: {0}")]
    Link(String),
    /// A carried state that is not the state of its stream.
    #[error("the state that was carried forward is not what the entries before it come to")]
    NotTheState,
    /// A carried state that cannot be read.
    #[error("the state that was carried forward cannot be read: {0}")]
    State(String),
    /// An event of a shuffle where there is none.
    #[error("there is no shuffle here")]
    NoShuffle,
}

/// A floor. Cheap to copy: what does not change is shared.
#[derive(Clone, Debug)]
pub struct Floor {
    library: Library,
    house: Arc<House>,
    tables: BTreeMap<TableId, Arc<Table>>,
    links: BTreeMap<LinkId, Arc<Desk>>,
}

impl Floor {
    /// A floor on which nothing has happened.
    pub fn new(library: Library) -> Floor {
        Floor { library, house: Arc::default(), tables: BTreeMap::new(), links: BTreeMap::new() }
    }

    /// The rulebooks it knows.
    pub const fn library(&self) -> &Library {
        &self.library
    }

    pub const fn house(&self) -> &Arc<House> {
        &self.house
    }

    pub fn table(&self, table: &TableId) -> Option<&Arc<Table>> {
        self.tables.get(table)
    }

    /// Every table, by name.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    pub fn link(&self, link: &LinkId) -> Option<&Arc<Desk>> {
        self.links.get(link)
    }

    /// Every link, by name.
    pub fn links(&self) -> impl Iterator<Item = (&LinkId, &Arc<Desk>)> {
        self.links.iter()
    }

    /// The link a table plays for.
    pub fn link_of(&self, table: &TableId) -> Option<&LinkId> {
        self.table(table)?.setup().link.as_ref()
    }

    /// Writes one event of a stream, which happened at this time. Refuses only what no floor of this program can have
    /// written.
    pub fn evolve(
        &mut self,
        stream: &Stream,
        event: &Event,
        at: Moment,
        by: &Actor,
    ) -> Result<(), EvolveError> {
        match (stream, event) {
            (Stream::House, Event::House(event)) => {
                let house = Arc::make_mut(&mut self.house);
                house.evolve(event, at);
                house.note_maker(by, event);
                if let HouseEvent::RulesChanged { .. } = event {
                    self.library = self.library.of_house(&self.house)?;
                }
            }
            (Stream::Table(id), Event::Table(event)) => {
                if let Some(table) = self.tables.get_mut(id) {
                    let table = Arc::make_mut(table);
                    table.evolve(&self.library, event)?;
                    table.note_dealer(by, event);
                    table.note_day(self.house.day_rule(), by, at, event);
                } else {
                    let table = Table::opened(id, &self.library, event)?;
                    self.tables.insert(id.clone(), Arc::new(table));
                }
            }
            (Stream::Link(id), Event::Link(event)) => {
                if let Some(desk) = self.links.get_mut(id) {
                    Arc::make_mut(desk).evolve(&self.library, event, at)?;
                } else {
                    let desk = Desk::open(&self.library, event)?;
                    self.links.insert(id.clone(), Arc::new(desk));
                }
            }
            (_, Event::Carried(carried)) => {
                self.check_carried(stream, carried)?;
                self.pass_carried(stream);
            }
            (Stream::House | Stream::Table(_) | Stream::Link(_), _) => return Err(EvolveError::WrongStream),
        }
        Ok(())
    }

    /// A stream goes on after the entry that carried it forward.
    pub(crate) fn pass_carried(&mut self, stream: &Stream) {
        if let Stream::Link(id) = stream
            && let Some(desk) = self.links.get_mut(id)
        {
            Arc::make_mut(desk).pass_carried();
        }
    }

    /// What a Player was paid of awards on the gaming day of a moment.
    pub(crate) fn paid_on_gaming_day(&self, player: &PlayerId, at: Moment) -> Money {
        let days = self.house.day_rule();
        let paid = self.links.values().map(|desk| desk.paid_on_gaming_day(player, at, days));
        Money::sum(paid).unwrap_or(jackpot::DUE_DILIGENCE_FROM)
    }

    /// Whether a Player has a position or a wager at a table, or an award that is not yet paid.
    pub fn is_playing(&self, player: &PlayerId) -> bool {
        let at_table = |table: &Arc<Table>| table.round().seats().any(|(_, seat)| seat.is_of(player));
        let waits = |desk: &Arc<Desk>| {
            let own = |award: &jackpot::Award| {
                desk.winner(award.number).is_some_and(|winner| winner.player == *player)
            };
            desk.link().open_awards().any(own)
        };
        self.tables.values().any(at_table) || self.links.values().any(waits)
    }

    /// Puts a table back as it was, or takes one away that is not to be.
    pub(crate) fn put_table(&mut self, id: &TableId, table: Option<Arc<Table>>) {
        match table {
            Some(table) => self.tables.insert(id.clone(), table),
            None => self.tables.remove(id),
        };
    }

    /// Puts a link in place, or takes one away that is not to be.
    pub(crate) fn put_link(&mut self, id: &LinkId, desk: Option<Arc<Desk>>) {
        match desk {
            Some(desk) => self.links.insert(id.clone(), desk),
            None => self.links.remove(id),
        };
    }

    /// Puts the house in place, with the rulebooks that it changed to.
    pub(crate) fn put_house(&mut self, house: Arc<House>) -> Result<(), EvolveError> {
        self.library = self.library.of_house(&house)?;
        self.house = house;
        Ok(())
    }
}
