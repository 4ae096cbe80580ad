//! The distribution of a session: the outcome table convolved with itself, round by round.
//!
//! Every round brings a whole number of Antes, so the sums are whole too and the convolution is the distribution
//! itself, but for the rounding of binary fractions; nothing is assumed normal. Ends that less than one session in
//! 10¹⁶ reaches are cut off.

use crate::exact::OutcomeRow;

/// What a session can come to, in Antes, and how likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// How many rounds.
    pub rounds: u32,
    /// The result of the first chance.
    start: i64,
    chances: Vec<f64>,
}

/// Chances below this are cut off at either end.
const CUT: f64 = 1e-18;

/// The distribution of sessions of each of these lengths, in rising order.
#[expect(clippy::cast_precision_loss, reason = "chances; the counts they are made from are exact elsewhere")]
pub fn sessions(outcomes: &[OutcomeRow], deals: u64, lengths: &[u32]) -> Vec<Session> {
    let mut round: Vec<(i64, f64)> = Vec::new();
    for row in outcomes {
        let chance = row.deals as f64 / deals as f64;
        match round.iter_mut().find(|(net, _)| *net == row.net) {
            Some((_, sum)) => *sum += chance,
            None => round.push((row.net, chance)),
        }
    }
    let mut session = Session { rounds: 0, start: 0, chances: vec![1.0] };
    let mut all = Vec::new();
    for &length in lengths {
        while session.rounds < length {
            session.next(&round);
        }
        all.push(session.clone());
    }
    all
}

impl Session {
    fn next(&mut self, round: &[(i64, f64)]) {
        let nets = || round.iter().map(|(net, _)| *net);
        let (least, most) = (nets().min().unwrap_or(0), nets().max().unwrap_or(0));
        let spread = usize::try_from(most - least).expect("the highest result is not below the lowest");
        let mut chances = vec![0.0; self.chances.len() + spread];
        for &(net, chance) in round {
            let above = usize::try_from(net - least).expect("no result is below the lowest");
            for (sum, before) in chances[above..].iter_mut().zip(&self.chances) {
                *sum += before * chance;
            }
        }
        let first = chances.iter().position(|chance| CUT < *chance).unwrap_or(0);
        let end = chances.iter().rposition(|chance| CUT < *chance).unwrap_or(0);
        self.rounds += 1;
        self.start += least + i64::try_from(first).expect("a session's results are few");
        self.chances = chances[first..=end].to_vec();
    }

    /// Every result with its chance.
    pub fn results(&self) -> impl Iterator<Item = (i64, f64)> {
        (self.start..).zip(self.chances.iter().copied())
    }

    /// The chance that a result is as `of` says.
    pub fn chance(&self, of: impl Fn(i64) -> bool) -> f64 {
        self.results().filter(|(result, _)| of(*result)).map(|(_, chance)| chance).sum()
    }

    /// The least result that is not exceeded with this chance.
    pub fn percentile(&self, chance: f64) -> i64 {
        let mut sum = 0.0;
        for (result, of_result) in self.results() {
            sum += of_result;
            if chance <= sum {
                return result;
            }
        }
        self.results().last().map_or(0, |(result, _)| result)
    }
}
