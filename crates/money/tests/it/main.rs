//! Money at its limits: a division loses nothing, an overflow is an error.

use std::num::NonZeroU64;

use money::{Money, Odds, Overflow, Percent, Pool, Rate};
use proptest::prelude::*;

fn cents(amount: u64) -> Money {
    Money::from_cents(amount)
}

#[test]
fn odds_to_keep_the_wager_and_odds_for_spend_it() {
    assert_eq!(cents(500).returned_at(Odds::To(30)), Ok(cents(15_500)));
    assert_eq!(cents(500).paid_at(Odds::To(30)), Ok(cents(15_000)));
    assert_eq!(cents(500).returned_at(Odds::For(400)), Ok(cents(200_000)));
    assert_eq!(cents(u64::MAX / 2).returned_at(Odds::To(1)), Ok(cents(u64::MAX - 1)));
    assert_eq!(cents(u64::MAX / 2 + 1).returned_at(Odds::To(1)), Err(Overflow));
}

#[test]
fn odds_and_percentages_read_as_they_are_written() {
    for text in ["1 to 1", "1000 to 1", "400 for 1"] {
        assert_eq!(text.parse::<Odds>().map(|odds| odds.to_string()), Ok(text.to_owned()));
    }
    for text in ["", "1", "to 1", "1 to 2", "one to 1", "-1 to 1", "1  to 1", "99999999999 to 1"] {
        assert!(text.parse::<Odds>().is_err_and(|error| error.contains("\"30 to 1\"")), "{text:?}");
    }
    assert_eq!("10%".parse(), Ok(Percent::new(10).expect("ten is a percentage")));
    for text in ["10", "0%", "101%", "%", "1.5%"] {
        assert!(text.parse::<Percent>().is_err(), "{text:?}");
    }
}

#[test]
fn a_percentage_is_rounded_down_to_the_cent() {
    let ten = Percent::new(10).expect("ten is a percentage");
    assert_eq!(ten.of(cents(77_372_189)), cents(7_737_218));
    assert_eq!(Percent::ALL.of(cents(u64::MAX)), cents(u64::MAX));
}

#[test]
fn a_contribution_keeps_its_fraction() {
    let rate = Rate::from_basis_points(7_333).expect("within the wager");
    let pool = Pool::contribution(cents(1_500), rate).expect("small");
    assert_eq!((pool.displayed(), pool.fraction()), (cents(1_099), 9_500));
    assert!(Rate::from_basis_points(10_001).is_err());
    assert_eq!(Pool::try_from(cents(u64::MAX)), Err(Overflow));
}

#[test]
fn money_is_written_with_its_thousands_apart() {
    let written: Vec<String> =
        [0, 5, 100, 99_999, 100_000, 128_407_735].map(|amount| cents(amount).to_string()).to_vec();
    assert_eq!(written, ["0.00", "0.05", "1.00", "999.99", "1,000.00", "1,284,077.35"]);
    assert_eq!(format!("{:>8}", cents(5)), "    0.05");
}

proptest! {
    #[test]
    fn split_loses_nothing(amount: u64, ways in 1_u64..=1_000) {
        let (each, rest) = cents(amount).split(NonZeroU64::new(ways).expect("at least one"));
        prop_assert_eq!(each.times(ways).and_then(|all| all.plus(rest)), Ok(cents(amount)));
        prop_assert!(rest.cents() < ways);
    }

    #[test]
    fn what_is_added_can_be_taken_away(left: u64, right: u64) {
        match cents(left).plus(cents(right)) {
            Ok(both) => prop_assert_eq!(both.minus(cents(right)), Some(cents(left))),
            Err(Overflow) => prop_assert!(left.checked_add(right).is_none()),
        }
    }

    #[test]
    fn a_multiple_is_one_exactly_when_nothing_is_left(amount in 0_u64..10_000, unit in 0_u64..50) {
        let expected = (unit != 0 && amount % unit == 0).then(|| amount / unit);
        prop_assert_eq!(cents(amount).multiple_of(cents(unit)), expected);
    }

    #[test]
    fn portions_never_exceed_their_whole(amount: u64, share: u64, rest in 0_u64..=u64::MAX) {
        let Some(whole) = share.checked_add(rest) else { return Ok(()) };
        let parts = cents(amount).portion(cents(share), cents(whole)).cents()
            + cents(amount).portion(cents(rest), cents(whole)).cents();
        prop_assert!(parts <= amount && (whole == 0 || amount - parts <= 1));
    }

    #[test]
    fn a_pool_is_its_cents_and_its_fraction(amount: u64) {
        let pool = Pool::from_ten_thousandths(amount);
        prop_assert_eq!(Pool::from_parts(pool.displayed(), pool.fraction()), Ok(pool));
    }
}
