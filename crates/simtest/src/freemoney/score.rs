//! What a policy won, against the exact value of perfect play with the same wagers.

use std::fmt;

use lab::exact::Exact;
use rulebook::Pays;

use super::play::{ANTE_CENTS, BONUS_CENTS, Game, JACKPOT_CENTS, METER_CENTS, Played, Wagered};

/// The rounds of a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Rounds compared.
    pub rounds: u64,
    /// Rounds with a power failure, in which the rules let Players withdraw (5.16.1). They are not compared.
    pub failures: u64,
    /// What they won, in Antes.
    pub won_in_failures: f64,
    /// The Antes placed.
    antes: f64,
    /// What was won beyond the exact value, in Antes: the sum, and that of the squares.
    gain: f64,
    squares: f64,
    /// The sum of the exact variances of perfect play.
    variance: f64,
}

impl Score {
    pub(super) fn add(&mut self, game: &Game, played: &Played) {
        let won = in_antes(played.net_cents);
        if played.fails {
            self.failures += 1;
            self.won_in_failures += won;
            return;
        }
        let gain = won - value(&game.exact, played.wagered);
        let deviation = deviation(&game.exact, played.wagered);
        self.rounds += 1;
        self.antes += antes(played.wagered);
        self.gain += gain;
        self.squares += gain * gain;
        self.variance += deviation * deviation;
    }

    pub(super) fn plus(self, other: &Score) -> Score {
        Score {
            rounds: self.rounds + other.rounds,
            failures: self.failures + other.failures,
            won_in_failures: self.won_in_failures + other.won_in_failures,
            antes: self.antes + other.antes,
            gain: self.gain + other.gain,
            squares: self.squares + other.squares,
            variance: self.variance + other.variance,
        }
    }

    /// What was won beyond the exact value of perfect play, of each Ante.
    pub fn gain_per_ante(&self) -> f64 {
        self.gain / self.antes.max(1.0)
    }

    /// Its standard error: from the exact variance of perfect play, or from the measured one where a policy plays wilder
    /// than that.
    pub fn standard_error(&self) -> f64 {
        self.variance.max(self.squares).sqrt() / self.antes.max(1.0)
    }

    /// The gain in standard errors.
    pub fn deviations(&self) -> f64 {
        if self.rounds == 0 { 0.0 } else { self.gain_per_ante() / self.standard_error() }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>11} rounds {:>+10.5} ± {:.5}, {:>+8.2} standard errors",
            self.rounds,
            self.gain_per_ante(),
            self.standard_error(),
            self.deviations()
        )?;
        if 0 < self.failures {
            #[expect(clippy::cast_precision_loss, reason = "a mean for reading")]
            let mean = self.won_in_failures / self.failures as f64;
            write!(f, "; {} power failures won {mean:+.4} each (5.16.1)", self.failures)?;
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a round wins far less than 2^52 cents")]
fn in_antes(cents: i64) -> f64 {
    cents as f64 / ANTE_CENTS as f64
}

#[expect(clippy::cast_precision_loss, reason = "a wager is far less than 2^52 cents")]
fn of_ante(cents: u64) -> f64 {
    cents as f64 / ANTE_CENTS as f64
}

#[expect(clippy::cast_precision_loss, reason = "there are at most six")]
fn antes(wagered: Wagered) -> f64 {
    wagered.antes as f64
}

/// What perfect play wins, in Antes. No fold of perfect play loses a Bonus that would have been paid, so the Bonus adds
/// its own value.
fn value(exact: &Exact, wagered: Wagered) -> f64 {
    let base = exact.base.net.value();
    let first = match (&exact.combined, wagered.jackpot) {
        (Some(combined), true) => combined.net.value() / of_cents(ANTE_CENTS),
        (Some(_) | None, _) => base,
    };
    let bonus = exact.bonus.as_ref().filter(|_| wagered.bonus);
    let bonus = bonus.map_or(0.0, |bonus| bonus.net.value() * of_ante(BONUS_CENTS));
    first + bonus + base * (antes(wagered) - 1.0)
}

/// A bound of the standard deviation of perfect play, in Antes: the deviations of all wagers together, as if they were
/// won and lost together.
fn deviation(exact: &Exact, wagered: Wagered) -> f64 {
    let bonus = exact.bonus.as_ref().filter(|_| wagered.bonus);
    let bonus = bonus.map_or(0.0, |bonus| bonus.standard_deviation * of_ante(BONUS_CENTS));
    let jackpot = if wagered.jackpot { jackpot_deviation(exact) } else { 0.0 };
    exact.base.standard_deviation * antes(wagered) + bonus + jackpot
}

fn jackpot_deviation(exact: &Exact) -> f64 {
    let wager = of_ante(JACKPOT_CENTS);
    let award = |pays: Pays| match pays {
        Pays::Share(percent) => f64::from(percent.value()) / 100.0 * of_ante(METER_CENTS),
        Pays::Odds(money::Odds::To(times)) => (f64::from(times) + 1.0) * wager,
        Pays::Odds(money::Odds::For(times)) => f64::from(times) * wager,
        Pays::Fixed(amount) => of_ante(amount.cents()),
    };
    let square = |pays: Pays| award(pays) * award(pays);
    let lines = exact.jackpot.lines.iter();
    lines.map(|line| square(line.pays) * of_cents(line.deals) / of_cents(exact.deals)).sum::<f64>().sqrt()
}

#[expect(clippy::cast_precision_loss, reason = "deals are below 2^46")]
fn of_cents(number: u64) -> f64 {
    number as f64
}
