//! What the rest of the program sees of the floor: only what is durable.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use jackpot::TableId;
use journal::checkpoint::Checkpoint;
use journal::{Entry, Event, Head, LinkId, NodeId, Stream};

use crate::desk::Desk;
use crate::floor::Floor;
use crate::house::House;
use crate::library::Library;
use crate::table::Table;

/// An entry of the log that was committed.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub entry: Entry,
    pub event: Event,
    /// The table as of this entry, where it happened to one.
    pub table: Option<Arc<Table>>,
}

/// What was committed together, by this node or by another, and what it changed.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// The entries, in the order of each stream.
    pub entries: Vec<Arc<NewEntry>>,
    /// The tables they concern, as they are now.
    pub tables: Vec<Arc<Table>>,
    /// The links they concern.
    pub links: Vec<(LinkId, Arc<Desk>)>,
    /// The house, where they concern it.
    pub house: Option<Arc<House>>,
}

/// Receives the news, on the node's own thread between two batches: an implementation must return quickly.
pub trait Audience: Send + Sync {
    /// Something is durable.
    fn heard(&self, news: &News);

    /// This node sealed the log with a checkpoint, which is durable.
    fn sealed(&self, _checkpoint: &Checkpoint) {}
}

/// The floor as it was last committed, for any thread to read.
pub struct Board(RwLock<Posted>);

struct Posted {
    floor: Floor,
    heads: HashMap<Stream, Head>,
    nodes: HashMap<TableId, NodeId>,
    away: Option<String>,
    stopped: Option<String>,
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let posted = self.read();
        f.debug_struct("Board")
            .field("tables", &posted.floor.tables().count())
            .field("links", &posted.floor.links().count())
            .finish_non_exhaustive()
    }
}

impl Board {
    /// A board with a whole floor on it.
    pub(super) fn new(floor: &Floor, heads: impl Iterator<Item = Head>) -> Board {
        let heads = heads.map(|head| (head.stream.clone(), head)).collect();
        Board(RwLock::new(Posted {
            floor: floor.clone(),
            heads,
            nodes: HashMap::new(),
            away: None,
            stopped: None,
        }))
    }

    /// The whole floor.
    pub fn floor(&self) -> Floor {
        self.read().floor.clone()
    }

    /// The rulebooks: those the program was given, and those the house changed to.
    pub fn library(&self) -> Library {
        self.read().floor.library().clone()
    }

    pub fn house(&self) -> Arc<House> {
        Arc::clone(self.read().floor.house())
    }

    pub fn table(&self, table: &TableId) -> Option<Arc<Table>> {
        self.read().floor.table(table).cloned()
    }

    /// Every table, by name.
    pub fn tables(&self) -> Vec<Arc<Table>> {
        self.read().floor.tables().cloned().collect()
    }

    pub fn link(&self, link: &LinkId) -> Option<Arc<Desk>> {
        self.read().floor.link(link).cloned()
    }

    /// Every link, by name.
    pub fn links(&self) -> Vec<(LinkId, Arc<Desk>)> {
        self.read().floor.links().map(|(id, desk)| (id.clone(), Arc::clone(desk))).collect()
    }

    /// Where every stream ends.
    pub fn heads(&self) -> Vec<Head> {
        self.read().heads.values().cloned().collect()
    }

    /// Where a stream ends.
    pub fn head(&self, stream: &Stream) -> Option<Head> {
        self.read().heads.get(stream).cloned()
    }

    /// Which other node runs a table, where one is known to.
    pub fn run_elsewhere(&self, table: &TableId) -> Option<NodeId> {
        self.read().nodes.get(table).cloned()
    }

    /// Why the node does not receive what other nodes write, if it does not: their tables are not current here.
    pub fn away(&self) -> Option<String> {
        self.read().away.clone()
    }

    /// Why the node has stopped, if it has: what stands here is no longer current.
    pub fn stopped(&self) -> Option<String> {
        self.read().stopped.clone()
    }

    fn read(&self) -> RwLockReadGuard<'_, Posted> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, post: impl FnOnce(&mut Posted)) {
        post(&mut self.0.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Posts what is new.
    pub(super) fn post(&self, news: &News, heads: impl Iterator<Item = Head>) {
        self.write(|posted| {
            news.post_on(&mut posted.floor);
            posted.heads.extend(heads.map(|head| (head.stream.clone(), head)));
        });
    }

    /// Posts who runs the tables that other nodes run.
    pub(super) fn post_nodes(&self, nodes: impl Iterator<Item = (TableId, NodeId)>) {
        self.write(|posted| posted.nodes = nodes.collect());
    }

    /// Posts whether hints from other nodes arrive.
    pub(super) fn post_away(&self, why: Option<String>) {
        self.write(|posted| posted.away = why);
    }

    /// Posts that the node has stopped.
    pub(super) fn post_stopped(&self, why: &str) {
        self.write(|posted| posted.stopped = Some(why.to_owned()));
    }
}

impl News {
    /// Brings a floor that is as it was before these entries up to them.
    pub fn post_on(&self, floor: &mut Floor) {
        if let Some(house) = &self.house {
            floor.put_house(Arc::clone(house)).expect("the node has read the rulebooks of its house");
        }
        for table in &self.tables {
            floor.put_table(table.id(), Some(Arc::clone(table)));
        }
        for (link, desk) in &self.links {
            floor.put_link(link, Some(Arc::clone(desk)));
        }
    }

    /// The news of some entries, with the floor as it is after them.
    pub(super) fn of(entries: Vec<Arc<NewEntry>>, floor: &Floor) -> News {
        let streams: BTreeSet<&Stream> = entries.iter().map(|new| &new.entry.stream).collect();
        let (mut tables, mut links, mut house) = (Vec::new(), Vec::new(), None);
        for stream in streams {
            match stream {
                Stream::House => house = Some(Arc::clone(floor.house())),
                Stream::Table(id) => tables.extend(floor.table(id).cloned()),
                Stream::Link(id) => links.extend(floor.link(id).map(|desk| (id.clone(), Arc::clone(desk)))),
            }
        }
        News { entries, tables, links, house }
    }
}
