//! What a node does from time to time: seal the log with a checkpoint, renew its leases, and shut down in order.

use std::time::Duration;

use super::recovery::Interrupted;
use super::{Failure, Node};

/// The log is sealed when it has grown by so many entries,
const ENTRIES_MAX: usize = 1000;

/// or when it has grown at all and so much time has passed,
const UNSEALED_MAX: Duration = Duration::from_mins(1);

/// but not more often than this.
const BETWEEN_SEALS: Duration = Duration::from_secs(1);

/// What is due when.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    unsealed: usize,
    /// When the log was last sealed, by the node's clock.
    sealed: Duration,
}

impl Upkeep {
    /// So many entries were written.
    pub(super) fn wrote(&mut self, entries: usize) {
        self.unsealed = self.unsealed.saturating_add(entries);
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
        }
        Ok(interrupted)
    }

    /// Seals the log as it is.
    pub fn seal(&mut self) -> Result<(), Failure> {
        self.upkeep.sealed = self.setup.clock.monotonic();
        self.guarded(|node| node.store.checkpoint(&node.setup.signer))?;
        self.upkeep.unsealed = 0;
        Ok(())
    }

    /// Shuts down in order: seals the log and releases the tables for other nodes.
    pub fn close(mut self) -> Result<(), Failure> {
        self.seal()?;
        self.guarded(Node::release_all)
    }
}
