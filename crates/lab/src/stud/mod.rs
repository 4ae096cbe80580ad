//! Singapore Stud Poker in the lab. `count` counts deals; everything else weighs its counts by what the book pays.

mod advise;
mod collude;
pub mod count;
mod exact;
mod honest;
mod knowing;
mod lookup;
mod par;
mod pays;
mod protect;
mod rules;
mod simulate;
mod strategy;
mod summary;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cards::Card;
use rulebook::StudRules;

pub use count::{Class, Counts, DEALER_HANDS, DEALS, Outcome, Outcomes, Pattern};
pub use pays::Pays;
pub use strategy::{Decision, Rule, StrategyRow};

use crate::advice::{Advice, AdviceError, Situation};
use crate::collude::Colluders;
use crate::exact::{Action, Exact, LabError};
use crate::game::{Case, Lab, LabGame};
use crate::honest::{Hand, Judged};
use crate::lookup::Lookup;
use crate::protect::{Known, Protection};
use crate::risk::Joint;
use crate::rules::{GameConditions, Price, RuleList, Seen};
use crate::simulate::{Played, Setup, SetupError};
use crate::stakes::Stakes;
use crate::strategy::GameStrategy;
use summary::Summary;

pub(crate) use strategy::RULES_OF_THUMB;

/// The counts of stud, by the lowest hand with which the dealer qualifies.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Counted>>>);

impl Kept {
    pub(crate) const fn new() -> Kept {
        Kept(Mutex::new(Vec::new()))
    }
}

/// The counts, and what makes weighing them quick.
struct Counted {
    counts: Counts,
    summary: OnceLock<Summary>,
}

impl Counted {
    fn summary(&self) -> &Summary {
        self.summary.get_or_init(|| Summary::new(&self.counts))
    }
}

impl Lab {
    fn stud(&self, qualifier: Pattern) -> Arc<Counted> {
        let mut kept = self.stud.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stud) = kept.iter().find(|stud| stud.counts.qualifier() == qualifier) {
            return Arc::clone(stud);
        }
        let counts = count::count_with(qualifier);
        let stud = Arc::new(Counted { counts, summary: OnceLock::new() });
        kept.push(Arc::clone(&stud));
        stud
    }
}

/// The lowest hand with which the dealer has one: a pair, or two ranks with the lowest others.
fn qualifier(rules: &StudRules) -> Pattern {
    let [high, low] = rules.dealer_needs.map(|rank| rank as usize);
    Pattern::lowest_with(high, low)
}

impl LabGame for StudRules {
    fn exact(&self, case: Case<'_>) -> Result<Exact, LabError> {
        exact::exact(case, self)
    }

    fn advise(&self, case: Case<'_>, situation: &Situation) -> Result<Advice, AdviceError> {
        advise::advise(case, self, situation)
    }

    fn advise_knowing(
        &self,
        case: Case<'_>,
        situation: &Situation,
        dead: &[Card],
    ) -> Result<Advice, AdviceError> {
        knowing::advise(case, self, situation, dead)
    }

    fn situation_at(&self, earlier: &[Action], now: &Situation) -> Option<Situation> {
        advise::situation_at(earlier, now)
    }

    fn casual_player_wagers(&self, situation: &Situation) -> Option<bool> {
        advise::casual_player_wagers(situation)
    }

    fn strategy(&self, case: Case<'_>) -> Result<GameStrategy, LabError> {
        strategy::strategy(case, self)
    }

    fn simulate(
        &self,
        setup: &Setup,
        lab: &Lab,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Played, SetupError> {
        simulate::simulate(setup, lab, self, progress)
    }

    fn colluders(&self, case: Case<'_>) -> Result<Box<dyn Colluders>, LabError> {
        collude::colluders(case, self)
    }

    fn conditions(&self, _: Case<'_>) -> Result<GameConditions, LabError> {
        Ok(rules::conditions())
    }

    fn seen(&self, situation: &Situation) -> Option<Seen> {
        rules::seen(situation)
    }

    fn price(&self, case: Case<'_>, list: &RuleList) -> Result<Price, LabError> {
        rules::price(case, self, list)
    }

    fn sort_at_stake(&self, situation: &Situation) -> Option<usize> {
        rules::sort(situation)
    }

    fn stakes(&self, case: Case<'_>, list: &RuleList) -> Result<Stakes, LabError> {
        rules::stakes(case, self, list)
    }

    fn protect(
        &self,
        case: Case<'_>,
        known: Known,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Protection, LabError> {
        protect::protect(case, self, known, progress)
    }

    fn joint(&self, case: Case<'_>, _: bool) -> Result<Joint, LabError> {
        exact::joint(case, self)
    }

    fn lookup(&self, case: Case<'_>) -> Result<Box<dyn Lookup>, LabError> {
        lookup::lookup(case, self)
    }

    fn judge(&self, case: Case<'_>, hand: &Hand<'_>) -> Result<Judged, AdviceError> {
        honest::judge(case, self, hand)
    }

    fn gains_without(
        &self,
        case: Case<'_>,
        hand: &Hand<'_>,
        elsewhere: &[Card],
    ) -> Result<[f64; 3], AdviceError> {
        honest::gains_without(case, self, hand, elsewhere)
    }

    fn rules_of_thumb(&self) -> Vec<&'static str> {
        RULES_OF_THUMB.to_vec()
    }

    fn rules_in_words(&self) -> Vec<(&'static str, String)> {
        par::rules_in_words(self)
    }
}
