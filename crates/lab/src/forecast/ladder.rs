//! The distribution of the next award of all of the meter, between two bounds.
//!
//! What is won of the meter comes at wagers that are independent of it, so a meter that is lower now is lower at every wager
//! to come. A meter that is rounded down to a step of a ladder after every growth and every share stays below the true one,
//! a meter that is rounded up above it: both distributions are computed, and the true one lies between. Between two
//! wins the number of wagers is geometric, so all growth from one step of the ladder is one pass over it.

use serde::Serialize;

use super::Course;

/// A number that lies between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Between {
    pub least: f64,
    pub most: f64,
}

impl Between {
    /// The middle.
    pub fn middle(self) -> f64 {
        f64::midpoint(self.least, self.most)
    }

    /// How far the number can lie from the middle.
    pub fn within(self) -> f64 {
        (self.most - self.least) / 2.0
    }
}

/// What ends the growth of a meter, in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Until {
    /// It grows no further.
    pub cap: Option<f64>,
    /// All of it is paid.
    pub must_hit: Option<f64>,
}

/// How the next award of all of the meter is distributed, bounded from below and above.
#[derive(Clone, Debug, PartialEq)]
pub struct Awards {
    low: Bound,
    high: Bound,
}

#[derive(Clone, Debug, PartialEq)]
struct Bound {
    /// The chance of an award on each step of the ladder.
    chances: Vec<f64>,
    /// A step, in cents.
    step: f64,
    /// The chance that what must be hit is reached.
    reached: f64,
    /// The amount that is paid then.
    must_hit: f64,
    /// The wagers until the award.
    wagers: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// Steps of the ladder that is used, and of the one that finds how high it must be.
const STEPS: usize = 1 << 16;
const ROUGH_STEPS: usize = 1 << 12;
/// Chances below this are left out.
const LEFT_OUT: f64 = 1e-11;

/// The next award from a meter of so many cents.
pub fn awards(course: &Course, meter: f64, until: Until) -> Awards {
    // No award takes longer than this but for one in 10¹², and no meter grows faster than without shares.
    let far = meter + 28.0 * course.contribution / course.all;
    // What lies beyond is never reached.
    let near = |limit: Option<f64>| limit.filter(|limit| *limit < far);
    let until = Until { cap: near(until.cap), must_hit: near(until.must_hit) };
    let limit = [until.cap, until.must_hit].into_iter().flatten().fold(far, f64::min);
    let rough = bound(course, meter, until, step(course, limit, ROUGH_STEPS), limit, Rounding::Up);
    let top = rough.percentile(1.0 - LEFT_OUT).min(limit).max(meter + course.contribution);
    let top = if until.must_hit.is_some() || until.cap.is_some() { limit } else { top };
    let step = step(course, top, STEPS);
    Awards {
        low: bound(course, meter, until, step, top, Rounding::Down),
        high: bound(course, meter, until, step, top, Rounding::Up),
    }
}

/// How many wagers a step of a ladder takes that reaches so high.
#[expect(clippy::cast_precision_loss, reason = "a ladder has few steps")]
fn step(course: &Course, top: f64, steps: usize) -> f64 {
    (top / course.contribution / steps as f64).ceil().max(1.0)
}

/// One of the bounds, on a ladder of steps of so many wagers.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "steps of a ladder of bounded length"
)]
fn bound(course: &Course, meter: f64, until: Until, wagers: f64, top: f64, rounding: Rounding) -> Bound {
    let step = wagers * course.contribution;
    let place = |cents: f64, rounding: Rounding| match rounding {
        Rounding::Down => (cents / step).floor() as usize,
        Rounding::Up => (cents / step).ceil() as usize,
    };
    // The lower meter must reach the step above the limit, the higher one only the step below it.
    let opposite = if rounding == Rounding::Down { Rounding::Up } else { Rounding::Down };
    let goal = until.must_hit.map(|limit| place(limit, opposite));
    let cap = until.cap.map(|cap| place(cap, rounding));
    let last = goal.or(cap).unwrap_or_else(|| place(top, Rounding::Up) + 1);
    let any = course.any();
    // The chance of a win within the wagers of a step, and the wagers that are made in it on average.
    let within = -(wagers * (-any).ln_1p()).exp_m1();
    let made = within / any;
    let mut at = vec![0.0; last + 1];
    at[place(meter, rounding).min(last)] = 1.0;
    let mut bound = Bound {
        chances: vec![0.0; last + 1],
        step,
        reached: 0.0,
        must_hit: until.must_hit.unwrap_or(0.0),
        wagers: 0.0,
    };
    loop {
        let mut next = vec![0.0; last + 1];
        let mut carried = 0.0;
        for (place, at) in at.iter().enumerate() {
            let here = carried + at;
            let is_last = place == last;
            // At a cap the meter waits for its win.
            let won = if is_last { here } else { here * within };
            carried = here - won;
            // A win is taken at the start of its step by the lower meter, at its end by the higher one.
            let place = if rounding == Rounding::Up { last.min(place + 1) } else { place };
            if goal == Some(place) {
                bound.reached += won;
                bound.wagers += if is_last { 0.0 } else { here * made };
                continue;
            }
            bound.wagers += if is_last { here / any } else { here * made };
            bound.chances[place] += won * course.all / any;
            for &(chance, percent) in &course.shares {
                let kept = place * usize::from(100 - percent);
                let kept = if rounding == Rounding::Down { kept / 100 } else { kept.div_ceil(100) };
                next[kept] += won * chance / any;
            }
        }
        at = next;
        if at.iter().sum::<f64>() < LEFT_OUT {
            return bound;
        }
    }
}

impl Bound {
    #[expect(clippy::cast_precision_loss, reason = "a ladder has few steps")]
    fn percentile(&self, chance: f64) -> f64 {
        let mut sum = 0.0;
        for (place, of_place) in self.chances.iter().enumerate() {
            sum += of_place;
            if chance <= sum {
                return place as f64 * self.step;
            }
        }
        if 0.0 < self.reached { self.must_hit } else { (self.chances.len() - 1) as f64 * self.step }
    }
}

impl Awards {
    /// The award is no more than this with a chance.
    pub fn percentile(&self, chance: f64) -> Between {
        Between { least: self.low.percentile(chance), most: self.high.percentile(chance) }
    }

    /// The chance that the meter is paid because it must be hit.
    pub fn reached(&self) -> Between {
        Between { least: self.low.reached, most: self.high.reached }
    }

    /// The wagers until the award, on average. A higher meter is hit earlier.
    pub fn wagers(&self) -> Between {
        Between { least: self.high.wagers.min(self.low.wagers), most: self.low.wagers.max(self.high.wagers) }
    }

    /// The chance of an award of up to so many cents: least from the higher meter, most from the lower one.
    pub fn chance_up_to(&self, cents: f64) -> Between {
        Between { least: self.high.chance_up_to(cents), most: self.low.chance_up_to(cents) }
    }
}

impl Bound {
    #[expect(clippy::cast_precision_loss, reason = "a ladder has few steps")]
    fn chance_up_to(&self, cents: f64) -> f64 {
        let at = |(place, _): &(usize, &f64)| *place as f64 * self.step <= cents;
        let sum: f64 = self.chances.iter().enumerate().take_while(at).map(|(_, chance)| chance).sum();
        if self.must_hit <= cents { sum + self.reached } else { sum }
    }
}
