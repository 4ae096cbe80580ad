//! Corrections of what was keyed wrongly: a decision until the next card, a wager until the first one (3.9, 3.4, 6.2).
//!
//! The Player's word and the chips on the felt count, not the key that was pressed. Once the next card is known, a
//! correction could follow from it, so from then on only a ruling changes anything (6.1).

use std::ops::RangeInclusive;

use money::Money;
use rulebook::{Means, PlayingArea, Position, R2_2_2, R3_4, R3_4_2, R3_9, R3_9_1, R3_9_2, R5_10_3, Rule};

use crate::command::{Command, Decision, PlayerId};
use crate::event::{Event, Exposure};
use crate::game::Step;
use crate::legal::Legal;
use crate::refusal::{Reason, Refusal};
use crate::seat::{Seat, Share};
use crate::settlement::WAGER_CENTS_MAX;
use crate::state::Round;

impl Round {
    /// Replaces the last decision of a hand, while no card has been dealt or turned since.
    pub(crate) fn decide_correct_decision(
        &self,
        position: Position,
        decision: Decision,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_9)?;
        let seat = self.seat_in_round(position, R3_9)?;
        if seat.holder.as_ref().is_some_and(|holder| self.stopped.contains(holder)) {
            return self.refuse(Reason::ActionIsStopped, R5_10_3);
        }
        let Some((area, before)) = self.last_decision(seat) else {
            return self.refuse(Reason::NotDecidedYet, R3_9);
        };
        if self.is_followed(area) {
            return self.refuse(Reason::DecisionStands, R3_9);
        }
        let rule = self.rule_of_decision(area, decision)?;
        if before == decision {
            return self.refuse(Reason::SameAsEntered, rule);
        }
        Ok(vec![Event::DecisionCorrected { position, area, before, decision, rule }])
    }

    /// The rule of a decision on an area: first fold or wager; on Turn and River wager or check.
    pub(crate) fn rule_of_decision(&self, area: PlayingArea, decision: Decision) -> Result<Rule, Refusal> {
        match (decision, area == self.book.first_area()) {
            (Decision::Fold, true) => Ok(R3_9_1),
            (Decision::Wager, _) | (Decision::Check, false) => Ok(R3_9_2),
            (Decision::Fold, false) => self.refuse(Reason::NotAChoice, R3_9_1),
            (Decision::Check, true) => self.refuse(Reason::NotAChoice, R3_9_2),
        }
    }

    fn last_decision(&self, seat: &Seat) -> Option<(PlayingArea, Decision)> {
        let mut areas = self.book.following().iter().rev();
        areas.find_map(|area| Some((*area, seat.decision(*area)?)))
    }

    /// Whether a card has been dealt or turned since hands decided on an area.
    fn is_followed(&self, area: PlayingArea) -> bool {
        let later =
            self.play().steps().iter().skip_while(|step| !matches!(step, Step::Decide(on) if *on == area));
        let turned = later.into_iter().any(|step| match step {
            Step::Turn(turned) => self.is_exposed(turned.what),
            Step::Decide(_) => false,
        });
        turned || self.is_exposed(Exposure::DealerHand) || self.dealt_first < self.dealt
    }

    /// Replaces the amount of a wager, after "No more bets" and before the first card. Until "No more bets" it is taken
    /// back and placed again.
    pub(crate) fn decide_correct_wager(
        &self,
        position: Position,
        area: PlayingArea,
        owner: &PlayerId,
        amount: Money,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_in_play(R3_4)?;
        let seat = self.known_seat(position)?;
        if !self.book.areas().contains(&area) || self.book.multiple_of_ante(area).is_some() {
            return self.refuse(Reason::NoSuchArea, R2_2_2);
        }
        let Some(share) = standing_share(seat, area, owner) else {
            return self.refuse(Reason::NoSuchWager, R3_4_2);
        };
        if self.dealt != 0 {
            return self.refuse(Reason::WagerStands, R3_4);
        }
        if share.amount == amount {
            return self.refuse(Reason::SameAsEntered, R3_4);
        }
        self.check_amount_in_place_of(seat, area, &share, amount)?;
        let (before, owner) = (share.amount, owner.clone());
        Ok(vec![Event::WagerCorrected { position, area, owner, before, amount, rule: R3_4 }])
    }

    /// Refuses an amount that could not have been placed, or that bets would not have been closed with.
    fn check_amount_in_place_of(
        &self,
        seat: &Seat,
        area: PlayingArea,
        share: &Share,
        amount: Money,
    ) -> Result<(), Refusal> {
        let Share { owner, means, .. } = share;
        if area == PlayingArea::Jackpot {
            let without = Seat { jackpot: None, ..seat.clone() };
            return self.check_jackpot_wager(&without, true, amount, *means);
        }
        let others: Vec<Share> =
            seat.shares(area, None).iter().filter(|other| other.owner != *owner).cloned().collect();
        let total = self.check_shared_wager(&others, area, owner, amount, *means)?;
        match self.limits_of(area) {
            Some(limits) if *means == Means::Credits && total < *limits.start() => {
                self.refuse(Reason::UnderTheMinimum, R3_4)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The corrections of wagers that would be accepted: those below the amount that was entered, and those above it.
    pub(crate) fn legal_corrections(&self, players: &[PlayerId]) -> Vec<Legal> {
        if self.dealt != 0 || !self.stage().is_in_play() {
            return Vec::new();
        }
        let mut legal = Vec::new();
        for (position, seat) in self.seats() {
            for area in [PlayingArea::Ante, PlayingArea::Bonus, PlayingArea::Jackpot] {
                let shares = players.iter().filter_map(|owner| standing_share(seat, area, owner));
                for share in shares {
                    let ranges = self.corrected_amounts(seat, area, &share).into_iter();
                    legal.extend(ranges.map(|amounts| {
                        let (owner, amount) = (share.owner.clone(), *amounts.start());
                        let command = Command::CorrectWager { position, area, owner, amount };
                        let amounts = Some(amounts).filter(|_| area != PlayingArea::Jackpot);
                        Legal { command, amounts, rule: Some(R3_4) }
                    }));
                }
            }
        }
        legal
    }

    fn corrected_amounts(&self, seat: &Seat, area: PlayingArea, share: &Share) -> Vec<RangeInclusive<Money>> {
        if area == PlayingArea::Jackpot {
            let minimum = self.jackpot_minimum.unwrap_or_default();
            let multiples = self.book.jackpot.multiples.clone();
            let amounts = multiples.filter_map(|times| minimum.times(times.into()).ok());
            return amounts.filter(|amount| *amount != share.amount).map(|amount| amount..=amount).collect();
        }
        let cent = Money::from_cents(1);
        let others = seat.shares(area, None);
        let others = others.iter().filter(|other| other.owner != share.owner).map(|other| other.amount);
        let others = Money::sum(others).unwrap_or_default();
        let (least, most) = match self.limits_of(area).filter(|_| share.means == Means::Credits) {
            Some(limits) => (*limits.start(), *limits.end()),
            None => (cent, Money::from_cents(WAGER_CENTS_MAX)),
        };
        let least = least.minus(others).unwrap_or(cent).max(cent);
        let most = most.minus(others).unwrap_or_default();
        let below = share.amount.minus(cent).map(|below| least..=below.min(most));
        let above = share.amount.plus(cent).ok().map(|above| above.max(least)..=most);
        below.into_iter().chain(above).filter(|amounts| !amounts.is_empty()).collect()
    }
}

/// One Player's share on an area that is not returned.
fn standing_share(seat: &Seat, area: PlayingArea, owner: &PlayerId) -> Option<Share> {
    let shares = seat.shares(area, None);
    shares.iter().find(|share| share.owner == *owner && share.out.is_none()).cloned()
}
