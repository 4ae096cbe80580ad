//! Whole cents, odds, percentages, and a jackpot pool's fractions of a cent. Knows no game.
//!
//! Nothing here rounds silently: a division returns its remainder, and every operation that can overflow returns
//! an error. There are no operators, so a reader sees each place where money is added or subtracted.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

mod cents;
mod odds;
mod pool;

pub use cents::{Money, Overflow};
pub use odds::{Odds, Percent, PercentError, Rate};
pub use pool::Pool;
