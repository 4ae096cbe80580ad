//! Exact numbers.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::answer::as_text;

/// An exact number as a fraction of two integers, written in decimal digits. Equal and ordered by value, whatever the
/// denominator.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Exactly))]
pub struct Fraction {
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    numerator: i128,
    /// The denominator; positive.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    denominator: i128,
}

/// Nothing here comes near the bounds of 128 bits: deals are below 2^46, amounts below 2^50.
const BOUNDED: &str = "sums over all deals fit 128 bits";

impl Fraction {
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    /// A fraction with this denominator, as it stands. The denominator is positive.
    pub fn over(numerator: i128, denominator: impl Into<i128>) -> Fraction {
        let denominator = denominator.into();
        assert!(0 < denominator, "a fraction over {denominator}");
        Fraction { numerator, denominator }
    }

    /// A fraction in its lowest terms. The denominator is positive.
    pub fn new(numerator: i128, denominator: impl Into<i128>) -> Fraction {
        Fraction::over(numerator, denominator).reduced()
    }

    pub fn whole(number: impl Into<i128>) -> Fraction {
        Fraction { numerator: number.into(), denominator: 1 }
    }

    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator; positive.
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// In lowest terms.
    pub fn reduced(self) -> Fraction {
        let divisor = common_divisor(self.numerator, self.denominator);
        Fraction { numerator: self.numerator / divisor, denominator: self.denominator / divisor }
    }

    /// The sum, in lowest terms.
    pub fn plus(self, other: Fraction) -> Fraction {
        let (one, two, denominator) = common(self, other);
        Fraction::new(one.checked_add(two).expect(BOUNDED), denominator)
    }

    /// The difference, in lowest terms.
    pub fn minus(self, other: Fraction) -> Fraction {
        self.plus(other.negated())
    }

    /// The product, in lowest terms.
    pub fn times(self, other: Fraction) -> Fraction {
        let (one, two) = (self.reduced(), other.reduced());
        let (left, right) =
            (common_divisor(one.numerator, two.denominator), common_divisor(two.numerator, one.denominator));
        let numerator = (one.numerator / left).checked_mul(two.numerator / right).expect(BOUNDED);
        let denominator = (one.denominator / right).checked_mul(two.denominator / left).expect(BOUNDED);
        Fraction::new(numerator, denominator)
    }

    /// The quotient, in lowest terms; `None` where `other` is zero.
    pub fn divided_by(self, other: Fraction) -> Option<Fraction> {
        let sign = other.numerator.signum();
        let upside_down =
            Fraction { numerator: sign * other.denominator, denominator: other.numerator.abs() };
        (sign != 0).then(|| self.times(upside_down))
    }

    /// The same number with the other sign, over the same denominator.
    pub const fn negated(self) -> Fraction {
        Fraction { numerator: -self.numerator, denominator: self.denominator }
    }

    /// The least whole number that is not less.
    pub const fn ceiling(self) -> i128 {
        -(-self.numerator).div_euclid(self.denominator)
    }

    /// In thousand-millionths, rounded: to be written down beside the exact number.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float saturates, and no share of a wager comes near"
    )]
    pub fn thousand_millionths(self) -> i64 {
        (self.value() * 1e9).round() as i64
    }

    /// For reading. Never computed with.
    #[expect(clippy::cast_precision_loss, reason = "a view; the exact number is the fraction")]
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let (one, two, _) = common(*self, *other);
        one.cmp(&two)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{}", self.numerator);
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// Both numerators over the least common denominator.
fn common(one: Fraction, two: Fraction) -> (i128, i128, i128) {
    let divisor = common_divisor(one.denominator, two.denominator);
    let (left, right) = (two.denominator / divisor, one.denominator / divisor);
    (
        one.numerator.checked_mul(left).expect(BOUNDED),
        two.numerator.checked_mul(right).expect(BOUNDED),
        one.denominator.checked_mul(left).expect(BOUNDED),
    )
}

/// The greatest common divisor; of zero and a number, the number.
fn common_divisor(one: i128, two: i128) -> i128 {
    let (mut one, mut two) = (one.abs(), two.abs());
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fraction is what it is worth.
    #[test]
    fn worth() {
        assert_eq!(Fraction::over(-138_730, 1_624_350), Fraction::new(-13_873, 162_435));
        assert_eq!(Fraction::new(-138_730, 1_624_350).to_string(), "-13873/162435");
        assert!(Fraction::new(1, 3) < Fraction::new(1, 2));
        assert!(Fraction::new(-1, 2) < Fraction::new(-1, 3));
    }

    #[test]
    fn arithmetic() {
        let (half, third) = (Fraction::new(1, 2), Fraction::new(1, 3));
        assert_eq!(half.plus(third).to_string(), "5/6");
        assert_eq!(half.minus(half), Fraction::ZERO);
        assert_eq!(Fraction::new(4, 6).times(third.negated()).to_string(), "-2/9");
        assert_eq!(
            half.divided_by(third.negated()).map(|quotient| quotient.to_string()),
            Some("-3/2".into())
        );
        assert_eq!(half.divided_by(Fraction::ZERO), None);
    }

    /// The least whole number not below.
    #[test]
    fn ceiling() {
        let ceilings = [(7, 2), (6, 2), (-7, 2), (0, 5)].map(|(n, d)| Fraction::over(n, d).ceiling());
        assert_eq!(ceilings, [4, 3, -3, 0]);
    }
}
