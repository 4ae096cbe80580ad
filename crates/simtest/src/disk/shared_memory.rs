//! The memory that connections to one database share, with its locks: the index of the write-ahead log. It is gone with
//! the program, as a killed program's is not trusted.
#![expect(unsafe_code, reason = "SQLite reads and writes the memory by its address")]

use std::ffi::c_void;

use rusqlite::ffi::SQLITE_SHM_NLOCK;

/// Pattern many locks there are.
const LOCKS: usize = SQLITE_SHM_NLOCK as usize;

/// The regions of one database.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    regions: Vec<Region>,
    /// Pattern many hold each lock together; -1 where one holds it exclusive.
    locks: [i32; LOCKS],
}

/// A region that stays where it is until it is dropped. Only SQLite looks into it.
#[derive(Debug)]
struct Region(*mut [u64]);

// SAFETY: a region belongs to whoever holds it, and its memory is no thread's own.
unsafe impl Send for Region {}

impl Region {
    fn new(bytes: usize) -> Region {
        Region(Box::into_raw(vec![0_u64; bytes.div_ceil(8)].into_boxed_slice()))
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it came from a box in `new`, and nobody else frees it. A connection that maps it keeps it alive.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

impl SharedMemory {
    /// The address of a region; where it is not there yet it is made, or is null.
    pub(super) fn map(&mut self, region: usize, bytes: usize, extend: bool) -> *mut c_void {
        while extend && self.regions.len() <= region {
            self.regions.push(Region::new(bytes));
        }
        self.regions.get(region).map_or(std::ptr::null_mut(), |region| region.0.cast())
    }

    /// Takes a lock together with others, or says that somebody has it exclusive.
    pub(super) fn lock_shared(&mut self, lock: usize) -> bool {
        let free = 0 <= self.locks[lock];
        if free {
            self.locks[lock] += 1;
        }
        free
    }

    /// Takes locks exclusive, or says that somebody has one of them.
    pub(super) fn lock_exclusive(&mut self, first: usize, count: usize) -> bool {
        let locks = &mut self.locks[first..first + count];
        let free = locks.iter().all(|holders| *holders == 0);
        if free {
            locks.fill(-1);
        }
        free
    }

    /// Gives a shared lock back.
    pub(super) fn unlock_shared(&mut self, lock: usize) {
        self.locks[lock] -= 1;
    }

    /// Gives locks back that were had exclusive.
    pub(super) fn unlock_exclusive(&mut self, first: usize, count: usize) {
        self.locks[first..first + count].fill(0);
    }
}
