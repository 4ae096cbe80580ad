//! The whole game under perfect play, as exact numbers.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let books = rulebook::embedded();
//! let lab = lab::exact::Lab::new();
//! let exact = lab.exact(&books[0], &lab::exact::Question::default())?;
//! assert_eq!(exact.base.net.denominator(), 55_627_620_048_000);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Lab`] keeps what it has counted, so a second question, another pay table or another meter is weights on the
//! same counts. Everything in [`Exact`] is an integer or a [`Fraction`]; floats are views for reading.
//!
//! One player is counted. What several winners at a table do to a shared award (3.15) depends on who else sits there
//! and is outside; shares of the meter are taken exactly, before an award is rounded down to the cent.

mod answer;
pub(crate) mod five_cards;
mod fraction;
pub(crate) mod jackpot;
pub(crate) mod pays;
mod question;

pub use answer::{
    Action, AfterFolds, Asked, Base, Bonus, BonusRow, Combined, CombinedAfterFolds, Decisions, Ending,
    EveryWager, Exact, FixedReturn, HoleCards, Jackpot, JackpotRow, Multiple, OutcomeRow, PaidTogether,
    ReadingValue, SilenceWorth, StrategyRow, UpCard,
};
pub(crate) use answer::{as_text, as_text_option};
pub use fraction::Fraction;
pub(crate) use jackpot::combined;
pub(crate) use question::not_counted;
pub use question::{LabError, Question};

pub use crate::game::Lab;
