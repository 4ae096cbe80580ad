//! The end of a run: all faults stop, every request is answered, every round is finished, and the log is checked
//! against everything that was published.

use std::path::{Path, PathBuf};

use floor::audit;
use floor::node::{Answer, Failure, Request};
use floor::{Command, DeskCommand, TableCommand};
use jackpot::TableId;
use journal::archive::{self, Joined};
use journal::verify::{Known, verify_log};
use journal::{Actor, CommandId, Hash, Reader, StoreError, Stream, VaultKey, Version};
use sha2::{Digest, Sha256};

use super::World;
use super::machines::check_acknowledged;
use crate::sim::coverage::Fault;
use crate::sim::forged::forge;
use crate::sim::keys::{check_checkpoints, check_retired};
use crate::sim::oracle::{Violation, ensure};
use crate::sim::workload::staff;

/// How many steps it may take to answer every request once faults have stopped.
const ANSWER_STEPS_MAX: u64 = 20_000;

/// How many steps it may take until every node has read everything.
const READ_STEPS_MAX: u64 = 1_000;

/// In one run of how many a state is forged.
const FORGED_EVERY: u64 = 12;

/// Whether the log with its archives does not open where the oldest archive is missing.
const OLDEST_IS_MISSED: bool = false;

/// How many commands it may take to finish a round, and how often one may be sent.
const FINISH_COMMANDS_MAX: u32 = 200;
const ATTEMPTS_MAX: u32 = 400;

impl World {
    /// Stops all faults and finishes every round. Returns the digest of the whole log.
    pub(super) fn heal(&mut self) -> Result<Hash, Violation> {
        self.healed = true;
        self.disk.heal();
        self.planned_fault = None;
        for machine in &mut self.machines {
            machine.paused_until = 0;
            machine.clock.adjust(|clock| clock.rate_permille = 1_000);
        }
        self.set_connection_rates(0, 0);
        for machine in 0..self.machines.len() {
            if self.machines[machine].has_crashed() {
                self.stop_machine(machine);
            }
            self.machines[machine].connection.with(|connection| connection.crash_after = None);
        }
        self.answer_all_requests()?;
        let tables: Vec<TableId> = self.plan.tables.iter().map(|table| table.name.clone()).collect();
        for table in &tables {
            self.finish(table)?;
        }
        if self.plan.closes {
            self.close_a_link()?;
        }
        self.read_all()?;
        self.check_all()?;
        self.oracle.check_final()?;
        self.close()
    }

    fn answer_all_requests(&mut self) -> Result<(), Violation> {
        for _ in 0..ANSWER_STEPS_MAX {
            let pending = self.clients.iter().any(|client| client.pending.is_some());
            if !pending && self.machines.iter().all(super::Machine::is_up) {
                return Ok(());
            }
            self.step()?;
        }
        let pending = self.clients.iter().filter_map(|client| client.pending.as_ref());
        let pending: Vec<_> = pending.map(|(request, attempts)| (&request.command, attempts)).collect();
        Err(Violation(format!("liveness: not answered after all faults stopped: {pending:?}")))
    }

    /// Every node reads all that the others wrote.
    fn read_all(&mut self) -> Result<(), Violation> {
        for _ in 0..READ_STEPS_MAX {
            if self.behind().is_none() {
                self.check_log()?;
            }
            if self.behind().is_none() {
                return Ok(());
            }
            self.step()?;
        }
        let behind = self.behind().unwrap_or_default();
        Err(Violation(format!("liveness: not read after all faults stopped: {behind}")))
    }

    /// A node that is down, or that has not read the newest entry of a stream.
    fn behind(&self) -> Option<String> {
        let streams = self.streams();
        self.machines.iter().find_map(|machine| {
            let Some(node) = &machine.node else { return Some(format!("{} is down", machine.name)) };
            let known = |stream: &Stream| node.board().head(stream).map_or(Version(0), |head| head.version);
            let behind = streams.iter().find(|stream| known(stream) != self.oracle.version(stream))?;
            let (has, newest) = (known(behind), self.oracle.version(behind));
            Some(format!("{} has {behind} up to entry {has}, and it ends with {newest}", machine.name))
        })
    }

    /// Plays the round of a table to its end.
    fn finish(&mut self, id: &TableId) -> Result<(), Violation> {
        for number in 0..FINISH_COMMANDS_MAX {
            let Some(table) = self.oracle.floor().table(id).cloned() else {
                return Ok(());
            };
            if !table.round().stage().is_in_play() {
                return Ok(());
            }
            let Some((actor, command)) = self.workload.finish(&table) else {
                return Err(Violation(format!(
                    "liveness: no command finishes the round of {id} in stage {:?}",
                    table.round().stage()
                )));
            };
            let settles = command == TableCommand::Round(round::Command::Settle {});
            let link = table.setup().link.clone().filter(|_| settles);
            if let Some(link) = &link
                && self.oracle.floor().link(link).is_some_and(|desk| !desk.link().faults().is_empty())
            {
                self.withdraw_proposals()?;
                self.clear_faults(link)?;
            }
            if let Some(link) = link
                && self.oracle.floor().link(&link).is_some_and(|desk| desk.link().is_lost(id))
            {
                let command = DeskCommand::RestoreTable { table: id.clone() };
                self.retry_until_done(id, 2 * number, &staff("Gus"), &Command::Desk { link, command })?;
                continue;
            }
            let command = Command::Table { table: id.clone(), command };
            self.retry_until_done(id, 2 * number + 1, &actor, &command)?;
        }
        Err(Violation(format!(
            "liveness: the round of {id} is not finished after {FINISH_COMMANDS_MAX} commands"
        )))
    }

    /// Sends a request to each node in turn until it is done. Also stops if something else happened at the table, for
    /// example if a node took it over and recorded a power failure (5.16).
    fn retry_until_done(
        &mut self,
        id: &TableId,
        number: u32,
        actor: &Actor,
        command: &Command,
    ) -> Result<(), Violation> {
        let stream = Stream::Table(id.clone());
        let before = self.oracle.version(&stream);
        let request = Request::new(finish_id(id, number), actor.clone(), command.clone());
        for attempt in 0..ATTEMPTS_MAX {
            let machine = attempt as usize % self.machines.len();
            let Some(node) = self.machines[machine].node.as_mut() else {
                self.step()?;
                continue;
            };
            let reply = node.turn(std::slice::from_ref(&request)).pop();
            self.after(machine)?;
            match reply {
                Some(Ok(Answer::Done(_))) => return Ok(()),
                Some(Ok(Answer::Refused(_))) if self.oracle.version(&stream) != before => return Ok(()),
                Some(Ok(Answer::Refused(refusal))) => {
                    return Err(Violation(format!("liveness: {command:?} was refused: {refusal}")));
                }
                // Time must pass: leases expire, and other nodes take the tables over.
                Some(Err(Failure::NotHere { .. } | Failure::Unavailable(_))) => self.step()?,
                other => return Err(Violation(format!("liveness: {command:?}: {other:?}"))),
            }
        }
        Err(Violation(format!("liveness: {command:?} is not answered after {ATTEMPTS_MAX} attempts")))
    }

    /// Closes every node, then opens the log on its own and verifies it.
    fn close(&mut self) -> Result<Hash, Violation> {
        for machine in &mut self.machines {
            machine.reader = None;
            if let Some(node) = machine.node.take() {
                node.close().map_err(|failure| Violation(format!("a node does not close: {failure}")))?;
            }
        }
        if let Some(database) = &self.database {
            database.with(|database| database.store = None);
        }
        self.lose_an_archive()?;
        let log = &mut *self
            .whole_log()?
            .map_err(|error| Violation(format!("the archives do not fit: {error}")))?;
        self.oracle.catch_up(log)?;
        self.oracle.check_money(log)?;
        for (id, kept) in &self.acknowledged {
            check_acknowledged(log, *id, kept)?;
        }
        let changes = check_checkpoints(log, &self.oracle.signed)?;
        self.coverage.with(|coverage| coverage.keys_changed += changes as u64);
        let known = Known { keys: vec![self.known_key(log)?], ..Known::default() };
        let verified = verify_log(log, &known, &mut |_| ());
        ensure!(matches!(verified, Ok(Ok(_))), "M12: {verified:?}");
        check_retired(log, &self.signer)?;
        self.audit(log)?;
        self.forge_a_state(log)?;
        digest(log)
    }

    /// The log with its archives, or why they do not fit.
    fn whole_log(&self) -> Result<Result<Box<dyn Reader>, StoreError>, Violation> {
        let log = self.open_store().map_err(|error| Violation(format!("the log does not open: {error}")))?;
        let Some(archives) = &self.archives else { return Ok(Ok(Box::new(log))) };
        let joined = Joined::open(Box::new(log), archives.path());
        Ok(joined.map(|joined| Box::new(joined) as Box<dyn Reader>))
    }

    /// M22: where an archive is missing, the log with its archives does not open. Without the newest one it may: the log
    /// can still have all of it.
    fn lose_an_archive(&mut self) -> Result<(), Violation> {
        let Some(archives) = &self.archives else { return Ok(()) };
        let first = usize::from(!OLDEST_IS_MISSED);
        let files = archive_files(archives.path());
        let Some(lost) = self.apart.any(files.get(first..files.len().max(1) - 1).unwrap_or_default()) else {
            return Ok(());
        };
        self.coverage.fault(Fault::ArchiveLost);
        let failed = |error: std::io::Error| Violation(format!("an archive cannot be moved: {error}"));
        let aside = lost.with_extension("aside");
        std::fs::rename(&lost, &aside).map_err(failed)?;
        let is_missed = self.whole_log()?.is_err();
        std::fs::rename(&aside, &lost).map_err(failed)?;
        ensure!(is_missed, "M22: {} is lost, and the log with its archives opens", lost.display());
        Ok(())
    }

    /// M23: where somebody with the keys of the house forges a state that was carried forward, the audit says so.
    fn forge_a_state(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        if !self.apart.one_in(FORGED_EVERY) {
            return Ok(());
        }
        let unreadable = |error| Violation(format!("the log cannot be read: {error}"));
        let forged = forge(log, &self.signer, &mut self.apart).map_err(unreadable)?;
        let Some((mut forged, stream)) = forged else { return Ok(()) };
        self.coverage.fault(Fault::StateForged);
        let findings = self.findings(&mut forged)?.findings;
        let is_found = findings.iter().any(|found| found.kind == audit::Kind::Carried);
        ensure!(is_found, "M23: {stream} was carried forward with a forged state, and the audit passes");
        Ok(())
    }

    /// A key that whoever verifies may know: the first one of the house or, as good, the newest that has signed.
    fn known_key(&mut self, log: &mut dyn Reader) -> Result<[u8; 32], Violation> {
        let last = log.last_checkpoint();
        let last = last.map_err(|error| Violation(format!("the log cannot be read: {error}")))?;
        let newest = last.map(|last| last.key).filter(|_| self.dice.one_in(2));
        Ok(newest.unwrap_or(self.signer.public_key()))
    }

    fn findings(&mut self, log: &mut dyn Reader) -> Result<audit::Report, Violation> {
        let options = audit::Options {
            key: Some(self.known_key(log)?),
            vault_key: Some(VaultKey::derived(&self.signer)),
            ..audit::Options::default()
        };
        audit::verify(log, &self.library, &options, &mut |_, _| ())
            .map_err(|error| Violation(format!("the log cannot be audited: {error}")))
    }

    fn audit(&mut self, log: &mut dyn Reader) -> Result<(), Violation> {
        let report = self.findings(log)?;
        // A seed that was lost on purpose in the round that is last at its table is missed, as it must be.
        let lost: Vec<String> = self.oracle.lost.iter().map(|(table, _)| format!("table/{table}")).collect();
        let excused = |finding: &&audit::Finding| {
            finding.kind == audit::Kind::Shuffle
                && lost.contains(&finding.place)
                && finding.what.ends_with("is neither kept nor opened")
        };
        let findings = report.findings.iter().filter(|finding| !excused(finding));
        let findings: Vec<String> = findings.take(3).map(ToString::to_string).collect();
        ensure!(findings.is_empty() && report.figure == 0, "the audit found: {findings:?}");
        Ok(())
    }
}

/// The archives of a folder, the oldest first.
fn archive_files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder of archives").flatten().map(|file| file.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.to_string_lossy().ends_with(archive::ENDING)).collect();
    files.sort();
    files
}

/// A digest of every hash chain, every checkpoint and every balance.
fn digest(log: &mut dyn Reader) -> Result<Hash, Violation> {
    let unreadable = |error| Violation(format!("the log cannot be read: {error}"));
    let mut hasher = Sha256::new();
    for head in log.heads().map_err(unreadable)? {
        hasher.update(head.stream.to_string());
        hasher.update(head.version.0.to_be_bytes());
        hasher.update(head.hash.0);
    }
    for checkpoint in log.checkpoints(0, usize::MAX).map_err(unreadable)? {
        hasher.update(checkpoint.to_text());
    }
    for (account, held) in log.balances().map_err(unreadable)? {
        hasher.update(account.to_string());
        hasher.update(held.0.to_be_bytes());
    }
    Ok(Hash(hasher.finalize().into()))
}

/// The id of a command that finishes a round.
fn finish_id(table: &TableId, number: u32) -> CommandId {
    Hash(Sha256::digest(format!("{table} {number}")).into()).into()
}
