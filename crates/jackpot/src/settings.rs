//! The settings of a link. Nothing here has a default: the rulebooks give none of these figures.

use money::{Money, Overflow, Pool, Rate};
use rulebook::{Clause, R3_5_3, Rulebook};
use serde::{Deserialize, Serialize};

/// The figures of a link, as proposed and not yet checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LinkSettings))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The minimum Jackpot wager (3.5.3), in cents.
    pub minimum_wager: Money,
    /// How much of a wager goes to the meter, in basis points.
    #[serde(rename = "contribution_bps")]
    pub contribution: Rate,
    /// The amount from which the meter restarts.
    pub reset: Money,
    /// How much of a wager goes to the reserve that funds the next reset, if there is a reserve.
    #[serde(rename = "reserve_bps", default, skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Rate>,
    /// The highest meter that contributions can reach, if there is a cap; the excess is kept as overflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<Money>,
    /// The most that one round can plausibly contribute to meter and reserve together. More is treated as a
    /// fault.
    pub round_contribution_max: Pool,
}

/// Checked settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = Parameters))]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Settings(Parameters);

/// Why settings were rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct SettingsError {
    /// The field that is wrong.
    pub field: &'static str,
    /// What is wrong with it and what is allowed.
    pub reason: &'static str,
}

/// A limit on a round's contribution that would refuse a round played by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The most a round contributes must be at least {least}: a full table can contribute that much with these settings."
)]
pub struct BoundTooLow {
    /// The least limit that works, in whole cents.
    pub least: Money,
    /// The clause that allows such wagers.
    pub clause: Clause,
}

impl TryFrom<Parameters> for Settings {
    type Error = SettingsError;

    fn try_from(proposed: Parameters) -> Result<Settings, SettingsError> {
        Settings::new(proposed)
    }
}

impl From<Settings> for Parameters {
    fn from(settings: Settings) -> Parameters {
        settings.0
    }
}

impl Settings {
    /// Checks proposed figures.
    pub fn new(proposed: Parameters) -> Result<Settings, SettingsError> {
        match fault(&proposed) {
            None => Ok(Settings(proposed)),
            Some((field, reason)) => Err(SettingsError { field, reason }),
        }
    }

    /// The checked figures.
    pub const fn parameters(&self) -> &Parameters {
        &self.0
    }

    /// Refuses a limit on a round's contribution that a full table of one of these books can exceed, because its
    /// rounds could not be entered. Call it before a link opens and before its settings change. A link does not
    /// check it itself, so that older logs with lower limits can still be replayed.
    pub fn check_bound<'a>(&self, books: impl IntoIterator<Item = &'a Rulebook>) -> Result<(), BoundTooLow> {
        let full_rounds = books.into_iter().map(|book| (self.full_round(book), book.clause(R3_5_3)));
        match full_rounds.max_by_key(|(most, _)| *most) {
            Some((most, clause)) if self.0.round_contribution_max < most => {
                Err(BoundTooLow { least: rounded_up_to_cents(most), clause })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The contribution of a round in which every position wagers the most the book allows. If that overflows,
    /// the largest amount: as a limit it lets every possible amount pass.
    fn full_round(&self, book: &Rulebook) -> Pool {
        const LARGEST: Pool = Pool::from_ten_thousandths(u64::MAX);
        let minimums = u64::from(most_positions(book)).saturating_mul((*book.jackpot.multiples.end()).into());
        let parts = self.0.minimum_wager.times(minimums).and_then(|wagered| self.contribution(wagered));
        parts.and_then(|(meter, reserve)| meter.plus(reserve)).unwrap_or(LARGEST)
    }

    /// The cap in ten-thousandths of a cent.
    pub(crate) fn cap(&self) -> Option<Pool> {
        self.0.cap.map(|cap| Pool::try_from(cap).expect("settings are checked to fit a pool"))
    }

    /// What wagers of `wagered` in total contribute to the meter and to the reserve.
    pub(crate) fn contribution(&self, wagered: Money) -> Result<(Pool, Pool), Overflow> {
        let reserve = self.0.reserve.unwrap_or_default();
        Ok((Pool::contribution(wagered, self.0.contribution)?, Pool::contribution(wagered, reserve)?))
    }
}

/// The largest number of positions on a layout of a book.
pub(crate) fn most_positions(book: &Rulebook) -> u8 {
    book.layouts.iter().map(|layout| *layout.positions.end()).max().unwrap_or(0)
}

/// The amount, rounded up to whole cents.
fn rounded_up_to_cents(amount: Pool) -> Money {
    let begun = Money::from_cents(u64::from(0 < amount.fraction()));
    amount.displayed().plus(begun).expect("a pool has fewer cents than can be counted")
}

/// The first error in proposed figures.
fn fault(proposed: &Parameters) -> Option<(&'static str, &'static str)> {
    const WHOLE_WAGER: u64 = 10_000;
    let reserve = u64::from(proposed.reserve.unwrap_or_default());
    let rates = u64::from(proposed.contribution).saturating_add(reserve);
    let one_wager = Settings(*proposed).contribution(proposed.minimum_wager);
    if proposed.minimum_wager.is_zero() {
        return Some(("minimum_wager", "must be more than zero"));
    }
    if WHOLE_WAGER < rates {
        return Some(("reserve", "together with the contribution it must not exceed the whole wager"));
    }
    if proposed.reset.is_zero() {
        return Some(("reset", "must be more than zero"));
    }
    if Pool::try_from(proposed.reset).is_err() {
        return Some(("reset", "is larger than this system can store"));
    }
    if proposed.cap.is_some_and(|cap| cap < proposed.reset) {
        return Some(("cap", "must be at least the reset amount"));
    }
    if proposed.cap.is_some_and(|cap| Pool::try_from(cap).is_err()) {
        return Some(("cap", "is larger than this system can store"));
    }
    match one_wager.and_then(|(meter, reserve)| meter.plus(reserve)) {
        Err(Overflow) => Some(("minimum_wager", "is larger than this system can store")),
        Ok(least) if proposed.round_contribution_max < least => {
            Some(("round_contribution_max", "must allow at least one minimum wager"))
        }
        Ok(_) => None,
    }
}
