//! The run's own books: every entry that any node told of, folded once more and held against what must be true of it.
//! What an entry means for the money is added up here a second time; rounds are settled a second time; the meter is
//! followed by its own arithmetic.

mod accounts;
mod clauses;
mod meter;
mod rounds;
mod second_settlement;
mod visibility;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use floor::{Floor, Library, check};
use jackpot::{EntryId, Person, TableId};
use journal::{
    Account, Amount, CommandId, Entry, Event, GENESIS, Hash, HouseEvent, LinkId, Reader, Stream, TableEvent,
    Version,
};

use super::coverage::{Coverage, Fault};
use super::database::Writers;
use super::shared::Shared;
use accounts::ExpectedBalances;
use meter::MeterModel;
use rounds::{SettledRound, TableModel};
pub(crate) use visibility::{CardTracker, SwapViewer};

/// A promise that does not hold, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation(pub(crate) String);

/// Refuses what does not hold.
macro_rules! ensure {
    ($holds:expr, $($words:tt)*) => {
        if !$holds {
            return Err($crate::sim::oracle::Violation(format!($($words)*)));
        }
    };
}
pub(crate) use ensure;

/// An entry with its event, as nodes tell of it.
pub(crate) type EventView = Arc<(Entry, Event)>;

/// Everything that has been told, followed a second time.
pub(crate) struct Oracle {
    library: Library,
    floor: Floor,
    /// The hashes of every stream, in order of version.
    chains: BTreeMap<Stream, Vec<Hash>>,
    /// Entries told before those they follow.
    waiting: BTreeMap<(Stream, Version), EventView>,
    balances: BTreeMap<Account, i64>,
    /// Accounts found below nought, and by which entry: what fed them may be in the log and not told yet.
    negative: BTreeMap<Account, String>,
    /// Which command wrote last to a stream, and the versions of each command there.
    commands: BTreeMap<(CommandId, Stream), (Version, Version)>,
    tables: BTreeMap<TableId, TableModel>,
    meters: BTreeMap<LinkId, MeterModel>,
    accounts: ExpectedBalances,
    /// Who has proposed what waits for a second signature.
    proposed: BTreeMap<u64, Person>,
    settled: BTreeMap<EntryId, SettledRound>,
    /// The tables whose newest entry reports a power failure.
    failed: BTreeSet<TableId>,
    writers: Shared<Writers>,
    cards: CardTracker,
    coverage: Shared<Coverage>,
}

impl Oracle {
    pub(crate) fn new(
        library: &Library,
        coverage: Shared<Coverage>,
        writers: Shared<Writers>,
        cards: CardTracker,
    ) -> Oracle {
        Oracle {
            library: library.clone(),
            floor: Floor::new(library.clone()),
            chains: BTreeMap::new(),
            waiting: BTreeMap::new(),
            balances: BTreeMap::new(),
            negative: BTreeMap::new(),
            commands: BTreeMap::new(),
            tables: BTreeMap::new(),
            meters: BTreeMap::new(),
            accounts: ExpectedBalances::default(),
            proposed: BTreeMap::new(),
            settled: BTreeMap::new(),
            failed: BTreeSet::new(),
            writers,
            cards,
            coverage,
        }
    }

    /// The floor, folded from what was told.
    pub(crate) const fn floor(&self) -> &Floor {
        &self.floor
    }

    /// How far a stream is known.
    pub(crate) fn version(&self, stream: &Stream) -> Version {
        Version(self.chains.get(stream).map_or(0, |chain| chain.len() as u64))
    }

    /// A node verbose of an entry. The same entry may be told by several; it must be the same.
    pub(crate) fn receive(&mut self, told: &EventView) -> Result<(), Violation> {
        let (entry, _) = &**told;
        let known = self.version(&entry.stream);
        if entry.version <= known {
            let place = usize::try_from(entry.version.0 - 1).expect("a version counts from one");
            ensure!(
                self.chains[&entry.stream][place] == entry.hash,
                "M12: {} entry {} was told twice, and differently",
                entry.stream,
                entry.version
            );
            return Ok(());
        }
        self.waiting.insert((entry.stream.clone(), entry.version), Arc::clone(told));
        while let Some(next) =
            self.waiting.remove(&(entry.stream.clone(), self.version(&entry.stream).next()))
        {
            self.follow(&next.0, &next.1)?;
        }
        Ok(())
    }

    /// Takes one entry in: its place in the chain, its money, its meaning.
    fn follow(&mut self, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let at = || format!("{} entry {}", entry.stream, entry.version);
        let chain = self.chains.entry(entry.stream.clone()).or_default();
        let last = chain.last().copied().unwrap_or(GENESIS);
        ensure!(entry.previous == last, "M12: {} does not follow its predecessor", at());
        ensure!(entry.digest() == entry.hash, "M12: the hash of {} is not that of its content", at());
        ensure!(
            journal::encode(event) == entry.body,
            "M12: what was told of {} is not what is written",
            at()
        );
        chain.push(entry.hash);
        self.coverage.with(|coverage| coverage.entries += 1);
        self.count_command(entry)?;
        self.move_money(entry)?;
        if let (Stream::Link(id), Event::Link(event)) = (&entry.stream, event) {
            self.before_link(id, event)?;
        }
        if let Stream::Table(id) = &entry.stream {
            self.before_table(id, entry.command)?;
            self.check_takeover(id, entry, event)?;
        }
        self.floor
            .evolve(&entry.stream, event)
            .map_err(|error| Violation(format!("M12: {} cannot have happened: {error}", at())))?;
        match (&entry.stream, event) {
            (Stream::House, Event::House(event)) => self.apply_house_event(event)?,
            (Stream::Table(id), Event::Table(event)) => self.apply_table_event(id, entry, event)?,
            (Stream::Link(id), Event::Link(event)) => self.apply_link_event(id, entry, event)?,
            _ => {}
        }
        self.apply_to_accounts(entry, event)?;
        self.check_published(entry, event)
    }

    /// What takes two is not done by one.
    fn apply_house_event(&mut self, event: &HouseEvent) -> Result<(), Violation> {
        match event {
            HouseEvent::Proposed { number, by, .. } => {
                self.proposed.insert(*number, by.person.clone());
            }
            HouseEvent::Confirmed { number, by } => {
                let first = self.proposed.remove(number);
                ensure!(
                    first.as_ref() != Some(&by.person),
                    "{} proposed number {number}, and confirmed it alone",
                    by.person
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// M11: whoever takes a table over in the middle of a round verbose it of the failure before anything else.
    fn check_takeover(&mut self, id: &TableId, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let reports = matches!(event, Event::Table(TableEvent::Round(round::Event::PowerFailed { .. })));
        let was_told = if reports { !self.failed.insert(id.clone()) } else { self.failed.remove(id) };
        let place = (entry.stream.clone(), entry.version);
        let Some(table) = self.floor.table(id) else { return Ok(()) };
        if !self.writers.with(|writers| writers.takeovers.remove(&place))
            || !table.round().stage().is_in_play()
        {
            return Ok(());
        }
        self.coverage.with(|coverage| coverage.fault(Fault::TakenOver));
        let by = round::Asker::Staff(rulebook::Office::Dealer);
        let is_out = table.round().decide(&by, &round::Command::ResumePlay).is_ok();
        ensure!(
            reports || was_told || is_out,
            "M11: {id} was taken over in a round that was not told of the failure"
        );
        Ok(())
    }

    /// M8: the entries of one command stand together, and it is done once.
    fn count_command(&mut self, entry: &Entry) -> Result<(), Violation> {
        let key = (entry.command, entry.stream.clone());
        let range = self.commands.entry(key).or_insert((entry.version, entry.version));
        ensure!(
            entry.version.0 <= range.1.0 + 1,
            "M8: command {} wrote to {} twice, at {} and at {}",
            entry.command,
            entry.stream,
            range.1,
            entry.version
        );
        range.1 = entry.version;
        Ok(())
    }

    /// M1: what one account gives another gets, and none falls below nought that may not.
    fn move_money(&mut self, entry: &Entry) -> Result<(), Violation> {
        for moved in &entry.transfers {
            ensure!(Amount::ZERO < moved.amount && moved.from != moved.to, "M1: {moved:?} moves nothing");
            for (account, amount) in [(&moved.from, -moved.amount.0), (&moved.to, moved.amount.0)] {
                let held = self.balances.entry(account.clone()).or_default();
                *held += amount;
            }
        }
        for moved in &entry.transfers {
            if self.balances[&moved.from] < 0 && !moved.from.may_be_negative() {
                let at = format!("{} entry {}", entry.stream, entry.version);
                self.negative.entry(moved.from.clone()).or_insert(at);
            }
        }
        Ok(())
    }

    /// Whether some account is below nought by what was told.
    pub(crate) fn has_negative_account(&self) -> bool {
        !self.negative.is_empty()
    }

    /// What an account holds by what was told.
    pub(super) fn holds(&self, account: &Account) -> i64 {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// M12, M14: a node's floor is the fold of the log, as far as it knows it; what it displays was so at that version.
    pub(crate) fn check_node(&self, node: &floor::node::Board, streams: &[Stream]) -> Result<(), Violation> {
        for stream in streams {
            let known = node.head(stream).map_or(Version(0), |head| head.version);
            if known != self.version(stream) {
                continue;
            }
            let same = match stream {
                Stream::House => *node.house() == **self.floor.house(),
                Stream::Table(id) => node.table(id).as_deref() == self.floor.table(id).map(Arc::as_ref),
                Stream::Link(id) => node.link(id).as_deref() == self.floor.link(id).map(Arc::as_ref),
            };
            ensure!(same, "M12, M14: a node shows {stream} otherwise than its log at version {known}");
        }
        Ok(())
    }

    /// Everything the log holds that nobody told of: what was committed while its node could not be told so.
    pub(crate) fn catch_up(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        let heads = log.heads().map_err(|error| Violation(format!("the log cannot be read: {error}")))?;
        for stream in self.chains.keys() {
            let is_there = heads.iter().any(|head| head.stream == *stream);
            ensure!(is_there, "M12: {stream} was told of, and is not in the log");
        }
        for head in heads {
            let known = self.version(&head.stream);
            let entries = log.entries(&head.stream, known, usize::MAX);
            for entry in entries.map_err(|error| Violation(format!("the log cannot be read: {error}")))? {
                let event = journal::decode(&entry.body)
                    .map_err(|error| Violation(format!("M12: {} cannot be read: {error}", entry.stream)))?;
                self.receive(&Arc::new((entry, event)))?;
            }
            ensure!(
                head.version == self.version(&head.stream),
                "M12: {} ends with {}, and {} was told of",
                head.stream,
                head.version,
                self.version(&head.stream)
            );
        }
        ensure!(self.waiting.is_empty(), "M12: entries were told of that are not in the log");
        Ok(())
    }

    /// The whole money: the ledger as it is kept, the same by what was told, and what the floor says it should hold.
    pub(crate) fn check_money(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        let kept = log.balances().map_err(|error| Violation(format!("the log cannot be read: {error}")))?;
        for (account, at) in std::mem::take(&mut self.negative) {
            let held = self.holds(&account);
            ensure!(0 <= held, "M1: {account} holds {held} since {at}");
        }
        let balance = check::check(&self.floor, &kept);
        ensure!(balance.figure() == 0, "M1, M4: not accounted for: {balance:?}");
        for (account, held) in &kept {
            ensure!(
                held.0 == self.holds(account),
                "M1: {account} holds {}, by its entries {}",
                held.0,
                self.holds(account)
            );
        }
        let sum: i128 = self.balances.values().map(|held| i128::from(*held)).sum();
        ensure!(sum == 0, "M1: all accounts together hold {sum}");
        Ok(())
    }

    /// What must hold when nothing is on its way any more.
    pub(crate) fn check_final(&self) -> Result<(), Violation> {
        self.check_jackpot_wagers()?;
        self.check_winners()?;
        self.check_accounts()
    }
}
