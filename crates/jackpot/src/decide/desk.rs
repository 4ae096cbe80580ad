//! The jackpot desk: an award is verified, approved and paid by three people, or rejected by two others.

use money::{Money, Pool};
use rulebook::{Citation, Clause, Office, R4_2, R6_1, Rule};

use crate::award::{Award, AwardState, Checklist, PaidBy, RejectCause, Ruling, Signed, Step};
use crate::decide::reentry::Gone;
use crate::decide::signing::{
    CONTROL, UNDOING, check_not_signed, check_office, check_pair, check_pair_not_signed,
};
use crate::decide::{Decision, cite, moved};
use crate::event::{Contribution, Event, ruling_transfer};
use crate::link::Link;
use crate::names::{AwardNumber, Pair, Signature};
use crate::refusal::{Reason, Refusal};

/// The cards of a complete deck.
const DECK: u8 = 52;

impl Link {
    pub(super) fn decide_verify(
        &self,
        number: AwardNumber,
        checklist: &Checklist,
        by: &Signature,
    ) -> Decision {
        check_office(by, Office::PitSupervisor, self.book_of(number))?;
        let award = self.open_award(number)?;
        self.check_payments()?;
        match award.state {
            AwardState::Verified => return Err(Reason::AwardIsVerified.under(clause(award, R4_2))),
            AwardState::Approved => return Err(Reason::AwardIsApproved.under(clause(award, R4_2))),
            AwardState::Entered | AwardState::Paid | AwardState::Rejected | AwardState::Replaced => {}
        }
        check_not_signed(award, &by.person)?;
        if !checklist.cards_checked {
            return Err(Reason::CardsNotChecked.under(clause(award, R4_2)));
        }
        if checklist.deck_cards != DECK {
            return Err(Reason::DeckNotComplete.under(clause(award, R4_2)));
        }
        Ok(vec![Event::AwardVerified { award: number, checklist: checklist.clone(), by: by.clone() }])
    }

    pub(super) fn decide_approve(&self, number: AwardNumber, by: &Signature) -> Decision {
        check_office(by, Office::PitManager, self.book_of(number))?;
        let award = self.open_award(number)?;
        match award.state {
            AwardState::Approved => return Err(Reason::AwardIsApproved.under(clause(award, R4_2))),
            AwardState::Entered => return Err(Reason::AwardNotVerified.under(clause(award, R4_2))),
            AwardState::Verified | AwardState::Paid | AwardState::Rejected | AwardState::Replaced => {}
        }
        check_not_signed(award, &by.person)?;
        self.check_payments()?;
        self.check_others_verified(award)?;
        Ok(vec![Event::AwardApproved { award: number, by: by.clone() }])
    }

    pub(super) fn decide_diligence(&self, number: AwardNumber, reference: &str, by: &Signature) -> Decision {
        let book = self.book_of(number);
        check_office(by, Office::PitSupervisor, book)?;
        check_words(reference, cite(book, R6_1))?;
        let award = self.open_award(number)?;
        if award.due_diligence.is_some() {
            return Err(Reason::DueDiligenceIsRecorded.under(clause(award, R6_1)));
        }
        let reference = reference.to_owned();
        Ok(vec![Event::DueDiligenceRecorded { award: number, reference, by: by.clone() }])
    }

    /// Any office may pay; normally the Dealer does. It must be a third person.
    pub(super) fn decide_pay(&self, number: AwardNumber, means: Option<PaidBy>, by: &Signature) -> Decision {
        let award = self.open_award(number)?;
        match award.state {
            AwardState::Entered => return Err(Reason::AwardNotVerified.under(clause(award, R4_2))),
            AwardState::Verified => return Err(Reason::AwardNotApproved.under(clause(award, R4_2))),
            AwardState::Approved | AwardState::Paid | AwardState::Rejected | AwardState::Replaced => {}
        }
        check_not_signed(award, &by.person)?;
        if award.needs_due_diligence() && award.due_diligence.is_none() {
            return Err(Reason::DueDiligenceIsMissing.under(clause(award, R6_1)));
        }
        self.check_payments()?;
        self.check_others_verified(award)?;
        if let Some((_, order)) = self.waits_for(award) {
            return Err(Reason::EarlierAwardIsOpen.under(order));
        }
        Ok(vec![Event::AwardPaid { award: number, amount: award.amount, by: by.clone(), means }])
    }

    /// What one hand of a round is awarded depends on the others. So none is approved or paid before the cards of all
    /// are checked, unless a ruling released it.
    fn check_others_verified(&self, award: &Award) -> Result<(), Refusal> {
        let unchecked = |other: &Award| other.entry == award.entry && other.state == AwardState::Entered;
        if award.released.is_none() && self.awards.iter().any(unchecked) {
            return Err(Reason::OtherHandsNotVerified.under(award.clause));
        }
        Ok(())
    }

    /// The amount returns to the meter with all that came with it, and the other hands of the round are due what the
    /// rules give without this one.
    pub(super) fn decide_reject(&self, number: AwardNumber, cause: RejectCause, by: &Pair) -> Decision {
        check_pair(by, UNDOING, self.book_of(number))?;
        let award = self.open_award(number)?;
        check_pair_not_signed(award, by)?;
        let under = clause(award, R4_2);
        let mut holdings = self.holdings();
        let restoration = holdings.restore(award, under)?;
        let (by, balances) = (by.clone(), holdings.balances);
        let mut events = vec![Event::AwardRejected { restoration, cause, by, clause: under, balances }];
        let round = self.entered_round(&award.entry).expect("a link keeps the rounds with awards");
        let gone = Gone { hands: &[], returned: &Contribution::default(), rejected: Some(number) };
        events.extend(self.enter_anew(&award.entry, round, &gone, &mut holdings, under)?);
        Ok(events)
    }

    /// An amount can be ruled on until the award is approved, because the approver must know the amount. What a paid
    /// award lacks is paid by a supplementary slip.
    pub(super) fn decide_ruling(
        &self,
        number: AwardNumber,
        amount: Money,
        words: &str,
        by: &Pair,
    ) -> Decision {
        let ruling = cite(self.book_of(number), R6_1);
        check_pair(by, CONTROL, ruling.book)?;
        check_words(words, ruling)?;
        if amount.is_zero() {
            return Err(Reason::NoAmount.under(ruling));
        }
        if let Some(paid) = self.award(number).filter(|award| award.state == AwardState::Paid) {
            return self.supplement(paid, amount, words, by);
        }
        let award = self.open_award(number)?;
        if award.state == AwardState::Approved {
            return Err(Reason::AwardIsApproved.under(ruling));
        }
        check_pair_not_signed(award, by)?;
        if amount == award.amount {
            return Err(Reason::AmountIsTheSame.under(ruling));
        }
        if Pool::try_from(amount).is_err() {
            return Err(Reason::MeterIsTooLow.under(ruling));
        }
        let balances = moved(self.balances, &[ruling_transfer(award.amount, amount)], ruling)?;
        Ok(vec![Event::RulingMade {
            award: number,
            amount_before: award.amount,
            amount,
            words: words.to_owned(),
            by: by.clone(),
            clause: ruling,
            balances,
        }])
    }

    /// A further award to a hand that was paid too little, so that it has `amount` in all. Those who ruled do not sign
    /// it again.
    fn supplement(&self, paid: &Award, amount: Money, words: &str, by: &Pair) -> Decision {
        let ruling = clause(paid, R6_1);
        let of_hand = || self.awards.iter().filter(|award| award.is_of_hand(paid));
        if of_hand().any(Award::is_open) {
            return Err(Reason::SupplementIsOpen.under(ruling));
        }
        let had = of_hand().filter(|award| award.state == AwardState::Paid).map(|award| award.amount);
        let had = Money::sum(had).map_err(|_| Reason::AmountTooLarge.under(ruling))?;
        let Some(lacking) = amount.minus(had).filter(|lacking| !lacking.is_zero()) else {
            return Err(Reason::NotMoreThanPaid.under(ruling));
        };
        if Pool::try_from(lacking).is_err() {
            return Err(Reason::MeterIsTooLow.under(ruling));
        }
        let latest = of_hand().next_back().map_or(paid.number, |award| award.number);
        let award = Award {
            number: AwardNumber(self.next_number()),
            amount: lacking,
            clause: ruling,
            displayed: self.displayed(),
            before: self.balances.meter,
            reset: None,
            state: AwardState::Entered,
            checklist: None,
            corrects: Some(latest),
            paid_before: Some(had),
            released: None,
            ruling: Some(Ruling { words: words.to_owned(), by: by.clone() }),
            signatures: by.both().map(|by| Signed { step: Step::Ruled, by: by.clone() }).to_vec(),
            ..paid.clone()
        };
        Ok(vec![self.holdings().enter(award)?])
    }

    /// An award that is still to be paid.
    pub(super) fn open_award(&self, number: AwardNumber) -> Result<&Award, Refusal> {
        let Some(award) = self.award(number) else {
            return Err(Reason::NoSuchAward.under(self.default_clause(R4_2)));
        };
        match award.state {
            AwardState::Paid => Err(Reason::AwardIsPaid.under(clause(award, R4_2))),
            AwardState::Rejected => Err(Reason::AwardIsRejected.under(clause(award, R4_2))),
            AwardState::Replaced => Err(Reason::AwardIsReplaced.under(clause(award, R4_2))),
            AwardState::Entered | AwardState::Verified | AwardState::Approved => Ok(award),
        }
    }

    /// The book of an award's table; the link's first book if there is no such award.
    pub(super) fn book_of(&self, number: AwardNumber) -> Citation {
        self.award(number).map_or(self.home(), |award| award.clause.book)
    }
}

/// A clause of the book under which an award was won.
fn clause(award: &Award, rule: Rule) -> Clause {
    cite(award.clause.book, rule)
}

/// Refuses an empty text.
pub(super) fn check_words(words: &str, clause: Clause) -> Result<(), Refusal> {
    if words.trim().is_empty() {
        return Err(Reason::WordsAreMissing.under(clause));
    }
    Ok(())
}
