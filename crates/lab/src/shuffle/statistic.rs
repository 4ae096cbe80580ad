//! From counts to a statistic with its p-value.

use super::CARDS;
use super::special::{binomial_both, chi_square, least_of, normal_both, poisson_both, real};

/// The least count that is expected in a cell. Rarer values share a cell.
const EXPECTED_MIN: f64 = 50.0;

/// A statistic and how likely a fair shuffle gives one that is as far off.
#[derive(Clone, Debug)]
pub(super) struct Statistic {
    /// What it is, such as `chi-square`.
    pub(super) kind: &'static str,
    pub(super) value: f64,
    pub(super) freedom: Option<f64>,
    pub(super) p: f64,
    /// Where it comes from, if it is the worst of several.
    pub(super) detail: Option<String>,
}

impl Statistic {
    pub(super) fn chi_square(value: f64, freedom: f64) -> Statistic {
        let p = chi_square(value, freedom);
        Statistic { kind: "chi-square", value, freedom: Some(freedom), p, detail: None }
    }

    /// Standard deviations from the expected value.
    pub(super) fn normal(value: f64) -> Statistic {
        Statistic { kind: "deviation", value, freedom: None, p: normal_both(value), detail: None }
    }

    /// A count of rare events.
    pub(super) fn poisson(count: u64, mean: f64) -> Statistic {
        let detail = Some(format!("{mean:.4} expected"));
        Statistic { kind: "count", value: real(count), freedom: None, p: poisson_both(count, mean), detail }
    }

    /// The most unlikely of several, which are independent or nearly so. The p-value is that of the least of so many.
    pub(super) fn worst(of: Vec<(String, Statistic)>) -> Option<Statistic> {
        let count = u32::try_from(of.len()).expect("a few statistics");
        let (name, worst) = of.into_iter().min_by(|(_, one), (_, other)| one.p.total_cmp(&other.p))?;
        let detail = Some(format!("the worst of {count}: {name}"));
        Some(Statistic { p: least_of(worst.p, count), detail, ..worst })
    }
}

/// Chi-square of counts by value against the exact chances. Neighbouring values share a cell until enough are
/// expected. None if too few are counted for two cells.
pub(super) fn against(counts: &[u64], chances: &[f64]) -> Option<Statistic> {
    let total = real(counts.iter().sum());
    let mut cells: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    for (count, chance) in counts.iter().zip(chances) {
        if cells.last().is_some_and(|cell| EXPECTED_MIN <= cell.1) {
            cells.push((0.0, 0.0));
        }
        let cell = cells.last_mut()?;
        *cell = (cell.0 + real(*count), cell.1 + total * chance);
    }
    let rest = cells.pop_if(|cell| cell.1 < EXPECTED_MIN).unwrap_or_default();
    let last = cells.last_mut()?;
    *last = (last.0 + rest.0, last.1 + rest.1);
    if cells.len() < 2 {
        return None;
    }
    let sum = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    Some(Statistic::chi_square(sum, real(cells.len() as u64) - 1.0))
}

/// Chi-square of counts that are all equally likely.
pub(super) fn even(counts: &[u64]) -> Statistic {
    let (total, cells) = (real(counts.iter().sum()), real(counts.len() as u64));
    let expected = total / cells;
    let sum = counts.iter().map(|count| (real(*count) - expected).powi(2) / expected).sum();
    Statistic::chi_square(sum, cells - 1.0)
}

/// Card by place over `decks` decks. A deck has each card once and each place once, so the cells depend on each
/// other: the sum over them is expected to be 52 x 51, not 51 x 51, and is scaled to that.
pub(super) fn frequency(cells: &[u64], decks: u64) -> Statistic {
    let expected = real(decks) / 52.0;
    let sum: f64 = cells.iter().map(|count| (real(*count) - expected).powi(2) / expected).sum();
    Statistic::chi_square(sum * 51.0 / 52.0, 51.0 * 51.0)
}

/// The cell of card by place that is farthest from its expected count. It finds one card that prefers one place,
/// which the sum over all cells hides.
pub(super) fn farthest_cell(
    cells: &[u64],
    decks: u64,
    name: impl Fn(usize, usize) -> String,
) -> Option<Statistic> {
    let chance = 1.0 / 52.0;
    let most = cells.iter().enumerate().max_by_key(|(_, count)| **count)?;
    let least = cells.iter().enumerate().min_by_key(|(_, count)| **count)?;
    let (p, cell, count) = [most, least]
        .map(|(cell, count)| (binomial_both(*count, decks, chance), cell, *count))
        .into_iter()
        .min_by(|one, other| one.0.total_cmp(&other.0))?;
    let expected = real(decks) * chance;
    let detail = format!("{}: {count} times, {expected:.1} expected", name(cell / CARDS, cell % CARDS));
    Some(Statistic {
        kind: "deviation",
        value: (real(count) - expected) / (expected * (1.0 - chance)).sqrt(),
        freedom: None,
        p: least_of(p, 52 * 52),
        detail: Some(detail),
    })
}

/// Part of a table of ordered pairs that depends on two cards together, and not on each alone.
///
/// A relabelling of the cards turns one deck's table into another's, and each of the two parts is irreducible under
/// relabelling. So over fair decks the sum of its squares, divided by its expected value, is a chi-square with as
/// many degrees of freedom as the part has dimensions, and the expected value is that of any single deck.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Which two are together, in either order: n(n-3)/2 dimensions.
    Together,
    /// Which of the two comes first: (n-1)(n-2)/2 dimensions.
    Direction,
}

impl Part {
    fn dimensions(self) -> f64 {
        match self {
            Part::Together => 52.0 * 49.0 / 2.0,
            Part::Direction => 51.0 * 50.0 / 2.0,
        }
    }

    /// The sum of squares of this part of a table.
    fn squares(self, table: &[f64]) -> f64 {
        let at = |one: usize, other: usize| table[one * CARDS + other];
        let value = |one: usize, other: usize| match self {
            Part::Together => at(one, other) + at(other, one),
            Part::Direction => at(one, other) - at(other, one),
        };
        let alone: Vec<f64> = (0..CARDS)
            .map(|one| (0..CARDS).filter(|other| *other != one).map(|other| value(one, other)).sum())
            .collect();
        let total: f64 = alone.iter().sum();
        let mut squares = 0.0;
        for one in 0..CARDS {
            for other in one + 1..CARDS {
                let explained = match self {
                    Part::Together => (alone[one] + alone[other]) / 50.0 - total / (51.0 * 50.0),
                    Part::Direction => (alone[one] - alone[other]) / 52.0,
                };
                squares += (value(one, other) - explained).powi(2);
            }
        }
        squares
    }

    /// The statistic of the sum of `decks` tables, of which `single` is one.
    pub(super) fn statistic(self, sum: &[f64], single: &[f64], decks: u64) -> Statistic {
        let expected = real(decks) * self.squares(single) / self.dimensions();
        Statistic::chi_square(self.squares(sum) / expected, self.dimensions())
    }
}
