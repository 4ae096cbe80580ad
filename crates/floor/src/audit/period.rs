//! One period of the log: every stream from where the books opened it to where they were closed, or to its end.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jackpot::TableId;
use journal::verify::Opening;
use journal::{
    Actor, Answered, Carried, Command, Entry, Event, Head, LinkId, Reader, StoreError, Stream, VaultKey,
    Version, decode, encode,
};

use super::AuditError;
use super::cause::cause_of;
use super::dates::Dates;
use super::finding::{Finding, Kind};
use super::groups::{Groups, LoggedEvent};
use super::house::HouseAudit;
use super::index::Index;
use super::link::LinkAudit;
use super::matching::Notes;
use super::memory::{Held, Memory, Paused};
use super::table::TableAudit;
use crate::carried::{is_day_of, is_house, is_link, is_table};
use crate::decide::{SEED, seed_key};
use crate::floor::{EvolveError, Floor};
use crate::house::House;
use crate::library::Library;
use crate::node::{Answer, Wrote};
use crate::table::Table;

/// How many entries are read at a time.
const PAGE: usize = 2048;

/// A period: from the books that opened it to those that closed it, or to the end of the log.
pub(super) struct Period<'a> {
    pub(super) from: &'a Opening,
    pub(super) to: Option<&'a Opening>,
    /// Whether this audit has not followed what stands before: what is read of it must be what the books say.
    pub(super) is_first: bool,
    /// Opens the seeds of the rounds that are in play at the end of the log.
    pub(super) vault_key: Option<&'a VaultKey>,
}

/// What a period turned out to be.
pub(super) struct Followed {
    pub(super) notes: Notes,
    /// The floor at its end, as far as it could be followed.
    pub(super) floor: Floor,
}

impl Period<'_> {
    /// Gives every command of the period again. `memory` is what is known from earlier periods; `progress` is told how many
    /// entries have been followed.
    pub(super) fn follow(
        &self,
        reader: &mut dyn Reader,
        library: &Library,
        memory: &mut Memory,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Followed, AuditError> {
        let streams: Vec<Stream> = match self.to {
            None => reader.heads()?.into_iter().map(|head| head.stream).collect(),
            Some(to) => to.heads.keys().cloned().collect(),
        };
        let mut floor = Floor::new(library.clone());
        let mut notes = Notes::default();
        if let Some(closed_by) = &self.from.closed_by {
            match carried_at(reader, &Stream::House, closed_by.version)? {
                Some(carried) => match floor.restore(&Stream::House, &carried) {
                    Ok(()) => notes = Notes::of(floor.house()),
                    Err(error) => {
                        notes.findings.at(
                            Kind::Carried,
                            &Stream::House,
                            closed_by.version,
                            error.to_string(),
                        );
                    }
                },
                None => return Err(AuditError::Broken(format!("house entry {} is gone", closed_by.version))),
            }
        }
        notes.index = Index::without(reader.unreported()?);
        notes.forms = std::mem::take(&mut memory.forms);
        let (before, paused) = (std::mem::take(&mut memory.held), BTreeMap::new());
        let mut following =
            Following { period: self, reader, library, notes, floor, before, paused, progress };
        // The house comes first in the order of streams, and tables before the links they play for.
        for stream in &streams {
            following.follow(stream)?;
        }
        let Following { mut notes, floor, paused, .. } = following;
        memory.forms = std::mem::take(&mut notes.forms);
        memory.held = Held { floor: Some(floor.clone()), streams: paused };
        notes.check_actors();
        notes.check_whole_log();
        notes.close();
        Ok(Followed { notes, floor })
    }

    /// After which entry a stream is followed, and up to which.
    fn span(&self, stream: &Stream) -> (Version, Option<Version>) {
        (end_of(self.from, stream), self.to.map(|to| end_of(to, stream)))
    }
}

/// The last entry of a stream before an opening.
pub(super) fn end_of(opening: &Opening, stream: &Stream) -> Version {
    match (stream, &opening.closed_by) {
        // The entry that closes the books belongs to the period that it closes.
        (Stream::House, Some(closed_by)) => closed_by.version,
        (_, _) => opening.end_of(stream).version,
    }
}

/// The state that an entry carries its stream forward with, if it does.
fn carried_at(
    reader: &mut dyn Reader,
    stream: &Stream,
    version: Version,
) -> Result<Option<Carried>, StoreError> {
    match reader.entry(stream, version)?.and_then(|entry| decode(&entry.body).ok()) {
        Some(Event::Carried(carried)) => Ok(Some(carried)),
        Some(Event::House(_) | Event::Table(_) | Event::Link(_)) | None => Ok(None),
    }
}

/// Streams being followed, one after the other.
struct Following<'a> {
    period: &'a Period<'a>,
    reader: &'a mut dyn Reader,
    library: &'a Library,
    notes: Notes,
    floor: Floor,
    /// What is known from the period before, if it is.
    before: Held,
    /// Where streams of this period were left.
    paused: BTreeMap<Stream, Paused>,
    progress: &'a mut dyn FnMut(u64),
}

impl Following<'_> {
    fn follow(&mut self, stream: &Stream) -> Result<(), AuditError> {
        if self.period.to.is_none() {
            self.notes.counts.streams();
        }
        match stream {
            Stream::House => self.follow_house(),
            Stream::Table(id) => self.follow_table(id),
            Stream::Link(id) => self.follow_link(id),
        }
    }

    fn follow_house(&mut self) -> Result<(), AuditError> {
        let mut audit = HouseAudit::of(House::clone(self.floor.house()));
        self.each(&Stream::House, Dates::of(Stream::House), |group, notes| match carried(group, notes) {
            Some(carried) => say_carried(is_house(carried, audit.house()), group, notes),
            None => audit.command(group, notes),
        })?;
        if let Err(error) = self.floor.put_house(audit.into_house().into()) {
            self.notes.findings.with(Kind::Rules, "house", error.to_string());
        }
        Ok(())
    }

    fn follow_table(&mut self, id: &TableId) -> Result<(), AuditError> {
        let (stream, library) = (Stream::Table(id.clone()), self.library);
        let mut audit = TableAudit::new(library, id).with_days(self.floor.house().day_rule());
        let mut dates = Dates::of(stream.clone());
        let (end, _) = self.period.span(&stream);
        if let Some((table, paused)) = self.before.table(id) {
            audit.goes_on(Some(table), end, paused.known);
            dates = paused.dates;
        } else {
            if !self.before(&stream, &mut dates, |entry, event| audit.knows(entry, event))? {
                return Ok(());
            }
            audit.begins_as(self.floor.table(id).map(|table| Table::clone(table)));
        }
        if let Some(table) = audit.table() {
            self.notes.note_quarantined(table);
        }
        let dates =
            self.each(&stream, dates, |group, notes| match (carried(group, notes), audit.table()) {
                (Some(carried), Some(table)) if audit.is_followed() => {
                    let is_day = || if audit.knows_day() { is_day_of(carried, table) } else { Ok(true) };
                    let is_same = is_table(carried, table, library);
                    say_carried(is_same.and_then(|is_same| Ok(is_same && is_day()?)), group, notes);
                }
                (Some(_), _) => {}
                (None, _) => audit.command(group, notes),
            })?;
        audit.check_complete(&mut self.notes);
        if let (Some(table), Some(vault_key)) = (audit.table(), self.period.vault_key) {
            let key = seed_key(id, table.number());
            let stored = self.reader.sealed(SEED, &key)?;
            let kept = stored.and_then(|stored| vault_key.open(SEED, &key, &stored));
            audit.check_kept(kept.as_deref(), &mut self.notes);
        }
        self.paused.insert(stream, Paused { known: audit.known().to_vec(), dates });
        self.floor.put_table(id, audit.into_table().map(Into::into));
        Ok(())
    }

    fn follow_link(&mut self, id: &LinkId) -> Result<(), AuditError> {
        let (stream, library) = (Stream::Link(id.clone()), self.library);
        let mut dates = Dates::of(stream.clone());
        let desk = if let Some((desk, paused)) = self.before.link(id) {
            dates = paused.dates;
            Some(desk)
        } else {
            if !self.before(&stream, &mut dates, |_, _| ())? {
                return Ok(());
            }
            self.floor.link(id).map(|desk| crate::desk::Desk::clone(desk))
        };
        let mut audit = LinkAudit::new(library, id).with(desk);
        audit.note_shown(&mut self.notes);
        let dates =
            self.each(&stream, dates, |group, notes| match (carried(group, notes), audit.desk_mut()) {
                (Some(carried), Some(desk)) => {
                    say_carried(is_link(carried, desk, library), group, notes);
                    desk.pass_carried();
                }
                (Some(_), None) => {}
                (None, _) => audit.command(group, notes),
            })?;
        audit.close(&mut self.notes);
        self.paused.insert(stream, Paused { known: Vec::new(), dates });
        self.floor.put_link(id, audit.into_desk().map(Into::into));
        Ok(())
    }

    /// Makes a stream what it was when the period began: from the newest entry before that carries it forward. `take` is
    /// given each entry on the way. Says so, and returns false, where that cannot be.
    fn before(
        &mut self,
        stream: &Stream,
        dates: &mut Dates,
        mut take: impl FnMut(&Entry, &Event),
    ) -> Result<bool, AuditError> {
        let (end, _) = self.period.span(stream);
        if end == Version(0) {
            return Ok(true);
        }
        let mut after = Version(0);
        if let Some(version) = self.reader.carried(stream, end)? {
            after = Version(version.0.saturating_sub(1));
        }
        let mut is_first = after != Version(0);
        let mut known: Option<Head> = None;
        // What is wrong before the period was said there, if that was followed.
        let mut ignored = Notes::default();
        while after < end {
            let left = usize::try_from(end.0.saturating_sub(after.0)).unwrap_or(PAGE).min(PAGE);
            let entries = match self.reader.entries(stream, after, left) {
                Ok(entries) => entries,
                Err(StoreError::Corrupt { version, what, .. }) => {
                    self.say_before(stream, Version(version), &what);
                    return Ok(false);
                }
                Err(error) => return Err(error.into()),
            };
            let Some(last) = entries.last().map(|entry| entry.version) else {
                self.say_before(stream, after.next(), "it is missing");
                return Ok(false);
            };
            for entry in &entries {
                if self.period.is_first && !self.is_known(entry, known.as_ref()) {
                    self.say_before(
                        stream,
                        entry.version,
                        "it is another one than when the books were closed",
                    );
                    return Ok(false);
                }
                known = Some(entry.head());
                let event = match self.notes.forms.event(&entry.body) {
                    Some(event) => Ok(event),
                    None => decode(&entry.body),
                };
                let evolved = event.map_err(|error| error.to_string()).and_then(|event| {
                    let evolved = match &event {
                        Event::Carried(carried) if is_first => {
                            self.floor.restore(stream, carried).map(|()| self.floor.pass_carried(stream))
                        }
                        Event::Carried(_) => {
                            self.floor.pass_carried(stream);
                            Ok(())
                        }
                        Event::House(_) | Event::Table(_) | Event::Link(_) => {
                            // What an altered entry says may be impossible: nothing has decided it again here.
                            let evolve = || self.floor.evolve(stream, &event, entry.at, &entry.actor);
                            catch_unwind(AssertUnwindSafe(evolve))
                                .map_err(|_| "what an entry says cannot be".to_owned())?
                        }
                    };
                    evolved.map(|()| event).map_err(|error| error.to_string())
                });
                is_first = false;
                match evolved {
                    Ok(event) => take(entry, &event),
                    Err(what) => {
                        let what = format!("{what}; the stream cannot be followed in this period");
                        self.notes.findings.at(Kind::Carried, stream, entry.version, what);
                        return Ok(false);
                    }
                }
                dates.follow(entry, &mut ignored);
            }
            after = last;
        }
        Ok(true)
    }

    /// Whether an entry before the period follows the one before it, and is the one that the books name.
    fn is_known(&self, entry: &Entry, before: Option<&Head>) -> bool {
        let end = self.period.from.end_of(&entry.stream);
        let follows = |before: &Head| entry.version == before.version.next() && entry.previous == before.hash;
        entry.digest() == entry.hash
            && before.is_none_or(follows)
            && (entry.version != end.version || entry.hash == end.hash)
    }

    /// Says what is wrong with an entry before the period, unless it was said there.
    fn say_before(&mut self, stream: &Stream, version: Version, what: &str) {
        if self.period.is_first {
            let what = format!("{what}; the stream cannot be followed from here on");
            self.notes.findings.at(Kind::Chain, stream, version, what);
        }
    }

    /// Reads a stream command by command, as far as it can be read, and returns its dates.
    fn each(
        &mut self,
        stream: &Stream,
        mut dates: Dates,
        mut take: impl FnMut(&[LoggedEvent], &mut Notes),
    ) -> Result<Dates, AuditError> {
        let sealed = match self.period.to {
            None => self.reader.last_checkpoint()?.map(|checkpoint| checkpoint.at),
            Some(_) => None,
        };
        let (after, up_to) = self.period.span(stream);
        let mut groups = Groups::of(self.reader, stream.clone()).with_carried().between(after, up_to);
        loop {
            let entries = match groups.next() {
                Ok(Some(entries)) => entries,
                Ok(None) => {
                    dates.close(sealed, &mut self.notes);
                    return Ok(dates);
                }
                Err(StoreError::Corrupt { stream, version, what }) => {
                    let what = format!("{what}; the stream cannot be followed from here on");
                    let finding = Finding { kind: Kind::Form, place: stream, version: Some(version), what };
                    self.notes.findings.add(finding);
                    return Ok(dates);
                }
                Err(error) => return Err(error.into()),
            };
            for entry in &entries {
                dates.follow(entry, &mut self.notes);
            }
            if let Some(first) = entries.first() {
                let kept = groups.answered(first.command);
                check_answer(kept, &entries, &mut self.notes)?;
            }
            let Some(group) = read(entries, &mut self.notes) else { return Ok(dates) };
            self.notes.index.note(&group);
            take(&group, &mut self.notes);
            (self.progress)(self.notes.counts.entries);
        }
    }
}

/// The state that a command carried its stream forward with; `None` where it did something else. What is wrong with the
/// command itself is said.
fn carried<'g>(group: &'g [LoggedEvent], notes: &mut Notes) -> Option<&'g Carried> {
    let first = group.first()?;
    let Event::Carried(carried) = &first.event else { return None };
    let (stream, version) = (&first.entry.stream, first.entry.version);
    notes.counts.commands();
    let is_its_command = cause_of(group, notes) == Some(Command::CarryForward { stream: stream.clone() });
    if !is_its_command || 1 < group.len() || first.entry.actor != Actor::System {
        let what = "only the system carries a stream forward, by a command of its own";
        notes.findings.at(Kind::Form, stream, version, what);
    }
    if !first.entry.transfers.is_empty() {
        notes.findings.at(Kind::Money, stream, version, "money moved where a stream was carried forward");
    }
    Some(carried)
}

/// Says so where a stream was carried forward with another state than the entries before come to.
fn say_carried(is_state: Result<bool, EvolveError>, group: &[LoggedEvent], notes: &mut Notes) {
    let what = match is_state {
        Ok(true) => return,
        Ok(false) => EvolveError::NotTheState.to_string(),
        Err(error) => error.to_string(),
    };
    if let Some(first) = group.first() {
        notes.findings.at(Kind::Carried, &first.entry.stream, first.entry.version, what);
    }
}

/// The answer kept for a command is that it was done, and wrote these entries. That there is one, and that it fits its
/// digest, is checked with the chain; whoever alters it can compute that digest anew.
fn check_answer(
    kept: Result<Option<Answered>, StoreError>,
    entries: &[Entry],
    notes: &mut Notes,
) -> Result<(), StoreError> {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(()) };
    let answer = match kept {
        Ok(Some(kept)) => kept.answer,
        Ok(None) | Err(StoreError::Corrupt { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    let is_this = |wrote: &Wrote| {
        wrote.stream == first.stream && wrote.first == first.version && wrote.last == last.version
    };
    let agrees = matches!(Answer::from_text(&answer), Ok(Answer::Done(wrote)) if wrote.iter().any(is_this));
    if !agrees {
        let what = "the answer kept for this command says something else than that it wrote this";
        notes.findings.at(Kind::Matching, &first.stream, first.version, what);
    }
    Ok(())
}

/// The entries of one command, read; `None` where one cannot be.
fn read(entries: Vec<Entry>, notes: &mut Notes) -> Option<Vec<LoggedEvent>> {
    let actor = entries.first()?.actor.clone();
    let mut group = Vec::with_capacity(entries.len());
    for entry in entries {
        notes.counts.entries();
        let (stream, version) = (entry.stream.clone(), entry.version);
        if entry.actor != actor {
            notes.findings.at(Kind::People, &stream, version, "one command has two actors");
        }
        if let Some(event) = notes.forms.event(&entry.body) {
            group.push(LoggedEvent { entry, event });
            continue;
        }
        match LoggedEvent::of(entry) {
            Ok(item) => {
                if encode(&item.event) == item.entry.body {
                    notes.forms.keep_event(&item.entry.body, &item.event);
                } else {
                    let what = "the entry is not written the way its event is";
                    notes.findings.at(Kind::Form, &stream, version, what);
                }
                group.push(item);
            }
            Err(error) => {
                let what = format!("{error}; the stream cannot be followed from here on");
                notes.findings.at(Kind::Form, &stream, version, what);
                return None;
            }
        }
    }
    let first = group.first()?;
    notes.acted(&actor, &first.entry.stream, first.entry.version, first.entry.at);
    Some(group)
}
