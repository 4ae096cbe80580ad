//! One round found in its table's stream, with what the table was when it began.

use std::collections::{BTreeMap, BTreeSet};

use jackpot::{Pair, TableId};
use journal::{
    CARRIED_V1, CommandId, Direction, Event, Hash, Head, HouseEvent, HouseLimits, LinkId, Moment, Reader,
    Stream, Subject, TableEvent, Version,
};
use round::PlayerId;

use super::AuditError;
use super::finding::Finding;
use super::groups::{Groups, LoggedEvent};
use super::house::HouseAudit;
use super::matching::{Confirmed, Notes};
use super::table::{Known, TableAudit};
use crate::library::Library;
use crate::node::Answer;
use crate::past;
use crate::table::Table;
use crate::view::Described;

/// A round with everything the log has of it.
#[derive(Debug)]
pub(super) struct Located {
    /// The table when the round was about to begin.
    pub(super) before: Table,
    /// The table after the last entry of the round, unless it got lost.
    pub(super) after: Option<Table>,
    /// The entries of the round, by command.
    pub(super) groups: Vec<Vec<LoggedEvent>>,
    /// The entries before it that made the table what it was.
    pub(super) prelude: Vec<Version>,
    /// The cards of the round that the log has.
    pub(super) known: Vec<Known>,
    /// Its entries in words, as far as they could be followed.
    pub(super) words: BTreeMap<Version, Described>,
    /// What is wrong with its entries.
    pub(super) findings: Vec<Finding>,
}

/// The streams of a log.
pub(super) fn streams(reader: &mut dyn Reader) -> Result<Vec<Stream>, AuditError> {
    Ok(reader.heads()?.into_iter().map(|head: Head| head.stream).collect())
}

/// The table of a name, or which there are.
pub(super) fn table_of(reader: &mut dyn Reader, name: &str) -> Result<TableId, AuditError> {
    let tables: Vec<String> = streams(reader)?
        .into_iter()
        .filter_map(|stream| if let Stream::Table(id) = stream { Some(id.name().to_owned()) } else { None })
        .collect();
    if tables.iter().any(|table| table == name) {
        return Ok(TableId::new(name));
    }
    Err(AuditError::NoSuchTable { name: name.to_owned(), known: listed(&tables) })
}

/// The link of a name, or which there are.
pub(super) fn link_of(reader: &mut dyn Reader, name: &str) -> Result<LinkId, AuditError> {
    let links: Vec<String> = streams(reader)?
        .into_iter()
        .filter_map(|stream| if let Stream::Link(id) = stream { Some(id.name().to_owned()) } else { None })
        .collect();
    if links.iter().any(|link| link == name) {
        return Ok(LinkId::new(name));
    }
    Err(AuditError::NoSuchLink { name: name.to_owned(), known: listed(&links) })
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// What the house's stream says of people and of what two of them signed.
pub(super) fn house_notes(reader: &mut dyn Reader) -> Result<Notes, AuditError> {
    let mut notes = Notes::default();
    let mut house = HouseAudit::default();
    let mut groups = Groups::of(reader, Stream::House);
    while let Some(entries) = groups.next()? {
        let group = entries.into_iter().map(LoggedEvent::of).collect::<Result<Vec<LoggedEvent>, _>>()?;
        house.command(&group, &mut notes);
    }
    Ok(notes)
}

/// Where the entries stand that made a table what it is, between its rounds.
#[derive(Debug, Default)]
struct Prelude {
    opened: Option<Version>,
    limits: Option<Version>,
    /// The limits that wait for their hour.
    planned: Vec<(Moment, Version)>,
    rules: Option<Version>,
    informed: BTreeMap<PlayerId, Version>,
    restricted: BTreeMap<PlayerId, Version>,
    prohibited: BTreeMap<PlayerId, Version>,
    warned: BTreeMap<PlayerId, Version>,
    /// The last chain of salts a Player committed to, and the last salt they opened.
    committed: BTreeMap<PlayerId, (Hash, Version)>,
    opened_salts: BTreeMap<PlayerId, (Hash, Version)>,
    /// The last slip that was given out.
    slips: Option<Version>,
}

impl Prelude {
    fn note(&mut self, item: &LoggedEvent) {
        let version = item.entry.version;
        let Event::Table(event) = &item.event else { return };
        if let TableEvent::Opened { .. } = event {
            (self.opened, self.limits, self.rules) = (Some(version), None, None);
            self.planned.clear();
        } else if let TableEvent::LimitsChanged { .. } = event {
            self.limits = Some(version);
        } else if let TableEvent::LimitsTaken { from, .. } = event {
            // What was planned up to that hour no longer waits.
            self.limits = Some(version);
            self.planned.retain(|(hour, _)| from < hour);
        } else if let TableEvent::LimitsPlanned { from, .. } = event {
            self.planned.push((*from, version));
        } else if let TableEvent::RulesTaken { .. } = event {
            self.rules = Some(version);
        } else if let TableEvent::PrizeSigned { .. } = event {
            self.slips = Some(version);
        } else if let TableEvent::SaltsCommitted { player, anchor } = event {
            self.committed.insert(player.clone(), (*anchor, version));
        } else if let TableEvent::SaltOpened { player, salt } = event {
            self.opened_salts.insert(player.clone(), (*salt, version));
        } else if let TableEvent::Round(event) = event {
            if let round::Event::PlayerInformed { player } = event {
                self.informed.insert(player.clone(), version);
            } else if let round::Event::PlayerRestricted { player, .. } = event {
                self.restricted.insert(player.clone(), version);
            } else if let round::Event::PlayerProhibited { player, .. } = event {
                self.prohibited.insert(player.clone(), version);
            } else if let round::Event::PlayerWarned { player, .. } = event {
                self.warned.insert(player.clone(), version);
            }
        }
    }

    /// The entries behind a table as it stands: its opening, its limits, and what it remembers of those who take part.
    fn of(&self, table: &Table, names: &BTreeSet<PlayerId>) -> Vec<Version> {
        let memory = table.round().memory();
        let remembered = [
            (&memory.informed, &self.informed),
            (&memory.restricted, &self.restricted),
            (&memory.prohibited, &self.prohibited),
            (&memory.warned, &self.warned),
        ];
        let of_players = remembered.into_iter().flat_map(|(players, versions)| {
            let players = players.iter().filter(|player| names.contains(*player));
            players.filter_map(|player| versions.get(player).copied())
        });
        let of_salts = table.coming_anchors().into_iter().filter_map(|(player, anchor)| {
            let known = [self.committed.get(player), self.opened_salts.get(player)];
            known.into_iter().flatten().find(|(known, _)| *known == anchor).map(|(_, version)| *version)
        });
        let all = self
            .opened
            .into_iter()
            .chain(self.limits)
            .chain(self.planned.iter().map(|(_, version)| *version))
            .chain(self.rules)
            .chain(self.slips)
            .chain(of_players)
            .chain(of_salts);
        let mut versions: Vec<Version> = all.collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }
}

/// Finds a round, and reads no more of the log than it and the round before it: what its table remembered of the Players
/// who took part is looked up.
pub(super) fn locate(
    reader: &mut dyn Reader,
    library: &Library,
    table: &TableId,
    number: u64,
) -> Result<Located, AuditError> {
    let stream = Stream::Table(table.clone());
    let place = Place::of(reader, &stream, number)?;
    let round = place.read(reader, &stream)?;
    let (before, prelude) = before(reader, library, table, place, &round)?;
    let mut notes = notes_of(reader, &round)?;
    let (groups, known, words, findings) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
    let mut located = Located { before, after: None, groups, prelude, known, words, findings };
    let mut audit = TableAudit::resumed(library, located.before.clone()).with_words();
    for group in round.chunk_by(|one, next| one.entry.command == next.entry.command) {
        audit.command(group, &mut notes);
        located.known = audit.known().to_vec();
        located.groups.push(group.to_vec());
    }
    located.findings = notes.findings.iter().cloned().collect();
    located.words = audit.words();
    located.after = audit.into_table();
    Ok(located)
}

/// The entries of a round.
#[derive(Clone, Copy, Debug)]
struct Place {
    number: u64,
    first: Version,
    /// Where the next round begins.
    end: Option<Version>,
}

impl Place {
    fn of(reader: &mut dyn Reader, stream: &Stream, number: u64) -> Result<Place, AuditError> {
        if let Some(first) = begun(reader, stream, number)? {
            let end = begun(reader, stream, number.saturating_add(1))?;
            return Ok(Place { number, first, end });
        }
        let last = match newest(reader, stream, &Subject::Rounds, Version(u64::MAX))? {
            Some(version) => begins(&[at(reader, stream, version)?]).unwrap_or(0),
            None => 0,
        };
        let table = stream.to_string().trim_start_matches("table/").to_owned();
        Err(AuditError::NoSuchRound { table, round: number, last })
    }

    fn read(self, reader: &mut dyn Reader, stream: &Stream) -> Result<Vec<LoggedEvent>, AuditError> {
        let entries = between(reader, stream, self.first, self.end)?;
        if begins(&entries) == Some(self.number) {
            return Ok(entries);
        }
        let (number, first) = (self.number, self.first);
        Err(AuditError::Broken(format!("round {number} does not begin with {stream} entry {first}")))
    }
}

/// Where a round began.
fn begun(reader: &mut dyn Reader, stream: &Stream, number: u64) -> Result<Option<Version>, AuditError> {
    newest(reader, stream, &Subject::Round(number), Version(u64::MAX))
}

/// The newest entry about a subject before a version.
fn newest(
    reader: &mut dyn Reader,
    stream: &Stream,
    subject: &Subject,
    before: Version,
) -> Result<Option<Version>, AuditError> {
    Ok(past::newest(reader, stream, subject, before)?)
}

/// One entry.
pub(super) fn at(
    reader: &mut dyn Reader,
    stream: &Stream,
    version: Version,
) -> Result<LoggedEvent, AuditError> {
    match reader.entry(stream, version)? {
        Some(entry) => LoggedEvent::of(entry),
        None => Err(AuditError::Broken(format!("{stream} entry {version} is missing"))),
    }
}

/// The entries from one version to before another, or to the end, but for those that only carry the stream forward.
fn between(
    reader: &mut dyn Reader,
    stream: &Stream,
    first: Version,
    end: Option<Version>,
) -> Result<Vec<LoggedEvent>, AuditError> {
    const PAGE: usize = 512;
    let mut items = Vec::new();
    let mut after = Version(first.0.saturating_sub(1));
    loop {
        let left = end.map_or(u64::MAX, |end| end.0.saturating_sub(1).saturating_sub(after.0));
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(PAGE);
        let page = reader.entries(stream, after, most)?;
        let is_last = page.len() < PAGE;
        for entry in page {
            if end.is_some_and(|end| end <= entry.version) {
                return Ok(items);
            }
            after = entry.version;
            if entry.body.kind != CARRIED_V1 {
                items.push(LoggedEvent::of(entry)?);
            }
        }
        if is_last {
            return Ok(items);
        }
    }
}

/// The table when a round was about to begin, and the entries behind what it then was. The round before it is followed
/// from its beginning, and what was there before that is looked up.
fn before(
    reader: &mut dyn Reader,
    library: &Library,
    table: &TableId,
    place: Place,
    round: &[LoggedEvent],
) -> Result<(Table, Vec<Version>), AuditError> {
    let stream = Stream::Table(table.clone());
    let earlier = match place.number.checked_sub(1).filter(|earlier| *earlier != 0) {
        Some(earlier) => Place::of(reader, &stream, earlier)?.read(reader, &stream)?,
        None => Vec::new(),
    };
    let from = earlier.first().map_or(place.first, |item| item.entry.version);
    let names = names_in(earlier.iter().chain(round));
    let mut items = remembered(reader, &stream, from, &names)?;
    let began = earlier.first().or(round.first());
    for player in began.map(|item| past::seated(&item.event)).unwrap_or_default() {
        items.extend(past::chain(reader, &stream, &player, from)?.map(LoggedEvent::of).transpose()?);
    }
    items.sort_by_key(|item| item.entry.version);
    let lost = |error: &dyn ToString| AuditError::Broken(format!("table {table}: {}", error.to_string()));
    let opened = newest(reader, &stream, &Subject::Opened, from)?;
    let opened = opened.ok_or_else(|| lost(&"it was never opened"))?;
    let opened = at(reader, &stream, opened)?;
    let mut prelude = Prelude::default();
    prelude.note(&opened);
    let Event::Table(event) = &opened.event else { return Err(lost(&"it was never opened")) };
    let mut state = Table::opened(table, library, event).map_err(|error| lost(&error))?;
    let limits = newest(reader, &stream, &Subject::Limits, from)?;
    // Limits of an hour are taken before others are changed: those that still wait are of a later hour.
    let mut since = opened.entry.at;
    if let Some(limits) = limits.filter(|limits| opened.entry.version < *limits) {
        let limits = at(reader, &stream, limits)?;
        since = limits.entry.at;
        items.push(limits);
    }
    for version in
        reader.about(&stream, &Subject::Planned, Direction::After(opened.entry.version), usize::MAX)?
    {
        let planned = at(reader, &stream, version)?;
        let waits =
            matches!(planned.event, Event::Table(TableEvent::LimitsPlanned { from, .. }) if since < from);
        if waits && version < from {
            items.push(planned);
        }
    }
    let taken = newest(reader, &stream, &Subject::Rules, from)?;
    if let Some(taken) = taken.filter(|taken| opened.entry.version < *taken) {
        items.push(at(reader, &stream, taken)?);
    }
    if let Some(slip) = newest(reader, &stream, &Subject::Slips, from)? {
        items.push(at(reader, &stream, slip)?);
    }
    for item in items.iter().chain(&earlier) {
        prelude.note(item);
        let Event::Table(event) = &item.event else { continue };
        let committed = past::committed(&item.event).filter(|_| item.entry.version < from);
        let event = committed.as_ref().unwrap_or(event);
        state.evolve(library, event).map_err(|error| lost(&error))?;
    }
    let signs = |item: &LoggedEvent| matches!(&item.event, Event::Table(TableEvent::PrizeSigned { .. }));
    prelude.slips = prelude.slips.filter(|_| round.iter().any(signs));
    let prelude = prelude.of(&state, &names);
    Ok((state, prelude))
}

/// Every name that some entries or their commands have in them. Not all of them are Players: those that are not were never
/// remembered either.
fn names_in<'a>(items: impl Iterator<Item = &'a LoggedEvent>) -> BTreeSet<PlayerId> {
    let mut names = BTreeSet::new();
    for LoggedEvent { entry, .. } in items {
        for text in entry.cause.iter().chain([&entry.body.json]) {
            if let Ok(value) = serde_json::from_str(text) {
                collect_names(&value, &mut names);
            }
        }
    }
    names
}

fn collect_names(value: &serde_json::Value, names: &mut BTreeSet<PlayerId>) {
    match value {
        serde_json::Value::String(name) => {
            names.insert(PlayerId::new(name));
        }
        serde_json::Value::Array(values) => {
            for value in values {
                collect_names(value, names);
            }
        }
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                names.insert(PlayerId::new(name));
                collect_names(value, names);
            }
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// The entries before a version that say what a table remembers of some Players.
fn remembered(
    reader: &mut dyn Reader,
    stream: &Stream,
    before: Version,
    names: &BTreeSet<PlayerId>,
) -> Result<Vec<LoggedEvent>, AuditError> {
    let mut items = Vec::new();
    for player in names {
        let subject = Subject::Player(player.clone());
        let mut own = Vec::new();
        for version in reader.about(stream, &subject, Direction::Before(before), usize::MAX)? {
            own.push(at(reader, stream, version)?);
        }
        let warned = |item: &LoggedEvent| {
            matches!(&item.event, Event::Table(TableEvent::Round(round::Event::PlayerWarned { .. })))
        };
        let last = own.iter().filter(|item| warned(item)).map(|item| item.entry.version).max();
        let stands = match last {
            Some(version) => warning_stands(reader, stream, version, player)?,
            None => false,
        };
        own.retain(|item| stands || !warned(item));
        items.append(&mut own);
    }
    Ok(items)
}

/// Whether a warning was left standing by the round in which it was given: a settlement that replaces the one that gave it
/// takes it back, unless it gives it too.
fn warning_stands(
    reader: &mut dyn Reader,
    stream: &Stream,
    warned: Version,
    player: &PlayerId,
) -> Result<bool, AuditError> {
    let Some(began) = newest(reader, stream, &Subject::Rounds, warned)? else { return Ok(true) };
    let next = reader.about(stream, &Subject::Rounds, Direction::After(began), 1)?.pop();
    let (mut stands, mut given) = (false, false);
    for item in between(reader, stream, began, next)? {
        let Event::Table(TableEvent::Round(event)) = &item.event else { continue };
        if let round::Event::PlayerWarned { player: warned, .. } = event {
            stands |= warned == player;
        } else if let round::Event::Settled { settlement } = event {
            let is_warned = settlement.warned.contains(player);
            stands &= is_warned || !given;
            given = is_warned;
        }
    }
    Ok(stands)
}

/// What the house's stream says of the commands and the Players of a round.
pub(super) fn notes_of(reader: &mut dyn Reader, round: &[LoggedEvent]) -> Result<Notes, AuditError> {
    let mut notes = Notes::default();
    let house = Stream::House;
    for subject in [Subject::Opened, Subject::Limits] {
        for version in reader.about(&house, &subject, Direction::After(Version(0)), usize::MAX)? {
            match at(reader, &house, version)?.event {
                Event::House(HouseEvent::Opened { money, .. }) => {
                    notes.money = money;
                    notes.limited(&HouseLimits::default());
                }
                Event::House(HouseEvent::LimitsChanged { limits }) => notes.limited(&limits),
                Event::House(_) | Event::Table(_) | Event::Link(_) | Event::Carried(_) => {}
            }
        }
    }
    if let Some(first) = reader.about(&house, &Subject::Service, Direction::After(Version(0)), 1)?.pop() {
        notes.dates_since = Some(at(reader, &house, first)?.entry.at);
    }
    for player in names_in(round.iter()) {
        let subject = Subject::Player(player.clone());
        for version in reader.about(&house, &subject, Direction::After(Version(0)), usize::MAX)? {
            if let Event::House(event) = at(reader, &house, version)?.event {
                if let HouseEvent::PlayerProhibited { .. } = event {
                    notes.prohibited.insert(player.clone());
                } else if let HouseEvent::WarningSet { .. } = event {
                    notes.warned.insert(player.clone());
                }
            }
        }
    }
    let commands: BTreeSet<CommandId> = round.iter().map(|item| item.entry.command).collect();
    for command in commands {
        for item in written(reader, command, &house)? {
            note_house(reader, &item, &mut notes)?;
        }
    }
    Ok(notes)
}

/// What a command wrote to a stream.
pub(super) fn written(
    reader: &mut dyn Reader,
    command: CommandId,
    stream: &Stream,
) -> Result<Vec<LoggedEvent>, AuditError> {
    let Some(answered) = reader.answered(command)? else { return Ok(Vec::new()) };
    let answer = Answer::from_text(&answered.answer)
        .map_err(|error| AuditError::Broken(format!("command {command}: {error}")))?;
    let Answer::Done(wrote) = answer else { return Ok(Vec::new()) };
    let mut items = Vec::new();
    for part in wrote.into_iter().filter(|part| part.stream == *stream) {
        items.extend(between(reader, stream, part.first, Some(part.last.next()))?);
    }
    Ok(items)
}

/// What an entry of the house says that the entries of a table must say too.
fn note_house(reader: &mut dyn Reader, item: &LoggedEvent, notes: &mut Notes) -> Result<(), AuditError> {
    let (command, version) = (item.entry.command, item.entry.version);
    let Event::House(event) = &item.event else { return Ok(()) };
    if let HouseEvent::WarningSet { player, at, .. } = event {
        notes.warnings.insert((command, player.clone()), (at.clone(), version));
    } else if let HouseEvent::PlayerProhibited { at, .. } | HouseEvent::PlayerReadmitted { at, .. } = event {
        notes.admissions.insert(command, (at.clone(), version));
    } else if let HouseEvent::Confirmed { number, by } = event
        && let Some(proposed) = newest(reader, &Stream::House, &Subject::Proposal(*number), version)?
        && let Event::House(HouseEvent::Proposed { proposal, by: first, .. }) =
            at(reader, &Stream::House, proposed)?.event
    {
        let pair = Pair { first, second: by.clone() };
        notes.confirmed.insert(command, Confirmed { proposal, pair, version, done: false });
    }
    Ok(())
}

/// The number of the round that begins with these entries.
pub(super) fn begins(part: &[LoggedEvent]) -> Option<u64> {
    let first = part.first()?;
    if let Event::Table(TableEvent::RoundBegan { number, .. }) = &first.event { Some(*number) } else { None }
}

/// The entries of a command, those of the next round apart from those of the one before.
pub(super) fn parted(mut group: Vec<LoggedEvent>) -> Vec<Vec<LoggedEvent>> {
    let is_begin = |item: &LoggedEvent| matches!(item.event, Event::Table(TableEvent::RoundBegan { .. }));
    match group.iter().position(is_begin) {
        Some(0) | None => vec![group],
        Some(at) => {
            let next = group.split_off(at);
            vec![group, next]
        }
    }
}
