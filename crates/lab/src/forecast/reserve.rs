//! Reserves that pay for resets: a path of awards that must stay under what has been put aside.
//!
//! A reserve that starts with S and takes f with every wager has paid for its first i resets of R if the i-th award came no
//! earlier than wager (i R - S) / f. Awards come with one chance a wager, so their numbers in separate stretches of wagers are
//! binomial and independent: going from one such wager to the next, the paths with too many awards are left out.

/// A part of the likeliest chance that changes no sum.
const NEGLIGIBLE: f64 = 1e-18;

/// The chance that a reserve pays for the next resets, all of them. With each wager the chance of an award is `chance` and
/// the reserve takes `fed` cents; it holds `held` cents and a reset takes `reset`.
pub fn covered(chance: f64, fed: f64, held: f64, reset: f64, resets: u16) -> f64 {
    // By number of awards so far.
    let mut paths = vec![1.0];
    let mut passed = 0.0;
    for number in 1..=resets {
        let lacks = f64::from(number) * reset - held;
        if lacks <= 0.0 {
            continue;
        }
        if fed <= 0.0 {
            return 0.0;
        }
        // The award may come with the wager that completes the amount, not before it.
        let before = (lacks / fed - 1e-9).ceil() - 1.0;
        if passed < before {
            paths = after(&paths, chance, before - passed, usize::from(number));
            passed = before;
        }
        paths.truncate(usize::from(number));
    }
    paths.iter().sum::<f64>().min(1.0)
}

/// The paths after some more wagers, those with fewer than `most` awards.
#[expect(clippy::cast_precision_loss, reason = "a few resets")]
fn after(paths: &[f64], chance: f64, wagers: f64, most: usize) -> Vec<f64> {
    let mut next = vec![0.0; most];
    let mut of_number = (wagers * (-chance).ln_1p()).exp();
    for awards in 0..most {
        // Far above the mean so many awards do not come, and there may be very many resets to go through.
        if of_number < NEGLIGIBLE && wagers * chance < awards as f64 {
            break;
        }
        for (so_far, path) in paths.iter().enumerate().take(most - awards) {
            next[so_far + awards] += path * of_number;
        }
        let awards = awards as f64;
        of_number *= (wagers - awards).max(0.0) / (awards + 1.0) * chance / (1.0 - chance);
    }
    next
}

/// What a reserve must hold, in whole cents, to pay for the next resets with a chance.
pub fn start_needed(chance: f64, fed: f64, reset: f64, resets: u16, with: f64) -> f64 {
    let enough = |held: f64| with <= covered(chance, fed, held, reset, resets);
    least(0.0, f64::from(resets) * reset, 0.5, enough).ceil()
}

/// What a reserve must take with every wager, in cents, to pay for the next resets with a chance; none if no amount does.
pub fn rate_needed(chance: f64, held: f64, reset: f64, resets: u16, with: f64) -> Option<f64> {
    // The amount of which the first wager pays for all of them.
    let most = f64::from(resets) * reset;
    let enough = |fed: f64| with <= covered(chance, fed, held, reset, resets);
    enough(most).then(|| least(0.0, most, 1e-6, enough))
}

/// The least number that is enough, to within `exact`, of which `most` is.
fn least(mut low: f64, mut most: f64, exact: f64, enough: impl Fn(f64) -> bool) -> f64 {
    if enough(low) {
        return low;
    }
    while exact < most - low {
        let middle = f64::midpoint(low, most);
        if enough(middle) {
            most = middle;
        } else {
            low = middle;
        }
    }
    most
}

/// How many awards there are within some wagers at most, with a chance.
///
/// The chances of neighbouring numbers are compared with that of the likeliest one, which is taken as one: no term is too
/// small for a float that counts, however many wagers there are.
pub fn resets_within(chance: f64, wagers: f64, with: f64) -> u64 {
    let odds = chance / (1.0 - chance);
    let likeliest = ((wagers + 1.0) * chance).floor().min(wagers);
    let mut below = Vec::new();
    let (mut awards, mut of_number) = (likeliest, 1.0);
    while 0.0 < awards && NEGLIGIBLE < of_number {
        of_number *= awards / (wagers - awards + 1.0) / odds;
        awards -= 1.0;
        below.push(of_number);
    }
    let first = awards;
    let mut numbers: Vec<f64> = below.into_iter().rev().chain([1.0]).collect();
    (awards, of_number) = (likeliest, 1.0);
    while awards < wagers && NEGLIGIBLE < of_number {
        of_number *= (wagers - awards) / (awards + 1.0) * odds;
        awards += 1.0;
        numbers.push(of_number);
    }
    let mut left = with * numbers.iter().sum::<f64>();
    let mut fewer = 0_u32;
    for of_number in numbers {
        left -= of_number;
        if left <= 0.0 {
            break;
        }
        fewer += 1;
    }
    super::whole(first + f64::from(fewer))
}
