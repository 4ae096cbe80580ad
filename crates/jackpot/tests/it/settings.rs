//! Contradictory settings are refused, with the field and the reason.

use jackpot::{Parameters, Settings};
use money::{Money, Pool};

use crate::script::{book, cents_of, parameters, pool, rate};

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

/// The lowest limit that works for some books, with its clause, if the figures have a lower one.
fn short(figures: Parameters, citations: &[&str]) -> Option<(String, String)> {
    let books: Vec<_> = citations.iter().map(|citation| book(citation)).collect();
    let settings = Settings::new(figures).expect("settings of the tests");
    let low = settings.check_bound(books.iter().map(AsRef::as_ref)).err()?;
    Some((low.least.to_string(), low.clause.to_string()))
}

/// Seven positions at five times 50.00, of which six tenths are contributed, bring 1,050.00: a lower limit would
/// refuse a round played by the rules.
#[test]
fn a_bound_admits_a_full_table() {
    let figures = Parameters { minimum_wager: cents_of("5000"), ..parameters(6000) };
    let bound = |most| Parameters { round_contribution_max: pool(most), ..figures };
    let least = |amount: &str, clause: &str| Some((amount.to_owned(), clause.to_owned()));
    assert_eq!(short(bound("100000.0000"), &["MSSP9"]), least("1,050.00", "MSSP9 3.5.3"));
    assert_eq!(short(bound("104999.9999"), &["MTHB9"]), least("1,050.00", "MTHB9 3.5.3"));
    assert_eq!(short(bound("105000.0000"), &["MTHB9", "MSSP9"]), None);
    // Six positions and one fixed wager each; linked with a larger game, the larger game counts.
    assert_eq!(short(bound("18000.0000"), &["MTHB6"]), None);
    assert_eq!(short(bound("17999.9999"), &["MTHB6"]), least("180.00", "MTHB6 3.5.3"));
    assert_eq!(short(bound("18000.0000"), &["MTHB6", "MTHB9"]), least("1,050.00", "MTHB9 3.5.3"));
    // The reserve's part counts, and a part of a cent counts as a whole cent.
    let reserve = Parameters { reserve: Some(rate(1)), ..bound("105000.0000") };
    assert_eq!(short(reserve, &["MTHB9"]), least("1,050.18", "MTHB9 3.5.3"));
}

/// An amount too large to count is never entered, so the largest limit works for any wager.
#[test]
fn the_largest_bound_does_for_any_wager() {
    let minimum_wager = cents_of("368934881474191");
    let largest = Pool::from_ten_thousandths(u64::MAX);
    let figures = Parameters { minimum_wager, round_contribution_max: largest, ..parameters(5000) };
    assert_eq!(short(figures, &["MTHB9"]), None);
    let less = Parameters { round_contribution_max: Pool::from_ten_thousandths(u64::MAX - 1), ..figures };
    let least = Some(("18,446,744,073,709.56".to_owned(), "MTHB9 3.5.3".to_owned()));
    assert_eq!(short(less, &["MTHB9"]), least);
}
