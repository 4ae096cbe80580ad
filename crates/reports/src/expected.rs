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

use crate::totals::TableTotals;

/// The quantile of the 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// How much the results of two positions of one round have in common: all play against one Dealer, and in hold'em with one
/// board. Measured by the simulator, with six positions; see docs/reports.md.
const CORRELATION_HOLDEM: f64 = 0.32;
const CORRELATION_STUD: f64 = 0.10;

/// How much the results of two positions of one round of a book have in common.
pub(crate) fn correlation(book: &Rulebook) -> f64 {
    let is_stud = book.multiple_of_ante(PlayingArea::Bet).is_some();
    if is_stud { CORRELATION_STUD } else { CORRELATION_HOLDEM }
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
    books: BTreeMap<String, Option<(Exact, f64)>>,
}

impl Expectations {
    /// What was expected of a table's totals under a book; `None` where the lab does not count its game.
    pub fn of(&mut self, library: &Library, book: &str, totals: &TableTotals) -> Option<Expected> {
        if !self.books.contains_key(book) {
            let counted = library.get(book).and_then(|(book, _)| {
                let exact = self.lab.exact(book, &Question::default()).ok()?;
                Some((exact, correlation(book)))
            });
            self.books.insert(book.to_owned(), counted);
        }
        let (exact, correlation) = self.books.get(book)?.as_ref()?;
        let base = exact.base;
        let squares = totals.antes.squares as f64 + 2.0 * correlation * totals.antes.pairs as f64;
        let (mut win, mut deviation) =
            (-base.net.value() * totals.antes.sum as f64, base.standard_deviation * squares.sqrt());
        if let Some(bonus) = &exact.bonus {
            win -= bonus.net.value() * totals.bonuses.sum as f64;
            // How Ante and Bonus of one hand go together is not known: at most, they move as one.
            deviation += bonus.standard_deviation * (totals.bonuses.squares as f64).sqrt();
        }
        Some(Expected { win, deviation })
    }
}
