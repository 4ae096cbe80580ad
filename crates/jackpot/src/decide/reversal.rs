//! Undoes an entered round that did not stand (5.3), or hands of it (5.7). Their contributions and awards are
//! returned exactly once, from what the link holds now, and the awards of the hands that stand are computed again. Once the table's next round has begun, the round stands.
//! The controller only knows of that round when it is entered, so the table must send this command in time.

use money::{Money, Pool};
use rulebook::{Clause, Position, R3_5, R3_14, R5_3, R6_1, Rule};

use crate::account::Balances;
use crate::award::{Award, AwardState};
use crate::command::{FixedPrize, Undone, Wager};
use crate::decide::reentry::Gone;
use crate::decide::restoration::Holdings;
use crate::decide::signing::{UNDOING, check_pair, check_pair_not_signed};
use crate::decide::{Decision, cite, moved};
use crate::event::{Contribution, Event};
use crate::link::{EnteredRound, Link};
use crate::names::{EntryId, Pair};
use crate::refusal::{Reason, Refusal};

/// The section on irregularities.
const IRREGULARITIES: u8 = 5;

impl Link {
    pub(super) fn decide_reversal(
        &self,
        entry: &EntryId,
        undone: &Undone,
        rule: Rule,
        by: &Pair,
    ) -> Decision {
        let last = self.last_entry_of(&entry.table);
        check_pair(by, UNDOING, last.map_or(self.home(), |last| last.book))?;
        let last = self.check_last(entry, last)?;
        let clause = self.check_rule(last, rule)?;
        let gone = withdrawn_wagers(last, undone, clause)?;
        let positions: Vec<Position> = gone.iter().map(|wager| wager.position).collect();
        let awards = self.awards_of(entry, &positions, clause)?;
        awards.iter().try_for_each(|award| check_pair_not_signed(award, by))?;
        let (mut events, mut holdings) = self.take_back_awards(&awards, by, clause)?;
        let contribution = self.contributed_by(last, &gone);
        let withdrawn = Gone { hands: &positions, returned: &contribution, rejected: None };
        events.extend(self.enter_anew(entry, last, &withdrawn, &mut holdings, clause)?);
        let shortfall = shortfall_of(&contribution, holdings.balances);
        let balances = moved(holdings.balances, &contribution.return_transfers(&shortfall), clause)?;
        let entry = entry.clone();
        let by = by.clone();
        events.push(Event::EntryReversed { entry, positions, contribution, shortfall, by, clause, balances });
        Ok(events)
    }

    pub(super) fn decide_fixed(&self, entry: &EntryId, fixed: &[FixedPrize], rule: Rule) -> Decision {
        let last = self.check_last(entry, self.last_entry_of(&entry.table))?;
        let clause = self.check_rule(last, rule)?;
        if last.fixed == fixed {
            return Err(Reason::NothingChanges.under(clause));
        }
        let stands = |prize: &FixedPrize| last.standing.iter().any(|wager| wager.position == prize.position);
        if !fixed.iter().all(stands) {
            return Err(Reason::NoSuchEntry.under(clause));
        }
        Ok(vec![Event::FixedPrizesCorrected { entry: entry.clone(), fixed: fixed.to_vec(), clause }])
    }

    /// The entry, if it is the last one of its table.
    fn check_last<'a>(
        &self,
        entry: &EntryId,
        last: Option<&'a EnteredRound>,
    ) -> Result<&'a EnteredRound, Refusal> {
        let Some(last) = last.filter(|last| entry.round <= last.round) else {
            return Err(Reason::NoSuchEntry.under(self.default_clause(R3_14)));
        };
        if entry.round < last.round {
            return Err(Reason::NextRoundIsEntered.under(cite(last.book, R5_3)));
        }
        Ok(last)
    }

    /// The clause under which it is undone: an irregularity or a ruling.
    fn check_rule(&self, last: &EnteredRound, rule: Rule) -> Result<Clause, Refusal> {
        let known = self.book(last.book).is_some_and(|book| book.entry(rule).is_some());
        let undoes = rule.section() == Some(IRREGULARITIES) || rule == R6_1;
        if !known || !undoes {
            return Err(Reason::NotAnIrregularity.under(cite(last.book, R6_1)));
        }
        Ok(cite(last.book, rule))
    }

    /// The awards of the withdrawn hands, without those already rejected. A paid award cannot be taken back.
    fn awards_of(
        &self,
        entry: &EntryId,
        positions: &[Position],
        clause: Clause,
    ) -> Result<Vec<&Award>, Refusal> {
        let of_hands = |award: &&Award| award.entry == *entry && positions.contains(&award.position);
        let awards: Vec<&Award> = self.awards.iter().filter(of_hands).collect();
        if awards.iter().any(|award| award.state == AwardState::Paid) {
            return Err(Reason::AwardIsPaid.under(clause));
        }
        Ok(awards.into_iter().filter(|award| award.is_open()).collect())
    }

    /// Awards are restored before anything else: the restored money may be needed for the awards entered anew and for
    /// the contributions.
    fn take_back_awards(
        &self,
        awards: &[&Award],
        by: &Pair,
        clause: Clause,
    ) -> Result<(Vec<Event>, Holdings), Refusal> {
        let mut holdings = self.holdings();
        let mut events = Vec::with_capacity(awards.len().saturating_add(1));
        for award in awards {
            let restoration = holdings.restore(award, clause)?;
            let (by, balances) = (by.clone(), holdings.balances);
            events.push(Event::AwardTakenBack { restoration, by, clause, balances });
        }
        Ok((events, holdings))
    }

    /// What wagers of an entry contributed. The part above the cap is attributed to the hands that are withdrawn
    /// first: without them that much less would have reached the cap.
    fn contributed_by(&self, last: &EnteredRound, gone: &[Wager]) -> Contribution {
        let terms = self.settings_of(last.terms).expect("the round was entered under settings of this link");
        let wagered = Money::sum(gone.iter().map(|wager| wager.amount));
        let parts = wagered.and_then(|wagered| terms.contribution(wagered));
        let (whole, reserve) = parts.expect("these wagers were counted on entry");
        let overflow = whole.at_most(last.over_cap);
        let meter = whole.minus(overflow).expect("the part above the cap is at most the whole");
        Contribution { meter, overflow, reserve }
    }
}

/// The wagers that are withdrawn.
fn withdrawn_wagers(last: &EnteredRound, undone: &Undone, clause: Clause) -> Result<Vec<Wager>, Refusal> {
    let stood = |hand: &Position| last.standing.iter().any(|wager| wager.position == *hand);
    let hands: Vec<Position> = match undone {
        Undone::Hands(hands) => hands.clone(),
        Undone::Round if last.standing.is_empty() => last.out.clone(),
        Undone::Round => last.standing.iter().map(|wager| wager.position).collect(),
    };
    if hands.is_empty() || hands.iter().any(|hand| !stood(hand) && !last.out.contains(hand)) {
        return Err(Reason::NoWager.under(cite(clause.book, R3_5)));
    }
    if !hands.iter().all(stood) {
        return Err(Reason::HandIsOut.under(clause));
    }
    Ok(last.standing.iter().filter(|wager| hands.contains(&wager.position)).copied().collect())
}

/// The part of a contribution that the accounts no longer hold.
fn shortfall_of(contribution: &Contribution, balances: Balances) -> Contribution {
    let lacks = |asked: Pool, held: Pool| asked.minus(held).unwrap_or(Pool::ZERO);
    Contribution {
        meter: lacks(contribution.meter, balances.meter),
        overflow: lacks(contribution.overflow, balances.overflow),
        reserve: lacks(contribution.reserve, balances.reserve),
    }
}
