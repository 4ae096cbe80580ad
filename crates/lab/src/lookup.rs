//! Decisions looked up instead of counted, for programs that play many rounds.

use rulebook::Rulebook;

use crate::advice::Situation;
use crate::exact::{Lab, LabError, Question};
use crate::game::{Case, game_of};

/// What happens to the Ante if the first wager is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithoutWager {
    /// It is lost: a fold.
    Lost,
    /// It comes back.
    Returned,
}

/// The best decision in any situation of a game, with the Ante alone.
pub trait Lookup: Send + Sync {
    /// Whether the wager that is due is made; `None` where the cards are no situation of the game.
    fn wagers(&self, situation: &Situation, without: WithoutWager) -> Option<bool>;
}

/// Makes the tables of a book. Refused where the book asks for what is not counted.
pub fn lookup(lab: &Lab, book: &Rulebook) -> Result<Box<dyn Lookup>, LabError> {
    game_of(book).lookup(Case { lab, book, question: &Question::default() })
}
