//! Which tables a node runs, where several nodes share a log. A lease is renewed while its node lives; when one ends,
//! any node may take the table, and the round it finds there is interrupted as by a power failure (5.16).

use std::collections::BTreeMap;
use std::time::Duration;

use jackpot::TableId;
use journal::{
    Actor, Command, CommandId, Hash, Lease, NodeId, Presence, StoreError, Stream, TableCommand, Version,
};
use sha2::{Digest, Sha256};

use super::answer::{Answer, Request};
use super::recovery::Interrupted;
use super::{Failure, Node};

/// How often leases are renewed within their term: some renewals may fail before a table is lost.
const RENEWALS_A_TERM: u32 = 4;

/// How often it is looked who is connected, where that can be seen.
const LOOK: Duration = Duration::from_millis(250);

/// A node that holds tables and has not been connected for so long is dead: one that lost its connection has opened
/// another by then.
const GONE_MAX: Duration = Duration::from_millis(750);

/// A node that has its share of the tables leaves a free one to the others for so long.
const LEFT_TO_OTHERS: Duration = Duration::from_secs(1);

/// After an offered table was not taken by another node, none is offered for so long.
const NOT_TAKEN: Duration = Duration::from_secs(30);

/// The leases of a node, and who has the others.
#[derive(Debug, Default)]
pub(super) struct Leases {
    own: BTreeMap<TableId, Lease>,
    others: BTreeMap<TableId, NodeId>,
    /// When there is something to do next, by the node's clock.
    pub(super) renewal: Duration,
    /// When all leases are renewed next.
    renew_all: Duration,
    /// How many nodes are connected, where that can be seen.
    nodes: Option<usize>,
    /// What the leases were like when they were last read.
    mark: (i64, i64),
    /// The nodes that hold tables and are not connected, and since when.
    gone: BTreeMap<NodeId, Duration>,
    /// The tables that nobody has and that are left to others, and since when.
    left: BTreeMap<TableId, Duration>,
    /// The table that was released for another node to take.
    offered: Option<TableId>,
    /// Until when no table is offered.
    keeps_until: Duration,
}

impl Leases {
    /// How many of so many tables this node should run: all nodes together run them all.
    fn share(&self, tables: usize) -> usize {
        self.nodes.map_or(tables, |nodes| tables.div_ceil(nodes.max(1)))
    }

    /// The lease of a table that is run here.
    pub(super) fn own(&self, table: &TableId) -> Option<&Lease> {
        self.own.get(table)
    }
}

impl Node {
    /// Whether other nodes may share the log.
    pub(super) const fn is_shared(&self) -> bool {
        self.leases.is_some()
    }

    /// Whether other nodes are connected, where that can be seen.
    pub(super) fn has_others(&self) -> bool {
        let nodes = self.leases.as_ref().and_then(|leases| leases.nodes);
        nodes.is_some_and(|nodes| 1 < nodes)
    }

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
            leases.renew_all = Duration::ZERO;
        }
    }

    /// Renews the leases where it is time, learns who has the others, and takes over the tables that nobody has.
    pub(super) fn renew_leases(&mut self) -> Result<Vec<Interrupted>, StoreError> {
        let now = self.setup.clock.monotonic();
        let has_changed = self.look_around(now)?;
        let Some(leases) = &mut self.leases else {
            return Ok(Vec::new());
        };
        if !has_changed && now < leases.renew_all {
            return self.offer_table(now).map(|()| Vec::new());
        }
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
        leases.renew_all = now.saturating_add(until_renewal);
        leases.renewal = leases.renewal.min(leases.renew_all);
        self.release_unopened()?;
        let taken = self.take_over_free(now);
        let others = self.leases.iter().flat_map(|leases| &leases.others);
        self.board.post_nodes(others.map(|(table, node)| (table.clone(), node.clone())));
        taken
    }

    /// Looks who is connected, and ends the leases of nodes that are not. Says whether leases may have changed since the
    /// last look.
    fn look_around(&mut self, now: Duration) -> Result<bool, StoreError> {
        let Some(leases) = &mut self.leases else {
            return Ok(false);
        };
        let Some(Presence { nodes, gone, mark }) = self.store.presence(&self.setup.node)? else {
            leases.renewal = Duration::MAX;
            return Ok(true);
        };
        leases.renewal = now.saturating_add(LOOK);
        leases.nodes = Some(nodes);
        leases.gone.retain(|node, _| gone.contains(node));
        let mut has_changed = mark != leases.mark;
        leases.mark = mark;
        for node in gone {
            let since = *leases.gone.entry(node.clone()).or_insert(now);
            if GONE_MAX <= now.saturating_sub(since) {
                self.store.end_leases(&node)?;
                leases.gone.remove(&node);
                has_changed = true;
            }
        }
        Ok(has_changed)
    }

    /// Releases one table between two rounds, where this node runs more than its share and another less.
    fn offer_table(&mut self, now: Duration) -> Result<(), StoreError> {
        let Some(leases) = &mut self.leases else {
            return Ok(());
        };
        let floor = &self.memory.floor;
        let is_taken = leases.offered.as_ref().is_none_or(|offered| leases.others.contains_key(offered));
        if leases.own.len() <= leases.share(floor.tables().count()) || !is_taken || now < leases.keeps_until {
            return Ok(());
        }
        let is_between_rounds =
            |table: &TableId| floor.table(table).is_some_and(|table| !table.round().stage().is_in_play());
        let offered = leases.own.values().rev().find(|lease| is_between_rounds(&lease.table)).cloned();
        if let Some(lease) = offered {
            self.store.release(&lease)?;
            leases.own.remove(&lease.table);
            leases.left.insert(lease.table.clone(), now);
            leases.offered = Some(lease.table);
            leases.renew_all = now.saturating_add(LOOK);
        }
        Ok(())
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

    fn take_over_free(&mut self, now: Duration) -> Result<Vec<Interrupted>, StoreError> {
        let Some(leases) = &mut self.leases else {
            return Ok(Vec::new());
        };
        let tables: Vec<TableId> = self.memory.floor.tables().map(|table| table.id().clone()).collect();
        let mut room = leases.share(tables.len()).saturating_sub(leases.own.len());
        let known = |table: &TableId| leases.own.contains_key(table) || leases.others.contains_key(table);
        let free: Vec<TableId> = tables.into_iter().filter(|table| !known(table)).collect();
        leases.left.retain(|table, _| free.contains(table));
        let mut mine = Vec::new();
        for table in free {
            let left = *leases.left.entry(table.clone()).or_insert(now);
            let is_offered = leases.offered.as_ref() == Some(&table);
            let is_left = LEFT_TO_OTHERS <= now.saturating_sub(left);
            if is_left || (0 < room && !is_offered) {
                room = room.saturating_sub(1);
                leases.left.remove(&table);
                mine.push(table);
            }
            if is_left && is_offered {
                leases.offered = None;
                leases.keeps_until = now.saturating_add(NOT_TAKEN);
            }
        }
        if !leases.left.is_empty() {
            leases.renew_all = leases.renewal;
        }
        let mut interrupted = Vec::new();
        for table in mine {
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
            let command = TableCommand::Round(round::Command::ReportPowerFailure {});
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
