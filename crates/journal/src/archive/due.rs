//! Which periods are due to be archived: those that were closed before a moment, a gaming day to a file.

use std::num::NonZeroUsize;
use std::path::Path;

use super::{Archive, Pruning, Written, write};
use crate::names::{Moment, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::verify::{Opening, closings, opening_at};

/// What was archived, and what may now be taken out of the log.
#[derive(Clone, Debug, Default)]
pub struct Archived {
    pub written: Vec<Written>,
    pub pruning: Pruning,
}

/// Writes every period that was closed before a moment and that no archive of the folder has yet.
pub fn archive_until(reader: &mut dyn Reader, folder: &Path, before: Moment) -> Result<Archived, StoreError> {
    archive_until_on(reader, folder, before, NonZeroUsize::MIN)
}

/// The same on so many threads, for whoever has nothing else to do.
pub fn archive_until_on(
    reader: &mut dyn Reader,
    folder: &Path,
    before: Moment,
    threads: NonZeroUsize,
) -> Result<Archived, StoreError> {
    let mut archived = Archived::default();
    let last = Archive::open_folder(folder)?.last().map(Archive::closed_by);
    let mut from = match &last {
        None => Opening::default(),
        Some(last) => opened(reader, last.version)?,
    };
    let done = last.map_or(Version(0), |last| last.version);
    let mut due: Vec<(u64, Version)> = Vec::new();
    for closing in closings(reader)?.into_iter().filter(|closing| done < *closing) {
        let entry = reader.entry(&Stream::House, closing)?;
        let Some(at) = entry.map(|entry| entry.at).filter(|at| *at < before) else { break };
        // Of the closings of one gaming day the last closes the file.
        match due.last_mut() {
            Some((day, version)) if *day == at.gaming_day() => *version = closing,
            Some(_) | None => due.push((at.gaming_day(), closing)),
        }
    }
    for (_, closing) in due {
        let to = opened(reader, closing)?;
        archived.written.push(write(reader, &from, &to, folder, threads)?);
        from = to;
    }
    if from.closed_by.is_some() {
        archived.pruning = Pruning::of(reader, &from)?;
    }
    Ok(archived)
}

fn opened(reader: &mut dyn Reader, closing: Version) -> Result<Opening, StoreError> {
    opening_at(reader, closing)?.map_err(|finding| StoreError::Corrupt {
        stream: Stream::House.to_string(),
        version: closing.0,
        what: finding.what,
    })
}
