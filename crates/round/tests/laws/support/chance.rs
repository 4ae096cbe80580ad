//! Running a law, and choices that repeat.
//!
//! Every case is decoded from a few numbers that proptest draws and shrinks. The seed is fixed, so a run repeats; a
//! failure prints it with the smallest case found. `LAWS_SEED` tries another, `LAWS_CASES` multiplies the cases.

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// What a check answers.
pub(crate) type Checked = Result<(), TestCaseError>;

/// Holds a law against so many cases.
pub(crate) fn hold<S>(cases: u32, inputs: &S, law: impl Fn(S::Value) -> Checked)
where
    S: Strategy,
    S::Value: Debug,
{
    let seed = number("LAWS_SEED").unwrap_or(1);
    let times = number("LAWS_CASES").and_then(|times| u32::try_from(times).ok()).unwrap_or(1);
    let config = Config {
        cases: cases.saturating_mul(times),
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        max_shrink_time: 60_000,
        ..Config::default()
    };
    if let Err(error) = TestRunner::new(config).run(inputs, law) {
        panic!("LAWS_SEED={seed}\n{error}");
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// A stream of choices out of one number (the SplitMix64 generator).
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from zero up to, not including, `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).expect("lists are short");
        usize::try_from(self.roll() % count).expect("a remainder is below its divisor")
    }

    /// True so many times in a hundred.
    pub(crate) const fn percent(&mut self, percent: u64) -> bool {
        self.roll() % 100 < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
