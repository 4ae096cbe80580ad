//! The simulation: one queue of events in order of time, the machines, the clients, a disk, and the oracle that checks
//! them.

mod clients;
mod closing;
mod faults;
mod finish;
mod machines;
mod older_copy;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use floor::Library;
use floor::node::{Answer, Failure, Request};
use jackpot::TableId;
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{CommandId, Hash, NodeId, Store, StoreError, Stream, Version};

use super::clock::{START_MS, SimClock};
use super::coverage::Coverage;
use super::database::{Connection, Database, RemoteStore, Writers};
use super::machine::{Machine, Sender};
use super::oracle::{Oracle, Violation};
use super::plan::Plan;
use super::planted::PlantedBug;
use super::shared::Shared;
use super::workload::Workload;
use crate::dice::Dice;
use crate::disk::{Disk, Image};

/// The most steps of a run before all faults stop. What is not done by then is finished without faults.
const STEPS_MAX: u64 = 6_000;

/// Something that happens at a certain time.
#[derive(Debug)]
pub(super) enum Event {
    /// A client chooses its next request.
    NextRequest(usize),
    /// A request reaches a machine.
    Arrive {
        machine: usize,
        request: Box<Request>,
        sender: Sender,
    },
    /// A node handles the requests in its queue.
    Turn(usize),
    /// An answer reaches the client.
    Reply {
        sender: Sender,
        request: Box<Request>,
        reply: Result<Answer, Failure>,
        machine: usize,
    },
    /// A client has waited long enough for an answer.
    Timeout {
        sender: usize,
        id: CommandId,
        attempt: u32,
    },
    /// A node does its periodic maintenance.
    Maintain(usize),
    /// A node checks what other nodes have written.
    Poll(usize),
    /// A fault is injected.
    Fault,
    Start {
        machine: usize,
        incarnation: u64,
    },
    StartDatabase,
    /// A temporary fault ends.
    Repair(Repair),
}

/// What works again.
#[derive(Clone, Copy, Debug)]
pub(super) enum Repair {
    Disk,
    Clock(usize),
    Connection(usize),
}

struct Queued {
    at: u64,
    number: u64,
    event: Event,
}

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Queued {
    /// Reversed, because the heap pops the greatest: the earliest event first, and of two at the same time the one
    /// queued first.
    fn cmp(&self, other: &Queued) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

/// A client that sends one request at a time, with its id, until it is answered.
#[derive(Debug)]
pub(super) struct Client {
    /// Its table, or `None` for the rest of the floor.
    table: Option<TableId>,
    pending: Option<(Request, u32)>,
    sent: u64,
    /// The machine that answered last time.
    machine: usize,
}

/// A run.
pub(crate) struct World {
    pub(super) plan: Plan,
    pub(super) planted: PlantedBug,
    pub(super) library: Library,
    pub(super) signer: Signer,
    pub(super) now: u64,
    pub(super) steps: u64,
    numbered: u64,
    queue: BinaryHeap<Queued>,
    pub(super) dice: Dice,
    pub(super) workload: Workload,
    pub(super) machines: Vec<Machine>,
    pub(super) disk: Disk,
    /// The database, if several nodes share one.
    pub(super) database: Option<Shared<Database>>,
    pub(super) clients: Vec<Client>,
    /// Every answer that a client has received: the digest of the request, and the answer.
    pub(super) acknowledged: BTreeMap<CommandId, (Hash, String)>,
    pub(super) oracle: Oracle,
    pub(super) coverage: Shared<Coverage>,
    /// All faults have stopped.
    pub(super) healed: bool,
    /// How many requests closing a link has sent.
    pub(super) asked: u64,
    /// A start of the database is scheduled.
    pub(super) database_start_scheduled: bool,
    /// A disk fault that is planned and has not happened yet.
    planned_fault: Option<faults::PlannedFault>,
    /// Prints what happens to machines on standard error.
    pub(crate) verbose: bool,
    /// Who writes to tables, if there are several nodes.
    pub(super) writers: Shared<Writers>,
    /// The archives of what was taken out of the log, once there are any.
    pub(super) archives: Option<tempfile::TempDir>,
    /// Up to where each stream may have been taken out of the log.
    pub(super) pruned: BTreeMap<Stream, Version>,
    /// An older copy of the log.
    pub(super) older: Option<Image>,
    /// Decides about copies, archives and forgeries, so that the other dice fall as they would without them.
    pub(super) apart: Dice,
}

impl World {
    pub(crate) fn new(seed: u64, library: &Library, signer: &Signer, planted: PlantedBug) -> World {
        let mut dice = Dice::new(seed);
        let plan = Plan::draw(&mut dice);
        let (coverage, writers) = (Shared::<Coverage>::default(), Shared::<Writers>::default());
        let disk = Disk::new(dice.roll());
        planted.on_disk(&disk);
        let workload = Workload::new(seed, &plan, dice.fork());
        let machines = (0..plan.nodes).map(|number| machine(number, &plan, &mut dice, &coverage)).collect();
        let tables = plan.tables.iter().map(|table| Some(table.name.clone()));
        // Two clients for every table, and two for the rest of the floor.
        let clients = tables.clone().chain(tables).chain([None, None]);
        let clients = clients.map(|table| Client { table, pending: None, sent: 0, machine: 0 }).collect();
        World {
            planted,
            library: library.clone(),
            signer: signer.clone(),
            now: 0,
            steps: 0,
            numbered: 0,
            queue: BinaryHeap::new(),
            workload,
            machines,
            database: (1 < plan.nodes).then(|| Shared::new(Database { store: None, disk: disk.clone() })),
            disk,
            clients,
            acknowledged: BTreeMap::new(),
            oracle: Oracle::new(library, coverage.clone(), writers.clone(), planted.card_tracker()),
            coverage,
            healed: false,
            asked: 0,
            database_start_scheduled: false,
            planned_fault: None,
            archives: None,
            pruned: BTreeMap::new(),
            older: None,
            apart: Dice::new(seed ^ 0x41_50_41_52_54),
            verbose: false,
            writers,
            dice,
            plan,
        }
    }

    /// Runs the events, stops all faults, finishes every round and checks the result.
    pub(crate) fn run(&mut self) -> Result<Hash, Violation> {
        self.open()?;
        while self.steps < STEPS_MAX && self.coverage.with(|coverage| coverage.rounds) < self.plan.rounds {
            self.step()?;
        }
        self.heal()
    }

    pub(crate) fn coverage(&self) -> Coverage {
        let mut coverage = self.coverage.with(|coverage| coverage.clone());
        coverage.steps = self.steps;
        coverage
    }

    /// Prints what happens, if the run is verbose.
    pub(super) fn log(&self, what: &dyn std::fmt::Display) {
        if self.verbose {
            eprintln!("step {}, {} ms: {what}", self.steps, self.now);
        }
    }

    pub(super) fn schedule(&mut self, after: u64, event: Event) {
        self.numbered += 1;
        self.queue.push(Queued { at: self.now + after, number: self.numbered, event });
    }

    /// Handles one event and checks what must hold after it.
    pub(super) fn step(&mut self) -> Result<(), Violation> {
        let Some(next) = self.queue.pop() else {
            return Err(Violation("the queue of events is empty".to_owned()));
        };
        self.steps += 1;
        self.now = self.now.max(next.at);
        for machine in &self.machines {
            machine.clock.tick(self.now);
        }
        self.disk.set_time(START_MS + self.now);
        self.handle(next.event)?;
        self.check_planned_fault();
        let is_down = |database: &Shared<Database>| database.with(|database| database.store.is_none());
        if self.database.as_ref().is_some_and(is_down) {
            self.schedule_database_start();
        }
        if self.steps.is_multiple_of(128) {
            self.check_all()?;
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), Violation> {
        match event {
            Event::NextRequest(client) => self.next_request(client),
            Event::Arrive { machine, request, sender } => self.arrive(machine, *request, sender),
            Event::Turn(machine) => return self.turn(machine),
            Event::Reply { sender, request, reply, machine } => {
                return self.replied(sender, &request, reply, machine);
            }
            Event::Timeout { sender, id, attempt } => self.timed_out(sender, id, attempt),
            Event::Maintain(machine) => return self.maintain(machine),
            Event::Poll(machine) => return self.poll(machine),
            Event::Fault => self.fault(),
            Event::Start { machine, incarnation } => return self.start(machine, incarnation),
            Event::StartDatabase => return self.start_database(),
            Event::Repair(repair) => self.repair(repair),
        }
        Ok(())
    }

    /// Reads the log directly, without a node or a connection.
    pub(super) fn with_log<T>(
        &mut self,
        work: impl FnOnce(&mut Oracle, &mut dyn journal::Reader) -> Result<T, Violation>,
    ) -> Option<Result<T, Violation>> {
        let oracle = &mut self.oracle;
        if let Some(database) = &self.database {
            return database.with(|database| database.store.as_mut().map(|store| work(oracle, store)));
        }
        let Machine { node, reader, .. } = &mut self.machines[0];
        if reader.is_none() {
            *reader = node.as_ref()?.reader().ok();
        }
        let done = work(oracle, &mut **reader.as_mut()?);
        if done.is_err() {
            *reader = None;
        }
        Some(done)
    }

    /// Brings the oracle up to the end of the log, and checks all money.
    pub(super) fn check_log(&mut self) -> Result<(), Violation> {
        self.unless_disk_fails(|world| {
            let checked = world.with_log(|oracle, log| {
                oracle.catch_up(log)?;
                oracle.check_money(log)
            });
            checked.unwrap_or(Ok(()))
        })
    }

    /// Checks the log, the floor of every node, and the view of every table.
    pub(super) fn check_all(&mut self) -> Result<(), Violation> {
        self.check_log()?;
        let streams: Vec<Stream> = self.streams();
        for machine in self.machines.iter().filter_map(|machine| machine.node.as_ref()) {
            self.oracle.check_node(machine.board(), &streams)?;
        }
        let tables: Vec<_> = self.oracle.floor().tables().map(Arc::clone).collect();
        tables.iter().try_for_each(|table| self.oracle.check_view(table))
    }

    /// Does a check that reads the log. A failure to read is ignored while the disk is failing.
    fn unless_disk_fails(
        &mut self,
        work: impl FnOnce(&mut World) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        let failed = self.disk.counts().failed;
        match work(self) {
            Err(Violation(what))
                if self.disk.counts().failed != failed && what.contains("cannot be read") =>
            {
                Ok(())
            }
            done => done,
        }
    }

    fn streams(&self) -> Vec<Stream> {
        let floor = self.oracle.floor();
        let tables = floor.tables().map(|table| Stream::Table(table.id().clone()));
        let links = floor.links().map(|(id, _)| Stream::Link(id.clone()));
        std::iter::once(Stream::House).chain(tables).chain(links).collect()
    }

    /// Opens the journal's store on the simulated disk.
    pub(super) fn open_store(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_on(Arc::new(self.disk.clone()), self.disk.path())
    }

    /// The store that a node uses.
    pub(super) fn store_for(&self, machine: usize) -> Result<Box<dyn Store>, StoreError> {
        let store: Box<dyn Store> = match &self.database {
            Some(database) => {
                let connection = self.machines[machine].connection.clone();
                let (database, writers) = (database.clone(), self.writers.clone());
                Box::new(RemoteStore { database, connection, node: self.node_id(machine), writers })
            }
            None => Box::new(self.open_store()?),
        };
        Ok(self.planted.on_store(store))
    }

    fn node_id(&self, machine: usize) -> NodeId {
        NodeId::new(&self.machines[machine].name)
    }
}

fn machine(number: usize, plan: &Plan, dice: &mut Dice, coverage: &Shared<Coverage>) -> Machine {
    let connection = Connection {
        dice: dice.fork(),
        crash_after: None,
        cut: false,
        lost: plan.rates.database,
        conflicts: plan.rates.conflicts,
        coverage: coverage.clone(),
    };
    Machine {
        name: format!("node {}", number + 1),
        clock: SimClock::new(),
        dice: dice.fork(),
        node: None,
        listener: None,
        reader: None,
        published: Shared::default(),
        notes: Shared::default(),
        versions: BTreeMap::new(),
        queue: Vec::new(),
        last_arrival: 0,
        paused_until: 0,
        connection: Shared::new(connection),
        incarnation: 0,
    }
}
