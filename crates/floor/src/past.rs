//! A table's past, read from the beginning of one of its rounds: what the entries from there on rest on is looked up, and
//! nothing that lies before them is read.

use std::collections::BTreeSet;

use journal::{Direction, Entry, Event, Reader, StoreError, Stream, Subject, TableEvent, Version};
use round::PlayerId;

use crate::library::Library;
use crate::view::Context;

/// The table as the round began in which the entry after a version stands, and the version before that beginning: its setup,
/// and the chains of salts of those who take part. Whoever follows it from there sees every entry as it was seen when it was
/// written.
pub fn begin(
    reader: &mut dyn Reader,
    library: &Library,
    stream: &Stream,
    after: Version,
) -> Result<(Version, Context), StoreError> {
    let mut context = Context::new(library.clone());
    let Some(began) = newest(reader, stream, &Subject::Rounds, after.next().next())? else {
        return Ok((Version(0), context));
    };
    if let Some(opened) = newest(reader, stream, &Subject::Opened, began)? {
        let mut changes = BTreeSet::from([opened]);
        for subject in [Subject::Limits, Subject::Rules] {
            changes.extend(newest(reader, stream, &subject, began)?.filter(|change| opened < *change));
        }
        for version in changes {
            follow(&mut context, &at(reader, stream, version)?)?;
        }
        let first = at(reader, stream, began)?;
        for player in seated(&event(&first)?) {
            let Some(entry) = chain(reader, stream, &player, began)? else { continue };
            if let Some(committed) = committed(&event(&entry)?) {
                follow_event(&mut context, &entry, &Event::Table(committed))?;
            }
        }
    }
    Ok((before(began), context))
}

/// Takes an entry in.
pub fn follow(context: &mut Context, entry: &Entry) -> Result<Event, StoreError> {
    let event = event(entry)?;
    follow_event(context, entry, &event)?;
    Ok(event)
}

fn follow_event(context: &mut Context, entry: &Entry, event: &Event) -> Result<(), StoreError> {
    context.follow(&entry.stream, event).map_err(|error| corrupt(entry, &error))
}

/// The event of an entry.
pub fn event(entry: &Entry) -> Result<Event, StoreError> {
    journal::decode(&entry.body).map_err(|error| corrupt(entry, &error))
}

fn corrupt(entry: &Entry, what: &dyn ToString) -> StoreError {
    StoreError::Corrupt { stream: entry.stream.to_string(), version: entry.version.0, what: what.to_string() }
}

/// The newest entry about a subject before a version.
pub fn newest(
    reader: &mut dyn Reader,
    stream: &Stream,
    subject: &Subject,
    before: Version,
) -> Result<Option<Version>, StoreError> {
    Ok(reader.about(stream, subject, Direction::Before(before), 1)?.pop())
}

/// An entry that must be there.
pub fn at(reader: &mut dyn Reader, stream: &Stream, version: Version) -> Result<Entry, StoreError> {
    reader.entry(stream, version)?.ok_or_else(|| StoreError::Corrupt {
        stream: stream.to_string(),
        version: version.0,
        what: "neither the log nor an archive has it; put the missing archive back".to_owned(),
    })
}

/// The version before.
pub const fn before(version: Version) -> Version {
    Version(version.0.saturating_sub(1))
}

/// Who held a position as a round began.
pub(crate) fn seated(event: &Event) -> BTreeSet<PlayerId> {
    match event {
        Event::Table(TableEvent::RoundBegan { positions, .. }) => {
            positions.iter().map(|(_, player)| player.clone()).collect()
        }
        Event::Table(_) | Event::House(_) | Event::Link(_) | Event::Carried(_) => BTreeSet::new(),
    }
}

/// The entry that says what a Player's chain of salts is committed to as a round begins, if they bring one to it: the last salt
/// they opened, or the chain they committed to since the round began in which they opened it.
pub(crate) fn chain(
    reader: &mut dyn Reader,
    stream: &Stream,
    player: &PlayerId,
    began: Version,
) -> Result<Option<Entry>, StoreError> {
    let subject = Subject::Salts(player.clone());
    let Some(last) = newest(reader, stream, &subject, began)? else { return Ok(None) };
    let mut entry = at(reader, stream, last)?;
    if !is_commitment(&event(&entry)?) {
        let round = newest(reader, stream, &Subject::Rounds, last)?.unwrap_or_default();
        entry = committed_between(reader, stream, &subject, round, last)?.unwrap_or(entry);
    }
    let is_chain = committed(&event(&entry)?).is_some();
    let brought = is_chain && has_stayed(reader, stream, player, entry.version, began)?;
    Ok(Some(entry).filter(|_| brought))
}

/// The last entry between two versions in which a Player committed to a chain.
fn committed_between(
    reader: &mut dyn Reader,
    stream: &Stream,
    chain: &Subject,
    after: Version,
    before: Version,
) -> Result<Option<Entry>, StoreError> {
    let mut end = before;
    while let Some(version) = newest(reader, stream, chain, end)?.filter(|version| after < *version) {
        let entry = at(reader, stream, version)?;
        if is_commitment(&event(&entry)?) {
            return Ok(Some(entry));
        }
        end = version;
    }
    Ok(None)
}

fn is_commitment(event: &Event) -> bool {
    matches!(event, Event::Table(TableEvent::SaltsCommitted { .. }))
}

/// What an entry about a chain of salts commits its Player to in the next round: a salt that was opened is what the one before
/// it in the chain is held against.
pub(crate) fn committed(event: &Event) -> Option<TableEvent> {
    let Event::Table(event) = event else { return None };
    if let TableEvent::SaltsCommitted { .. } = event {
        return Some(event.clone());
    }
    let TableEvent::SaltOpened { player, salt } = event else { return None };
    Some(TableEvent::SaltsCommitted { player: player.clone(), anchor: *salt })
}

/// Whether a Player held a position whenever a round began between two versions.
fn has_stayed(
    reader: &mut dyn Reader,
    stream: &Stream,
    player: &PlayerId,
    after: Version,
    before: Version,
) -> Result<bool, StoreError> {
    let mut end = before;
    while let Some(began) = newest(reader, stream, &Subject::Rounds, end)?.filter(|began| after < *began) {
        if !seated(&event(&at(reader, stream, began)?)?).contains(player) {
            return Ok(false);
        }
        end = began;
    }
    Ok(true)
}
