//! Every published figure, from `published.toml`.

use lab::exact::Fraction;
use serde::Deserialize;

use crate::figures::{Figure, Figures};
use crate::support::{HOLDEM, answer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    figures: Vec<[String; 4]>,
    wrong: Vec<[String; 5]>,
    not_counted: Vec<[String; 4]>,
}

fn published() -> Published {
    toml::from_str(include_str!("published.toml")).expect("published.toml")
}

/// Whether a figure is what a text says, to the digits it shows.
fn agrees(figure: &Figure, text: &str) -> bool {
    let (number, hundred) = match text.strip_suffix(" %") {
        Some(number) => (number, 100),
        None => (text, 1),
    };
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    match figure {
        Figure::Text(words) => words == text,
        Figure::View(value) => format!("{:.decimals$}", value * f64::from(hundred)) == number,
        Figure::Exact(value) => {
            let value = value.times(Fraction::whole(hundred));
            match number.split_once('/') {
                Some((above, below)) => {
                    let whole = |digits: &str| digits.parse::<i128>().expect("a fraction of integers");
                    value == Fraction::new(whole(above), whole(below))
                }
                None => rounded(value, decimals) == number,
            }
        }
    }
}

/// A fraction to so many decimals, halves away from nothing; in integers, so that no digit is in doubt.
fn rounded(value: Fraction, decimals: usize) -> String {
    let scale = 10_i128.pow(u32::try_from(decimals).expect("few decimals"));
    let (above, below) = (value.numerator() * scale, value.denominator());
    let digits = (2 * above.abs() + below) / (2 * below);
    let sign = if above < 0 && digits != 0 { "-" } else { "" };
    match decimals {
        0 => format!("{sign}{digits}"),
        _ => format!("{sign}{}.{:0decimals$}", digits / scale, digits % scale),
    }
}

/// Every published figure is what the lab says, to the last digit shown; those known to be wrong are not.
#[test]
fn published_figures() {
    let figures = Figures::all();
    let Published { figures: rows, wrong, not_counted } = published();
    for [name, value, mark, source] in &rows {
        let figure = figures.get(name);
        assert!(agrees(figure, value), "{name}: {source} says {value}, the lab {figure:?}");
        if let ("E" | "X", Figure::Exact(exact), true) =
            (mark.as_str(), figure, value.parse::<i128>().is_ok())
        {
            assert_eq!(exact.reduced().denominator(), 1, "{name} is a count");
        }
    }
    for [name, value, truth, source, reason] in &wrong {
        let figure = figures.get(name);
        assert!(
            !agrees(figure, value),
            "{name}: {value} of {source} holds after all; it was thought wrong: {reason}"
        );
        assert!(agrees(figure, truth), "{name}: {truth} expected, the lab says {figure:?}");
    }
    assert!(180 <= rows.len() && not_counted.iter().flatten().all(|text| !text.is_empty()));
}

/// Both later wagers are made a little under half of the time (casinosite.net/?p=882).
#[test]
fn turn_and_river_bets() {
    let exact = answer(HOLDEM, &[]);
    let decisions = &exact.decisions;
    for deals in [decisions.turn_bet_deals, decisions.river_bet_deals] {
        let deals = deals.expect("hold'em has both wagers");
        let share = Fraction::new(deals.into(), exact.deals - decisions.fold_deals);
        assert!(Fraction::new(45, 100) < share && share < Fraction::new(1, 2), "{share}");
    }
}

/// Why 3.500839 was published: the folds are left out, and level decisions bet.
///
/// To bet where the decision is level adds between nothing and eleven to the square of each such deal: from four
/// wagers and the Ante to five.
#[test]
fn standard_deviation_without_folds() {
    let exact = answer(HOLDEM, &[]);
    let fold_deals = exact.decisions.fold_deals;
    let river_level_deals = exact.decisions.river_level_deals.expect("hold'em has a River wager");
    let mean = exact.base.net;
    let least = exact.base.second_moment.minus(Fraction::new(fold_deals.into(), exact.deals));
    let most = least.plus(Fraction::new(11 * i128::from(river_level_deals), exact.deals));
    let deviation = |second: Fraction| (second.value() - mean.value() * mean.value()).sqrt();
    assert!(
        (deviation(least)..deviation(most)).contains(&3.500_839),
        "{} {}",
        deviation(least),
        deviation(most)
    );
}

/// Rounding is exact, halves included.
#[test]
fn rounding() {
    let round = |above, below, decimals| rounded(Fraction::over(above, below), decimals);
    assert_eq!(round(1, 3, 4), "0.3333");
    assert_eq!(round(-2, 3, 2), "-0.67");
    assert_eq!(round(5, 2, 0), "3");
    assert_eq!(round(-1, 1000, 2), "0.00");
}
