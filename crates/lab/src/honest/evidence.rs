//! The evidence that a Player knew what was hidden, round by round.

use serde::Serialize;

use super::{Hidden, Judged};
use crate::honest::Habit;

/// The shares of rounds in which a cheat may know the hidden card. Each is tried; their mean is the evidence.
pub const KNOWING: [f64; 3] = [0.05, 0.25, 0.9];

/// What one round of a Player says about one thing that was hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// What the choices gained by what was hidden, over what they would have on average; mean zero.
    pub x: f64,
    /// The exact variance of `x`, given the choices and the cards that lay open.
    pub variance: f64,
    /// How much likelier the choices made with what was hidden than without: for each share of [`KNOWING`]. Mean one.
    pub factors: [f64; 3],
}

/// Judges a round. `habit` has the Player's earlier choices alone.
pub fn step(judged: &Judged, hidden: &Hidden, habit: &Habit) -> Step {
    let expected = |(decision, choice): (usize, &super::JudgedChoice)| {
        (choice.wagered, habit.expected(decision, choice.gain.value()))
    };
    let choices: Vec<(bool, f64)> = judged.choices.iter().enumerate().map(expected).collect();
    let concerns: [bool; 3] =
        std::array::from_fn(|decision| hidden.cases.iter().any(|case| case.gains[decision] != 0.0));
    let concerned = || choices.iter().enumerate().filter(|(decision, _)| concerns[*decision]);
    let gained = |gains: &[f64; 3]| -> f64 {
        concerned()
            .map(|(decision, (wagered, expected))| (f64::from(*wagered) - expected) * gains[decision])
            .sum()
    };
    let likely = |gains: &[f64; 3], knowing: f64| -> f64 {
        let one = |(decision, (wagered, expected)): (usize, &(bool, f64))| {
            let by_habit = if *wagered { *expected } else { 1.0 - expected };
            let knows = f64::from(*wagered == (0.0 < gains[decision]));
            (1.0 - knowing) * by_habit + knowing * knows
        };
        concerned().map(one).product()
    };
    let mean = |of: &dyn Fn(&[f64; 3]) -> f64| -> f64 {
        hidden.cases.iter().map(|case| case.weight * of(&case.gains)).sum()
    };
    let actual = &hidden.cases[hidden.actual].gains;
    let mean_gain = mean(&gained);
    Step {
        x: gained(actual) - mean_gain,
        variance: mean(&|gains| (gained(gains) - mean_gain).powi(2)),
        factors: KNOWING.map(|knowing| likely(actual, knowing) / mean(&|gains| likely(gains, knowing))),
    }
}

/// What many rounds say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    pub rounds: u64,
    /// The sum of `X`, in Antes.
    pub x: f64,
    /// The sum of its variances.
    pub variance: f64,
    #[serde(skip)]
    logs: [f64; 3],
}

impl Evidence {
    /// One more round.
    pub fn add(&mut self, step: &Step) {
        self.rounds += 1;
        self.x += step.x;
        self.variance += step.variance;
        self.logs.iter_mut().zip(step.factors).for_each(|(log, factor)| *log += factor.ln());
    }

    /// One more round of several Players who met the same hidden cards: the mean of their factors, which has mean one too.
    pub fn add_round(&mut self, steps: &[Step]) {
        let Ok(count) = u32::try_from(steps.len()) else { return };
        if count == 0 {
            return;
        }
        let mean = |of: &dyn Fn(&Step) -> f64| steps.iter().map(of).sum::<f64>() / f64::from(count);
        let deviation: f64 = steps.iter().map(|step| step.variance.sqrt()).sum();
        self.add(&Step {
            x: steps.iter().map(|step| step.x).sum(),
            // How the Players' sums hang together is not counted: at most, they move as one.
            variance: deviation * deviation,
            factors: std::array::from_fn(|share| mean(&|step| step.factors[share])),
        });
    }

    /// `X` in standard deviations.
    pub fn z(&self) -> f64 {
        if 0.0 < self.variance { self.x / self.variance.sqrt() } else { 0.0 }
    }

    /// The evidence as a natural logarithm: of the mean over all shares of [`KNOWING`]. A house that acts on evidence of `e` or
    /// more wrongs at most one honest Player of `e`.
    pub fn ln(&self) -> f64 {
        together(&self.logs)
    }
}

/// The mean of several kinds of evidence, all as natural logarithms. It is evidence of the same strength.
pub fn together(logs: &[f64]) -> f64 {
    let Some(count) = u32::try_from(logs.len()).ok().filter(|count| 0 < *count) else { return 0.0 };
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    most + (sum / f64::from(count)).ln()
}

/// Which of many stand out, so that of those who do the share of the honest is expected to be at most `level`: Benjamini's
/// and Hochberg's step with 1/e for a p-value, which for evidence holds however they hang together.
pub fn stand_out(ln_evidence: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..ln_evidence.len()).collect();
    order.sort_by(|a, b| ln_evidence[*b].total_cmp(&ln_evidence[*a]));
    let real = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let needed = |place: usize| (real(ln_evidence.len()) / (level * real(place + 1))).ln();
    let last = (0..order.len()).rev().find(|&place| needed(place) <= ln_evidence[order[place]]);
    let mut out = vec![false; ln_evidence.len()];
    order[..last.map_or(0, |last| last + 1)].iter().for_each(|&place| out[place] = true);
    out
}
