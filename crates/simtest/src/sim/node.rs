//! One machine of the run: a node that may be down or frozen, its clock, its queue, and what it tells.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use floor::node::{Audience, News, Node, Request, Setup};
use journal::checkpoint::Signer;
use journal::{Listener, Stream, Version};

use super::books::EventView;
use super::clock::{Seeds, SimClock};
use super::database::Wire;
use super::dice::{Dice, Held};

/// For how long a node has a table, in milliseconds.
pub(crate) const LEASE_TERM: u64 = 2_000;

/// Keeps what a node tells until the run looks at it.
struct Kept(Held<Vec<EventView>>);

impl Audience for Kept {
    fn heard(&self, news: &News) {
        let entries = news.entries.iter().map(|new| Arc::new((new.entry.clone(), new.event.clone())));
        self.0.with(|told| told.extend(entries));
    }
}

/// Who sent a request: somebody of the run, or nobody who waits for the answer.
pub(crate) type Sender = Option<usize>;

/// A machine.
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) clock: SimClock,
    pub(crate) dice: Dice,
    pub(crate) node: Option<Node>,
    pub(crate) listener: Option<Box<dyn Listener>>,
    pub(crate) told: Held<Vec<EventView>>,
    /// The last version told of each stream since it began.
    pub(crate) last: BTreeMap<Stream, Version>,
    pub(crate) queue: Vec<(Request, Sender)>,
    /// When the last of the requests that are on their way to it arrives.
    pub(crate) awaited: u64,
    /// It does nothing before this time.
    pub(crate) frozen_until: u64,
    pub(crate) wire: Held<Wire>,
    /// Counts its lives, so that what was meant for an earlier one is passed over.
    pub(crate) life: u64,
}

impl Machine {
    /// What a node is given when it begins.
    pub(crate) fn setup(&mut self, signer: &Signer) -> Setup {
        let mut setup = Setup::new(&self.name, "The House", signer.clone());
        setup.clock = Box::new(self.clock.clone());
        setup.chance = Box::new(Seeds(self.dice.fork()));
        setup.audience = vec![Arc::new(Kept(self.told.clone()))];
        setup.lease_term = Duration::from_millis(LEASE_TERM);
        setup
    }

    /// Whether it can be asked.
    pub(crate) const fn is_up(&self) -> bool {
        self.node.is_some()
    }

    /// Whether its process has died, though nobody has noticed.
    pub(crate) fn is_dead(&self) -> bool {
        self.wire.with(|wire| wire.dies_after == Some(0))
    }

    /// It ends at once: what waited in its memory is gone.
    pub(crate) fn end(&mut self) {
        self.node = None;
        self.listener = None;
        self.queue.clear();
        self.told.with(Vec::clear);
        self.life += 1;
    }
}
