//! Which tables a node runs, where several nodes share a log. A lease is renewed while its node lives; when one ends,
//! any node may take the table, and the round it finds there is interrupted as by a power failure (5.16).

use std::collections::BTreeMap;
use std::time::Duration;

use jackpot::TableId;
use journal::{Actor, Command, CommandId, Hash, Lease, NodeId, StoreError, Stream, TableCommand, Version};
use sha2::{Digest, Sha256};

use super::answer::{Answer, Request};
use super::recovery::Interrupted;
use super::{Failure, Node};

/// How often leases are renewed within their term: some renewals may fail before a table is lost.
const RENEWALS_A_TERM: u32 = 4;

/// The leases of a node, and who has the others.
#[derive(Debug, Default)]
pub(super) struct Leases {
    own: BTreeMap<TableId, Lease>,
    others: BTreeMap<TableId, NodeId>,
    /// When they are renewed next, by the node's clock.
    pub(super) renewal: Duration,
}

impl Leases {
    /// The lease of a table that is run here.
    pub(super) fn own(&self, table: &TableId) -> Option<&Lease> {
        self.own.get(table)
    }
}

impl Node {
    /// Whether a table is run here.
    pub fn is_run_here(&self, table: &TableId) -> bool {
        self.leases.as_ref().is_none_or(|leases| leases.own.contains_key(table))
    }

    /// Which other node runs a table, as far as it is known.
    pub(super) fn runs(&self, table: &TableId) -> Option<NodeId> {
        self.leases.as_ref()?.others.get(table).cloned()
    }

    /// Whether a table is run here, or can be because nobody has opened it yet.
    pub(super) fn may_run(&mut self, table: &TableId) -> Result<bool, StoreError> {
        if !self.is_run_here(table) && self.memory.floor.table(table).is_none() {
            // Another node may have opened it and died before this one learned of it.
            self.take_over(table)?;
        }
        Ok(self.is_run_here(table))
    }

    /// Takes a table, where nobody else has it.
    fn lease(&mut self, table: &TableId) -> Result<bool, StoreError> {
        let lease = self.store.lease(table, &self.setup.node, self.setup.lease_term)?;
        let Some(leases) = &mut self.leases else {
            return Ok(true);
        };
        match lease {
            Some(lease) => {
                leases.others.remove(table);
                leases.own.insert(table.clone(), lease);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Another node has a table now.
    pub(super) fn lose(&mut self, table: &TableId) {
        if let Some(leases) = &mut self.leases {
            leases.own.remove(table);
            // Ask at once who has it.
            leases.renewal = Duration::ZERO;
        }
    }

    /// Renews the leases, learns who has the others, and takes over the tables that nobody has.
    pub(super) fn renew_leases(&mut self) -> Result<Vec<Interrupted>, StoreError> {
        let Some(leases) = &mut self.leases else {
            return Ok(Vec::new());
        };
        let node = &self.setup.node;
        let renewed = self.store.renew(node, self.setup.lease_term)?;
        let is_known = |lease: &Lease| leases.own.get(&lease.table) == Some(lease);
        let (own, unknown): (Vec<Lease>, Vec<Lease>) = renewed.into_iter().partition(is_known);
        leases.own = own.into_iter().map(|lease| (lease.table.clone(), lease)).collect();
        // These belong to a process of the same name that ended or hangs, or were taken here and the answer was lost. They
        // are released and then taken like any free table, under a higher epoch: the failure is reported to their rounds,
        // and the earlier holder cannot write any more.
        for lease in unknown {
            self.store.release(&lease)?;
        }
        let held = self.store.leases()?.into_iter().filter(|lease| lease.node != *node);
        leases.others = held.map(|lease| (lease.table, lease.node)).collect();
        let until_renewal = self.setup.lease_term.checked_div(RENEWALS_A_TERM).unwrap_or_default();
        leases.renewal = self.setup.clock.monotonic().saturating_add(until_renewal);
        self.release_unopened()?;
        let taken = self.take_over_free();
        let others = self.leases.iter().flat_map(|leases| &leases.others);
        self.board.post_nodes(others.map(|(table, node)| (table.clone(), node.clone())));
        taken
    }

    /// Gives up leases of tables that were refused when they were to be opened.
    fn release_unopened(&mut self) -> Result<(), StoreError> {
        let Some(leases) = &mut self.leases else {
            return Ok(());
        };
        let floor = &self.memory.floor;
        let unopened: Vec<Lease> =
            leases.own.values().filter(|lease| floor.table(&lease.table).is_none()).cloned().collect();
        for lease in unopened {
            leases.own.remove(&lease.table);
            self.store.release(&lease)?;
        }
        Ok(())
    }

    fn take_over_free(&mut self) -> Result<Vec<Interrupted>, StoreError> {
        let Some(leases) = &self.leases else {
            return Ok(Vec::new());
        };
        let known = |table: &TableId| leases.own.contains_key(table) || leases.others.contains_key(table);
        let tables = self.memory.floor.tables().map(|table| table.id().clone());
        let free: Vec<TableId> = tables.filter(|table| !known(table)).collect();
        let mut interrupted = Vec::new();
        for table in free {
            match self.take_over(&table) {
                Ok(taken) => interrupted.extend(taken),
                Err(error) if interrupted.is_empty() => return Err(error),
                // Report those that were taken first.
                Err(_) => break,
            }
        }
        Ok(interrupted)
    }

    /// Takes a table over, and reports the failure to its round before anybody plays. Where that fails the table is taken
    /// again at the next renewal.
    fn take_over(&mut self, table: &TableId) -> Result<Option<Interrupted>, StoreError> {
        if !self.lease(table)? {
            return Ok(None);
        }
        let stream = Stream::Table(table.clone());
        let known = self.memory.head(&stream).version;
        let caught_up = self.catch_up(BTreeMap::from([(stream, known)]));
        let interrupted = caught_up.and_then(|()| self.interrupt(table));
        if interrupted.is_err() {
            self.lose(table);
        }
        interrupted
    }

    /// Reports a power failure to a round in play, once. The id of the command comes from where the stream ends, so that
    /// reporting again after the next failure, with nothing played in between, changes nothing.
    pub(super) fn interrupt(&mut self, table: &TableId) -> Result<Option<Interrupted>, StoreError> {
        let Some(state) = self.memory.floor.table(table) else {
            return Ok(None);
        };
        if !state.round().stage().is_in_play() {
            return Ok(None);
        }
        let round = state.number();
        let stream = Stream::Table(table.clone());
        let version = self.memory.head(&stream).version;
        if !self.was_reported(&stream, version)? {
            let command = TableCommand::Round(round::Command::ReportPowerFailure);
            let command = Command::Table { table: table.clone(), command };
            let request = Request::new(failure_id(&stream, version), Actor::System, command);
            match self.turn(std::slice::from_ref(&request)).pop() {
                Some(Ok(Answer::Done(_))) => {}
                // It failed before, and play has not been resumed since.
                Some(Ok(Answer::Refused(refusal))) if refusal.reason == "PowerIsOut" => {}
                Some(Err(Failure::NotHere { .. })) => return Ok(None),
                other => {
                    let what = format!("the power failure at table {table} could not be reported: {other:?}");
                    return Err(StoreError::Unavailable(what));
                }
            }
        }
        let table = table.clone();
        let state = self.memory.floor.table(&table);
        let established = state.is_some_and(|state| state.round().outcome_is_established());
        Ok(Some(Interrupted { table, round, established }))
    }

    /// Whether the newest entry of a stream is a node's report of a power failure.
    fn was_reported(&mut self, stream: &Stream, version: Version) -> Result<bool, StoreError> {
        let before = Version(version.0.saturating_sub(1));
        let newest = self.store.entries(stream, before, 1)?;
        Ok(newest.first().is_some_and(|entry| entry.command == failure_id(stream, before)))
    }

    /// Releases every table, for other nodes to take at once.
    pub(super) fn release_all(&mut self) -> Result<(), StoreError> {
        let own = self.leases.iter_mut().flat_map(|leases| std::mem::take(&mut leases.own).into_values());
        own.into_iter().try_for_each(|lease| self.store.release(&lease))
    }
}

/// The id under which a power failure is reported to a stream that ends at a version.
fn failure_id(stream: &Stream, version: Version) -> CommandId {
    let mut hasher = Sha256::new();
    hasher.update(b"megalink.power-failure.1");
    hasher.update(stream.to_string());
    hasher.update(version.0.to_be_bytes());
    Hash(hasher.finalize().into()).into()
}
