//! One round found in its table's stream, with what the table was when it began.

use std::collections::BTreeMap;

use jackpot::TableId;
use journal::{Event, Hash, Head, LinkId, Reader, Stream, TableEvent, Version};
use round::PlayerId;

use super::AuditError;
use super::finding::Finding;
use super::groups::{Groups, LoggedEvent};
use super::house::HouseAudit;
use super::matching::Notes;
use super::table::{Known, TableAudit};
use crate::library::Library;
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
    informed: BTreeMap<PlayerId, Version>,
    restricted: BTreeMap<PlayerId, Version>,
    prohibited: BTreeMap<PlayerId, Version>,
    warned: BTreeMap<PlayerId, Version>,
    /// The last chain of salts a Player committed to, and the last salt they opened.
    committed: BTreeMap<PlayerId, (Hash, Version)>,
    opened_salts: BTreeMap<PlayerId, (Hash, Version)>,
}

impl Prelude {
    fn note(&mut self, item: &LoggedEvent) {
        let version = item.entry.version;
        let Event::Table(event) = &item.event else { return };
        if let TableEvent::Opened { .. } = event {
            (self.opened, self.limits) = (Some(version), None);
        } else if let TableEvent::LimitsChanged { .. } = event {
            self.limits = Some(version);
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

    /// The entries behind a table as it stands: its opening, its limits, and whom it remembers.
    fn of(&self, table: &Table) -> Vec<Version> {
        let memory = table.round().memory();
        let remembered = [
            (&memory.informed, &self.informed),
            (&memory.restricted, &self.restricted),
            (&memory.prohibited, &self.prohibited),
            (&memory.warned, &self.warned),
        ];
        let of_players = remembered.into_iter().flat_map(|(players, versions)| {
            players.iter().filter_map(|player| versions.get(player).copied())
        });
        let of_salts = table.coming_anchors().into_iter().filter_map(|(player, anchor)| {
            let known = [self.committed.get(player), self.opened_salts.get(player)];
            known.into_iter().flatten().find(|(known, _)| *known == anchor).map(|(_, version)| *version)
        });
        let all = self.opened.into_iter().chain(self.limits).chain(of_players).chain(of_salts);
        let mut versions: Vec<Version> = all.collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }
}

/// Finds a round, following its table from the beginning.
pub(super) fn locate(
    reader: &mut dyn Reader,
    library: &Library,
    table: &TableId,
    number: u64,
) -> Result<Located, AuditError> {
    let mut notes = house_notes(reader)?;
    notes.findings = super::Findings::default();
    let mut audit = TableAudit::new(library, table).with_words();
    let mut prelude = Prelude::default();
    let mut found: Option<Located> = None;
    let mut groups = Groups::of(reader, Stream::Table(table.clone()));
    'stream: while let Some(entries) = groups.next()? {
        let group = entries.into_iter().map(LoggedEvent::of).collect::<Result<Vec<LoggedEvent>, _>>()?;
        for part in parted(group) {
            match (begins(&part), &mut found) {
                (Some(begun), None) if begun == number => found = Some(begin(&audit, &prelude, table)?),
                (Some(_), Some(_)) => break 'stream,
                (Some(_) | None, _) => {}
            }
            for item in &part {
                prelude.note(item);
            }
            audit.command(&part, &mut notes);
            if let Some(located) = &mut found {
                located.known = audit.known().to_vec();
                located.groups.push(part);
            }
        }
    }
    let last = audit.table().map_or(0, Table::number);
    let Some(mut located) = found else {
        return Err(AuditError::NoSuchRound { table: table.to_string(), round: number, last });
    };
    let from = located.groups.iter().flatten().next().map(|item| item.entry.version.0);
    let of_round = |finding: &&Finding| finding.version >= from;
    located.findings = notes.findings.iter().filter(of_round).cloned().collect();
    located.words = audit.words();
    located.after = audit.into_table();
    Ok(located)
}

fn begin(audit: &TableAudit<'_>, prelude: &Prelude, table: &TableId) -> Result<Located, AuditError> {
    let Some(before) = audit.table().filter(|_| audit.is_followed()).cloned() else {
        return Err(AuditError::Broken(format!("table {table} cannot be followed to that round")));
    };
    let prelude = prelude.of(&before);
    let (groups, known, words, findings) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
    Ok(Located { before, after: None, groups, prelude, known, words, findings })
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
