//! A table's stream: every command given again, every settlement and every shuffle made again.

mod round;
mod shuffle;

use std::mem::discriminant;

use ::round::{Asker, Command, Place, PlayerId, Settlement, Stage};
use cards::Card;
use jackpot::{EntryId, TableId, Undone};
use journal::{CommandId, Event, Stream, TableEvent, Version};
use rulebook::{Means, PlayingArea, Position, R6_1, Rule};

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{Due, DueReversal, Notes, TermsSeen};
use super::transfers::difference;
use crate::library::Library;
use crate::moves;
use crate::table::Table;

/// A card as the log has it, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) place: Place,
    pub(super) card: Card,
    pub(super) version: Version,
}

/// How far a table can be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Track {
    /// Every event so far was as it had to be, or near enough to go on.
    Followed,
    /// The round went where no round goes; the next one is followed again.
    RoundLost,
    /// The table itself cannot be.
    Lost,
}

/// Follows a table.
#[derive(Debug)]
pub(super) struct TableAudit<'l> {
    library: &'l Library,
    id: TableId,
    stream: Stream,
    table: Option<Table>,
    track: Track,
    /// The cards of the round that the log has.
    known: Vec<Known>,
    /// How many cards of the round were wrongly exposed.
    exposed: u8,
    /// The commands of the round, where they are wanted.
    script: Option<Vec<(Asker, Command)>>,
}

impl<'l> TableAudit<'l> {
    pub(super) fn new(library: &'l Library, id: &TableId) -> TableAudit<'l> {
        TableAudit {
            library,
            id: id.clone(),
            stream: Stream::Table(id.clone()),
            table: None,
            track: Track::Followed,
            known: Vec::new(),
            exposed: 0,
            script: None,
        }
    }

    /// The same, keeping the commands of the round it is at.
    pub(super) fn with_script(self) -> TableAudit<'l> {
        TableAudit { script: Some(Vec::new()), ..self }
    }

    /// The commands of the round so far.
    pub(super) fn script(&self) -> &[(Asker, Command)] {
        self.script.as_deref().unwrap_or_default()
    }

    /// Whether the round can be followed.
    pub(super) fn is_followed(&self) -> bool {
        self.track == Track::Followed
    }

    /// A table in the middle of its stream: as it was before a round began.
    pub(super) fn resumed(library: &'l Library, table: Table) -> TableAudit<'l> {
        let id = table.id().clone();
        TableAudit { table: Some(table), ..TableAudit::new(library, &id) }
    }

    /// The table as it stands after what was followed, unless it got lost.
    pub(super) fn into_table(self) -> Option<Table> {
        self.table.filter(|_| self.track == Track::Followed)
    }

    /// The table as it stands.
    pub(super) const fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The cards of the round that the log has.
    pub(super) fn known(&self) -> &[Known] {
        &self.known
    }

    /// What one command did.
    pub(super) fn command(&mut self, group: &[LoggedEvent], notes: &mut Notes) {
        notes.counts.commands();
        let mut rest = group;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            let Event::Table(event) = &first.event else {
                self.finding(Kind::Form, first.entry.version, "this is no event of a table", notes);
                continue;
            };
            self.skip_to_next_round(event);
            match (self.track, event) {
                (Track::Followed, TableEvent::Round(_)) => {
                    let is_round =
                        |told: &&LoggedEvent| matches!(told.event, Event::Table(TableEvent::Round(_)));
                    let more = after.iter().take_while(is_round).count();
                    let (run, others) = group_from(group, first, more);
                    rest = others;
                    self.play(run, notes);
                }
                (Track::Followed, _) => self.happened(first, event, after.first(), notes),
                // Whatever is no part of the round still happens to its table.
                (Track::RoundLost, event) if !matches!(event, TableEvent::Round(_)) => {
                    if let Some(table) = &mut self.table {
                        let _ = table.evolve(self.library, event);
                    }
                }
                (Track::RoundLost | Track::Lost, _) => {}
            }
        }
        self.check_salted(group, notes);
    }

    /// A lost round is over when the next begins; that it was not followed has been said.
    fn skip_to_next_round(&mut self, event: &TableEvent) {
        if self.track != Track::RoundLost || !matches!(event, TableEvent::RoundBegan { .. }) {
            return;
        }
        self.track = Track::Followed;
        if let Some(table) = &mut self.table {
            let _ = table.evolve(self.library, &TableEvent::Round(::round::Event::RoundClosed));
        }
    }

    fn finding(&self, kind: Kind, version: Version, what: impl Into<String>, notes: &mut Notes) {
        notes.findings.at(kind, &self.stream, version, what);
    }

    /// Something happened to the table that is no part of a round.
    fn happened(
        &mut self,
        told: &LoggedEvent,
        event: &TableEvent,
        next: Option<&LoggedEvent>,
        notes: &mut Notes,
    ) {
        let version = told.entry.version;
        if let Some(what) = self.wrong(event, next, notes) {
            self.finding(Kind::Rules, version, what, notes);
        }
        if let Some(what) = self.wrong_shuffle(event) {
            self.finding(Kind::Shuffle, version, what, notes);
        }
        if let TableEvent::ShuffleOpened { seed } = event {
            notes.counts.shuffles();
            self.check_deal(*seed, version, notes);
        }
        if let Some(what) = difference(&told.entry.transfers, &[]) {
            self.finding(Kind::Money, version, what, notes);
        }
        let evolved = match &mut self.table {
            Some(table) => table.evolve(self.library, event),
            None => Table::opened(&self.id, self.library, event).map(|table| self.table = Some(table)),
        };
        if let Err(error) = evolved {
            self.track = Track::Lost;
            let what = format!("{error}; the table cannot be followed from here on");
            self.finding(Kind::Rules, version, what, notes);
        }
        if let TableEvent::RoundBegan { terms, jackpot_minimum, .. } = event {
            notes.counts.rounds();
            self.known.clear();
            self.exposed = 0;
            self.script.iter_mut().for_each(Vec::clear);
            let link = self.table.as_ref().and_then(|table| table.setup().link.clone());
            if let (Some(link), Some(terms), Some(minimum)) = (link, terms, jackpot_minimum) {
                let seen = TermsSeen { link, terms: *terms, minimum: *minimum };
                notes.terms.entry(seen).or_insert_with(|| (self.stream.clone(), version));
            }
        }
    }

    /// Why the table cannot have come to this.
    fn wrong(&self, event: &TableEvent, next: Option<&LoggedEvent>, notes: &Notes) -> Option<String> {
        let Some(table) = &self.table else {
            return None;
        };
        let between = matches!(table.round().stage(), Stage::Closed | Stage::BeforeBets);
        match event {
            TableEvent::Opened { .. } => table.is_open().then(|| "the table opened while open".to_owned()),
            TableEvent::Closed if !table.is_last_round() => {
                Some("the table closed without its last round announced".to_owned())
            }
            TableEvent::Closed => (!between).then(|| "the table closed during a round".to_owned()),
            TableEvent::RoundBegan { number, terms, jackpot_minimum, positions } => {
                let due = table.number().saturating_add(1);
                let linked = table.setup().link.is_some();
                if *number != due {
                    return Some(format!("round {number} began where round {due} was due"));
                }
                if !between {
                    return Some(format!("round {number} began before the one before it was over"));
                }
                if linked != terms.is_some() || linked != jackpot_minimum.is_some() {
                    return Some("the round began under other terms than its link's".to_owned());
                }
                wrong_positions(table, positions, notes).or_else(|| shuffle::no_commitment(table, next))
            }
            TableEvent::LimitsChanged { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::Round(_)
            | TableEvent::ShuffleCommitted { .. }
            | TableEvent::SaltGiven { .. }
            | TableEvent::ShuffleSalted { .. }
            | TableEvent::ShuffleOpened { .. } => None,
        }
    }

    /// Which wagers the link must be told of, or must have given back.
    fn settled(&self, command: CommandId, version: Version, before: &[Position], notes: &mut Notes) {
        let Some(table) = &self.table else { return };
        let Some(link) = table.setup().link.clone() else { return };
        let Some(settlement) = table.round().settlement() else { return };
        let now = table.entered();
        let entry = EntryId { table: self.id.clone(), round: table.number() };
        if table.earlier().is_none() {
            if !now.is_empty() {
                self.due(command, version, link, entry, settlement, notes);
            }
            return;
        }
        notes.counts.corrections();
        let gone: Vec<Position> = before.iter().copied().filter(|position| !now.contains(position)).collect();
        if gone.is_empty() {
            return;
        }
        let rule = undone_under(settlement, &gone);
        let undone = if settlement.void.is_some() { Undone::Round } else { Undone::Hands(gone) };
        notes.due_reversals.insert(command, DueReversal { link, version, entry, undone, rule });
    }

    fn due(
        &self,
        command: CommandId,
        version: Version,
        link: journal::LinkId,
        id: EntryId,
        settlement: &Settlement,
        notes: &mut Notes,
    ) {
        let Some(table) = &self.table else { return };
        let Some(terms) = table.terms() else {
            return self.finding(
                Kind::Jackpot,
                version,
                "Jackpot wagers stand without a link's terms",
                notes,
            );
        };
        let wagers =
            settlement.jackpot_wagers().map(|(position, amount)| jackpot::Wager { position, amount });
        let claims = settlement.claims.iter().map(|claim| jackpot::Claim {
            position: claim.position,
            hand: claim.hand,
            percent: claim.percent,
            rule: claim.rule,
        });
        let means = |position: Position| {
            let seat = table.round().seat(position);
            let shares = seat.map_or_else(Vec::new, |seat| seat.shares(PlayingArea::Jackpot, None));
            shares.first().map_or(Means::Credits, |share| share.means)
        };
        let winners = settlement.claims.iter();
        let winners = winners.map(|claim| (claim.position, claim.owner.clone(), means(claim.position)));
        let entry = jackpot::Entry {
            id: id.clone(),
            book: table.book().citation,
            terms,
            wagers: wagers.collect(),
            claims: claims.collect(),
        };
        let due = Due { link, command, version, entry, winners: winners.collect() };
        notes.due.insert(id, due);
    }
}

/// The part of a group that begins with `first` and has `more` after it, and the rest.
fn group_from<'t>(
    group: &'t [LoggedEvent],
    first: &LoggedEvent,
    more: usize,
) -> (&'t [LoggedEvent], &'t [LoggedEvent]) {
    let at = group.iter().position(|told| std::ptr::eq(told, first)).unwrap_or_default();
    let from = group.get(at..).unwrap_or_default();
    from.split_at(more.saturating_add(1).min(from.len()))
}

/// Players keep their positions, but for those who were prohibited meanwhile.
fn wrong_positions(table: &Table, positions: &[(Position, PlayerId)], notes: &Notes) -> Option<String> {
    let held = |position: Position| table.round().seat(position).and_then(|seat| seat.holder());
    for (position, player) in positions {
        if held(*position) != Some(player) {
            return Some(format!("{player} began the round at {position} without having taken it"));
        }
    }
    let memory = table.round().memory();
    for (position, seat) in table.round().seats() {
        let Some(holder) = seat.holder() else { continue };
        let kept = positions.iter().any(|(kept, _)| *kept == position);
        let barred = memory.prohibited.contains(holder) || notes.prohibited.contains(holder);
        let is_there = position.0 <= table.setup().positions;
        if !kept && !barred && is_there {
            return Some(format!("{holder} lost {position} when the round began"));
        }
        if kept && memory.prohibited.contains(holder) {
            return Some(format!("{holder} kept {position} though prohibited"));
        }
    }
    None
}

/// The rule under which Jackpot wagers went back: of the void round, or of their own lines.
fn undone_under(settlement: &Settlement, gone: &[Position]) -> Rule {
    let of_a_line = || {
        let mut lines = settlement.lines.iter();
        let line = lines.find(|line| line.area == PlayingArea::Jackpot && gone.contains(&line.position));
        line.map_or(R6_1, |line| line.rule)
    };
    settlement.void.unwrap_or_else(of_a_line)
}

/// Whether two events are of one kind.
fn same_kind(one: &::round::Event, other: &::round::Event) -> bool {
    discriminant(one) == discriminant(other)
}

/// What an event of a round moves.
fn moved(before: Option<&Table>, after: &Table, event: &TableEvent) -> Vec<journal::Transfer> {
    moves::of_table(before, after, event)
}
