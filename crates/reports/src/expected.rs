//! What the house should have won: the exact mean and variance of the lab for every wager that was made, and the 95 % interval
//! of their sum.
#![expect(
    clippy::cast_precision_loss,
    reason = "an interval is for reading; what it is compared with is whole cents"
)]
#![expect(clippy::as_conversions, reason = "there is no other way from a whole number to a float")]

use std::collections::BTreeMap;

use floor::Library;
use lab::exact::{Exact, Lab, Question};
use rulebook::{PlayingArea, Rulebook};

use crate::covariance::{BonusTogether, Together, together};
use crate::totals::TableTotals;

/// The quantile of the 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The correlation of two positions of a round of stud, who play against one Dealer: measured by the simulator, and so much
/// raised that the interval is not too narrow. It is not counted; see docs/reports.md.
const CORRELATION_STUD: f64 = 0.12;

/// What is taken for a hold'em book that pays otherwise than the lab has counted.
const CORRELATION_HOLDEM: f64 = 0.32;

/// How the results of the positions of one round vary together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// The covariance of the Antes of two positions, in squares of an Ante.
    antes: f64,
    bonus: Option<BonusTogether>,
}

impl Spread {
    fn of(book: &Rulebook, exact: &Exact) -> Spread {
        if let Some(Together { antes, bonus }) = together(book) {
            return Spread { antes, bonus };
        }
        let is_stud = book.multiple_of_ante(PlayingArea::Bet).is_some();
        let correlation = if is_stud { CORRELATION_STUD } else { CORRELATION_HOLDEM };
        Spread { antes: correlation * exact.base.standard_deviation.powi(2), bonus: None }
    }
}

/// How much the Antes of two positions of one round of a book have in common.
pub(crate) fn correlation(book: &Rulebook, exact: &Exact) -> f64 {
    Spread::of(book, exact).antes / exact.base.standard_deviation.powi(2)
}

/// An expectation in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// What the house should win if everybody plays perfectly.
    pub win: f64,
    /// The standard deviation.
    pub deviation: f64,
}

impl Expected {
    /// The 95 % interval, in whole cents.
    pub fn interval(self) -> (i64, i64) {
        let half = QUANTILE * self.deviation;
        (cents((self.win - half).floor()), cents((self.win + half).ceil()))
    }

    /// The mean in whole cents.
    pub fn cents(self) -> i64 {
        cents(self.win.round())
    }

    /// The sum of independent results, such as those of two tables.
    pub fn plus(self, other: Expected) -> Expected {
        Expected { win: self.win + other.win, deviation: self.deviation.hypot(other.deviation) }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "far below 2 to the 63rd cents, and a float saturates")]
const fn cents(amount: f64) -> i64 {
    amount as i64
}

/// The figures of the books, each counted once.
#[derive(Default)]
pub struct Expectations {
    lab: Lab,
    books: BTreeMap<String, Option<(Exact, Spread)>>,
}

impl Expectations {
    /// What was expected of a table's totals under a book; `None` where the lab does not count its game.
    pub fn of(&mut self, library: &Library, book: &str, totals: &TableTotals) -> Option<Expected> {
        if !self.books.contains_key(book) {
            let counted = library.get(book).and_then(|(book, _)| {
                let exact = self.lab.exact(book, &Question::default()).ok()?;
                let spread = Spread::of(book, &exact);
                Some((exact, spread))
            });
            self.books.insert(book.to_owned(), counted);
        }
        let (exact, spread) = self.books.get(book)?.as_ref()?;
        Some(expected(exact, *spread, totals))
    }
}

fn expected(exact: &Exact, spread: Spread, totals: &TableTotals) -> Expected {
    let (antes, bonuses) = (totals.antes, totals.bonuses);
    let mut win = -exact.base.net.value() * antes.sum as f64;
    let of_antes = exact.base.standard_deviation.powi(2) * antes.squares as f64
        + 2.0 * spread.antes * antes.pairs as f64;
    let Some(bonus) = &exact.bonus else {
        return Expected { win, deviation: of_antes.sqrt() };
    };
    win -= bonus.net.value() * bonuses.sum as f64;
    let squares = bonus.standard_deviation.powi(2) * bonuses.squares as f64;
    let deviation = match spread.bonus {
        Some(together) => {
            let of_bonuses = squares + 2.0 * together.bonuses * bonuses.pairs as f64;
            let both =
                together.own_ante * totals.both.own as f64 + together.other_ante * totals.both.others as f64;
            (of_antes + of_bonuses + 2.0 * both).sqrt()
        }
        // How Ante and Bonus go together is not counted: at most, they move as one.
        None => of_antes.sqrt() + squares.sqrt(),
    };
    Expected { win, deviation }
}
