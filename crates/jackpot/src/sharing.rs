//! What the hands of one round are awarded. Pure, and cheap to compute.
//!
//! Contributions come first. Then hands are paid from the lowest line up, so that a royal, which takes the whole
//! meter, comes last (3.15). Hands of one line are paid by position. A percentage is taken from what is displayed
//! when the hand's turn comes. Several straight flushes, or several royals, in one round share if their book says
//! so; each share is rounded down to the cent and the remainder stays in the meter (reading `odd-cents`).

use std::num::NonZeroU64;

use cards::HandOrder;
use money::{Money, Overflow, Percent, Pool};
use rulebook::{AwardBase, Position, Rule, Sharing, StraightFlushShare};

/// A hand that claims a percentage of the meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The position of the hand.
    pub position: Position,
    /// The order of the hand.
    pub hand: HandOrder,
    /// How much of the meter the hand's line of the pay table pays.
    pub percent: Percent,
    /// The rule with that line.
    pub rule: Rule,
}

/// What one hand is awarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// The position of the hand.
    pub position: Position,
    /// The order of the hand.
    pub hand: HandOrder,
    /// The percentage that its line pays.
    pub percent: Percent,
    /// The amount awarded.
    pub amount: Money,
    /// The rule behind the amount: the pay table, or the sharing rule for a shared award.
    pub rule: Rule,
    /// What was displayed when its turn came; for a shared award, when the first sharer's turn came.
    pub displayed: Money,
    /// How many hands share; 1 if the award is not shared.
    pub sharers: usize,
    /// The meter before this award.
    pub before: Pool,
    /// The meter after this award, restarted if the award took all of it.
    pub after: Pool,
}

impl Share {
    /// Whether the award takes the whole meter, which adds a reset amount.
    pub fn restarts(&self) -> bool {
        self.percent == Percent::ALL
    }
}

/// The effect of a round on a meter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RoundAwards {
    /// The awards, in the order paid.
    pub shares: Vec<Share>,
    /// The meter after all awards.
    pub meter: Pool,
    /// How many reset amounts were added: one for each award of the whole meter.
    pub restarts: usize,
}

/// Enters a round into a meter: the contribution first, then the claims. `contribution` is what came in since bets
/// closed; whether it counts for the awards is the reading `award-base`. Fails only if an amount is too large.
pub fn enter_round(
    meter: Pool,
    reset: Money,
    contribution: Pool,
    sharing: &Sharing,
    claims: &[Claim],
) -> Result<RoundAwards, Overflow> {
    let (counts, aside) = match sharing.award_base {
        AwardBase::Entry => (contribution, Pool::ZERO),
        AwardBase::BetsClosed => (Pool::ZERO, contribution),
    };
    let mut meter = meter.plus(counts)?;
    let mut shares: Vec<Share> = claims.iter().map(|claim| unpaid(*claim, meter)).collect();
    shares.sort_unstable_by_key(|share| (share.hand, share.percent, share.position));
    for line in shares.chunk_by_mut(|one, next| (one.hand, one.percent) == (next.hand, next.percent)) {
        match shared(line, meter.displayed(), reset, sharing)? {
            Some((rule, each)) => pay_equally(line, &mut meter, reset, rule, each)?,
            None => pay_in_turn(line, &mut meter, reset)?,
        }
    }
    for share in &mut shares {
        (share.before, share.after) = (share.before.plus(aside)?, share.after.plus(aside)?);
    }
    let restarts = shares.iter().filter(|share| share.restarts()).count();
    Ok(RoundAwards { shares, meter: meter.plus(aside)?, restarts })
}

/// A claim that has not been paid yet.
fn unpaid(claim: Claim, meter: Pool) -> Share {
    Share {
        position: claim.position,
        hand: claim.hand,
        percent: claim.percent,
        amount: Money::ZERO,
        rule: claim.rule,
        displayed: meter.displayed(),
        sharers: 1,
        before: meter,
        after: meter,
    }
}

/// What each winner of a shared line receives, and the rule for it; `None` if the line is not shared.
fn shared(
    line: &[Share],
    displayed: Money,
    reset: Money,
    sharing: &Sharing,
) -> Result<Option<(Rule, Money)>, Overflow> {
    let (winners, Some(first)) = (line.len(), line.first()) else {
        return Ok(None);
    };
    if winners < 2 {
        return Ok(None);
    }
    let royal = sharing.royal_flush.filter(|_| first.restarts());
    let flush = sharing.straight_flush.filter(|_| first.hand == HandOrder::StraightFlush);
    let (rule, sum) = match (royal, flush) {
        (Some(rule), _) => (rule, royals_divide(displayed, reset, winners)?),
        (None, Some((rule, StraightFlushShare::Declining))) => {
            (rule, declining(displayed, first.percent, winners)?)
        }
        (None, Some((rule, StraightFlushShare::Reseeded))) => {
            (rule, reseeded(displayed, reset, first.percent, winners)?)
        }
        (None, None) => return Ok(None),
    };
    Ok(Some((rule, sum.split(count(winners)).0)))
}

/// Reading `royal-share`: the displayed amount, plus a reset amount for each winner after the first.
fn royals_divide(displayed: Money, reset: Money, winners: usize) -> Result<Money, Overflow> {
    displayed.plus(reset.times(further(winners))?)
}

/// Reading `straight-flush-share`, declining: each further winner adds the percentage of what the others left.
fn declining(displayed: Money, percent: Percent, winners: usize) -> Result<Money, Overflow> {
    let mut sum = Money::ZERO;
    let mut left = displayed;
    for _ in 0..winners {
        let part = percent.of(left);
        sum = sum.plus(part)?;
        left = left.minus(part).expect("a percentage is at most its whole");
    }
    Ok(sum)
}

/// Reading `straight-flush-share`, reseeded: the percentage of the displayed amount, plus the percentage of the
/// reset amount for each winner after the first. A meter cannot pay more than it displays.
fn reseeded(displayed: Money, reset: Money, percent: Percent, winners: usize) -> Result<Money, Overflow> {
    let further = percent.of(reset).times(further(winners))?;
    Ok(percent.of(displayed).plus(further)?.min(displayed))
}

/// Pays every sharer the same amount.
fn pay_equally(
    line: &mut [Share],
    meter: &mut Pool,
    reset: Money,
    rule: Rule,
    each: Money,
) -> Result<(), Overflow> {
    let (displayed, sharers) = (meter.displayed(), line.len());
    for share in line {
        *share = Share { rule, displayed, sharers, ..*share };
        pay(share, meter, reset, each)?;
    }
    Ok(())
}

/// Pays each hand its percentage of what is displayed when its turn comes.
fn pay_in_turn(line: &mut [Share], meter: &mut Pool, reset: Money) -> Result<(), Overflow> {
    for share in line {
        share.displayed = meter.displayed();
        pay(share, meter, reset, share.percent.of(share.displayed))?;
    }
    Ok(())
}

/// Takes an award out of the meter. An award of the whole meter restarts it.
fn pay(share: &mut Share, meter: &mut Pool, reset: Money, amount: Money) -> Result<(), Overflow> {
    let reset = if share.restarts() { Pool::try_from(reset)? } else { Pool::ZERO };
    share.amount = amount;
    share.before = *meter;
    // The reset goes in first: an equal share of several resets can be more than what is left in the meter.
    let left = meter.plus(reset)?.minus(Pool::try_from(amount)?);
    *meter = left.expect("an award is at most the meter plus its resets");
    share.after = *meter;
    Ok(())
}

/// The number of winners of a line.
fn count(winners: usize) -> NonZeroU64 {
    u64::try_from(winners).ok().and_then(NonZeroU64::new).expect("a line has at least one winner")
}

/// The number of winners after the first.
fn further(winners: usize) -> u64 {
    count(winners).get().saturating_sub(1)
}
