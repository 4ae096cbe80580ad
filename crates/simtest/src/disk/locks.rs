//! Locks on a file, as SQLite uses them: many readers, one that prepares to write, one that writes.

use rusqlite::ffi::{SQLITE_LOCK_EXCLUSIVE, SQLITE_LOCK_NONE, SQLITE_LOCK_RESERVED, SQLITE_LOCK_SHARED};

/// The locks on one file.
#[derive(Debug, Default)]
pub(super) struct Locks {
    shared: u32,
    /// A connection prepares to write.
    reserved: bool,
    /// A connection writes, or waits for the last reader. No new reader may start.
    pending: bool,
}

impl Locks {
    /// Raises a connection's lock. SQLite always takes a shared lock first. `None` if another connection is in the way.
    pub(super) fn raise(&mut self, held: i32, wanted: i32) -> Option<i32> {
        if wanted <= held {
            return Some(held);
        }
        if held == SQLITE_LOCK_NONE {
            if self.pending {
                return None;
            }
            self.shared += 1;
            return Some(SQLITE_LOCK_SHARED);
        }
        if held < SQLITE_LOCK_RESERVED {
            if self.reserved {
                return None;
            }
            self.reserved = true;
        }
        if wanted < SQLITE_LOCK_EXCLUSIVE {
            return Some(wanted);
        }
        if 1 < self.shared {
            // The connection keeps the lock it had, and SQLite tries again.
            if held < SQLITE_LOCK_RESERVED {
                self.reserved = false;
            }
            return None;
        }
        self.pending = true;
        Some(wanted)
    }

    pub(super) fn lower(&mut self, held: i32, wanted: i32) {
        if SQLITE_LOCK_SHARED < held && wanted <= SQLITE_LOCK_SHARED {
            self.reserved = false;
            self.pending = false;
        }
        if SQLITE_LOCK_NONE < held && wanted == SQLITE_LOCK_NONE {
            self.shared = self.shared.saturating_sub(1);
        }
    }

    pub(super) fn is_reserved(&self) -> bool {
        self.reserved
    }
}
