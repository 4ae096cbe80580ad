//! The run itself: one queue of events in the order of time, machines, people, a disk, and the books that watch.

mod clients;
mod faults;
mod finish;
mod machines;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use floor::Library;
use floor::node::{Answer, Failure, Request};
use jackpot::TableId;
use journal::checkpoint::Signer;
use journal::sqlite::SqliteStore;
use journal::{CommandId, Hash, Store, StoreError, Stream};

use super::clock::{START_MS, SimClock};
use super::coverage::Coverage;
use super::database::{Connection, Database, Writers};
use super::machine::{Machine, Sender};
use super::oracle::{Oracle, Violation};
use super::plan::Plan;
use super::planted::PlantedBug;
use super::shared::Shared;
use super::workload::Workload;
use crate::dice::Dice;
use crate::disk::Disk;

/// A run ends at the latest after so many steps; what is not done by then is done when everything has healed.
const STEPS_MAX: u64 = 6_000;

/// What happens at a time.
#[derive(Debug)]
pub(super) enum Event {
    /// Somebody thinks of something to ask for.
    NextRequest(usize),
    /// A request reaches a machine.
    Arrive { machine: usize, request: Box<Request>, sender: Sender },
    /// A node takes what waits for it.
    Turn(usize),
    /// An answer reaches whoever asked.
    Reply { sender: Sender, request: Box<Request>, reply: Result<Answer, Failure>, machine: usize },
    /// Somebody has waited long enough.
    Timeout { sender: usize, id: CommandId, attempt: u32 },
    /// A node looks after itself.
    Upkeep(usize),
    /// A node hears of others.
    Listen(usize),
    /// Something goes wrong with a machine.
    Fault,
    /// A machine is started.
    Start { machine: usize, incarnation: u64 },
    /// The database is started.
    StartDatabase,
    /// What was broken for a while works again.
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
    /// The earliest is the greatest; what was queued first comes first.
    fn cmp(&self, other: &Queued) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

/// Somebody who asks for one thing at a time, with its id, until it is answered.
#[derive(Debug)]
pub(super) struct Client {
    /// At which table; elsewhere on the floor where at none.
    table: Option<TableId>,
    waits: Option<(Request, u32)>,
    asked: u64,
    /// Which machine was the right one last time.
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
    /// The database, where several nodes share one.
    pub(super) database: Option<Shared<Database>>,
    pub(super) clients: Vec<Client>,
    /// What was answered: the digest of the request, and the answer.
    pub(super) acknowledged: BTreeMap<CommandId, (Hash, String)>,
    pub(super) oracle: Oracle,
    pub(super) coverage: Shared<Coverage>,
    /// Nothing goes wrong any more.
    pub(super) healed: bool,
    /// The database is about to be started.
    pub(super) database_starts: bool,
    /// A failure of the disk that is to come.
    armed: Option<faults::Armed>,
    /// What happens to machines is told on the standard error.
    pub(crate) verbose: bool,
    /// Who writes to tables, where several nodes do.
    pub(super) writers: Shared<Writers>,
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
        // Two consoles at every table, and two people elsewhere.
        let clients = tables.clone().chain(tables).chain([None, None]);
        let clients = clients.map(|table| Client { table, waits: None, asked: 0, machine: 0 }).collect();
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
            database_starts: false,
            armed: None,
            verbose: false,
            writers,
            dice,
            plan,
        }
    }

    /// Lets it all happen, heals everything, and holds the end against what must be.
    pub(crate) fn run(&mut self) -> Result<Hash, Violation> {
        self.open()?;
        while self.steps < STEPS_MAX && self.coverage.with(|coverage| coverage.rounds) < self.plan.rounds {
            self.step()?;
        }
        self.heal()
    }

    /// What a run has seen.
    pub(crate) fn coverage(&self) -> Coverage {
        let mut coverage = self.coverage.with(|coverage| coverage.clone());
        coverage.steps = self.steps;
        coverage
    }

    /// Tells what happens, where somebody wants to know.
    pub(super) fn log(&self, what: &dyn std::fmt::Display) {
        if self.verbose {
            eprintln!("step {}, {} ms: {what}", self.steps, self.now);
        }
    }

    pub(super) fn schedule(&mut self, after: u64, event: Event) {
        self.numbered += 1;
        self.queue.push(Queued { at: self.now + after, number: self.numbered, event });
    }

    /// One event, and everything that must hold after it.
    pub(super) fn step(&mut self) -> Result<(), Violation> {
        let Some(next) = self.queue.pop() else {
            return Err(Violation("nothing is left to happen".to_owned()));
        };
        self.steps += 1;
        self.now = self.now.max(next.at);
        for machine in &self.machines {
            machine.clock.tick(self.now);
        }
        self.disk.set_time(START_MS + self.now);
        self.happen(next.event)?;
        self.disk_may_have_failed();
        let is_down = |database: &Shared<Database>| database.with(|database| database.store.is_none());
        if self.database.as_ref().is_some_and(is_down) {
            self.database_is_down();
        }
        if self.steps.is_multiple_of(128) {
            self.check_all()?;
        }
        Ok(())
    }

    fn happen(&mut self, event: Event) -> Result<(), Violation> {
        match event {
            Event::NextRequest(client) => self.next_request(client),
            Event::Arrive { machine, request, sender } => self.arrive(machine, *request, sender),
            Event::Turn(machine) => return self.turn(machine),
            Event::Reply { sender, request, reply, machine } => {
                return self.replied(sender, &request, reply, machine);
            }
            Event::Timeout { sender, id, attempt } => self.timed_out(sender, id, attempt),
            Event::Upkeep(machine) => return self.upkeep(machine),
            Event::Listen(machine) => return self.listen(machine),
            Event::Fault => self.fault(),
            Event::Start { machine, incarnation } => return self.start(machine, incarnation),
            Event::StartDatabase => self.start_database(),
            Event::Repair(repair) => self.repair(repair),
        }
        Ok(())
    }

    /// Reads the log as it is, past every node and every connection.
    pub(super) fn with_log<T>(
        &mut self,
        work: impl FnOnce(&mut Oracle, &mut dyn journal::Reader) -> Result<T, Violation>,
    ) -> Option<Result<T, Violation>> {
        let books = &mut self.oracle;
        if let Some(database) = &self.database {
            return database.with(|database| database.store.as_mut().map(|store| work(books, store)));
        }
        let reader = self.machines[0].node.as_ref().and_then(|node| node.reader().ok());
        reader.map(|mut reader| work(books, &mut *reader))
    }

    /// The books are brought to where the log is, and all money is checked.
    pub(super) fn check_log(&mut self) -> Result<(), Violation> {
        self.disk_works_or(|world| {
            let checked = world.with_log(|books, log| {
                books.catch_up(log)?;
                books.check_money(log)
            });
            checked.unwrap_or(Ok(()))
        })
    }

    /// Everything at once: the log, every node's floor, every table's view.
    pub(super) fn check_all(&mut self) -> Result<(), Violation> {
        self.check_log()?;
        let streams: Vec<Stream> = self.streams();
        for machine in self.machines.iter().filter_map(|machine| machine.node.as_ref()) {
            self.oracle.check_node(machine.board(), &streams)?;
        }
        let tables: Vec<_> = self.oracle.floor().tables().map(Arc::clone).collect();
        tables.iter().try_for_each(|table| self.oracle.check_view(table))
    }

    /// Does what reads the log, unless the disk is failing just now.
    fn disk_works_or(
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

    /// Opens the journal's own store on the simulated disk.
    pub(super) fn open_store(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_on(Arc::new(self.disk.clone()), self.disk.path())
    }

    /// A node's way to the log.
    pub(super) fn store_for(&self, machine: usize) -> Result<Box<dyn Store>, StoreError> {
        let connection = self.machines[machine].connection.clone();
        let store: Box<dyn Store> = match &self.database {
            Some(database) => {
                let node = journal::NodeId::new(&self.machines[machine].name);
                let writers = self.writers.clone();
                Box::new(super::database::RemoteStore {
                    database: database.clone(),
                    connection,
                    node,
                    writers,
                })
            }
            None => Box::new(self.open_store()?),
        };
        Ok(self.planted.on_store(store))
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
        told: Shared::default(),
        last: BTreeMap::new(),
        queue: Vec::new(),
        awaited: 0,
        paused_until: 0,
        connection: Shared::new(connection),
        incarnation: 0,
    }
}
