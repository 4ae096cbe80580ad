//! The archives of a folder, in order. All readers of a log share them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::volume::Volume;
use super::{ArchiveError, ENDING};
use crate::names::{Stream, Version};
use crate::store::{Reader, StoreError};

/// Archives in order.
pub(super) type Volumes = Arc<Vec<Arc<Volume>>>;

/// How long ago a folder must have been changed when it was read to be known as the same by the time of that change: clocks of
/// file systems tick slowly.
const SETTLED: Duration = Duration::from_secs(2);

/// The archives of a folder. Opening it reads the end of each file, and no index.
pub struct Shelf {
    folder: PathBuf,
    state: Mutex<State>,
}

struct State {
    volumes: Volumes,
    /// When the folder was changed last before it was read; none where that does not tell whether it is the same.
    changed: Option<SystemTime>,
}

impl Shelf {
    /// Every archive of a folder. They must follow each other.
    pub fn open(folder: &Path) -> Result<Shelf, ArchiveError> {
        let state = State::read(folder, &[])?;
        Ok(Shelf { folder: folder.to_owned(), state: Mutex::new(state) })
    }

    pub(super) fn volumes(&self) -> Volumes {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&state.volumes)
    }

    /// The archives that are there now: the same as before where the folder was not changed.
    pub(super) fn newest(&self) -> Result<Volumes, ArchiveError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.changed.is_none() || state.changed != changed(&self.folder) {
            let newest = State::read(&self.folder, &state.volumes)?;
            state.changed = newest.changed;
            let is_same = state.volumes.len() == newest.volumes.len()
                && state.volumes.iter().zip(&*newest.volumes).all(|(one, other)| Arc::ptr_eq(one, other));
            if !is_same {
                state.volumes = newest.volumes;
            }
        }
        Ok(Arc::clone(&state.volumes))
    }
}

impl State {
    /// Reads the folder. Files that are known are not opened again.
    fn read(folder: &Path, known: &[Arc<Volume>]) -> Result<State, ArchiveError> {
        let wrong = |what: String| ArchiveError { path: folder.display().to_string(), what };
        let now = SystemTime::now();
        let is_settled =
            |changed: &SystemTime| changed.checked_add(SETTLED).is_some_and(|settled| settled < now);
        let changed = changed(folder).filter(is_settled);
        let names = std::fs::read_dir(folder).map_err(|error| wrong(error.to_string()))?;
        let mut volumes = Vec::new();
        for name in names {
            let path = name.map_err(|error| wrong(error.to_string()))?.path();
            if !path.to_string_lossy().ends_with(ENDING) {
                continue;
            }
            let known = known.iter().find(|volume| volume.path == path && volume.is_as_it_was());
            volumes.push(match known {
                Some(known) => Arc::clone(known),
                None => Arc::new(Volume::open(&path)?),
            });
        }
        volumes.sort_by_key(|volume| volume.closed_by().version);
        for (one, next) in volumes.iter().zip(volumes.iter().skip(1)) {
            if !one.is_before(next) {
                let (one, next) = (one.path.display(), next.path.display());
                return Err(wrong(format!(
                    "an archive is missing between {one} and {next}, or one of them is of another log"
                )));
            }
        }
        Ok(State { volumes: Arc::new(volumes), changed })
    }
}

fn changed(folder: &Path) -> Option<SystemTime> {
    std::fs::metadata(folder).and_then(|about| about.modified()).ok()
}

/// Refuses archives of which the last does not end in a log.
pub(super) fn check_fit(live: &mut dyn Reader, volumes: &[Arc<Volume>]) -> Result<(), StoreError> {
    let Some(last) = volumes.last() else { return Ok(()) };
    let closing = last.closed_by();
    let here = live.entry(&Stream::House, closing.version)?;
    if here.is_none_or(|entry| entry.head() != closing) {
        let what = "it does not end in this log: it is of another log, or archives after it are missing. Remove the file if \
                    it is of another log; otherwise put the missing ones back";
        let path = last.path.display().to_string();
        return Err(ArchiveError { path, what: what.to_owned() }.into());
    }
    Ok(())
}

/// The first of some archives that has entries of a stream after a version.
pub(super) fn place_after(volumes: &[Arc<Volume>], stream: &Stream, after: Version) -> Option<usize> {
    let place = volumes.partition_point(|volume| volume.ends_with(stream) <= after);
    (place < volumes.len()).then_some(place)
}
