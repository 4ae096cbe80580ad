//! Settings that contradict themselves are refused, with the field and the reason.

use jackpot::{Parameters, Settings};
use money::Money;

use crate::script::{cents_of, parameters, pool, rate};

/// The field at fault after a change, if any.
fn fault(change: impl Fn(&mut Parameters)) -> Option<&'static str> {
    let mut figures = parameters(5000);
    change(&mut figures);
    Settings::new(figures).err().map(|error| error.field)
}

#[test]
fn each_contradiction_is_named() {
    assert_eq!(fault(|_| {}), None);
    assert_eq!(fault(|figures| figures.minimum_wager = Money::ZERO), Some("minimum_wager"));
    assert_eq!(
        fault(|figures| figures.minimum_wager = cents_of("18446744073709551615")),
        Some("minimum_wager")
    );
    assert_eq!(fault(|figures| figures.reserve = Some(rate(5000))), None);
    assert_eq!(fault(|figures| figures.reserve = Some(rate(5001))), Some("reserve"));
    assert_eq!(fault(|figures| figures.reset = Money::ZERO), Some("reset"));
    assert_eq!(fault(|figures| figures.reset = cents_of("1844674407370955")), None);
    assert_eq!(fault(|figures| figures.reset = cents_of("1844674407370956")), Some("reset"));
    assert_eq!(fault(|figures| figures.cap = Some(cents_of("10000000"))), None);
    assert_eq!(fault(|figures| figures.cap = Some(cents_of("9999999"))), Some("cap"));
    assert_eq!(fault(|figures| figures.cap = Some(cents_of("1844674407370956"))), Some("cap"));
    assert_eq!(fault(|figures| figures.round_contribution_max = pool("250.0000")), None);
    assert_eq!(
        fault(|figures| figures.round_contribution_max = pool("249.9999")),
        Some("round_contribution_max")
    );
}

#[test]
fn the_error_says_what_would_be_right() {
    let mut figures = parameters(5000);
    figures.cap = Some(cents_of("1"));
    let error = Settings::new(figures).expect_err("a cap below the reset amount");
    assert_eq!(error.to_string(), "cap: must be at least the reset amount");
}
