//! Faults that the program finds lock what they concern, until two people clear them.

use rulebook::{R3_5_3, R6_1};

use crate::decide::desk::check_words;
use crate::decide::signing::{UNDOING, check_pair};
use crate::decide::{Decision, cite};
use crate::event::Event;
use crate::fault::{Counts, Fault, FaultKind, FaultNumber};
use crate::link::Link;
use crate::names::{Pair, TableId};
use crate::refusal::{Reason, Refusal};

impl Link {
    /// A fault that is already open is not reported again.
    pub(super) fn decide_report(
        &self,
        kind: FaultKind,
        table: Option<&TableId>,
        seen: &str,
        counted: Option<Counts>,
    ) -> Decision {
        let clause = self.default_clause(R3_5_3);
        check_words(seen, clause)?;
        if self.faults().iter().any(|fault| fault.kind == kind && fault.table.as_ref() == table) {
            return Err(Reason::FaultIsKnown.under(clause));
        }
        let number = FaultNumber(self.faults_found.saturating_add(1));
        let (table, seen) = (table.cloned(), seen.to_owned());
        Ok(vec![Event::FaultFound { fault: Fault { number, kind, table, seen, counted } }])
    }

    pub(super) fn decide_clear(&self, number: FaultNumber, words: &str, by: &Pair) -> Decision {
        let clause = self.default_clause(R6_1);
        check_pair(by, UNDOING, clause.book)?;
        check_words(words, clause)?;
        if !self.faults().iter().any(|fault| fault.number == number) {
            return Err(Reason::NoSuchFault.under(clause));
        }
        Ok(vec![Event::FaultCleared { fault: number, words: words.to_owned(), by: by.clone(), clause }])
    }

    /// Refuses to sign or pay awards while a fault stops that.
    pub(super) fn check_payments(&self) -> Result<(), Refusal> {
        if self.faults().iter().any(Fault::stops_payments) {
            return Err(Reason::PaymentsAreStopped.under(cite(self.home(), R6_1)));
        }
        Ok(())
    }
}
