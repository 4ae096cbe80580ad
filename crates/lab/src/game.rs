//! The one place in the lab that knows which games there are.
//!
//! Each game is a folder of this crate with the same files: `exact`, `advise`, `strategy`, `simulate`, `par`. To add a
//! game: make its folder with an implementation of [`LabGame`] for its rules, add an arm in [`game_of`] and its lines in
//! [`SECTIONS`] and [`rules_of_thumb`]; where counts are kept between questions, add them to [`Lab`]. A game need not have
//! all of it: what it does not implement is answered with "not available for this game".

use cards::Card;
use money::Odds;
use rulebook::{Game, HoleClass, Rulebook};

use crate::advice::{Advice, AdviceError, Situation};
use crate::collude::Colluders;
use crate::exact::{Action, Exact, LabError, Question};
use crate::honest::{Hand, Judged};
use crate::lookup::Lookup;
use crate::protect::{Known, Protection};
use crate::risk::Joint;
use crate::rules::{Found, GameConditions, Price, RuleList, Seen};
use crate::simulate::{Played, Setup, SetupError};
use crate::stakes::Stakes;
use crate::strategy::GameStrategy;
use crate::{holdem, stud};

/// Counts of the games, each made when first needed and kept for later questions.
#[derive(Default)]
pub struct Lab {
    pub(crate) holdem: holdem::Kept,
    pub(crate) stud: stud::Kept,
    /// Whether counts that come with the program are made anew.
    pub(crate) recounts: bool,
}

impl Lab {
    /// A lab that has counted nothing yet.
    pub const fn new() -> Lab {
        Lab { holdem: holdem::Kept::new(), stud: stud::Kept::new(), recounts: false }
    }

    /// A lab that counts everything itself, and uses no count that comes with the program.
    pub const fn recounting() -> Lab {
        Lab { holdem: holdem::Kept::new(), stud: stud::Kept::new(), recounts: true }
    }

    /// The whole game of a book. Refused where the game has no exact count, the book asks for what the counts do not
    /// hold, or an amount is out of bounds.
    pub fn exact(&self, book: &Rulebook, question: &Question) -> Result<Exact, LabError> {
        question.check()?;
        game_of(book).exact(Case { lab: self, book, question })
    }
}

/// A question about a book.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) lab: &'a Lab,
    pub(crate) book: &'a Rulebook,
    pub(crate) question: &'a Question,
}

impl Case<'_> {
    /// The error of a game that has no answer to this.
    fn not_available(&self, what: &'static str) -> LabError {
        LabError::NotAvailable { book: self.book.id.clone(), what }
    }
}

/// What the lab asks of a game. Implemented for the rules of each game in its folder.
pub(crate) trait LabGame: Sync {
    /// The whole game under perfect play.
    fn exact(&self, case: Case<'_>) -> Result<Exact, LabError> {
        Err(case.not_available("the exact count"))
    }

    /// The value of each choice in one situation. The cards of the situation are all different.
    fn advise(&self, case: Case<'_>, situation: &Situation) -> Result<Advice, AdviceError> {
        let _ = situation;
        Err(case.not_available("advice").into())
    }

    /// The same when more is known than the table shows: the Dealer's cards of the situation, and cards that are elsewhere.
    fn advise_knowing(
        &self,
        case: Case<'_>,
        situation: &Situation,
        dead: &[Card],
    ) -> Result<Advice, AdviceError> {
        let _ = (situation, dead);
        Err(case.not_available("advice with known cards").into())
    }

    /// What a Player saw at one decision of a round, from all that they see now; `None` where there is no such
    /// decision, or its cards do not lie open. `earlier` are the decisions made before it.
    fn situation_at(&self, earlier: &[Action], now: &Situation) -> Option<Situation> {
        let _ = (earlier, now);
        None
    }

    /// Whether a player who knows the game a little makes the wager that is due; `None` where the cards are no
    /// situation of the game.
    fn casual_player_wagers(&self, situation: &Situation) -> Option<bool> {
        let _ = situation;
        Some(true)
    }

    /// The value of each choice for every class of hole cards, in the order of the chart.
    fn chart(&self, case: Case<'_>) -> Result<Vec<(HoleClass, Advice)>, AdviceError> {
        Err(case.not_available("a chart of hole cards").into())
    }

    /// What the strategy says beyond the exact answer, and simpler ways to play.
    fn strategy(&self, case: Case<'_>) -> Result<GameStrategy, LabError> {
        Err(case.not_available("a strategy"))
    }

    /// Plays the rounds of a simulation. `progress` is called with the number of rounds played since the last call.
    fn simulate(
        &self,
        setup: &Setup,
        lab: &Lab,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Played, SetupError> {
        let _ = (lab, progress);
        Err(LabError::NotAvailable { book: setup.book.id.clone(), what: "a simulation" }.into())
    }

    /// Perfect play with known cards. `progress` is called with the part that is done.
    fn protect(
        &self,
        case: Case<'_>,
        known: Known,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Protection, LabError> {
        let _ = (known, progress);
        Err(case.not_available("the value of known cards"))
    }

    /// What all wagers of a round bring together, under perfect play.
    fn joint(&self, case: Case<'_>, with_bonus: bool) -> Result<Joint, LabError> {
        let _ = with_bonus;
        Err(case.not_available("what all wagers bring together"))
    }

    /// The deals of each line of the Jackpot if these classes of hole cards are folded; none where folds do not matter for it.
    fn jackpot_deals(&self, case: Case<'_>, folded: &[HoleClass]) -> Result<Option<Vec<u64>>, LabError> {
        let _ = (case, folded);
        Ok(None)
    }

    /// Seats that share their cards.
    fn colluders(&self, case: Case<'_>) -> Result<Box<dyn Colluders>, LabError> {
        Err(case.not_available("the value of shared cards"))
    }

    /// The words of rule lists, and the lists that come with the program.
    fn conditions(&self, case: Case<'_>) -> Result<GameConditions, LabError> {
        Err(case.not_available("a list of rules"))
    }

    /// What rule lists look at in a situation; `None` where the cards are no situation of the game.
    fn seen(&self, situation: &Situation) -> Option<Seen> {
        let _ = situation;
        None
    }

    /// The exact price of a rule list.
    fn price(&self, case: Case<'_>, list: &RuleList) -> Result<Price, LabError> {
        let _ = list;
        Err(case.not_available("the price of rules"))
    }

    /// What a rule list does in one situation; `None` where there is no decision with these cards.
    fn list_wagers(&self, list: &RuleList, situation: &Situation) -> Option<bool> {
        self.seen(situation).map(|seen| list.says(seen).0)
    }

    /// Of which sort a situation is, for what is at stake in it.
    fn sort_at_stake(&self, situation: &Situation) -> Option<usize> {
        let _ = situation;
        None
    }

    /// What is at stake in the decisions of a round.
    fn stakes(&self, case: Case<'_>, list: &RuleList) -> Result<Stakes, LabError> {
        let _ = list;
        Err(case.not_available("what is at stake"))
    }

    /// The best rule lists of up to so many lines a street.
    fn search(&self, case: Case<'_>, lines: usize) -> Result<Vec<Found>, LabError> {
        let _ = lines;
        Err(case.not_available("a search for rules"))
    }

    /// The tables in which decisions are looked up.
    fn lookup(&self, case: Case<'_>) -> Result<Box<dyn Lookup>, LabError> {
        Err(case.not_available("a table of decisions"))
    }

    /// The decisions of a hand that was played, and what hidden cards changed in them.
    fn judge(&self, case: Case<'_>, hand: &Hand<'_>) -> Result<Judged, AdviceError> {
        let _ = hand;
        Err(case.not_available("the test of decisions").into())
    }

    /// What each wager of a hand would gain, in Antes, to a Player who knows that these cards are elsewhere.
    fn gains_without(
        &self,
        case: Case<'_>,
        hand: &Hand<'_>,
        elsewhere: &[Card],
    ) -> Result<[f64; 3], AdviceError> {
        let _ = (hand, elsewhere);
        Err(case.not_available("the test of decisions").into())
    }

    /// The names of the game's own strategies for a simulation.
    fn rules_of_thumb(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The odds of the Bonus, each once, in the order of its table. None where the game has no Bonus.
    fn bonus_odds(&self) -> Vec<Odds> {
        Vec::new()
    }

    /// The game's own rows of the PAR sheet's rules: name and value.
    fn rules_in_words(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The game of a book.
pub(crate) fn game_of(book: &Rulebook) -> &dyn LabGame {
    match &book.game {
        Game::Holdem(rules) => rules,
        Game::Stud(rules) => rules,
    }
}

/// The sections of a rulebook's file that hold a game's own figures.
pub(crate) const SECTIONS: [&str; 2] = ["holdem", "stud"];

/// The names of all games' own strategies.
pub(crate) fn rules_of_thumb() -> impl Iterator<Item = &'static str> {
    stud::RULES_OF_THUMB.into_iter().chain(holdem::rule_lists())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that only settles: nothing in this crate counts it.
    struct NotCounted;

    impl LabGame for NotCounted {}

    /// A game need not have any mathematics: the lab says that it has none.
    #[test]
    fn a_game_without_mathematics() {
        let book = rulebook::embedded().remove(0);
        let (lab, question) = (Lab::new(), Question::default());
        let case = Case { lab: &lab, book: &book, question: &question };
        let situation = Situation::default();
        let refusals = [
            NotCounted.exact(case).map(drop).map_err(|error| error.to_string()),
            NotCounted.advise(case, &situation).map(drop).map_err(|error| error.to_string()),
            NotCounted.advise_knowing(case, &situation, &[]).map(drop).map_err(|error| error.to_string()),
            NotCounted.chart(case).map(drop).map_err(|error| error.to_string()),
            NotCounted.joint(case, false).map(drop).map_err(|error| error.to_string()),
            NotCounted.colluders(case).map(drop).map_err(|error| error.to_string()),
            NotCounted.conditions(case).map(drop).map_err(|error| error.to_string()),
            NotCounted.strategy(case).map(drop).map_err(|error| error.to_string()),
            NotCounted.protect(case, Known::default(), &|_| {}).map(drop).map_err(|error| error.to_string()),
            NotCounted
                .simulate(&Setup::new(book.clone()), &lab, &|_| {})
                .map(drop)
                .map_err(|error| error.to_string()),
        ];
        for refusal in refusals {
            let error = refusal.expect_err("nothing is counted");
            assert!(error.ends_with("is not available for this game"), "{error}");
        }
        assert_eq!(NotCounted.situation_at(&[], &situation), None);
        assert!(NotCounted.bonus_odds().is_empty() && NotCounted.rules_of_thumb().is_empty());
    }
}
