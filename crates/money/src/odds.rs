//! Odds as the rulebooks write them, and percentages.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cents::Money;

/// What a winning wager is paid at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Odds {
    /// "1 to 1": the Player keeps the wager and is paid this many times its amount.
    To(u32),
    /// "400 for 1": the wager is spent, and the Player is paid this many times its amount.
    For(u32),
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Odds::To(times) => write!(f, "{times} to 1"),
            Odds::For(times) => write!(f, "{times} for 1"),
        }
    }
}

impl FromStr for Odds {
    type Err = String;

    fn from_str(text: &str) -> Result<Odds, String> {
        let wrong = || format!("{text:?} are not odds; write \"30 to 1\" or \"400 for 1\"");
        let number = |digits: &str| digits.parse().map_err(|_: ParseIntError| wrong());
        let stake = text.strip_suffix(" 1").ok_or_else(wrong)?;
        if let Some(times) = stake.strip_suffix(" to") {
            return number(times).map(Odds::To);
        }
        stake.strip_suffix(" for").ok_or_else(wrong).and_then(number).map(Odds::For)
    }
}

/// A percentage of a jackpot's meter: whole, from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = String, example = "10%"))]
pub struct Percent(u8);

/// A number that is not a percentage of a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a percentage of a meter; it must be a whole number from 1 to 100")]
pub struct PercentError(pub u64);

impl Percent {
    /// The whole meter.
    pub const ALL: Percent = Percent(100);

    /// A percentage from 1 to 100.
    pub const fn new(percent: u8) -> Result<Percent, PercentError> {
        if percent == 0 || 100 < percent {
            #[expect(clippy::as_conversions, reason = "a widening cast; `u64::from` is not const")]
            return Err(PercentError(percent as u64));
        }
        Ok(Percent(percent))
    }

    /// The number before the percent sign.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// This percentage of `amount`, rounded down to the cent (reading `odd-cents`: the remainder stays where it
    /// is).
    pub fn of(self, amount: Money) -> Money {
        let hundred = Money::from_cents(100);
        amount.portion(Money::from_cents(u64::from(self.0)), hundred)
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.0)
    }
}

/// Reads and writes a type as its text.
macro_rules! as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Odds {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        ObjectBuilder::new().schema_type(Type::String).examples(["30 to 1", "400 for 1"]).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Odds {}

as_text!(Odds);
as_text!(Percent);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Percent, String> {
        let number = text.strip_suffix('%').and_then(|digits| digits.parse().ok());
        let number: u8 =
            number.ok_or_else(|| format!("{text:?} is not a percentage; write it as \"10%\""))?;
        Percent::new(number).map_err(|error| error.to_string())
    }
}

/// A rate in basis points (ten-thousandths), from 0 to 10,000: how much of a Jackpot wager feeds the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = u64))]
#[serde(try_from = "u64", into = "u64")]
pub struct Rate(u16);

impl Rate {
    /// The rate of `points` basis points, at most 10,000.
    pub fn from_basis_points(points: u64) -> Result<Rate, String> {
        match u16::try_from(points) {
            Ok(points) if points <= 10_000 => Ok(Rate(points)),
            _ => Err(format!("{points} basis points are more than the whole wager; the most is 10000")),
        }
    }

    /// The rate in basis points.
    pub const fn basis_points(self) -> u16 {
        self.0
    }
}

impl TryFrom<u64> for Rate {
    type Error = String;

    fn try_from(points: u64) -> Result<Rate, String> {
        Rate::from_basis_points(points)
    }
}

impl From<Rate> for u64 {
    fn from(rate: Rate) -> u64 {
        u64::from(rate.0)
    }
}
