//! Singapore Stud Poker, counted exactly.
//!
//! There are 19,933,230,517,200 deals: the player's five cards, the dealer's up card, the dealer's other four. None of
//! them is dealt here. [`count`] finds for each *class* of player's hand and up card how many of the 163,185 dealer
//! hands do not qualify, are lower, are equal, and are higher; everything else is these counts weighed by a
//! [`PayTable`], in milliseconds, decisions included.
//!
//! Why so few classes are enough, and how each is counted:
//!
//! 1. Fix the player's hand and the up card. If suits had no meaning, the dealer's hands would depend only on how many
//!    cards of each rank are left, and each order of hands would be a short sum of products (`blind`).
//! 2. "Contains the up card" is a difference: hands that avoid the player's cards, less hands that avoid the up card
//!    too. Both are counts of step 1, with one card less in the second.
//! 3. Suits matter for flushes alone, and a flush that contains the up card is in its suit. So it is enough to know
//!    which of the player's ranks are in that suit; a flush is then a set of five ranks that contains the up card's
//!    rank and avoids those (`flush`). Step 1 took it for the odd cards or the straight that its ranks make; it is
//!    taken out there and put in as a flush.
//! 4. So hands with the same ranks (and, if so, all in one suit), the same rank of up card and the same ranks in the up
//!    card's suit have the same counts: 1,121,471 classes (`counts`). How many hands a class has is a product of
//!    small numbers, rank by rank.
//!
//! A class fixes all that a decision can depend on, whatever is paid; so a changed pay table re-decides and re-weighs
//! the same classes, and only another hand to qualify with needs a new count.
#![allow(
    clippy::cast_possible_truncation,
    reason = "ranks, places and counts of one class are far below the bounds of the small integers that keep them"
)]

mod advise;
mod blind;
mod counts;
mod flush;
mod pattern;
mod pay;
mod play;
mod strategy;
#[cfg(test)]
mod tests;

pub use advise::{Advice, AdviceError, advise};
pub use counts::{CLASSES, Class, Counts, DEALER_HANDS, DEALS, count_with};
pub use pattern::Pattern;
pub use pay::{Odds, PayTable, PayTableError};
pub use play::{Outcome, Outcomes, Worth};
pub use strategy::{Decision, Rule, StrategyRow};

/// Counts Singapore Stud Poker: the dealer has a hand with an Ace and a King or better (MSSP9 3.10.2).
pub fn count() -> Counts {
    count_with(Pattern::ACE_KING)
}

/// How many of the 2,598,960 hands are of each order, lowest first: the lines of the jackpot.
pub fn hands_by_order() -> [u64; 10] {
    let mut hands = [0; 10];
    for pattern in Pattern::all() {
        hands[pattern.order() as usize] += u64::from(pattern.hands());
    }
    hands
}
