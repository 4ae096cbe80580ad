//! What a run has seen: each kind of fault, and each clause of the rulebooks. A proof that never met a thing proves
//! nothing about it, so what is not met makes the whole of the runs red.

use std::collections::{BTreeMap, BTreeSet};

use rulebook::{Clause, ClauseKind};

/// Lists the kinds of faults with what each is called.
macro_rules! faults {
    ($($name:ident $words:literal,)*) => {
        /// A kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault {
            $(#[doc = $words] $name),*
        }

        impl Fault {
            /// Every kind.
            pub const ALL: &[Fault] = &[$(Fault::$name),*];

            /// What it is called.
            pub const fn words(self) -> &'static str {
                match self {
                    $(Fault::$name => $words),*
                }
            }
        }
    };
}

faults! {
    Kill "a node is killed",
    KillInside "a node is killed in the middle of what it does",
    PowerCut "the power is cut",
    PowerCutInWrite "the power is cut while something is written",
    DiskFull "the disk is full",
    WriteFails "a write to the disk fails",
    SyncFails "a sync of the disk fails",
    ReadFails "a read from the disk fails",
    ClockJumpsForward "a node's time of day jumps forward",
    ClockJumpsBack "a node's time of day jumps back",
    ClockStandsStill "a node's clock stands still",
    ClockIsOff "a node's clock is fast or slow",
    RequestLost "a request is lost",
    RequestLate "a request comes late",
    RequestDoubled "a request comes twice",
    RequestOvertaken "a request is overtaken by a later one",
    AnswerLost "an answer is lost",
    IdReused "another request comes under an id that was used",
    Frozen "a node stands still and goes on later",
    FencedOff "a node that was presumed dead is refused",
    TakenOver "a table is taken over from a node that died",
    DatabaseDown "the database fails and comes back",
    DatabaseCutOff "a node cannot reach the database",
    RequestLostToDatabase "a request to the database is lost",
    AnswerLostFromDatabase "an answer of the database is lost: the outcome is unknown",
    AnotherWasFirst "another transaction was first",
}

/// What was seen, and how much was done.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How often each kind of fault was met.
    pub faults: BTreeMap<Fault, u64>,
    /// The clauses that decided something.
    pub clauses: BTreeSet<Clause>,
    /// Rounds that came to an end.
    pub rounds: u64,
    /// Rounds that the second settlement was held against.
    pub second: u64,
    /// Awards entered.
    pub awards: u64,
    /// Requests sent, without repetitions.
    pub requests: u64,
    /// Requests that were answered.
    pub acknowledged: u64,
    /// Deliveries of a request that had been delivered before.
    pub repeated: u64,
    /// Entries of all logs.
    pub entries: u64,
    /// Steps of all runs.
    pub steps: u64,
    /// Recoveries of a node.
    pub recoveries: u64,
}

impl Coverage {
    /// A fault was met.
    pub(crate) fn fault(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    /// A clause decided something.
    pub(crate) fn clause(&mut self, clause: Clause) {
        self.clauses.insert(clause);
    }

    /// Adds what another run has seen.
    pub fn add(&mut self, other: &Coverage) {
        for (fault, times) in &other.faults {
            *self.faults.entry(*fault).or_default() += times;
        }
        self.clauses.extend(&other.clauses);
        let sums = [
            (&mut self.rounds, other.rounds),
            (&mut self.second, other.second),
            (&mut self.awards, other.awards),
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

    /// What should have been met and was not.
    pub fn missing(&self) -> Vec<String> {
        let faults = Fault::ALL.iter().filter(|fault| !self.faults.contains_key(fault));
        let mut missing: Vec<String> = faults.map(|fault| fault.words().to_owned()).collect();
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
}

/// Why a clause cannot show in what a floor writes or answers, for the clauses that cannot.
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
