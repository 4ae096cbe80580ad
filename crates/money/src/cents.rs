//! Amounts in whole cents.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::odds::Odds;

/// An amount in cents. Never negative: which way it moves is the ledger's to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(u64);

/// An amount too large to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large to be kept in cents")]
pub struct Overflow;

impl Money {
    /// Nothing.
    pub const ZERO: Money = Money(0);

    /// An amount of so many cents.
    #[inline]
    pub const fn from_cents(cents: u64) -> Money {
        Money(cents)
    }

    /// The amount in cents.
    #[inline]
    pub const fn cents(self) -> u64 {
        self.0
    }

    /// Whether there is nothing.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Both amounts together.
    #[inline]
    pub fn plus(self, other: Money) -> Result<Money, Overflow> {
        self.0.checked_add(other.0).map(Money).ok_or(Overflow)
    }

    /// What is left after `other` is taken away, or `None` where there is less than that.
    #[inline]
    pub fn minus(self, other: Money) -> Option<Money> {
        self.0.checked_sub(other.0).map(Money)
    }

    /// So many times the amount.
    #[inline]
    pub fn times(self, factor: u64) -> Result<Money, Overflow> {
        self.0.checked_mul(factor).map(Money).ok_or(Overflow)
    }

    /// How often `unit` goes into the amount, where it goes without a remainder.
    pub fn multiple_of(self, unit: Money) -> Option<u64> {
        let whole = self.0.checked_rem(unit.0)? == 0;
        if whole { self.0.checked_div(unit.0) } else { None }
    }

    /// Equal parts and the rest: `each * ways + rest == self`.
    pub fn split(self, ways: NonZeroU64) -> (Money, Money) {
        (Money(self.0 / ways), Money(self.0 % ways))
    }

    /// The part of the amount that `share` is of `whole`, rounded down to the cent. `share` is at most `whole`.
    pub fn portion(self, share: Money, whole: Money) -> Money {
        assert!(share <= whole, "a share of {share} cannot be larger than its whole {whole}");
        let product = u128::from(self.0).checked_mul(u128::from(share.0)).expect("64 by 64 bits fit in 128");
        let part = product.checked_div(u128::from(whole.0)).unwrap_or(0);
        Money(u64::try_from(part).expect("a portion is at most the whole amount"))
    }

    /// What a winning wager is paid on top of itself: "to" odds keep the wager, "for" odds spend it.
    #[inline]
    pub fn paid_at(self, odds: Odds) -> Result<Money, Overflow> {
        match odds {
            Odds::To(times) | Odds::For(times) => self.times(u64::from(times)),
        }
    }

    /// What a winning wager brings its Player, the wager itself included.
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
    /// Dollars and cents, thousands apart: `1,284,077.35`.
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
