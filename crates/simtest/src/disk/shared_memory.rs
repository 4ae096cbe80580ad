//! The memory that connections to one database share, with its locks: the index of the write-ahead log. It does not
//! survive the program, because nobody trusts the memory of a killed program.
#![expect(unsafe_code, reason = "SQLite reads and writes the memory by its address")]

use std::ffi::c_void;

use rusqlite::ffi::SQLITE_SHM_NLOCK;

const LOCKS: usize = SQLITE_SHM_NLOCK as usize;

/// The regions of one database.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    regions: Vec<Region>,
    /// How many connections share each lock; -1 if one connection has it exclusively.
    locks: [i32; LOCKS],
}

/// Memory at a fixed address until it is dropped. Only SQLite reads and writes it.
#[derive(Debug)]
struct Region(*mut [u64]);

// SAFETY: a region has one owner, and its memory is not tied to a thread.
unsafe impl Send for Region {}

impl Region {
    fn new(bytes: usize) -> Region {
        Region(Box::into_raw(vec![0_u64; bytes.div_ceil(8)].into_boxed_slice()))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a box in `new`, and only this frees it. A connection that maps the region keeps
        // it alive.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

impl SharedMemory {
    /// The address of a region. A missing region is created if `extend` is set; otherwise the address is null.
    pub(super) fn map(&mut self, region: usize, bytes: usize, extend: bool) -> *mut c_void {
        while extend && self.regions.len() <= region {
            self.regions.push(Region::new(bytes));
        }
        self.regions.get(region).map_or(std::ptr::null_mut(), |region| region.0.cast())
    }

    /// Takes a shared lock. False if another connection has it exclusively.
    pub(super) fn lock_shared(&mut self, lock: usize) -> bool {
        let free = 0 <= self.locks[lock];
        if free {
            self.locks[lock] += 1;
        }
        free
    }

    /// Takes exclusive locks. False if another connection has one of them.
    pub(super) fn lock_exclusive(&mut self, first: usize, count: usize) -> bool {
        let locks = &mut self.locks[first..first + count];
        let free = locks.iter().all(|holders| *holders == 0);
        if free {
            locks.fill(-1);
        }
        free
    }

    pub(super) fn unlock_shared(&mut self, lock: usize) {
        self.locks[lock] -= 1;
    }

    pub(super) fn unlock_exclusive(&mut self, first: usize, count: usize) {
        self.locks[first..first + count].fill(0);
    }
}
