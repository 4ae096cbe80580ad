//! Rule lists of stud: priced by the pattern of a hand and the rank of the up card.

use cards::HandOrder;
use rulebook::StudRules;

use super::count::{Outcomes, Pattern};
use super::{Pays, qualifier};
use crate::exact::LabError;
use crate::game::Case;
use crate::rules::{Cost, GameConditions, Price, PricedRule, RuleList, Street};

/// Conditions with their names, in the order of their bits.
const CONDITIONS: [&str; 10] = [
    "pair",
    "two pairs",
    "ace-king",
    "ace-king queen",
    "ace-king jack",
    "up card paired",
    "up card ace or king",
    "up card under the fourth card",
    "up card under the third card",
    "ace-king-jack-8-3",
];

pub(super) const fn conditions() -> GameConditions {
    GameConditions {
        streets: &[("bet", Street::Bet)],
        conditions: &CONDITIONS,
        folds: false,
        shipped: &[("three-rules", include_str!("../../rules/stud-three-rules.txt"))],
    }
}

/// The conditions that hold for a hand against an up card of this rank.
fn sight(hand: Pattern, up: usize) -> u32 {
    const JACK: usize = 9;
    const QUEEN: usize = 10;
    const KING: usize = 11;
    let ranks = hand.ranks();
    let holds = |rank: usize| ranks >> rank & 1 == 1;
    // Without its lowest bit the set of ranks ends in the fourth card of five odd ones.
    let above_lowest = ranks & (ranks - 1);
    let fourth = above_lowest.trailing_zeros() as usize;
    let third = (above_lowest & above_lowest.wrapping_sub(1)).trailing_zeros() as usize;
    let ace_king = hand.is_ace_king();
    let conditions = [
        HandOrder::FiveOddCards < hand.order(),
        HandOrder::OnePair < hand.order(),
        ace_king,
        ace_king && holds(QUEEN),
        ace_king && holds(JACK),
        holds(up),
        KING <= up,
        up < fourth,
        up < third,
        Pattern::ACE_KING_JACK_EIGHT_THREE <= hand,
    ];
    conditions.iter().rev().fold(0, |bits, &holds| bits << 1 | u32::from(holds))
}

pub(super) fn price(case: Case<'_>, rules: &StudRules, list: &RuleList) -> Result<Price, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let stud = case.lab.stud(qualifier(rules));
    let value = |outcomes: &Outcomes| super::exact::base(outcomes, &pays).net.value();
    let net_of = |list: &RuleList| {
        let bets = |pattern, up: u8| list.wagers(Street::Bet, sight(pattern, up.into()));
        value(&stud.counts.play(|pattern, class| bets(pattern, class.up)))
    };
    let perfect = value(&stud.summary().play(&stud.counts, &pays).0);
    let net = net_of(list);
    let priced = list.rules.iter().enumerate().map(|(place, (rule, _))| PricedRule {
        rule: rule.clone(),
        cost_without: net - net_of(&list.without(place)),
    });
    Ok(Price {
        rulebook: case.book.id.clone(),
        house_edge: 0.0 - net,
        cost: Cost { total: perfect - net, turn: 0.0, river: 0.0 },
        rules: priced.collect(),
    })
}
