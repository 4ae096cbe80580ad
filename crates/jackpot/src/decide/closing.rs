//! Closing a link: announced first, then all that it holds is moved. The Players' money is never left behind.

use money::Pool;
use rulebook::R6_1;

use crate::account::Balances;
use crate::command::Destination;
use crate::decide::desk::check_words;
use crate::decide::signing::check_control;
use crate::decide::{Decision, moved};
use crate::event::{Event, closing_transfers, receiving_transfers};
use crate::link::Link;
use crate::names::Pair;
use crate::refusal::Reason;

impl Link {
    pub(super) fn decide_announce_closing(&self, to: &Destination, words: &str, by: &Pair) -> Decision {
        let clause = self.default_clause(R6_1);
        check_control(by, clause.book)?;
        check_words(words, clause)?;
        let announced = self.closing().is_some_and(|closing| closing.to == *to && closing.words == words);
        if announced {
            return Err(Reason::NothingChanges.under(clause));
        }
        let (to, words, by) = (to.clone(), words.to_owned(), by.clone());
        Ok(vec![Event::ClosingAnnounced { to, words, by, clause }])
    }

    pub(super) fn decide_close(&self, by: &Pair) -> Decision {
        let clause = self.default_clause(R6_1);
        check_control(by, clause.book)?;
        let Some(closing) = self.closing() else {
            return Err(Reason::ClosingNotAnnounced.under(clause));
        };
        if self.open_awards().next().is_some() {
            return Err(Reason::AwardsAreOpen.under(clause));
        }
        if !self.faults().is_empty() {
            return Err(Reason::FaultsAreOpen.under(clause));
        }
        let balances = moved(self.balances, &closing_transfers(&self.balances), clause)?;
        debug_assert_eq!(balances, Balances::default(), "all that the link held was moved");
        let (to, by) = (closing.to.clone(), by.clone());
        Ok(vec![Event::LinkClosed { to, moved: self.balances, by, clause, balances }])
    }

    pub(super) fn decide_receive(&self, from: &str, amount: Pool, by: &Pair) -> Decision {
        let clause = self.default_clause(R6_1);
        check_control(by, clause.book)?;
        if amount == Pool::ZERO {
            return Err(Reason::NoAmount.under(clause));
        }
        let meter = amount.at_most(self.room_below_cap().unwrap_or(amount));
        let overflow = amount.minus(meter).expect("the meter takes at most the whole");
        let balances = moved(self.balances, &receiving_transfers(meter, overflow), clause)?;
        let (from, by) = (from.to_owned(), by.clone());
        Ok(vec![Event::MoneyReceived { from, meter, overflow, by, clause, balances }])
    }
}
