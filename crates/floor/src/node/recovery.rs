//! A node starts: the log is verified and folded, the money checked, the tables taken, and the failure reported to every
//! round in play (5.16). Only then does it serve. Where anything does not add up, the node says what and does not start.

use std::collections::BTreeMap;
use std::sync::Arc;

use jackpot::TableId;
use journal::acknowledged::{self, LostStream};
use journal::verify::{Finding, Known, Opening, newest_opening, verify_log_from};
use journal::witness::{AcceptedRollback, compare};
use journal::{
    Account, Actor, Command, CommandId, Currency, Hash, Head, HouseCommand, HouseEvent, Moment, Reader,
    ServiceChange, Store, StoreError, Stream, Version,
};

use super::carry::Carrying;
use super::leases::Leases;
use super::memory::Memory;
use super::upkeep::{STREAM_UNSEALED_MAX, Upkeep};
use super::{Answer, Board, ENTRIES_AT_ONCE, Failure, Node, Request, Running, Setup};
use crate::check::{self, Balance};
use crate::floor::Floor;
use crate::library::Library;

/// How many checkpoints are read at once.
pub(super) const CHECKPOINTS_AT_ONCE: usize = 256;

/// Names the purpose of the hash that is the id of the command that opens a house.
const OPENING: &[u8] = b"megalink.opening.1";

/// Names the purpose of the hash that is the id of the command that accepts a rollback.
const ROLLBACK: &[u8] = b"megalink.rollback.1";

/// Name the purposes of the hashes that are the ids of the commands that record a start and a stop.
const STARTING: &[u8] = b"megalink.start.1";
const STOPPING: &[u8] = b"megalink.stop.1";

/// A round that was in play when its node ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interrupted {
    pub table: TableId,
    pub round: u64,
    /// Whether an outcome was established, so that play goes on; else Players may withdraw until it is resumed.
    pub established: bool,
}

/// What a node found when it started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// How many entries were verified and folded.
    pub entries: u64,
    /// The entry of the house that closed the books it was started from; what stands before was not read.
    pub closed_by: Option<Version>,
    /// How many checkpoints seal them.
    pub checkpoints: u64,
    /// How many tables there are.
    pub tables: usize,
    /// How many links there are.
    pub links: usize,
    /// Whether the house was opened just now, on an empty log.
    pub opened: bool,
    /// The rounds that were being played at the tables that are run here.
    pub interrupted: Vec<Interrupted>,
    /// The rollback that was accepted and written into the log just now.
    pub rollback: Option<AcceptedRollback>,
    /// What this node had acknowledged and the log lacks, where that was accepted just now.
    pub lost: Vec<LostStream>,
    /// What is different from the last start, where what runs is known.
    pub changes: Vec<ServiceChange>,
}

/// Why a node does not start.
#[derive(Debug, thiserror::Error)]
pub enum RecoveryError {
    /// The log is not what was written.
    #[error("the log is not what was written: {}", sentences(.0))]
    Findings(Vec<Finding>),
    /// A witness has seen something else.
    #[error(
        "this log is not the one that was witnessed: {}. Restore the newest copy of the log. If the rest is lost for \
         good, start once with --accept-rollback \"REASON\"; the reason is written into the log",
        sentences(.0)
    )]
    Witnessed(Vec<Finding>),
    /// The log lacks what this node has acknowledged.
    #[error(
        "this log has lost what this node had acknowledged: {}. Restore the newest copy of the log. If the rest is lost for \
         good, start once with --accept-rollback \"REASON\"; the reason and this list are written into the log, and tables \
         take wagers again when a Gaming Shift Manager has signed for it",
        losses(.0)
    )]
    Acknowledged(Vec<LostStream>),
    /// A rollback should be accepted, and there is none.
    #[error(
        "the log has everything that this node has acknowledged and that the witnesses have seen; start without \
         --accept-rollback"
    )]
    NoRollback,
    /// The log cannot be read, or contradicts itself.
    #[error("cannot start from the log: {0}")]
    Log(#[from] StoreError),
    /// The money does not add up.
    #[error("{} ten-thousandths of a cent are not accounted for: {}", .0.figure(), unaccounted(.0))]
    Money(Balance),
    /// The checkpoints of the house are signed with another key.
    #[error(
        "the signing key is not the house's; start with the key the house was opened with, and keep later ones beside it"
    )]
    WrongKey,
    /// The log is of a practice floor, and a real one was to start on it.
    #[error(
        "this is the log of a practice floor; start it with `megalink practice`, or name another database"
    )]
    Practice,
    /// The log is not of a practice floor, and one was to start on it.
    #[error(
        "this is not the log of a practice floor; a practice floor has a database and a data directory of its own"
    )]
    NotPractice,
    /// A house was to be opened that nobody has named.
    #[error(
        "this house has no name yet, and keeps its first name for life: give it one with --house NAME, or as floor.house in \
         the configuration"
    )]
    Unnamed,
    /// The house could not be opened, or rounds in play could not be interrupted.
    #[error("the floor cannot start: {0}")]
    Floor(String),
}

/// Starts a node from its log, or says why not.
pub fn recover(
    mut store: Box<dyn Store>,
    library: Library,
    setup: Setup,
) -> Result<(Node, Recovery), RecoveryError> {
    let listener = store.listener()?;
    let Loaded { memory, carrying, mut recovery } = load(&mut *store, library, &setup)?;
    let leases = listener.as_ref().map(|_| Leases::default());
    let upkeep = Upkeep::default();
    let board = Arc::new(Board::new(&memory.floor, memory.heads().cloned()));
    let mut node = Node {
        setup,
        store,
        memory,
        leases,
        listener,
        unread: BTreeMap::new(),
        board,
        upkeep,
        carrying,
        away: None,
        stopped: None,
    };
    node.open_house(&mut recovery)?;
    node.accept_rollback(recovery.rollback.clone(), recovery.lost.clone())?;
    node.setup.accept_rollback = None;
    // From here on memory is what the log is held against.
    node.setup.acknowledged.clear();
    recovery.changes = node.record_start()?;
    node.seal_at_start()?;
    recovery.interrupted = node.take_tables()?;
    recovery.tables = node.memory.floor.tables().count();
    recovery.links = node.memory.floor.links().count();
    Ok((node, recovery))
}

/// A log as it was found.
struct Loaded {
    memory: Memory,
    carrying: Carrying,
    recovery: Recovery,
}

/// Verifies and folds a log from the newest books on, and checks its money.
fn load(store: &mut dyn Store, library: Library, setup: &Setup) -> Result<Loaded, RecoveryError> {
    let mut memory = Memory::new(Floor::new(library));
    let mut recovery = Recovery::default();
    let Verified { opening, sealed, checkpoints } = verify(store, setup)?;
    recovery.closed_by = opening.closed_by.as_ref().map(|head| head.version);
    recovery.checkpoints = checkpoints;
    let mut carrying = Carrying::default();
    replay(store, &mut memory, (&opening, &sealed), &mut carrying, &mut recovery)?;
    recovery.lost = lost_here(store, &memory.floor, setup)?;
    recovery.rollback = check_witnessed(store, &memory.floor, setup, !recovery.lost.is_empty())?;
    if !recovery.lost.is_empty() && setup.accept_rollback.is_none() {
        return Err(RecoveryError::Acknowledged(recovery.lost));
    }
    check_money(store, &mut memory, &mut recovery)?;
    Ok(Loaded { memory, carrying, recovery })
}

/// A log that is what was written.
struct Verified {
    /// The newest books that a checkpoint of the house seals: what stands before was not read.
    opening: Opening,
    /// Up to where each stream is sealed.
    sealed: BTreeMap<Stream, Head>,
    /// How many checkpoints there are.
    checkpoints: u64,
}

/// Verifies the log from the newest books on. Where other nodes may write, that is done as it stands at one moment: what they
/// write later is chained to it.
fn verify(store: &mut dyn Store, setup: &Setup) -> Result<Verified, RecoveryError> {
    let mut snapshot = store.snapshot()?;
    let reader: &mut dyn Reader = match &mut snapshot {
        Some(snapshot) => &mut **snapshot,
        None => store,
    };
    let keys = setup.public_keys();
    let opening = newest_opening(reader, &keys)?.map_err(|finding| RecoveryError::Findings(vec![finding]))?;
    let known = Known { keys, unsealed_max: Some(STREAM_UNSEALED_MAX), ..Known::default() };
    let report = verify_log_from(reader, &known, &opening, &mut |_| ())?.map_err(RecoveryError::Findings)?;
    let sealed = sealed_heads(reader, &opening)?;
    Ok(Verified { opening, sealed, checkpoints: report.checkpoints })
}

/// What this node has acknowledged and the log lacks.
fn lost_here(store: &mut dyn Store, floor: &Floor, setup: &Setup) -> Result<Vec<LostStream>, StoreError> {
    let mut lost = acknowledged::lost(store, &setup.acknowledged)?;
    // What was lost before another node accepted that on record is known.
    lost.retain(|lost| {
        let explains = |(accepted, known): &(Moment, LostStream)| {
            known.stream == lost.stream && known.kept < lost.acknowledged && lost.at <= *accepted
        };
        !floor.house().losses().iter().any(explains)
    });
    Ok(lost)
}

/// Holds the log against what witnesses have seen. Returns the rollback to be written into the log, where one is accepted.
fn check_witnessed(
    store: &mut dyn Store,
    floor: &Floor,
    setup: &Setup,
    is_behind: bool,
) -> Result<Option<AcceptedRollback>, RecoveryError> {
    let key = setup.signer.public_key();
    let mut accepted: Vec<AcceptedRollback> =
        floor.house().rollbacks().iter().map(|(rollback, _)| rollback.clone()).collect();
    let compared = compare(store, key, &setup.witnessed, &accepted)?;
    match (compared.first, &setup.accept_rollback) {
        (None, None) => Ok(None),
        (None, Some(_)) if is_behind => {
            let last = store.last_checkpoint()?.map_or(0, |last| last.number);
            Ok(Some(AcceptedRollback { to: last, seen: last, lost: Vec::new() }))
        }
        (None, Some(_)) => Err(RecoveryError::NoRollback),
        (Some(_), None) => Err(RecoveryError::Witnessed(compared.findings)),
        (Some(first), Some(_)) => {
            let (to, seen) = (first.saturating_sub(1), compared.newest);
            let rollback = AcceptedRollback { to, seen, lost: compared.lost };
            accepted.push(rollback.clone());
            // What a witness should never have is not made good by a rollback.
            let still = compare(store, key, &setup.witnessed, &accepted)?.findings;
            if still.is_empty() { Ok(Some(rollback)) } else { Err(RecoveryError::Witnessed(still)) }
        }
    }
}

/// Folds every stream from the newest entry that carries it forward and that a checkpoint seals, or from its beginning. The
/// house comes first, as it does in the order of streams.
fn replay(
    store: &mut dyn Store,
    memory: &mut Memory,
    (opening, sealed): (&Opening, &BTreeMap<Stream, Head>),
    carrying: &mut Carrying,
    recovery: &mut Recovery,
) -> Result<(), StoreError> {
    let mut heads = store.heads()?;
    heads.sort_by(|a, b| a.stream.cmp(&b.stream));
    let mut since_books: u64 = 0;
    for end in &heads {
        let stream = &end.stream;
        let (sealed, opened) = (sealed.get(stream), opening.heads.get(stream));
        let due = Due([sealed, opened, Some(end)]);
        if let Some(sealed) = sealed
            && let Some(carried) = store.carried(stream, sealed.version)?
        {
            restore(store, memory, stream, carried, carrying)?;
            due.check(&memory.head(stream))?;
        }
        since_books =
            since_books.saturating_add(end.version.0.saturating_sub(opened.map_or(0, |head| head.version.0)));
        loop {
            let known = memory.head(stream).version;
            let entries = store.entries(stream, known, ENTRIES_AT_ONCE)?;
            let count = entries.len();
            for entry in &entries {
                let event = memory.follow(entry)?;
                let day = memory.floor.house().day_rule().day_of(entry.at);
                carrying.followed(stream, &event, entry.body.json.len(), day);
                due.check(&entry.head())?;
            }
            note(recovery, u64::try_from(count).unwrap_or(u64::MAX));
            if count < ENTRIES_AT_ONCE {
                break;
            }
        }
        due.check_reached(&memory.head(stream))?;
    }
    carrying.opened(since_books);
    Ok(())
}

/// What is known of a stream: what a checkpoint seals of it, where the books found it, and where it should end. What is folded
/// must come by each of them.
struct Due<'a>([Option<&'a Head>; 3]);

impl Due<'_> {
    /// Refuses another entry than the one that is known to stand there.
    fn check(&self, head: &Head) -> Result<(), StoreError> {
        let is_other = |due: &&Head| due.version == head.version && due.hash != head.hash;
        match self.0.into_iter().flatten().find(is_other) {
            None => Ok(()),
            Some(due) => Err(StoreError::Corrupt {
                stream: head.stream.to_string(),
                version: head.version.0,
                what: format!("another entry was sealed here: {}", due.hash),
            }),
        }
    }

    /// Refuses a stream that ends before what is known of it.
    fn check_reached(&self, end: &Head) -> Result<(), StoreError> {
        match self.0.into_iter().flatten().find(|due| end.version < due.version) {
            None => Ok(()),
            Some(due) => Err(StoreError::Corrupt {
                stream: end.stream.to_string(),
                version: end.version.next().0,
                what: format!("it is missing; the stream should reach {}", due.version),
            }),
        }
    }
}

/// Takes a stream as an entry carries it forward.
fn restore(
    store: &mut dyn Store,
    memory: &mut Memory,
    stream: &Stream,
    carried: Version,
    carrying: &mut Carrying,
) -> Result<(), StoreError> {
    let entry = store.entry(stream, carried)?.ok_or_else(|| StoreError::Corrupt {
        stream: stream.to_string(),
        version: carried.0,
        what: "it is missing".to_owned(),
    })?;
    let event = memory.restore(&entry)?;
    let day = memory.floor.house().day_rule().day_of(entry.at);
    carrying.followed(stream, &event, entry.body.json.len(), day);
    Ok(())
}

/// Up to where each stream is sealed: by the books, by the checkpoint that they name, or by one since.
fn sealed_heads(reader: &mut dyn Reader, opening: &Opening) -> Result<BTreeMap<Stream, Head>, StoreError> {
    let mut sealed = opening.heads.clone();
    let mut after = opening.checkpoint.map_or(0, |(number, _)| number.saturating_sub(1));
    loop {
        let page = reader.checkpoints(after, CHECKPOINTS_AT_ONCE)?;
        let Some(last) = page.last() else { return Ok(sealed) };
        after = last.number;
        for head in page.into_iter().flat_map(|checkpoint| checkpoint.heads) {
            if sealed.get(&head.stream).is_none_or(|known| known.version < head.version) {
                sealed.insert(head.stream.clone(), head);
            }
        }
    }
}

fn note(recovery: &mut Recovery, count: u64) {
    recovery.entries = recovery.entries.saturating_add(count);
}

/// Checks the ledger against the floor. Other nodes may be writing: with every stream locked they cannot, and the
/// balances are those of the floor as it is.
fn check_money(
    store: &mut dyn Store,
    memory: &mut Memory,
    recovery: &mut Recovery,
) -> Result<(), RecoveryError> {
    let mut reader = store.reader()?;
    let mut streams: Vec<Stream> = memory.heads().map(|head| head.stream.clone()).collect();
    streams.sort();
    let mut transaction = store.begin()?;
    for stream in &streams {
        let there = transaction.lock(stream)?;
        let known = memory.head(stream).version;
        if known < there.version {
            note(recovery, memory.replay(&transaction.entries(stream, known)?)?);
        }
    }
    let balances: Vec<(Account, journal::Amount)> = reader.balances()?;
    drop(transaction);
    let balance = check::check(&memory.floor, &balances);
    if balance.figure() == 0 { Ok(()) } else { Err(RecoveryError::Money(balance)) }
}

impl Node {
    /// Goes on from the newest books, as a start does, because entries that this node lacks were taken out of the log. Of each
    /// stream that has grown its newest entry is published.
    pub(super) fn start_anew(&mut self) -> Result<(), StoreError> {
        let library = self.memory.floor.library().clone();
        let loaded = load(&mut *self.store, library, &self.setup);
        let Loaded { memory, carrying, .. } = loaded.map_err(|error| {
            if let RecoveryError::Log(error) = error {
                return error;
            }
            StoreError::Failed(format!("cannot go on from the newest books: {error}"))
        })?;
        let mut grown = Vec::new();
        for head in memory.heads() {
            let known = self.memory.head(&head.stream);
            if known != *head {
                self.check_follows(&known, head)?;
                grown.extend(self.store.entry(&head.stream, head.version)?);
            }
        }
        if let Some(lost) =
            self.memory.heads().find(|known| memory.head(&known.stream).version < known.version)
        {
            return Err(behind(lost));
        }
        let news =
            grown.into_iter().map(|entry| memory.newest(entry)).collect::<Result<Vec<_>, StoreError>>()?;
        (self.memory, self.carrying) = (memory, carrying);
        self.upkeep.grew(&news);
        self.tell(news);
        Ok(())
    }

    /// Where the log still has the entry that was known last, it must be that one.
    fn check_follows(&mut self, known: &Head, head: &Head) -> Result<(), StoreError> {
        let there = self.store.entry(&known.stream, known.version)?.map(|entry| entry.hash);
        let is_other = there.is_some_and(|there| there != known.hash);
        if is_other || head.version <= known.version { Err(behind(known)) } else { Ok(()) }
    }

    /// Opens the house on an empty log; otherwise the key must be the house's.
    fn open_house(&mut self, recovery: &mut Recovery) -> Result<(), RecoveryError> {
        if self.memory.floor.house().name().is_none() {
            let name = self.setup.house.clone().ok_or(RecoveryError::Unnamed)?;
            let (key, money) = (self.setup.signer.public_key(), self.setup.money);
            let (open_as, gaming_day) = (name.clone(), self.setup.gaming_day);
            let command = Command::House(HouseCommand::OpenHouse { name: open_as, key, money, gaming_day });
            let request = Request::new(opening_id(&command), Actor::System, command);
            let reply = self.turn(std::slice::from_ref(&request)).pop();
            let why = match reply.expect("every request of a turn has its reply") {
                Ok(Answer::Done(_)) => {
                    recovery.opened = true;
                    None
                }
                // Another node opened it first, with the same key or another.
                Ok(Answer::Refused(_)) if self.memory.floor.house().name().is_some() => None,
                Ok(Answer::Refused(refusal)) => Some(refusal.to_string()),
                Err(failure) => Some(failure.to_string()),
            };
            if let Some(why) = why {
                let why = format!("the house was not opened as {name:?}: {why}");
                return Err(RecoveryError::Floor(why));
            }
        }
        // A checkpoint may have handed over to a key that the house never took.
        let newest = self.store.last_checkpoint()?;
        let due = newest.map(|newest| newest.next_key());
        if due.is_some_and(|due| !self.memory.floor.house().keys().contains(&due)) {
            return Err(RecoveryError::WrongKey);
        }
        let is_practice = self.memory.floor.house().money() == Some(Currency::Practice);
        match (is_practice, self.setup.money == Currency::Practice) {
            (true, false) => return Err(RecoveryError::Practice),
            (false, true) => return Err(RecoveryError::NotPractice),
            (true, true) | (false, false) => {}
        }
        match self.memory.floor.house().key() {
            Some(key) if self.setup.public_keys().contains(&key) => Ok(()),
            Some(_) | None => Err(RecoveryError::WrongKey),
        }
    }

    /// Writes into the log that an older copy of it was restored on purpose.
    fn accept_rollback(
        &mut self,
        rollback: Option<AcceptedRollback>,
        streams: Vec<LostStream>,
    ) -> Result<(), RecoveryError> {
        let (Some(AcceptedRollback { to, seen, lost }), Some(reason)) =
            (rollback, self.setup.accept_rollback.clone())
        else {
            return Ok(());
        };
        let command = Command::House(HouseCommand::AcceptRollback {
            to,
            seen,
            lost,
            reason,
            streams,
            to_be_signed: true,
        });
        let id = Hash::of([ROLLBACK, journal::command_text(&command).as_bytes()]).into();
        self.record(id, command)
            .map_err(|why| RecoveryError::Floor(format!("the rollback was not accepted: {why}")))
    }

    /// Writes into the log what runs here. Returns what is different from the last start.
    fn record_start(&mut self) -> Result<Vec<ServiceChange>, RecoveryError> {
        let Some(Running { identity, settings }) = self.setup.running.clone() else {
            return Ok(Vec::new());
        };
        let node = self.setup.node.name().to_owned();
        let mut changes = Vec::new();
        if let Ok(HouseEvent::ServiceStarted { changes: found, .. }) =
            self.memory.floor.house().start_service(&node, &identity, &settings)
        {
            changes = found;
        }
        let id = self.service_id(STARTING);
        self.record(id, Command::House(HouseCommand::StartService { node, identity, settings }))
            .map_err(|why| RecoveryError::Floor(format!("the start was not recorded: {why}")))?;
        Ok(changes)
    }

    /// Writes into the log that the node stops in order.
    pub(super) fn record_stop(&mut self) -> Result<(), Failure> {
        if self.setup.running.is_none() {
            return Ok(());
        }
        let (id, node) = (self.service_id(STOPPING), self.setup.node.name().to_owned());
        let command = Command::House(HouseCommand::StopService { node });
        let request = Request::new(id, Actor::System, command);
        self.turn(std::slice::from_ref(&request)).pop().map_or(Ok(()), |reply| reply.map(drop))
    }

    /// The id of a start or a stop: of this node, at this end of the house's log.
    fn service_id(&self, purpose: &[u8]) -> CommandId {
        let head = self.memory.head(&Stream::House);
        Hash::of([purpose, self.setup.node.name().as_bytes(), &head.hash.0]).into()
    }

    /// Gives one command as the system; says why where it was not done.
    fn record(&mut self, id: CommandId, command: Command) -> Result<(), String> {
        let request = Request::new(id, Actor::System, command);
        match self.turn(std::slice::from_ref(&request)).pop().expect("every request of a turn has its reply")
        {
            Ok(Answer::Done(_)) => Ok(()),
            Ok(Answer::Refused(refusal)) => Err(refusal.to_string()),
            Err(failure) => Err(failure.to_string()),
        }
    }

    /// Seals what the last run left unsealed. What fails because there is no room or no connection is tried again before
    /// anything is written.
    fn seal_at_start(&mut self) -> Result<(), RecoveryError> {
        match self.seal() {
            Err(Failure::Stopped(why)) => Err(RecoveryError::Floor(why)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Takes every free table, and interrupts the rounds in play there.
    fn take_tables(&mut self) -> Result<Vec<Interrupted>, RecoveryError> {
        if self.leases.is_some() {
            return Ok(self.renew_leases()?);
        }
        let tables: Vec<TableId> = self.memory.floor.tables().map(|table| table.id().clone()).collect();
        let mut interrupted = Vec::new();
        for table in tables {
            interrupted.extend(self.interrupt(&table)?);
        }
        Ok(interrupted)
    }
}

/// The log lacks what was known of a stream.
fn behind(known: &Head) -> StoreError {
    StoreError::Corrupt {
        stream: known.stream.to_string(),
        version: known.version.0,
        what: format!("the log lacks the entry that was acknowledged here: {}", known.hash),
    }
}

/// The id of an opening. Nodes that start together ask for the same under the same id. Another name has another id, so
/// that a refused name, whose answer is kept, does not block a valid one.
fn opening_id(command: &Command) -> CommandId {
    Hash::of([OPENING, journal::command_text(command).as_bytes()]).into()
}

fn losses(lost: &[LostStream]) -> String {
    let sentences: Vec<String> = lost.iter().map(LostStream::sentence).collect();
    sentences.join("; ")
}

fn sentences(findings: &[Finding]) -> String {
    let sentences: Vec<String> = findings.iter().map(Finding::to_string).collect();
    sentences.join("; ")
}

fn unaccounted(balance: &Balance) -> String {
    let line = |off: &check::Unaccounted| {
        format!("{} holds {} but should hold {}", off.account, off.ledger.0, off.floor.0)
    };
    let lines: Vec<String> = balance.unaccounted.iter().map(line).collect();
    format!("the accounts sum to {}; {}", balance.sum, lines.join("; "))
}
