//! A link's meters as regulators ask for them, and the proof that they add up.

use money::{Money, Pool};

use crate::account::{Account, Movement, Total};
use crate::award::{Award, AwardState};
use crate::link::Link;

/// How many of the latest awards a controller shows.
pub const LAST_AWARDS: usize = 25;

/// A link's meters. Wagers and awards that went back are not in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meters {
    /// How many Jackpot wagers were counted.
    pub wagers_counted: u64,
    /// What they came to.
    pub wagered: Total,
    /// What the meter displays.
    pub displayed: Money,
    /// How many awards there were.
    pub hits: u64,
    /// What they came to, paid or not.
    pub won: Total,
    /// What of it has been paid.
    pub paid: Total,
    /// What came in above the cap and is still there.
    pub overflow: Pool,
    /// The reserve.
    pub reserve: Pool,
    /// The resets funded by the house that were not undone.
    pub resets_by_house: Total,
    /// The resets funded by the reserve that were not undone.
    pub resets_by_reserve: Total,
}

/// How the meter came to stand where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What it opened with.
    pub opening: Pool,
    /// What came in, by the way it came.
    pub came_in: Vec<(Movement, Total)>,
    /// What went out, by the way it went.
    pub went_out: Vec<(Movement, Total)>,
    /// What it holds: the opening and all that came in, less all that went out.
    pub meter: Pool,
}

/// An account that does not hold what came in less what went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{account:?} holds {holds:?}; {came_in:?} came in and {went_out:?} went out")]
pub struct Discrepancy {
    /// The account.
    pub account: Account,
    /// What came in, with what it opened with.
    pub came_in: Total,
    /// What went out.
    pub went_out: Total,
    /// What it holds.
    pub holds: Total,
}

impl Link {
    /// The meters.
    pub fn meters(&self) -> Meters {
        let net = |[plus, minus]: [Movement; 2]| self.moved.by(plus).less(self.moved.by(minus));
        let (won, taken_back) = self.moved.of(Account::Awards);
        let paid = self.moved.by(Movement::AwardPaid);
        Meters {
            wagers_counted: self.wagers_counted,
            wagered: self.wagered,
            displayed: self.displayed(),
            hits: self.hits,
            won: won.plus(paid).less(taken_back),
            paid,
            overflow: self.balances.overflow,
            reserve: self.balances.reserve,
            resets_by_house: net([Movement::ResetByHouse, Movement::ResetBackToHouse]),
            resets_by_reserve: net([Movement::ResetByReserve, Movement::ResetBackToReserve]),
        }
    }

    /// The latest awards, the newest first.
    pub fn last_awards(&self) -> impl Iterator<Item = &Award> {
        self.awards.iter().rev().take(LAST_AWARDS)
    }

    /// Checks that every account holds exactly what came in less what went out, and explains the meter by it.
    pub fn reconcile(&self) -> Result<Statement, Discrepancy> {
        self.balanced(Account::Meter, self.opening.into(), self.balances.meter.into())?;
        self.balanced(Account::Reserve, Total::default(), self.balances.reserve.into())?;
        self.balanced(Account::Overflow, Total::default(), self.balances.overflow.into())?;
        self.balanced(Account::Awards, Total::default(), self.awards_worth(Award::is_open))?;
        let paid = |award: &Award| award.state == AwardState::Paid;
        self.balanced(Account::Winners, Total::default(), self.awards_worth(paid))?;
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

    /// Whether an account holds what it should.
    fn balanced(&self, account: Account, opening: Total, holds: Total) -> Result<(), Discrepancy> {
        let (came_in, went_out) = self.moved.of(account);
        let came_in = came_in.plus(opening);
        if came_in == went_out.plus(holds) {
            return Ok(());
        }
        Err(Discrepancy { account, came_in, went_out, holds })
    }

    /// What some awards come to.
    fn awards_worth(&self, which: impl Fn(&Award) -> bool) -> Total {
        let worth = self.awards.iter().filter(|award| which(award));
        worth.fold(Total::default(), |sum, award| sum.plus(Total::of_cents(award.amount)))
    }

    /// What the house has put in as resets and neither had back nor recovered.
    pub(crate) fn seed_outstanding(&self) -> Total {
        let put_in = self.moved.by(Movement::ResetByHouse);
        let had_back = self.moved.by(Movement::ResetBackToHouse).plus(self.moved.by(Movement::SeedRecovered));
        put_in.less(had_back)
    }
}
