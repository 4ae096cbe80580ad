//! SQLite's calls to an open file.

use std::ffi::{CStr, c_char, c_int, c_void};

use rusqlite::ffi;

use super::super::file::File;
use super::super::locks::Locks;
use super::super::state::{Call, Fault, Flaw};
use super::code;
use super::handle::{close, handle};
use super::shared_memory::{shm_barrier, shm_lock, shm_map, shm_unmap};

/// The methods of every open file.
pub(super) static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// A count or an offset. SQLite never passes a negative one.
pub(super) fn size<N: TryInto<usize>>(number: N) -> usize {
    number.try_into().unwrap_or(0)
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    count: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite wants this many bytes there, from a file that it has open.
    let (handle, into) =
        unsafe { (handle(file), std::slice::from_raw_parts_mut(into.cast::<u8>(), size(count))) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_READ };
    if let Err(fault) = state.call(Call::Read) {
        return code(fault);
    }
    let read = state.folder.file(handle.id).map_or(0, |file| file.read(size(offset), into));
    if read == into.len() {
        return ffi::SQLITE_OK;
    }
    into[read..].fill(0);
    ffi::SQLITE_IOERR_SHORT_READ
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    count: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite passes this many bytes, for a file that it has open.
    let (handle, data) =
        unsafe { (handle(file), std::slice::from_raw_parts(from.cast::<u8>(), size(count))) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_WRITE };
    let offset = size(offset);
    let length = state.folder.file(handle.id).map_or(0, File::len);
    let called = state.call(Call::Write { grows: length < offset + data.len() });
    let written = match called {
        Ok(()) => data.len(),
        // Part of the data may be written.
        Err(Fault::Write) => size(state.dice.roll(data.len() as u64 + 1)),
        Err(_) => 0,
    };
    if 0 < written {
        state.folder.change(handle.id, |file, tick| file.write(tick, offset, &data[..written]));
    }
    called.map_or_else(code, |()| ffi::SQLITE_OK)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_TRUNCATE };
    if state.call(Call::Write { grows: false }).is_err() {
        return ffi::SQLITE_IOERR_TRUNCATE;
    }
    state.folder.change(handle.id, |file, tick| file.truncate(tick, size(length)));
    ffi::SQLITE_OK
}

/// Syncs a file, and the first time also its folder. A failure of the folder sync is ignored, as in SQLite's own VFS.
unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_FSYNC };
    if handle.is_log && state.flaw == Some(Flaw::LogIsNotSynced) {
        return ffi::SQLITE_OK;
    }
    if let Err(fault) = state.sync_file(handle.id) {
        return code(fault);
    }
    if std::mem::take(&mut handle.syncs_folder) {
        let _ = state.sync_folder();
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, length: *mut ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(state) = handle.state() else { return ffi::SQLITE_IOERR_FSTAT };
    let there = state.folder.file(handle.id).map_or(0, File::len);
    // SAFETY: SQLite wants the result there.
    unsafe { *length = i64::try_from(there).unwrap_or(i64::MAX) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, wanted: c_int) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(mut state) = handle.state() else { return ffi::SQLITE_IOERR_LOCK };
    match state.locks.entry(handle.id).or_default().raise(handle.lock, wanted) {
        None => ffi::SQLITE_BUSY,
        Some(held) => {
            handle.lock = held;
            ffi::SQLITE_OK
        }
    }
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, wanted: c_int) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    if let Some(mut state) = handle.state() {
        state.locks.entry(handle.id).or_default().lower(handle.lock, wanted);
    }
    handle.lock = handle.lock.min(wanted);
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, found: *mut c_int) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let Some(state) = handle.state() else { return ffi::SQLITE_IOERR_CHECKRESERVEDLOCK };
    let reserved = state.locks.get(&handle.id).is_some_and(Locks::is_reserved);
    // SAFETY: SQLite wants the result there.
    unsafe { *found = c_int::from(reserved) };
    ffi::SQLITE_OK
}

/// Supports nothing except one planted lie: that the database is in WAL mode.
unsafe extern "C" fn file_control(file: *mut ffi::sqlite3_file, what: c_int, argument: *mut c_void) -> c_int {
    // SAFETY: SQLite has the file open.
    let handle = unsafe { handle(file) };
    let lies = handle.state().is_some_and(|state| state.flaw == Some(Flaw::UnlinkIsNotSynced));
    if what != ffi::SQLITE_FCNTL_PRAGMA || !lies {
        return ffi::SQLITE_NOTFOUND;
    }
    let words = argument.cast::<*mut c_char>();
    // SAFETY: for a pragma SQLite passes three pointers: room for the result, the name, and the value or null.
    let (name, value) = unsafe { (*words.add(1), *words.add(2)) };
    // SAFETY: there is always a name, and it ends with a zero byte.
    if value.is_null() || unsafe { CStr::from_ptr(name) } != c"journal_mode" {
        return ffi::SQLITE_NOTFOUND;
    }
    // SAFETY: SQLite frees the result, which its own allocator made.
    unsafe { *words = ffi::sqlite3_mprintf(c"wal".as_ptr()) };
    ffi::SQLITE_OK
}

/// SQLite's default.
unsafe extern "C" fn sector_size(_file: *mut ffi::sqlite3_file) -> c_int {
    4096
}

unsafe extern "C" fn device_characteristics(_file: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE | ffi::SQLITE_IOCAP_SUBPAGE_READ
}
