//! Changes to the link itself: adjusting the meter, changing settings, losing and restoring a table.

use money::Pool;
use rulebook::{Clause, R3_5_3, R6_1};

use crate::account::{Account, Balances, Total, Transfer, sub_cents};
use crate::command::{Cause, Evidence};
use crate::decide::desk::check_words;
use crate::decide::signing::check_control;
use crate::decide::{Decision, moved};
use crate::event::Event;
use crate::link::Link;
use crate::names::{Pair, TableId};
use crate::refusal::{Reason, Refusal};
use crate::settings::Settings;

impl Link {
    pub(super) fn decide_adjust(
        &self,
        cause: Cause,
        amount: Pool,
        words: &str,
        about: Option<&Evidence>,
        by: &Pair,
    ) -> Decision {
        let under = self.default_clause(R6_1);
        check_control(by, under.book)?;
        check_words(words, under)?;
        if amount == Pool::ZERO {
            return Err(Reason::NoAmount.under(under));
        }
        self.check_cause(cause, amount, under)?;
        let balances = moved(self.balances, &[Transfer::new(cause.movement(), amount)], under)?;
        self.check_bounds(cause, balances, under)?;
        let (words, about, by) = (words.to_owned(), about.cloned(), by.clone());
        Ok(vec![Event::MeterAdjusted { cause, amount, words, about, by, clause: under, balances }])
    }

    /// Checks that the cause can explain this amount.
    fn check_cause(&self, cause: Cause, amount: Pool, under: Clause) -> Result<(), Refusal> {
        match cause {
            Cause::SeedRecovery if self.seed_outstanding() < Total::from(amount) => {
                Err(Reason::NoSeedToRecover.under(under))
            }
            Cause::OverTheCap if self.above_the_cap() < amount => Err(Reason::NotOverTheCap.under(under)),
            Cause::SeedRecovery
            | Cause::OverTheCap
            | Cause::MalfunctionTooLow
            | Cause::MalfunctionTooHigh
            | Cause::OverflowRelease
            | Cause::ReserveTransfer => Ok(()),
        }
    }

    /// The meter stays between its reset amount and its cap, with one exception: a malfunction is corrected to
    /// the right value, which after straight flushes may be below the reset amount.
    fn check_bounds(&self, cause: Cause, after: Balances, under: Clause) -> Result<(), Refusal> {
        let reset = sub_cents(self.settings().parameters().reset);
        if cause == Cause::SeedRecovery && after.meter < reset {
            return Err(Reason::BelowTheReset.under(under));
        }
        let raises = cause.movement().target() == Account::Meter;
        if raises && self.settings().cap().is_some_and(|cap| cap < after.meter) {
            return Err(Reason::AboveTheCap.under(under));
        }
        Ok(())
    }

    /// How far the meter stands above its cap.
    fn above_the_cap(&self) -> Pool {
        let above = self.settings().cap().and_then(|cap| self.balances.meter.minus(cap));
        above.unwrap_or(Pool::ZERO)
    }

    pub(super) fn decide_reconfigure(&self, settings: &Settings, by: &Pair) -> Decision {
        let clause = self.default_clause(R6_1);
        check_control(by, clause.book)?;
        if settings == self.scheduled().unwrap_or_else(|| self.settings()) {
            return Err(Reason::NothingChanges.under(clause));
        }
        Ok(vec![Event::ReconfigurationScheduled { settings: *settings, by: by.clone() }])
    }

    pub(super) fn decide_lose(&self, table: &TableId) -> Decision {
        if !self.reaches(table) {
            return Err(Reason::TableIsLost.under(self.default_clause(R3_5_3)));
        }
        Ok(vec![Event::TableLost { table: table.clone() }])
    }

    pub(super) fn decide_restore(&self, table: &TableId) -> Decision {
        if self.reaches(table) {
            return Err(Reason::TableIsNotLost.under(self.default_clause(R3_5_3)));
        }
        Ok(vec![Event::TableRestored { table: table.clone() }])
    }
}
