//! Archives are read and checked before anything is taken out of a log because of them: those that this program wrote when it
//! wrote them, others once while it runs.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::shelf::{Shelf, place_after};
use super::volume::{Mark, Volume};
use super::{Archive, ArchiveError, Pruning};
use crate::names::{Stream, Version};
use crate::store::{Reader, StoreError};

/// The files that were found in order since the program started.
fn found() -> MutexGuard<'static, BTreeSet<Mark>> {
    static FOUND: Mutex<BTreeSet<Mark>> = Mutex::new(BTreeSet::new());
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that an archive was found in order.
pub(super) fn remember(archive: &Archive) {
    found().insert(archive.volume.mark());
}

/// Checks that archives in order have all that is to be taken out of a log.
pub(super) fn check(
    reader: &mut dyn Reader,
    folder: &Path,
    pruning: &Pruning,
    threads: NonZeroUsize,
) -> Result<(), StoreError> {
    let volumes = Shelf::open(folder)?.volumes();
    let mut due = BTreeSet::new();
    for (stream, up_to) in &pruning.up_to {
        let Some(first) = reader.begins(stream)?.filter(|first| first <= up_to) else { continue };
        due.extend(places(&volumes, folder, stream, first, *up_to)?);
    }
    for volume in due.into_iter().filter_map(|place| volumes.get(place)) {
        if found().contains(&volume.mark()) {
            continue;
        }
        let mut archive = Archive::of(Arc::clone(volume));
        let findings = archive.verify_on(None, threads)?;
        if !findings.is_empty() {
            return Err(archive.wrong(findings.join("; ")).into());
        }
        remember(&archive);
    }
    Ok(())
}

/// The archives that have the entries of a stream from one version to another.
fn places(
    volumes: &[Arc<Volume>],
    folder: &Path,
    stream: &Stream,
    first: Version,
    up_to: Version,
) -> Result<Vec<usize>, ArchiveError> {
    let missing = |last: Version| ArchiveError {
        path: folder.display().to_string(),
        what: format!(
            "no file has entries {first} to {last} of {stream}, so nothing is taken out of the log. Put the missing file back"
        ),
    };
    let before = Version(first.0.saturating_sub(1));
    let place = place_after(volumes, stream, before).ok_or_else(|| missing(up_to))?;
    let with = volumes.get(place..).unwrap_or_default();
    match with.first().map(|volume| volume.begins_after(stream)) {
        Some(begins_after) if begins_after <= before => {}
        Some(begins_after) => return Err(missing(begins_after.min(up_to))),
        None => return Err(missing(up_to)),
    }
    if with.last().is_none_or(|last| last.ends_with(stream) < up_to) {
        return Err(missing(up_to));
    }
    let after_it = with.partition_point(|volume| volume.begins_after(stream) < up_to);
    Ok((place..place.saturating_add(after_it)).collect())
}
