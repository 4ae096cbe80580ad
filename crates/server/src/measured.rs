//! A store whose commits are timed and whose entries are counted: what this node wrote, not what others did.

use std::time::{Duration, Instant};

use jackpot::TableId;
use journal::checkpoint::{Checkpoint, Signer};
use journal::{
    Account, Amount, Answered, CommandId, Entry, Head, Lease, Listener, NodeId, Reader, Sealed, Store,
    StoreError, Stream, Subject, Transaction, Version, Wanted,
};

/// A store that is measured.
pub(crate) struct Measured(pub Box<dyn Store>);

impl Reader for Measured {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        self.0.heads()
    }

    fn headless(&mut self) -> Result<Vec<String>, StoreError> {
        self.0.headless()
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.0.entries(stream, after, limit)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Wanted,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.0.about(stream, subject, wanted, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.0.answered(command)
    }

    fn missing_answers(&mut self, commands: &[CommandId]) -> Result<Vec<CommandId>, StoreError> {
        self.0.missing_answers(commands)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.0.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.0.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.0.sealed_all(kind)
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        self.0.checkpoints(after, limit)
    }

    fn last_checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        self.0.last_checkpoint()
    }
}

impl Store for Measured {
    fn begin(&mut self) -> Result<Box<dyn Transaction + '_>, StoreError> {
        let transaction = self.0.begin()?;
        Ok(Box::new(Timed { transaction, began: Instant::now(), commands: 0, entries: 0 }))
    }

    fn reader(&self) -> Result<Box<dyn Reader>, StoreError> {
        self.0.reader()
    }

    fn listener(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        self.0.listener()
    }

    fn checkpoint(&mut self, signer: &Signer) -> Result<Option<Checkpoint>, StoreError> {
        let began = Instant::now();
        let checkpoint = self.0.checkpoint(signer)?;
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
        let lease = self.0.lease(table, node, term)?;
        if let Some(lease) = &lease {
            tracing::info!(%table, epoch = lease.epoch, "this node runs the table");
        }
        Ok(lease)
    }

    fn renew(&mut self, node: &NodeId, term: Duration) -> Result<Vec<Lease>, StoreError> {
        let leases = self.0.renew(node, term)?;
        metrics::gauge!("megalink_tables_run_here")
            .set(f64::from(u32::try_from(leases.len()).unwrap_or(u32::MAX)));
        Ok(leases)
    }

    fn release(&mut self, lease: &Lease) -> Result<(), StoreError> {
        self.0.release(lease)?;
        tracing::info!(table = %lease.table, epoch = lease.epoch, "this node gave the table up");
        Ok(())
    }

    fn leases(&mut self) -> Result<Vec<Lease>, StoreError> {
        self.0.leases()
    }
}

/// A transaction that is timed.
struct Timed<'a> {
    transaction: Box<dyn Transaction + 'a>,
    began: Instant,
    commands: u64,
    entries: u64,
}

impl Transaction for Timed<'_> {
    fn answered(&mut self, commands: &[CommandId]) -> Result<Vec<Answered>, StoreError> {
        self.transaction.answered(commands)
    }

    fn lock(&mut self, stream: &Stream) -> Result<Head, StoreError> {
        self.transaction.lock(stream)
    }

    fn entries(&mut self, stream: &Stream, after: Version) -> Result<Vec<Entry>, StoreError> {
        self.transaction.entries(stream, after)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.transaction.balance(account)
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
        let Timed { transaction, began, commands, entries } = *self;
        let flush = Instant::now();
        let done = transaction.commit();
        if done.is_ok() {
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
