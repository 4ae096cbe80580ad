//! Texas Hold'em Bonus in the lab. `count` counts deals; everything else weighs its counts by what the book pays.

mod advise;
mod before_flop;
mod bonus;
mod collude;
pub mod count;
mod exact;
mod honest;
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
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cards::Card;
use money::Odds;
use rulebook::{AfterFold, HoldemRules, HoleClass};

use count::Sights;
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
use crate::honest::{Hand, Judged};
use crate::lookup::Lookup;
use crate::protect::{Known, Protection};
use crate::risk::Joint;
use crate::rules::{Found, GameConditions, Price, RuleList, Seen};
use crate::simulate::{Played, Setup, SetupError};
use crate::stakes::Stakes;
use crate::strategy::GameStrategy;

/// The counts of hold'em. They serve every book.
#[derive(Default)]
pub(crate) struct Kept {
    counts: OnceLock<Counts>,
    /// What rule lists are priced by, for the last few sets of folded classes.
    sights: Mutex<VecDeque<(Vec<bool>, Arc<Sights>)>>,
}

/// How many sets of folded classes are kept.
const SIGHTS_MAX: usize = 4;

impl Kept {
    pub(crate) const fn new() -> Kept {
        Kept { counts: OnceLock::new(), sights: Mutex::new(VecDeque::new()) }
    }

    /// What rule lists are priced by where these classes are folded.
    fn sights(&self, folded: &[bool]) -> Arc<Sights> {
        let kept = || self.sights.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept().iter().find(|(of, _)| of == folded).map(|(_, sights)| Arc::clone(sights));
        found.unwrap_or_else(|| {
            let sights = Arc::new(Sights::new(folded));
            let mut kept = kept();
            kept.truncate(SIGHTS_MAX - 1);
            kept.push_front((folded.to_vec(), Arc::clone(&sights)));
            sights
        })
    }
}

impl Lab {
    /// The counts of hold'em: those that are kept with the program, unless they are to be counted anew.
    pub fn holdem(&self) -> &Counts {
        self.holdem.counts.get_or_init(|| if self.recounts { count::count() } else { count::kept() })
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

    fn seen(&self, situation: &Situation) -> Option<Seen> {
        rules::seen(situation)
    }

    fn price(&self, case: Case<'_>, list: &RuleList) -> Result<Price, LabError> {
        rules::price(case, &rules_for(self, case.question), list)
    }

    fn search(&self, case: Case<'_>, lines: usize) -> Result<Vec<Found>, LabError> {
        rules::search(case, &rules_for(self, case.question), lines)
    }

    fn sort_at_stake(&self, situation: &Situation) -> Option<usize> {
        rules::sort(situation)
    }

    fn stakes(&self, case: Case<'_>, list: &RuleList) -> Result<Stakes, LabError> {
        rules::stakes(case, &rules_for(self, case.question), list)
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

    fn jackpot_deals(&self, case: Case<'_>, folded: &[HoleClass]) -> Result<Option<Vec<u64>>, LabError> {
        if case.book.jackpot.after_fold == AfterFold::EveryLine {
            return Ok(None);
        }
        let folds: Vec<bool> = chart().map(|class| folded.contains(&class)).collect();
        Ok(Some(StreetJackpot::new(case.book, case.question.jackpot_unit_cents())?.deals(&folds)))
    }

    fn lookup(&self, case: Case<'_>) -> Result<Box<dyn Lookup>, LabError> {
        lookup::lookup(case, &rules_for(self, case.question))
    }

    fn judge(&self, case: Case<'_>, hand: &Hand<'_>) -> Result<Judged, AdviceError> {
        honest::judge(case, &rules_for(self, case.question), hand)
    }

    fn gains_without(
        &self,
        case: Case<'_>,
        hand: &Hand<'_>,
        elsewhere: &[Card],
    ) -> Result<[f64; 3], AdviceError> {
        honest::gains_without(case, &rules_for(self, case.question), hand, elsewhere)
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
