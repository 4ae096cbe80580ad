//! What makes a floor durable and serves it.
//!
//! A [`Node`] holds the floor in memory and its log in a store. It takes requests by the batch: known ids get their
//! first answer, the others are decided in order and written in one transaction with their answers, and only then is the
//! result published ([`Board`], [`Audience`]). It has one thread, no clock and no randomness of its own, so a simulator can
//! run it; [`Service`] gives it a thread and a queue. [`recover`] starts it from the log.
//!
//! What can fail is listed in [`Failure`]. After a failure of the disk, a contradiction in the log or a violated
//! invariant the node stops for good: wrong money is worse than a stopped table.

mod answer;
mod around;
mod batch;
mod board;
mod carry;
mod faults;
mod leases;
mod memory;
mod recovery;
mod service;
mod turn;
mod upkeep;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use journal::acknowledged::Acknowledged;
use journal::archive::Pruning;
use journal::checkpoint::Signer;
use journal::witness::Witnessed;
use journal::{
    Currency, DayRule, Hash, Identity, Listener, NodeId, Reader, Sealed, Store, StoreError, Stream, VaultKey,
    Version,
};

use self::batch::names_a_book;
use self::leases::Leases;
use self::memory::Memory;
use crate::floor::Floor;

pub use answer::{Answer, AnswerError, Failure, Request, Wrote};
pub use around::{Chance, Clock, SystemChance, SystemClock};
pub use board::{Audience, Board, NewEntry, News};
pub use carry::CarryRules;
pub use recovery::{Interrupted, Recovery, RecoveryError, recover};
pub use service::{Service, ServiceOptions};
pub use upkeep::STREAM_UNSEALED_MAX;

/// What a node is given besides its log.
pub struct Setup {
    /// Its name, different from every other node's.
    pub node: NodeId,
    /// The house's name, for the first opening. It keeps it for life, so it is not opened without one.
    pub house: Option<String>,
    /// What the house's money is, for the first opening.
    pub money: Currency,
    /// When the house's gaming days begin, for the first opening.
    pub gaming_day: DayRule,
    /// Signs the checkpoints. Every node of a house has the same.
    pub signer: Signer,
    /// The keys that sign after it, where the house has changed its key or is about to.
    pub further_signers: Vec<Signer>,
    /// The file of the first key, beside which further ones are looked for when the house changes its key.
    pub key_file: Option<PathBuf>,
    /// Encrypts what is kept beside the log. Every node of a house has the same.
    pub vault_key: VaultKey,
    pub clock: Box<dyn Clock>,
    /// Where seeds come from.
    pub chance: Box<dyn Chance>,
    /// Who receives what is committed.
    pub audience: Vec<Arc<dyn Audience>>,
    /// For how long a table is leased where several nodes share a log. When a node dies, its tables stop for this long.
    pub lease_term: Duration,
    /// What witnesses have seen of this house's log: the log must have it all.
    pub witnessed: Vec<Witnessed>,
    /// What this node has acknowledged: the log must have it all.
    pub acknowledged: Vec<Acknowledged>,
    /// Why a log that lacks some of it is started all the same. It is written into the log.
    pub accept_rollback: Option<String>,
    /// How often streams are carried forward.
    pub carry: CarryRules,
    /// What runs. Its start and its orderly stop are written into the log; without it, nothing is.
    pub running: Option<Running>,
}

/// What runs, as the log says it at a start.
#[derive(Clone, Debug)]
pub struct Running {
    pub identity: Identity,
    /// The digest of each setting that is not the default, by its key.
    pub settings: BTreeMap<String, Hash>,
}

impl Setup {
    /// A node of this name with a vault key derived from its signing key, the operating system's clock and random
    /// numbers, and terms of ten seconds. A new house plays for real money.
    pub fn new<'a>(node: &str, house: impl Into<Option<&'a str>>, signer: Signer) -> Setup {
        Setup {
            node: NodeId::new(node),
            house: house.into().map(str::to_owned),
            vault_key: VaultKey::derived(&signer),
            money: Currency::Real,
            gaming_day: DayRule::default(),
            signer,
            further_signers: Vec::new(),
            key_file: None,
            clock: Box::new(SystemClock::default()),
            chance: Box::new(SystemChance),
            audience: Vec::new(),
            lease_term: Duration::from_secs(10),
            witnessed: Vec::new(),
            acknowledged: Vec::new(),
            accept_rollback: None,
            carry: CarryRules::default(),
            running: None,
        }
    }

    /// The public keys that may have signed the log.
    fn public_keys(&self) -> Vec<[u8; 32]> {
        [&self.signer].into_iter().chain(&self.further_signers).map(Signer::public_key).collect()
    }
}

/// A floor with its log.
pub struct Node {
    setup: Setup,
    store: Box<dyn Store>,
    memory: Memory,
    /// Which tables it runs, where other nodes may run some.
    leases: Option<Leases>,
    listener: Option<Box<dyn Listener>>,
    /// What other nodes are known to have written, and may have been read since.
    unread: BTreeMap<Stream, Version>,
    board: Arc<Board>,
    upkeep: upkeep::Upkeep,
    carrying: carry::Carrying,
    /// Until when, by the clock, a database that cannot be reached is not tried again, and its error.
    away: Option<(Duration, String)>,
    stopped: Option<String>,
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("node", &self.setup.node)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

impl Node {
    pub const fn id(&self) -> &NodeId {
        &self.setup.node
    }

    /// The floor as it was last committed.
    pub const fn floor(&self) -> &Floor {
        &self.memory.floor
    }

    /// The floor for other threads.
    pub const fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Why it has stopped, if it has.
    pub fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Adds somebody who receives what is committed from here on. What was committed before is on the board.
    pub fn tell_also(&mut self, audience: Arc<dyn Audience>) {
        self.setup.audience.push(audience);
    }

    /// Keeps things beside the log, or removes them, all or nothing. Repeating it changes nothing, so after a lost
    /// connection it is simply done again.
    pub fn keep(&mut self, sealed: &[Sealed]) -> Result<(), Failure> {
        self.guarded(|node| match node.put(sealed) {
            Err(StoreError::Unavailable(_) | StoreError::Conflict(_)) => node.put(sealed),
            done => done,
        })
    }

    fn put(&mut self, sealed: &[Sealed]) -> Result<(), StoreError> {
        if sealed.is_empty() {
            return Ok(());
        }
        let mut transaction = self.store.begin()?;
        for sealed in sealed {
            transaction.keep(self.setup.vault_key.seal(sealed.clone()));
        }
        transaction.commit()
    }

    /// Takes up to so many entries out of the log that archives have, and returns how many it took.
    pub fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, Failure> {
        self.guarded(|node| node.store.prune(pruning, at_most))
    }

    /// A second connection to the log, for reading alone.
    pub fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.store.reader()
    }

    /// The connection that receives hints from other nodes. There is at most one, and it can be taken once.
    pub fn take_listener(&mut self) -> Option<Box<dyn Listener>> {
        self.listener.take()
    }

    /// Other nodes may have written to these streams: they are read by [`Node::read_on`].
    pub fn note(&mut self, hints: Vec<(Stream, Version)>) {
        for (stream, version) in hints {
            let newest = self.unread.entry(stream).or_default();
            *newest = version.max(*newest);
        }
    }

    /// Other nodes may have written to these streams: catches up with them.
    pub fn heard(&mut self, hints: &[(Stream, Version)]) -> Result<(), Failure> {
        self.note(hints.to_vec());
        self.read_on()
    }

    /// Whether other nodes are known to have written what is not read yet.
    pub(super) fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Catches up with what other nodes are known to have written.
    pub fn read_on(&mut self) -> Result<(), Failure> {
        self.guarded(|node| {
            let known = |stream: &Stream| node.memory.head(stream).version;
            node.unread.retain(|stream, version| known(stream) < *version);
            let behind = node.unread.keys().map(|stream| (stream.clone(), known(stream))).collect();
            node.catch_up(behind)?;
            node.unread.clear();
            Ok(())
        })
    }

    /// Folds what others have added to streams that are known up to these versions, and publishes it.
    fn catch_up(&mut self, mut known: BTreeMap<Stream, Version>) -> Result<(), StoreError> {
        while !known.is_empty() {
            let asked: Vec<(Stream, Version)> = known.into_iter().collect();
            let mut entries = self.store.entries_after(&asked, ENTRIES_AT_ONCE)?;
            // The text of the book may be in an entry of the house that is not known here yet.
            if entries.iter().any(names_a_book) {
                let house = (Stream::House, self.memory.head(&Stream::House).version);
                self.catch_up(BTreeMap::from([house]))?;
                entries.retain(|entry| self.memory.head(&entry.stream).version < entry.version);
            }
            if self.memory.lacks(&entries) {
                return self.start_anew();
            }
            // What comes after the last of them may not have been read.
            let last = entries.last().filter(|_| ENTRIES_AT_ONCE <= entries.len());
            let last = last.map(|entry| entry.stream.clone());
            let folded = self.memory.fold(entries)?;
            self.upkeep.grew(&folded);
            self.carrying.grew(&folded, self.memory.floor.house().day_rule());
            self.tell(folded);
            let streams = asked.into_iter().map(|(stream, _)| stream);
            let rest = streams.filter(|stream| last.as_ref().is_some_and(|last| last <= stream));
            known = rest.map(|stream| (stream.clone(), self.memory.head(&stream).version)).collect();
        }
        Ok(())
    }

    /// Publishes entries that are durable.
    fn tell(&self, entries: Vec<Arc<NewEntry>>) {
        if entries.is_empty() {
            return;
        }
        let news = News::of(entries, &self.memory.floor);
        let streams: std::collections::BTreeSet<&Stream> =
            news.entries.iter().map(|new| &new.entry.stream).collect();
        self.board.post(&news, streams.into_iter().map(|stream| self.memory.head(stream)));
        for audience in &self.setup.audience {
            audience.heard(&news);
        }
    }

    /// Does some work, unless the node has stopped. A failing disk, a log that contradicts itself and a panic stop it; the
    /// words of the panic are kept as evidence.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Node) -> Result<T, StoreError>) -> Result<T, Failure> {
        if let Some(why) = &self.stopped {
            return Err(Failure::Stopped(why.clone()));
        }
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(self.failure(error)),
            Err(panic) => Err(self.stop(format!("internal invariant violated: {}", words(&*panic)))),
        }
    }

    /// The reply to a request whose store failed; stops the node where it must.
    fn failure(&mut self, error: StoreError) -> Failure {
        match error {
            StoreError::Full(what) => Failure::StorageFull(what),
            StoreError::Unavailable(_) | StoreError::Conflict(_) | StoreError::Short(_) => {
                Failure::Unavailable(error.to_string())
            }
            StoreError::Fenced(table) => {
                self.lose(&table);
                Failure::NotHere { node: None }
            }
            StoreError::Failed(_) | StoreError::Corrupt { .. } | StoreError::Schema(_) => {
                self.stop(error.to_string())
            }
        }
    }

    /// Stops for good.
    fn stop(&mut self, why: String) -> Failure {
        self.board.post_stopped(&why);
        self.stopped = Some(why.clone());
        Failure::Stopped(why)
    }
}

/// How many entries are read at once.
const ENTRIES_AT_ONCE: usize = 1000;

/// What a panic said.
fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
