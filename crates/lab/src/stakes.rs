//! What is at stake in the decisions of a round: how much somebody loses who decides wrong.
//!
//! Decisions are told apart by a list of rules: where the list is right, and where it is wrong. If situations are shown
//! in proportion to how often they come and to what a mistake costs, the share of wrong answers times what is at stake is what
//! a player loses a round.

use rulebook::Rulebook;

use crate::advice::Situation;
use crate::exact::{Fraction, Lab, LabError, Question, not_counted};
use crate::game::{Case, game_of};
use crate::rules::RuleList;

/// What decisions are worth together, in Antes a round, where play before each of them is perfect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// What is lost by deciding wrong wherever the list is right.
    pub where_right: Fraction,
    /// What is lost by deciding as the list does: wrong wherever it is wrong.
    pub where_wrong: Fraction,
    /// What no single mistake costs more than, where the list is right, by [`sort`] of situation.
    pub most_where_right: Vec<Fraction>,
    /// The same where the list is wrong.
    pub most_where_wrong: Vec<Fraction>,
}

/// Of which sort a situation is, from zero: in hold'em by its decision, in stud by the order of the hand. `None` where the cards
/// are no situation of the game.
pub fn sort(book: &Rulebook, situation: &Situation) -> Option<usize> {
    game_of(book).sort_at_stake(situation)
}

/// The list of somebody who knows the game a little. Refused where the game has no rule lists.
pub fn beginner(lab: &Lab, book: &Rulebook) -> Result<RuleList, LabError> {
    let conditions = crate::rules::conditions(lab, book)?;
    RuleList::parse(conditions.beginner, &conditions).or_else(|reason| not_counted(book, "rules", reason))
}

/// Whether a list makes the wager that is due; `None` where the cards are no situation of the game.
pub fn list_wagers(book: &Rulebook, list: &RuleList, situation: &Situation) -> Option<bool> {
    game_of(book).list_wagers(list, situation)
}

/// What is at stake, with the Ante alone. Refused where the book asks for what is not counted.
pub fn stakes(lab: &Lab, book: &Rulebook, list: &RuleList) -> Result<Stakes, LabError> {
    game_of(book).stakes(Case { lab, book, question: &Question::default() }, list)
}
