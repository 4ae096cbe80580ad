//! Chi-square, and how far it lies from what chance would make of it.

use std::fmt;

use super::EVEN;

/// A sum of squared differences, each over what was expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum.
    pub sum: f64,
    /// The degrees of freedom: about what the sum of an even shuffle comes to.
    pub freedom: f64,
}

impl ChiSquare {
    /// How many standard deviations it lies from what is expected, by the cube root (Wilson and Hilferty).
    pub fn deviation(self) -> f64 {
        let spread = 2.0 / (9.0 * self.freedom);
        ((self.sum / self.freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }

    /// Whether chance explains it: neither too far from even, nor nearer than chance comes.
    pub fn is_even(self) -> bool {
        self.deviation().abs() < EVEN
    }
}

impl fmt::Display for ChiSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chi-square {:.1} of {:.0} ({:+.2} deviations)", self.sum, self.freedom, self.deviation())
    }
}

/// Chi-square of what was counted against what was expected.
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
