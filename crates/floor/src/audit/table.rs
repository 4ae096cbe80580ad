//! A table's stream: every command given again, every settlement and every shuffle made again.

mod round;
mod shuffle;
mod steps;

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::round::{Asker, Command, Place, PlayerId, Stage};
use cards::Card;
use jackpot::{EntryId, TableId, Undone};
use journal::{CommandId, Currency, DayRule, Entry, Event, Moment, Stream, TableEvent, TableSetup, Version};
use rulebook::{PlayingArea, Position};

use super::finding::Kind;
use super::groups::LoggedEvent;
use super::matching::{Due, DueFixed, DueReversal, Notes, TermsSeen};
use super::transfers::difference;
use crate::decide::{Entered, corrected_prizes, largest, undone_under};
use crate::library::{Library, Standing};
use crate::moves;
use crate::permissions::Limit;
use crate::rules::NOTICE_MS;
use crate::table::Table;
use crate::view::{self, Described, Viewer};

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
    /// The round cannot be followed; the next one is followed again.
    RoundLost,
    /// The table itself cannot be followed.
    Lost,
}

/// Whether the next entries may be the rest of a command: a round is looked at apart from the one before it, and one
/// command ends the one and begins the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    /// They begin a command.
    None,
    /// This command must still begin the next round.
    Begin(CommandId),
    /// A table in the middle of its stream: what caused its round to begin is not known.
    Unknown,
}

/// Follows a table.
#[derive(Debug)]
pub(super) struct TableAudit<'l> {
    library: &'l Library,
    id: TableId,
    stream: Stream,
    table: Option<Table>,
    track: Track,
    rest: Rest,
    /// When the gaming days of its house begin.
    days: DayRule,
    /// Whether a round got lost: then what the day came to is not known.
    has_lost_round: bool,
    /// The last entry looked at.
    last: Version,
    /// The cards of the round that the log has.
    known: Vec<Known>,
    /// The commands of the round, where they are wanted.
    script: Option<Vec<(Asker, Command)>>,
    /// The entries of the round in words, where they are wanted.
    words: Option<BTreeMap<Version, Described>>,
}

impl<'l> TableAudit<'l> {
    pub(super) fn new(library: &'l Library, id: &TableId) -> TableAudit<'l> {
        TableAudit {
            library,
            id: id.clone(),
            stream: Stream::Table(id.clone()),
            table: None,
            track: Track::Followed,
            rest: Rest::None,
            days: DayRule::default(),
            has_lost_round: false,
            last: Version(0),
            known: Vec::new(),
            script: None,
            words: None,
        }
    }

    /// The same in a house with these gaming days, for whoever compares the figures of the table's day.
    pub(super) fn with_days(self, days: DayRule) -> TableAudit<'l> {
        TableAudit { days, ..self }
    }

    /// The same, keeping the entries of the round it is at in words.
    pub(super) fn with_words(self) -> TableAudit<'l> {
        TableAudit { words: Some(BTreeMap::new()), ..self }
    }

    /// The entries of the round so far in words: those that could be followed.
    pub(super) fn words(&self) -> BTreeMap<Version, Described> {
        self.words.clone().unwrap_or_default()
    }

    /// Puts an entry that the table has taken into words.
    fn describe(&mut self, item: &LoggedEvent, event: &TableEvent) {
        if let (Some(words), Some(table)) = (&mut self.words, &self.table)
            && let Some(described) = view::of_table(&item.entry, event, table, &Viewer::Auditor)
        {
            words.insert(item.entry.version, described);
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

    /// Whether the figures of the table's day are those of its entries.
    pub(super) const fn knows_day(&self) -> bool {
        !self.has_lost_round
    }

    /// A table in the middle of its stream: as it was before a round began.
    pub(super) fn resumed(library: &'l Library, table: Table) -> TableAudit<'l> {
        let id = table.id().clone();
        TableAudit { table: Some(table), rest: Rest::Unknown, ..TableAudit::new(library, &id) }
    }

    /// The table as it is before the entries that are followed, after those that it was told of.
    pub(super) fn begins_as(&mut self, table: Option<Table>) {
        self.table = table;
    }

    /// A table that goes on where another audit has left it, after a version and with these cards in the log.
    pub(super) fn goes_on(&mut self, table: Option<Table>, last: Version, known: Vec<Known>) {
        (self.table, self.last, self.known) = (table, last, known);
    }

    /// An entry of the table stands before those that are followed.
    pub(super) fn knows(&mut self, entry: &Entry, event: &Event) {
        self.last = entry.version;
        let Event::Table(event) = event else { return };
        if let TableEvent::RoundBegan { .. } = event {
            self.known.clear();
        } else if let TableEvent::Round(event) = event {
            self.remember(entry.version, event);
        }
    }

    /// Remembers a card that the log has.
    fn remember(&mut self, version: Version, event: &::round::Event) {
        if let ::round::Event::CardRead { place, card }
        | ::round::Event::CardDealt { place, card: Some(card) } = event
        {
            self.known.push(Known { place: *place, card: *card, version });
        }
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

    fn finding(&self, kind: Kind, version: Version, what: impl Into<String>, notes: &mut Notes) {
        notes.findings.at(kind, &self.stream, version, what);
    }

    /// Something happened to the table that is no part of a round.
    fn happened(&mut self, item: &LoggedEvent, event: &TableEvent, notes: &mut Notes) {
        let version = item.entry.version;
        if let Some(what) = self.wrong(event, notes) {
            self.finding(Kind::Rules, version, what, notes);
        }
        if let TableEvent::Opened { setup: TableSetup { limits, .. } } | TableEvent::LimitsChanged { limits } =
            event
            && let Some(what) = notes.alone(item.entry.command, Limit::Wager, largest(limits))
        {
            self.finding(Kind::People, version, what, notes);
        }
        if let TableEvent::Opened { setup } = event
            && self.has_wrong_changes(setup, item.entry.at)
        {
            let what = "the table opened as if other changes of rules held";
            self.finding(Kind::Rules, version, what, notes);
        }
        if let TableEvent::Opened { setup } = event
            && let Some(what) = self.wrong_date(setup, item, notes)
        {
            self.finding(Kind::People, version, what, notes);
        }
        if let Some(what) = self.wrong_shuffle(event, item.entry.at) {
            self.finding(Kind::Shuffle, version, what, notes);
        }
        if let TableEvent::ShuffleOpened { seed } = event {
            notes.counts.shuffles();
            self.check_deal(*seed, version, notes);
        }
        if let TableEvent::ShuffleLost = event {
            self.note_lost(version, notes);
        }
        if let Some(what) = difference(&item.entry.transfers, &[]) {
            self.finding(Kind::Money, version, what, notes);
        }
        let evolved = match &mut self.table {
            Some(table) => {
                let evolved = table.evolve(self.library, event);
                table.note_day(self.days, &item.entry.actor, item.entry.at, event);
                evolved
            }
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
            self.script.iter_mut().for_each(Vec::clear);
            self.words.iter_mut().for_each(BTreeMap::clear);
            let link = self.table.as_ref().and_then(|table| table.setup().link.clone());
            if let (Some(link), Some(terms), Some(minimum)) = (link, terms, jackpot_minimum) {
                let seen = TermsSeen { link, terms: *terms, minimum: *minimum };
                notes.terms.entry(seen).or_insert_with(|| (self.stream.clone(), version));
            }
        }
        if let (TableEvent::MeterShown { shown }, Some(link)) =
            (event, self.table.as_ref().and_then(|table| table.setup().link.clone()))
        {
            let seen = notes.shown.entry((link, shown.entries)).or_default();
            seen.push((shown.displayed, self.stream.clone(), version));
        }
        if let Some(table) = &self.table {
            notes.note_quarantine(table, &item.entry);
        }
        self.describe(item, event);
    }

    /// Why the table cannot have come to this.
    fn wrong(&self, event: &TableEvent, notes: &Notes) -> Option<String> {
        let Some(table) = &self.table else {
            return None;
        };
        let between = matches!(table.round().stage(), Stage::Closed | Stage::BeforeBets);
        match event {
            TableEvent::Opened { .. } => {
                table.is_open().then(|| "the table was opened while it was open".to_owned())
            }
            TableEvent::Closed if !table.is_last_round() => {
                Some("the table closed without its last round announced".to_owned())
            }
            TableEvent::Closed => (!between).then(|| "the table closed during a round".to_owned()),
            TableEvent::DeckBrought { deck, .. } => wrong_deck(table, deck),
            TableEvent::Round(::round::Event::BetsOpened)
                if table.needs_deck() && !table.quarantined().is_empty() =>
            {
                Some("bets opened after a bad deck without another one".to_owned())
            }
            TableEvent::RoundBegan { number, terms, jackpot_minimum, positions, deck } => {
                let due = table.number().saturating_add(1);
                let linked = table.setup().link.is_some();
                if *number != due {
                    return Some(format!("round {number} began, but round {due} was due"));
                }
                if !between {
                    return Some(format!("round {number} began before the round before it was over"));
                }
                if linked != terms.is_some() || linked != jackpot_minimum.is_some() {
                    return Some("the round did not begin under its link's terms".to_owned());
                }
                if deck.as_deref() != table.deck_in_use() {
                    return Some("the round began with another deck than lay on the table".to_owned());
                }
                wrong_positions(table, positions, notes)
            }
            TableEvent::PrizeSigned { slip, position, amount, .. } => {
                let due = table.slips().saturating_add(1);
                let mut lines = table.round().settlement().into_iter().flat_map(|settled| &settled.lines);
                let is_paid = lines.any(|line| {
                    (line.position, line.area, line.paid) == (*position, PlayingArea::Jackpot, *amount)
                });
                if *slip != due {
                    return Some(format!("slip {slip} was given out, but slip {due} was due"));
                }
                (!is_paid).then(|| format!("slip {slip} is for a prize that the round does not pay"))
            }
            TableEvent::Round(::round::Event::CardDealt { .. })
                if table.reader().is_some_and(|reader| !reader.by_hand) =>
            {
                Some("a card was dealt while the card reader was stopped".to_owned())
            }
            TableEvent::ReaderStopped { .. } => {
                table.reader().map(|_| "the card reader stopped twice".to_owned())
            }
            TableEvent::ReaderCleared { .. } => table
                .reader()
                .is_none()
                .then(|| "the card reader was cleared, but it had not stopped".to_owned()),
            TableEvent::SupervisorCalled => {
                table.calls_supervisor().then(|| "a supervisor was called twice".to_owned())
            }
            TableEvent::CallAnswered => {
                (!table.calls_supervisor()).then(|| "a supervisor came whom nobody called".to_owned())
            }
            TableEvent::RulesTaken { .. } => {
                let what = "the table took other rules during a round".to_owned();
                (table.round().stage() != Stage::BeforeBets).then_some(what)
            }
            TableEvent::LimitsChanged { .. }
            | TableEvent::LimitsPlanned { .. }
            | TableEvent::LimitsTaken { .. }
            | TableEvent::LastRoundAnnounced
            | TableEvent::Round(_)
            | TableEvent::PlayersAsked { .. }
            | TableEvent::MeterShown { .. }
            | TableEvent::ShuffleCommitted { .. }
            | TableEvent::SaltsCommitted { .. }
            | TableEvent::SaltsAwaited { .. }
            | TableEvent::SaltOpened { .. }
            | TableEvent::SaltsWithheld { .. }
            | TableEvent::SeedDiscarded { .. }
            | TableEvent::ShuffleSalted { .. }
            | TableEvent::ShuffleOpened { .. }
            | TableEvent::ShuffleLost => None,
        }
    }

    /// Whether a table opened with another number of changes of rules than held: it would not take those that follow. A node may
    /// have learned of a change a little later.
    fn has_wrong_changes(&self, setup: &TableSetup, at: Moment) -> bool {
        let least = self.library.changes_by(Moment(at.0.saturating_sub(NOTICE_MS)));
        self.library.has_changes() && !(least..=self.library.changes_by(at)).contains(&setup.changes)
    }

    /// What is wrong with opening a table under its book on that day.
    fn wrong_date(&self, setup: &TableSetup, item: &LoggedEvent, notes: &Notes) -> Option<String> {
        let at = item.entry.at;
        notes.dates_since.filter(|since| *since <= at)?;
        let standing = self.library.standing(&setup.rulebook, at)?;
        if standing == Standing::InForce {
            return None;
        }
        let book = &setup.rulebook;
        if setup.reason.is_none() {
            return Some(format!("the table opened without a reason under {book}, which was {standing}"));
        }
        let is_signed = notes.confirmed.contains_key(&item.entry.command);
        let is_alone = notes.money == Currency::Real && !is_signed;
        is_alone.then(|| {
            format!("this needs two signatures: the table opened under {book}, which was {standing}")
        })
    }

    /// Which wagers the link must have entered, or must have given back.
    fn settled(&self, entry: &Entry, before: &[Position], notes: &mut Notes) {
        let (command, version, at) = (entry.command, entry.version, entry.at);
        let Some(table) = &self.table else { return };
        let Some(link) = table.setup().link.clone() else { return };
        let Some(settlement) = table.round().settlement() else { return };
        let now = table.entered();
        let entry = EntryId { table: self.id.clone(), round: table.number() };
        if table.earlier().is_none() {
            match Entered::of(table) {
                _ if now.is_empty() => {}
                Some(entered) => {
                    notes.due.insert(entry, Due { link, command, version, entered });
                }
                None => {
                    let what = "Jackpot wagers stand without a link's terms";
                    self.finding(Kind::Jackpot, version, what, notes);
                }
            }
            return;
        }
        notes.counts.corrections();
        // Earlier programs left the meters as they were, and a log without starts may be of a program of today.
        if let Some(correction) = corrected_prizes(table) {
            let (link, stream, is_required) = (link.clone(), self.stream.clone(), notes.holds_all_rules(at));
            notes.due_fixed.insert(command, DueFixed { link, stream, version, correction, is_required });
        }
        let gone: Vec<Position> = before.iter().copied().filter(|position| !now.contains(position)).collect();
        if gone.is_empty() {
            return;
        }
        let rule = undone_under(settlement, &gone);
        let undone = if settlement.void.is_some() { Undone::Round } else { Undone::Hands(gone) };
        notes.due_reversals.insert(command, DueReversal { link, version, entry, undone, rule });
    }
}

/// A deck is brought to a table that is dealt by hand, between two rounds.
fn wrong_deck(table: &Table, deck: &str) -> Option<String> {
    if table.is_software_dealt() {
        return Some(format!("deck {deck} was brought to a table that is dealt by software"));
    }
    let between = matches!(table.round().stage(), Stage::BeforeBets | Stage::Concluded | Stage::Void);
    (!between).then(|| format!("deck {deck} was brought during a round"))
}

/// Players keep their positions, but for those who were prohibited meanwhile.
fn wrong_positions(table: &Table, positions: &[(Position, PlayerId)], notes: &Notes) -> Option<String> {
    let held = |position: Position| table.round().seat(position).and_then(|seat| seat.holder());
    for (position, player) in positions {
        if held(*position) != Some(player) {
            return Some(format!("{player} began the round at {position}, which they had not taken"));
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
            return Some(format!("{holder} kept {position} although prohibited"));
        }
    }
    None
}

/// Whether two events are of one kind.
fn same_kind(one: &::round::Event, other: &::round::Event) -> bool {
    discriminant(one) == discriminant(other)
}

/// What an event of a round moves; nothing is known of one that cannot be, as an altered entry may say.
fn moved(before: Option<&Table>, after: &Table, event: &TableEvent) -> Option<Vec<journal::Transfer>> {
    catch_unwind(AssertUnwindSafe(|| moves::of_table(before, after, event))).ok()
}
