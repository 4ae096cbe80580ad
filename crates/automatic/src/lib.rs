//! Tables without staff: the automatic dealer, the house's own Players, and the floor that shows itself.
//!
//! [`Dealer`] and [`HousePlayer`] are pure: given a table and how long it has stood as it stands, they say what to do now
//! or when to be asked again. Neither knows a rule: whether something may be done is asked of the round. [`Schedule`]
//! keeps the time of many tables without looking at any before its time; [`Conductor`] is the thread that runs one.
//! [`demonstration`] is the floor a new house can begin with.
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
mod schedule;
mod serving;

pub use conductor::{Conductor, Reply};
pub use dealer::{Act, Dealer, Standing};
pub use demonstration::{HOUSE_NAME, company, demonstration};
pub use pace::Pace;
pub use player::{HousePlayer, Strategy};
pub use schedule::{Outcome, PendingCommand, Schedule};
pub use serving::ConductedNode;
