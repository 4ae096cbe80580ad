//! A log as somebody has altered it, for those who verify it: some entries and checkpoints are other ones.

use std::collections::BTreeMap;

use journal::checkpoint::Checkpoint;
use journal::{
    Account, Amount, Answered, CommandId, Direction, Entry, Head, Reader, StoreError, Stream, Subject,
    Version,
};

/// A log with other entries and checkpoints in the place of its own.
pub(crate) struct Altered<'a> {
    log: &'a mut dyn Reader,
    pub(crate) entries: BTreeMap<(Stream, Version), Entry>,
    pub(crate) checkpoints: BTreeMap<u64, Checkpoint>,
}

impl Altered<'_> {
    /// A log in which nothing is altered yet.
    pub(crate) fn of(log: &mut dyn Reader) -> Altered<'_> {
        Altered { log, entries: BTreeMap::new(), checkpoints: BTreeMap::new() }
    }

    fn resealed(&self, checkpoints: Vec<Checkpoint>) -> Vec<Checkpoint> {
        let instead = |one: Checkpoint| self.checkpoints.get(&one.number).cloned().unwrap_or(one);
        checkpoints.into_iter().map(instead).collect()
    }

    fn rewritten(&self, entry: Entry) -> Entry {
        self.entries.get(&(entry.stream.clone(), entry.version)).cloned().unwrap_or(entry)
    }
}

impl Reader for Altered<'_> {
    fn heads(&mut self) -> Result<Vec<Head>, StoreError> {
        let heads = self.log.heads()?.into_iter();
        let instead =
            |head: Head| self.entries.get(&(head.stream.clone(), head.version)).map_or(head, Entry::head);
        Ok(heads.map(instead).collect())
    }

    fn entries(&mut self, stream: &Stream, after: Version, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let entries = self.log.entries(stream, after, limit)?;
        Ok(entries.into_iter().map(|entry| self.rewritten(entry)).collect())
    }

    fn carried(&mut self, stream: &Stream, up_to: Version) -> Result<Option<Version>, StoreError> {
        self.log.carried(stream, up_to)
    }

    fn about(
        &mut self,
        stream: &Stream,
        subject: &Subject,
        wanted: Direction,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.log.about(stream, subject, wanted, limit)
    }

    fn answered(&mut self, command: CommandId) -> Result<Option<Answered>, StoreError> {
        self.log.answered(command)
    }

    fn balance(&mut self, account: &Account) -> Result<Amount, StoreError> {
        self.log.balance(account)
    }

    fn balances(&mut self) -> Result<Vec<(Account, Amount)>, StoreError> {
        self.log.balances()
    }

    fn sealed(&mut self, kind: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.log.sealed(kind, key)
    }

    fn sealed_all(&mut self, kind: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.log.sealed_all(kind)
    }

    fn checkpoints_back(&mut self, up_to: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let back = self.log.checkpoints_back(up_to, limit)?;
        Ok(self.resealed(back))
    }

    fn checkpoints(&mut self, after: u64, limit: usize) -> Result<Vec<Checkpoint>, StoreError> {
        let page = self.log.checkpoints(after, limit)?;
        Ok(self.resealed(page))
    }
}
