//! Perfect play: the choice with the highest exact value at every decision.

use lab::advice::{Situation, advise};
use lab::exact::{Action, Lab, Question};
use rulebook::Rulebook;

/// Keeps the counts that some changed books need.
static LAB: Lab = Lab::new();

/// Whether to make the wager that is due; `None` where the lab has no advice for the book. Only the Ante counts: a
/// perfect player places no Jackpot wager that a fold could lose.
pub(super) fn wagers(book: &Rulebook, situation: &Situation) -> Option<bool> {
    let advice = advise(&LAB, book, &Question::default(), situation).ok()?;
    Some(match advice.best {
        Action::Bet => true,
        Action::Check | Action::Fold => false,
    })
}
