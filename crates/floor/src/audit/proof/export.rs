//! Making a proof.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jackpot::{AwardNumber, EntryId, Event as Happening, TableId};
use journal::checkpoint::Checkpoint;
use journal::{CommandId, Entry, Event, HouseEvent, LinkEvent, LinkId, Moment, Reader, Stream, Version};
use round::Stage;

use super::About;
use super::form::{BookForm, EntryForm, FORM, HouseForm, Item, Proof, Segment};
use crate::audit::AuditError;
use crate::audit::groups::{Groups, LoggedEvent};
use crate::audit::locate::{Located, link_of, locate, table_of};
use crate::audit::round_report::concerns;
use crate::library::Library;

/// How many checkpoints and entries are read at a time.
const PAGE: usize = 512;

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
    let mut last = 0;
    let mut won_in = None;
    let mut groups = Groups::of(reader, Stream::Link(id));
    while let Some(entries) = groups.next()? {
        for entry in entries {
            if let Event::Link(LinkEvent::Jackpot(Happening::AwardEntered { award, .. })) =
                LoggedEvent::of(entry)?.event
            {
                last = award.number.0;
                if award.number == AwardNumber(number) {
                    won_in = Some(award.entry.clone());
                }
            }
        }
    }
    let Some(EntryId { table, round }) = won_in else {
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
    let rulebooks = books(reader, library, &located, link.as_ref())?;
    let (segments, checkpoints) = seal(reader, &included)?;
    Proof { form: FORM.to_owned(), about, house, rulebooks, segments, checkpoints }.to_text()
}

/// The entries of a link that a round needs: those about it, the settings, and what the meter held before each.
fn of_link(
    reader: &mut dyn Reader,
    link: &LinkId,
    round: &EntryId,
    commands: &mut BTreeSet<CommandId>,
) -> Result<BTreeSet<Version>, AuditError> {
    let mut awards = Vec::new();
    let mut included = BTreeSet::new();
    let mut settings = Vec::new();
    let (mut scheduled, mut holding, mut needed) = (None, None, false);
    let mut groups = Groups::of(reader, Stream::Link(link.clone()));
    while let Some(entries) = groups.next()? {
        let group = entries.into_iter().map(LoggedEvent::of).collect::<Result<Vec<LoggedEvent>, _>>()?;
        let about = group.iter().filter(|item| match &item.event {
            Event::Link(event) => concerns(event, round, &mut awards),
            Event::House(_) | Event::Table(_) | Event::Carried(_) => false,
        });
        if about.count() != 0 {
            included.extend(group.iter().map(|item| item.entry.version));
            commands.extend(group.iter().map(|item| item.entry.command));
            included.extend(holding.into_iter().chain(scheduled));
            included.extend(settings.iter().copied());
            needed = true;
        }
        for item in &group {
            let (version, Event::Link(event)) = (item.entry.version, &item.event) else { continue };
            match event {
                LinkEvent::Opened { .. } => settings.push(version),
                LinkEvent::Jackpot(Happening::SettingsApplied { .. }) => {
                    settings.push(version);
                    scheduled = None;
                }
                LinkEvent::Jackpot(Happening::ReconfigurationScheduled { .. }) => scheduled = Some(version),
                LinkEvent::Jackpot(event) if event.balances().is_some() => holding = Some(version),
                LinkEvent::Jackpot(_) | LinkEvent::Won { .. } | LinkEvent::SlipPrinted { .. } => {}
            }
        }
    }
    if !needed {
        included.clear();
    }
    Ok(included)
}

/// The house's opening, what two people signed that one of the commands carried out, and the starts of the nodes that ran
/// at that time.
fn of_house(
    reader: &mut dyn Reader,
    commands: &BTreeSet<CommandId>,
    played: Option<(Moment, Moment)>,
) -> Result<(HouseForm, BTreeSet<Version>), AuditError> {
    let mut house = None;
    let mut included = BTreeSet::new();
    let mut proposed: HashMap<u64, Version> = HashMap::new();
    let mut started: BTreeMap<String, Version> = BTreeMap::new();
    let mut groups = Groups::of(reader, Stream::House);
    while let Some(entries) = groups.next()? {
        for entry in entries {
            let item = LoggedEvent::of(entry)?;
            let (version, Event::House(event)) = (item.entry.version, &item.event) else { continue };
            if let HouseEvent::Opened { name, key, .. } = event {
                house = Some(HouseForm { name: name.clone(), key: journal::Hash(*key).to_string() });
                included.insert(version);
            } else if let HouseEvent::Proposed { number, .. } = event {
                proposed.insert(*number, version);
            } else if let HouseEvent::Confirmed { number, .. } = event
                && commands.contains(&item.entry.command)
            {
                included.extend(proposed.get(number).copied());
                included.insert(version);
            } else if let HouseEvent::ServiceStarted { node, .. } = event
                && let Some((from, until)) = played
                && item.entry.at <= until
            {
                let earlier = started.insert(node.clone(), version);
                included.extend(earlier.filter(|_| from < item.entry.at));
            } else if let HouseEvent::ServiceStopped { node } = event
                && played.is_some_and(|(from, _)| item.entry.at < from)
            {
                started.remove(node);
            }
        }
    }
    included.extend(started.into_values());
    match house {
        Some(house) => Ok((house, included)),
        None => Err(AuditError::Broken("the house was never opened".to_owned())),
    }
}

/// The books of the table and of its link.
fn books(
    reader: &mut dyn Reader,
    library: &Library,
    located: &Located,
    link: Option<&LinkId>,
) -> Result<Vec<BookForm>, AuditError> {
    let mut ids: BTreeSet<String> = BTreeSet::from([located.before.setup().rulebook.clone()]);
    if let Some(link) = link {
        for entry in reader.entries(&Stream::Link(link.clone()), Version(0), 1)? {
            if let Event::Link(LinkEvent::Opened { books, .. }) = LoggedEvent::of(entry)?.event {
                ids.extend(books);
            }
        }
    }
    let form = |id: String| match library.get(&id) {
        Some((_, digest)) => Ok(BookForm { id, digest: digest.to_string() }),
        None => {
            Err(AuditError::Broken(format!("there is no rulebook {id:?} here; give it with --rulebook-file")))
        }
    };
    ids.into_iter().map(form).collect()
}

/// Segments from the entries wanted to the checkpoints that seal them.
fn seal(reader: &mut dyn Reader, included: &Included) -> Result<(Vec<Segment>, Vec<String>), AuditError> {
    let mut waiting: Included = included.clone();
    let mut segments = Vec::new();
    let mut checkpoints: Vec<String> = Vec::new();
    let mut after = 0;
    loop {
        let page = reader.checkpoints(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.number;
        for checkpoint in &page {
            let sealed = seal_with(reader, checkpoint, &mut waiting, included)?;
            if !sealed.is_empty() {
                segments.extend(sealed);
                checkpoints.push(checkpoint.to_text());
            }
        }
    }
    let mut left = waiting.iter().filter_map(|(stream, versions)| Some((stream, versions.first()?)));
    if let Some((stream, version)) = left.next() {
        return Err(AuditError::NotSealed(format!("{stream} entry {version}")));
    }
    segments.sort_by(|one, other| (&one.stream, one.after).cmp(&(&other.stream, other.after)));
    Ok((segments, checkpoints))
}

/// The segments that one checkpoint seals, of the entries still waiting for one.
fn seal_with(
    reader: &mut dyn Reader,
    checkpoint: &Checkpoint,
    waiting: &mut Included,
    included: &Included,
) -> Result<Vec<Segment>, AuditError> {
    let mut segments = Vec::new();
    for head in &checkpoint.heads {
        let Some(versions) = waiting.get_mut(&head.stream) else { continue };
        let later = versions.split_off(&head.version.next());
        let sealed = std::mem::replace(versions, later);
        let (Some(first), Some(full)) = (sealed.first(), included.get(&head.stream)) else { continue };
        segments.push(segment(reader, &head.stream, *first, head.version, full)?);
    }
    Ok(segments)
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
        let page = reader.entries(stream, after, PAGE)?;
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
