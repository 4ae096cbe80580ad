//! Making a proof.

use std::collections::{BTreeMap, BTreeSet};

use jackpot::{AwardNumber, EntryId, Event as Happening, TableId};
use journal::checkpoint::{Checkpoint, Succession};
use journal::{
    CommandId, Direction, Entry, Event, HouseEvent, LinkEvent, LinkId, Moment, Reader, Stream, Subject,
    TableEvent, Version,
};
use round::Stage;

use super::About;
use super::form::{BookForm, EntryForm, FORM, HouseForm, Item, Proof, Segment};
use crate::audit::AuditError;
use crate::audit::groups::LoggedEvent;
use crate::audit::locate::{Located, at, link_of, locate, table_of, written};
use crate::audit::round_report::at_link;
use crate::library::Library;

/// How many checkpoints and entries are read at a time.
const PAGE: usize = 16;
const ENTRIES: usize = 512;

/// How many checkpoints are looked at one after another.
const IN_SIGHT: u64 = 32;

/// The versions a proof has in full, by stream.
type Included = BTreeMap<Stream, BTreeSet<Version>>;

/// A proof of a round, as text.
pub fn export_round(
    reader: &mut dyn Reader,
    library: &Library,
    table: &str,
    number: u64,
) -> Result<String, AuditError> {
    let id = table_of(reader, table)?;
    let about = About::Round { table: table.to_owned(), number };
    export(reader, library, &id, number, about)
}

/// A proof of an award, with the round it was won in, as text.
pub fn export_award(
    reader: &mut dyn Reader,
    library: &Library,
    link: &str,
    number: u64,
) -> Result<String, AuditError> {
    let id = link_of(reader, link)?;
    let stream = Stream::Link(id);
    let subject = Subject::Award(AwardNumber(number));
    let entered = reader.about(&stream, &subject, Direction::After(Version(0)), 1)?.pop();
    let won_in = match entered {
        Some(version) => match at(reader, &stream, version)?.event {
            Event::Link(LinkEvent::Jackpot(Happening::AwardEntered { award, .. })) => Some(award.entry),
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => None,
        },
        None => None,
    };
    let Some(EntryId { table, round }) = won_in else {
        let last = last_award(reader, &stream)?;
        return Err(AuditError::NoSuchAward { link: link.to_owned(), award: number, last });
    };
    let about = About::Award { link: link.to_owned(), number, table: table.name().to_owned(), round };
    export(reader, library, &table, round, about)
}

fn export(
    reader: &mut dyn Reader,
    library: &Library,
    table: &TableId,
    number: u64,
    about: About,
) -> Result<String, AuditError> {
    let located = locate(reader, library, table, number)?;
    let over = located.after.as_ref().is_none_or(|after| {
        number < after.number() || matches!(after.round().stage(), Stage::Closed | Stage::BeforeBets)
    });
    if !over {
        return Err(AuditError::NotOver { table: table.name().to_owned(), round: number });
    }
    let mut included = Included::new();
    let of_round = located.groups.iter().flatten().map(|item| item.entry.version);
    let versions = located.prelude.iter().copied().chain(of_round).collect();
    included.insert(Stream::Table(table.clone()), versions);
    let mut commands: BTreeSet<CommandId> =
        located.groups.iter().flatten().map(|item| item.entry.command).collect();
    let entry = EntryId { table: table.clone(), round: number };
    let link = located.before.setup().link.clone();
    if let Some(link) = &link {
        let at_link = of_link(reader, link, &entry, &mut commands)?;
        if !at_link.is_empty() {
            included.insert(Stream::Link(link.clone()), at_link);
        }
    }
    let times: Vec<Moment> = located.groups.iter().flatten().map(|item| item.entry.at).collect();
    let (from, until) = (times.iter().min().copied(), times.iter().max().copied());
    let (house, versions) = of_house(reader, &commands, from.zip(until))?;
    included.insert(Stream::House, versions);
    let link = link.filter(|link| included.contains_key(&Stream::Link(link.clone())));
    let rulebooks = books(reader, library, &located, link.as_ref(), &included)?;
    let (segments, checkpoints) = seal(reader, &included)?;
    let handovers = Succession::of(reader)?.to_texts();
    Proof { form: FORM.to_owned(), about, house, rulebooks, segments, checkpoints, handovers }.to_text()
}

/// The number of a link's last award: awards are numbered without a gap, so it is found by halving.
fn last_award(reader: &mut dyn Reader, stream: &Stream) -> Result<u64, AuditError> {
    let mut is_there = |number: u64| -> Result<bool, AuditError> {
        let subject = Subject::Award(AwardNumber(number));
        Ok(!reader.about(stream, &subject, Direction::After(Version(0)), 1)?.is_empty())
    };
    let (mut last, mut beyond) = (0_u64, 1_u64);
    while is_there(beyond)? {
        (last, beyond) = (beyond, beyond.saturating_mul(2));
    }
    while last.saturating_add(1) < beyond {
        let middle = last.midpoint(beyond);
        if is_there(middle)? { last = middle } else { beyond = middle }
    }
    Ok(last)
}

/// The entries of a link that a round needs: those about it, the settings, and what the meter held before each.
fn of_link(
    reader: &mut dyn Reader,
    link: &LinkId,
    round: &EntryId,
    commands: &mut BTreeSet<CommandId>,
) -> Result<BTreeSet<Version>, AuditError> {
    let stream = Stream::Link(link.clone());
    let mut included = BTreeSet::new();
    for item in at_link(reader, link, round)? {
        let version = item.entry.version;
        if included.contains(&version) {
            continue;
        }
        commands.insert(item.entry.command);
        let group = written(reader, item.entry.command, &stream)?;
        let first = group.first().map_or(version, |item| item.entry.version);
        included.insert(version);
        included.extend(group.iter().map(|item| item.entry.version));
        included.extend(holding(reader, &stream, first)?);
        included.extend(settings(reader, &stream, first)?);
    }
    Ok(included)
}

/// The last entry before a version that says what a link holds.
fn holding(reader: &mut dyn Reader, stream: &Stream, before: Version) -> Result<Option<Version>, AuditError> {
    const PAGE: u64 = 64;
    let mut end = before;
    while Version(1) < end {
        let after = Version(end.0.saturating_sub(1).saturating_sub(PAGE));
        let most = usize::try_from(end.0.saturating_sub(1).saturating_sub(after.0)).unwrap_or(usize::MAX);
        for entry in reader.entries(stream, after, most)?.into_iter().rev() {
            let item = LoggedEvent::of(entry)?;
            if let Event::Link(LinkEvent::Jackpot(event)) = &item.event
                && !matches!(event, Happening::SettingsApplied { .. })
                && event.balances().is_some()
            {
                return Ok(Some(item.entry.version));
            }
        }
        end = after.next();
    }
    Ok(None)
}

/// The settings of a link up to a version, and those that were then scheduled.
fn settings(
    reader: &mut dyn Reader,
    stream: &Stream,
    before: Version,
) -> Result<BTreeSet<Version>, AuditError> {
    let mut settings = BTreeSet::new();
    let mut scheduled = None;
    for version in reader.about(stream, &Subject::Settings, Direction::After(Version(0)), usize::MAX)? {
        if before <= version {
            break;
        }
        match at(reader, stream, version)?.event {
            Event::Link(LinkEvent::Jackpot(Happening::ReconfigurationScheduled { .. })) => {
                scheduled = Some(version);
            }
            Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {
                settings.insert(version);
                scheduled = None;
            }
        }
    }
    settings.extend(scheduled);
    Ok(settings)
}

/// The house's opening, what two people signed that one of the commands carried out, and the starts of the nodes that ran
/// at that time.
fn of_house(
    reader: &mut dyn Reader,
    commands: &BTreeSet<CommandId>,
    played: Option<(Moment, Moment)>,
) -> Result<(HouseForm, BTreeSet<Version>), AuditError> {
    let stream = Stream::House;
    let opened = reader.about(&stream, &Subject::Opened, Direction::After(Version(0)), 1)?.pop();
    let opened = opened.ok_or_else(|| AuditError::Broken("the house was never opened".to_owned()))?;
    let Event::House(HouseEvent::Opened { name, key, .. }) = at(reader, &stream, opened)?.event else {
        return Err(AuditError::Broken("the house was never opened".to_owned()));
    };
    let house = HouseForm { name, key: journal::Hash(key).to_string() };
    let mut included = BTreeSet::from([opened]);
    for command in commands {
        for item in written(reader, *command, &stream)? {
            if let Event::House(HouseEvent::Confirmed { number, .. }) = item.event {
                let subject = Subject::Proposal(number);
                let version = item.entry.version;
                included.extend(reader.about(&stream, &subject, Direction::Before(version), 1)?);
                included.insert(version);
            }
        }
    }
    if let Some(played) = played {
        included.extend(running(reader, played)?);
    }
    Ok((house, included))
}

/// The starts of the nodes that ran at a time. A node that is not known to have stopped is taken to have run.
fn running(
    reader: &mut dyn Reader,
    (from, until): (Moment, Moment),
) -> Result<BTreeSet<Version>, AuditError> {
    let mut included = BTreeSet::new();
    let mut started: BTreeMap<String, Version> = BTreeMap::new();
    for version in
        reader.about(&Stream::House, &Subject::Service, Direction::After(Version(0)), usize::MAX)?
    {
        let item = at(reader, &Stream::House, version)?;
        if let Event::House(HouseEvent::ServiceStarted { node, .. }) = &item.event
            && item.entry.at <= until
        {
            let earlier = started.insert(node.clone(), version);
            included.extend(earlier.filter(|_| from < item.entry.at));
        } else if let Event::House(HouseEvent::ServiceStopped { node }) = &item.event
            && item.entry.at < from
        {
            started.remove(node);
        }
    }
    included.extend(started.into_values());
    Ok(included)
}

/// The books of the table and of its link.
fn books(
    reader: &mut dyn Reader,
    library: &Library,
    located: &Located,
    link: Option<&LinkId>,
    included: &Included,
) -> Result<Vec<BookForm>, AuditError> {
    let mut ids: BTreeSet<String> = BTreeSet::from([located.before.setup().rulebook.clone()]);
    for item in located.groups.iter().flatten() {
        if let Event::Table(TableEvent::RulesTaken { rulebook, .. }) = &item.event {
            ids.insert(rulebook.clone());
        }
    }
    let stream = link.map(|link| Stream::Link(link.clone()));
    for version in stream.iter().filter_map(|stream| included.get(stream)).flatten() {
        let Some(entry) = stream.as_ref().map(|stream| reader.entry(stream, *version)).transpose()?.flatten()
        else {
            continue;
        };
        let event = LoggedEvent::of(entry)?.event;
        if let Event::Link(LinkEvent::Opened { books, .. }) = event {
            ids.extend(books);
        } else if let Event::Link(LinkEvent::BookAdded { book }) = event {
            ids.insert(book);
        }
    }
    let program = Library::embedded();
    let form = |id: String| match library.get(&id) {
        Some((_, digest)) => {
            let is_known = program.get(&id).is_some_and(|(_, known)| known == digest);
            let text = library.text(&id).filter(|_| !is_known).map(str::to_owned);
            Ok(BookForm { id, digest: digest.to_string(), text })
        }
        None => {
            Err(AuditError::Broken(format!("there is no rulebook {id:?} here; give it with --rulebook-file")))
        }
    };
    ids.into_iter().map(form).collect()
}

/// Segments from the entries wanted to the checkpoints that seal them.
fn seal(reader: &mut dyn Reader, included: &Included) -> Result<(Vec<Segment>, Vec<String>), AuditError> {
    let mut segments = Vec::new();
    let mut checkpoints: BTreeMap<u64, Checkpoint> = BTreeMap::new();
    for (stream, versions) in included {
        let mut waiting = versions.clone();
        while let Some(first) = waiting.first().copied() {
            let Some((checkpoint, last)) = sealed_by(reader, stream, first)? else {
                return Err(AuditError::NotSealed(format!("{stream} entry {first}")));
            };
            waiting = waiting.split_off(&last.next());
            segments.push(segment(reader, stream, first, last, versions)?);
            checkpoints.insert(checkpoint.number, checkpoint);
        }
    }
    segments.sort_by(|one, other| (&one.stream, one.after).cmp(&(&other.stream, other.after)));
    Ok((segments, checkpoints.values().map(Checkpoint::to_text).collect()))
}

/// The first checkpoint that seals an entry, and the head it seals that stream with. A stream's heads only grow from
/// checkpoint to checkpoint, so it is found by halving; where a stream is not in sight, times say which half.
fn sealed_by(
    reader: &mut dyn Reader,
    stream: &Stream,
    version: Version,
) -> Result<Option<(Checkpoint, Version)>, AuditError> {
    let at = at(reader, stream, version)?.entry.at;
    let newest = reader.last_checkpoint()?.map_or(0, |last| last.number);
    let (mut before, mut end, mut found) = (0_u64, newest.saturating_add(1), None);
    while IN_SIGHT < end.saturating_sub(before) {
        let middle = before.midpoint(end);
        let page = reader.checkpoints(middle.saturating_sub(1), PAGE)?;
        match page.iter().find_map(|checkpoint| Some((checkpoint, head_of(checkpoint, stream)?))) {
            Some((checkpoint, head)) if head < version => before = checkpoint.number.min(end),
            Some((checkpoint, head)) => (found, end) = (Some((checkpoint.clone(), head)), middle),
            None if page.first().is_some_and(|first| first.at < at) => before = middle,
            None => end = middle,
        }
    }
    match first_of(reader, stream, version, before, end)?.or(found) {
        Some(found) => Ok(Some(found)),
        // A clock was wrong.
        None => first_of(reader, stream, version, 0, u64::MAX),
    }
}

/// The first checkpoint after one number and before another that seals an entry.
fn first_of(
    reader: &mut dyn Reader,
    stream: &Stream,
    version: Version,
    after: u64,
    end: u64,
) -> Result<Option<(Checkpoint, Version)>, AuditError> {
    let mut after = after;
    loop {
        let page = reader.checkpoints(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(None) };
        after = last.number;
        for checkpoint in page {
            if end <= checkpoint.number {
                return Ok(None);
            }
            if let Some(head) = head_of(&checkpoint, stream).filter(|head| version <= *head) {
                return Ok(Some((checkpoint, head)));
            }
        }
    }
}

/// Which version of a stream a checkpoint seals.
fn head_of(checkpoint: &Checkpoint, stream: &Stream) -> Option<Version> {
    checkpoint.heads.iter().find(|head| head.stream == *stream).map(|head| head.version)
}

/// The entries of a stream from one version to another, in full where they are included.
fn segment(
    reader: &mut dyn Reader,
    stream: &Stream,
    first: Version,
    last: Version,
    included: &BTreeSet<Version>,
) -> Result<Segment, AuditError> {
    let mut after = Version(first.0.saturating_sub(1));
    let mut segment =
        Segment { stream: stream.to_string(), after: after.0, hash: String::new(), entries: Vec::new() };
    while after < last {
        let most = usize::try_from(last.0.saturating_sub(after.0)).unwrap_or(usize::MAX).min(ENTRIES);
        let page = reader.entries(stream, after, most)?;
        if page.is_empty() {
            return Err(AuditError::Broken(format!("{stream} ends before its checkpoint")));
        }
        for entry in page.iter().take_while(|entry| entry.version <= last) {
            if segment.entries.is_empty() {
                segment.hash = entry.previous.to_string();
            }
            segment.entries.push(item(entry, included));
            after = entry.version;
        }
    }
    Ok(segment)
}

fn item(entry: &Entry, included: &BTreeSet<Version>) -> Item {
    if included.contains(&entry.version) {
        Item::Full(EntryForm::of(entry))
    } else {
        Item::Skipped(entry.content_digest().to_string())
    }
}
