//! Whole cents, odds, percentages, and the fine money of a jackpot's pool. Knows no game.
//!
//! Nothing here rounds silently: a division hands back its remainder, and every operation that could overflow says
//! so. There are no operators, so a reader sees each place where money is added or taken.
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
