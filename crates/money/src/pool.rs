//! The money of a jackpot's pool, kept finer than a cent.

use serde::{Deserialize, Serialize};

use crate::cents::{Money, Overflow};
use crate::odds::Rate;

/// Ten-thousandths of a cent in a cent.
const FINE: u64 = 10_000;

/// An amount in ten-thousandths of a cent, so that no contribution is lost to rounding. A rate in ten-thousandths of
/// a whole number of cents is always a whole number of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pool(u64);

impl Pool {
    /// Nothing.
    pub const ZERO: Pool = Pool(0);

    /// An amount of so many ten-thousandths of a cent.
    pub const fn from_ten_thousandths(amount: u64) -> Pool {
        Pool(amount)
    }

    /// Whole cents and the ten-thousandths beyond them.
    pub fn from_parts(cents: Money, fraction: u16) -> Result<Pool, Overflow> {
        let fine = cents.cents().checked_mul(FINE).ok_or(Overflow)?;
        fine.checked_add(u64::from(fraction)).map(Pool).ok_or(Overflow)
    }

    /// The amount in ten-thousandths of a cent.
    pub const fn ten_thousandths(self) -> u64 {
        self.0
    }

    /// What a meter displays: whole cents, rounded down. Percentages are taken of this.
    pub const fn displayed(self) -> Money {
        Money::from_cents(self.0 / FINE)
    }

    /// What lies beyond the whole cents, in ten-thousandths of one.
    pub fn fraction(self) -> u16 {
        u16::try_from(self.0 % FINE).expect("a remainder of 10,000 fits sixteen bits")
    }

    /// What a wager adds to a pool at `rate`, exactly.
    pub fn contribution(wager: Money, rate: Rate) -> Result<Pool, Overflow> {
        wager.cents().checked_mul(u64::from(rate.basis_points())).map(Pool).ok_or(Overflow)
    }

    /// Both amounts together.
    pub fn plus(self, other: Pool) -> Result<Pool, Overflow> {
        self.0.checked_add(other.0).map(Pool).ok_or(Overflow)
    }

    /// What is left after `other` is taken away, or `None` where there is less than that.
    pub fn minus(self, other: Pool) -> Option<Pool> {
        self.0.checked_sub(other.0).map(Pool)
    }

    /// The smaller of the two.
    pub fn at_most(self, cap: Pool) -> Pool {
        self.min(cap)
    }
}

impl TryFrom<Money> for Pool {
    type Error = Overflow;

    fn try_from(amount: Money) -> Result<Pool, Overflow> {
        Pool::from_parts(amount, 0)
    }
}
