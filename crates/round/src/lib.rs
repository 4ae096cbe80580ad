//! One round of play, from "Place your bets, please" to its end, for hold'em and stud, with every irregularity.
//!
//! A [`Round`] takes a [`Command`] from an [`Asker`] and answers with [`Event`]s, or with a [`Refusal`] that cites
//! its clause. It uses no clock, no storage and no randomness: cards come in as commands too. All rules are in
//! `decide`, which changes nothing. All changes are in `evolve`, which knows no rule. So a round is the fold of its
//! events, and a replay always gives the same round.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

mod cards_in;
mod command;
mod event;
mod game;
mod irregularity;
mod legal;
mod offices;
mod play;
mod refusal;
mod seat;
mod settlement;
mod stage;
mod state;
mod wagers;

pub use command::{
    Asker, CardFault, Command, Decision, Effect, FoundPile, Place, PlayerId, RuledOutcome, Ruling, TablePile,
};
pub use event::{Event, Exposure, Move};
pub use game::holdem::{HoldemHand, holdem_outcomes};
pub use game::stud::{StudHand, dealer_has_hand, stud_outcomes};
pub use game::{bonus_cards, hand_order, is_dealer_hand};
pub use irregularity::guide::{Choice, Irregularity, WagerEffect, guide};
pub use irregularity::recorded::RecordedOut;
pub use legal::{Legal, LegalQuery};
pub use offices::Permission;
pub use refusal::{Reason, Refusal};
pub use seat::{Seat, Share};
pub use settlement::comparison::{comparison_rule, order_rule};
pub use settlement::jackpot::{jackpot_hand, jackpot_lines};
pub use settlement::{Claim, Line, Outcome, Settlement, WAGER_CENTS_MAX};
pub use stage::Stage;
pub use state::{Round, TableMemory, TableRules, TableRulesError};
