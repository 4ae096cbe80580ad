//! A transaction: reads go to the server at once, writes are collected and sent in one statement at the commit.
//!
//! `lock` takes locks, and the commit takes them in one fixed order. There is no snapshot: at READ COMMITTED a
//! decision under a lock uses the present rows, and constraints guard the rest. Without a lock nothing is held
//! over several statements, so the statement that writes is a transaction by itself.

use std::collections::BTreeMap;

use super::batch::Batch;
use super::read::{all_answered, all_entries, books, head};
use super::session::Session;
use crate::carried::Books;
use crate::entry::{Entry, GENESIS, Head};
use crate::ledger::{Account, Amount};
use crate::names::{CommandId, Stream, Version};
use crate::store::{Answered, Lease, Reader, Sealed, StoreError, Transaction};

const LOCK: &str = "SELECT version, hash FROM stream WHERE name = $1 FOR UPDATE";

const NEW_STREAM: &str =
    "INSERT INTO stream (name, version, hash) VALUES ($1, 0, $2) ON CONFLICT (name) DO NOTHING";

/// The writes collected until the commit.
pub(super) struct Pending<'a> {
    session: &'a mut Session,
    /// The ends of the streams that were locked or appended to, including the collected entries.
    ends: BTreeMap<Stream, Head>,
    leases: Vec<Lease>,
    entries: Vec<Entry>,
    answers: Vec<Answered>,
    sealed: BTreeMap<(String, String), Option<Vec<u8>>>,
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
        }
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if self.leases.is_empty()
            && self.entries.is_empty()
            && self.answers.is_empty()
            && self.sealed.is_empty()
        {
            return Ok(());
        }
        let batch = Batch::new(&self.leases, &self.entries, &self.answers, &self.sealed)?;
        if self.session.in_transaction() {
            batch.write(self.session)?;
            self.session.commit()?;
        } else {
            self.session.durably(|session| batch.write(session))?;
        }
        batch.notify(self.session);
        Ok(())
    }
}

impl Transaction for Pending<'_> {
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        all_answered(self.session, commands)
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        if !self.session.in_transaction() {
            self.session.begin()?;
        }
        let name = stream.to_string();
        let mut rows = self.session.write(LOCK, &[&name])?;
        if rows.is_empty() {
            self.session.write(NEW_STREAM, &[&name, &GENESIS.0.as_slice()])?;
            rows = self.session.write(LOCK, &[&name])?;
        }
        let row = rows
            .first()
            .ok_or_else(|| StoreError::Failed(format!("the row of stream {name} has disappeared")))?;
        let stored = head(stream.clone(), row.get(0), row.get(1))?;
        Ok(self.ends.entry(stream.clone()).or_insert(stored).clone())
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        all_entries(self.session, stream, after)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        let mut balance = self.session.balance(account)?;
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
        match self.sealed.get(&(kind.to_owned(), key.to_owned())) {
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
