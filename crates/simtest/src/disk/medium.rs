//! What the journal asks of a disk by itself, without SQLite.

use std::any::Any;
use std::fs::TryLockError;
use std::io;
use std::path::Path;

use journal::sqlite::Medium;

use super::Disk;
use super::platter::{Call, Fault};

/// A name that nobody else can lock while this is there.
struct Lock {
    disk: Disk,
    name: String,
    life: u64,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut platter = self.disk.platter();
        if platter.life == self.life {
            platter.taken.remove(&self.name);
        }
    }
}

impl Medium for Disk {
    fn vfs(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn lock(&self, path: &Path) -> Result<Box<dyn Any + Send>, TryLockError> {
        let mut platter = self.platter();
        let (name, life) = (name(path), platter.life);
        if !platter.taken.insert(name.clone()) {
            return Err(TryLockError::WouldBlock);
        }
        Ok(Box::new(Lock { disk: self.clone(), name, life }))
    }

    fn length(&self, path: &Path) -> u64 {
        let platter = self.platter();
        let file = platter.folder.find(&name(path)).and_then(|id| platter.folder.file(id));
        file.map_or(0, |file| file.len() as u64)
    }

    fn create_private(&self, path: &Path) -> io::Result<()> {
        let (mut platter, name) = (self.platter(), name(path));
        platter.call(Call::Create).map_err(of_fault)?;
        match platter.folder.find(&name) {
            Some(id) => platter.folder.change(id, |file, tick| file.truncate(tick, 0)),
            None => drop(platter.folder.create(Some(&name))),
        }
        Ok(())
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut platter = self.platter();
        let id = platter.folder.find(&name(path)).ok_or(io::ErrorKind::NotFound)?;
        platter.sync_file(id).map_err(of_fault)
    }

    fn rewrite(&self, path: &Path) -> io::Result<()> {
        let mut platter = self.platter();
        let id = platter.folder.find(&name(path)).ok_or(io::ErrorKind::NotFound)?;
        platter.call(Call::Write { grows: false }).map_err(of_fault)?;
        platter.folder.change(id, |file, tick| {
            let mut content = vec![0; file.len()];
            file.read(0, &mut content);
            file.write(tick, 0, &content);
        });
        platter.sync_file(id).map_err(of_fault)
    }

    fn sync_folder_of(&self, _path: &Path) -> io::Result<()> {
        self.platter().sync_folder().map_err(of_fault)
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn of_fault(fault: Fault) -> io::Error {
    match fault {
        Fault::Full => io::ErrorKind::StorageFull.into(),
        Fault::Read | Fault::Write | Fault::Sync | Fault::SyncFolder => io::Error::other("the disk failed"),
    }
}
