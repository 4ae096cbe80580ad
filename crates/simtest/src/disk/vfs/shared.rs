//! What SQLite asks of the memory that connections to one database share.

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
    let Some(mut platter) = handle.platter() else { return ffi::SQLITE_IOERR_SHMMAP };
    let shared = Arc::clone(platter.memory.entry(handle.id).or_default());
    let memory = handle.memory.insert(shared);
    let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: SQLite asks for the answer there.
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
            memory.give_back(first);
        }
        if handle.alone & mask != 0 {
            memory.free(first, count);
        }
        handle.shared &= !mask;
        handle.alone &= !mask;
        return ffi::SQLITE_OK;
    }
    let held = if is_shared { &mut handle.shared } else { &mut handle.alone };
    if *held & mask == mask {
        return ffi::SQLITE_OK;
    }
    let taken = if is_shared { memory.share(first) } else { memory.take(first, count) };
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
    if let Some(mut platter) = handle.platter() {
        // The last one takes it along.
        platter.memory.retain(|_, memory| 1 < Arc::strong_count(memory));
    }
    ffi::SQLITE_OK
}
