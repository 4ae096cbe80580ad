//! A hand of an entered round does not stand (5.7), or its award is rejected: the other hands are due what the rules give
//! without it. Their awards are computed again from the meter as it stood before the round. An award that is still to be
//! paid is replaced, and one that was paid too little is added to. A paid award is never taken back.
//!
//! Money moves on the meter as it is now, so the meter ends as if the hand had never been entered, and awards of other
//! rounds keep their amounts. A ruled amount stays: what a ruling changes for others is the Gaming Shift Manager's to
//! say (6.1).

use money::{Money, Overflow, Pool};
use rulebook::{Clause, Pays, Position, R4_2, Rulebook};

use crate::account::{Balances, sub_cents};
use crate::award::{Award, AwardState, Funding, Step};
use crate::decide::entry::{award, restart, split_at};
use crate::decide::restoration::Holdings;
use crate::event::{Contribution, Event};
use crate::link::{EnteredRound, Link};
use crate::names::{AwardNumber, EntryId};
use crate::refusal::{Reason, Refusal};
use crate::sharing::{Claim, Share, enter_round};

/// What is not counted any more when a round is entered anew.
pub(super) struct Gone<'a> {
    /// The hands whose wagers do not stand.
    pub(super) hands: &'a [Position],
    /// What these wagers contributed.
    pub(super) returned: &'a Contribution,
    /// The award that is rejected. Its wager stands, and its contribution stays.
    pub(super) rejected: Option<AwardNumber>,
}

/// What a hand is due without the hands that do not stand.
#[derive(Clone, Copy)]
struct Due {
    share: Share,
    /// The reset amount that comes with it, and who would have paid it at the entry.
    reset: Option<Funding>,
}

/// How the awards of one hand change.
struct Change<'a> {
    due: Due,
    /// The award that is replaced, if one of the hand is still to be paid. There is at most one.
    open: Option<&'a Award>,
    /// The latest award of the hand.
    latest: &'a Award,
    /// What the hand was paid, if it was.
    paid: Option<Money>,
    /// What is still to be paid, if anything.
    rest: Option<(AwardNumber, Money)>,
}

impl Change<'_> {
    /// The award of what is still to be paid. `left` is the part of an earlier reset amount that is still in the meter.
    fn award(
        &self,
        book: &Rulebook,
        entry: &EntryId,
        number: AwardNumber,
        amount: Money,
        left: Funding,
        held: Balances,
    ) -> Award {
        let reset = self.due.reset.map(|reset| renewed(reset, left, held));
        Award {
            amount,
            before: held.meter,
            corrects: Some(self.latest.number),
            paid_before: self.paid,
            due_diligence: self.latest.due_diligence.clone(),
            released: self.latest.released.clone(),
            ..award(book, entry, number, &self.due.share, reset)
        }
    }
}

impl Link {
    /// The events that give the standing hands of an entry what they are due without what is `gone`.
    pub(super) fn enter_anew(
        &self,
        entry: &EntryId,
        last: &EnteredRound,
        gone: &Gone<'_>,
        holdings: &mut Holdings,
        clause: Clause,
    ) -> Result<Vec<Event>, Refusal> {
        let book = self.book(last.book).expect("the round was entered under a book of this link");
        let due = self.due_without(book, entry, last, gone);
        let due = due.map_err(|Overflow| Reason::AmountTooLarge.under(book.clause(R4_2)))?;
        let mut events = Vec::new();
        for change in self.changes(entry, due, gone.rejected) {
            let mut left = Funding::default();
            if let Some(award) = change.open {
                let restoration = holdings.restore(award, clause)?;
                left = left_of(award.reset.unwrap_or_default(), restoration.reset);
                let (replacement, balances) = (change.rest.map(|(number, _)| number), holdings.balances);
                events.push(Event::AwardReplaced { restoration, replacement, clause, balances });
            }
            if let Some((number, amount)) = change.rest {
                let award = change.award(book, entry, number, amount, left, holdings.balances);
                events.push(holdings.enter(award)?);
            }
        }
        Ok(events)
    }

    /// What each hand that stands is due, computed from what the link held before the entry.
    fn due_without(
        &self,
        book: &Rulebook,
        entry: &EntryId,
        last: &EnteredRound,
        gone: &Gone<'_>,
    ) -> Result<Vec<Due>, Overflow> {
        let terms = self.settings_of(last.terms).expect("the round was entered under settings of this link");
        let in_force = self.settings_of(last.in_force).expect("a link keeps all settings it ever had");
        let stands = |position: &Position| !gone.hands.contains(position) && !last.out.contains(position);
        let wagers = last.standing.iter().filter(|wager| stands(&wager.position));
        let (whole, to_reserve) = terms.contribution(Money::sum(wagers.map(|wager| wager.amount))?)?;
        let over_cap = last.over_cap.minus(gone.returned.overflow).unwrap_or(Pool::ZERO);
        let contribution = whole.minus(over_cap).unwrap_or(Pool::ZERO);
        let mut held = Balances {
            meter: last.before.meter.plus(contribution)?,
            reserve: last.before.reserve.plus(to_reserve)?,
            overflow: last.before.overflow.plus(over_cap)?,
        };
        let first = self.awards.iter().filter(|award| award.entry == *entry && award.corrects.is_none());
        let first = first.filter(|award| stands(&award.position) && !self.is_rejected(award, gone.rejected));
        let claims: Vec<Claim> = first.map(|award| claim_of(book, award)).collect();
        let reset = in_force.parameters().reset;
        let (shown, since) = split_at(held.meter, last.shown);
        let round = enter_round(shown, reset, since, &book.jackpot.sharing, &claims)?;
        let mut restarts_left = round.restarts;
        let due = round.shares.into_iter().map(|share| {
            let reset = share.restarts().then(|| {
                restarts_left = restarts_left.saturating_sub(1);
                let funding = restart(in_force, held, &share, restarts_left == 0);
                held.reserve = held.reserve.minus(sub_cents(funding.reserve)).unwrap_or(Pool::ZERO);
                funding
            });
            Due { share, reset }
        });
        Ok(due.collect())
    }

    /// Whether the hand of an award was rejected, or is with this command. One that was paid stands.
    fn is_rejected(&self, award: &Award, rejected: Option<AwardNumber>) -> bool {
        let of_hand = || self.awards.iter().filter(|other| other.is_of_hand(award));
        let out = |award: &Award| award.state == AwardState::Rejected || Some(award.number) == rejected;
        of_hand().any(out) && !of_hand().any(|award| award.state == AwardState::Paid)
    }

    /// The hands whose awards change, in the order of entry, with the numbers of their new awards.
    fn changes(&self, entry: &EntryId, due: Vec<Due>, rejected: Option<AwardNumber>) -> Vec<Change<'_>> {
        let mut number = self.next_number();
        let changes = due.into_iter().filter_map(|due| {
            let of_hand = |award: &&Award| {
                award.entry == *entry
                    && (award.position, award.hand, award.percent)
                        == (due.share.position, due.share.hand, due.share.percent)
            };
            let awards: Vec<&Award> = self.awards.iter().filter(of_hand).collect();
            // Rejecting a supplement takes back no hand, and brings no other supplement.
            let mut change = change(&awards, due).filter(|change| Some(change.latest.number) != rejected)?;
            if let Some((new, _)) = &mut change.rest {
                *new = AwardNumber(number);
                number = number.saturating_add(1);
            }
            Some(change)
        });
        changes.collect()
    }
}

/// How the awards of one hand change; `None` if they stay as they are.
fn change<'a>(awards: &[&'a Award], due: Due) -> Option<Change<'a>> {
    let latest = *awards.last()?;
    let ruled = |award: &&Award| award.signatures.iter().any(|signed| signed.step == Step::Ruled);
    if awards.iter().any(ruled) {
        return None;
    }
    let is_paid = |award: &&&Award| award.state == AwardState::Paid;
    let sum = Money::sum(awards.iter().filter(is_paid).map(|award| award.amount));
    let sum = sum.expect("amounts that left the meter can be added");
    let paid = awards.iter().any(|award| is_paid(&award)).then_some(sum);
    let open = Some(latest).filter(|award| award.is_open());
    let missing = due.share.amount.minus(sum).unwrap_or_default();
    let unchanged = match open {
        Some(award) => award.amount == missing && award.sharers == due.share.sharers,
        None => missing.is_zero(),
    };
    if unchanged {
        return None;
    }
    // The reset amount came with the award that was paid.
    let due = Due { reset: due.reset.filter(|_| paid.is_none()), ..due };
    let rest = Some((latest.number, missing)).filter(|_| !missing.is_zero());
    Some(Change { due, open, latest, paid, rest })
}

/// A hand's claim, as its round was entered with it.
fn claim_of(book: &Rulebook, award: &Award) -> Claim {
    let line = book.jackpot.lines.iter();
    let line =
        line.into_iter().find(|line| (line.hand, line.pays) == (award.hand, Pays::Share(award.percent)));
    let rule = line.expect("an award is on a line of its book").rule;
    Claim { position: award.position, hand: award.hand, percent: award.percent, rule }
}

/// The part of a reset amount that could not be taken back out of the meter.
fn left_of(put_in: Funding, taken_out: Funding) -> Funding {
    let left = |put_in: Money, out: Money| put_in.minus(out).expect("at most what was put in is taken out");
    Funding {
        reserve: left(put_in.reserve, taken_out.reserve),
        house: left(put_in.house, taken_out.house),
        overflow: left(put_in.overflow, taken_out.overflow),
    }
}

/// The reset amount of an award entered anew, without the part that is still in the meter. The reserve pays its part as
/// far as it can, the house the rest.
fn renewed(reset: Funding, left: Funding, held: Balances) -> Funding {
    let less = |amount: Money, part: Money| amount.minus(part).unwrap_or_default();
    let overflow = less(reset.overflow, left.overflow).min(held.overflow.displayed());
    let from_reserve = less(reset.reserve, left.reserve).min(held.reserve.displayed());
    let unpaid = less(reset.reserve, left.reserve).minus(from_reserve).unwrap_or_default();
    let house = less(reset.house, left.house).plus(unpaid);
    Funding { reserve: from_reserve, house: house.expect("a reset amount fits"), overflow }
}
