//! How far actual results stray from expected ones.

use super::game::variance;
use super::session::Session;
use super::sheet::{Cell, Section, Show, Table, text};
use crate::exact::{Exact, Fraction};

pub(super) const CONFIDENCES: [(u8, f64); 3] =
    [(90, 1.644_853_626_951_472_7), (95, 1.959_963_984_540_054), (99, 2.575_829_303_548_900_4)];

/// Numbers of rounds, as powers of ten.
pub(super) const POWERS: std::ops::RangeInclusive<u32> = 3..=8;

/// Variance, volatility index, and confidence bounds on the actual return.
pub(super) fn section(exact: &Exact) -> Section {
    let base = &exact.base;
    let deviation = base.standard_deviation;
    let mut figures = Table::new("volatility", "", &[("figure", "figure"), ("value", "value")]);
    for (name, cell) in [
        ("Return of an Ante", Cell::Exact(Fraction::whole(1).plus(base.net), Show::Percent(6))),
        (
            "Variance of a round, in Antes squared",
            Cell::Exact(variance(base.net, base.second_moment), Show::Number(9)),
        ),
        ("Standard deviation of a round, in Antes", Cell::Rounded(deviation, Show::Number(9))),
        (
            "Standard deviation, of the average wager",
            Cell::Rounded(deviation / base.average_wager, Show::Number(9)),
        ),
        (
            "Volatility index, 90 % (1.645 standard deviations)",
            Cell::Rounded(CONFIDENCES[0].1 * deviation, Show::Number(9)),
        ),
    ] {
        figures.row(vec![text(name), cell]);
    }
    let says = "The return of an Ante is the Ante itself and the net. Over n rounds it lies within the bounds below with the \
                confidence named: expected return ± quantile × standard deviation / √n. Bounds are normal approximations; \
                expected return and variance are exact.";
    let tables = vec![figures, bounds(base.net.value(), deviation)];
    Section { id: "volatility", title: "Volatility", text: vec![says.to_owned()], tables, plots: Vec::new() }
}

fn bounds(net: f64, deviation: f64) -> Table {
    let columns = [
        ("rounds", "rounds"),
        ("low_90", "90 % low"),
        ("high_90", "90 % high"),
        ("low_95", "95 % low"),
        ("high_95", "95 % high"),
        ("low_99", "99 % low"),
        ("high_99", "99 % high"),
    ];
    let mut table = Table::new("confidence", "Confidence bounds on the actual return of an Ante", &columns);
    for power in POWERS {
        let rounds = 10_u64.pow(power);
        let mut cells = vec![Cell::Whole(rounds.into())];
        for (_, quantile) in CONFIDENCES {
            let half = quantile * deviation / f64::from(10_u32.pow(power)).sqrt();
            cells.extend([-half, half].map(|by| Cell::Rounded(1.0 + net + by, Show::Percent(3))));
        }
        table.row(cells);
    }
    table
}

/// What sessions come to.
pub(super) fn sessions(exact: &Exact, sessions: &[Session]) -> Section {
    let columns = [
        ("rounds", "rounds"),
        ("mean", "mean"),
        ("deviation", "standard deviation"),
        ("ahead", "ahead"),
        ("level", "level"),
        ("p5", "5 %"),
        ("p25", "25 %"),
        ("p50", "50 %"),
        ("p75", "75 %"),
        ("p95", "95 %"),
    ];
    let mut table = Table::new("sessions", "", &columns);
    for session in sessions {
        let rounds = f64::from(session.rounds);
        let mut cells = vec![
            Cell::Whole(session.rounds.into()),
            Cell::Exact(exact.base.net.times(Fraction::whole(session.rounds)), Show::Signed(3)),
            Cell::Rounded(exact.base.standard_deviation * rounds.sqrt(), Show::Number(3)),
            Cell::Rounded(session.chance(|result| 0 < result), Show::Percent(2)),
            Cell::Rounded(session.chance(|result| result == 0), Show::Percent(2)),
        ];
        let percentile = |chance| Cell::Exact(Fraction::whole(session.percentile(chance)), Show::Signed(0));
        cells.extend([0.05, 0.25, 0.5, 0.75, 0.95].map(percentile));
        table.row(cells);
    }
    let says = "What a session of so many rounds brings, in Antes: the outcome table convolved with itself round by round, not \
                a normal approximation. So many per cent of sessions end at or below the results in the last columns.";
    Section {
        id: "sessions",
        title: "Sessions",
        text: vec![says.to_owned()],
        tables: vec![table],
        plots: Vec::new(),
    }
}
