//! Sessions: a round convolved with itself, and the chance to lose a bankroll on the way.
//!
//! Results are whole numbers of steps. Rounds that win all of the meter are kept apart: such a session is above every other.

use std::collections::BTreeMap;

/// The results of a round in steps, with their chances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    results: BTreeMap<i64, f64>,
    /// The chance that a round wins all of the meter.
    pub wins_meter: f64,
}

impl Outcomes {
    pub fn add(&mut self, result: i64, chance: f64) {
        *self.results.entry(result).or_default() += chance;
    }

    fn least(&self) -> i64 {
        self.results.keys().next().copied().unwrap_or(0)
    }

    fn most(&self) -> i64 {
        self.results.keys().last().copied().unwrap_or(0)
    }
}

/// What a session comes to, in steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    pub rounds: u32,
    /// The chance that it won all of the meter.
    pub wins_meter: f64,
    /// The result of the first chance.
    start: i64,
    chances: Vec<f64>,
}

/// Chances below this are cut off at either end.
const CUT: f64 = 1e-17;

/// Sessions of each of these lengths, in rising order.
pub fn sessions(outcomes: &Outcomes, lengths: &[u32]) -> Vec<Session> {
    let mut session = Session { rounds: 0, wins_meter: 0.0, start: 0, chances: vec![1.0] };
    let mut all = Vec::new();
    for &length in lengths {
        while session.rounds < length {
            session.next(outcomes);
        }
        session.wins_meter = -(f64::from(length) * (-outcomes.wins_meter).ln_1p()).exp_m1();
        all.push(session.clone());
    }
    all
}

impl Session {
    fn next(&mut self, outcomes: &Outcomes) {
        let least = outcomes.least();
        let mut chances = vec![0.0; self.chances.len() + places(outcomes.most() - least)];
        for (result, chance) in &outcomes.results {
            for (sum, before) in chances[places(result - least)..].iter_mut().zip(&self.chances) {
                *sum += before * chance;
            }
        }
        let first = chances.iter().position(|chance| CUT < *chance).unwrap_or(0);
        let end = chances.iter().rposition(|chance| CUT < *chance).unwrap_or(0);
        chances.truncate(end + 1);
        chances.drain(..first);
        self.rounds += 1;
        self.start += least + steps(first);
        self.chances = chances;
    }

    /// Every result with its chance; sessions that won all of the meter are not among them.
    pub fn results(&self) -> impl Iterator<Item = (i64, f64)> {
        (self.start..).zip(self.chances.iter().copied())
    }

    /// The chance that a result is as `of` says.
    pub fn chance(&self, of: impl Fn(i64) -> bool) -> f64 {
        self.results().filter(|(result, _)| of(*result)).map(|(_, chance)| chance).sum()
    }

    /// The least result that is not exceeded with this chance; none if that is all of the meter.
    pub fn percentile(&self, chance: f64) -> Option<i64> {
        let mut sum = 0.0;
        self.results().find_map(|(result, of_result)| {
            sum += of_result;
            (chance <= sum).then_some(result)
        })
    }
}

/// The chance to lose a bankroll within a session, for any bankroll.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruin {
    /// By bankroll in steps, from 1; beyond the last it is less than [`NEVER`].
    chances: Vec<f64>,
}

/// A chance that is taken for none.
const NEVER: f64 = 1e-13;

impl Ruin {
    /// The chance to lose so many steps.
    pub fn chance(&self, steps: i64) -> f64 {
        match usize::try_from(steps) {
            Ok(0) | Err(_) => 1.0,
            Ok(steps) => self.chances.get(steps - 1).copied().unwrap_or(0.0),
        }
    }
}

/// Ruin within each of these lengths, in rising order. Going back from the end, the chance with so many rounds to go is the
/// mean over the next round of the chance with one less: one pass gives it for every bankroll.
pub fn ruin(outcomes: &Outcomes, lengths: &[u32]) -> Vec<Ruin> {
    let mut ruin = Ruin { chances: Vec::new() };
    let widest = places(-outcomes.least().min(0));
    let mut all = Vec::new();
    let mut played = 0;
    for &length in lengths {
        while played < length {
            let mut next = vec![0.0; ruin.chances.len() + widest];
            for (&result, &chance) in &outcomes.results {
                if result < 0 {
                    // From these bankrolls the round loses all.
                    let lost = places(-result);
                    next[..lost].iter_mut().for_each(|sum| *sum += chance);
                    next[lost..]
                        .iter_mut()
                        .zip(&ruin.chances)
                        .for_each(|(sum, later)| *sum += chance * later);
                } else if let Some(later) = ruin.chances.get(places(result)..) {
                    next.iter_mut().zip(later).for_each(|(sum, later)| *sum += chance * later);
                }
            }
            let end = next.iter().rposition(|chance| NEVER < *chance).map_or(0, |last| last + 1);
            next.truncate(end);
            ruin.chances = next;
            played += 1;
        }
        all.push(ruin.clone());
    }
    all
}

/// The greatest common divisor; of zero and a number, the number.
pub(super) fn gcd(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one.abs(), other.abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

fn places(steps: i64) -> usize {
    usize::try_from(steps).expect("a number of steps that is not negative")
}

fn steps(places: usize) -> i64 {
    i64::try_from(places).expect("a session's results are few")
}
