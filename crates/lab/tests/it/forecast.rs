//! Forecasts against a meter that is followed wager by wager, all ways it can go.

use std::collections::BTreeMap;

use lab::forecast::{
    Course, Link, Until, awards, covered, forecast, rate_needed, resets_within, start_needed,
};

use crate::support::{HOLDEM, LAB, STREETS, STUD, book};

fn small() -> Course {
    Course { all: 0.05, shares: vec![(0.06, 10), (0.03, 25)], contribution: 4.0, contribution_squared: 16.0 }
}

/// Every way a meter can go, wager by wager: the award with its chance, and the chance that the limit was reached.
fn every_way(course: &Course, meter: f64, until: Until) -> (Vec<(f64, f64)>, f64, f64) {
    // Meters that differ by less than a tenth of a cent are taken together.
    #[expect(clippy::cast_possible_truncation, reason = "a small meter")]
    let key = |cents: f64| (cents * 10.0).round() as i64;
    let mut at = BTreeMap::from([(key(meter), (meter, 1.0))]);
    let (mut paid, mut reached, mut wagers) = (Vec::new(), 0.0, 0.0);
    while 1e-6 < at.values().map(|(_, chance)| chance).sum::<f64>() {
        let mut next: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        let mut add = |cents: f64, chance: f64| next.entry(key(cents)).or_insert((cents, 0.0)).1 += chance;
        for (cents, chance) in at.into_values().filter(|(_, chance)| 1e-10 < *chance) {
            wagers += chance;
            let grown = (cents + course.contribution).min(until.cap.unwrap_or(f64::INFINITY));
            if until.must_hit.is_some_and(|limit| limit <= grown) {
                reached += chance;
                continue;
            }
            paid.push((grown, chance * course.all));
            for &(share, percent) in &course.shares {
                add(grown * (1.0 - f64::from(percent) / 100.0), chance * share);
            }
            add(grown, chance * (1.0 - course.any()));
        }
        at = next;
    }
    (paid, reached, wagers)
}

fn mean(paid: &[(f64, f64)], of: impl Fn(f64) -> f64) -> f64 {
    paid.iter().map(|(cents, chance)| of(*cents) * chance).sum()
}

#[test]
fn moments_of_the_award() {
    let course = small();
    let (paid, _, wagers) = every_way(&course, 500.0, Until::default());
    let (expected, deviation) = course.award(500.0);
    let first = mean(&paid, |cents| cents);
    assert!((first - expected).abs() < 0.01, "{first} {expected}");
    let second = mean(&paid, |cents| (cents - expected).powi(2)).sqrt();
    assert!((second - deviation).abs() < 0.05, "{second} {deviation}");
    assert!((wagers - 1.0 / course.all).abs() < 1e-3, "{wagers}");
}

/// The distribution lies between its bounds, which are close; with a cap, and with an amount that must be hit, too.
#[test]
fn bounds_hold_the_distribution() {
    let course = small();
    for until in [
        Until::default(),
        Until { cap: Some(600.0), must_hit: None },
        Until { cap: None, must_hit: Some(601.0) },
    ] {
        let (paid, reached, wagers) = every_way(&course, 500.0, until);
        let awards = awards(&course, 500.0, until);
        for cents in [200.7, 300.7, 450.7, 520.7, 599.3, 600.7, 650.7] {
            let chance = mean(&paid, |paid| f64::from(u8::from(paid <= cents)))
                + if until.must_hit.is_some_and(|limit| limit <= cents) { reached } else { 0.0 };
            let between = awards.chance_up_to(cents);
            assert!(
                between.least - 1e-5 <= chance && chance <= between.most + 1e-5,
                "{until:?} {cents}: {chance} {between:?}"
            );
            assert!(between.within() < 0.09, "{until:?} {cents}: {between:?}");
        }
        let found = awards.reached();
        assert!(found.least - 1e-5 <= reached && reached <= found.most + 1e-5, "{reached} {found:?}");
        let made = awards.wagers();
        assert!(made.least - 0.01 <= wagers && wagers <= made.most + 0.01, "{wagers} {made:?}");
    }
}

/// Reserves followed wager by wager.
#[test]
fn reserves() {
    // By wager: the amount in the reserve, with its chance; a reset that it cannot pay ends it.
    let slow = |chance: f64, fed: i64, held: i64, reset: i64, resets: usize| {
        let mut at = BTreeMap::from([((held, 0), 1.0)]);
        let mut covered = 0.0;
        for _ in 0..3_000 {
            let mut next: BTreeMap<(i64, usize), f64> = BTreeMap::new();
            for ((cents, paid), path) in at {
                let cents = cents + fed;
                *next.entry((cents, paid)).or_default() += path * (1.0 - chance);
                if reset <= cents {
                    if paid + 1 == resets {
                        covered += path * chance;
                    } else {
                        *next.entry((cents - reset, paid + 1)).or_default() += path * chance;
                    }
                }
            }
            next.retain(|_, path| 1e-15 < *path);
            at = next;
        }
        covered
    };
    for (fed, held, resets) in [(10, 0, 1), (10, 250, 3), (25, 100, 4), (7, 1_200, 3)] {
        let slowly = slow(0.02, fed, held, 500, usize::from(resets));
        #[expect(clippy::cast_precision_loss, reason = "small amounts")]
        let quickly = covered(0.02, fed as f64, held as f64, 500.0, resets);
        assert!((slowly - quickly).abs() < 1e-9, "{fed} {held} {resets}: {slowly} {quickly}");
    }
    let start = start_needed(0.02, 10.0, 500.0, 3, 0.95);
    assert!(
        0.95 <= covered(0.02, 10.0, start, 500.0, 3) && covered(0.02, 10.0, start - 10.0, 500.0, 3) < 0.95
    );
    let rate = rate_needed(0.02, 100.0, 500.0, 3, 0.95).expect("a rate is enough");
    assert!(
        0.95 <= covered(0.02, rate, 100.0, 500.0, 3) && covered(0.02, 0.9 * rate, 100.0, 500.0, 3) < 0.95
    );
    // Of 50 wagers at 2 %: none with 36.4 %, one with 37.2 %, two with 18.6 %, three with 6.1 %.
    assert_eq!([0.36, 0.73, 0.92, 0.98].map(|with| resets_within(0.02, 50.0, with)), [0, 1, 2, 3]);
    // A link of 200,000 wagers an hour: 2,696.5 awards a year with a deviation of 51.93, nearly normal.
    let year = 200_000.0 * 8_760.0;
    assert_eq!([0.5, 0.95].map(|with| resets_within(1.0 / 649_740.0, year, with)), [2_696, 2_782]);
    // Very many resets are followed too: what is level on average is short of one of them nearly always.
    let (chance, reset) = (1.0 / 649_740.0, 10_000_000.0);
    assert!(covered(chance, chance * reset, 0.0, reset, 1_000) < 0.05);
    assert!(0.999 < covered(chance, 2.0 * chance * reset, 30.0 * reset, reset, 1_000));
}

fn link() -> Link {
    Link {
        wager_cents: 500,
        mix: vec![(1, 1)],
        ante_cents: 2_500,
        contribution_bps: 4_000,
        reset_cents: 10_000_000,
        meter_cents: 10_000_000,
        cap_cents: None,
        must_hit_by_cents: None,
        reserve_bps: 308,
        reserve_cents: 0,
        wagers_an_hour: Some(1_000),
        resets: 1,
    }
}

/// From a reset the next award is, on average, the mean meter that hands play for: $736,568.42.
#[test]
fn a_link_of_two_games() {
    let (holdem, stud) = (book(HOLDEM), book(STUD));
    let forecast = forecast(&LAB, &[&holdem, &stud], &link()).expect("games with the same chances");
    let award = forecast.award;
    assert!((award.mean.expect("no cap") - 73_656_842.105).abs() < 0.01, "{:?}", award.mean);
    for percentile in award.percentiles {
        let cents = percentile.cents;
        assert!(cents.within() < 0.005 * cents.middle(), "{percentile:?}");
    }
    let wait = forecast.next_award.expect("nothing must be hit");
    assert!((wait.mean - 649_740.0).abs() < 1e-6 && (forecast.wagers_mean.middle() - 649_740.0).abs() < 10.0);
    // Started empty at the rate that is level on average, the first reset is not covered in 63 % of cases.
    assert!((forecast.funding.covered_as_set - 0.368).abs() < 0.001, "{:?}", forecast.funding);
    let passes: Vec<f64> = forecast.passes.iter().map(|pass| pass.chance.middle()).collect();
    assert!(passes.is_sorted_by(|one, next| next < one) && passes.len() == 5, "{passes:?}");
}

#[test]
fn refusals() {
    let (holdem, streets) = (book(HOLDEM), book(STREETS));
    let error = |books: &[&rulebook::Rulebook], link: Link| {
        forecast(&LAB, books, &link).expect_err("it contradicts itself").to_string()
    };
    assert!(error(&[&holdem, &streets], link()).contains("not the chances at the meter"));
    assert!(error(&[&holdem], Link { mix: vec![(6, 1)], ..link() }).contains("1 to 5 times"));
    assert!(error(&[&holdem], Link { cap_cents: Some(1), ..link() }).contains("below the meter"));
    assert!(error(&[&holdem], Link { contribution_bps: 0, ..link() }).contains("nothing feeds"));
}
