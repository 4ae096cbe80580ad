//! The folder with all files of a disk. Creating or removing a name is durable once the folder is synced.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::file::{File, Survival, Tick};

/// Identifies a file, even if its name changes.
pub(super) type FileId = u64;

#[derive(Clone, Debug)]
enum Change {
    Named(String, FileId),
    Unnamed(String),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    files: BTreeMap<FileId, Arc<File>>,
    names: BTreeMap<String, FileId>,
    durable_names: BTreeMap<String, FileId>,
    /// Changes of names since the folder was synced, oldest first.
    changes: Vec<(Tick, Change)>,
    tick: Tick,
    last: FileId,
}

impl Folder {
    pub(super) fn find(&self, name: &str) -> Option<FileId> {
        self.names.get(name).copied()
    }

    pub(super) fn file(&self, id: FileId) -> Option<&File> {
        self.files.get(&id).map(|file| &**file)
    }

    /// Changes a file, if it still exists.
    pub(super) fn change(&mut self, id: FileId, change: impl FnOnce(&mut File, &mut Tick)) {
        if let Some(file) = self.files.get_mut(&id) {
            change(Arc::make_mut(file), &mut self.tick);
        }
    }

    /// Creates a file, with or without a name.
    pub(super) fn create(&mut self, name: Option<&str>) -> FileId {
        self.last += 1;
        self.files.insert(self.last, Arc::default());
        if let Some(name) = name {
            self.tick += 1;
            self.names.insert(name.to_owned(), self.last);
            self.changes.push((self.tick, Change::Named(name.to_owned(), self.last)));
        }
        self.last
    }

    /// Removes a name. Returns whether it existed.
    pub(super) fn remove(&mut self, name: &str) -> bool {
        let removed = self.names.remove(name).is_some();
        if removed {
            self.tick += 1;
            self.changes.push((self.tick, Change::Unnamed(name.to_owned())));
        }
        removed
    }

    pub(super) fn sync_file(&mut self, id: FileId) {
        self.change(id, |file, _| file.sync());
    }

    /// A sync of a file that fails.
    pub(super) fn sync_some(&mut self, id: FileId, seed: u64) {
        let mut survival = self.survival(seed);
        self.change(id, |file, _| file.sync_some(&mut survival));
    }

    pub(super) fn sync_names(&mut self) {
        self.changes.clear();
        self.durable_names.clone_from(&self.names);
    }

    /// The folder after a power cut: one of many possibilities, drawn from a seed.
    pub(super) fn after_power_cut(&self, seed: u64) -> Folder {
        let mut survival = self.survival(seed);
        let mut names = self.durable_names.clone();
        for (tick, change) in &self.changes {
            if !survival.keeps(*tick) {
                continue;
            }
            match change {
                Change::Named(name, id) => names.insert(name.clone(), *id),
                Change::Unnamed(name) => names.remove(name),
            };
        }
        let left = |id: &FileId| {
            let file = self.files.get(id)?;
            let left = if file.is_durable() {
                Arc::clone(file)
            } else {
                Arc::new(file.after_power_cut(&mut survival))
            };
            Some((*id, left))
        };
        let files = names.values().filter_map(left).collect();
        let durable_names = names.clone();
        Folder { files, names, durable_names, changes: Vec::new(), tick: self.tick, last: self.last }
    }

    fn survival(&self, seed: u64) -> Survival {
        let of_files = self.files.values().filter_map(|file| file.first_unsynced());
        let first = of_files.chain(self.changes.first().map(|(tick, _)| *tick)).min();
        Survival::draw(seed, first.unwrap_or(self.tick), self.tick)
    }

    /// Drops files that are not open and have no name, not even one that a power cut could bring back.
    pub(super) fn forget(&mut self, is_open: impl Fn(FileId) -> bool) {
        let named = self.changes.iter().filter_map(|(_, change)| match change {
            Change::Named(_, id) => Some(*id),
            Change::Unnamed(_) => None,
        });
        let kept: BTreeSet<FileId> =
            self.names.values().chain(self.durable_names.values()).copied().chain(named).collect();
        self.files.retain(|id, _| kept.contains(id) || is_open(*id));
    }
}
