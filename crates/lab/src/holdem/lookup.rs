//! The decisions of hold'em, looked up by cards.

use cards::Card;
use rulebook::HoldemRules;

use super::count::{CLASSES, DEALS_PER_HAND, LaterBets, place_of_cards};
use super::exact::class_net;
use super::pays::Pays;
use crate::advice::Situation;
use crate::exact::LabError;
use crate::game::Case;
use crate::lookup::{Lookup, WithoutWager};

struct HoldemLookup {
    /// What the Flop wager brings by class of hole cards, over all deals of a hand.
    nets: [i128; CLASSES],
    later: LaterBets,
}

pub(super) fn lookup(case: Case<'_>, rules: &HoldemRules) -> Result<Box<dyn Lookup>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let classes = case.lab.holdem().classes();
    let nets = std::array::from_fn(|place| class_net(&pays, &classes[place].deals));
    Ok(Box::new(HoldemLookup { nets, later: LaterBets::new() }))
}

impl Lookup for HoldemLookup {
    fn wagers(&self, situation: &Situation, without: WithoutWager) -> Option<bool> {
        let hole: [Card; 2] = situation.own[..].try_into().ok()?;
        match situation.community[..] {
            [] => {
                let otherwise = match without {
                    WithoutWager::Lost => -i128::from(DEALS_PER_HAND),
                    WithoutWager::Returned => 0,
                };
                Some(otherwise < self.nets[place_of_cards(hole)])
            }
            [a, b, c] => Some(self.later.bets_turn(hole, [a, b, c])),
            [a, b, c, d] => Some(self.later.bets_river(hole, [a, b, c, d])),
            _ => None,
        }
    }
}
