//! Carries streams forward, so that a start need not read everything since the house was opened: a table between two
//! rounds, a link and the house at any moment. With the house the books of all are closed.

use std::collections::HashMap;
use std::sync::Arc;

use journal::{Actor, Command, DayRule, Event, Hash, Stream};

use super::board::NewEntry;
use super::{Answer, Node, Request};
use crate::refusal::Reason;

/// Names the purpose of the hash that is the id of the command that carries a stream forward.
const CARRYING: &[u8] = b"megalink.carry.1";

/// How often streams are carried forward, besides once every gaming day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarryRules {
    /// A table or a link after so many entries of its own,
    pub entries: u64,
    /// the house after so many entries of any stream.
    pub all_entries: u64,
}

/// A large state is carried forward less often: after one more entry for so many bytes of it.
const BYTES_AN_ENTRY: u64 = 100;

impl Default for CarryRules {
    fn default() -> CarryRules {
        CarryRules { entries: 500, all_entries: 50_000 }
    }
}

/// What has happened since streams were carried forward.
#[derive(Debug, Default)]
pub(super) struct Carrying {
    streams: HashMap<Stream, Since>,
    /// Entries of any stream since the house was.
    all: u64,
    /// The gaming day of the newest entry of any stream.
    newest: u64,
}

/// What has happened to a stream since it was carried forward, or since it began.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    entries: u64,
    /// How long its state was.
    bytes: u64,
    /// The gaming day on which that was; unknown before the first entry.
    day: Option<u64>,
    /// The gaming day of its newest entry.
    newest: u64,
}

impl Carrying {
    /// So many entries of any stream follow the books that the log was started from.
    pub(super) fn opened(&mut self, entries: u64) {
        self.all = entries;
    }

    /// Streams have grown, by entries of this node or of others.
    pub(super) fn grew(&mut self, entries: &[Arc<NewEntry>], days: DayRule) {
        for new in entries {
            self.followed(
                &new.entry.stream,
                &new.event,
                new.entry.body.json.len(),
                days.day_of(new.entry.at),
            );
        }
    }

    /// A stream goes on with an event.
    pub(super) fn followed(&mut self, stream: &Stream, event: &Event, bytes: usize, day: u64) {
        self.newest = self.newest.max(day);
        let since = self.streams.entry(stream.clone()).or_default();
        since.newest = day;
        since.day.get_or_insert(day);
        if let Event::Carried(_) = event {
            let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
            *since = Since { entries: 0, bytes, day: Some(day), newest: day };
            if *stream == Stream::House {
                self.all = 0;
            }
        } else {
            since.entries = since.entries.saturating_add(1);
            self.all = self.all.saturating_add(1);
        }
    }

    /// A stream cannot be carried forward as it is: it is tried again when it is next due, not after every command.
    fn put_off(&mut self, stream: &Stream) {
        if let Some(since) = self.streams.get_mut(stream) {
            (since.entries, since.day) = (0, Some(self.newest));
        }
        if *stream == Stream::House {
            self.all = 0;
        }
    }

    /// The streams to carry forward now.
    fn due(&self, rules: CarryRules) -> Vec<Stream> {
        let is_due = |(stream, since): &(&Stream, &Since)| {
            let (entries, most, newest) = match stream {
                Stream::House => (self.all, rules.all_entries, self.newest),
                Stream::Table(_) | Stream::Link(_) => (since.entries, rules.entries, since.newest),
            };
            let is_new_day = since.day.is_some_and(|day| day < newest);
            0 < entries && (is_new_day || most.max(since.bytes / BYTES_AN_ENTRY) <= entries)
        };
        let mut due: Vec<Stream> =
            self.streams.iter().filter(is_due).map(|(stream, _)| stream.clone()).collect();
        due.sort();
        due
    }
}

impl Node {
    /// Carries forward what is due. A failure has stopped the node, or is tried again later.
    pub fn carry(&mut self) {
        let _ = self.guarded(|node| {
            node.carry_forward();
            Ok(())
        });
    }

    /// Carries forward what is due, after a turn. What cannot be now, because a round is being played or the database is
    /// away, is tried again after the next turn.
    pub(super) fn carry_forward(&mut self) {
        let due = self.carrying.due(self.setup.carry);
        let is_possible = |stream: &Stream| match stream {
            Stream::House | Stream::Link(_) => true,
            Stream::Table(id) => {
                let is_run_here = self.leases.as_ref().is_none_or(|leases| leases.own(id).is_some());
                let table = self.memory.floor.table(id).filter(|table| table.is_before_wagers());
                is_run_here && table.is_some_and(|table| table.carried(self.memory.floor.library()).is_some())
            }
        };
        let due: Vec<Stream> = due.into_iter().filter(is_possible).collect();
        if due.is_empty() || self.stopped.is_some() {
            return;
        }
        let closes = due.contains(&Stream::House);
        let request = |stream: Stream| {
            let head = self.memory.head(&stream);
            let id = Hash::of([CARRYING, stream.to_string().as_bytes(), &head.hash.0]).into();
            Request::new(id, Actor::System, Command::CarryForward { stream })
        };
        let requests: Vec<Request> = due.into_iter().map(request).collect();
        let replies = self.run(&requests);
        for (request, reply) in requests.iter().zip(&replies) {
            if let (Command::CarryForward { stream }, Ok(Answer::Refused(refusal))) =
                (&request.command, reply)
                && refusal.reason == format!("{:?}", Reason::NotTheState)
            {
                self.carrying.put_off(stream);
            }
        }
        let is_done = replies.iter().any(|reply| matches!(reply, Ok(Answer::Done(_))));
        if closes && is_done {
            // Only what a checkpoint seals is started from.
            let _ = self.seal();
        }
    }
}
