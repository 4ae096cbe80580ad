//! A store whose commits are timed and whose entries are counted: what this node wrote, not what others did. Whatever the
//! node's thread asks of it is watched, so that nobody waits for a database that does not answer.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::archive::Pruning;
use journal::checkpoint::{Checkpoint, Signer};
use journal::{
    Account, Amount, Answered, Books, CommandId, Direction, Entry, FoundBy, Happened, Head, Indexed, Lease,
    Listener, NodeId, Presence, Reader, Sealed, Store, StoreError, Stream, Subject, Transaction, Version,
    Wanted,
};

use crate::writing::Writing;

/// A store that is measured. While the node waits for it, everybody knows.
pub(crate) struct Measured {
    pub(crate) store: Box<dyn Store>,
    pub(crate) writing: Writing,
}

impl Reader for Measured {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.writing.watch(|| self.store.heads())
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.writing.watch(|| self.store.headless())
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.writing.watch(|| self.store.entries(stream, after, limit))
    }

    fn happened(
        &mut self,
        stream: &Stream,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Happened>, StoreError> {
        self.writing.watch(|| self.store.happened(stream, after, limit))
    }

    fn reported(
        &mut self,
        stream: &Stream,
        after: Version,
        up_to: Version,
        by: FoundBy,
    ) -> Result<Option<Vec<Happened>>, StoreError> {
        self.writing.watch(|| self.store.reported(stream, after, up_to, by))
    }

    fn unreported(&mut self) -> Result<BTreeMap<Stream, Version>, StoreError> {
        self.writing.watch(|| self.store.unreported())
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.writing.watch(|| self.store.carried(stream, up_to))
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.writing.watch(|| self.store.about(stream, subject, wanted, limit))
    }

    fn indexed(&mut self, after: &Indexed, limit: usize) -> Result<Option<Vec<Indexed>>, StoreError> {
        self.writing.watch(|| self.store.indexed(after, limit))
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.writing.watch(|| self.store.answered(command))
    }

    fn entries_after(&mut self, known: &[(Stream, Version)], limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.writing.watch(|| self.store.entries_after(known, limit))
    }

    fn answers(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.writing.watch(|| self.store.answers(commands))
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        self.writing.watch(|| self.store.missing_answers(commands))
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.writing.watch(|| self.store.balance(account))
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.writing.watch(|| self.store.balances())
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.writing.watch(|| self.store.sealed(kind, key))
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.writing.watch(|| self.store.sealed_all(kind))
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.writing.watch(|| self.store.checkpoints(after, limit))
    }

    fn handovers(&mut self) -> Result<Vec<Checkpoint>, StoreError> {
        self.writing.watch(|| self.store.handovers())
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.writing.watch(|| self.store.checkpoints_back(up_to, limit))
    }
}

impl Store for Measured {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        let writing = &self.writing;
        let transaction = writing.watch(|| self.store.begin())?;
        Ok(Box::new(Timed { transaction, writing, began: Instant::now(), commands: 0, entries: 0 }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.store.reader()
    }

    fn snapshot(&self) -> Result<Option<Box<dyn Reader>>, StoreError> {
        self.store.snapshot()
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        self.store.listener()
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        let began = Instant::now();
        let checkpoint = self.writing.watch(|| self.store.checkpoint(signer))?;
        if let Some(checkpoint) = &checkpoint {
            metrics::histogram!("megalink_checkpoint_seconds").record(began.elapsed().as_secs_f64());
            tracing::debug!(
                number = checkpoint.number,
                streams = checkpoint.heads.len(),
                "the log was sealed"
            );
        }
        Ok(checkpoint)
    }

    fn lease(&mut self, table: &TableId, node: &NodeId, term: Duration) -> Result<Option<Lease>, StoreError> {
        let lease = self.writing.watch(|| self.store.lease(table, node, term))?;
        if let Some(lease) = &lease {
            tracing::info!(%table, epoch = lease.epoch, "this node runs the table");
        }
        Ok(lease)
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        let leases = self.writing.watch(|| self.store.renew(node, term))?;
        self.writing.note_written();
        metrics::gauge!("megalink_tables_run_here")
            .set(f64::from(u32::try_from(leases.len()).unwrap_or(u32::MAX)));
        Ok(leases)
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.writing.watch(|| self.store.release(lease))?;
        tracing::info!(table = %lease.table, epoch = lease.epoch, "this node gave the table up");
        Ok(())
    }

    fn prune(&mut self, pruning: &Pruning, at_most: usize) -> Result<usize, StoreError> {
        self.writing.watch(|| self.store.prune(pruning, at_most))
    }

    fn presence(&mut self, node: &NodeId) -> Result<Option<Presence>, StoreError> {
        self.writing.watch(|| self.store.presence(node))
    }

    fn end_leases(&mut self, node: &NodeId) -> Result<(), StoreError> {
        self.writing.watch(|| self.store.end_leases(node))?;
        tracing::warn!(node = node.name(), "a node is not connected any more; its tables are taken over");
        Ok(())
    }

    fn risks(&mut self) -> Result<Vec<String>, StoreError> {
        self.store.risks()
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        self.writing.watch(|| self.store.leases())
    }
}

/// A transaction that is timed.
struct Timed<'a> {
    transaction: Box<dyn Transaction + 'a>,
    writing: &'a Writing,
    began: Instant,
    commands: u64,
    entries: u64,
}

impl Transaction for Timed<'_> {
    fn open(&mut self, wanted: &Wanted) -> Result<Vec<Head>, StoreError> {
        self.writing.watch(|| self.transaction.open(wanted))
    }

    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.transaction.answered(commands)
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        self.writing.watch(|| self.transaction.lock(stream))
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        self.transaction.entries(stream, after)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.transaction.balance(account)
    }

    fn books(&mut self) -> Result<Books, StoreError> {
        self.transaction.books()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.transaction.sealed(kind, key)
    }

    fn fence(&mut self, lease: &Lease) {
        self.transaction.fence(lease);
    }

    fn append(&mut self, entry: Entry) {
        self.entries += 1;
        self.transaction.append(entry);
    }

    fn answer(&mut self, answered: Answered) {
        self.commands += 1;
        self.transaction.answer(answered);
    }

    fn keep(&mut self, sealed: Sealed) {
        self.transaction.keep(sealed);
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Timed { transaction, writing, began, commands, entries } = *self;
        let flush = Instant::now();
        let done = writing.watch(|| transaction.commit());
        if done.is_ok() {
            writing.note_written();
            metrics::histogram!("megalink_commit_seconds").record(flush.elapsed().as_secs_f64());
            metrics::histogram!("megalink_batch_seconds").record(began.elapsed().as_secs_f64());
            metrics::counter!("megalink_commands_total").increment(commands);
            metrics::counter!("megalink_entries_total").increment(entries);
        } else {
            metrics::counter!("megalink_commits_failed_total").increment(1);
        }
        done
    }
}
