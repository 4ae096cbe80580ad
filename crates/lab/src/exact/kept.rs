//! Counts once made are kept.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rulebook::{Game, Rulebook};

use super::answer::Exact;
use super::question::{LabError, Question};
use super::summary::{Summary, Totals};
use super::{holdem, stud};
use crate::holdem::Counts as HoldemCounts;
use crate::stud::{Counts as StudCounts, Pattern, PayTable, StrategyRow, count_with};

/// The counts of both games, each made when first asked for.
#[derive(Default)]
pub struct Lab {
    holdem: OnceLock<HoldemCounts>,
    stud: Mutex<Vec<Arc<Stud>>>,
}

/// The counts of stud, and what makes weighing them quick.
struct Stud {
    counts: Arc<StudCounts>,
    summary: OnceLock<Summary>,
}

impl Lab {
    /// With nothing counted yet.
    pub const fn new() -> Lab {
        Lab { holdem: OnceLock::new(), stud: Mutex::new(Vec::new()) }
    }

    /// The counts of hold'em.
    pub fn holdem(&self) -> &HoldemCounts {
        self.holdem.get_or_init(crate::holdem::count)
    }

    /// The counts of stud with a dealer who qualifies from this hand up.
    pub fn stud(&self, qualifier: Pattern) -> Arc<StudCounts> {
        Arc::clone(&self.stud_kept(qualifier).counts)
    }

    /// The outcomes of perfect play under a pay table, and the strategy.
    pub(super) fn stud_play(&self, qualifier: Pattern, pay: &PayTable) -> (Totals, Vec<StrategyRow>) {
        let kept = self.stud_kept(qualifier);
        kept.summary.get_or_init(|| Summary::new(&kept.counts)).play(&kept.counts, pay)
    }

    fn stud_kept(&self, qualifier: Pattern) -> Arc<Stud> {
        let mut kept = self.stud.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stud) = kept.iter().find(|stud| stud.counts.qualifier() == qualifier) {
            return Arc::clone(stud);
        }
        let stud = Arc::new(Stud { counts: Arc::new(count_with(qualifier)), summary: OnceLock::new() });
        kept.push(Arc::clone(&stud));
        stud
    }

    /// The whole game of a book. Refused where the book asks for what the counts do not hold, or an amount is out of
    /// bounds.
    pub fn exact(&self, book: &Rulebook, question: &Question) -> Result<Exact, LabError> {
        question.check()?;
        match &book.game {
            Game::Holdem(rules) => holdem::exact(self, book, rules, question),
            Game::Stud(rules) => stud::exact(self, book, rules, question),
        }
    }
}

/// The whole game of a book, from counts kept for the whole program. See [`Lab::exact`].
pub fn exact(book: &Rulebook, question: &Question) -> Result<Exact, LabError> {
    static LAB: Lab = Lab::new();
    LAB.exact(book, question)
}
