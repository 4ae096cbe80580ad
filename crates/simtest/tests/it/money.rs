//! Money arithmetic at the edges of its range: the exact result if it fits, otherwise an overflow error.

use std::num::NonZeroU64;

use journal::Amount;
use money::{Money, Odds, Overflow, Percent, Pool, Rate};
use proptest::prelude::*;
use simtest::money::{edges, returned_wide};

fn cents(amount: u64) -> Money {
    Money::from_cents(amount)
}

/// The result equals the one in wider integers, or is an overflow exactly if that does not fit.
#[track_caller]
fn check(computed: Result<u64, Overflow>, wide: u128, what: impl Fn() -> String) {
    assert_eq!(computed, u64::try_from(wide).map_err(|_| Overflow), "{}", what());
}

/// Every two edges, in every operation with two amounts.
#[test]
fn sums_products_and_differences() {
    let edges = edges();
    assert!(200 < edges.len());
    for &one in &edges {
        for &other in &edges {
            let what = || format!("{one} and {other}");
            let (wide_one, wide_other) = (u128::from(one), u128::from(other));
            check(cents(one).plus(cents(other)).map(Money::cents), wide_one + wide_other, what);
            check(cents(one).times(other).map(Money::cents), wide_one * wide_other, what);
            assert_eq!(
                cents(one).minus(cents(other)).map(Money::cents),
                one.checked_sub(other),
                "{}",
                what()
            );
            let pool = Pool::from_ten_thousandths(one);
            let sum = pool.plus(Pool::from_ten_thousandths(other));
            check(sum.map(Pool::ten_thousandths), wide_one + wide_other, what);
            let rest = pool.minus(Pool::from_ten_thousandths(other));
            assert_eq!(rest.map(Pool::ten_thousandths), one.checked_sub(other), "{}", what());
            let multiple = cents(one).multiple_of(cents(other));
            assert_eq!(multiple.is_some(), other != 0 && one % other == 0, "{}", what());
            assert!(multiple.is_none_or(|times| cents(other).times(times) == Ok(cents(one))), "{}", what());
        }
    }
}

/// A split loses nothing, and its remainder is less than the number of parts.
#[test]
fn splits_and_portions_conserve() {
    let edges = edges();
    for &amount in &edges {
        for &other in edges.iter().filter(|other| **other != 0) {
            let ways = NonZeroU64::new(other).expect("not zero");
            let (each, rest) = cents(amount).split(ways);
            assert!(rest.cents() < other);
            assert_eq!(
                u128::from(each.cents()) * u128::from(other) + u128::from(rest.cents()),
                amount.into()
            );
            let (share, whole) = (amount.min(other), amount.max(other));
            for &divided in &edges {
                let part = cents(divided).portion(cents(share), cents(whole)).cents();
                // Checked by remainders: the part fits, and one cent more would not.
                let (part, share, whole) = (u128::from(part), u128::from(share), u128::from(whole));
                let product = u128::from(divided) * share;
                assert!(
                    part * whole <= product && product - part * whole < whole,
                    "{divided} {share} {whole}"
                );
            }
        }
    }
}

/// Every percentage of every edge.
#[test]
fn percentages_round_down() {
    for percent in 1..=100_u8 {
        let share = Percent::new(percent).expect("from 1 to 100");
        for &amount in &edges() {
            let part = u128::from(share.of(cents(amount)).cents());
            assert_eq!(part, u128::from(amount) * u128::from(percent) / 100);
        }
    }
    assert!([0, 101, u8::MAX].iter().all(|percent| Percent::new(*percent).is_err()));
}

/// A pool's ten-thousandths: contributions are exact at every rate, and whole cents stay the same.
#[test]
fn pools_keep_every_ten_thousandth() {
    for &amount in &edges() {
        for points in 0..=10_000 {
            let rate = Rate::from_basis_points(points).expect("at most the whole wager");
            let wide = u128::from(amount) * u128::from(points);
            check(Pool::contribution(cents(amount), rate).map(Pool::ten_thousandths), wide, || {
                format!("{amount} at {points}")
            });
        }
        let pool = Pool::from_ten_thousandths(amount);
        assert_eq!(Pool::from_parts(pool.displayed(), pool.fraction()), Ok(pool));
        assert!(pool.fraction() < 10_000);
        for fraction in [0, 1, 9_999, u16::MAX] {
            let wide = u128::from(amount) * 10_000 + u128::from(fraction);
            let parts = Pool::from_parts(cents(amount), fraction);
            check(parts.map(Pool::ten_thousandths), wide, || format!("{amount} and {fraction}"));
        }
    }
    assert!(Rate::from_basis_points(10_001).is_err() && Rate::from_basis_points(u64::MAX).is_err());
}

/// Amounts of the ledger, which may be negative.
#[test]
fn ledger_amounts_are_checked() {
    let mut amounts: Vec<i64> = edges().iter().filter_map(|edge| i64::try_from(*edge).ok()).collect();
    amounts.extend(amounts.clone().iter().map(|amount| -amount));
    amounts.extend([i64::MIN, i64::MIN + 1]);
    for &one in &amounts {
        for &other in &amounts {
            let fits = |wide: i128| i64::try_from(wide).map(Amount).map_err(|_| Overflow);
            assert_eq!(Amount(one).plus(Amount(other)), fits(i128::from(one) + i128::from(other)));
            assert_eq!(Amount(one).minus(Amount(other)), fits(i128::from(one) - i128::from(other)));
        }
        let whole = (0 <= one && one % 10_000 == 0).then(|| cents(one.unsigned_abs() / 10_000));
        assert_eq!(Amount(one).cents(), whole);
    }
    for &edge in &edges() {
        let wide = i128::from(edge) * 10_000;
        assert_eq!(Amount::try_from(cents(edge)), i64::try_from(wide).map(Amount).map_err(|_| Overflow));
        let pool = Amount::try_from(Pool::from_ten_thousandths(edge));
        assert_eq!(pool, i64::try_from(edge).map(Amount).map_err(|_| Overflow));
    }
}

/// The payout of a winning wager, at odds around the edges.
#[test]
fn odds_are_exact_or_refused() {
    let edges = edges();
    let times = edges.iter().filter_map(|edge| u32::try_from(*edge).ok()).chain([u32::MAX]);
    for times in times {
        for odds in [Odds::To(times), Odds::For(times)] {
            for &wager in &edges {
                let returned = cents(wager).returned_at(odds).map(Money::cents);
                check(returned, returned_wide(wager, odds), || format!("{wager} at {odds}"));
                let paid = cents(wager).paid_at(odds).map(Money::cents);
                check(paid, u128::from(wager) * u128::from(times), || format!("{wager} at {odds}"));
            }
        }
    }
}

/// The largest wagers, all won at the highest odds that a book may have: the net of a position fits the record of a
/// round, and all that a floor's table pays on seven positions fits a ledger account.
#[test]
fn the_largest_round_fits() {
    const FLOOR_WAGER_CENTS_MAX: u64 = 100_000_000;
    const ODDS_MAX: Odds = Odds::To(10_000);
    const TIMES_ANTE_MAX: u64 = 10;
    // Ante, Bonus and Jackpot; Flop, Turn and River at this many times the Ante.
    const ANTES_A_POSITION: u64 = 3 + 3 * TIMES_ANTE_MAX;
    const POSITIONS: u64 = 7;
    let of_position = |wager: u64| {
        let won = cents(wager).returned_at(ODDS_MAX).expect("one wager at the highest odds");
        won.times(ANTES_A_POSITION).expect("all of a position")
    };
    assert!(i64::try_from(of_position(round::WAGER_CENTS_MAX).cents()).is_ok());
    let table = of_position(FLOOR_WAGER_CENTS_MAX).times(POSITIONS).expect("all of a table");
    let kept = Amount::try_from(table).expect("the ledger keeps all of a table");
    assert!(kept.plus(kept).is_ok(), "the account still has room for as much again");
}

proptest! {
    /// Any amounts, with extremes: a sum can be taken apart again, and order does not matter.
    #[test]
    fn sums_can_be_taken_apart(amounts in prop::collection::vec(prop_oneof![
        any::<u64>(), Just(u64::MAX), Just(0), Just(u64::MAX / 2), 0..10_000_u64], 0..8)) {
        let wide: u128 = amounts.iter().map(|amount| u128::from(*amount)).sum();
        let sum = Money::sum(amounts.iter().copied().map(Money::from_cents));
        prop_assert_eq!(sum.map(Money::cents), u64::try_from(wide).map_err(|_| Overflow));
        let backwards = Money::sum(amounts.iter().rev().copied().map(Money::from_cents));
        prop_assert_eq!(sum, backwards);
        if let Ok(mut left) = sum {
            for amount in amounts {
                left = left.minus(Money::from_cents(amount)).expect("a part of the sum");
            }
            prop_assert!(left.is_zero());
        }
    }

    /// Money is the same number of cents after it is written and read, also in JSON.
    #[test]
    fn money_is_read_as_it_was_written(amount in prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)]) {
        let text = serde_json::to_string(&Money::from_cents(amount)).expect("a number");
        prop_assert_eq!(serde_json::from_str::<Money>(&text).expect("the same"), Money::from_cents(amount));
        let shown = Money::from_cents(amount).to_string().replace([',', '.'], "");
        prop_assert_eq!(shown.parse::<u64>(), Ok(amount));
        let negative = format!("-{amount}.5");
        prop_assert!(serde_json::from_str::<Money>(&negative).is_err());
    }
}
