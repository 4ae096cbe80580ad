//! A simulated disk in memory under SQLite, which loses writes that were not synced.
//!
//! A file consists of sectors of 512 bytes. Reads see every write. A power cut leaves each sector in any of its states
//! since the last sync, in order or not, and the folder with any of its changes since then. The folder is synced only
//! when SQLite's own VFS on Unix syncs it. All randomness comes from the seed, and so does the time that SQLite reads,
//! unless it is set. Disks are independent of each other, also across threads.

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

/// Path of the database on every disk. The real machine has no such folder.
const PATH: &str = "/simulated-disk/floor.db";

/// A disk. Its clones are the same disk.
#[derive(Clone, Debug)]
pub struct Disk(Arc<Slot>);

impl Disk {
    /// An empty disk. The seed decides what power cuts and failures leave.
    pub fn new(seed: u64) -> Disk {
        Disk(Arc::new(Slot::take(seed)))
    }

    /// Path to open the database at, with this disk as the store's medium.
    pub fn path(&self) -> &Path {
        Path::new(PATH)
    }

    /// Cuts the power: writes that were not synced survive or not, whole or torn. Open files cannot be used any more.
    pub fn power_cut(&self) {
        let mut state = self.state();
        let seed = state.dice.roll(u64::MAX);
        let left = state.folder.after_power_cut(seed);
        state.restart(left);
    }

    /// Kills the program on this disk: open files cannot be used any more, but everything written stays.
    pub fn kill(&self) {
        let mut state = self.state();
        let stays = state.folder.clone();
        state.restart(stays);
    }

    /// Plans a failure at one call, or from one call on.
    pub fn fail(&self, fault: Fault, when: When) {
        self.state().plan(fault, when);
    }

    /// Cancels all planned failures.
    pub fn heal(&self) {
        self.state().heal();
    }

    /// Makes the disk break a promise. A test must notice the loss.
    pub fn flaw(&self, flaw: Flaw) {
        self.state().flaw = Some(flaw);
    }

    /// Sets the time of day that SQLite reads, in milliseconds since 1970. It advances by one with each read.
    pub fn set_time(&self, milliseconds: u64) {
        self.state().now = milliseconds;
    }

    /// How many calls of each kind were made.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Starts recording: an image is taken before every call that changes something.
    pub fn record(&self) {
        self.state().recorded = Some(Vec::new());
    }

    /// How many images were taken since recording started.
    pub fn recorded(&self) -> usize {
        self.state().recorded.as_ref().map_or(0, Vec::len)
    }

    /// Stops recording. Returns all images, and last the disk as it is now.
    pub fn take_recorded(&self) -> Vec<Image> {
        let mut state = self.state();
        let mut images = state.recorded.take().unwrap_or_default();
        images.push(Image(state.folder.clone()));
        images
    }

    /// The disk as it is now, with the writes that are not synced.
    pub fn image(&self) -> Image {
        Image(self.state().folder.clone())
    }

    /// Replaces the disk with an image; no file is open.
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
    /// What a power cut at this moment leaves: one of many possibilities.
    pub fn after_power_cut(&self, seed: u64) -> Image {
        Image(self.0.after_power_cut(seed))
    }
}
