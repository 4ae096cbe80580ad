//! Texas Hold'em Bonus in the lab. `count` counts deals; everything else weighs its counts by what the book pays.

mod advise;
mod bonus;
mod collude;
pub mod count;
mod exact;
mod joint;
mod knowing;
mod lookup;
mod matchup;
mod par;
mod pays;
mod protect;
mod removal;
mod rules;
mod silence;
mod simulate;
mod strategy;
mod streets;

use std::borrow::Cow;
use std::sync::OnceLock;

use cards::Card;
use money::Odds;
use rulebook::{HoldemRules, HoleClass};

pub use count::{
    Ahead, BOARDS_PER_HAND, CLASSES, ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals, Frontier, Share,
    StreetCounts, StreetLines, before_flop, cards_of_class, chart, place_of,
};
pub use pays::Pays;
pub use streets::{StreetJackpot, StreetLine};

use crate::advice::{Advice, AdviceError, Situation};
use crate::collude::Colluders;
use crate::exact::{Action, Exact, LabError, Question};
use crate::game::{Case, Lab, LabGame};
use crate::lookup::Lookup;
use crate::protect::{Known, Protection};
use crate::risk::Joint;
use crate::rules::{Found, GameConditions, Price, RuleList};
use crate::simulate::{Played, Setup, SetupError};
use crate::strategy::GameStrategy;

/// The counts of hold'em. They serve every book.
#[derive(Default)]
pub(crate) struct Kept(OnceLock<Counts>);

impl Kept {
    pub(crate) const fn new() -> Kept {
        Kept(OnceLock::new())
    }
}

impl Lab {
    /// The counts of hold'em: those that are kept with the program, unless they are to be counted anew.
    pub fn holdem(&self) -> &Counts {
        self.holdem.0.get_or_init(|| if self.recounts { count::count() } else { count::kept() })
    }
}

/// The rules with the question's own lowest hand for a won Ante, where it names one.
fn rules_for<'a>(rules: &'a HoldemRules, question: &Question) -> Cow<'a, HoldemRules> {
    match question.ante_pays_from {
        None => Cow::Borrowed(rules),
        Some(ante_pays_from) => Cow::Owned(HoldemRules { ante_pays_from, ..rules.clone() }),
    }
}

/// The names of the rule lists that come with the program.
pub(crate) fn rule_lists() -> impl Iterator<Item = &'static str> {
    rules::conditions().shipped.iter().map(|(name, _)| *name)
}

impl LabGame for HoldemRules {
    fn exact(&self, case: Case<'_>) -> Result<Exact, LabError> {
        exact::exact(case, &rules_for(self, case.question))
    }

    fn advise(&self, case: Case<'_>, situation: &Situation) -> Result<Advice, AdviceError> {
        advise::advise(case, &rules_for(self, case.question), situation)
    }

    fn advise_knowing(
        &self,
        case: Case<'_>,
        situation: &Situation,
        dead: &[Card],
    ) -> Result<Advice, AdviceError> {
        knowing::advise(case, &rules_for(self, case.question), situation, dead)
    }

    fn situation_at(&self, earlier: &[Action], now: &Situation) -> Option<Situation> {
        advise::situation_at(earlier, now)
    }

    fn casual_player_wagers(&self, situation: &Situation) -> Option<bool> {
        advise::casual_player_wagers(situation)
    }

    fn chart(&self, case: Case<'_>) -> Result<Vec<(HoleClass, Advice)>, AdviceError> {
        let rules = rules_for(self, case.question);
        let one = |class| {
            let situation = Situation::of(&cards_of_class(class));
            Ok((class, advise::advise(case, &rules, &situation)?))
        };
        chart().map(one).collect()
    }

    fn strategy(&self, case: Case<'_>) -> Result<GameStrategy, LabError> {
        strategy::strategy(case, &rules_for(self, case.question))
    }

    fn simulate(
        &self,
        setup: &Setup,
        lab: &Lab,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Played, SetupError> {
        simulate::simulate(setup, lab, &rules_for(self, &setup.question()), progress)
    }

    fn colluders(&self, case: Case<'_>) -> Result<Box<dyn Colluders>, LabError> {
        collude::colluders(case, &rules_for(self, case.question))
    }

    fn conditions(&self, _: Case<'_>) -> Result<GameConditions, LabError> {
        Ok(rules::conditions())
    }

    fn price(&self, case: Case<'_>, list: &RuleList) -> Result<Price, LabError> {
        rules::price(case, &rules_for(self, case.question), list)
    }

    fn search(&self, case: Case<'_>, lines: usize) -> Result<Vec<Found>, LabError> {
        rules::search(case, &rules_for(self, case.question), lines)
    }

    fn protect(
        &self,
        case: Case<'_>,
        known: Known,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Protection, LabError> {
        protect::protect(case, &rules_for(self, case.question), known, progress)
    }

    fn joint(&self, case: Case<'_>, with_bonus: bool) -> Result<Joint, LabError> {
        joint::joint(case, &rules_for(self, case.question), with_bonus)
    }

    fn lookup(&self, case: Case<'_>) -> Result<Box<dyn Lookup>, LabError> {
        lookup::lookup(case, &rules_for(self, case.question))
    }

    fn rules_of_thumb(&self) -> Vec<&'static str> {
        rule_lists().collect()
    }

    fn bonus_odds(&self) -> Vec<Odds> {
        bonus::odds(self)
    }

    fn rules_in_words(&self) -> Vec<(&'static str, String)> {
        par::rules_in_words(self)
    }
}
