//! A stretch of one stream, read on from the newest state that was carried forward before it: no more of the log is read,
//! however long it is.

use journal::{DayRule, Direction, Event, HouseEvent, Reader, Stream, Subject, Version, decode};

use super::AuditError;
use super::groups::LoggedEvent;
use crate::carried::day_rule_in;
use crate::floor::Floor;
use crate::library::Library;

/// How many entries are read at a time.
const PAGE: usize = 2048;

/// The entries of a stream after one version and up to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The version before the first.
    pub after: Version,
    /// The last version.
    pub up_to: Version,
}

/// A floor on which only one stream has happened, as far as a version of it.
pub fn floor_at(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    version: Version,
) -> Result<Floor, AuditError> {
    let carried = reader.carried(stream, version)?;
    let mut floor = match carried {
        Some(carried) => restored(reader, library, stream, carried)?,
        None => Floor::new(library.clone()),
    };
    let span = Span { after: carried.unwrap_or_default(), up_to: version };
    each_between(reader, stream, span, &mut |item| evolve(&mut floor, item).map(|()| true))?;
    Ok(floor)
}

/// The rulebooks a log was written under: those given, and those that its house changed to.
pub fn library_of(reader: &mut dyn Reader, given: &Library) -> Result<Library, AuditError> {
    let changed = reader.about(&Stream::House, &Subject::Rules, Direction::Before(Version(u64::MAX)), 1)?;
    let end = match changed.first() {
        Some(version) => Some(*version),
        // What is not found may stand in what was taken out of the log: then it was carried forward.
        None => match reader.entries(&Stream::House, Version(0), 1)?.first() {
            Some(first) if first.version == Version(1) => None,
            Some(_) | None => reader.carried(&Stream::House, Version(u64::MAX))?,
        },
    };
    match end {
        Some(end) => Ok(floor_at(reader, given, &Stream::House, end)?.library().clone()),
        None => Ok(given.clone()),
    }
}

/// When the gaming days of a log begin, by the opening of its house.
pub fn day_rule_of(reader: &mut dyn Reader) -> Result<DayRule, AuditError> {
    let first = match reader.entry(&Stream::House, Version(1))? {
        Some(first) => Some(first),
        // The opening may have been taken out of the log: then the house was carried forward.
        None => match reader.carried(&Stream::House, Version(u64::MAX))? {
            Some(carried) => reader.entry(&Stream::House, carried)?,
            None => None,
        },
    };
    let Some(first) = first else { return Ok(DayRule::default()) };
    let broken = |error: &dyn ToString| {
        AuditError::Broken(format!("house entry {}: {}", first.version, error.to_string()))
    };
    match decode(&first.body).map_err(|error| broken(&error))? {
        Event::House(HouseEvent::Opened { gaming_day, .. }) => Ok(gaming_day),
        Event::Carried(carried) => day_rule_in(&carried).map_err(|error| broken(&error)),
        Event::House(_) | Event::Table(_) | Event::Link(_) => Err(broken(&"it does not open the house")),
    }
}

/// A floor with one stream as an entry carried it forward.
pub(super) fn restored(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    version: Version,
) -> Result<Floor, AuditError> {
    let mut floor = Floor::new(library.clone());
    let entry = reader.entry(stream, version)?.ok_or_else(|| gone(stream, version))?;
    let event = decode(&entry.body);
    let event = event.map_err(|error| AuditError::Broken(format!("{stream} entry {version}: {error}")))?;
    if let Event::Carried(carried) = &event {
        let done = floor.restore(stream, carried);
        done.map_err(|error| AuditError::Broken(format!("{stream} entry {version}: {error}")))?;
    }
    Ok(floor)
}

/// Writes one entry. A state that is carried forward is not compared: the audit does that.
pub(super) fn evolve(floor: &mut Floor, item: &LoggedEvent) -> Result<(), AuditError> {
    let entry = &item.entry;
    if matches!(item.event, Event::Carried(_)) {
        floor.pass_carried(&entry.stream);
        return Ok(());
    }
    let done = floor.evolve(&entry.stream, &item.event, entry.at, &entry.actor);
    done.map_err(|error| AuditError::Broken(format!("{} entry {}: {error}", entry.stream, entry.version)))
}

/// Hands over the entries of a stretch in order, until `each` says that it has enough.
pub(super) fn each_between(
    reader: &mut dyn Reader,
    stream: &Stream,
    span: Span,
    each: &mut dyn FnMut(&LoggedEvent) -> Result<bool, AuditError>,
) -> Result<(), AuditError> {
    let mut after = span.after;
    while after < span.up_to {
        let left = usize::try_from(span.up_to.0.saturating_sub(after.0)).unwrap_or(PAGE).min(PAGE);
        let entries = reader.entries(stream, after, left)?;
        if entries.is_empty() {
            return Ok(());
        }
        for entry in entries {
            if entry.version != after.next() {
                return Err(gone(stream, after.next()));
            }
            after = entry.version;
            if !each(&LoggedEvent::of(entry)?)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn gone(stream: &Stream, version: Version) -> AuditError {
    AuditError::Archived { stream: stream.clone(), version }
}
