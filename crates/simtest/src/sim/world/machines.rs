//! What machines do: start from their log, handle requests, maintain themselves, stop.

use floor::node::{Answer, Clock as _, Interrupted, RecoveryError, Request, recover};
use journal::archive::{Pruning, archive_until};
use journal::{CommandId, Moment, StoreError, Stream};

use super::{Event, World};
use crate::sim::coverage::Fault;
use crate::sim::oracle::{Violation, ensure};
use crate::sim::plan::Archiving;

/// How often a node does its maintenance and polls, in milliseconds.
const MAINTAIN_EVERY_MS: u64 = 250;
const POLL_EVERY_MS: u64 = 120;

/// How often, of a thousand times, closed periods are archived after maintenance, and how many entries then go at once.
const ARCHIVED: u64 = 15;
const ARCHIVED_OFTEN: u64 = 100;
const PRUNED_AT_ONCE: usize = 100;

/// How many acknowledged commands are looked up when a node starts. At the end of a run all of them are.
const LOOKED_UP_MAX: usize = 40;

impl World {
    /// Opens the house, its staff and its tables.
    pub(super) fn open(&mut self) -> Result<(), Violation> {
        self.start_database()?;
        self.set_connection_rates(0, 0);
        for machine in 0..self.machines.len() {
            let incarnation = self.machines[machine].incarnation;
            self.start(machine, incarnation)?;
        }
        let opening = self.plan.opening();
        let requests: Vec<Request> = (1..)
            .zip(opening)
            .map(|(number, (actor, command))| Request::new(opening_id(number), actor, command))
            .collect();
        let Some(first) = self.machines.iter().position(super::Machine::is_up) else {
            return Err(Violation("no node starts on an empty log".to_owned()));
        };
        let node = self.machines[first].node.as_mut().expect("it is up");
        let replies = node.turn(&requests);
        self.after(first)?;
        let refused = replies.iter().find(|reply| !matches!(reply, Ok(Answer::Done(_))));
        ensure!(refused.is_none(), "the floor does not open: {refused:?}");
        self.set_connection_rates(self.plan.rates.database, self.plan.rates.conflicts);
        for client in 0..self.clients.len() {
            let after = self.dice.within(1, 50);
            self.schedule(after, Event::NextRequest(client));
        }
        self.first_fault();
        Ok(())
    }

    /// Sets how much is lost between the nodes and their database.
    pub(super) fn set_connection_rates(&self, lost: u64, conflicts: u64) {
        for machine in &self.machines {
            machine.connection.with(|connection| {
                (connection.cut, connection.lost, connection.conflicts) = (false, lost, conflicts);
            });
        }
    }

    /// Starts a machine, unless it was started since. If it cannot start, the reason must be temporary.
    pub(super) fn start(&mut self, machine: usize, incarnation: u64) -> Result<(), Violation> {
        if self.machines[machine].incarnation != incarnation || self.machines[machine].is_up() {
            return Ok(());
        }
        if self.database.is_none() {
            self.try_older_copy(machine)?;
        }
        let failed = self.disk.counts().failed;
        let setup = self.machines[machine].setup(&self.signer, &self.plan);
        let library = self.library.clone();
        let crash_after = self.may_crash_within(60);
        self.machines[machine].connection.with(|connection| connection.crash_after = crash_after);
        let started = match self.store_for(machine) {
            Ok(store) => recover(store, library, setup),
            Err(error) => Err(RecoveryError::Log(error)),
        };
        // Everything that it published while it started must be in the log, even if it did not finish starting.
        let published = self.machines[machine].published.with(std::mem::take);
        published.iter().try_for_each(|one| self.oracle.receive(one))?;
        match started {
            Ok((mut node, recovery)) => {
                self.log(&format_args!("{} starts: {recovery:?}", self.machines[machine].name));
                self.coverage.with(|coverage| coverage.recoveries += 1);
                let there = &mut self.machines[machine];
                there.listener = node.take_listener();
                let heads = node.board().heads().into_iter();
                there.versions = heads.map(|head| (head.stream, head.version)).collect();
                there.node = Some(node);
                self.check_recovered(machine, &recovery.interrupted)?;
                self.schedule(MAINTAIN_EVERY_MS, Event::Maintain(machine));
                self.schedule(POLL_EVERY_MS, Event::Poll(machine));
                Ok(())
            }
            Err(error) => self.recovery_failed(machine, &error, failed),
        }
    }

    fn recovery_failed(
        &mut self,
        machine: usize,
        error: &RecoveryError,
        failed: u64,
    ) -> Result<(), Violation> {
        let disk_failed = self.disk.counts().failed != failed;
        let is_temporary = match error {
            RecoveryError::Log(StoreError::Unavailable(_) | StoreError::Conflict(_)) => true,
            RecoveryError::Floor(_) => self.database.is_some() || disk_failed,
            RecoveryError::Log(_) => disk_failed || self.machines[machine].has_crashed(),
            RecoveryError::Findings(_)
            | RecoveryError::Witnessed(_)
            | RecoveryError::Acknowledged(_)
            | RecoveryError::NoRollback
            | RecoveryError::Money(_)
            | RecoveryError::Practice
            | RecoveryError::NotPractice
            | RecoveryError::Unnamed
            | RecoveryError::WrongKey => false,
        };
        ensure!(is_temporary, "a node does not start: {error}");
        self.log(&format_args!("{} does not start: {error}", self.machines[machine].name));
        self.machines[machine].stop();
        if self.database.is_none() {
            self.disk.kill();
        }
        let (incarnation, after) = (self.machines[machine].incarnation, self.dice.within(50, 400));
        self.schedule(after, Event::Start { machine, incarnation });
        Ok(())
    }

    /// Checks a node that has started: no acknowledged command is missing, and it reports rounds in play as the log has
    /// them (M11).
    fn check_recovered(&mut self, machine: usize, interrupted: &[Interrupted]) -> Result<(), Violation> {
        let newest: Vec<(CommandId, (journal::Hash, String))> = self
            .acknowledged
            .iter()
            .rev()
            .take(LOOKED_UP_MAX)
            .map(|(id, kept)| (*id, kept.clone()))
            .collect();
        self.unless_disk_fails(|world| {
            let checked = world.with_log(|oracle, log| {
                oracle.catch_up(log)?;
                oracle.check_money(log)?;
                newest.iter().try_for_each(|(id, kept)| check_acknowledged(log, *id, kept))
            });
            checked.unwrap_or(Ok(()))
        })?;
        if self.database.is_none() {
            let in_play = self.oracle.floor().tables().filter(|table| table.round().stage().is_in_play());
            for table in in_play {
                let reported = interrupted.iter().any(|one| one.table == *table.id());
                ensure!(reported, "M11: no power failure was recorded for table {}", table.id());
            }
        }
        for one in interrupted {
            let Some(table) = self.oracle.floor().table(&one.table) else { continue };
            let stream = Stream::Table(one.table.clone());
            if self.machines[machine].versions.get(&stream) != Some(&self.oracle.version(&stream)) {
                // The log has failed again since. The oracle does not know yet what the node knows.
                continue;
            }
            let round = table.round();
            let interrupted = round.is_interrupted();
            ensure!(
                interrupted != one.established && table.number() == one.round,
                "M11: the node reports {one:?}, but play waits: {interrupted}"
            );
        }
        self.after(machine)
    }

    /// A node handles its queue in one turn and answers.
    pub(super) fn turn(&mut self, machine: usize) -> Result<(), Violation> {
        let (now, there) = (self.now, &mut self.machines[machine]);
        if now < there.paused_until {
            let wait = there.paused_until - now;
            self.schedule(wait, Event::Turn(machine));
            return Ok(());
        }
        let waiting = std::mem::take(&mut there.queue);
        let Some(node) = &mut there.node else {
            return Ok(());
        };
        let (requests, senders): (Vec<Request>, Vec<_>) = waiting.into_iter().unzip();
        let replies = node.turn(&requests);
        for (request, (sender, reply)) in requests.into_iter().zip(senders.into_iter().zip(replies)) {
            self.answer(machine, request, sender, reply);
        }
        self.after(machine)
    }

    /// Gives the oracle what a node has published, and checks its floor. A node that has stopped is restarted.
    pub(super) fn after(&mut self, machine: usize) -> Result<(), Violation> {
        let violation = self.writers.with(|writers| writers.fence_violations.pop());
        ensure!(violation.is_none(), "{}", violation.unwrap_or_default());
        let published = self.machines[machine].published.with(std::mem::take);
        let mut streams: Vec<Stream> = Vec::new();
        let lacks = self.lacks_pruned(machine);
        for one in &published {
            let entry = &one.0;
            let there = &mut self.machines[machine];
            let last = there.versions.entry(entry.stream.clone()).or_default();
            let skips = lacks && last.next() < entry.version;
            ensure!(
                entry.version == last.next() || skips,
                "M12: {} published {} entry {} after {last}",
                there.name,
                entry.stream,
                entry.version
            );
            if skips {
                self.coverage.fault(Fault::PrunedAhead);
            }
            *last = entry.version;
            self.oracle.receive(one)?;
            if !streams.contains(&entry.stream) {
                streams.push(entry.stream.clone());
            }
        }
        if self.oracle.has_negative_account() {
            self.check_log()?;
        }
        let Some(node) = &self.machines[machine].node else {
            return Ok(());
        };
        self.oracle.check_node(node.board(), &streams)?;
        let Some(why) = node.stopped().map(str::to_owned) else {
            return Ok(());
        };
        ensure!(!why.contains("promise"), "{}: {why}", self.machines[machine].name);
        ensure!(why.contains("storage failed"), "{} stopped: {why}", self.machines[machine].name);
        self.log(&format_args!("{} stopped: {why}", self.machines[machine].name));
        self.stop_machine(machine);
        Ok(())
    }

    /// Stops a machine at once, and schedules its next start.
    pub(super) fn stop_machine(&mut self, machine: usize) {
        if self.database.is_none() {
            self.disk.kill();
        }
        self.machines[machine].stop();
        let (incarnation, after) = (self.machines[machine].incarnation, self.dice.within(20, 1_500));
        self.schedule(after, Event::Start { machine, incarnation });
    }

    pub(super) fn maintain(&mut self, machine: usize) -> Result<(), Violation> {
        let (now, there) = (self.now, &mut self.machines[machine]);
        let Some(node) = there.node.as_mut() else {
            return Ok(());
        };
        if there.paused_until <= now && node.idle().is_zero() {
            // A failure is retried. If it stopped the node, `after` sees that.
            let _ = node.maintain();
            self.archive(machine)?;
            self.copy_log();
            self.after(machine)?;
            self.let_the_hour_come();
        }
        self.schedule(MAINTAIN_EVERY_MS, Event::Maintain(machine));
        Ok(())
    }

    /// Now and then closed periods are archived and a part of them is taken out of the log. What fails is tried again; the
    /// answers stay, because clients repeat commands without end here.
    fn archive(&mut self, machine: usize) -> Result<(), Violation> {
        let times = match self.plan.archiving {
            Archiving::Seldom => ARCHIVED,
            Archiving::Often => ARCHIVED_OFTEN,
        };
        if !self.dice.permille(times) {
            return Ok(());
        }
        let Some(node) = self.machines[machine].node.as_mut() else { return Ok(()) };
        let archives =
            self.archives.get_or_insert_with(|| tempfile::tempdir().expect("a folder for archives"));
        let days = node.floor().house().day_rule();
        let written = node
            .reader()
            .and_then(|mut reader| archive_until(&mut *reader, archives.path(), Moment(u64::MAX), days));
        if let Ok(archived) = written {
            let mut pruning: Pruning = archived.pruning;
            pruning.keeps_answers = true;
            let is_ahead = self.may_prune_ahead(&pruning)?;
            if !is_ahead && !self.all_have_read(&pruning) {
                return Ok(());
            }
            self.pruned.extend(pruning.up_to.clone());
            let Some(node) = self.machines[machine].node.as_mut() else { return Ok(()) };
            while node.prune(&pruning, PRUNED_AT_ONCE).is_ok_and(|taken| 0 < taken) {
                self.coverage.fault(Fault::Archived);
                if !is_ahead {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether entries are taken out of the log although a node may not have read them: that node goes on from the newest
    /// books. The oracle must have read them, because it reads every entry.
    fn may_prune_ahead(&mut self, pruning: &Pruning) -> Result<bool, Violation> {
        if self.plan.archiving == Archiving::Seldom || self.database.is_none() || self.apart.one_in(3) {
            return Ok(false);
        }
        self.check_log()?;
        Ok(pruning.up_to.iter().all(|(stream, up_to)| *up_to <= self.oracle.version(stream)))
    }

    /// Now and then it is the hour of a change that every node knows of: the clock that is furthest ahead shows it.
    fn let_the_hour_come(&mut self) {
        if !(self.plan.changes_rules || self.plan.changes_figures) || self.healed {
            return;
        }
        let rules = self.oracle.floor().house().rules();
        let known = self.machines.iter().filter_map(|machine| machine.node.as_ref());
        let is_known = known.into_iter().all(|node| node.floor().house().rules().len() == rules.len());
        let of_tables = self.oracle.floor().tables().flat_map(|table| table.planned());
        let of_links = self.oracle.floor().links().flat_map(|(_, desk)| desk.planned());
        let hours = rules
            .iter()
            .map(|change| change.from)
            .chain(of_tables.map(|planned| planned.from))
            .chain(of_links.map(|planned| planned.from));
        let to_come = hours.filter(|from| self.workload.latest < *from).min();
        let Some(hour) = to_come.filter(|_| is_known && self.dice.one_in(3)) else { return };
        let ahead = hour.0 - self.workload.latest.0 + self.dice.below(3);
        let ahead = i64::try_from(ahead).expect("a change holds soon");
        for machine in &self.machines {
            machine.clock.adjust(|clock| clock.offset += ahead);
        }
        self.note_latest();
    }

    /// Notes the latest time of day that any clock shows.
    pub(super) fn note_latest(&mut self) {
        let clocks = self.machines.iter().map(|machine| machine.clock.now());
        self.workload.latest = clocks.fold(self.workload.latest, Moment::max);
    }

    /// Whether entries that a node has not read were taken out of the log. Then it goes on from the newest books, and
    /// publishes only the newest entry of each stream that has grown.
    fn lacks_pruned(&self, machine: usize) -> bool {
        let versions = &self.machines[machine].versions;
        self.pruned.iter().any(|(stream, up_to)| versions.get(stream).is_none_or(|known| known < up_to))
    }

    /// Whether every node that runs has read what is to go. A house keeps days, and no node is days behind.
    fn all_have_read(&self, pruning: &Pruning) -> bool {
        let nodes = self.machines.iter().filter_map(|machine| machine.node.as_ref());
        nodes.map(|node| node.board().heads()).all(|heads| {
            pruning.up_to.iter().all(|(stream, up_to)| {
                heads.iter().any(|head| head.stream == *stream && *up_to <= head.version)
            })
        })
    }

    pub(super) fn poll(&mut self, machine: usize) -> Result<(), Violation> {
        let (now, there) = (self.now, &mut self.machines[machine]);
        let (Some(node), Some(listener)) = (there.node.as_mut(), there.listener.as_mut()) else {
            return Ok(());
        };
        if there.paused_until <= now
            && let Ok(hints) = listener.wait(std::time::Duration::ZERO)
        {
            // A failure has stopped the node, or shows again with the next hint.
            let _ = node.heard(&hints);
            self.after(machine)?;
        }
        self.schedule(POLL_EVERY_MS, Event::Poll(machine));
        Ok(())
    }

    /// Starts the database, or schedules another attempt.
    pub(super) fn start_database(&mut self) -> Result<(), Violation> {
        let Some(database) = self.database.clone() else {
            return Ok(());
        };
        self.database_start_scheduled = false;
        if database.with(|database| database.store.is_some()) {
            return Ok(());
        }
        let machine = self.apart.index(self.machines.len());
        self.try_older_copy(machine)?;
        match self.open_store() {
            Ok(store) => database.with(|database| database.store = Some(store)),
            Err(error) => {
                self.log(&format_args!("the database does not start: {error}"));
                self.disk.kill();
                self.schedule_database_start();
            }
        }
        Ok(())
    }
}

/// Checks that an acknowledged command is in the log with the same answer.
pub(super) fn check_acknowledged(
    log: &mut dyn journal::Reader,
    id: CommandId,
    kept: &(journal::Hash, String),
) -> Result<(), Violation> {
    match log.answered(id) {
        Ok(Some(found)) => {
            ensure!(
                (found.request, found.answer) == *kept,
                "{id} was acknowledged as {kept:?}, and the log has another answer"
            );
            Ok(())
        }
        Ok(None) => Err(Violation(format!("{id} was acknowledged and is missing: {}", kept.1))),
        Err(error) => Err(Violation(format!("the log cannot be read: {error}"))),
    }
}

/// The id of a command that opens the floor.
fn opening_id(number: u64) -> CommandId {
    let mut id = [0xff; 16];
    id[8..].copy_from_slice(&number.to_be_bytes());
    CommandId(id)
}
