//! Entering a round (3.14): its contributions, then its awards in the order of 3.15, all at once.

use money::{Money, Overflow, Percent, Pool};
use rulebook::{OneJackpotPayout, Pays, R2_2_2, R3_4_2, R3_5, R3_5_3, R3_14, R4_2, Rulebook};

use crate::account::Balances;
use crate::award::{Award, AwardState, Funding};
use crate::command::{Entry, Shown, Wager};
use crate::decide::{Decision, cite, moved};
use crate::event::{Contribution, Event, award_transfers};
use crate::link::Link;
use crate::names::{AwardNumber, EntryId};
use crate::refusal::{Reason, Refusal};
use crate::settings::{Settings, most_positions};
use crate::sharing::{Claim, Share, enter_round};

impl Link {
    pub(super) fn decide_entry(&self, entry: &Entry) -> Decision {
        let (book, terms) = self.check_entry(entry)?;
        check_wagers(book, terms, &entry.wagers)?;
        let contribution = self.contribution(book, terms, &entry.wagers)?;
        check_claims(book, entry)?;
        let clause = book.clause(R3_14);
        let balances = moved(self.balances, &contribution.incoming_transfers(), clause)?;
        let entered = Event::RoundEntered {
            entry: entry.id.clone(),
            book: entry.book,
            terms: entry.terms,
            wagers: entry.wagers.clone(),
            fixed: entry.fixed.clone(),
            shown: entry.shown,
            contribution,
            balances,
        };
        let mut events = vec![entered];
        self.enter_awards(book, entry, balances, &mut events)?;
        Ok(events)
    }

    /// Checks that the table plays a book of the link, is connected, and has not entered this round.
    fn check_entry(&self, entry: &Entry) -> Result<(&Rulebook, &Settings), Refusal> {
        let Some(book) = self.book(entry.book) else {
            return Err(Reason::BookNotLinked.under(cite(entry.book, R3_14)));
        };
        if self.is_lost(&entry.id.table) {
            return Err(Reason::TableIsLost.under(book.clause(R3_5_3)));
        }
        if !self.reaches(&entry.id.table) {
            return Err(Reason::FaultIsOpen.under(book.clause(R3_5_3)));
        }
        if entry.counted.is_some_and(|counted| counted != self.counted(&entry.id.table)) {
            return Err(Reason::CountsDiffer.under(book.clause(R3_5_3)));
        }
        let last = self.last_entry_of(&entry.id.table);
        if last.is_some_and(|last| entry.id.round <= last.round) {
            return Err(Reason::RoundIsEntered.under(book.clause(R3_14)));
        }
        match self.settings_of(entry.terms) {
            Some(settings) => Ok((book, settings)),
            None => Err(Reason::NoSuchTerms.under(book.clause(R3_5_3))),
        }
    }

    /// What the wagers contribute. An implausible or uncountable amount is a fault at the table.
    fn contribution(
        &self,
        book: &Rulebook,
        terms: &Settings,
        wagers: &[Wager],
    ) -> Result<Contribution, Refusal> {
        let wagered = Money::sum(wagers.iter().map(|wager| wager.amount));
        let parts = wagered.and_then(|wagered| terms.contribution(wagered));
        let plausible = |(meter, reserve): &(Pool, Pool)| {
            meter.plus(*reserve).is_ok_and(|both| both <= terms.parameters().round_contribution_max)
        };
        let Some((whole, reserve)) = parts.ok().filter(plausible) else {
            return Err(Reason::ContributionImplausible.under(book.clause(R3_5_3)));
        };
        let meter = whole.at_most(self.room_below_cap().unwrap_or(whole));
        let overflow = whole.minus(meter).expect("the meter takes at most the whole");
        Ok(Contribution { meter, overflow, reserve })
    }

    /// The awards of a round, each with the meter after it. Settings that wait for a restart do not come in with it:
    /// the award that restarted the meter may still be rejected.
    fn enter_awards(
        &self,
        book: &Rulebook,
        entry: &Entry,
        mut balances: Balances,
        events: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let large = |Overflow| Reason::AmountTooLarge.under(book.clause(R4_2));
        let reset = self.settings().parameters().reset;
        let sharing = &book.jackpot.sharing;
        let (shown, since) = split_at(balances.meter, entry.shown);
        let round = enter_round(shown, reset, since, sharing, &entry.claims).map_err(large)?;
        let mut restarts_left = round.restarts;
        for (number, share) in (self.next_number()..).zip(&round.shares) {
            let restart = share.restarts().then(|| {
                restarts_left = restarts_left.saturating_sub(1);
                let last = restarts_left == 0;
                restart(self.settings(), balances, share, last)
            });
            let award = award(book, &entry.id, AwardNumber(number), share, restart);
            let event = entered(award, &mut balances)?;
            events.push(event);
        }
        Ok(())
    }

    /// The number of the next award.
    pub(super) fn next_number(&self) -> u64 {
        let awards = u64::try_from(self.awards.len()).expect("a list's length fits 64 bits");
        awards.saturating_add(1)
    }
}

/// The meter as the Players of the round saw it when bets closed, and what came in since.
pub fn split_at(meter: Pool, shown: Option<Shown>) -> (Pool, Pool) {
    let shown = shown.and_then(|shown| Pool::try_from(shown.displayed).ok());
    let then = meter.at_most(shown.unwrap_or(meter));
    (then, meter.minus(then).expect("at most the meter was shown"))
}

/// The reset amount that comes with an award of the whole meter, on a link that holds `balances` before the award.
/// With the last restart of a round the overflow comes back onto the meter, as far as the cap allows.
pub(super) fn restart(settings: &Settings, balances: Balances, share: &Share, last: bool) -> Funding {
    let funding = Funding::of(settings.parameters().reset, balances.reserve);
    let room = match settings.cap() {
        Some(cap) => cap.minus(share.after).unwrap_or(Pool::ZERO),
        None => balances.overflow,
    };
    let overflow = if last { balances.overflow.at_most(room).displayed() } else { Money::ZERO };
    Funding { overflow, ..funding }
}

/// Checks that each position has at most one wager, of an allowed multiple.
fn check_wagers(book: &Rulebook, terms: &Settings, wagers: &[Wager]) -> Result<(), Refusal> {
    if wagers.iter().any(|wager| !(1..=most_positions(book)).contains(&wager.position.0)) {
        return Err(Reason::NoSuchPosition.under(book.clause(R2_2_2)));
    }
    if has_duplicates(wagers, |one, other| one.position == other.position) {
        return Err(Reason::WagerTwice.under(book.clause(R3_4_2)));
    }
    let minimum = terms.parameters().minimum_wager;
    let allowed = |wager: &Wager| {
        let times = wager.amount.multiple_of(minimum).and_then(|times| u8::try_from(times).ok());
        times.is_some_and(|times| book.jackpot.multiples.contains(&times))
    };
    if !wagers.iter().all(allowed) {
        return Err(Reason::NotAMultiple.under(book.clause(R3_5_3)));
    }
    Ok(())
}

/// Checks that each claim has a wager, is in the pay table, and is the only claim of its wager.
fn check_claims(book: &Rulebook, entry: &Entry) -> Result<(), Refusal> {
    let claims = &entry.claims;
    let wagered = |claim: &Claim| entry.wagers.iter().any(|wager| wager.position == claim.position);
    if !claims.iter().all(wagered) {
        return Err(Reason::NoWager.under(book.clause(R3_5)));
    }
    let listed = |claim: &Claim| {
        let pays = Pays::Share(claim.percent);
        book.jackpot
            .lines
            .iter()
            .any(|line| (line.hand, line.pays, line.rule) == (claim.hand, pays, claim.rule))
    };
    if !claims.iter().all(listed) {
        return Err(Reason::NoSuchLine.under(book.clause(R4_2)));
    }
    let twice = match book.jackpot.one_payout {
        OneJackpotPayout::Highest => has_duplicates(claims, |one, other| one.position == other.position),
        OneJackpotPayout::PlayerAndCommunity => has_duplicates(claims, |one, other| one == other),
    };
    if twice {
        return Err(Reason::ClaimTwice.under(book.clause(R4_2)));
    }
    let of_all = claims.iter().filter(|claim| claim.percent == Percent::ALL).count();
    let sharing = &book.jackpot.sharing;
    if 1 < of_all && sharing.royal_flush.is_none() {
        return Err(Reason::OneRoyalOnly.under(book.clause(sharing.royal_last)));
    }
    Ok(())
}

/// Whether two items are equal by `same`. For short lists.
fn has_duplicates<T>(items: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    items.iter().enumerate().any(|(place, one)| items.iter().take(place).any(|other| same(one, other)))
}

/// A share as an award. Its balances are not known yet.
pub(super) fn award(
    book: &Rulebook,
    entry: &EntryId,
    number: AwardNumber,
    share: &Share,
    reset: Option<Funding>,
) -> Award {
    Award {
        number,
        entry: entry.clone(),
        position: share.position,
        hand: share.hand,
        percent: share.percent,
        amount: share.amount,
        clause: book.clause(share.rule),
        displayed: share.displayed,
        sharers: share.sharers,
        before: share.before,
        after: share.after,
        reset,
        state: AwardState::Entered,
        checklist: None,
        due_diligence: None,
        corrects: None,
        paid_before: None,
        released: None,
        ruling: None,
        signatures: Vec::new(),
    }
}

/// The event of an award, with the meter after it. That differs from the computed one if overflow came in.
pub(super) fn entered(mut award: Award, balances: &mut Balances) -> Result<Event, Refusal> {
    *balances = moved(*balances, &award_transfers(award.amount, award.reset), award.clause)?;
    award.after = balances.meter;
    Ok(Event::AwardEntered { award: Box::new(award), balances: *balances })
}
