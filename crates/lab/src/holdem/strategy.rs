//! Where bets on turn and river begin, and what simpler play costs.

use std::sync::OnceLock;

use rulebook::HoldemRules;

use super::count::{ClassCounts, Counts, DEALS_PER_HAND, Deals, Frontier, frontier};
use super::exact::{BaseGame, ByWagers, class_net};
use super::pays::Pays;
use crate::exact::{Base, Fraction, LabError};
use crate::game::Case;
use crate::strategy::{FrontierRow, GameStrategy, Play};

pub(super) fn strategy(case: Case<'_>, rules: &HoldemRules) -> Result<GameStrategy, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let counts = case.lab.holdem();
    let simpler = |name, says, base| Play { name, says, base, cost: Fraction::ZERO };
    let simpler_plays = vec![
        simpler(
            "never-fold",
            "never fold; turn and river as they are worth most",
            BaseGame::new(counts, |class| Some(class.deals)).base(&pays),
        ),
        simpler(
            "bet-always",
            "make the Turn and the River wager always; fold what loses more than the Ante",
            always(counts, &pays, true),
        ),
        simpler(
            "check-always",
            "make neither; fold what loses more than the Ante",
            always(counts, &pays, false),
        ),
        simpler(
            "blind",
            "make the Flop wager without looking, and no other",
            BaseGame::new(counts, |class| Some(blind(class))).base(&pays),
        ),
    ];
    let summary =
        "Make the Turn and the River wager exactly where the hand wins more often than it loses.".to_owned();
    Ok(GameStrategy {
        summary,
        frontier: frontiers().iter().map(FrontierRow::new).collect(),
        plays: simpler_plays,
    })
}

/// A hand that is not looked at: turn and river are checked.
pub(super) fn blind(class: &ClassCounts) -> ByWagers {
    both(class, false)
}

/// Turn and river both bet or both checked, whatever the cards.
fn both(class: &ClassCounts, bets: bool) -> ByWagers {
    let mut deals = [[Deals::default(); 2]; 2];
    deals[usize::from(bets)][usize::from(bets)] = class.showdowns();
    deals
}

/// Turn and river both bet always or both never; a class that then loses more than the Ante is folded.
fn always(counts: &Counts, pays: &Pays, bets: bool) -> Base {
    let play = |class: &ClassCounts| {
        let deals = both(class, bets);
        (-i128::from(DEALS_PER_HAND) < class_net(pays, &deals)).then_some(deals)
    };
    BaseGame::new(counts, play).base(pays)
}

/// The frontiers of all classes. They depend on the cards alone, so they are counted once.
fn frontiers() -> &'static [Frontier] {
    static FRONTIERS: OnceLock<Vec<Frontier>> = OnceLock::new();
    FRONTIERS.get_or_init(frontier)
}
