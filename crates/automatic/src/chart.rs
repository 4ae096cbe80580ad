//! How people play who know the game a little: by a simple chart, and now and then by a hunch.

use lab::advice::{Situation, casual_player_wagers};
use rulebook::Rulebook;

/// One decision in so many goes against the chart.
const HUNCHES: u64 = 24;

/// Whether to make the wager that is due; `None` where the cards are no situation of the game. `lot` is drawn for this
/// decision.
pub(super) fn wagers(book: &Rulebook, situation: &Situation, lot: u64) -> Option<bool> {
    let is_hunch = lot.checked_rem(HUNCHES) == Some(0);
    casual_player_wagers(book, situation).map(|wagers| is_hunch != wagers)
}
