//! Cards, decks and the ranking of poker hands. Knows no game.
//!
//! [`HandRank`] orders any two hands of five to seven cards; [`Hand`] is the same evaluator for loops that
//! add one card at a time.
//!
//! ```
//! use cards::{Card, HandOrder, HandRank};
//!
//! let cards: Result<Vec<Card>, _> = "Th Jh Qh Kh Ah 2c 2d".split(' ').map(str::parse).collect();
//! assert_eq!(HandRank::best_of(&cards?).order(), HandOrder::RoyalFlush);
//! # Ok::<(), cards::CardError>(())
//! ```
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "hot loops over card indices, which are far too small to overflow"
)]

mod best;
mod card;
mod deck;
mod hand;
pub mod lanes;
mod notation;
mod order;
mod rank;
mod set;
pub mod shuffle;
mod tables;

pub use best::BestFive;
pub use card::{Card, Rank, Suit};
pub use deck::{Deck, DeckError};
pub use hand::{Hand, Pair};
pub use notation::CardError;
pub use order::HandOrder;
pub use rank::HandRank;
pub use set::{CardSet, Cards};
