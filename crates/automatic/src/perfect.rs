//! Perfect play: the choice with the highest exact value at every decision.

use lab::advice::{Situation, advise};
use lab::exact::{Action, Lab, Question};
use rulebook::Rulebook;

/// Keeps the counts that some changed books need.
static LAB: Lab = Lab::new();

/// What a perfect player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Makes the wager that is due.
    Wager,
    /// Folds or checks.
    Decline,
    /// Does nothing, where the book gives a silent Player the wagers back (reading `silence`).
    StaySilent,
}

/// The best choice; `None` where the lab has no advice for the book. Only the Ante counts: a perfect player places no
/// Jackpot wager that a fold could lose.
pub(super) fn choice(book: &Rulebook, situation: &Situation) -> Option<Choice> {
    let advice = advise(&LAB, book, &Question::default(), situation).ok()?;
    if advice.silence_is_best() {
        return Some(Choice::StaySilent);
    }
    Some(match advice.best {
        Action::Bet => Choice::Wager,
        Action::Check | Action::Fold => Choice::Decline,
    })
}
