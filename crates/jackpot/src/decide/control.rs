//! Changes to the link itself: adjusting the meter, changing settings, losing and restoring a table.

use money::Pool;
use rulebook::{Clause, R3_5_3, R6_1};

use crate::account::{Account, Balances, Total, Transfer, sub_cents};
use crate::award::{Award, AwardState, Funding};
use crate::command::{Cause, Evidence};
use crate::decide::desk::check_words;
use crate::decide::signing::check_control;
use crate::decide::{Decision, moved};
use crate::event::{Event, Raised, reset_transfers};
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
        // To keep the present settings cancels those that wait, wherever the meter stands by now.
        let cancels = settings == self.settings();
        if !cancels && settings.cap().is_some_and(|cap| cap < self.balances.meter) {
            return Err(Reason::CapBelowTheMeter.under(clause));
        }
        Ok(vec![Event::ReconfigurationScheduled { settings: *settings, by: by.clone() }])
    }

    /// The events, and after them the settings that waited, if the award that restarted the meter is final with them.
    pub(super) fn and_settings(&self, mut events: Vec<Event>) -> Vec<Event> {
        if self.scheduled.is_some() {
            let mut after = self.clone();
            for event in &events {
                after.evolve(event);
            }
            events.extend(after.settings_in_force());
        }
        events
    }

    /// The waiting settings come into force when an award that restarted the meter since then was paid, and no other
    /// restart can be undone any more. Until then the award may be rejected, and the old terms stand with the old
    /// meter. If the meter has meanwhile grown above the new cap or cannot take the new reset amount, they wait for the
    /// next restart: nothing is refused because of settings that wait.
    fn settings_in_force(&self) -> Option<Event> {
        let waiting = self.scheduled?;
        let restarts: Vec<&Award> = self.awards.iter().filter(|award| award.restarts()).collect();
        let since = |award: &&&Award| waiting.awards_before < self.place_of_hand(award);
        let paid = restarts.iter().filter(since).any(|award| award.state == AwardState::Paid);
        let open = restarts.iter().any(|award| award.is_open());
        if !paid || open {
            return None;
        }
        let settings = waiting.settings;
        let (before, after) = (self.settings().parameters().reset, settings.parameters().reset);
        let by = Funding::of(after.minus(before).unwrap_or_default(), self.balances.reserve);
        let balances = self.balances.after(&reset_transfers(by)).ok()?;
        if settings.cap().is_some_and(|cap| cap < balances.meter) {
            return None;
        }
        let raised = (before < after).then_some(Raised { by, balances });
        Some(Event::SettingsApplied { settings, raised })
    }

    /// How much the meter may still take below its cap; `None` if it has no cap.
    pub(super) fn room_below_cap(&self) -> Option<Pool> {
        let cap = self.settings().cap()?;
        Some(cap.minus(self.balances.meter).unwrap_or(Pool::ZERO))
    }

    pub(super) fn decide_lose(&self, table: &TableId, silent: bool) -> Decision {
        if self.is_lost(table) {
            return Err(Reason::TableIsLost.under(self.default_clause(R3_5_3)));
        }
        Ok(vec![Event::TableLost { table: table.clone(), silent }])
    }

    pub(super) fn decide_restore(&self, table: &TableId) -> Decision {
        if !self.is_lost(table) {
            return Err(Reason::TableIsNotLost.under(self.default_clause(R3_5_3)));
        }
        Ok(vec![Event::TableRestored { table: table.clone() }])
    }
}
