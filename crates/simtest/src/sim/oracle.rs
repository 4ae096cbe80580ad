//! The oracle: applies every entry that a node has published a second time and checks what must be true of it. It adds
//! up the money on its own, settles rounds a second time, and computes the meter with its own arithmetic.

mod accounts;
mod books;
mod clauses;
mod figures;
mod live_record;
mod meter;
mod rounds;
mod salts;
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
use super::keys::Signed;
use super::shared::Shared;
use accounts::ExpectedBalances;
use books::Played;
use figures::{LimitsModel, SettingsModel};
use meter::MeterModel;
use rounds::{SettledRound, TableModel};
use salts::SaltModel;
pub(crate) use visibility::{CardTracker, SwapViewer};

/// A promise that does not hold, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation(pub(crate) String);

/// Returns a violation unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($words:tt)*) => {
        if !$holds {
            return Err($crate::sim::oracle::Violation(format!($($words)*)));
        }
    };
}
pub(crate) use ensure;

/// An entry with its event, as nodes publish it.
pub(crate) type EventView = Arc<(Entry, Event)>;

/// The state of the floor and its money, rebuilt from what nodes have published.
pub(crate) struct Oracle {
    library: Library,
    floor: Floor,
    /// The hashes of every stream, by version.
    chains: BTreeMap<Stream, Vec<Hash>>,
    /// Entries that were published before the ones they follow.
    waiting: BTreeMap<(Stream, Version), EventView>,
    balances: BTreeMap<Account, i64>,
    /// Accounts with a negative balance, and the entry that caused it. The money may come from an entry that is in the
    /// log but not published yet.
    negative: BTreeMap<Account, String>,
    /// The first and the last version that each command wrote to a stream.
    commands: BTreeMap<(CommandId, Stream), (Version, Version)>,
    tables: BTreeMap<TableId, TableModel>,
    /// The rounds whose seed was lost on purpose.
    pub(crate) lost: BTreeSet<(TableId, u64)>,
    salts: BTreeMap<TableId, SaltModel>,
    meters: BTreeMap<LinkId, MeterModel>,
    /// What links that closed sent, and what links received, by the command that moved it.
    moved: BTreeMap<CommandId, (LinkId, u64)>,
    received: BTreeMap<CommandId, (LinkId, u64)>,
    closed: BTreeSet<LinkId>,
    accounts: ExpectedBalances,
    /// Who made each proposal that waits for a second signature.
    proposed: BTreeMap<u64, Person>,
    settled: BTreeMap<EntryId, SettledRound>,
    /// The book of each table.
    played: BTreeMap<TableId, Played>,
    /// The limits of each table, and the settings of each link.
    limits: BTreeMap<TableId, LimitsModel>,
    settings: BTreeMap<LinkId, SettingsModel>,
    /// The keys of the house.
    pub(crate) signed: Signed,
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
            lost: BTreeSet::new(),
            salts: BTreeMap::new(),
            meters: BTreeMap::new(),
            moved: BTreeMap::new(),
            received: BTreeMap::new(),
            closed: BTreeSet::new(),
            accounts: ExpectedBalances::default(),
            proposed: BTreeMap::new(),
            settled: BTreeMap::new(),
            played: BTreeMap::new(),
            limits: BTreeMap::new(),
            settings: BTreeMap::new(),
            signed: Signed::new(),
            failed: BTreeSet::new(),
            writers,
            cards,
            coverage,
        }
    }

    pub(crate) const fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The last known version of a stream.
    pub(crate) fn version(&self, stream: &Stream) -> Version {
        Version(self.chains.get(stream).map_or(0, |chain| chain.len() as u64))
    }

    /// Takes an entry that a node has published. Several nodes may publish the same entry; it must be identical.
    pub(crate) fn receive(&mut self, published: &EventView) -> Result<(), Violation> {
        let (entry, _) = &**published;
        let known = self.version(&entry.stream);
        if entry.version <= known {
            let place = usize::try_from(entry.version.0 - 1).expect("a version counts from one");
            ensure!(
                self.chains[&entry.stream][place] == entry.hash,
                "M12: {} entry {} was published twice with different content",
                entry.stream,
                entry.version
            );
            return Ok(());
        }
        self.waiting.insert((entry.stream.clone(), entry.version), Arc::clone(published));
        while let Some(next) =
            self.waiting.remove(&(entry.stream.clone(), self.version(&entry.stream).next()))
        {
            self.apply(&next.0, &next.1)?;
        }
        Ok(())
    }

    /// Applies one entry: its place in the chain, its money and its event.
    fn apply(&mut self, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let at = || format!("{} entry {}", entry.stream, entry.version);
        let chain = self.chains.entry(entry.stream.clone()).or_default();
        let last = chain.last().copied().unwrap_or(GENESIS);
        ensure!(entry.previous == last, "M12: {} does not follow the entry before it", at());
        ensure!(entry.digest() == entry.hash, "M12: the hash of {} does not match its content", at());
        ensure!(
            journal::encode(event) == entry.body,
            "M12: {} was published with another event than it was written with",
            at()
        );
        chain.push(entry.hash);
        self.coverage.with(|coverage| coverage.entries += 1);
        self.check_command(entry)?;
        self.move_money(entry)?;
        if let (Stream::Link(id), Event::Link(event)) = (&entry.stream, event) {
            self.before_link(id, event)?;
        }
        if let Stream::Table(id) = &entry.stream {
            self.before_table(id, entry.command)?;
            self.check_takeover(id, entry, event)?;
        }
        self.floor
            .evolve(&entry.stream, event, entry.at, &entry.actor)
            .map_err(|error| Violation(format!("M12: {} cannot be applied: {error}", at())))?;
        match (&entry.stream, event) {
            (Stream::House, Event::House(event)) => self.apply_house_event(entry.version, event)?,
            (Stream::Table(id), Event::Table(event)) => self.apply_table_event(id, entry, event)?,
            (Stream::Link(id), Event::Link(event)) => self.apply_link_event(id, entry, event)?,
            _ => {}
        }
        self.apply_to_accounts(entry, event)?;
        self.check_published(entry, event)
    }

    /// The same person cannot propose and confirm.
    fn apply_house_event(&mut self, version: Version, event: &HouseEvent) -> Result<(), Violation> {
        match event {
            HouseEvent::Opened { key, .. } => self.signed.push((version, *key)),
            HouseEvent::SigningKeyChanged { key } => self.signed.push((version, key.0)),
            HouseEvent::Proposed { number, by, .. } => {
                self.proposed.insert(*number, by.person.clone());
            }
            HouseEvent::Confirmed { number, by } => {
                let first = self.proposed.remove(number);
                ensure!(
                    first.as_ref() != Some(&by.person),
                    "{} proposed number {number} and also confirmed it",
                    by.person
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// M11: a node that takes a table over in the middle of a round first records the power failure.
    fn check_takeover(&mut self, id: &TableId, entry: &Entry, event: &Event) -> Result<(), Violation> {
        let reports = matches!(event, Event::Table(TableEvent::Round(round::Event::PowerFailed { .. })));
        let was_reported = if reports { !self.failed.insert(id.clone()) } else { self.failed.remove(id) };
        let place = (entry.stream.clone(), entry.version);
        let Some(table) = self.floor.table(id) else { return Ok(()) };
        if !self.writers.with(|writers| writers.takeovers.remove(&place))
            || !table.round().stage().is_in_play()
        {
            return Ok(());
        }
        self.coverage.fault(Fault::TakenOver);
        let waits_to_resume = table.round().is_interrupted();
        ensure!(
            reports || was_reported || waits_to_resume,
            "M11: {id} was taken over during a round, and no power failure was recorded"
        );
        Ok(())
    }

    /// M8: the entries of one command are adjacent, so it had its effect once.
    fn check_command(&mut self, entry: &Entry) -> Result<(), Violation> {
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

    /// M1: every transfer takes from one account what it adds to another. Only accounts that may be negative become
    /// negative.
    fn move_money(&mut self, entry: &Entry) -> Result<(), Violation> {
        for moved in &entry.transfers {
            ensure!(Amount::ZERO < moved.amount && moved.from != moved.to, "M1: {moved:?} moves no money");
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

    pub(crate) fn has_negative_account(&self) -> bool {
        !self.negative.is_empty()
    }

    /// The balance of an account, from the published entries.
    pub(super) fn balance(&self, account: &Account) -> i64 {
        self.balances.get(account).copied().unwrap_or_default()
    }

    /// M12, M14: a node shows the state that its log has at the version it knows.
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
            ensure!(same, "M12, M14: a node shows another state of {stream} than its log at version {known}");
        }
        Ok(())
    }

    /// Applies the entries that are in the log but were never published. This happens when a commit succeeded and its
    /// node did not learn of it.
    pub(crate) fn catch_up(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        let heads = log.heads().map_err(|error| Violation(format!("the log cannot be read: {error}")))?;
        for stream in self.chains.keys() {
            let is_there = heads.iter().any(|head| head.stream == *stream);
            ensure!(is_there, "M12: {stream} was published but is not in the log");
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
                "M12: {} ends at version {}, but {} was published",
                head.stream,
                head.version,
                self.version(&head.stream)
            );
        }
        ensure!(self.waiting.is_empty(), "M12: some published entries are not in the log");
        Ok(())
    }

    /// Checks all money: the stored balances, the same from the entries, and what the floor says they should be.
    pub(crate) fn check_money(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        let kept = log.balances().map_err(|error| Violation(format!("the log cannot be read: {error}")))?;
        for (account, at) in std::mem::take(&mut self.negative) {
            let held = self.balance(&account);
            ensure!(0 <= held, "M1: {account} has had a balance of {held} since {at}");
        }
        let balance = check::check(&self.floor, &kept);
        ensure!(balance.figure() == 0, "M1, M4: money is unaccounted for: {balance:?}");
        for (account, held) in &kept {
            ensure!(
                held.0 == self.balance(account),
                "M1: the stored balance of {account} is {}, by its entries it is {}",
                held.0,
                self.balance(account)
            );
        }
        let sum: i128 = self.balances.values().map(|held| i128::from(*held)).sum();
        ensure!(sum == 0, "M1: all accounts together hold {sum}, not zero");
        Ok(())
    }

    /// Checks what must hold when no request is open any more.
    pub(crate) fn check_final(&self) -> Result<(), Violation> {
        self.check_jackpot_wagers()?;
        self.check_all_moved()?;
        self.check_winners()?;
        self.check_books_of_links()?;
        self.check_accounts()
    }
}
