//! The state of one disk: its folder, open and locked files, planned failures, and the count of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::Image;
use super::folder::{FileId, Folder};
use super::locks::Locks;
use super::shared_memory::SharedMemory;
use crate::node_load::Dice;

/// A kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A read of a file fails.
    Read,
    /// A write to a file fails. Part of it may be written.
    Write,
    /// A sync of a file fails. Some writes become durable, the rest are lost.
    Sync,
    /// A sync of the folder fails.
    SyncFolder,
    /// The disk is full: no file grows and none is created.
    Full,
}

/// Which calls fail, of those that a fault applies to. The next such call is number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// This call only.
    At(u64),
    /// This call and all later ones, until the disk is healed.
    From(u64),
}

/// A promise that a store relies on and that this disk breaks. The tests must then find losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The write-ahead log is not synced at a commit, as with `synchronous=NORMAL`.
    LogIsNotSynced,
    /// The database keeps a rollback journal, and the folder is not synced when that is deleted, as with
    /// `journal_mode=DELETE` and `synchronous=FULL`.
    UnlinkIsNotSynced,
}

/// How many calls of each kind were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub reads: u64,
    /// Writes and truncations.
    pub writes: u64,
    /// Syncs of a file.
    pub syncs: u64,
    /// Syncs of the folder.
    pub folder_syncs: u64,
    /// Files created and removed.
    pub names: u64,
    /// Calls that failed as planned.
    pub failed: u64,
}

/// A call to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Read,
    /// Whether the file grows.
    Write {
        grows: bool,
    },
    Sync,
    SyncFolder,
    Create,
    Remove,
}

#[derive(Debug)]
pub(super) struct DiskState {
    pub(super) folder: Folder,
    pub(super) locks: BTreeMap<FileId, Locks>,
    pub(super) memory: BTreeMap<FileId, Arc<Mutex<SharedMemory>>>,
    /// How often each file is open.
    pub(super) open: BTreeMap<FileId, u32>,
    /// The names with an exclusive lock.
    pub(super) locked_names: BTreeSet<String>,
    /// Counts the programs that used the disk. Files that an earlier program had open cannot be used.
    pub(super) incarnation: u64,
    pub(super) flaw: Option<Flaw>,
    pub(super) now: u64,
    pub(super) dice: Dice,
    pub(super) counts: Counts,
    pub(super) recorded: Option<Vec<Image>>,
    planned: Vec<(Fault, When)>,
}

impl DiskState {
    pub(super) fn new(seed: u64) -> DiskState {
        DiskState {
            folder: Folder::default(),
            locks: BTreeMap::new(),
            memory: BTreeMap::new(),
            open: BTreeMap::new(),
            locked_names: BTreeSet::new(),
            incarnation: 0,
            flaw: None,
            now: 1_790_000_000_000,
            dice: Dice(seed),
            counts: Counts::default(),
            recorded: None,
            planned: Vec::new(),
        }
    }

    /// Starts the next program on this folder.
    pub(super) fn restart(&mut self, folder: Folder) {
        self.folder = folder;
        self.incarnation += 1;
        self.locks.clear();
        self.memory.clear();
        self.open.clear();
        self.locked_names.clear();
        self.folder.forget(|_| false);
    }

    pub(super) fn plan(&mut self, fault: Fault, when: When) {
        self.planned.push((fault, when));
    }

    pub(super) fn heal(&mut self) {
        self.planned.clear();
    }

    /// Counts a call. An error if it is planned to fail.
    pub(super) fn call(&mut self, call: Call) -> Result<(), Fault> {
        if call != Call::Read
            && let Some(recorded) = &mut self.recorded
        {
            recorded.push(Image(self.folder.clone()));
        }
        *match call {
            Call::Read => &mut self.counts.reads,
            Call::Write { .. } => &mut self.counts.writes,
            Call::Sync => &mut self.counts.syncs,
            Call::SyncFolder => &mut self.counts.folder_syncs,
            Call::Create | Call::Remove => &mut self.counts.names,
        } += 1;
        let mut fails = None;
        self.planned.retain_mut(|(fault, when)| {
            if !concerns(*fault, call) {
                return true;
            }
            match when {
                When::At(0 | 1) => fails = Some(*fault),
                When::From(0 | 1) => {
                    fails = Some(*fault);
                    return true;
                }
                When::At(left) | When::From(left) => *left -= 1,
            }
            fails.is_none()
        });
        self.counts.failed += u64::from(fails.is_some());
        fails.map_or(Ok(()), Err)
    }

    /// The time of day, which advances.
    pub(super) fn next_time(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    pub(super) fn sync_file(&mut self, id: FileId) -> Result<(), Fault> {
        let called = self.call(Call::Sync);
        if called.is_ok() {
            self.folder.sync_file(id);
        } else {
            let seed = self.dice.roll(u64::MAX);
            self.folder.sync_some(id, seed);
        }
        called
    }

    /// Syncs the folder, for SQLite or for the VFS.
    pub(super) fn sync_folder(&mut self) -> Result<(), Fault> {
        self.call(Call::SyncFolder)?;
        self.folder.sync_names();
        Ok(())
    }

    pub(super) fn closed(&mut self, id: FileId) {
        if let Some(count) = self.open.get_mut(&id) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.open.remove(&id);
                self.locks.remove(&id);
                self.folder.forget(|id| self.open.contains_key(&id));
            }
        }
    }
}

fn concerns(fault: Fault, call: Call) -> bool {
    match fault {
        Fault::Read => call == Call::Read,
        Fault::Write => matches!(call, Call::Write { .. }),
        Fault::Sync => call == Call::Sync,
        Fault::SyncFolder => call == Call::SyncFolder,
        Fault::Full => matches!(call, Call::Write { grows: true } | Call::Create),
    }
}
