//! Somebody restores an older copy of the log. No node that has acknowledged more may start on it, however often it is tried;
//! an operator may accept the loss. Then the newest copy is put back.

use std::collections::BTreeSet;

use floor::node::{Node, Recovery, RecoveryError, recover};
use journal::acknowledged::LostStream;
use journal::sqlite::SqliteStore;
use journal::{Head, Reader as _, Store, StoreError};

use super::World;
use crate::dice::Dice;
use crate::sim::coverage::{Coverage, Fault};
use crate::sim::database::{Connection, Database, RemoteStore, Writers};
use crate::sim::oracle::{Violation, ensure};
use crate::sim::shared::Shared;

/// After how many times of maintenance a copy is made, on average, and how many starts pass before it is restored.
const COPIED_EVERY: u64 = 60;
const RESTORED_EVERY: u64 = 2;

/// How often a start on an older copy is tried.
const TRIES: usize = 2;

/// The streams that have lost their ends, each with the newest entry that was acknowledged.
type Lost = BTreeSet<(String, u64)>;

impl World {
    /// Now and then a copy of the log is made.
    pub(super) fn copy_log(&mut self) {
        if !self.healed && self.older.is_none() && self.apart.one_in(COPIED_EVERY) {
            self.older = Some(self.disk.image());
        }
    }

    /// Sometimes restores the older copy while nothing has the log open, tries to start a machine on it, and puts the newest
    /// one back.
    pub(super) fn try_older_copy(&mut self, machine: usize) -> Result<(), Violation> {
        if self.healed || self.older.is_none() || !self.apart.one_in(RESTORED_EVERY) {
            return Ok(());
        }
        let Some(older) = self.older.take() else { return Ok(()) };
        let (newest, failed) = (self.disk.image(), self.disk.counts().failed);
        self.disk.restore(&older);
        let tried = self.start_on_older_copy(machine);
        self.disk.restore(&newest);
        // A disk that is failing has the last word on a start.
        if self.disk.counts().failed == failed { tried } else { Ok(()) }
    }

    /// Starts a machine on the copy: it must name what the copy lacks, and only start where the loss is accepted.
    fn start_on_older_copy(&self, machine: usize) -> Result<(), Violation> {
        let heads = self.open_store().and_then(|mut log| log.heads());
        let heads = heads.map_err(|error| Violation(format!("an older copy cannot be read: {error}")))?;
        let is_there = |noted: &Head| {
            heads.iter().any(|head| head.stream == noted.stream && noted.version <= head.version)
        };
        let noted = self.machines[machine].setup_of_trial(&self.signer, &self.plan).acknowledged;
        let missing = noted.into_iter().map(|noted| noted.head).filter(|head| !is_there(head));
        let missing: Lost = missing.map(|head| (head.stream.to_string(), head.version.0)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.coverage.fault(Fault::OlderCopy);
        for _ in 0..TRIES {
            match self.start_once(machine, None) {
                Err(RecoveryError::Acknowledged(lost)) => {
                    ensure!(named(&lost) == missing, "M21: the log lacks {missing:?}, and {lost:?} is named");
                }
                Err(error) => return Err(Violation(format!("M21: an older copy is refused as: {error}"))),
                Ok(_) => {
                    return Err(Violation(format!("M21: a node starts on a log that lacks {missing:?}")));
                }
            }
        }
        let accepted = self.start_once(machine, Some("the newest copy is lost".to_owned()));
        let (node, recovery) =
            accepted.map_err(|error| Violation(format!("M21: an accepted loss does not start: {error}")))?;
        let lost = node.floor().house().losses().iter().map(|(_, lost)| lost.clone()).collect::<Vec<_>>();
        ensure!(named(&recovery.lost) == missing, "M21: {missing:?} is lost, and {recovery:?} is accepted");
        ensure!(named(&lost).is_superset(&missing), "M21: {missing:?} is lost, and the log lists {lost:?}");
        Ok(())
    }

    /// Starts a machine on the log as it is now, with or without a loss accepted.
    fn start_once(&self, machine: usize, accepts: Option<String>) -> Result<(Node, Recovery), RecoveryError> {
        let mut setup = self.machines[machine].setup_of_trial(&self.signer, &self.plan);
        setup.accept_rollback = accepts;
        recover(self.older_store(machine)?, self.library.clone(), setup)
    }

    /// The restored log as a node sees it, over a connection that works.
    fn older_store(&self, machine: usize) -> Result<Box<dyn Store>, StoreError> {
        let store = self.open_store()?;
        if self.database.is_none() {
            return Ok(Box::new(store));
        }
        Ok(Box::new(self.remote(machine, store)))
    }

    fn remote(&self, machine: usize, store: SqliteStore) -> RemoteStore {
        let database = Shared::new(Database { store: Some(store), disk: self.disk.clone() });
        let connection = Connection {
            dice: Dice::new(0),
            crash_after: None,
            cut: false,
            lost: 0,
            conflicts: 0,
            coverage: Shared::<Coverage>::default(),
        };
        let writers = Shared::<Writers>::default();
        RemoteStore { database, connection: Shared::new(connection), node: self.node_id(machine), writers }
    }
}

fn named(lost: &[LostStream]) -> Lost {
    lost.iter().map(|lost| (lost.stream.clone(), lost.acknowledged)).collect()
}
