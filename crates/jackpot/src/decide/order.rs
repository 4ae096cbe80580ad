//! The order in which awards are paid (reading `payment-order`): the order of entry along the link (3.14), and a royal
//! flush after the lower hands of its round (3.15). Equal hands of one round have no order among themselves.

use cards::HandOrder;
use rulebook::{Clause, R3_14, R6_1};

use crate::award::Award;
use crate::decide::desk::check_words;
use crate::decide::signing::{CONTROL, check_pair};
use crate::decide::{Decision, cite};
use crate::event::Event;
use crate::link::Link;
use crate::names::{AwardNumber, Pair};
use crate::refusal::Reason;

impl Link {
    /// The awards that are still to be paid, in the order of payment.
    pub fn payment_queue(&self) -> Vec<&Award> {
        let mut queue: Vec<&Award> = self.open_awards().collect();
        queue.sort_by_key(|award| (self.turn(award), award.number));
        queue
    }

    /// The award that is paid before this one, and the clause that says so. `None` if this one may be paid now: nothing
    /// comes before it, or a ruling has released it. An award that was rejected or withdrawn no longer comes before others.
    pub fn waits_for(&self, award: &Award) -> Option<(&Award, Clause)> {
        if award.released.is_some() {
            return None;
        }
        self.payment_queue().into_iter().find_map(|other| Some((other, self.precedes(other, award)?)))
    }

    /// The clause under which one award is paid before another.
    fn precedes(&self, first: &Award, second: &Award) -> Option<Clause> {
        if first.entry != second.entry {
            let earlier = self.turn(first) < self.turn(second);
            return earlier.then(|| cite(second.clause.book, R3_14));
        }
        let lower = (first.hand, first.percent) < (second.hand, second.percent);
        let royal_waits = lower && second.hand == HandOrder::RoyalFlush;
        let book = self.book(second.clause.book).filter(|_| royal_waits)?;
        Some(book.clause(book.jackpot.sharing.royal_last))
    }

    /// The place in the list at which the award's hand was first entered, from 1.
    pub(super) fn place_of_hand(&self, award: &Award) -> usize {
        usize::try_from(self.turn(award).0).unwrap_or(usize::MAX)
    }

    /// The number under which the award's hand was first entered: a hand keeps its turn when its round is entered anew.
    fn turn(&self, award: &Award) -> AwardNumber {
        let mut first = award;
        while let Some(corrected) = first.corrects.and_then(|number| self.award(number)) {
            first = corrected;
        }
        first.number
    }

    /// A release is about the order, not about the award: those who signed the award may rule on it, so that a release
    /// never fails for want of a third manager.
    pub(super) fn decide_release(&self, number: AwardNumber, words: &str, by: &Pair) -> Decision {
        let ruling = cite(self.book_of(number), R6_1);
        check_pair(by, CONTROL, ruling.book)?;
        check_words(words, ruling)?;
        let award = self.open_award(number)?;
        if award.released.is_some() {
            return Err(Reason::AwardIsReleased.under(ruling));
        }
        if self.waits_for(award).is_none() {
            return Err(Reason::NothingToRelease.under(ruling));
        }
        let (words, by) = (words.to_owned(), by.clone());
        Ok(vec![Event::AwardReleased { award: number, words, by, clause: ruling }])
    }
}
