//! Rule lists of hold'em: priced by what is seen in hole cards and board.

mod search;

use rulebook::HoldemRules;

use super::count::{CLASSES, CONDITIONS, DEALS, DEALS_PER_HAND, Sights, place_of};
use super::exact::{ByWagers, class_net};
use super::pays::Pays;
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::rules::{Cost, Found, GameConditions, Price, PricedRule, RuleList, Street};

pub(super) const fn conditions() -> GameConditions {
    GameConditions {
        streets: &[("turn", Street::Turn), ("river", Street::River)],
        conditions: &CONDITIONS,
        folds: true,
        shipped: &[
            ("three-lines", include_str!("../../rules/holdem-three-lines.txt")),
            ("five-lines", include_str!("../../rules/holdem-five-lines.txt")),
            ("chart", include_str!("../../rules/holdem-chart.txt")),
        ],
    }
}

pub(super) fn price(case: Case<'_>, rules: &HoldemRules, list: &RuleList) -> Result<Price, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let classes = case.lab.holdem().classes();
    let mut folded = [false; CLASSES];
    list.folds().into_iter().for_each(|class| folded[place_of(class)] = true);
    let sights = Sights::new(&folded);
    let fold = -i128::from(DEALS_PER_HAND);
    // Ante and Flop wager alone, and with perfect play after them, of the classes that are folded and of the others.
    let (mut played, mut of_folded, mut perfect) = (0, 0, 0);
    for class in classes {
        let hands = i128::from(class.class.combinations());
        let mut checked = ByWagers::default();
        checked[0][0] = class.showdowns();
        let net = hands * class_net(&pays, &checked);
        perfect += hands * class_net(&pays, &class.deals).max(fold);
        if folded[place_of(class.class)] {
            of_folded += net;
            played += hands * fold;
        } else {
            played += net;
        }
    }
    let folds: i128 = classes
        .iter()
        .filter(|class| folded[place_of(class.class)])
        .map(|class| i128::from(class.class.combinations()) * fold)
        .sum();
    let wagers = [pays.turn_wager(), pays.river_wager()].map(i128::from);
    let streets = [Street::Turn, Street::River];
    let later = |list: &RuleList, all: bool| -> [i128; 2] {
        std::array::from_fn(|street| {
            let made = sights.leads[street]
                .iter()
                .filter(|((folded, sight), _)| (all || !folded) && list.wagers(streets[street], *sight));
            wagers[street] * made.map(|(_, lead)| i128::from(*lead)).sum::<i128>()
        })
    };
    let net_of = |list: &RuleList| {
        let all = list.folds().is_empty() && !folded.iter().all(|folded| !folded);
        let base = if all { played - folds + of_folded } else { played };
        base + later(list, all).iter().sum::<i128>()
    };
    let value = |net: i128| Fraction::new(net, DEALS).value();
    let net = net_of(list);
    let [turn, river] = later(list, false);
    let cost = |street: usize, made: i128| value(wagers[street] * i128::from(sights.best[street][0]) - made);
    let priced = list.rules.iter().enumerate().map(|(place, (rule, _))| PricedRule {
        rule: rule.clone(),
        cost_without: value(net - net_of(&list.without(place))),
    });
    Ok(Price {
        rulebook: case.book.id.clone(),
        house_edge: 0.0 - value(net),
        cost: Cost { total: value(perfect - net), turn: cost(0, turn), river: cost(1, river) },
        rules: priced.collect(),
    })
}

/// The best lists of up to so many lines a street, with perfect folds.
pub(super) fn search(case: Case<'_>, rules: &HoldemRules, lines: usize) -> Result<Vec<Found>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let fold = -i128::from(DEALS_PER_HAND);
    let mut folded = [false; CLASSES];
    for class in case.lab.holdem().classes() {
        folded[place_of(class.class)] = class_net(&pays, &class.deals) <= fold;
    }
    let sights = Sights::new(&folded);
    let mut found = Vec::new();
    for (street, (name, wager)) in
        [("turn", pays.turn_wager()), ("river", pays.river_wager())].into_iter().enumerate()
    {
        let played = sights.leads[street].iter().filter(|((folded, _), _)| !folded);
        let played: Vec<_> = played.map(|((_, sight), lead)| (*sight, *lead)).collect();
        for (list, gain) in search::search(&played, lines) {
            let lost = i128::from(wager) * i128::from(sights.best[street][0] - gain);
            found.push(Found {
                street: name,
                rules: list.into_iter().map(|rule| format!("{name}: {}", rule.words())).collect(),
                cost: Fraction::new(lost, DEALS).value(),
            });
        }
    }
    Ok(found)
}
