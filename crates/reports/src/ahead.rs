//! Reads a log ahead of what is made of it: as many threads as there are cores, each with a connection of its own, and what
//! they read handed over in order. Only a few stretches lie ready at any time, so memory stays the same however long a day is.

use std::sync::mpsc::{SyncSender, sync_channel};

use floor::audit::{AuditError, Span};
use journal::{Entry, FoundBy, Happened, Reader, Sieve, Stream, Version};

use crate::log::Log;

/// How many entries one thread reads at a time.
const STRETCH: u64 = 4_096;

/// How many stretches of a thread lie ready.
const READY: usize = 2;

/// More threads than this read no faster: what is made of it is made by one.
const THREADS_MAX: usize = 4;

/// A part of one of several streams.
pub(crate) struct Stretch<'a> {
    /// Which of them.
    pub(crate) place: usize,
    pub(crate) stream: &'a Stream,
    pub(crate) span: Span,
}

/// The spans of streams in parts that can be read one by one.
pub(crate) fn stretches(streams: &[(Stream, Span)]) -> Vec<Stretch<'_>> {
    stretches_of(streams, STRETCH)
}

/// The same, in parts of so many entries.
pub(crate) fn stretches_of(streams: &[(Stream, Span)], entries: u64) -> Vec<Stretch<'_>> {
    let mut all = Vec::new();
    for (place, (stream, span)) in streams.iter().enumerate() {
        let mut after = span.after;
        while after < span.up_to {
            let up_to = Version(after.0.saturating_add(entries)).min(span.up_to);
            all.push(Stretch { place, stream, span: Span { after, up_to } });
            after = up_to;
        }
    }
    all
}

/// The entries of a stretch that are wanted.
pub(crate) fn sifted(
    reader: &mut dyn Reader,
    stretch: &Stretch<'_>,
    is_wanted: Sieve<'_>,
) -> Result<Vec<Entry>, AuditError> {
    let Stretch { stream, span, .. } = *stretch;
    let limit = usize::try_from(span.up_to.0.saturating_sub(span.after.0)).unwrap_or(usize::MAX);
    let sifted = reader.sifted(stream, span.after, limit, is_wanted)?;
    if sifted.is_torn {
        return Err(AuditError::Archived { stream: stream.clone(), version: sifted.up_to.next() });
    }
    Ok(sifted.entries)
}

/// What happened in a stretch.
pub(crate) fn happened(reader: &mut dyn Reader, stretch: &Stretch<'_>) -> Result<Vec<Happened>, AuditError> {
    let Stretch { stream, span, .. } = *stretch;
    let limit = usize::try_from(span.up_to.0.saturating_sub(span.after.0)).unwrap_or(usize::MAX);
    let all = reader.happened(stream, span.after, limit)?;
    let mut expected = span.after;
    for happened in &all {
        if happened.version != expected.next() {
            return Err(AuditError::Archived { stream: stream.clone(), version: expected.next() });
        }
        expected = happened.version;
    }
    Ok(all)
}

/// What happened in the entries of a stretch that reports are made of.
pub(crate) fn reported(
    reader: &mut dyn Reader,
    stretch: &Stretch<'_>,
    by: FoundBy,
) -> Result<Vec<Happened>, AuditError> {
    let Stretch { stream, span, .. } = *stretch;
    let missing = || AuditError::Archived { stream: stream.clone(), version: span.after.next() };
    reader.reported(stream, span.after, span.up_to, by)?.ok_or_else(missing)
}

/// Hands over what is made of each job, in their order.
pub(crate) fn ahead<J: Sync, T: Send, E: Send + From<AuditError>>(
    log: &mut Log<'_>,
    jobs: &[J],
    make: &(dyn Fn(&mut dyn Reader, &J) -> Result<T, E> + Sync),
    take: &mut dyn FnMut(&J, T) -> Result<(), E>,
) -> Result<(), E> {
    let mut readers = readers(log, jobs.len())?;
    if readers.is_empty() {
        return jobs.iter().try_for_each(|job| take(job, make(log.reader, job)?));
    }
    let threads = readers.len();
    std::thread::scope(|scope| {
        let mut ready = Vec::new();
        for (first, reader) in readers.drain(..).enumerate() {
            let (sender, receiver) = sync_channel(READY);
            scope.spawn(move || work(reader, jobs.iter().skip(first).step_by(threads), make, &sender));
            ready.push(receiver);
        }
        for (job, from) in jobs.iter().zip(ready.iter().cycle()) {
            let part = from.recv().expect("a thread that ends early has handed over an error");
            take(job, part?)?;
        }
        Ok(())
    })
}

/// Makes its jobs until one fails, or nobody takes them any more.
fn work<'a, J: 'a, T, E>(
    mut reader: Box<dyn Reader>,
    jobs: impl Iterator<Item = &'a J>,
    make: &dyn Fn(&mut dyn Reader, &J) -> Result<T, E>,
    sender: &SyncSender<Result<T, E>>,
) {
    for job in jobs {
        let part = make(&mut *reader, job);
        let is_last = part.is_err();
        if sender.send(part).is_err() || is_last {
            return;
        }
    }
}

/// A connection for each thread; none where one thread does it all.
fn readers(log: &Log<'_>, jobs: usize) -> Result<Vec<Box<dyn Reader>>, AuditError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let mut readers = Vec::new();
    // A single stretch is read before a connection is made.
    if 2 <= threads && 2 <= jobs {
        for _ in 0..threads {
            match log.reader.another()? {
                Some(reader) => readers.push(reader),
                None => return Ok(Vec::new()),
            }
        }
    }
    Ok(readers)
}
