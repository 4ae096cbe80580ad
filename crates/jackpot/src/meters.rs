//! A link's meters as regulators require them, and the check that they add up. Lifetime meters only ever grow: what is
//! reversed is counted apart.

use std::collections::BTreeMap;

use cards::HandOrder;
use money::{Money, Percent, Pool};
use serde::{Deserialize, Serialize};

use crate::account::{Account, Movement, Total};
use crate::award::{Award, AwardState};
use crate::command::{FixedPrize, Wager};
use crate::link::Link;

/// How many of the latest awards a controller shows.
pub const LAST_AWARDS: usize = 25;

/// How often something happened and what it came to, and what of it was reversed. Each number only ever grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub amount: Total,
    /// How many of them were reversed.
    pub reversed: u64,
    /// What was reversed.
    pub amount_reversed: Total,
}

impl Counted {
    fn add(&mut self, count: u64, amount: Money) {
        self.count = self.count.checked_add(count).expect("fewer than 2 to the 64th events");
        self.amount = self.amount.plus(Total::of_cents(amount));
    }

    fn reverse(&mut self, count: u64, amount: Money) {
        self.reversed = self.reversed.checked_add(count).expect("fewer than 2 to the 64th events");
        self.amount_reversed = self.amount_reversed.plus(Total::of_cents(amount));
    }

    /// Both together.
    fn with(self, other: &Counted) -> Counted {
        let both = |one: u64, other: u64| one.checked_add(other).expect("fewer than 2 to the 64th events");
        Counted {
            count: both(self.count, other.count),
            amount: self.amount.plus(other.amount),
            reversed: both(self.reversed, other.reversed),
            amount_reversed: self.amount_reversed.plus(other.amount_reversed),
        }
    }

    /// How many stand.
    pub fn standing(&self) -> u64 {
        self.count.checked_sub(self.reversed).expect("only what happened is reversed")
    }

    /// What those that stand come to.
    pub fn amount_standing(&self) -> Total {
        self.amount.less(self.amount_reversed)
    }
}

/// A line of the pay table: its hand, and its percentage of the meter; `None` where it pays a fixed amount or odds.
pub type Level = (HandOrder, Option<Percent>);

/// The meters of one line of the pay table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelMeters {
    /// Its awards or fixed payouts.
    pub hits: Counted,
    /// What of them was paid.
    pub paid: Total,
}

/// What was counted over the life of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lifetime {
    wagers: Counted,
    #[serde(with = "crate::pairs")]
    levels: BTreeMap<Level, LevelMeters>,
}

impl Lifetime {
    pub(crate) fn enter(&mut self, wagers: &[Wager], fixed: &[FixedPrize]) {
        for wager in wagers {
            self.wagers.add(1, wager.amount);
        }
        for prize in fixed {
            let level = self.level((prize.hand, None));
            level.hits.add(1, prize.amount);
            level.paid = level.paid.plus(Total::of_cents(prize.amount));
        }
    }

    pub(crate) fn reverse(&mut self, wagers: &[Wager], fixed: Vec<FixedPrize>) {
        for wager in wagers {
            self.wagers.reverse(1, wager.amount);
        }
        for prize in fixed {
            self.level((prize.hand, None)).hits.reverse(1, prize.amount);
        }
    }

    /// Fixed payouts became others. What is paid now beyond what was paid before is added, and what was paid too much is
    /// reversed; a payout that is new or gone is a hit that is counted or reversed.
    pub(crate) fn correct(&mut self, before: &[FixedPrize], after: &[FixedPrize]) {
        let same =
            |one: &FixedPrize, other: &FixedPrize| (one.position, one.hand) == (other.position, other.hand);
        for prize in before {
            let now = after.iter().find(|other| same(prize, other)).map(|other| other.amount);
            let hits = &mut self.level((prize.hand, None)).hits;
            match now {
                None => hits.reverse(1, prize.amount),
                Some(now) => hits.reverse(0, prize.amount.minus(now).unwrap_or_default()),
            }
        }
        for prize in after {
            let earlier = before.iter().find(|other| same(prize, other)).map(|other| other.amount);
            let hits = u64::from(earlier.is_none());
            let more = prize.amount.minus(earlier.unwrap_or_default()).unwrap_or_default();
            let level = self.level((prize.hand, None));
            level.hits.add(hits, more);
            level.paid = level.paid.plus(Total::of_cents(more));
        }
    }

    /// A supplement adds to a hit and is none itself.
    pub(crate) fn award(&mut self, award: &Award) {
        let hit = u64::from(!award.is_supplement());
        self.level((award.hand, Some(award.percent))).hits.add(hit, award.amount);
    }

    pub(crate) fn take_back(&mut self, award: &Award, amount: Money) {
        let hit = u64::from(!award.is_supplement());
        self.level((award.hand, Some(award.percent))).hits.reverse(hit, amount);
    }

    pub(crate) fn rule(&mut self, (hand, percent): (HandOrder, Percent), before: Money, amount: Money) {
        let hits = &mut self.level((hand, Some(percent))).hits;
        match amount.minus(before) {
            Some(more) => hits.add(0, more),
            None => hits.reverse(0, before.minus(amount).unwrap_or_default()),
        }
    }

    pub(crate) fn pay(&mut self, award: &Award) {
        let level = self.level((award.hand, Some(award.percent)));
        level.paid = level.paid.plus(Total::of_cents(award.amount));
    }

    fn level(&mut self, level: Level) -> &mut LevelMeters {
        self.levels.entry(level).or_default()
    }
}

/// A link's meters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meters {
    /// The Jackpot wagers.
    pub wagers: Counted,
    /// What wagers brought meter, overflow and reserve.
    pub contributed: Total,
    /// What of it was returned.
    pub contributions_reversed: Total,
    /// What the meter displays.
    pub displayed: Money,
    /// The awards from the meter, of all lines.
    pub awards: Counted,
    /// The sum of the awards that were paid.
    pub paid: Total,
    /// Contributions above the cap that are still held.
    pub overflow: Pool,
    /// The hidden reserve that funds resets.
    pub reserve: Pool,
    /// Resets paid by the house.
    pub resets_by_house: Total,
    /// Resets paid by the reserve.
    pub resets_by_reserve: Total,
    /// What overflow brought on top of resets.
    pub resets_by_overflow: Total,
    /// What of all resets was undone.
    pub resets_reversed: Total,
    /// What adjustments added to the meter, money of closed links included.
    pub adjusted_up: Total,
    /// What adjustments took off the meter.
    pub adjusted_down: Total,
    /// The lines of the pay table that were hit, in their order: fixed payouts too.
    pub levels: Vec<(Level, LevelMeters)>,
}

/// How the meter reached its present amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The amount it opened with.
    pub opening: Pool,
    /// What came in, by movement.
    pub came_in: Vec<(Movement, Total)>,
    /// What went out, by movement.
    pub went_out: Vec<(Movement, Total)>,
    /// The present amount: opening plus all that came in, less all that went out.
    pub meter: Pool,
}

/// An account whose balance is not what came in less what went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{account:?} holds {holds:?}; {came_in:?} came in and {went_out:?} went out")]
pub struct Discrepancy {
    /// The account that does not balance.
    pub account: Account,
    /// What came in, including the opening amount.
    pub came_in: Total,
    /// The sum that went out.
    pub went_out: Total,
    /// The balance of the account.
    pub holds: Total,
}

impl Link {
    /// All meters of the link, as they are now.
    pub fn meters(&self) -> Meters {
        let sum = |movements: &[Movement]| {
            let moved = movements.iter().map(|movement| self.moved.by(*movement));
            moved.fold(Total::default(), Total::plus)
        };
        let from_meter = self.lifetime.levels.iter().filter(|((_, percent), _)| percent.is_some());
        Meters {
            wagers: self.lifetime.wagers,
            contributed: sum(&[
                Movement::Contribution,
                Movement::ContributionOverCap,
                Movement::ContributionToReserve,
            ]),
            contributions_reversed: sum(&[
                Movement::ContributionReversed,
                Movement::OverCapReversed,
                Movement::ReserveReversed,
                Movement::ReversalShortfall,
            ]),
            displayed: self.displayed(),
            awards: from_meter.fold(Counted::default(), |sum, (_, level)| sum.with(&level.hits)),
            paid: self.moved.by(Movement::AwardPaid),
            overflow: self.balances.overflow,
            reserve: self.balances.reserve,
            resets_by_house: self.moved.by(Movement::ResetByHouse),
            resets_by_reserve: self.moved.by(Movement::ResetByReserve),
            resets_by_overflow: self.moved.by(Movement::ResetByOverflow),
            resets_reversed: sum(&[
                Movement::ResetBackToHouse,
                Movement::ResetBackToReserve,
                Movement::ResetBackToOverflow,
            ]),
            adjusted_up: sum(&[
                Movement::MeterRaised,
                Movement::OverflowReleased,
                Movement::ReserveTransferred,
                Movement::MovedIn,
            ]),
            adjusted_down: sum(&[Movement::MeterLowered, Movement::CapEnforced, Movement::SeedRecovered]),
            levels: self.lifetime.levels.iter().map(|(level, meters)| (*level, *meters)).collect(),
        }
    }

    /// The latest awards, the newest first.
    pub fn last_awards(&self) -> impl Iterator<Item = &Award> {
        self.awards.iter().rev().take(LAST_AWARDS)
    }

    /// Checks that every account holds exactly what came in less what went out, and returns the meter's
    /// statement.
    pub fn reconcile(&self) -> Result<Statement, Discrepancy> {
        self.balanced(Account::Meter, self.opening.into(), self.balances.meter.into())?;
        self.balanced(Account::Reserve, Total::default(), self.balances.reserve.into())?;
        self.balanced(Account::Overflow, Total::default(), self.balances.overflow.into())?;
        self.balanced(Account::Awards, Total::default(), self.awards_total(Award::is_open))?;
        let paid = |award: &Award| award.state == AwardState::Paid;
        self.balanced(Account::Winners, Total::default(), self.awards_total(paid))?;
        let lines = |end: fn(Movement) -> Account| {
            let moved = Movement::ALL.iter().filter(|movement| end(**movement) == Account::Meter);
            moved.map(|movement| (*movement, self.moved.by(*movement))).collect()
        };
        Ok(Statement {
            opening: self.opening,
            came_in: lines(Movement::target),
            went_out: lines(Movement::source),
            meter: self.balances.meter,
        })
    }

    /// Checks the balance of one account.
    fn balanced(&self, account: Account, opening: Total, holds: Total) -> Result<(), Discrepancy> {
        let (came_in, went_out) = self.moved.of(account);
        let came_in = came_in.plus(opening);
        if came_in == went_out.plus(holds) {
            return Ok(());
        }
        Err(Discrepancy { account, came_in, went_out, holds })
    }

    /// The sum of the selected awards.
    fn awards_total(&self, which: impl Fn(&Award) -> bool) -> Total {
        let worth = self.awards.iter().filter(|award| which(award));
        worth.fold(Total::default(), |sum, award| sum.plus(Total::of_cents(award.amount)))
    }

    /// Resets paid by the house that were neither returned nor recovered.
    pub(crate) fn seed_outstanding(&self) -> Total {
        let put_in = self.moved.by(Movement::ResetByHouse);
        let had_back = self.moved.by(Movement::ResetBackToHouse).plus(self.moved.by(Movement::SeedRecovered));
        put_in.less(had_back)
    }
}
