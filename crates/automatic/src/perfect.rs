//! Perfect play: every decision as it is worth most, by exact count.

use lab::advice::{Situation, advise};
use lab::exact::{Action, Lab, Question};
use rulebook::Rulebook;

/// Counts that some changed books need, made once.
static LAB: Lab = Lab::new();

/// Whether to make the wager that is due; nothing where the book asks for what is not counted. The Ante is weighed
/// alone: a perfect player places no Jackpot wager that a fold could lose.
pub(super) fn wagers(book: &Rulebook, situation: Situation) -> Option<bool> {
    let advice = advise(&LAB, book, &Question::default(), situation).ok()?;
    Some(match advice.best {
        Action::Bet => true,
        Action::Check | Action::Fold => false,
    })
}
