//! What machines do: begin from their log, take their turns, look after themselves, end.

use floor::node::{Answer, Interrupted, RecoveryError, Request, recover};
use journal::{CommandId, StoreError, Stream};

use super::{Event, World};
use crate::sim::oracle::{Violation, ensure};

/// How often a node looks after itself and listens, in milliseconds.
const UPKEEP_EVERY: u64 = 250;
const LISTEN_EVERY: u64 = 120;

/// How many acknowledged commands are looked up when a node begins; all of them at the end.
const LOOKED_UP: usize = 40;

impl World {
    /// The first opening: the house, its people, its tables.
    pub(super) fn open(&mut self) -> Result<(), Violation> {
        self.start_database();
        self.set_connection_rates(0, 0);
        for machine in 0..self.machines.len() {
            let incarnation = self.machines[machine].incarnation;
            self.start(machine, incarnation)?;
        }
        let opening = self.plan.opening();
        let requests: Vec<Request> = (1..)
            .zip(opening)
            .map(|(number, (actor, command))| Request::new(first_id(number), actor, command))
            .collect();
        let Some(first) = self.machines.iter().position(super::Machine::is_up) else {
            return Err(Violation("no node begins on an empty log".to_owned()));
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

    /// How much is lost between the nodes and their database.
    pub(super) fn set_connection_rates(&self, lost: u64, conflicts: u64) {
        for machine in &self.machines {
            machine.connection.with(|connection| {
                (connection.cut, connection.lost, connection.conflicts) = (false, lost, conflicts)
            });
        }
    }

    /// A machine is started, unless it was since; what keeps it from beginning must be something that passes.
    pub(super) fn start(&mut self, machine: usize, incarnation: u64) -> Result<(), Violation> {
        if self.machines[machine].incarnation != incarnation || self.machines[machine].is_up() {
            return Ok(());
        }
        let failed = self.disk.counts().failed;
        let signer = self.signer.clone();
        let setup = self.machines[machine].setup(&signer);
        let library = self.library.clone();
        let crash_after = self.may_crash_within(60);
        self.machines[machine].connection.with(|connection| connection.crash_after = crash_after);
        let begun = match self.store_for(machine) {
            Ok(store) => recover(store, library, setup),
            Err(error) => Err(RecoveryError::Log(error)),
        };
        // What it told while it began, whether it does or not, is in the log.
        let told = self.machines[machine].told.with(std::mem::take);
        told.iter().try_for_each(|one| self.oracle.receive(one))?;
        match begun {
            Ok((mut node, recovery)) => {
                self.log(&format_args!("{} begins: {recovery:?}", self.machines[machine].name));
                self.coverage.with(|coverage| coverage.recoveries += 1);
                let there = &mut self.machines[machine];
                there.listener = node.take_listener();
                let heads = node.board().heads().into_iter();
                there.last = heads.map(|head| (head.stream, head.version)).collect();
                there.node = Some(node);
                self.check_recovered(machine, &recovery.interrupted)?;
                self.schedule(UPKEEP_EVERY, Event::Upkeep(machine));
                self.schedule(LISTEN_EVERY, Event::Listen(machine));
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
        let passes = match error {
            RecoveryError::Log(StoreError::Unavailable(_) | StoreError::Conflict(_)) => true,
            RecoveryError::Floor(_) => self.database.is_some() || disk_failed,
            RecoveryError::Log(_) => disk_failed || self.machines[machine].is_dead(),
            RecoveryError::Findings(_) | RecoveryError::Money(_) | RecoveryError::WrongKey => false,
        };
        ensure!(passes, "a node does not begin: {error}");
        self.log(&format_args!("{} does not begin: {error}", self.machines[machine].name));
        self.machines[machine].end();
        if self.database.is_none() {
            self.disk.kill();
        }
        let (incarnation, after) = (self.machines[machine].incarnation, self.dice.within(50, 400));
        self.schedule(after, Event::Start { machine, incarnation });
        Ok(())
    }

    /// A node has begun: nothing acknowledged is missing, and what it says of rounds in play is what the log says (M11).
    fn check_recovered(&mut self, machine: usize, interrupted: &[Interrupted]) -> Result<(), Violation> {
        let newest: Vec<(CommandId, (journal::Hash, String))> =
            self.acknowledged.iter().rev().take(LOOKED_UP).map(|(id, kept)| (*id, kept.clone())).collect();
        self.disk_works_or(|world| {
            let checked = world.with_log(|books, log| {
                books.catch_up(log)?;
                books.check_money(log)?;
                newest.iter().try_for_each(|(id, kept)| check_acknowledged(log, *id, kept))
            });
            checked.unwrap_or(Ok(()))
        })?;
        if self.database.is_none() {
            let in_play = self.oracle.floor().tables().filter(|table| table.round().stage().is_in_play());
            for table in in_play {
                let told = interrupted.iter().any(|one| one.table == *table.id());
                ensure!(told, "M11: table {} was not told of the failure", table.id());
            }
        }
        for one in interrupted {
            let Some(table) = self.oracle.floor().table(&one.table) else { continue };
            let stream = Stream::Table(one.table.clone());
            if self.machines[machine].last.get(&stream) != Some(&self.oracle.version(&stream)) {
                // The log has failed again meanwhile: the books do not know yet what the node knows.
                continue;
            }
            let round = table.round();
            let by = round::Asker::Staff(rulebook::Office::Dealer);
            let may_resume = round.decide(&by, &round::Command::ResumePlay).is_ok();
            ensure!(
                may_resume != one.established && table.number() == one.round,
                "M11: {one:?}, and play may be resumed: {may_resume}"
            );
        }
        self.after(machine)
    }

    /// A node takes what waits for it in one turn, and answers.
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

    /// What a node told is taken into the books and held against its floor; a node that stopped is started again.
    pub(super) fn after(&mut self, machine: usize) -> Result<(), Violation> {
        let violation = self.writers.with(|writers| writers.fence_violations.pop());
        ensure!(violation.is_none(), "{}", violation.unwrap_or_default());
        let told = self.machines[machine].told.with(std::mem::take);
        let mut streams: Vec<Stream> = Vec::new();
        for one in &told {
            let entry = &one.0;
            let there = &mut self.machines[machine];
            let last = there.last.entry(entry.stream.clone()).or_default();
            ensure!(
                entry.version == last.next(),
                "M12: {} verbose {} entry {} after {last}",
                there.name,
                entry.stream,
                entry.version
            );
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

    /// A machine ends at once, and is started again some time later.
    pub(super) fn stop_machine(&mut self, machine: usize) {
        if self.database.is_none() {
            self.disk.kill();
        }
        self.machines[machine].end();
        let (incarnation, after) = (self.machines[machine].incarnation, self.dice.within(20, 1_500));
        self.schedule(after, Event::Start { machine, incarnation });
    }

    pub(super) fn upkeep(&mut self, machine: usize) -> Result<(), Violation> {
        let (now, there) = (self.now, &mut self.machines[machine]);
        let Some(node) = there.node.as_mut() else {
            return Ok(());
        };
        if there.paused_until <= now && node.idle().is_zero() {
            // What fails is tried again; what stops the node is seen below.
            let _ = node.maintain();
            self.after(machine)?;
        }
        self.schedule(UPKEEP_EVERY, Event::Upkeep(machine));
        Ok(())
    }

    pub(super) fn listen(&mut self, machine: usize) -> Result<(), Violation> {
        let (now, there) = (self.now, &mut self.machines[machine]);
        let (Some(node), Some(listener)) = (there.node.as_mut(), there.listener.as_mut()) else {
            return Ok(());
        };
        if there.paused_until <= now
            && let Ok(hints) = listener.wait(std::time::Duration::ZERO)
        {
            // A failure here has stopped the node, or is met again with the next hint.
            let _ = node.heard(&hints);
            self.after(machine)?;
        }
        self.schedule(LISTEN_EVERY, Event::Listen(machine));
        Ok(())
    }

    /// The database is started; until it can be it is tried again.
    pub(super) fn start_database(&mut self) {
        let Some(database) = self.database.clone() else {
            return;
        };
        self.database_starts = false;
        if database.with(|database| database.store.is_some()) {
            return;
        }
        match self.open_store() {
            Ok(store) => database.with(|database| database.store = Some(store)),
            Err(error) => {
                self.log(&format_args!("the database does not begin: {error}"));
                self.disk.kill();
                self.database_is_down();
            }
        }
    }
}

/// A command that was acknowledged stands as it was told.
pub(super) fn check_acknowledged(
    log: &mut dyn journal::Reader,
    id: CommandId,
    kept: &(journal::Hash, String),
) -> Result<(), Violation> {
    match log.answered(id) {
        Ok(Some(found)) => {
            ensure!(
                (found.request, found.answer) == *kept,
                "{id} was acknowledged as {kept:?}, and is another"
            );
            Ok(())
        }
        Ok(None) => Err(Violation(format!("{id} was acknowledged and is missing: {}", kept.1))),
        Err(error) => Err(Violation(format!("the log cannot be read: {error}"))),
    }
}

/// The ids of the opening.
fn first_id(number: u64) -> CommandId {
    let mut id = [0xff; 16];
    id[8..].copy_from_slice(&number.to_be_bytes());
    CommandId(id)
}
