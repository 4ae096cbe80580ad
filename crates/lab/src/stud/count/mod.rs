//! Singapore Stud Poker, counted exactly: cards alone, no pay table.
//!
//! There are 19,933,230,517,200 deals: the player's five cards, the dealer's up card, the dealer's other four. None of
//! them is dealt here. [`count_with`] finds for each *class* of player's hand and up card how many of the 163,185 dealer
//! hands do not qualify, are lower, are equal, and are higher; everything else is these counts weighed by what
//! is paid, in milliseconds, decisions included.
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

mod blind;
mod counts;
mod flush;
mod known;
mod pattern;
mod play;

pub(super) use counts::Counter;
pub use counts::{CLASSES, Class, Counts, DEALER_HANDS, DEALS, count_with};
pub(super) use flush::Line;
pub(super) use known::known;
pub use pattern::Pattern;
pub(super) use pattern::{RANKS, rank_name, set_name};
pub(super) use play::deals_of;
pub use play::{Outcome, Outcomes};
