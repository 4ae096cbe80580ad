//! The money of a jackpot's pool, kept to ten-thousandths of a cent.

use serde::{Deserialize, Serialize};

use crate::cents::{Money, Overflow};
use crate::odds::Rate;

/// How many ten-thousandths make a cent.
const PER_CENT: u64 = 10_000;

/// An amount in ten-thousandths of a cent, so that no contribution is lost to rounding: a rate in basis points of
/// a whole number of cents is always a whole number of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = Parts))]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Pool(u64);

impl Pool {
    /// An empty pool.
    pub const ZERO: Pool = Pool(0);

    /// The amount of `amount` ten-thousandths of a cent.
    pub const fn from_ten_thousandths(amount: u64) -> Pool {
        Pool(amount)
    }

    /// Whole cents plus `fraction` ten-thousandths of a cent.
    pub fn from_parts(cents: Money, fraction: u16) -> Result<Pool, Overflow> {
        let whole = cents.cents().checked_mul(PER_CENT).ok_or(Overflow)?;
        whole.checked_add(u64::from(fraction)).map(Pool).ok_or(Overflow)
    }

    /// The amount in ten-thousandths of a cent.
    pub const fn ten_thousandths(self) -> u64 {
        self.0
    }

    /// What a meter displays: whole cents, rounded down. Percentages are taken from this amount.
    pub const fn displayed(self) -> Money {
        Money::from_cents(self.0 / PER_CENT)
    }

    /// The part below a whole cent, in ten-thousandths of a cent.
    pub fn fraction(self) -> u16 {
        u16::try_from(self.0 % PER_CENT).expect("a remainder of 10,000 fits sixteen bits")
    }

    /// What a wager adds to a pool at `rate`, without rounding.
    pub fn contribution(wager: Money, rate: Rate) -> Result<Pool, Overflow> {
        wager.cents().checked_mul(u64::from(rate.basis_points())).map(Pool).ok_or(Overflow)
    }

    /// The sum of the two amounts.
    pub fn plus(self, other: Pool) -> Result<Pool, Overflow> {
        self.0.checked_add(other.0).map(Pool).ok_or(Overflow)
    }

    /// The difference, or `None` if `other` is larger.
    pub fn minus(self, other: Pool) -> Option<Pool> {
        self.0.checked_sub(other.0).map(Pool)
    }

    /// The amount, limited to `cap`.
    pub fn at_most(self, cap: Pool) -> Pool {
        self.min(cap)
    }
}

/// How a pool is written: whole cents, and ten-thousandths of a cent if there are any.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Pool))]
#[serde(deny_unknown_fields)]
struct Parts {
    /// Whole cents.
    cents: Money,
    /// Ten-thousandths of a cent, below 10,000.
    #[serde(default, skip_serializing_if = "is_zero")]
    fraction: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference to the field")]
const fn is_zero(fraction: &u16) -> bool {
    *fraction == 0
}

impl From<Pool> for Parts {
    fn from(pool: Pool) -> Parts {
        Parts { cents: pool.displayed(), fraction: pool.fraction() }
    }
}

impl TryFrom<Parts> for Pool {
    type Error = String;

    fn try_from(parts: Parts) -> Result<Pool, String> {
        if PER_CENT <= u64::from(parts.fraction) {
            return Err(format!(
                "a fraction of {} is a whole cent; it must be below {PER_CENT}",
                parts.fraction
            ));
        }
        Pool::from_parts(parts.cents, parts.fraction).map_err(|error| error.to_string())
    }
}

impl TryFrom<Money> for Pool {
    type Error = Overflow;

    fn try_from(amount: Money) -> Result<Pool, Overflow> {
        Pool::from_parts(amount, 0)
    }
}
