//! A transaction: `open` locks and reads all that a batch is known to need in one round trip, other reads go to the server
//! one by one; writes are collected, sent in one statement and committed in a second round trip.
//!
//! `open` and `lock` take locks, and the commit takes them in one fixed order. There is no snapshot: at READ COMMITTED a
//! decision under a lock uses the present rows, and constraints guard the rest. Without a lock nothing is held
//! over several statements, so the statement that writes is a transaction by itself.

use std::collections::{BTreeMap, HashMap};

use super::batch::Batch;
use super::read::{
    ANSWERED, BALANCES_OF, NEW_ENTRIES, SEALED_OF, all_answered, all_entries, answered, balances, books,
    entries, head, number, placed,
};
use super::session::Session;
use crate::carried::Books;
use crate::entry::{Entry, GENESIS, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, Lease, Reader, Sealed, StoreError, Transaction, Wanted};

const LOCK: &str = "SELECT version, hash FROM stream WHERE name = $1 FOR UPDATE";

/// Locks one stream after the other, in the order in which they are named. What is read after it is read in this period, or
/// in a later one.
const LOCK_ALL: &str = "
    SELECT wanted.place, stream.version, stream.hash, (SELECT journal_period())
    FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place) JOIN stream ON stream.name = wanted.name
    ORDER BY wanted.place FOR UPDATE OF stream";

const NEW_STREAMS: &str = "
    INSERT INTO stream (name, version, hash) SELECT new.name, 0, $2 FROM unnest($1::text[]) AS new (name)
    ON CONFLICT (name) DO NOTHING";

/// The writes collected until the commit.
pub(super) struct Pending<'a> {
    session: &'a mut Session,
    /// The ends of the streams that were locked or appended to, including the collected entries.
    ends: BTreeMap<Stream, Head>,
    leases: Vec<Lease>,
    entries: Vec<Entry>,
    answers: Vec<Answered>,
    sealed: BTreeMap<(String, String), Option<Vec<u8>>>,
    read: Read,
}

/// What was read at the opening.
#[derive(Default)]
struct Read {
    /// The entries of each locked stream after the version that was known.
    entries: BTreeMap<Stream, (Version, Vec<Entry>)>,
    answers: HashMap<CommandId, Option<Answered>>,
    /// The period in which the answers were read.
    period: Option<i32>,
    balances: HashMap<Account, Amount>,
    sealed: HashMap<(String, String), Option<Vec<u8>>>,
}

impl<'a> Pending<'a> {
    pub(super) fn new(session: &'a mut Session) -> Pending<'a> {
        Pending {
            session,
            ends: BTreeMap::new(),
            leases: Vec::new(),
            entries: Vec::new(),
            answers: Vec::new(),
            sealed: BTreeMap::new(),
            read: Read::default(),
        }
    }

    /// Locks and reads what is wanted. `None` where a stream does not exist yet.
    fn lock_and_read(&mut self, wanted: &Wanted) -> Result<Option<Vec<Head>>, StoreError> {
        let names: Vec<String> = wanted.streams.iter().map(|(stream, _)| stream.to_string()).collect();
        let known: Vec<i64> = wanted.streams.iter().map(|(_, version)| number(version.0)).collect();
        let ids: Vec<&[u8]> = wanted.commands.iter().map(|command| command.0.as_slice()).collect();
        let accounts: Vec<String> = wanted.accounts.iter().map(ToString::to_string).collect();
        let (kinds, keys): (Vec<&str>, Vec<&str>) =
            wanted.sealed.iter().map(|(kind, key)| (kind.as_str(), key.as_str())).unzip();
        let mut answers = self.session.ask_in_transaction(&[
            (LOCK_ALL, &[&names]),
            (NEW_ENTRIES, &[&names, &known, &i64::MAX]),
            (ANSWERED, &[&ids]),
            (BALANCES_OF, &[&accounts]),
            (SEALED_OF, &[&kinds, &keys]),
        ])?;
        let mut next = || answers.drain(..1).next().unwrap_or_default();
        let locked = next();
        if locked.len() < names.len() {
            return Ok(None);
        }
        let heads = wanted.streams.iter().zip(&locked);
        let heads = heads.map(|((stream, _), row)| head(stream.clone(), row.get(1), row.get(2)));
        let heads = heads.collect::<Result<Vec<Head>, StoreError>>()?;
        self.read.entries =
            wanted.streams.iter().map(|(stream, known)| (stream.clone(), (*known, Vec::new()))).collect();
        let streams: Vec<&Stream> = wanted.streams.iter().map(|(stream, _)| stream).collect();
        for entry in entries(&next(), |row| placed(&streams, row))? {
            if let Some((_, entries)) = self.read.entries.get_mut(&entry.stream) {
                entries.push(entry);
            }
        }
        self.read.period = locked.first().map(|row| row.get(3));
        self.read.answers = wanted.commands.iter().map(|command| (*command, None)).collect();
        for row in next() {
            let answered = answered(&row)?;
            self.read.answers.insert(answered.command, Some(answered));
        }
        self.read.balances = wanted.accounts.iter().map(|account| (account.clone(), Amount::ZERO)).collect();
        for (account, balance) in balances(&next())? {
            self.read.balances.insert(account, balance);
        }
        self.read.sealed = wanted.sealed.iter().map(|name| (name.clone(), None)).collect();
        for row in next() {
            self.read.sealed.insert((row.get(0), row.get(1)), Some(row.get(2)));
        }
        Ok(Some(heads))
    }

    /// Makes the rows of streams that do not exist yet.
    fn make_streams(&mut self, wanted: &Wanted) -> Result<(), StoreError> {
        let names: Vec<String> = wanted.streams.iter().map(|(stream, _)| stream.to_string()).collect();
        self.session.write(NEW_STREAMS, &[&names, &GENESIS.0.as_slice()]).map(drop)
    }

    /// The period in which it was looked up that none of the commands was answered, if it was.
    fn read_in(&self) -> Option<i32> {
        let is_new = |answered: &Answered| matches!(self.read.answers.get(&answered.command), Some(None));
        self.read.period.filter(|_| self.answers.iter().all(is_new))
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if self.leases.is_empty()
            && self.entries.is_empty()
            && self.answers.is_empty()
            && self.sealed.is_empty()
        {
            return Ok(());
        }
        let read_in = self.read_in();
        let batch = Batch::new(read_in, &self.leases, &self.entries, &self.answers, &self.sealed)?;
        batch.write(self.session)?;
        batch.notify(self.session);
        Ok(())
    }
}

impl Transaction for Pending<'_> {
    fn open(&mut self, wanted: &Wanted) -> Result<Vec<Head>, StoreError> {
        let mut locked = self.lock_and_read(wanted)?;
        if locked.is_none() {
            self.make_streams(wanted)?;
            locked = self.lock_and_read(wanted)?;
        }
        let heads =
            locked.ok_or_else(|| StoreError::Failed("the row of a stream has disappeared".to_owned()))?;
        self.ends.extend(heads.iter().map(|head| (head.stream.clone(), head.clone())));
        Ok(heads)
    }

    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let read: Option<Vec<_>> = commands.iter().map(|command| self.read.answers.get(command)).collect();
        match read {
            Some(read) => Ok(read.into_iter().flatten().cloned().collect()),
            None => all_answered(self.session, commands),
        }
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        if !self.session.in_transaction() {
            self.session.begin()?;
        }
        let name = stream.to_string();
        let mut rows = self.session.write(LOCK, &[&name])?;
        if rows.is_empty() {
            self.session.write(NEW_STREAMS, &[&[&name].as_slice(), &GENESIS.0.as_slice()])?;
            rows = self.session.write(LOCK, &[&name])?;
        }
        let row = rows
            .first()
            .ok_or_else(|| StoreError::Failed(format!("the row of stream {name} has disappeared")))?;
        let stored = head(stream.clone(), row.get(0), row.get(1))?;
        Ok(self.ends.entry(stream.clone()).or_insert(stored).clone())
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        match self.read.entries.remove(stream) {
            Some((known, entries)) if known == after => Ok(entries),
            Some(_) | None => all_entries(self.session, stream, after),
        }
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        let mut balance = match self.read.balances.get(account) {
            Some(balance) => *balance,
            None => self.session.balance(account)?,
        };
        for transfer in self.entries.iter().flat_map(|entry| &entry.transfers) {
            if transfer.to == *account {
                balance = balance.plus(transfer.amount).map_err(|_| amount_overflow(account))?;
            }
            if transfer.from == *account {
                balance = balance.minus(transfer.amount).map_err(|_| amount_overflow(account))?;
            }
        }
        Ok(balance)
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        books(self.session)
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = (kind.to_owned(), key.to_owned());
        match self.sealed.get(&name).or_else(|| self.read.sealed.get(&name)) {
            Some(kept) => Ok(kept.clone()),
            None => self.session.sealed(kind, key),
        }
    }

    fn fence(&mut self, lease: &Lease) {
        self.leases.push(lease.clone());
    }

    fn append(&mut self, entry: Entry) {
        if let Some(end) = self.ends.get(&entry.stream) {
            let follows = entry.version == end.version.next() && entry.previous == end.hash;
            assert!(follows, "{} entry {} does not follow {end:?}", entry.stream, entry.version);
        }
        self.ends.insert(entry.stream.clone(), entry.head());
        self.entries.push(entry);
    }

    fn answer(&mut self, answered: Answered) {
        self.answers.push(answered);
    }

    fn keep(&mut self, sealed: Sealed) {
        self.sealed.insert((sealed.kind, sealed.key), sealed.value);
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        self.write()
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.session.roll_back();
    }
}

/// The error if an account would exceed the largest amount.
pub(super) fn amount_overflow(account: &Account) -> StoreError {
    StoreError::Failed(format!("account {account} would exceed the largest amount"))
}
