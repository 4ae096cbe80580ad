//! A store with a bug: every call goes to the real store, except where the bug changes something.

use std::time::Duration;

use jackpot::TableId;
use journal::archive::Pruning;
use journal::checkpoint::{Checkpoint, Signer};
use journal::{
    Account, Amount, Answered, Books, CommandId, Direction, Entry, Head, Lease, Listener, NodeId, Reader,
    Sealed, Store, StoreError, Stream, Subject, Transaction, Version,
};

use super::PlantedBug;
use crate::sim::shared::Shared;

/// A bug that is not constant affects one in this many commits.
const EVERY: u64 = 16;

pub(super) struct Faulty {
    inner: Box<dyn Store>,
    bug: PlantedBug,
    commits: u64,
    /// A commit that was reported as done and is not written yet.
    unwritten: Shared<Vec<Work>>,
}

/// One call to a transaction.
#[derive(Clone)]
enum Work {
    Fence(Lease),
    Append(Box<Entry>),
    Answer(Answered),
    Keep(Sealed),
}

impl Faulty {
    pub(super) fn new(inner: Box<dyn Store>, bug: PlantedBug) -> Faulty {
        Faulty { inner, bug, commits: 0, unwritten: Shared::default() }
    }

    /// Writes the commit that was reported as done.
    fn write_late(&mut self) -> Result<(), StoreError> {
        let late = self.unwritten.with(std::mem::take);
        if late.is_empty() {
            return Ok(());
        }
        let mut transaction = self.inner.begin()?;
        for work in late {
            work.replay(&mut *transaction);
        }
        transaction.commit()
    }
}

impl Work {
    fn replay(self, transaction: &mut dyn Transaction) {
        match self {
            Work::Fence(lease) => transaction.fence(&lease),
            Work::Append(entry) => transaction.append(*entry),
            Work::Answer(answered) => transaction.answer(answered),
            Work::Keep(sealed) => transaction.keep(sealed),
        }
    }
}

impl Reader for Faulty {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.inner.heads()
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.inner.headless()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries(stream, after, limit)
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.inner.carried(stream, up_to)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.inner.about(stream, subject, wanted, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.inner.answered(command)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.inner.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.inner.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.inner.sealed_all(kind)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.inner.checkpoints(after, limit)
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.inner.checkpoints_back(up_to, limit)
    }
}

impl Store for Faulty {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        self.write_late()?;
        self.commits += 1;
        let affected = self.commits.is_multiple_of(EVERY);
        Ok(Box::new(FaultyTransaction {
            inner: self.inner.begin()?,
            bug: self.bug,
            affected,
            work: Vec::new(),
            known: Vec::new(),
            unwritten: self.unwritten.clone(),
        }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.inner.reader()
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        self.inner.listener()
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        self.write_late()?;
        self.inner.checkpoint(signer)
    }

    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError> {
        self.inner.lease(table, node, term)
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        self.inner.renew(node, term)
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.inner.release(lease)
    }

    fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError> {
        self.inner.prune(pruning, at_most)
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        self.inner.leases()
    }
}

struct FaultyTransaction<'a> {
    inner: Box<dyn Transaction + 'a>,
    bug: PlantedBug,
    affected: bool,
    work: Vec<Work>,
    /// Commands whose earlier answer the bug hides.
    known: Vec<CommandId>,
    unwritten: Shared<Vec<Work>>,
}

impl Transaction for FaultyTransaction<'_> {
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        let answered = self.inner.answered(commands)?;
        if self.bug == PlantedBug::RetryNotRecognised {
            self.known.extend(answered.iter().map(|one| one.command));
            return Ok(Vec::new());
        }
        Ok(answered)
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        self.inner.lock(stream)
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries(stream, after)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.inner.balance(account)
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        self.inner.books()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let kept = self.work.iter().rev().find_map(|work| match work {
            Work::Keep(sealed) if sealed.kind == kind && sealed.key == key => Some(sealed.value.clone()),
            _ => None,
        });
        kept.map_or_else(|| self.inner.sealed(kind, key), Ok)
    }

    fn fence(&mut self, lease: &Lease) {
        if self.bug != PlantedBug::StaleOwnerAccepted {
            self.work.push(Work::Fence(lease.clone()));
        }
    }

    fn append(&mut self, entry: Entry) {
        self.work.push(Work::Append(Box::new(entry)));
    }

    fn answer(&mut self, answered: Answered) {
        let is_lost = self.bug == PlantedBug::AnswerLost && self.affected;
        if !is_lost && !self.known.contains(&answered.command) {
            self.work.push(Work::Answer(answered));
        }
    }

    fn keep(&mut self, sealed: Sealed) {
        if !(self.bug == PlantedBug::SeedLost && sealed.value.is_some() && self.affected) {
            self.work.push(Work::Keep(sealed));
        }
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        if self.affected {
            self.spoil();
        }
        let FaultyTransaction { mut inner, bug, work, unwritten, .. } = *self;
        if bug == PlantedBug::AnsweredBeforeCommit {
            unwritten.with(|late| *late = work);
            return Ok(());
        }
        for work in work {
            work.replay(&mut *inner);
        }
        match inner.commit() {
            Err(StoreError::Full(_)) if bug == PlantedBug::FullReportedAsDone => Ok(()),
            committed => committed,
        }
    }
}

impl FaultyTransaction<'_> {
    /// Changes what is about to be written.
    fn spoil(&mut self) {
        let last = self.work.iter().rposition(|work| matches!(work, Work::Append(_)));
        let Some(last) = last else { return };
        let Work::Append(entry) = &mut self.work[last] else { return };
        match self.bug {
            PlantedBug::EntryDropped => {
                self.work.remove(last);
            }
            PlantedBug::EntryChanged => entry.body.json = entry.body.json.replacen('1', "2", 1),
            PlantedBug::TransferDropped => {
                entry.transfers.pop();
            }
            PlantedBug::TransferDoubled => {
                let twice = entry.transfers.last().cloned();
                entry.transfers.extend(twice);
            }
            _ => {}
        }
    }
}
