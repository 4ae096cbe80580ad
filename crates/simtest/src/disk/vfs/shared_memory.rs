//! SQLite's calls to the memory that connections to one database share.

use std::ffi::{c_int, c_void};
use std::sync::{Arc, PoisonError};

use rusqlite::ffi;

use super::calls::size;
use super::handle::handle;

pub(super) unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    bytes: c_int,
    extend: c_int,
    into: *mut *mut c_void,
) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_SHMMAP };
    let shared = Arc::clone(state.memory.entry(handle.id).or_default());
    let memory = handle.memory.insert(shared);
    let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: SQLite wants the result there.
    unsafe { *into = memory.map(size(region), size(bytes), extend != 0) };
    ffi::SQLITE_OK
}

pub(super) unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    first: c_int,
    count: c_int,
    how: c_int,
) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(memory) = &handle.memory else { return ffi::SQLITE_IOERR_SHMLOCK };
    let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
    let (first, count) = (size(first), size(count));
    let mask = ((1_u16 << count) - 1) << first;
    let is_shared = how & ffi::SQLITE_SHM_SHARED != 0;
    if how & ffi::SQLITE_SHM_UNLOCK != 0 {
        if handle.shared & mask != 0 {
            memory.unlock_shared(first);
        }
        if handle.exclusive & mask != 0 {
            memory.unlock_exclusive(first, count);
        }
        handle.shared &= !mask;
        handle.exclusive &= !mask;
        return ffi::SQLITE_OK;
    }
    let held = if is_shared { &mut handle.shared } else { &mut handle.exclusive };
    if *held & mask == mask {
        return ffi::SQLITE_OK;
    }
    let taken = if is_shared { memory.lock_shared(first) } else { memory.lock_exclusive(first, count) };
    if !taken {
        return ffi::SQLITE_BUSY;
    }
    *held |= mask;
    ffi::SQLITE_OK
}

pub(super) unsafe extern "C" fn shm_barrier(_file: *mut ffi::sqlite3_file) {
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

pub(super) unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _delete: c_int) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    handle.memory = None;
    if let Some(mut state) = handle.state() {
        // The last connection drops the memory.
        state.memory.retain(|_, memory| 1 < Arc::strong_count(memory));
    }
    ffi::SQLITE_OK
}
