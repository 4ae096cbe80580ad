//! Checking a proof, with nothing but the proof and the rulebooks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jackpot::{Award, AwardNumber, AwardState, Cause, EntryId, Event as Happening, Pair, Signature, TableId};
use journal::checkpoint::Checkpoint;
use journal::{Event, HouseEvent, LinkEvent, LinkId, Moment, Stream, TableEvent, Version, encode};
use money::Pool;
use rulebook::{Clause, Office, R6_1};

use super::form::{BookForm, Proof, digest, no_proof};
use super::{About, Checked};
use crate::audit::cause::{NOT_SIGNED, carried_out};
use crate::audit::finding::Kind;
use crate::audit::groups::LoggedEvent;
use crate::audit::link::LinkAudit;
use crate::audit::locate::begins;
use crate::audit::matching::{Confirmed, Notes};
use crate::audit::round_report::concerns;
use crate::audit::table::TableAudit;
use crate::audit::{AuditError, PRACTICE_LOG};
use crate::decide::{is_practice_name, signed_command};
use crate::desk::Desk;
use crate::library::{Library, read_book};
use crate::past;
use crate::table::Table;

/// Checks a proof. With a key, its checkpoints must be signed with that; without one it says which they are signed with.
pub fn check(text: &str, library: &Library, key: Option<[u8; 32]>) -> Result<Checked, AuditError> {
    let proof = Proof::from_text(text)?;
    let library = &with_books(library, &proof.rulebooks)?;
    let mut work = Work::new(library);
    let house_key = work.chain(&proof, key)?;
    work.read(&proof)?;
    work.check_house(&proof, house_key)?;
    work.check_books(&proof.rulebooks)?;
    let (table, number) = proof.about.round();
    let (table, link) = work.check_table(&TableId::new(table), number)?;
    work.check_link(link, &EntryId { table, round: number }, &proof.about)?;
    if !proof.rulebooks.iter().map(|book| &book.id).eq(&work.books) {
        return Err(no_proof(&"it names other rulebooks than those it rests on"));
    }
    work.notes.close();
    let Work { notes, mut remarks, programs, .. } = work;
    let checkpoints = proof.sealed()?.iter().map(|checkpoint| checkpoint.number).collect();
    let Notes { findings, counts, remarks: more, .. } = notes;
    remarks.extend(more);
    let house = proof.house.name;
    if is_practice_name(&house) {
        remarks.insert(0, PRACTICE_LOG.to_owned());
    }
    let (about, notes) = (proof.about, remarks);
    Ok(Checked { about, house, key: house_key, checkpoints, programs, counts, findings, notes })
}

/// The books here with those of the proof that are not. What a table was opened under or changed to is in its entries, by its
/// digest, and held against these when the round is played again.
fn with_books(library: &Library, books: &[BookForm]) -> Result<Library, AuditError> {
    let mut library = library.clone();
    for book in books {
        let Some(text) = &book.text else { continue };
        let wrong = |what: &dyn ToString| {
            no_proof(&format!("its text of rulebook {:?} is wrong: {}", book.id, what.to_string()))
        };
        let (read, figures) = read_book(&book.id, text).map_err(|error| wrong(&error))?;
        if read.id != book.id || figures != digest(&book.digest)? {
            return Err(wrong(&"it is another book than the one named"));
        }
        library = library.with(&book.id, text).map_err(|error| wrong(&error))?;
    }
    Ok(library)
}

struct Work<'l> {
    notes: Notes,
    remarks: Vec<String>,
    streams: BTreeMap<Stream, Vec<LoggedEvent>>,
    library: &'l Library,
    /// The rulebooks that were needed.
    books: BTreeSet<String>,
    /// The programs that ran at the time, as the log says.
    programs: Vec<String>,
}

impl<'l> Work<'l> {
    fn new(library: &'l Library) -> Work<'l> {
        let (notes, remarks, streams) = (Notes::default(), Vec::new(), BTreeMap::new());
        Work { notes, remarks, streams, library, books: BTreeSet::new(), programs: Vec::new() }
    }

    /// Every segment ends at a head that a checkpoint of the right key seals.
    fn chain(&mut self, proof: &Proof, key: Option<[u8; 32]>) -> Result<[u8; 32], AuditError> {
        let named = digest(&proof.house.key)?;
        let succession = proof.succession()?;
        let keys = succession.after(named.0);
        if keys.len() <= succession.changes() {
            let what = "it names a key that the key before did not sign for";
            self.notes.findings.with(Kind::Checkpoint, "proof", what);
        }
        // A key signs for those after it, and for the one before only in the checkpoint that follows that one's last.
        let signing = succession.trusted(key.unwrap_or(named.0));
        match key {
            Some(key) if !keys.contains(&key) => {
                let what = format!("it is of a house whose key is {named}, not the one given");
                self.notes.findings.with(Kind::Checkpoint, "proof", what);
            }
            Some(_) => {}
            None => self.remarks.push(format!(
                "no public key was given: compare {named} with the key the house has published"
            )),
        }
        let checkpoints = proof.sealed()?;
        for checkpoint in &checkpoints {
            self.notes.counts.checkpoints();
            let place = format!("checkpoint {}", checkpoint.number);
            if !keys.contains(&checkpoint.key) {
                self.notes.findings.with(
                    Kind::Checkpoint,
                    &place,
                    "it is signed with another key than the house's",
                );
            } else if !signing.contains(&checkpoint.key) {
                let what = "it is signed with a key that the one given has not signed for; give that key";
                self.notes.findings.with(Kind::Checkpoint, &place, what);
            }
            if let Err(error) = checkpoint.verify() {
                self.notes.findings.with(Kind::Checkpoint, &place, error.to_string());
            }
        }
        let in_order =
            proof.segments.is_sorted_by(|one, next| (&one.stream, one.after) < (&next.stream, next.after))
                && checkpoints.is_sorted_by(|one, next| one.number < next.number);
        if !in_order {
            return Err(no_proof(
                &"its segments or checkpoints stand in another order than they are written in",
            ));
        }
        let mut used = BTreeSet::new();
        for segment in &proof.segments {
            let segment = segment.chained()?;
            let seals = |checkpoint: &&Checkpoint| {
                checkpoint.heads.iter().any(|head| {
                    (&head.stream, head.version, head.hash)
                        == (&segment.stream, segment.version, segment.hash)
                })
            };
            if let Some(checkpoint) = checkpoints.iter().find(seals) {
                used.insert(checkpoint.number);
            } else {
                let what = "the entries up to here are not those a checkpoint of the proof seals";
                self.notes.findings.at(Kind::Chain, &segment.stream, segment.version, what);
            }
        }
        if used.len() != checkpoints.len() {
            self.notes.findings.with(Kind::Checkpoint, "proof", "a checkpoint of it seals nothing of it");
        }
        Ok(named.0)
    }

    /// The entries given in full, read and in the order of their streams.
    fn read(&mut self, proof: &Proof) -> Result<(), AuditError> {
        for segment in &proof.segments {
            let segment = segment.chained()?;
            let item = self.streams.entry(segment.stream.clone()).or_default();
            for entry in segment.entries {
                self.notes.counts.entries();
                let version = entry.version;
                if item.last().is_some_and(|last| version <= last.entry.version) {
                    return Err(no_proof(&format!("{} entry {version} is in it twice", segment.stream)));
                }
                let entry = LoggedEvent::of(entry)?;
                if encode(&entry.event) != entry.entry.body {
                    let what = "the entry is not written the way its event is written";
                    self.notes.findings.at(Kind::Form, &segment.stream, version, what);
                }
                item.push(entry);
            }
        }
        self.notes.counts.streams = u64::try_from(self.streams.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// The house is the one that opened with this name and key; what two people signed is noted.
    fn check_house(&mut self, proof: &Proof, key: [u8; 32]) -> Result<(), AuditError> {
        let item = self.streams.remove(&Stream::House).unwrap_or_default();
        let mut open: HashMap<u64, (journal::Proposal, Signature)> = HashMap::new();
        let mut opened = false;
        for item in &item {
            let Event::House(event) = &item.event else { continue };
            if let HouseEvent::Opened { name, key: own, .. } = event {
                opened = item.entry.version == Version(1) && *name == proof.house.name && *own == key;
            } else if let HouseEvent::ServiceStarted { node, identity, .. } = event {
                let (version, program) = (&identity.version, identity.program);
                self.programs.push(format!("node {node}: version {version}, program {program}"));
            } else if let HouseEvent::Proposed { number, proposal, by, .. } = event {
                open.insert(*number, (proposal.clone(), by.clone()));
            } else if let HouseEvent::Confirmed { number, by } = event {
                let Some((proposal, first)) = open.remove(number) else {
                    return Err(no_proof(&format!("proposal {number} was confirmed and is not in it")));
                };
                if first.person == by.person {
                    let what = format!("{} signed proposal {number} twice", by.person);
                    self.notes.findings.at(Kind::People, &Stream::House, item.entry.version, what);
                }
                let pair = Pair { first, second: by.clone() };
                let confirmed = Confirmed { proposal, pair, version: item.entry.version, done: false };
                self.notes.confirmed.insert(item.entry.command, confirmed);
            }
        }
        if !opened {
            let what = "the house did not open with this name and key";
            self.notes.findings.at(Kind::Checkpoint, &Stream::House, Version(1), what);
        }
        Ok(())
    }

    /// The rulebooks here have the figures and readings of the ones named.
    fn check_books(&mut self, books: &[BookForm]) -> Result<(), AuditError> {
        for book in books {
            let named = digest(&book.digest)?;
            match self.library.get(&book.id) {
                Some(_) if self.library.is_text_of(&book.id, named) => {}
                Some(_) => {
                    return Err(no_proof(&format!(
                        "it rests on other figures or readings of rulebook {:?} than those here; give that with --rulebook-file",
                        book.id
                    )));
                }
                None => {
                    let what = format!("it rests on rulebook {:?}; give it with --rulebook-file", book.id);
                    return Err(no_proof(&what));
                }
            }
        }
        Ok(())
    }

    /// Plays the round again.
    fn check_table(&mut self, id: &TableId, number: u64) -> Result<(TableId, Option<LinkId>), AuditError> {
        let stream = Stream::Table(id.clone());
        let item = self.streams.remove(&stream).unwrap_or_default();
        let at = item.iter().position(|item| begins(std::slice::from_ref(item)) == Some(number));
        let Some(at) = at else {
            return Err(no_proof(&format!("the beginning of round {number} of table {id} is not in it")));
        };
        let (prelude, round) = item.split_at(at);
        check_whole(&stream, round)?;
        let before = before(self.library, id, prelude, number, round)?;
        let link = before.setup().link.clone();
        self.books.insert(before.setup().rulebook.clone());
        self.books.extend(round.iter().filter_map(|item| match &item.event {
            Event::Table(TableEvent::RulesTaken { rulebook, .. }) => Some(rulebook.clone()),
            Event::Table(_) | Event::House(_) | Event::Link(_) | Event::Carried(_) => None,
        }));
        let mut audit = TableAudit::resumed(self.library, before);
        for group in round.chunk_by(|one, next| one.entry.command == next.entry.command) {
            audit.command(group, &mut self.notes);
        }
        let last = round.last().map_or(Version(0), |item| item.entry.version);
        match audit.table() {
            Some(table) if !audit.is_followed() || table.round().settlement().is_none() => {
                let place = table.number();
                self.remarks.push(format!("round {place} was not settled"));
            }
            Some(table) if table.shuffle().is_some() => {
                let what = "the shuffle of the round was not opened";
                self.notes.findings.at(Kind::Shuffle, &stream, last, what);
            }
            Some(_) | None => {}
        }
        Ok((id.clone(), link))
    }

    /// Enters the round again into the meter as it stood.
    fn check_link(&mut self, link: Option<LinkId>, round: &EntryId, about: &About) -> Result<(), AuditError> {
        if let About::Award { link: named, .. } = about
            && link.as_ref().is_none_or(|link| link.name() != named)
        {
            return Err(no_proof(&format!("{round} does not play for link {named}")));
        }
        let Some(link) = link else {
            return self.check_nothing_else();
        };
        let item = self.streams.remove(&Stream::Link(link.clone())).unwrap_or_default();
        self.check_nothing_else()?;
        let Some((first, rest)) = item.split_first() else {
            return Ok(());
        };
        let Event::Link(opened @ LinkEvent::Opened { books, .. }) = &first.event else {
            return Err(no_proof(&format!("the opening of link {link} is not in it")));
        };
        self.books.extend(books.iter().cloned());
        let mut state = Desk::open(self.library, opened).map_err(|error| no_proof(&error))?;
        let mut awards = Vec::new();
        for group in rest.chunk_by(|one, next| one.entry.command == next.entry.command) {
            let concerned = group.iter().filter(|item| match &item.event {
                Event::Link(event) => concerns(event, round, &mut awards),
                Event::House(_) | Event::Table(_) | Event::Carried(_) => false,
            });
            if concerned.count() == 0 {
                for item in group {
                    if let Event::Link(LinkEvent::BookAdded { book }) = &item.event {
                        self.books.insert(book.clone());
                    }
                    stand(self.library, &mut state, item);
                }
                continue;
            }
            if let [item] = group
                && let Event::Link(event @ LinkEvent::Jackpot(Happening::AwardReleased { .. })) = &item.event
            {
                self.check_released(&link, item, event);
                let _ = state.evolve(self.library, event, item.entry.at);
                continue;
            }
            // A number that no checkpoint seals could be any, so it is not used.
            if self.notes.findings.is_empty() {
                number_awards(self.library, &mut state, group);
            }
            let mut audit = LinkAudit::resumed(self.library, &link, state.clone());
            audit.command(group, &mut self.notes);
            match audit.into_desk() {
                Some(desk) => state = desk,
                None => return Ok(()),
            }
        }
        if let About::Award { number, .. } = about
            && !awards.contains(&AwardNumber(*number))
        {
            return Err(no_proof(&format!("award {number} is not in it")));
        }
        Ok(())
    }

    /// An award was released as two people signed. The earlier award that it did not wait for is of another round.
    fn check_released(&mut self, link: &LinkId, item: &LoggedEvent, released: &LinkEvent) {
        let signed = carried_out(item.entry.command, &mut self.notes)
            .and_then(|confirmed| signed_command(&confirmed.proposal, &confirmed.pair));
        let agrees = signed.is_some_and(|(about, command)| match (command, released) {
            (
                jackpot::Command::ReleaseAward { award, words, by },
                LinkEvent::Jackpot(Happening::AwardReleased { award: number, words: said, by: pair, clause }),
            ) => (about, &award, &words, &by, clause.rule) == (link, number, said, pair, R6_1),
            _ => false,
        });
        let (stream, version) = (&item.entry.stream, item.entry.version);
        if !agrees {
            self.notes.findings.at(Kind::People, stream, version, NOT_SIGNED);
        }
        if !item.entry.transfers.is_empty() {
            self.notes.findings.at(Kind::Money, stream, version, "a release moves no money");
        }
        self.remarks
            .push(format!("{stream} entry {version}: the award that was disputed is not in the proof"));
    }

    /// A proof has no streams but those of its round.
    fn check_nothing_else(&self) -> Result<(), AuditError> {
        match self.streams.keys().find(|stream| !matches!(stream, Stream::Link(_))) {
            Some(stream) => Err(no_proof(&format!("{stream} has nothing to do with its round"))),
            None => Ok(()),
        }
    }
}

/// The entries of a round stand without a gap, to its close.
fn check_whole(stream: &Stream, round: &[LoggedEvent]) -> Result<(), AuditError> {
    for pair in round.windows(2) {
        let [one, next] = pair else { continue };
        if one.entry.version.next() != next.entry.version {
            return Err(no_proof(&format!("{stream} entry {} is missing", one.entry.version.next())));
        }
    }
    let closes = |item: &LoggedEvent| {
        matches!(item.event, Event::Table(TableEvent::Closed | TableEvent::Round(round::Event::RoundClosed)))
    };
    if round.iter().any(closes) {
        return Ok(());
    }
    Err(no_proof(&format!("{stream}: the close of the round is not in it")))
}

/// The table as it was when the round was about to begin: opened, its limits changed, its Players remembered.
fn before(
    library: &Library,
    id: &TableId,
    prelude: &[LoggedEvent],
    number: u64,
    round: &[LoggedEvent],
) -> Result<Table, AuditError> {
    let mut table: Option<Table> = None;
    // A table remembers its Players when it opens again, so what it remembers may stand before its last opening.
    let opens = |item: &&LoggedEvent| matches!(item.event, Event::Table(TableEvent::Opened { .. }));
    let (opened, others): (Vec<&LoggedEvent>, Vec<&LoggedEvent>) = prelude.iter().partition(opens);
    for item in opened.into_iter().chain(others) {
        let Event::Table(event) = &item.event else { continue };
        let remembers = matches!(
            event,
            TableEvent::Round(
                round::Event::PlayerInformed { .. }
                    | round::Event::PlayerRestricted { .. }
                    | round::Event::PlayerProhibited { .. }
                    | round::Event::PlayerWarned { .. },
            ) | TableEvent::LimitsChanged { .. }
                | TableEvent::LimitsPlanned { .. }
                | TableEvent::LimitsTaken { .. }
                | TableEvent::RulesTaken { .. }
                | TableEvent::PrizeSigned { .. }
        );
        // A salt opened in an earlier round is what its Player is committed to in the next.
        let commits = past::committed(&item.event);
        let evolved = match &mut table {
            None => Table::opened(id, library, event).map(|opened| table = Some(opened)),
            Some(table) if remembers || commits.is_some() => {
                table.evolve(library, commits.as_ref().unwrap_or(event))
            }
            Some(_) => {
                let (stream, version) = (&item.entry.stream, item.entry.version);
                return Err(no_proof(&format!("{stream} entry {version} has nothing to do with its round")));
            }
        };
        evolved.map_err(|error| no_proof(&error))?;
    }
    let Some(mut table) = table else {
        return Err(no_proof(&format!("the opening of table {id} is not in it")));
    };
    // Those who sit there when the round begins sat there before, and its deck lay there; that is all the round takes over.
    if let (Some(Event::Table(TableEvent::RoundBegan { positions, deck, .. })), Some(earlier)) =
        (round.first().map(|item| &item.event), number.checked_sub(1).filter(|earlier| *earlier != 0))
    {
        let positions = positions.clone();
        let sat = TableEvent::RoundBegan {
            number: earlier,
            terms: None,
            jackpot_minimum: None,
            positions,
            deck: None,
        };
        table.evolve(library, &sat).map_err(|error| no_proof(&error))?;
        if let Some(deck) = deck.clone() {
            let lay = TableEvent::DeckBrought { deck, receipt: None };
            table.evolve(library, &lay).map_err(|error| no_proof(&error))?;
        }
    }
    Ok(table)
}

/// Takes over from an entry of a link what it says the link stands at, and no more.
fn stand(library: &Library, desk: &mut Desk, item: &LoggedEvent) {
    if let Event::Link(event @ LinkEvent::BookAdded { .. }) = &item.event {
        let _ = desk.evolve(library, event, item.entry.at);
    }
    let Event::Link(LinkEvent::Jackpot(event)) = &item.event else { return };
    let sets =
        matches!(event, Happening::SettingsApplied { .. } | Happening::ReconfigurationScheduled { .. });
    let taken = if sets { Some(event.clone()) } else { event.balances().map(holding) };
    if let Some(taken) = taken {
        let _ = desk.evolve(library, &LinkEvent::Jackpot(taken), item.entry.at);
    }
}

/// An event that moves nothing and leaves a link with these balances.
fn holding(balances: jackpot::Balances) -> Happening {
    let nobody = || Signature::in_office("nobody", Office::Dealer);
    let by = Pair { first: nobody(), second: nobody() };
    let book = rulebook::Citation::new("X").expect("a citation of one letter");
    let clause = Clause { book, rule: R6_1 };
    let (amount, words) = (Pool::ZERO, String::new());
    Happening::MeterAdjusted {
        cause: Cause::MalfunctionTooLow,
        amount,
        words,
        about: None,
        by,
        clause,
        balances,
    }
}

/// Slips are numbered without a gap: those of other rounds before the first of these are taken as given.
fn number_awards(library: &Library, desk: &mut Desk, group: &[LoggedEvent]) {
    let first = group.iter().find_map(|item| match &item.event {
        Event::Link(LinkEvent::Jackpot(Happening::AwardEntered { award, .. })) => Some(award),
        Event::Link(_) | Event::House(_) | Event::Table(_) | Event::Carried(_) => None,
    });
    let Some(first) = first else { return };
    let balances = desk.link().balances();
    let next = u64::try_from(desk.link().awards().len()).unwrap_or(u64::MAX).saturating_add(1);
    for number in next..first.number.0.min(1_000_000) {
        // Rounds are numbered from one.
        let entry = EntryId { round: 0, ..first.entry.clone() };
        let (number, state) = (AwardNumber(number), AwardState::Rejected);
        let award = Award { number, state, entry, corrects: None, paid_before: None, ..Award::clone(first) };
        let entered = Happening::AwardEntered { award: Box::new(award), balances };
        let _ = desk.evolve(library, &LinkEvent::Jackpot(entered), Moment::default());
    }
}
