//! A disk in memory under SQLite that forgets what was not synced.
//!
//! A file is sectors of 512 bytes. What was written since the last sync is there for whoever reads, but a power cut leaves
//! of each sector any of its states since then, in order or out of it, and of the folder any of its changes. The folder
//! is synced when SQLite's own disk layer on Unix syncs it, and no more often. Every chance comes from the seed; so does
//! the time that SQLite tells, unless it is set. Several disks, and threads with one each, do not see each other.

mod file;
mod folder;
mod locks;
mod medium;
mod shared_memory;
mod state;
mod vfs;

use std::path::Path;
use std::sync::{Arc, MutexGuard};

use self::folder::Folder;
use self::state::DiskState;
use self::vfs::Slot;

pub use self::state::{Counts, Fault, Flaw, When};

/// Where the database stands on every disk. There is no such folder on the machine's own.
const PATH: &str = "/simulated-disk/floor.db";

/// A disk. Its clones are the same disk.
#[derive(Clone, Debug)]
pub struct Disk(Arc<Slot>);

impl Disk {
    /// An empty disk, whose power cuts and damages are drawn from a seed.
    pub fn new(seed: u64) -> Disk {
        Disk(Arc::new(Slot::take(seed)))
    }

    /// Where the database is to be opened, with this disk as the store's medium.
    pub fn path(&self) -> &Path {
        Path::new(PATH)
    }

    /// The power fails: what was not synced is there or not, whole or torn; every open file is unusable from now on.
    pub fn power_cut(&self) {
        let mut state = self.state();
        let seed = state.dice.roll(u64::MAX);
        let left = state.folder.after_power_cut(seed);
        state.restart(left);
    }

    /// The program on it is killed: every open file is unusable from now on, but what was written stays.
    pub fn kill(&self) {
        let mut state = self.state();
        let stays = state.folder.clone();
        state.restart(stays);
    }

    /// From some call on, or at one call exclusive, the disk fails.
    pub fn fail(&self, fault: Fault, when: When) {
        self.state().plan(fault, when);
    }

    /// No planned failure is left.
    pub fn heal(&self) {
        self.state().heal();
    }

    /// A promise this disk breaks, to see that somebody notices.
    pub fn flaw(&self, flaw: Flaw) {
        self.state().flaw = Some(flaw);
    }

    /// The time of day SQLite is told from now on, in milliseconds since 1970. It delete_on_close on by one with each question.
    pub fn set_time(&self, milliseconds: u64) {
        self.state().now = milliseconds;
    }

    /// Pattern often what was asked of it.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// From now on an image is taken before every call that changes something.
    pub fn record(&self) {
        self.state().recorded = Some(Vec::new());
    }

    /// Pattern many images were taken since recording began.
    pub fn recorded(&self) -> usize {
        self.state().recorded.as_ref().map_or(0, Vec::len)
    }

    /// Ends the recording: all images that were taken, and the disk as it is now.
    pub fn take_recorded(&self) -> Vec<Image> {
        let mut state = self.state();
        let mut images = state.recorded.take().unwrap_or_default();
        images.push(Image(state.folder.clone()));
        images
    }

    /// The disk as it is, what is not synced included.
    pub fn image(&self) -> Image {
        Image(self.state().folder.clone())
    }

    /// The disk is this one from now on, with no file open.
    pub fn restore(&self, image: &Image) {
        self.state().restart(image.0.clone());
    }

    fn state(&self) -> MutexGuard<'_, DiskState> {
        self.0.state()
    }
}

/// A disk at one moment, between two calls.
#[derive(Clone, Debug)]
pub struct Image(Folder);

impl Image {
    /// What a power cut at this moment leaves, one of many possibilities.
    pub fn after_power_cut(&self, seed: u64) -> Image {
        Image(self.0.after_power_cut(seed))
    }
}
