//! Locks on a file, as SQLite asks for them: many read, one means to write, one writes.

use rusqlite::ffi::{SQLITE_LOCK_EXCLUSIVE, SQLITE_LOCK_NONE, SQLITE_LOCK_RESERVED, SQLITE_LOCK_SHARED};

/// Who has what on one file.
#[derive(Debug, Default)]
pub(super) struct Locks {
    shared: u32,
    /// Somebody means to write.
    reserved: bool,
    /// Somebody writes, or waits for the last reader to go: nobody begins to read.
    pending: bool,
}

impl Locks {
    /// Raises a connection's lock; SQLite shares before it asks for more. `None` while somebody else is in the way.
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
            // One that may not write yet has what it had; SQLite asks again.
            if held < SQLITE_LOCK_RESERVED {
                self.reserved = false;
            }
            return None;
        }
        self.pending = true;
        Some(wanted)
    }

    /// Lowers a connection's lock.
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
