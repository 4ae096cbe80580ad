//! A stream read command by command: the entries of one command stand together.

use std::collections::VecDeque;

use journal::{
    Answered, Body, CARRIED_V1, CommandId, Entry, Event, FormError, Reader, StoreError, Stream, Version,
    decode,
};

use super::AuditError;
use super::plausible::is_plausible;

/// How many entries are read at a time.
const PAGE: usize = 2048;

/// An entry with its event.
#[derive(Clone, Debug)]
pub(super) struct LoggedEvent {
    pub(super) entry: Entry,
    pub(super) event: Event,
}

impl LoggedEvent {
    /// An entry whose event can be read, or why it cannot.
    pub(super) fn of(entry: Entry) -> Result<LoggedEvent, AuditError> {
        let event = event_in(&entry.stream, entry.version, &entry.body)?;
        Ok(LoggedEvent { entry, event })
    }
}

/// The event of an entry, or why it cannot be read.
pub fn event_in(stream: &Stream, version: Version, body: &Body) -> Result<Event, AuditError> {
    checked(stream, version, decode(body))
}

/// An event that was read, unless it says what cannot be.
pub(super) fn checked(
    stream: &Stream,
    version: Version,
    read: Result<Event, FormError>,
) -> Result<Event, AuditError> {
    let broken = |what: String| AuditError::Broken(format!("{stream} entry {version}: {what}"));
    match read {
        Ok(event) if is_plausible(&event) => Ok(event),
        Ok(_) => Err(broken("amount out of range".to_owned())),
        Err(error) => Err(broken(error.to_string())),
    }
}

/// The entries of a stream, by command. Those that only carry the stream forward are passed over, unless they are asked
/// for.
pub(super) struct Groups<'r> {
    reader: &'r mut dyn Reader,
    stream: Stream,
    after: Version,
    waiting: VecDeque<Entry>,
    ended: bool,
    with_carried: bool,
    up_to: Option<Version>,
}

impl<'r> Groups<'r> {
    pub(super) fn of(reader: &'r mut dyn Reader, stream: Stream) -> Groups<'r> {
        let (after, waiting) = (Version(0), VecDeque::new());
        Groups { reader, stream, after, waiting, ended: false, with_carried: false, up_to: None }
    }

    /// The same, with the entries that carry the stream forward.
    pub(super) fn with_carried(self) -> Groups<'r> {
        Groups { with_carried: true, ..self }
    }

    /// The same, only the entries after one version and up to another.
    pub(super) fn between(self, after: Version, up_to: Option<Version>) -> Groups<'r> {
        Groups { after, up_to, ..self }
    }

    /// The entries of the next command.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Entry>>, StoreError> {
        loop {
            let Some(first) = self.waiting.front() else {
                if self.ended {
                    return Ok(None);
                }
                self.fill()?;
                continue;
            };
            let command = first.command;
            let count = self.waiting.iter().take_while(|entry| entry.command == command).count();
            // The last command read may continue on the next page.
            if count == self.waiting.len() && !self.ended {
                self.fill()?;
                continue;
            }
            return Ok(Some(self.waiting.drain(..count).collect()));
        }
    }

    /// The answer kept for a command.
    pub(super) fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.reader.answered(command)
    }

    fn fill(&mut self) -> Result<(), StoreError> {
        let left = self.up_to.map_or(PAGE, |up_to| {
            usize::try_from(up_to.0.saturating_sub(self.after.0)).unwrap_or(PAGE).min(PAGE)
        });
        let page =
            if left == 0 { Vec::new() } else { self.reader.entries(&self.stream, self.after, left)? };
        match page.last() {
            Some(last) => self.after = last.version,
            None => self.ended = true,
        }
        let is_wanted = |entry: &Entry| self.with_carried || entry.body.kind != CARRIED_V1;
        self.waiting.extend(page.into_iter().filter(is_wanted));
        Ok(())
    }
}
