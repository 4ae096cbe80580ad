//! Texas Hold'em Bonus, counted exactly, cards alone and no pay table: every one of 55,627,620,048,000 deals under perfect play, by counting.
//!
//! # What has to be decided
//!
//! The player folds or makes the Flop wager on two cards, then bets or checks on flop and turn. The Ante is out of
//! reach after the first decision, a Turn or River wager wins and loses one to one with the hand, and neither
//! decision changes the cards to come. So each decision stands alone: bet exactly if the hand wins more of
//! its completions than it loses. The river decision needs, for hole cards and the *set* of four board cards, wins
//! and losses over 46 rivers and 990 hands of the dealer; the turn decision the same over all turns as well.
//!
//! # How it is counted
//!
//! 1. `plain`: as if there were no flushes, everything depends on ranks: 6,175 boards, 91 pairs of ranks. Sort the
//!    pairs by worth on each board; running counts with the player's cards taken out give wins and ties.
//! 2. `flush`: what one suit with three or more cards on the board changes, for hole cards of which only the rank counts,
//!    and whether they are of that suit: 36,608 boards. At most one suit can have three, so the changes add up.
//! 3. `rivers`: sums over the river. They fall into a plain part and a part for each suit with two or more cards on
//!    the board of four: 11,531 of them, against 16,432 boards of four with 1,128 hole hands each.
//! 4. `flops` and `decide`: the same over the turn, and the sign of it: the turn decision.
//! 5. `tally`: every board of four in standard suits, with the river decision and the number of its four flops on
//!    which the turn was bet, added up by class of hole cards.
//!
//! Wins are kept apart by the order of the player's hand throughout, so what the Ante pays from which hand up is a
//! re-weighting of [`Counts`], and so are the Bonus and the jackpots.
//!
//! All sums are integers. Those of 16 bits are taken modulo 65,536 and are at most 45,540 when they are read.
#![allow(
    clippy::cast_possible_truncation,
    reason = "ranks, suits, places and orders are small by construction, and const tables have no other conversion"
)]

mod aces;
mod ahead;
mod class;
mod conditions;
mod counts;
mod decide;
mod flop_values;
mod flops;
mod flush;
mod frontier;
mod hidden;
pub mod known;
mod later_bets;
mod parallel;
mod plain;
mod ranks;
mod rivers;
mod split;
mod standard;
mod start;
mod streets;
mod tally;
mod view;

#[cfg(test)]
mod tests;

pub use aces::aces_against_aces;
pub(super) use ahead::lead;
pub use ahead::{Ahead, after_flop, after_turn, before_flop};
pub use class::{CLASSES, cards_of_class, chart, place_of};
pub(super) use class::{is_pair, place_of_cards};
pub use conditions::{CONDITIONS, Sight, Sights, sight};
pub use counts::{BOARDS_PER_HAND, ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals, count, kept};
pub use flop_values::FlopValues;
pub use frontier::{Frontier, Share, frontier};
pub use hidden::{Leads, leads, shown_down};
pub use later_bets::LaterBets;
pub(super) use parallel::fold;
pub use split::{Boards, against_hand, on_high_boards};
pub use streets::{StreetCounts, StreetLines};
