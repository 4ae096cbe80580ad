//! Rule lists of hold'em: priced by what is seen in hole cards and board.

mod search;

use cards::Card;
use rulebook::{HoldemRules, HoleClass};

use super::count::{CLASSES, CONDITIONS, DEALS, DEALS_PER_HAND, place_of, sight};
use super::exact::{ByWagers, class_net};
use super::pays::Pays;
use crate::advice::Situation;
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::rules::{Cost, Found, GameConditions, Price, PricedRule, RuleList, Seen, Street};
use crate::stakes::Stakes;

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
        beginner: include_str!("../../rules/holdem-three-lines.txt"),
    }
}

/// What is seen of hole cards, of a flop and of a board of four.
pub(super) fn seen(situation: &Situation) -> Option<Seen> {
    let hole: [Card; 2] = situation.own[..].try_into().ok()?;
    let card = |card: Card| (card.index() / 4, card.index() % 4);
    let board: Vec<(u8, u8)> = situation.community.iter().copied().map(card).collect();
    let street = match board.len() {
        0 => return Some(Seen::Hole(HoleClass::of(hole))),
        3 => Street::Turn,
        4 => Street::River,
        _ => return None,
    };
    Some(Seen::Street(street, sight(hole.map(card), &board)))
}

pub(super) fn price(case: Case<'_>, rules: &HoldemRules, list: &RuleList) -> Result<Price, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let classes = case.lab.holdem().classes();
    let mut folded = [false; CLASSES];
    list.folds().into_iter().for_each(|class| folded[place_of(class)] = true);
    let sights = case.lab.holdem.sights(&folded);
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

/// The classes of hole cards that perfect play folds, in the order of the chart.
fn perfect_folds(case: Case<'_>, pays: &Pays) -> [bool; CLASSES] {
    let fold = -i128::from(DEALS_PER_HAND);
    let mut folded = [false; CLASSES];
    for class in case.lab.holdem().classes() {
        folded[place_of(class.class)] = class_net(pays, &class.deals) <= fold;
    }
    folded
}

/// Situations are sorted by their decision: Flop, Turn, River.
pub(super) fn sort(situation: &Situation) -> Option<usize> {
    match situation.community.len() {
        0 => Some(0),
        3 => Some(1),
        4 => Some(2),
        _ => None,
    }
}

/// What is at stake with perfect play up to each decision.
pub(super) fn stakes(case: Case<'_>, rules: &HoldemRules, list: &RuleList) -> Result<Stakes, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let fold = -i128::from(DEALS_PER_HAND);
    let folded = perfect_folds(case, &pays);
    let by_list = list.folds();
    // Sums over all deals; what one mistake costs is in deals of one hand.
    let (mut all, mut wrong) = (0, 0);
    let (mut most, mut most_wrong) = (vec![0], vec![0]);
    for class in case.lab.holdem().classes() {
        let hands = i128::from(class.class.combinations());
        let at_stake = (class_net(&pays, &class.deals) - fold).abs();
        all += hands * at_stake;
        if folded[place_of(class.class)] == by_list.contains(&class.class) {
            most[0] = at_stake.max(most[0]);
        } else {
            wrong += hands * at_stake;
            most_wrong[0] = at_stake.max(most_wrong[0]);
        }
    }
    let sights = case.lab.holdem.sights(&folded);
    let later = [(Street::Turn, pays.turn_wager()), (Street::River, pays.river_wager())];
    for (place, (street, wager)) in later.into_iter().enumerate() {
        let wager = i128::from(wager);
        let played = sights.leads[place].iter().filter(|((folded, _), _)| !folded);
        let (mut always, mut made) = (0, 0);
        for ((_, sight), lead) in played {
            always += i128::from(*lead);
            made += if list.wagers(street, *sight) { i128::from(*lead) } else { 0 };
        }
        let best = i128::from(sights.best[place][0]);
        all += wager * (2 * best - always);
        wrong += wager * (best - made);
        // No decision after the first risks more than its wager.
        let bound = wager * i128::from(DEALS_PER_HAND);
        most.push(bound);
        most_wrong.push(bound);
    }
    let of_all = |sum: i128| Fraction::new(sum, DEALS);
    let of_one = |all: Vec<i128>| all.into_iter().map(|sum| Fraction::new(sum, DEALS_PER_HAND)).collect();
    Ok(Stakes {
        where_right: of_all(all - wrong),
        where_wrong: of_all(wrong),
        most_where_right: of_one(most),
        most_where_wrong: of_one(most_wrong),
    })
}

/// The best lists of up to so many lines a street, with perfect folds.
pub(super) fn search(case: Case<'_>, rules: &HoldemRules, lines: usize) -> Result<Vec<Found>, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let sights = case.lab.holdem.sights(&perfect_folds(case, &pays));
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
