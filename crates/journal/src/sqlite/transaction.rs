//! A batch of commands before its commit. It is built in memory, against heads and balances that the store knows
//! because it is the only writer; the commit writes it in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::ffi::ErrorCode;
use rusqlite::{Params, params};

use super::read::integer;
use super::register::Place;
use super::{SqliteStore, failure};
use crate::carried::Books;
use crate::entry::{Entry, GENESIS, Head};
use crate::ledger::{Account, Amount, Transfer};
use crate::names::{CommandId, Stream, Version};
use crate::row::packed_content;
use crate::store::{Answered, Lease, Sealed, StoreError, Transaction};
use crate::stored::CARRIED_V1;

/// Everything a batch of commands does, not yet written.
pub(super) struct Batch<'a> {
    store: &'a mut SqliteStore,
    pending: Pending,
}

/// The writes to make.
#[derive(Default)]
struct Pending {
    entries: Vec<Entry>,
    heads: BTreeMap<Stream, Head>,
    balances: BTreeMap<Account, Amount>,
    answers: Vec<Answered>,
    sealed: BTreeMap<(String, String), Option<Vec<u8>>>,
    fences: Vec<Lease>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(store: &'a mut SqliteStore) -> Batch<'a> {
        Batch { store, pending: Pending::default() }
    }

    fn head(&self, stream: &Stream) -> Head {
        let known = || self.store.streams.get(stream).cloned();
        self.pending.heads.get(stream).cloned().or_else(known).unwrap_or_else(|| Head {
            stream: stream.clone(),
            version: Version(0),
            hash: GENESIS,
        })
    }

    fn holds(&self, account: &Account) -> Amount {
        let known = || self.store.accounts.get(account);
        self.pending.balances.get(account).or_else(known).copied().unwrap_or_default()
    }

    fn transfer(&mut self, transfer: &Transfer) {
        assert!(Amount::ZERO < transfer.amount, "a transfer moves something: {transfer:?}");
        assert_ne!(transfer.from, transfer.to, "a transfer moves something: {transfer:?}");
        let held = "an account holds less than 2 to the 63rd ten-thousandths of a cent";
        let from = self.holds(&transfer.from).minus(transfer.amount).expect(held);
        let to = self.holds(&transfer.to).plus(transfer.amount).expect(held);
        self.pending.balances.insert(transfer.from.clone(), from);
        self.pending.balances.insert(transfer.to.clone(), to);
    }
}

impl Transaction for Batch<'_> {
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.store.source()?.answers(commands)
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        Ok(self.head(stream))
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        self.store.source()?.entries(stream, after, usize::MAX)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        Ok(self.holds(account))
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        let mut heads: Vec<Head> = self.store.streams.iter().map(|(_, head)| head.clone()).collect();
        heads.sort_by(|a, b| a.stream.cmp(&b.stream));
        let held = self.store.accounts.iter().filter(|(_, held)| **held != Amount::ZERO);
        let mut balances: Vec<(Account, Amount)> =
            held.map(|(account, held)| (account.clone(), *held)).collect();
        balances.sort();
        let newest = self.store.source()?.checkpoint_up_to(i64::MAX)?;
        let checkpoint = newest.map(|newest| (newest.number, newest.digest()));
        Ok(Books { heads, balances, checkpoint })
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.pending.sealed.get(&(kind.to_owned(), key.to_owned())) {
            Some(kept) => Ok(kept.clone()),
            None => self.store.source()?.sealed(kind, key),
        }
    }

    fn fence(&mut self, lease: &Lease) {
        self.pending.fences.push(lease.clone());
    }

    fn append(&mut self, entry: Entry) {
        let head = self.head(&entry.stream);
        assert_eq!(entry.version, head.version.next(), "an entry of {} follows its head", entry.stream);
        assert_eq!(entry.previous, head.hash, "an entry of {} is chained to its head", entry.stream);
        for transfer in &entry.transfers {
            self.transfer(transfer);
        }
        self.pending.heads.insert(entry.stream.clone(), entry.head());
        self.pending.entries.push(entry);
    }

    fn answer(&mut self, answered: Answered) {
        self.pending.answers.push(answered);
    }

    fn keep(&mut self, sealed: Sealed) {
        self.pending.sealed.insert((sealed.kind, sealed.key), sealed.value);
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Batch { store, pending } = *self;
        let below =
            |(account, balance): &(&Account, &Amount)| **balance < Amount::ZERO && !account.may_be_negative();
        if let Some((account, _)) = pending.balances.iter().find(below) {
            return Err(StoreError::Short(account.clone()));
        }
        let streams = store.streams.places(pending.heads.keys());
        let accounts = store.accounts.places(pending.balances.keys());
        store.write(pending.entries.len(), |store| store.write_pending(&pending, &streams, &accounts))?;
        for (stream, place) in streams {
            store.streams.set(stream.clone(), place.id, pending.heads[stream].clone());
        }
        for (account, place) in accounts {
            store.accounts.set(account.clone(), place.id, pending.balances[account]);
        }
        Ok(())
    }
}

impl SqliteStore {
    fn write_pending(
        &self,
        pending: &Pending,
        streams: &BTreeMap<&Stream, Place>,
        accounts: &BTreeMap<&Account, Place>,
    ) -> Result<(), StoreError> {
        self.check_fences(&pending.fences)?;
        self.write_heads(pending, streams)?;
        self.write_entries(pending, streams)?;
        self.write_subjects(&pending.entries, |stream| streams[stream].id)?;
        self.write_balances(pending, accounts)?;
        // Known before this batch, so it is never later than the books that the batch may close.
        let house = self.streams.get(&Stream::House).map_or(0, |head| integer(head.version.0));
        let wrote: BTreeSet<CommandId> = pending.entries.iter().map(|entry| entry.command).collect();
        for answered in &pending.answers {
            let Answered { command, request, .. } = answered;
            let house = (!wrote.contains(command)).then_some(house);
            let insert =
                "INSERT INTO command (id, request, answer, digest, house) VALUES ($1, $2, $3, $4, $5)";
            let row = params![command.0, request.0, answered.packed(), answered.digest().0, house];
            self.insert(insert, row, || {
                StoreError::Conflict(format!("command {} was already answered", answered.command))
            })?;
        }
        for ((kind, key), value) in &pending.sealed {
            let upsert = "INSERT INTO sealed (kind, key, value) VALUES ($1, $2, $3) \
                          ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value";
            match value {
                Some(value) => self.execute(upsert, params![kind, key, value])?,
                None => self.execute("DELETE FROM sealed WHERE kind = $1 AND key = $2", [kind, key])?,
            };
        }
        Ok(())
    }

    fn check_fences(&self, fences: &[Lease]) -> Result<(), StoreError> {
        for lease in fences {
            let query = "SELECT epoch FROM lease WHERE table_name = $1 AND node = $2";
            let names = [lease.table.name(), lease.node.name()];
            let epoch: Option<i64> = self.source()?.one(query, names, |row| Ok(row.get(0)?))?;
            if epoch != Some(integer(lease.epoch)) {
                return Err(StoreError::Fenced(lease.table.clone()));
            }
        }
        Ok(())
    }

    fn write_heads(&self, pending: &Pending, places: &BTreeMap<&Stream, Place>) -> Result<(), StoreError> {
        for (stream, head) in &pending.heads {
            let Place { id, is_new } = places[stream];
            if is_new {
                let insert = "INSERT INTO stream (id, name, version, hash) VALUES ($1, $2, $3, $4)";
                self.execute(insert, params![id, stream.to_string(), integer(head.version.0), head.hash.0])?;
            } else {
                let update = "UPDATE stream SET version = $1, hash = $2 WHERE id = $3";
                let changed = self.execute(update, params![integer(head.version.0), head.hash.0, id])?;
                assert_eq!(changed, 1, "{stream} has a row");
            }
        }
        Ok(())
    }

    fn write_entries(&self, pending: &Pending, places: &BTreeMap<&Stream, Place>) -> Result<(), StoreError> {
        let insert = "INSERT INTO entry (stream, version, command, at, carries, hash, content) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7)";
        for entry in &pending.entries {
            let row = params![
                places[&entry.stream].id,
                integer(entry.version.0),
                entry.command.0,
                integer(entry.at.0),
                entry.body.kind == CARRIED_V1,
                entry.hash.0,
                packed_content(entry),
            ];
            self.insert(insert, row, || StoreError::Corrupt {
                stream: entry.stream.to_string(),
                version: entry.version.0,
                what: "there is already an entry after the head".to_owned(),
            })?;
        }
        Ok(())
    }

    fn write_balances(
        &self,
        pending: &Pending,
        places: &BTreeMap<&Account, Place>,
    ) -> Result<(), StoreError> {
        for (account, balance) in &pending.balances {
            let Place { id, is_new } = places[account];
            if is_new {
                let insert =
                    "INSERT INTO account (id, name, balance, may_be_negative) VALUES ($1, $2, $3, $4)";
                let row = params![id, account.to_string(), balance.0, account.may_be_negative()];
                self.execute(insert, row)?;
            } else {
                let changed =
                    self.execute("UPDATE account SET balance = $1 WHERE id = $2", [balance.0, id])?;
                assert_eq!(changed, 1, "{account} has a row");
            }
        }
        Ok(())
    }

    /// Runs a statement and returns how many rows it changed.
    pub(super) fn execute(&self, statement: &str, params: impl Params) -> Result<usize, StoreError> {
        let run =
            self.connection.prepare_cached(statement).and_then(|mut statement| statement.execute(params));
        run.map_err(|error| failure::meaning(&error, &self.path))
    }

    /// Inserts a row, or returns the given error if it exists.
    fn insert(
        &self,
        statement: &str,
        params: impl Params,
        taken: impl FnOnce() -> StoreError,
    ) -> Result<(), StoreError> {
        let run =
            self.connection.prepare_cached(statement).and_then(|mut statement| statement.execute(params));
        match run {
            Ok(_) => Ok(()),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Err(taken()),
            Err(error) => Err(failure::meaning(&error, &self.path)),
        }
    }
}
