//! One machine of the run: a node that may be down or paused, its clock, its queue, and what it has published.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use floor::node::{Audience, CarryRules, News, Node, Request, Setup};
use journal::checkpoint::Signer;
use journal::{Listener, Stream, Version};

use super::clock::{SeededChance, SimClock};
use super::database::Connection;
use super::keys::further_signers;
use super::oracle::EventView;
use super::plan::Keys;
use super::shared::Shared;
use crate::dice::Dice;

/// How long a node holds the lease of a table, in milliseconds.
pub(crate) const LEASE_TERM: u64 = 2_000;

/// Streams are carried forward so often that a run starts from it many times.
const CARRY: CarryRules = CarryRules { entries: 60, all_entries: 400 };

/// Keeps what a node publishes until the run looks at it.
struct Recorder(Shared<Vec<EventView>>);

impl Audience for Recorder {
    fn heard(&self, news: &News) {
        let entries = news.entries.iter().map(|new| Arc::new((new.entry.clone(), new.event.clone())));
        self.0.with(|published| published.extend(entries));
    }
}

/// The client that sent a request, or none if nobody waits for the answer.
pub(crate) type Sender = Option<usize>;

pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) clock: SimClock,
    pub(crate) dice: Dice,
    pub(crate) node: Option<Node>,
    pub(crate) listener: Option<Box<dyn Listener>>,
    pub(crate) published: Shared<Vec<EventView>>,
    /// The last version of each stream that it has published since it started.
    pub(crate) versions: BTreeMap<Stream, Version>,
    pub(crate) queue: Vec<(Request, Sender)>,
    /// When the last request on its way to this machine arrives.
    pub(crate) last_arrival: u64,
    /// The machine does nothing before this time.
    pub(crate) paused_until: u64,
    pub(crate) connection: Shared<Connection>,
    /// How often it has been started. Events that were meant for an earlier start are ignored.
    pub(crate) incarnation: u64,
}

impl Machine {
    /// What a node is given when it starts.
    pub(crate) fn setup(&mut self, signer: &Signer, keys: Option<Keys>) -> Setup {
        let mut setup = Setup::new(&self.name, "The House", signer.clone());
        setup.clock = Box::new(self.clock.clone());
        setup.chance = Box::new(SeededChance(self.dice.fork()));
        setup.audience = vec![Arc::new(Recorder(self.published.clone()))];
        setup.lease_term = Duration::from_millis(LEASE_TERM);
        setup.carry = CARRY;
        if keys == Some(Keys::AtOnce) || keys.is_some() && self.incarnation != 0 {
            setup.further_signers = further_signers().to_vec();
        }
        setup
    }

    pub(crate) const fn is_up(&self) -> bool {
        self.node.is_some()
    }

    /// Whether its process has crashed and the run has not noticed yet.
    pub(crate) fn has_crashed(&self) -> bool {
        self.connection.with(|connection| connection.crash_after == Some(0))
    }

    /// Stops it at once. Everything in its memory is lost.
    pub(crate) fn stop(&mut self) {
        self.node = None;
        self.listener = None;
        self.queue.clear();
        self.published.with(Vec::clear);
        self.incarnation += 1;
    }
}
