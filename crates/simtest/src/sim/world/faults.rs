//! What goes wrong with machines, disks, clocks and the database, about as often as the plan says.

use super::{Event, Repair, World};
use crate::disk::{self, When};
use crate::sim::coverage::Fault;

/// A failure of the disk that is planned, and how many had happened before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Armed {
    fault: Fault,
    failed: u64,
}

impl World {
    pub(super) fn first_fault(&mut self) {
        if self.plan.rates.machine_every != 0 {
            let after = self.dice.within(1, self.plan.rates.machine_every);
            self.schedule(after, Event::Fault);
        }
    }

    /// Something breaks; the next breaks some time later.
    pub(super) fn fault(&mut self) {
        if self.healed {
            return;
        }
        let every = self.plan.rates.machine_every;
        let after = self.dice.within(every / 2 + 1, every * 2);
        self.schedule(after, Event::Fault);
        let machine = self.dice.index(self.machines.len());
        let kind = self.dice.below(16);
        self.log(&format_args!("fault {kind} at {}", self.machines[machine].name));
        match kind {
            0 => self.kill(machine),
            1 => self.kill_soon(machine),
            2 | 3 => self.cut_power(),
            4 | 5 => self.arm(Fault::PowerCutInWrite, disk::Fault::Write, true),
            6 => self.arm(Fault::DiskFull, disk::Fault::Full, true),
            7 => self.arm(Fault::WriteFails, disk::Fault::Write, false),
            8 | 9 => self.arm(Fault::SyncFails, disk::Fault::Sync, false),
            10 => self.arm(Fault::ReadFails, disk::Fault::Read, false),
            11 => self.disturb_clock(machine),
            12 | 13 => self.freeze(machine),
            14 => self.cut_connection(machine),
            _ => self.database_fails(),
        }
    }

    fn kill(&mut self, machine: usize) {
        if self.machines[machine].is_up() {
            self.coverage.with(|coverage| coverage.fault(Fault::Kill));
            self.stop_machine(machine);
        }
    }

    /// A node dies after one of its next round trips to the database, in the middle of whatever it does.
    fn kill_soon(&mut self, machine: usize) {
        if self.database.is_none() {
            return self.kill(machine);
        }
        let after = self.dice.within(1, 30);
        self.machines[machine].connection.with(|connection| connection.crash_after = Some(after));
    }

    /// Whether a node that begins dies while it does, and after how many round trips.
    pub(super) fn may_crash_within(&mut self, most: u64) -> Option<u64> {
        let may = self.steps != 0 && !self.healed && self.plan.rates.machine_every != 0;
        let dies = may && self.dice.one_in(12);
        dies.then(|| self.dice.within(1, most))
    }

    /// The power fails where the log is.
    fn cut_power(&mut self) {
        if self.log_is_open() {
            self.coverage.with(|coverage| coverage.fault(Fault::PowerCut));
        }
        self.disk.power_cut();
        self.stop_log_owner();
    }

    /// Whoever has the log open ends: the database, or the only node. What is on the disk stays.
    fn stop_log_owner(&mut self) {
        let Some(database) = self.database.clone() else {
            return self.stop_machine(0);
        };
        if self.log_is_open() {
            self.coverage.with(|coverage| coverage.fault(Fault::DatabaseDown));
        }
        self.disk.kill();
        database.with(|database| database.store = None);
        self.database_is_down();
    }

    /// Whether the database runs, or the only node.
    fn log_is_open(&self) -> bool {
        match &self.database {
            Some(database) => database.with(|database| database.store.is_some()),
            None => self.machines[0].is_up(),
        }
    }

    /// The database is started again some time later.
    pub(super) fn database_is_down(&mut self) {
        if !self.database_starts {
            self.database_starts = true;
            let after = self.dice.within(20, 1_500);
            self.schedule(after, Event::StartDatabase);
        }
    }

    fn database_fails(&mut self) {
        if self.database.is_some() {
            self.stop_log_owner();
        }
    }

    /// The disk is to fail at a call that comes soon.
    fn arm(&mut self, fault: Fault, kind: disk::Fault, lasts: bool) {
        if self.armed.is_some() {
            return;
        }
        let calls = self.dice.within(1, 12);
        let when = if lasts { When::From(calls) } else { When::At(calls) };
        self.armed = Some(Armed { fault, failed: self.disk.counts().failed });
        self.disk.fail(kind, when);
        let after = self.dice.within(100, 1_500);
        self.schedule(after, Event::Repair(Repair::Disk));
    }

    /// A planned failure of the disk has come: in the middle of a write the power goes with it.
    pub(super) fn disk_may_have_failed(&mut self) {
        let Some(armed) = self.armed else {
            return;
        };
        if self.disk.counts().failed == armed.failed {
            return;
        }
        self.armed = None;
        self.log(&armed.fault.words());
        self.coverage.with(|coverage| coverage.fault(armed.fault));
        if armed.fault == Fault::PowerCutInWrite {
            self.disk.heal();
            self.disk.power_cut();
            self.stop_log_owner();
        }
    }

    fn disturb_clock(&mut self, machine: usize) {
        let clock = self.machines[machine].clock.clone();
        let fault = match self.dice.below(4) {
            0 => {
                let ahead = i64::try_from(self.dice.below(31_000_000_000)).expect("a year");
                clock.adjust(|clock| clock.offset += ahead);
                Fault::ClockJumpsForward
            }
            1 => {
                let back = i64::try_from(self.dice.below(31_000_000_000)).expect("a year");
                clock.adjust(|clock| clock.offset -= back);
                Fault::ClockJumpsBack
            }
            2 => {
                clock.adjust(|clock| clock.rate_permille = 0);
                Fault::ClockStandsStill
            }
            _ => {
                let pace = self.dice.within(300, 3_000);
                clock.adjust(|clock| clock.rate_permille = pace);
                Fault::ClockIsOff
            }
        };
        self.coverage.with(|coverage| coverage.fault(fault));
        let after = self.dice.within(500, 5_000);
        self.schedule(after, Event::Repair(Repair::Clock(machine)));
    }

    /// A machine stands still, for longer than a lease lasts or not so long, and goes on as if nothing had been.
    fn freeze(&mut self, machine: usize) {
        if self.machines[machine].is_up() {
            self.coverage.with(|coverage| coverage.fault(Fault::Frozen));
        }
        let until = self.now + self.dice.within(100, 6_000);
        self.machines[machine].paused_until = until;
    }

    fn cut_connection(&mut self, machine: usize) {
        if self.database.is_none() {
            return;
        }
        self.machines[machine].connection.with(|connection| connection.cut = true);
        let after = self.dice.within(200, 5_000);
        self.schedule(after, Event::Repair(Repair::Connection(machine)));
    }

    pub(super) fn repair(&mut self, repair: Repair) {
        match repair {
            Repair::Disk => {
                self.disk.heal();
                self.armed = None;
            }
            Repair::Clock(machine) => {
                self.machines[machine].clock.adjust(|clock| clock.rate_permille = 1_000)
            }
            Repair::Connection(machine) => {
                self.machines[machine].connection.with(|connection| connection.cut = false)
            }
        }
    }
}
