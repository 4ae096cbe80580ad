//! What a store asks of the operating system besides what SQLite asks of it. A disk that fails to order can stand in for
//! the machine's own.

use std::any::Any;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;

use crate::files;

/// The disk a store stands on.
pub trait Medium: Send + Sync {
    /// The name SQLite knows it by; `None` is the machine's own disk.
    fn vfs(&self) -> Option<&str>;

    /// Locks a file, which is made where there is none, until what is returned is dropped.
    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError>;

    /// How long a file is. One that is not there has no length.
    fn length(&self, path: &Path) -> u64;

    /// Makes an empty file that only its owner can read, in place of any that was there.
    fn create_private(&self, path: &Path) -> io::Result<()>;

    /// Makes a file's content durable.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Writes a file's content once more, as it is, and makes it durable.
    fn rewrite(&self, path: &Path) -> io::Result<()>;

    /// Makes a file's name durable.
    fn sync_folder_of(&self, path: &Path) -> io::Result<()>;
}

/// The machine's own disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine;

impl Medium for Machine {
    fn vfs(&self) -> Option<&str> {
        None
    }

    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(TryLockError::Error)?;
        file.try_lock()?;
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
