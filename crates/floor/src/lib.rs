//! A casino floor at work: tables, links, people and the journal. Knows no HTTP.
//!
//! A [`Floor`] is the fold of the journal's streams: the house, every table with its round, every link with its meter.
//! It takes a [`Command`] from an actor and answers with what happened, or with a [`Refusal`] that says why and under
//! which clause. `decide` asks the round and the link for their rules and adds who may, whose money, and where the
//! cards come from; `evolve` writes. Both are pure: chance, balances and sealed seeds come in through a [`DecideContext`].
//! `node` makes it durable: it gathers commands, decides them, writes them in one transaction, and only then answers.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

pub mod audit;
mod carried;
pub mod check;
pub mod day;
pub mod dealing;
mod decide;
mod desk;
mod floor;
mod house;
mod library;
mod moves;
pub mod node;
pub mod past;
pub mod permissions;
mod refusal;
mod rules;
mod shared;
mod streams;
mod table;
pub mod view;

pub use decide::{
    DecideContext, Decided, Happened, PRACTICE, Stop, check_name, edge_in_words, figures_changed,
    is_practice_name,
};
pub use desk::Desk;
pub use floor::{EvolveError, Floor};
pub use house::{
    Acting, ComingLimits, DEVICE_DAYS_MAX, Device, House, KeptRow, Proposed, RAISED_AFTER_HOURS,
    SESSION_DAYS_MAX, ServiceStart,
};
pub use journal::{Command, DeskCommand, HouseCommand, OpenTable, OwnCommand, OwnWager, TableCommand};
pub use library::{Library, Standing, read_book};
pub use refusal::{Reason, Refusal};
pub use streams::streams_of;
pub use table::{Discarded, Reader, Salt, Shuffle, Table};
