//! The decisions of stud, looked up by hand and up card.

use cards::Card;
use rulebook::StudRules;

use super::count::{Class, Pattern};
use super::simulate::Decisions;
use super::{Pays, qualifier};
use crate::advice::Situation;
use crate::exact::LabError;
use crate::game::Case;
use crate::lookup::{Lookup, WithoutWager};

struct StudLookup {
    rather_than_lost: Decisions,
    rather_than_returned: Decisions,
}

pub(super) fn lookup(case: Case<'_>, rules: &StudRules) -> Result<Box<dyn Lookup>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let counts = &case.lab.stud(qualifier(rules)).counts;
    let wins = |pattern: Pattern, class: &Class| 0 < pays.bet(pattern, class);
    Ok(Box::new(StudLookup {
        rather_than_lost: Decisions::new(counts, |pattern, class| pays.bets(pattern, class)),
        rather_than_returned: Decisions::new(counts, wins),
    }))
}

impl Lookup for StudLookup {
    fn wagers(&self, situation: &Situation, without: WithoutWager) -> Option<bool> {
        let hand: [Card; 5] = situation.own[..].try_into().ok()?;
        let up = *situation.dealer.last()?;
        let decisions = match without {
            WithoutWager::Lost => &self.rather_than_lost,
            WithoutWager::Returned => &self.rather_than_returned,
        };
        Some(decisions.bets(hand, up))
    }
}
