//! A link's meters as regulators require them, and the check that they add up.

use money::{Money, Pool};

use crate::account::{Account, Movement, Total};
use crate::award::{Award, AwardState};
use crate::link::Link;

/// How many of the latest awards a controller shows.
pub const LAST_AWARDS: usize = 25;

/// A link's meters. Wagers and awards that were undone are not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meters {
    /// How many Jackpot wagers were counted.
    pub wagers_counted: u64,
    /// The sum of these wagers.
    pub wagered: Total,
    /// What the meter displays.
    pub displayed: Money,
    /// How many awards were entered.
    pub hits: u64,
    /// The sum of these awards, paid or not.
    pub won: Total,
    /// The sum of the awards that were paid.
    pub paid: Total,
    /// Contributions above the cap that are still held.
    pub overflow: Pool,
    /// The hidden reserve that funds resets.
    pub reserve: Pool,
    /// Resets paid by the house and not undone.
    pub resets_by_house: Total,
    /// Resets paid by the reserve and not undone.
    pub resets_by_reserve: Total,
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
