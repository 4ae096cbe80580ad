//! Chi-square, and how far it is from its expected value.

use std::fmt;

use super::DEVIATIONS_MAX;

/// A sum of squared differences, each divided by the expected count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    pub sum: f64,
    /// The degrees of freedom: about the sum for an even shuffle.
    pub freedom: f64,
}

impl ChiSquare {
    /// Distance from the expected value in standard deviations, by the cube root (Wilson and Hilferty).
    pub fn deviation(self) -> f64 {
        let spread = 2.0 / (9.0 * self.freedom);
        ((self.sum / self.freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }

    /// Whether chance explains it: neither too far from even, nor too close.
    pub fn is_even(self) -> bool {
        self.deviation().abs() < DEVIATIONS_MAX
    }
}

impl fmt::Display for ChiSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chi-square {:.1} of {:.0} ({:+.2} deviations)", self.sum, self.freedom, self.deviation())
    }
}

/// Chi-square of counts against expected counts.
pub fn chi_square(counted: impl IntoIterator<Item = (u64, f64)>) -> ChiSquare {
    let (mut sum, mut cells) = (0.0, 0.0);
    for (count, expected) in counted {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2 to the 52nd")]
        let difference = count as f64 - expected;
        sum += difference * difference / expected;
        cells += 1.0;
    }
    ChiSquare { sum, freedom: cells - 1.0 }
}
