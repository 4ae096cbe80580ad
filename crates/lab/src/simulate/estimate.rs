//! An estimate: mean, standard error, interval, and the exact value beside it.

use serde::Serialize;

use super::tally::Moments;
use crate::exact::Fraction;

/// The mean of something over hands, from rounds of one or several hands each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EstimateAnswer))]
pub struct Estimate {
    pub mean: f64,
    /// Its standard error. Hands of one round share cards, so it goes by what rounds came to.
    pub standard_error: f64,
    /// The interval that covers the true value in 95 of 100 simulations.
    pub interval: [f64; 2],
    /// The exact value, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Fraction>,
    /// The exact value for reading, or an expectation that depends on how the meter went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// How many standard errors the mean lies above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors_above: Option<f64>,
}

/// The standard normal's 97.5 % point.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// How many rounds and hands an estimate is over, and what one unit of it is.
#[derive(Clone, Copy)]
pub(super) struct Over {
    pub(super) rounds: u64,
    pub(super) players: u8,
    pub(super) unit: f64,
}

#[expect(clippy::cast_precision_loss, reason = "estimates; the sums they are made from are whole numbers")]
impl Over {
    pub(super) fn hands(self) -> f64 {
        self.rounds as f64 * f64::from(self.players)
    }

    /// The mean of an amount a hand.
    pub(super) fn estimate(self, moments: Moments) -> Estimate {
        let (rounds, players) = (self.rounds as f64, f64::from(self.players));
        let of_round = moments.sum as f64 / rounds;
        let variance = if self.rounds < 2 {
            0.0
        } else {
            // Exact up to here: the squares of the deviations, times the rounds.
            let rest = moments.squares as f64 - moments.sum as f64 * of_round;
            rest.max(0.0) / (rounds - 1.0)
        };
        let mean = of_round / players / self.unit;
        let standard_error = (variance / rounds).sqrt() / players / self.unit;
        let half = NORMAL_95 * standard_error;
        Estimate {
            mean,
            standard_error,
            interval: [mean - half, mean + half],
            exact: None,
            expected: None,
            errors_above: None,
        }
    }
}

impl Estimate {
    /// With the exact value beside it. `deviation` is the exact standard deviation of a single hand: for rounds with
    /// one hand it gives a better standard error than the rounds do, above all where the event is rare.
    pub(super) fn beside(self, over: Over, exact: Fraction, deviation: Option<f64>) -> Estimate {
        let from_exact = deviation.map_or(0.0, |deviation| deviation / over.hands().sqrt());
        let error = if over.players == 1 && deviation.is_some() {
            from_exact
        } else {
            from_exact.max(self.standard_error)
        };
        Estimate { exact: Some(exact), ..self.beside_expected(exact.value(), error) }
    }

    /// With an expectation beside it, and the standard error to compare by.
    pub(super) fn beside_expected(self, expected: f64, error: f64) -> Estimate {
        let above = self.mean - expected;
        let errors_above = if error > 0.0 { above / error } else { 0.0 };
        // Without any error to compare by, what is not the exact value is infinitely far from it.
        let errors_above =
            if error == 0.0 && above.abs() > 1e-9 { f64::INFINITY.copysign(above) } else { errors_above };
        Estimate { expected: Some(expected), errors_above: Some(errors_above), ..self }
    }

    /// With the frequency of an event beside it: in so many of all deals.
    pub(super) fn beside_deals(self, over: Over, deals: u64, all: u64) -> Estimate {
        let exact = Fraction::new(deals.into(), all);
        let chance = exact.value();
        self.beside(over, exact, Some((chance * (1.0 - chance)).sqrt()))
    }
}
