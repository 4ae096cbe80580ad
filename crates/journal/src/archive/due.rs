//! Which periods are due to be archived: those that were closed before a moment, a gaming day to a file.

use std::num::NonZeroUsize;
use std::path::Path;

use super::shelf::{Shelf, check_fit};
use super::{Pruning, Written, verified, write};
use crate::day::DayRule;
use crate::names::{Moment, Stream, Version};
use crate::store::{Reader, StoreError};
use crate::verify::{Opening, closings_after, opening_at};

/// What was archived, and what may now be taken out of the log.
#[derive(Clone, Debug, Default)]
pub struct Archived {
    pub written: Vec<Written>,
    pub pruning: Pruning,
}

/// Writes every period that was closed before a moment and that no archive of the folder has yet, by the gaming days of
/// the house. Whatever may be taken out is in archives that were read and found in order.
pub fn archive_until(
    reader: &mut dyn Reader,
    folder: &Path,
    before: Moment,
    days: DayRule,
) -> Result<Archived, StoreError> {
    archive_until_on(reader, folder, before, days, NonZeroUsize::MIN)
}

/// The same on so many threads, for whoever has nothing else to do.
pub fn archive_until_on(
    reader: &mut dyn Reader,
    folder: &Path,
    before: Moment,
    days: DayRule,
    threads: NonZeroUsize,
) -> Result<Archived, StoreError> {
    let (written, to) = write_until(reader, folder, before, days, threads)?;
    let mut archived = Archived { written, pruning: Pruning::default() };
    if to.closed_by.is_some() {
        archived.pruning = Pruning::of(reader, &to)?;
        verified::check(reader, folder, &archived.pruning, threads)?;
    }
    Ok(archived)
}

/// Only writes them, for whoever takes nothing out of the log.
pub fn write_due(
    reader: &mut dyn Reader,
    folder: &Path,
    before: Moment,
    days: DayRule,
    threads: NonZeroUsize,
) -> Result<Vec<Written>, StoreError> {
    Ok(write_until(reader, folder, before, days, threads)?.0)
}

/// Writes what is due, and returns up to which books everything is in archives.
fn write_until(
    reader: &mut dyn Reader,
    folder: &Path,
    before: Moment,
    days: DayRule,
    threads: NonZeroUsize,
) -> Result<(Vec<Written>, Opening), StoreError> {
    let volumes = Shelf::open(folder)?.volumes();
    check_fit(reader, &volumes)?;
    let last = volumes.last().map(|last| last.closed_by());
    let mut from = match &last {
        None => Opening::default(),
        Some(last) => opened(reader, last.version)?,
    };
    let done = last.map_or(Version(0), |last| last.version);
    let mut due: Vec<(u64, Version)> = Vec::new();
    for closing in closings_after(reader, done)? {
        let entry = reader.entry(&Stream::House, closing)?;
        let Some(at) = entry.map(|entry| entry.at).filter(|at| *at < before) else { break };
        // Of the closings of one gaming day the last closes the file.
        let today = days.day_of(at);
        match due.last_mut() {
            Some((day, version)) if *day == today => *version = closing,
            Some(_) | None => due.push((today, closing)),
        }
    }
    let mut written = Vec::new();
    for (_, closing) in due {
        let to = opened(reader, closing)?;
        written.push(write(reader, &from, &to, folder, threads)?);
        from = to;
    }
    Ok((written, from))
}

fn opened(reader: &mut dyn Reader, closing: Version) -> Result<Opening, StoreError> {
    opening_at(reader, closing)?.map_err(|finding| StoreError::Corrupt {
        stream: Stream::House.to_string(),
        version: closing.0,
        what: finding.what,
    })
}
