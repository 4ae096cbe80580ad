//! Amounts in whole cents.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::odds::Odds;

/// An amount in cents. Never negative: the ledger says which way it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u64, example = 2500))]
#[serde(transparent)]
pub struct Money(u64);

/// An amount too large to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large to store in cents")]
pub struct Overflow;

impl Money {
    /// Zero cents.
    pub const ZERO: Money = Money(0);

    /// The amount of `cents`.
    #[inline]
    pub const fn from_cents(cents: u64) -> Money {
        Money(cents)
    }

    /// The amount in cents.
    #[inline]
    pub const fn cents(self) -> u64 {
        self.0
    }

    /// Whether the amount is zero.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum of the two amounts.
    #[inline]
    pub fn plus(self, other: Money) -> Result<Money, Overflow> {
        self.0.checked_add(other.0).map(Money).ok_or(Overflow)
    }

    /// The difference, or `None` if `other` is larger.
    #[inline]
    pub fn minus(self, other: Money) -> Option<Money> {
        self.0.checked_sub(other.0).map(Money)
    }

    /// The amount multiplied by `factor`.
    #[inline]
    pub fn times(self, factor: u64) -> Result<Money, Overflow> {
        self.0.checked_mul(factor).map(Money).ok_or(Overflow)
    }

    /// How many times `unit` goes into the amount, or `None` if it leaves a remainder.
    pub fn multiple_of(self, unit: Money) -> Option<u64> {
        let whole = self.0.checked_rem(unit.0)? == 0;
        if whole { self.0.checked_div(unit.0) } else { None }
    }

    /// Equal parts and the rest: `each * ways + rest == self`.
    pub fn split(self, ways: NonZeroU64) -> (Money, Money) {
        (Money(self.0 / ways), Money(self.0 % ways))
    }

    /// `share / whole` of the amount, rounded down to the cent. `share` is at most `whole`.
    pub fn portion(self, share: Money, whole: Money) -> Money {
        assert!(share <= whole, "a share of {share} cannot be larger than its whole {whole}");
        let product = u128::from(self.0).checked_mul(u128::from(share.0)).expect("64 by 64 bits fit in 128");
        let part = product.checked_div(u128::from(whole.0)).unwrap_or(0);
        Money(u64::try_from(part).expect("a portion is at most the whole amount"))
    }

    /// What a winning wager is paid on top of itself. With "to" odds the Player keeps the wager; with "for" odds
    /// the wager is spent.
    #[inline]
    pub fn paid_at(self, odds: Odds) -> Result<Money, Overflow> {
        match odds {
            Odds::To(times) | Odds::For(times) => self.times(u64::from(times)),
        }
    }

    /// What the Player of a winning wager receives, including the wager itself.
    #[inline]
    pub fn returned_at(self, odds: Odds) -> Result<Money, Overflow> {
        let paid = self.paid_at(odds)?;
        match odds {
            Odds::To(_) => paid.plus(self),
            Odds::For(_) => Ok(paid),
        }
    }

    /// The sum of several amounts.
    pub fn sum(amounts: impl IntoIterator<Item = Money>) -> Result<Money, Overflow> {
        amounts.into_iter().try_fold(Money::ZERO, Money::plus)
    }
}

impl fmt::Display for Money {
    /// Dollars and cents, with a comma between thousands: `1,284,077.35`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = (self.0 / 100).to_string();
        let mut text = String::with_capacity(dollars.len().saturating_mul(2));
        for (place, digit) in dollars.bytes().enumerate() {
            if place != 0 && dollars.len().saturating_sub(place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(char::from(digit));
        }
        f.pad(&format!("{text}.{:02}", self.0 % 100))
    }
}
