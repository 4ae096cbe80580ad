//! Tail probabilities: chi-square, normal, Poisson, binomial and Kolmogorov's.

/// How close a series or a continued fraction is followed.
const CLOSE: f64 = 1e-15;

/// More steps than any of them needs for the arguments used here.
const STEPS_MAX: u32 = 1_000_000;

/// A count as a number with a fraction.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2 to the 52nd")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}

/// The natural logarithm of the gamma function of a positive number, by Stirling's series.
pub(super) fn ln_gamma(x: f64) -> f64 {
    if x < 15.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let square = x * x;
    let series = 1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square) / square)
            / square;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series / x
}

/// Of a gamma distribution of shape `a`, the probabilities below and above `x`.
pub(super) fn gamma_tails(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut next) = (1.0 / a, 1.0 / a, a);
        for _ in 0..STEPS_MAX {
            next += 1.0;
            term *= x / next;
            sum += term;
            if term < sum * CLOSE {
                break;
            }
        }
        let below = (front * sum).min(1.0);
        return (below, 1.0 - below);
    }
    let mut fraction = Fraction::new(x + 1.0 - a);
    let mut step = 0.0;
    for _ in 0..STEPS_MAX {
        step += 1.0;
        if fraction.go_on(-step * (step - a), x + 1.0 - a + 2.0 * step) {
            break;
        }
    }
    let above = (front / fraction.value).min(1.0);
    (1.0 - above, above)
}

/// A continued fraction b0 + a1/(b1 + a2/(b2 + ...)), followed from its head (Lentz).
struct Fraction {
    value: f64,
    above: f64,
    below: f64,
}

impl Fraction {
    fn new(head: f64) -> Fraction {
        let head = nonzero(head);
        Fraction { value: head, above: head, below: 0.0 }
    }

    /// One step further. True once the value does not change any more.
    fn go_on(&mut self, numerator: f64, denominator: f64) -> bool {
        self.below = 1.0 / nonzero(denominator + numerator * self.below);
        self.above = nonzero(denominator + numerator / self.above);
        let change = self.above * self.below;
        self.value *= change;
        (change - 1.0).abs() < CLOSE
    }
}

/// A divisor that is not zero.
fn nonzero(value: f64) -> f64 {
    if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value }
}

/// The probability of a value at least as unlikely, on either side.
pub(super) fn both_sides((below, above): (f64, f64)) -> f64 {
    (2.0 * below.min(above)).min(1.0)
}

/// From how many degrees of freedom on a chi-square may also be too small. With fewer cells counts can lie close to what is
/// expected because they are whole numbers.
const FREEDOM_FOR_BOTH: f64 = 20.0;

/// A chi-square value with so many degrees of freedom: too uneven, or too even.
pub fn chi_square(value: f64, freedom: f64) -> f64 {
    let tails = gamma_tails(freedom / 2.0, value / 2.0);
    if freedom < FREEDOM_FOR_BOTH { tails.1 } else { both_sides(tails) }
}

/// A standard normal value, either side.
pub fn normal_both(z: f64) -> f64 {
    gamma_tails(0.5, z * z / 2.0).1
}

/// A Poisson count, either side.
pub fn poisson_both(count: u64, mean: f64) -> f64 {
    let at_least = if count == 0 { 1.0 } else { gamma_tails(real(count), mean).0 };
    let at_most = gamma_tails(real(count) + 1.0, mean).1;
    both_sides((at_most, at_least))
}

/// A count of `trials` that each succeed with the same chance, either side.
pub fn binomial_both(count: u64, trials: u64, chance: f64) -> f64 {
    let (count, trials) = (real(count), real(trials));
    let at_least = if count == 0.0 { 1.0 } else { beta_below(count, trials - count + 1.0, chance) };
    let at_most = if trials <= count { 1.0 } else { beta_below(trials - count, count + 1.0, 1.0 - chance) };
    both_sides((at_most, at_least))
}

/// Of a beta distribution, the probability below `x`.
fn beta_below(a: f64, b: f64, x: f64) -> f64 {
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the beta distribution.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut fraction = Fraction::new(1.0);
    fraction.go_on(-(a + b) * x / (a + 1.0), 1.0);
    let mut step = 0.0;
    for _ in 0..STEPS_MAX {
        step += 1.0;
        let twice = a + 2.0 * step;
        fraction.go_on(step * (b - step) * x / ((twice - 1.0) * twice), 1.0);
        if fraction.go_on(-(a + step) * (a + b + step) * x / (twice * (twice + 1.0)), 1.0) {
            break;
        }
    }
    1.0 / fraction.value
}

/// The greatest distance of `count` sorted uniform numbers from their expected places: the probability of a greater
/// one. Stephens's form, which is good from a few dozen numbers on.
pub(super) fn kolmogorov_above(distance: f64, count: u64) -> f64 {
    let root = real(count).sqrt();
    let t = (root + 0.12 + 0.11 / root) * distance;
    if t < 1.18 {
        // The other series of the same function, which converges fast where this one does not.
        let y = (-std::f64::consts::PI.powi(2) / (8.0 * t * t)).exp();
        let sum = y + y.powi(9) + y.powi(25) + y.powi(49);
        return (1.0 - (2.0 * std::f64::consts::PI).sqrt() / t * sum).clamp(0.0, 1.0);
    }
    let y = (-2.0 * t * t).exp();
    (2.0 * (y - y.powi(4) + y.powi(9))).clamp(0.0, 1.0)
}

/// The probability that the least of `count` independent p-values is this small.
pub(super) fn least_of(p: f64, count: u32) -> f64 {
    -(f64::from(count) * (-p.min(1.0 - f64::EPSILON)).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with values of forty digits from another program.
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} instead of {expected}");
    }

    #[test]
    fn logarithms_of_gamma() {
        for (x, expected) in [
            (0.5, 0.572_364_942_924_700_1),
            (2.5, 0.284_682_870_472_919_2),
            (10.0, 12.801_827_480_081_47),
            (100.0, 359.134_205_369_575_4),
            (1300.5, 8_022.074_312_966_44),
            (1e7, 151_180_949.369_473_9),
        ] {
            close(ln_gamma(x), expected);
        }
    }

    #[test]
    fn tails_of_chi_square() {
        for (freedom, value, below, above) in [
            (1.0, 3.841_458_820_694_124, 0.95, 0.05),
            (5.0, 20.0, 0.998_750_269_436_968_6, 0.001_249_730_563_031_375),
            (119.0, 150.0, 0.971_270_690_634_387_5, 0.028_729_309_365_612_5),
            (2601.0, 2300.0, 7.228_850_179_158_527e-6, 0.999_992_771_149_820_8),
            (2601.0, 2500.0, 0.079_325_545_783_679_5, 0.920_674_454_216_320_5),
            (2601.0, 2800.0, 0.996_542_454_502_509_5, 0.003_457_545_497_490_526),
            (2601.0, 3000.0, 0.999_999_935_835_777_7, 6.416_422_225_388_04e-8),
        ] {
            let (found_below, found_above) = gamma_tails(freedom / 2.0, value / 2.0);
            close(found_below, below);
            close(found_above, above);
            let p = if freedom < 20.0 { above } else { 2.0 * below.min(above) };
            close(chi_square(value, freedom), p);
        }
    }

    #[test]
    fn tails_of_the_normal() {
        for (z, expected) in [
            (0.0, 1.0),
            (1.0, 0.317_310_507_862_914_1),
            (-1.959_963_984_540_054, 0.05),
            (2.575_829_303_548_9, 0.01),
            (5.0, 5.733_031_437_583_878e-7),
            (8.0, 1.244_192_114_854_357e-15),
        ] {
            close(normal_both(z), expected);
        }
    }

    #[test]
    fn tails_of_counts() {
        for (count, mean, at_least, at_most) in [
            (0, 3.2, 1.0, 0.040_762_203_978_366_21),
            (5, 1.5, 0.018_575_936_222_140_67, 0.995_544_019_224_752_2),
            (15, 15.4, 0.574_713_465_142_085_7, 0.527_187_003_212_414_5),
            (1700, 1603.0, 0.008_406_579_354_427_482, 0.992_137_986_892_750_5),
            (1500, 1603.0, 0.995_465_775_976_283, 0.004_884_091_538_816_696),
        ] {
            close(poisson_both(count, mean), f64::min(1.0, 2.0 * f64::min(at_least, at_most)));
        }
        for (count, trials, at_least, at_most) in [
            (0, 52, 1.0, 0.364_313_519_568_970_8),
            (4, 52, 0.017_805_522_084_783_02, 0.996_773_317_122_700_9),
            (30, 520, 1.706_461_741_555_568e-7, 0.999_999_947_852_069_3),
            (2115, 100_000, 7.044_293_205_726_778e-6, 0.999_993_637_885_842_7),
        ] {
            close(binomial_both(count, trials, 1.0 / 52.0), f64::min(1.0, 2.0 * f64::min(at_least, at_most)));
        }
    }

    /// The usual critical values, and that the two series meet.
    #[test]
    fn kolmogorovs_tail() {
        for (t, expected) in [(1.358_098_6, 0.05), (1.627_623_6, 0.01), (1.0, 0.269_999_671_677_354_5)] {
            let many = 1_000_000_000_000;
            let found = kolmogorov_above(t / 1e6, many);
            assert!((found - expected).abs() < 1e-6, "{t}: {found}");
        }
        let (low, high) = (kolmogorov_above(1.179_999e-6, 1 << 40), kolmogorov_above(1.180_001e-6, 1 << 40));
        assert!((low - high).abs() < 1e-5);
    }

    #[test]
    fn the_least_of_several() {
        close(least_of(0.05, 1), 0.05);
        close(least_of(0.01, 3), 1.0 - 0.99_f64.powi(3));
        close(least_of(1e-15, 2704), 2.704e-12);
    }
}
