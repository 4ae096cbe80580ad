//! Limits that are found breached at the settlement (5.13, 5.14), and the settlement of shares.

use std::ops::RangeInclusive;

use money::{Money, Odds};
use rulebook::{PlayingArea, Position, R5_13, R5_14, R6_1};

use super::{Judgement, Line, Outcome, Settlement};
use crate::command::PlayerId;
use crate::seat::{BOUNDED, Share};
use crate::state::Round;

impl Round {
    /// The limits of an area; Jackpot wagers have none.
    pub(crate) fn limits_of(&self, area: PlayingArea) -> Option<RangeInclusive<Money>> {
        match area {
            PlayingArea::Ante => Some(self.limits.ante.clone()),
            PlayingArea::Bonus => self.limits.bonus.clone(),
            PlayingArea::Jackpot => None,
            PlayingArea::Flop | PlayingArea::Turn | PlayingArea::River | PlayingArea::Bet => {
                let times = self.book.multiple_of_ante(area)?;
                Some(self.limits.times_ante(times).expect(BOUNDED))
            }
        }
    }

    /// The least wager on an area, if it has limits.
    pub fn minimum(&self, area: PlayingArea) -> Option<Money> {
        self.limits_of(area).map(|limits| *limits.start())
    }

    /// Settles the shares of a wager. Over the maximum, each share settles its part of the maximum and the rest is
    /// returned. Under the minimum, a share is settled the first time; a warned Player's share is returned (reading
    /// `shared-limits`).
    pub(super) fn settle_shares(
        &self,
        position: Position,
        area: PlayingArea,
        shares: &[Share],
        judgement: Judgement,
        settlement: &mut Settlement,
    ) {
        let standing = shares.iter().filter(|share| share.out.is_none()).map(|share| share.amount);
        let total = Money::sum(standing).expect(BOUNDED);
        // A returned wager is returned in full, and a ruling (6.1) overrides the limits.
        let limited = judgement.outcome != Outcome::Returned && judgement.rule != R6_1;
        let limits = self.limits_of(area).filter(|_| limited);
        let under = limits.as_ref().is_some_and(|limits| self.placed(position, area) < *limits.start());
        let max = limits.map(|limits| *limits.end()).filter(|max| *max < total);
        let mut odd_cents = max.map_or(Money::ZERO, |max| odd_cents(max, total, shares));
        for share in shares {
            let mut line = untouched(position, area, share);
            if let Some(rule) = share.out {
                end(&mut line, Judgement::plain(Outcome::Returned, rule), share.amount);
            } else if under && self.was_warned(&share.owner) {
                end(&mut line, Judgement::plain(Outcome::Returned, R5_13), share.amount);
                line.limit_rule = Some(R5_13);
            } else if let Some(max) = max {
                let part = max.portion(share.amount, total);
                let with_odd = part.plus(odd_cents).expect(BOUNDED).min(share.amount);
                odd_cents = odd_cents
                    .minus(with_odd.minus(part).expect("a sum is at least its parts"))
                    .expect("a share takes at most the cents left over");
                end(&mut line, judgement, with_odd);
                line.limit_rule = Some(R5_14);
            } else {
                end(&mut line, judgement, share.amount);
                if under {
                    line.limit_rule = Some(R5_13);
                    warn(settlement, share);
                }
            }
            settlement.lines.push(line);
        }
    }

    /// The total that all participants placed on an area. Shares that were returned later still count here: a wager
    /// that follows the Ante meets the minimum if the Ante did.
    fn placed(&self, position: Position, area: PlayingArea) -> Money {
        let Some(seat) = self.seat(position) else {
            return Money::ZERO;
        };
        let shares = if area == PlayingArea::Bonus { &seat.bonus } else { &seat.ante };
        let times = self.book.multiple_of_ante(area).unwrap_or(1);
        let placed = Money::sum(shares.iter().map(|share| share.amount));
        placed.and_then(|sum| sum.times(times.into())).expect(BOUNDED)
    }

    /// Whether settling this round, or settling it again, may change who is warned (5.13).
    pub fn may_warn(&self) -> bool {
        let under = |position: Position, area: PlayingArea| {
            let placed = self.placed(position, area);
            !placed.is_zero() && self.limits_of(area).is_some_and(|limits| placed < *limits.start())
        };
        let areas = [PlayingArea::Ante, PlayingArea::Bonus];
        self.settlement().is_some_and(|settlement| !settlement.warned.is_empty())
            || self.seats().any(|(position, _)| areas.iter().any(|area| under(position, *area)))
    }

    /// Whether a Player was warned in an earlier round. This round's own settlement does not count.
    fn was_warned(&self, player: &PlayerId) -> bool {
        let only_now = self.settlement().is_some_and(|settlement| settlement.warned.contains(player));
        self.memory.warned.contains(player) && !only_now
    }
}

/// The cents left over when the parts of the maximum are rounded down.
fn odd_cents(max: Money, total: Money, shares: &[Share]) -> Money {
    let standing = shares.iter().filter(|share| share.out.is_none());
    let parts = Money::sum(standing.map(|share| max.portion(share.amount, total))).expect(BOUNDED);
    max.minus(parts).expect("parts rounded down are at most the whole")
}

fn warn(settlement: &mut Settlement, share: &Share) {
    if !settlement.warned.contains(&share.owner) {
        settlement.warned.push(share.owner.clone());
    }
}

fn untouched(position: Position, area: PlayingArea, share: &Share) -> Line {
    Line {
        position,
        area,
        owner: share.owner.clone(),
        staked: share.amount,
        paid: Money::ZERO,
        returned: share.amount,
        collected: Money::ZERO,
        outcome: Outcome::Returned,
        rule: R5_13,
        odds_rule: None,
        limit_rule: None,
    }
}

/// Ends a wager. Only `settled` of it counts; the rest is returned.
pub(super) fn end(line: &mut Line, judgement: Judgement, settled: Money) {
    (line.outcome, line.rule, line.odds_rule) = (judgement.outcome, judgement.rule, judgement.odds_rule);
    let (paid, collected) = match judgement.outcome {
        Outcome::Paid(odds @ Odds::To(_)) => (settled.paid_at(odds).expect(BOUNDED), Money::ZERO),
        Outcome::Paid(odds @ Odds::For(_)) => (settled.paid_at(odds).expect(BOUNDED), settled),
        Outcome::Collected | Outcome::Won => (Money::ZERO, settled),
        Outcome::StandOff | Outcome::Returned => (Money::ZERO, Money::ZERO),
    };
    line.paid = paid;
    line.collected = collected;
    line.returned = line.staked.minus(collected).expect("at most the stake is settled");
}
