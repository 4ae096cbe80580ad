//! Tables without staff: the automatic dealer, the house players, and the demonstration floor.
//!
//! [`Dealer`] and [`HousePlayer`] are pure: from a table and how long it has been in its state, they decide what
//! to do now or when to check again. Neither knows a rule: the round says what is allowed. [`Schedule`] keeps the
//! timers of many tables and looks at a table only when its time has come; [`Conductor`] is the thread that runs
//! a schedule. [`demonstration`] is a floor that a new house can start with.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

mod chart;
mod conductor;
mod dealer;
mod demonstration;
mod naming;
mod pace;
mod perfect;
mod player;
mod practice;
mod schedule;
mod serving;

pub use conductor::{Conductor, Reply};
pub use dealer::{Act, Dealer, TimerState, on_silence};
pub use demonstration::{HOUSE_NAME, demonstration, house_players};
pub use pace::Pace;
pub use player::{HousePlayer, Strategy};
pub use practice::{PRACTICE_HOUSE, SHOE, SUPERVISOR, TRAINER, practice_floor, practice_table};
pub use schedule::{Outcome, PendingCommand, Schedule};
pub use serving::ConductedNode;
