//! The disk as SQLite sees it: each disk is a registered VFS. A VFS is never unregistered, because a connection may use
//! it at any time. When its disk is dropped, the next disk takes it.
#![expect(unsafe_code, reason = "SQLite calls its VFS through pointers")]

mod calls;
mod handle;
mod shared_memory;

use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::ffi;

use super::state::{Call, DiskState, Fault};
use crate::node_load::Dice;

use self::handle::OpenFile;

/// From the start of SQLite's day count to 1970, in milliseconds.
const JULIAN_MILLISECONDS: u64 = 210_866_760_000_000;

const NAME_MAX: c_int = 512;

/// VFSs that no disk uses now.
static FREE: Mutex<Vec<&'static Layer>> = Mutex::new(Vec::new());

/// A registered VFS and the disk behind it.
pub(super) struct Layer {
    name: CString,
    state: Mutex<DiskState>,
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layer").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Layer {
    pub(super) fn state(&self) -> MutexGuard<'_, DiskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a new VFS with SQLite.
    fn register() -> &'static Layer {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let name = format!("simulated-disk-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let name = CString::new(name).expect("the name has no zero byte");
        let layer: &'static Layer = Box::leak(Box::new(Layer { name, state: Mutex::new(DiskState::new(0)) }));
        let vfs = Box::leak(Box::new(ffi::sqlite3_vfs {
            iVersion: 2,
            szOsFile: c_int::try_from(size_of::<OpenFile>()).expect("it is small"),
            mxPathname: NAME_MAX,
            pNext: std::ptr::null_mut(),
            zName: layer.name.as_ptr(),
            pAppData: std::ptr::from_ref(layer).cast_mut().cast(),
            xOpen: Some(handle::open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: Some(current_time_int64),
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        }));
        // SAFETY: the layer, its name and what it points to are never freed.
        let registered = unsafe { ffi::sqlite3_vfs_register(vfs, 0) };
        assert_eq!(registered, ffi::SQLITE_OK, "SQLite registers another VFS");
        layer
    }
}

/// A VFS that one disk uses.
#[derive(Debug)]
pub(super) struct Slot(&'static Layer);

impl Slot {
    /// A free VFS with an empty disk.
    pub(super) fn take(seed: u64) -> Slot {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let layer = free.unwrap_or_else(Layer::register);
        let mut state = layer.state();
        // A file of an earlier disk may still be open. It must not count as a file of this one.
        let incarnation = state.incarnation + 1;
        *state = DiskState::new(seed);
        state.incarnation = incarnation;
        drop(state);
        Slot(layer)
    }

    pub(super) fn name(&self) -> &str {
        self.0.name.to_str().expect("it was made from text")
    }

    pub(super) fn state(&self) -> MutexGuard<'_, DiskState> {
        self.0.state()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// The SQLite error code of a failed call.
fn code(fault: Fault) -> c_int {
    match fault {
        Fault::Read => ffi::SQLITE_IOERR_READ,
        Fault::Write => ffi::SQLITE_IOERR_WRITE,
        Fault::Sync => ffi::SQLITE_IOERR_FSYNC,
        Fault::SyncFolder => ffi::SQLITE_IOERR_DIR_FSYNC,
        Fault::Full => ffi::SQLITE_FULL,
    }
}

unsafe fn layer(vfs: *mut ffi::sqlite3_vfs) -> &'static Layer {
    // SAFETY: SQLite passes what was registered, and that points to a layer that is never freed.
    unsafe { &*(*vfs).pAppData.cast::<Layer>() }
}

/// The name of a file; SQLite passes none for a temporary file.
unsafe fn name<'n>(name: *const c_char) -> Option<&'n str> {
    if name.is_null() {
        return None;
    }
    // SAFETY: SQLite's names end with a zero byte and live as long as the call.
    let name = unsafe { CStr::from_ptr(name) };
    Some(name.to_str().expect("the names of our files are text"))
}

unsafe extern "C" fn delete(vfs: *mut ffi::sqlite3_vfs, file: *const c_char, sync: c_int) -> c_int {
    // SAFETY: SQLite passes both.
    let (layer, name) = unsafe { (layer(vfs), name(file)) };
    let mut state = layer.state();
    let Some(name) = name.filter(|name| state.folder.find(name).is_some()) else {
        return ffi::SQLITE_IOERR_DELETE_NOENT;
    };
    if let Err(fault) = state.call(Call::Remove) {
        return code(fault);
    }
    state.folder.remove(name);
    let synced = if sync & 1 == 0 { Ok(()) } else { state.sync_folder() };
    synced.map_or_else(code, |()| ffi::SQLITE_OK)
}

/// Whether the file exists and is not empty.
unsafe extern "C" fn access(
    vfs: *mut ffi::sqlite3_vfs,
    file: *const c_char,
    _flags: c_int,
    found: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes both.
    let (layer, name) = unsafe { (layer(vfs), name(file)) };
    let state = layer.state();
    let file = name.and_then(|name| state.folder.find(name)).and_then(|id| state.folder.file(id));
    // SAFETY: SQLite wants the result there.
    unsafe { *found = c_int::from(file.is_some_and(|file| 0 < file.len())) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _vfs: *mut ffi::sqlite3_vfs,
    file: *const c_char,
    room: c_int,
    into: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes the name.
    let bytes = unsafe { CStr::from_ptr(file) }.to_bytes_with_nul();
    if usize::try_from(room).is_ok_and(|room| room < bytes.len()) {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: there is room for these bytes, and the two do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), into, bytes.len()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_vfs: *mut ffi::sqlite3_vfs, count: c_int, into: *mut c_char) -> c_int {
    let mut dice = Dice(0);
    for place in 0..usize::try_from(count).unwrap_or(0) {
        let [byte, ..] = dice.roll(u64::MAX).to_le_bytes();
        // SAFETY: SQLite wants this many bytes there.
        unsafe { into.cast::<u8>().add(place).write(byte) };
    }
    count
}

/// A simulated disk does not sleep; it lets another thread run.
unsafe extern "C" fn sleep(_vfs: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    std::thread::yield_now();
    microseconds
}

unsafe extern "C" fn current_time_int64(vfs: *mut ffi::sqlite3_vfs, time: *mut ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite passes it.
    let milliseconds = unsafe { layer(vfs) }.state().next_time() + JULIAN_MILLISECONDS;
    // SAFETY: SQLite wants the result there.
    unsafe { *time = i64::try_from(milliseconds).unwrap_or(i64::MAX) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_time(vfs: *mut ffi::sqlite3_vfs, time: *mut f64) -> c_int {
    let mut milliseconds = 0;
    // SAFETY: the result goes into our own variable.
    unsafe { current_time_int64(vfs, &raw mut milliseconds) };
    #[expect(clippy::cast_precision_loss, reason = "SQLite calls the integer form if fractions matter")]
    let days = milliseconds as f64 / 86_400_000.0;
    // SAFETY: SQLite wants the result there.
    unsafe { *time = days };
    ffi::SQLITE_OK
}
