//! What a store needs from the operating system besides SQLite's own calls. Tests replace it with a disk that
//! fails on command.

use std::any::Any;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::files;

/// The disk of a store.
pub trait Medium: Send + Sync {
    /// The name of SQLite's VFS for it; `None` is the machine's own disk.
    fn vfs(&self) -> Option<&str>;

    /// Locks a file, creating it if needed, until the returned value is dropped.
    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError>;

    /// The length of a file; zero if it does not exist.
    fn length(&self, path: &Path) -> u64;

    /// Creates an empty file that only its owner can read. Replaces any file of that name.
    fn create_private(&self, path: &Path) -> io::Result<()>;

    /// Makes a file's content durable.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Writes a file's content again unchanged, and makes it durable.
    fn rewrite(&self, path: &Path) -> io::Result<()>;

    /// Makes a file's name durable.
    fn sync_folder_of(&self, path: &Path) -> io::Result<()>;
}

/// Tries a lock for a moment. A process that this one is just starting holds a copy of every lock until its program
/// begins, so a lock that was dropped may look held for an instant, on a busy machine a long one.
pub(super) fn with_patience(
    mut try_lock: impl FnMut() -> Result<(), TryLockError>,
) -> Result<(), TryLockError> {
    const PATIENCE: Duration = Duration::from_secs(1);
    const RETRY: Duration = Duration::from_millis(5);
    let began = Instant::now();
    loop {
        match try_lock() {
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => thread::sleep(RETRY),
            locked => return locked,
        }
    }
}

/// The machine's own disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalDisk;

impl Medium for LocalDisk {
    fn vfs(&self) -> Option<&str> {
        None
    }

    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(TryLockError::Error)?;
        with_patience(|| file.try_lock())?;
        Ok(Box::new(file))
    }

    fn length(&self, path: &Path) -> u64 {
        fs::metadata(path).map_or(0, |file| file.len())
    }

    fn create_private(&self, path: &Path) -> io::Result<()> {
        files::create_private(path).map(drop)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn rewrite(&self, path: &Path) -> io::Result<()> {
        let content = fs::read(path)?;
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(&content)?;
        file.sync_all()
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        files::sync_folder_of(path)
    }
}
