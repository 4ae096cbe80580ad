//! What the journal does on the disk itself, without SQLite.

use std::any::Any;
use std::fs::TryLockError;
use std::io;
use std::path::Path;

use journal::sqlite::Medium;

use super::Disk;
use super::state::{Call, Fault};

/// An exclusive lock on a name, until it is dropped.
struct Lock {
    disk: Disk,
    name: String,
    incarnation: u64,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut state = self.disk.state();
        if state.incarnation == self.incarnation {
            state.locked_names.remove(&self.name);
        }
    }
}

impl Medium for Disk {
    fn vfs(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError> {
        let mut state = self.state();
        let (name, incarnation) = (name(path), state.incarnation);
        if !state.locked_names.insert(name.clone()) {
            return Err(TryLockError::WouldBlock);
        }
        Ok(Box::new(Lock { disk: self.clone(), name, incarnation }))
    }

    fn length(&self, path: &Path) -> u64 {
        let state = self.state();
        let file = state.folder.find(&name(path)).and_then(|id| state.folder.file(id));
        file.map_or(0, |file| file.len() as u64)
    }

    fn create_private(&self, path: &Path) -> io::Result<()> {
        let (mut state, name) = (self.state(), name(path));
        state.call(Call::Create).map_err(io_error)?;
        match state.folder.find(&name) {
            Some(id) => state.folder.change(id, |file, tick| file.truncate(tick, 0)),
            None => drop(state.folder.create(Some(&name))),
        }
        Ok(())
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        let id = state.folder.find(&name(path)).ok_or(io::ErrorKind::NotFound)?;
        state.sync_file(id).map_err(io_error)
    }

    fn rewrite(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        let id = state.folder.find(&name(path)).ok_or(io::ErrorKind::NotFound)?;
        state.call(Call::Write { grows: false }).map_err(io_error)?;
        state.folder.change(id, |file, tick| {
            let mut content = vec![0; file.len()];
            file.read(0, &mut content);
            file.write(tick, 0, &content);
        });
        state.sync_file(id).map_err(io_error)
    }

    fn sync_folder_of(&self, _path: &Path) -> io::Result<()> {
        self.state().sync_folder().map_err(io_error)
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn io_error(fault: Fault) -> io::Error {
    match fault {
        Fault::Full => io::ErrorKind::StorageFull.into(),
        Fault::Read | Fault::Write | Fault::Sync | Fault::SyncFolder => io::Error::other("the disk failed"),
    }
}
