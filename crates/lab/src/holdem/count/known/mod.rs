//! What perfect play is worth when cards are known from the start: cards of the Dealer, or one of the board.
//!
//! # What has to be decided
//!
//! A known card takes part in every decision from the first on. Turn and River wagers are still decisions that stand
//! alone: each is made exactly if the hand wins more than it loses over what is not known yet. So with `L` for wins less
//! losses, given the hole cards, the cards known and the board so far, a hand that is not folded is worth
//!
//! ```text
//!    Ante and Flop wager over all deals  +  Turn · Σ max(0, L at the turn)  +  River · Σ max(0, L at the river)
//! ```
//!
//! and is folded if that is no more than a lost Ante in each deal.
//!
//! # How it is counted
//!
//! With one of the Dealer's cards known, `d`, the Dealer has 44 hands left on a board of five, and all `d` are counted at
//! once: a *row* has one number for every `d`. The split of `super` holds for rows as it does for single numbers: a row
//! is a part by ranks alone and a change for each suit that can make a flush, and a suit tells cards of its own from others
//! only, so a row of its change has 26 numbers.
//!
//! 1. `ladder`: one board of five ranks, or of a suit's ranks and others. All pairs of cards are sorted by what they make;
//!    running counts of the Dealer's hands below, by the card known, give every row by subtraction.
//! 2. `streets`: sums over the river give rows after the turn, and sums over the turn those after the flop.
//! 3. `sums`: every board in standard suits with its rows put together, and what they come to for hole cards, a card of
//!    the Dealer and a card of the board. What no Dealer's card known comes to is half the sum of a row.
//!
//! With both of the Dealer's cards known the two hands meet on every board: `both`.
#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::large_stack_arrays,
    reason = "classes, copies and parts of the work are small numbers, and an empty matrix is what a list of them is filled with"
)]

mod both;
mod ladder;
#[cfg(test)]
mod one_hand;
mod removal;
mod shape;
mod streets;
mod sums;
#[cfg(test)]
mod tests;

pub use both::values as both_values;
#[cfg(test)]
pub use one_hand::one_hand;
pub use removal::{DEALS_WITHOUT, Removal, Without};
pub(super) use sums::standard_boards;
pub use sums::{Board, Values, values};
