//! What the runs have covered: each kind of fault, and each clause of the rulebooks. A run that never meets a thing
//! proves nothing about it, so the whole test fails if something is not covered.

use std::collections::{BTreeMap, BTreeSet};

use rulebook::{Clause, ClauseKind};

use super::shared::Shared;

/// Lists the kinds of faults with their descriptions.
macro_rules! faults {
    ($($name:ident $description:literal,)*) => {
        /// A kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault {
            $(#[doc = $description] $name),*
        }

        impl Fault {
            /// Every kind of fault.
            pub const ALL: &[Fault] = &[$(Fault::$name),*];

            /// One line for people.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Fault::$name => $description),*
                }
            }
        }
    };
}

faults! {
    Kill "a node is killed",
    CrashDuringWork "a node crashes in the middle of its work",
    PowerCut "the power is cut",
    PowerCutInWrite "the power is cut during a write",
    DiskFull "the disk is full",
    WriteFails "a write to the disk fails",
    SyncFails "a sync of the disk fails",
    ReadFails "a read from the disk fails",
    ClockJumpsForward "a node's time of day jumps forward",
    ClockJumpsBack "a node's time of day jumps back",
    ClockStops "a node's clock stops",
    ClockDrifts "a node's clock runs fast or slow",
    RequestLost "a request is lost",
    RequestLate "a request arrives late",
    RequestDoubled "a request arrives twice",
    RequestOvertaken "a request is overtaken by a later one",
    AnswerLost "an answer is lost",
    IdReused "another request arrives under a used id",
    Paused "a node pauses and continues later",
    FencedOff "a node that lost its lease is refused",
    TakenOver "a table is taken over from another node",
    DatabaseDown "the database stops and restarts",
    DatabaseCutOff "a node cannot reach the database",
    RequestLostToDatabase "a request to the database is lost",
    AnswerLostFromDatabase "an answer from the database is lost, so the result is unknown",
    CommitConflict "another transaction commits first",
    SeedLost "the seed of a round in play is lost",
    Archived "closed periods are archived and taken out of the log",
    PrunedAhead "what a node has not read is taken out of the log",
    ArchiveLost "an archive is lost",
    OlderCopy "an older copy of the log is restored",
    StateForged "a state that was carried forward is forged",
    RulesTaken "a table changes to another rulebook",
    RulesTakenBack "a table changes back to the rulebook before",
    LimitsTaken "a table takes the limits of an hour",
    SettingsTaken "the settings of an hour wait for a restart",
    SaltsWithheld "Players withhold their salts, and the seed is drawn again",
}

/// What was covered, and how much was done.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How often each kind of fault happened.
    pub faults: BTreeMap<Fault, u64>,
    /// The clauses that decided something.
    pub clauses: BTreeSet<Clause>,
    /// Rounds that were settled.
    pub rounds: u64,
    /// Rounds that were checked against a second settlement.
    pub second: u64,
    /// Settlements that were checked against the record of their round.
    pub records: u64,
    /// Awards entered.
    pub awards: u64,
    /// Awards entered anew, because another hand of their round did not stand.
    pub entered_anew: u64,
    /// Awards released to be paid before an earlier one.
    pub released: u64,
    /// Settings that were filed while an award was open.
    pub settings_while_open: u64,
    /// Faults of links that two people cleared.
    pub faults_cleared: u64,
    /// Links that closed.
    pub links_closed: u64,
    /// Keys that signed after another one.
    pub keys_changed: u64,
    /// Requests sent, without retries.
    pub requests: u64,
    /// Requests that were answered.
    pub acknowledged: u64,
    /// Requests that were delivered again.
    pub repeated: u64,
    /// Entries in all logs.
    pub entries: u64,
    /// Steps of all runs.
    pub steps: u64,
    /// Recoveries of a node.
    pub recoveries: u64,
}

impl Coverage {
    /// Adds the coverage of another run.
    pub fn add(&mut self, other: &Coverage) {
        for (fault, times) in &other.faults {
            *self.faults.entry(*fault).or_default() += times;
        }
        self.clauses.extend(&other.clauses);
        let sums = [
            (&mut self.rounds, other.rounds),
            (&mut self.second, other.second),
            (&mut self.records, other.records),
            (&mut self.awards, other.awards),
            (&mut self.entered_anew, other.entered_anew),
            (&mut self.released, other.released),
            (&mut self.settings_while_open, other.settings_while_open),
            (&mut self.faults_cleared, other.faults_cleared),
            (&mut self.links_closed, other.links_closed),
            (&mut self.keys_changed, other.keys_changed),
            (&mut self.requests, other.requests),
            (&mut self.acknowledged, other.acknowledged),
            (&mut self.repeated, other.repeated),
            (&mut self.entries, other.entries),
            (&mut self.steps, other.steps),
            (&mut self.recoveries, other.recoveries),
        ];
        for (sum, more) in sums {
            *sum += more;
        }
    }

    /// The faults and clauses that were not covered.
    pub fn missing(&self) -> Vec<String> {
        let faults = self.missing_faults();
        let mut missing: Vec<String> = faults.map(|fault| fault.description().to_owned()).collect();
        for book in rulebook::embedded() {
            for entry in &book.clauses {
                let asks = matches!(entry.kind, ClauseKind::Decided | ClauseKind::Discretion);
                let clause = book.clause(entry.number);
                if asks && !self.clauses.contains(&clause) && exemption(clause).is_none() {
                    missing.push(format!("{clause}: {}", entry.gist));
                }
            }
        }
        missing
    }

    /// The faults that never happened.
    pub fn missing_faults(&self) -> impl Iterator<Item = Fault> {
        Fault::ALL.iter().copied().filter(|fault| !self.faults.contains_key(fault))
    }
}

impl Shared<Coverage> {
    pub(crate) fn fault(&self, fault: Fault) {
        self.with(|coverage| *coverage.faults.entry(fault).or_default() += 1);
    }

    pub(crate) fn clause(&self, clause: Clause) {
        self.with(|coverage| coverage.clauses.insert(clause));
    }
}

/// Why a clause cannot show in what a floor writes or answers, for the clauses where this is so.
pub fn exemption(clause: Clause) -> Option<&'static str> {
    let number = clause.rule.to_string();
    EXEMPT.iter().find(|(rule, _)| *rule == number).map(|(_, why)| *why)
}

/// Rule numbers, the same in every book that has them.
const EXEMPT: &[(&str, &str)] = &[
    ("Appendix B", "a layout with as many positions as Appendix A; a table records only its positions"),
    ("Appendix C", "the same, except in MTHB9"),
    ("Appendix D", "a layout with as many positions as Appendix C"),
];
