//! One machine of the run: a node that may be down or paused, its clock, its queue, and what it has published.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use floor::node::{Audience, CarryRules, Clock as _, News, Node, Request, Setup};
use journal::acknowledged::Acknowledged;
use journal::checkpoint::Signer;
use journal::{Listener, Reader, Stream, Version};

use super::clock::{SeededChance, SimClock};
use super::database::Connection;
use super::keys::further_signers;
use super::oracle::EventView;
use super::plan::{Archiving, Keys, Plan};
use super::shared::Shared;
use crate::dice::Dice;

/// How long a node holds the lease of a table, in milliseconds.
pub(crate) const LEASE_TERM: u64 = 2_000;

/// Streams are carried forward so often that a run starts from it many times.
const CARRY: CarryRules = CarryRules { entries: 60, all_entries: 400 };
const CARRY_OFTEN: CarryRules = CarryRules { entries: 30, all_entries: 60 };

/// The newest entry of each stream that a node has published, kept outside the database.
pub(crate) type Notes = BTreeMap<Stream, Acknowledged>;

/// Keeps what a node publishes until the run looks at it, and notes it for the next start.
struct Recorder {
    published: Shared<Vec<EventView>>,
    notes: Shared<Notes>,
    clock: SimClock,
}

impl Audience for Recorder {
    fn heard(&self, news: &News) {
        let entries = news.entries.iter().map(|new| Arc::new((new.entry.clone(), new.event.clone())));
        self.published.with(|published| published.extend(entries));
        let at = self.clock.now();
        let noted = news.entries.iter().map(|new| {
            let head = new.entry.head();
            (head.stream.clone(), Acknowledged { head, at })
        });
        self.notes.with(|notes| notes.extend(noted));
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
    /// A second connection to its log, for the checks. Opening one takes longer than a check does.
    pub(crate) reader: Option<Box<dyn Reader>>,
    pub(crate) published: Shared<Vec<EventView>>,
    /// What it has acknowledged. It survives the machine's stops, and every loss of the database.
    pub(crate) notes: Shared<Notes>,
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
    pub(crate) fn setup(&mut self, signer: &Signer, plan: &Plan) -> Setup {
        let (published, notes, clock) = (self.published.clone(), self.notes.clone(), self.clock.clone());
        let mut setup = self.setup_of_trial(signer, plan);
        setup.chance = Box::new(SeededChance(self.dice.fork()));
        setup.audience = vec![Arc::new(Recorder { published, notes, clock })];
        if plan.keys == Some(Keys::Later) && self.incarnation == 0 {
            setup.further_signers.clear();
        }
        setup
    }

    /// The same for a start that nobody hears of, and that draws nothing from the machine's dice.
    pub(crate) fn setup_of_trial(&self, signer: &Signer, plan: &Plan) -> Setup {
        let mut setup = Setup::new(&self.name, "The House", signer.clone());
        setup.clock = Box::new(self.clock.clone());
        setup.chance = Box::new(SeededChance(self.dice.clone()));
        setup.lease_term = Duration::from_millis(LEASE_TERM);
        setup.carry = match plan.archiving {
            Archiving::Seldom => CARRY,
            Archiving::Often => CARRY_OFTEN,
        };
        setup.acknowledged = self.notes.with(|notes| notes.values().cloned().collect());
        if plan.keys.is_some() {
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
        self.reader = None;
        self.queue.clear();
        self.published.with(Vec::clear);
        self.incarnation += 1;
    }
}
