//! What a node does from time to time: seal the log with a checkpoint, renew its leases, and shut down in order.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use journal::checkpoint::{Checkpoint, Signer};
use journal::{Head, Moment, StoreError, Stream, Version};

use super::board::NewEntry;
use super::recovery::{CHECKPOINTS_AT_ONCE, Interrupted};
use super::{Failure, Node};

/// The log is sealed when it has grown by so many entries,
const ENTRIES_MAX: usize = 1000;

/// or when it has grown at all and so much time has passed,
const UNSEALED_MAX: Duration = Duration::from_mins(1);

/// but not more often than this.
const BETWEEN_SEALS: Duration = Duration::from_secs(1);

/// When so many entries of one stream are not sealed, nothing is written before they are.
const STREAM_MAX: u64 = 4000;

/// A batch takes no further command after so many entries. One command writes fewer.
pub(super) const BATCH_ENTRIES_MAX: usize = 2000;

/// No stream ever has more entries than this without a checkpoint, however many nodes write, however fast they are and
/// whenever they lose power: `STREAM_MAX`, a batch, and its last command. A log with more has lost checkpoints.
pub const STREAM_UNSEALED_MAX: u64 = 8000;

/// What is due when.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    unsealed: usize,
    /// When the log was last sealed, by the node's clock.
    sealed: Duration,
    /// Up to where each stream is sealed at least; nothing before this node has sealed once.
    ends: Option<HashMap<Stream, Version>>,
    /// The newest checkpoint that is known here.
    checkpoint: u64,
    /// The time of the newest entry this node has seen.
    pub(super) newest: Moment,
    /// Whether a stream has [`STREAM_MAX`] entries that are not sealed.
    is_long: bool,
}

impl Upkeep {
    /// So many entries were written.
    pub(super) fn wrote(&mut self, entries: usize) {
        self.unsealed = self.unsealed.saturating_add(entries);
    }

    /// Streams have grown, by entries of this node or of others.
    pub(super) fn grew(&mut self, entries: &[Arc<NewEntry>]) {
        let is_long = entries.iter().any(|new| self.is_long(&new.entry.stream, new.entry.version));
        self.is_long |= is_long;
        let newest = entries.iter().map(|new| new.entry.at).max();
        self.newest = newest.map_or(self.newest, |newest| newest.max(self.newest));
    }

    /// Whether a stream that ends here must be sealed before it is written to.
    pub(super) fn is_long(&self, stream: &Stream, end: Version) -> bool {
        let sealed = self.ends.as_ref().and_then(|ends| ends.get(stream)).copied().unwrap_or_default();
        STREAM_MAX <= end.0.saturating_sub(sealed.0)
    }

    /// Everything up to these heads is sealed.
    fn note_sealed(&mut self, heads: Vec<Head>) {
        self.unsealed = 0;
        self.is_long = false;
        self.ends = Some(heads.into_iter().map(|head| (head.stream, head.version)).collect());
    }

    /// Another node has sealed these.
    fn note_sealed_elsewhere(&mut self, checkpoint: Checkpoint) {
        self.checkpoint = checkpoint.number;
        let ends = self.ends.get_or_insert_default();
        ends.extend(checkpoint.heads.into_iter().map(|head| (head.stream, head.version)));
    }

    fn due(&self) -> Duration {
        let wait = match self.unsealed {
            0 => return Duration::MAX,
            1..ENTRIES_MAX => UNSEALED_MAX,
            ENTRIES_MAX.. => BETWEEN_SEALS,
        };
        self.sealed.saturating_add(wait)
    }
}

impl Node {
    /// How long there is nothing to maintain.
    pub fn idle(&self) -> Duration {
        let renewal = self.leases.as_ref().map_or(Duration::MAX, |leases| leases.renewal);
        renewal.min(self.upkeep.due()).saturating_sub(self.setup.clock.monotonic())
    }

    /// Does what is due, and returns the rounds that it took over. What fails because the storage is full or the database
    /// cannot be reached is retried later.
    pub fn maintain(&mut self) -> Result<Vec<Interrupted>, Failure> {
        let now = self.setup.clock.monotonic();
        let mut interrupted = Vec::new();
        if self.leases.as_ref().is_some_and(|leases| leases.renewal <= now) {
            interrupted = match self.guarded(Node::renew_leases) {
                Ok(interrupted) => interrupted,
                Err(failure) => {
                    // Not at once: the fence protects the tables meanwhile.
                    if let Some(leases) = &mut self.leases {
                        leases.renewal = now.saturating_add(BETWEEN_SEALS);
                    }
                    return Err(failure);
                }
            };
        }
        if self.upkeep.due() <= now {
            self.seal()?;
            self.guarded(|node| {
                node.watch();
                Ok(())
            })?;
        }
        Ok(interrupted)
    }

    /// Seals the log as it is.
    pub fn seal(&mut self) -> Result<(), Failure> {
        self.guarded(Node::checkpoint)
    }

    /// Seals the log where it must not grow otherwise: a log without any checkpoint holds nothing but its opening, and no
    /// stream has more than [`STREAM_UNSEALED_MAX`] entries without one.
    pub(super) fn seal_before_writing(&mut self) -> Result<(), StoreError> {
        let is_opening = self.memory.heads().next().is_none();
        if self.upkeep.is_long || (self.upkeep.ends.is_none() && !is_opening) {
            self.checkpoint()?;
        }
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), StoreError> {
        self.upkeep.sealed = self.setup.clock.monotonic();
        // Others may write meanwhile; what is known here is sealed in any case.
        let heads = self.memory.heads().cloned().collect();
        let handover = self.hand_over()?;
        let checkpoint = self.store.checkpoint(&self.setup.signer)?;
        for checkpoint in handover.iter().chain(&checkpoint) {
            self.setup.audience.iter().for_each(|audience| audience.sealed(checkpoint));
        }
        let newest = match checkpoint {
            None => self.store.last_checkpoint()?,
            signed => signed,
        };
        if let Some(newest) = newest {
            if newest.next_key() != self.setup.signer.public_key() {
                return self.follow_seals();
            }
            self.upkeep.checkpoint = newest.number;
        }
        self.upkeep.note_sealed(heads);
        Ok(())
    }

    /// Another key signs now, and it is not at hand here: the nodes that have it seal the log. Where they have not sealed a
    /// long stream, nothing is written.
    fn follow_seals(&mut self) -> Result<(), StoreError> {
        loop {
            let page = self.store.checkpoints(self.upkeep.checkpoint, CHECKPOINTS_AT_ONCE)?;
            if page.is_empty() {
                break;
            }
            for checkpoint in page {
                self.upkeep.note_sealed_elsewhere(checkpoint);
            }
        }
        self.upkeep.is_long = self.memory.heads().any(|head| self.upkeep.is_long(&head.stream, head.version));
        if self.upkeep.is_long {
            let what = "the key that signs the log now is not on this node, and nobody else has sealed the log; put the \
                        file of the new key beside that of the first one";
            return Err(StoreError::Unavailable(what.to_owned()));
        }
        Ok(())
    }

    /// Lets the key of the house sign from now on, where another one signs here: that one's last checkpoint names it. As
    /// long as the house's key is not at hand, or its file cannot be read, the one before signs.
    fn hand_over(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        let Some(due) = self.memory.floor.house().key().filter(|key| *key != self.setup.signer.public_key())
        else {
            return Ok(None);
        };
        let beside = self.setup.key_file.as_deref().and_then(|file| Signer::further(file).ok());
        let mut signers = self.setup.further_signers.iter().chain(beside.iter().flatten());
        let Some(next) = signers.find(|signer| signer.public_key() == due).cloned() else {
            return Ok(None);
        };
        let handover = self.store.checkpoint(&self.setup.signer.handing_over_to(due))?;
        // Another node may have handed over before.
        let newest = self.store.last_checkpoint()?;
        if newest.is_some_and(|newest| newest.next_key() == due) {
            self.setup.signer = next;
        }
        Ok(handover)
    }

    /// Shuts down in order: seals the log and releases the tables for other nodes.
    pub fn close(mut self) -> Result<(), Failure> {
        // What could not be recorded does not keep the tables from being released.
        let recorded = self.record_stop();
        self.seal()?;
        self.guarded(Node::release_all)?;
        recorded
    }
}
