//! Compresses blocks on several threads, and hands them back in the order in which they were given.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest as _, Sha256};

use crate::names::Hash;
use crate::store::StoreError;

/// How many blocks may wait for each thread.
const WAITING: usize = 2;

/// Makes the text of a block.
pub(super) type Text = Box<dyn FnOnce() -> Result<String, StoreError> + Send>;

/// A compressed block and its digest.
pub(super) type Pressed = Result<(Vec<u8>, Hash), StoreError>;

/// Threads that compress.
pub(super) struct Press {
    jobs: SyncSender<(u64, Text)>,
    done: Receiver<(u64, Pressed)>,
    /// What is done before its turn.
    early: BTreeMap<u64, Pressed>,
    given: u64,
    taken: u64,
}

impl Press {
    /// Starts as many threads. They end when this is dropped.
    pub(super) fn start<'scope>(scope: &'scope Scope<'scope, '_>, threads: usize) -> Press {
        let (jobs, waiting) = mpsc::sync_channel(threads.saturating_mul(WAITING));
        let (finished, done) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads.max(1) {
            let (waiting, finished) = (Arc::clone(&waiting), finished.clone());
            scope.spawn(move || work(&waiting, &finished));
        }
        Press { jobs, done, early: BTreeMap::new(), given: 0, taken: 0 }
    }

    /// Gives the next block to be compressed. Waits where the threads are far behind.
    pub(super) fn give(&mut self, text: Text) {
        self.jobs.send((self.given, text)).expect("the threads end after this");
        self.given = self.given.saturating_add(1);
    }

    /// The next block in order, if it is done, or as soon as it is done. `None` where none is left.
    pub(super) fn take(&mut self, waits: bool) -> Option<Pressed> {
        while self.taken < self.given {
            if let Some(pressed) = self.early.remove(&self.taken) {
                self.taken = self.taken.saturating_add(1);
                return Some(pressed);
            }
            let done = if waits { self.done.recv().ok() } else { self.done.try_recv().ok() };
            let (number, pressed) = done?;
            self.early.insert(number, pressed);
        }
        None
    }
}

/// Compresses what waits until nothing more comes.
fn work(waiting: &Mutex<Receiver<(u64, Text)>>, finished: &Sender<(u64, Pressed)>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, text)) = next else { return };
        // Whoever waits for this block would wait for ever if nothing were handed over.
        let pressed = catch_unwind(AssertUnwindSafe(|| press(text))).unwrap_or_else(|_| {
            Err(StoreError::Failed(format!("a thread stopped while it compressed block {number}")))
        });
        if finished.send((number, pressed)).is_err() {
            return;
        }
    }
}

fn press(text: Text) -> Pressed {
    let compressed = deflate(&text()?).map_err(|error| StoreError::Failed(error.to_string()))?;
    let digest = Hash(Sha256::digest(&compressed).into());
    Ok((compressed, digest))
}

pub(super) fn deflate(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that cannot be made is an error in its turn, and the blocks after it are made.
    #[test]
    fn a_thread_that_panics_hands_over_an_error() {
        std::thread::scope(|scope| {
            let mut press = Press::start(scope, 1);
            press.give(Box::new(|| Ok("one".to_owned())));
            press.give(Box::new(|| panic!("a defect")));
            press.give(Box::new(|| Ok("three".to_owned())));
            let taken: Vec<Pressed> = std::iter::from_fn(|| press.take(true)).collect();
            assert_eq!(taken.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
            let refused = taken[1].as_ref().expect_err("it panicked");
            assert!(refused.to_string().contains("while it compressed block 1"), "{refused}");
        });
    }
}
