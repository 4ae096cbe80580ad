//! An open file, from open to close.

use std::ffi::{c_char, c_int};
use std::sync::{Arc, Mutex, MutexGuard};

use rusqlite::ffi;

use super::super::folder::FileId;
use super::super::shared_memory::SharedMemory;
use super::super::state::{Call, DiskState, Fault};
use super::{Layer, calls, code, layer, name};

/// What SQLite stores for an open file: its own part, and a pointer to ours.
#[repr(C)]
pub(super) struct OpenFile {
    base: ffi::sqlite3_file,
    handle: *mut Handle,
}

#[derive(Debug)]
pub(super) struct Handle {
    layer: &'static Layer,
    pub(super) id: FileId,
    incarnation: u64,
    /// The first sync also syncs the folder, because the file may be new.
    pub(super) syncs_folder: bool,
    pub(super) is_log: bool,
    /// The name to remove when the file is closed.
    delete_on_close: Option<String>,
    pub(super) lock: c_int,
    pub(super) memory: Option<Arc<Mutex<SharedMemory>>>,
    pub(super) shared: u16,
    pub(super) exclusive: u16,
}

impl Handle {
    /// The disk, unless the program that opened the file has stopped.
    pub(super) fn state(&self) -> Option<MutexGuard<'static, DiskState>> {
        let state = self.layer.state();
        (state.incarnation == self.incarnation).then_some(state)
    }
}

/// Our part of a file that SQLite has open.
pub(super) unsafe fn handle<'h>(file: *mut ffi::sqlite3_file) -> &'h mut Handle {
    // SAFETY: SQLite passes what `open` filled in, and uses a file from one thread at a time.
    unsafe { &mut *(*file.cast::<OpenFile>()).handle }
}

pub(super) unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    file: *const c_char,
    into: *mut ffi::sqlite3_file,
    flags: c_int,
    given: *mut c_int,
) -> c_int {
    let into = into.cast::<OpenFile>();
    // SAFETY: there is room for an open file. Without methods SQLite does not close a file that was not opened.
    unsafe { (*into).base.pMethods = std::ptr::null() };
    // SAFETY: SQLite passes both.
    let (layer, name) = unsafe { (layer(vfs), name(file)) };
    match open_file(layer, name, flags) {
        Err(fault) => fault.map_or(ffi::SQLITE_CANTOPEN, code),
        Ok(handle) => {
            // SAFETY: as above; the handle is freed when SQLite closes the file.
            unsafe {
                (*into).handle = Box::into_raw(Box::new(handle));
                (*into).base.pMethods = &raw const calls::METHODS;
            }
            if !given.is_null() {
                // SAFETY: SQLite wants the result there.
                unsafe { *given = flags };
            }
            ffi::SQLITE_OK
        }
    }
}

fn open_file(layer: &'static Layer, name: Option<&str>, flags: c_int) -> Result<Handle, Option<Fault>> {
    let has = |flag: c_int| flags & flag != 0;
    let mut state = layer.state();
    let found = name.and_then(|name| state.folder.find(name));
    let id = match found {
        Some(id) => id,
        None if name.is_none() => state.folder.create(None),
        None if has(ffi::SQLITE_OPEN_CREATE) => {
            state.call(Call::Create).map_err(Some)?;
            state.folder.create(name)
        }
        None => return Err(None),
    };
    *state.open.entry(id).or_default() += 1;
    let journal = ffi::SQLITE_OPEN_SUPER_JOURNAL | ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_WAL;
    Ok(Handle {
        layer,
        id,
        incarnation: state.incarnation,
        syncs_folder: has(ffi::SQLITE_OPEN_CREATE) && has(journal),
        is_log: has(ffi::SQLITE_OPEN_WAL),
        delete_on_close: name.filter(|_| has(ffi::SQLITE_OPEN_DELETEONCLOSE)).map(str::to_owned),
        lock: ffi::SQLITE_LOCK_NONE,
        memory: None,
        shared: 0,
        exclusive: 0,
    })
}

pub(super) unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: `open` put it there, and SQLite closes a file once.
    let handle = unsafe { Box::from_raw((*file.cast::<OpenFile>()).handle) };
    if let Some(mut state) = handle.state() {
        if let Some(locks) = state.locks.get_mut(&handle.id) {
            locks.lower(handle.lock, ffi::SQLITE_LOCK_NONE);
        }
        if let Some(name) = &handle.delete_on_close {
            state.folder.remove(name);
        }
        state.closed(handle.id);
    }
    ffi::SQLITE_OK
}
