//! The faults of machines, disks, clocks and the database, about as often as the plan says.

use jackpot::TableId;
use journal::Sealed;
use journal::vault::kind::SEED;

use super::{Event, Repair, World};
use crate::disk::{self, When};
use crate::sim::coverage::Fault;

/// A disk fault that is planned, and how many disk calls had failed before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedFault {
    fault: Fault,
    failed: u64,
}

/// How wrong a clock may be after several jumps: two years. Two clocks are then never five years apart, which the audit takes
/// for forged dates.
const CLOCK_WRONG_MAX_MS: i64 = 2 * 365 * 24 * 60 * 60 * 1000;

impl World {
    pub(super) fn first_fault(&mut self) {
        if self.plan.rates.machine_every != 0 {
            let after = self.dice.within(1, self.plan.rates.machine_every);
            self.schedule(after, Event::Fault);
        }
    }

    /// Injects a fault, and schedules the next.
    pub(super) fn fault(&mut self) {
        if self.healed {
            return;
        }
        let every = self.plan.rates.machine_every;
        let after = self.dice.within(every / 2 + 1, every * 2);
        self.schedule(after, Event::Fault);
        let machine = self.dice.index(self.machines.len());
        let kind = self.dice.below(17);
        self.log(&format_args!("fault {kind} at {}", self.machines[machine].name));
        match kind {
            0 => self.kill(machine),
            1 => self.crash_during_work(machine),
            2 | 3 => self.cut_power(),
            4 | 5 => self.plan_disk_fault(Fault::PowerCutInWrite, disk::Fault::Write, true),
            6 => self.plan_disk_fault(Fault::DiskFull, disk::Fault::Full, true),
            7 => self.plan_disk_fault(Fault::WriteFails, disk::Fault::Write, false),
            8 | 9 => self.plan_disk_fault(Fault::SyncFails, disk::Fault::Sync, false),
            10 => self.plan_disk_fault(Fault::ReadFails, disk::Fault::Read, false),
            11 => self.disturb_clock(machine),
            12 | 13 => self.pause(machine),
            14 => self.cut_connection(machine),
            15 => self.lose_seed(machine),
            _ => self.stop_database(),
        }
    }

    fn kill(&mut self, machine: usize) {
        if self.machines[machine].is_up() {
            self.coverage.fault(Fault::Kill);
            self.stop_machine(machine);
        }
    }

    /// Crashes a node after one of its next round trips to the database, in the middle of its work.
    fn crash_during_work(&mut self, machine: usize) {
        if self.database.is_none() {
            return self.kill(machine);
        }
        let after = self.dice.within(1, 30);
        self.machines[machine].connection.with(|connection| connection.crash_after = Some(after));
    }

    /// Whether a node crashes while it starts, and after how many round trips.
    pub(super) fn may_crash_within(&mut self, most: u64) -> Option<u64> {
        let may = self.steps != 0 && !self.healed && self.plan.rates.machine_every != 0;
        let crashes = may && self.dice.one_in(12);
        crashes.then(|| self.dice.within(1, most))
    }

    /// Cuts the power of the machine that has the log.
    fn cut_power(&mut self) {
        if self.log_is_open() {
            self.coverage.fault(Fault::PowerCut);
        }
        self.disk.power_cut();
        self.stop_log_owner();
    }

    /// Stops the process that has the log open: the database, or the only node. The disk stays as it is.
    fn stop_log_owner(&mut self) {
        let Some(database) = self.database.clone() else {
            return self.stop_machine(0);
        };
        if self.log_is_open() {
            self.coverage.fault(Fault::DatabaseDown);
        }
        self.disk.kill();
        database.with(|database| database.store = None);
        self.schedule_database_start();
    }

    /// Whether the database runs, or the only node.
    fn log_is_open(&self) -> bool {
        match &self.database {
            Some(database) => database.with(|database| database.store.is_some()),
            None => self.machines[0].is_up(),
        }
    }

    /// Schedules a start of the database.
    pub(super) fn schedule_database_start(&mut self) {
        if !self.database_start_scheduled {
            self.database_start_scheduled = true;
            let after = self.dice.within(20, 1_500);
            self.schedule(after, Event::StartDatabase);
        }
    }

    fn stop_database(&mut self) {
        if self.database.is_some() {
            self.stop_log_owner();
        }
    }

    /// Plans a failure of the disk at one of its next calls.
    fn plan_disk_fault(&mut self, fault: Fault, kind: disk::Fault, lasts: bool) {
        if self.planned_fault.is_some() {
            return;
        }
        let calls = self.dice.within(1, 12);
        let when = if lasts { When::From(calls) } else { When::At(calls) };
        self.planned_fault = Some(PlannedFault { fault, failed: self.disk.counts().failed });
        self.disk.fail(kind, when);
        let after = self.dice.within(100, 1_500);
        self.schedule(after, Event::Repair(Repair::Disk));
    }

    /// Handles a planned disk fault that has happened. A power cut during a write also stops the machine.
    pub(super) fn check_planned_fault(&mut self) {
        let Some(planned_fault) = self.planned_fault else {
            return;
        };
        if self.disk.counts().failed == planned_fault.failed {
            return;
        }
        self.planned_fault = None;
        self.log(&planned_fault.fault.description());
        self.coverage.fault(planned_fault.fault);
        if planned_fault.fault == Fault::PowerCutInWrite {
            self.disk.heal();
            self.disk.power_cut();
            self.stop_log_owner();
        }
    }

    fn disturb_clock(&mut self, machine: usize) {
        let clock = self.machines[machine].clock.clone();
        // Rules, limits and settings hold from an hour of the day: where clocks are a year apart, nobody can say which rounds were after it. The audit
        // allows for a minute.
        let most = if self.plan.changes_rules || self.plan.changes_figures { 5_000 } else { 31_000_000_000 };
        let fault = match self.dice.below(4) {
            0 => {
                let ahead = i64::try_from(self.dice.below(most)).expect("at most a year");
                clock.adjust(|clock| {
                    clock.offset = clock.offset.saturating_add(ahead).min(CLOCK_WRONG_MAX_MS);
                });
                Fault::ClockJumpsForward
            }
            1 => {
                let back = i64::try_from(self.dice.below(most)).expect("at most a year");
                clock.adjust(|clock| {
                    clock.offset = clock.offset.saturating_sub(back).max(-CLOCK_WRONG_MAX_MS);
                });
                Fault::ClockJumpsBack
            }
            2 => {
                clock.adjust(|clock| clock.rate_permille = 0);
                Fault::ClockStops
            }
            _ => {
                let pace = self.dice.within(300, 3_000);
                clock.adjust(|clock| clock.rate_permille = pace);
                Fault::ClockDrifts
            }
        };
        self.coverage.fault(fault);
        let after = self.dice.within(500, 5_000);
        self.schedule(after, Event::Repair(Repair::Clock(machine)));
    }

    /// Pauses a machine, sometimes for longer than a lease lasts. It continues without noticing.
    fn pause(&mut self, machine: usize) {
        if self.machines[machine].is_up() {
            self.coverage.fault(Fault::Paused);
        }
        let until = self.now + self.dice.within(100, 6_000);
        self.machines[machine].paused_until = until;
    }

    /// Deletes the seed of a round in play. The round can only be void then, and the floor goes on.
    fn lose_seed(&mut self, machine: usize) {
        let tables = self.oracle.floor().tables();
        let in_play = tables.filter(|table| table.shuffle().is_some() && table.round().stage().is_in_play());
        let in_play: Vec<(TableId, u64)> =
            in_play.map(|table| (table.id().clone(), table.number())).collect();
        let Some((table, round)) = self.dice.any(&in_play) else { return };
        let Some(node) = self.machines[machine].node.as_mut() else { return };
        let (kind, key) = (SEED.to_owned(), format!("{table}/{round}"));
        // Where the connection broke, nobody knows whether it is gone: the staff finds out, and either is right.
        let _ = node.keep(&[Sealed { kind, key, value: None }]);
        self.workload.lost.insert((table.clone(), round));
        self.oracle.lost.insert((table, round));
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
                self.planned_fault = None;
            }
            Repair::Clock(machine) => {
                self.machines[machine].clock.adjust(|clock| clock.rate_permille = 1_000);
            }
            Repair::Connection(machine) => {
                self.machines[machine].connection.with(|connection| connection.cut = false);
            }
        }
    }
}
