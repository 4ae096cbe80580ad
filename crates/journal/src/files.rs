//! File operations that make a new file readable by its owner only, and durable across a power failure.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The path of a file with `suffix` added: `floor.db` and `-wal` give `floor.db-wal`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// An empty file that only its owner can read. Replaces any file of that name.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a file's name durable: writes its folder to disk.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder_of(path))?.sync_all()?;
    Ok(())
}

/// Makes a file's content and its name durable.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()?;
    sync_folder_of(path)
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}
