//! Rule lists of stud: priced by the pattern of a hand and the rank of the up card.

use cards::{Card, HandOrder, HandRank};
use rulebook::StudRules;

use super::count::{DEALER_HANDS, DEALS, Outcomes, Pattern};
use super::{Pays, qualifier};
use crate::advice::Situation;
use crate::exact::{Fraction, LabError};
use crate::game::Case;
use crate::rules::{Cost, GameConditions, Price, PricedRule, RuleList, Seen, Street};
use crate::stakes::Stakes;

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
        beginner: include_str!("../../rules/stud-beginner.txt"),
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

/// Situations are sorted by the order of the hand: a rare one is worth far more than a pair.
pub(super) fn sort(situation: &Situation) -> Option<usize> {
    (situation.own.len() == 5).then(|| HandRank::best_of(&situation.own).order() as usize)
}

/// What is at stake in the one decision of a round.
pub(super) fn stakes(case: Case<'_>, rules: &StudRules, list: &RuleList) -> Result<Stakes, LabError> {
    let pays = Pays::new(case.book, rules)?;
    let stud = case.lab.stud(qualifier(rules));
    let mut stakes: [(i128, [i64; 10]); 2] = [(0, [0; 10]); 2];
    for (pattern, classes) in stud.counts.patterns() {
        for class in classes {
            let at_stake = (pays.bet(pattern, class) - pays.fold()).abs();
            let is_right =
                list.wagers(Street::Bet, sight(pattern, class.up.into())) == pays.bets(pattern, class);
            let (sum, most) = &mut stakes[usize::from(!is_right)];
            *sum += i128::from(class.hands) * i128::from(at_stake);
            let most = &mut most[pattern.order() as usize];
            *most = (*most).max(at_stake);
        }
    }
    let [right, wrong] = stakes;
    let one = |most: [i64; 10]| most.map(|most| Fraction::new(i128::from(most), DEALER_HANDS)).to_vec();
    Ok(Stakes {
        where_right: Fraction::new(right.0, DEALS),
        where_wrong: Fraction::new(wrong.0, DEALS),
        most_where_right: one(right.1),
        most_where_wrong: one(wrong.1),
    })
}

/// What is seen of five cards and the up card. A list says nothing to a Player who knows more cards of the Dealer.
pub(super) fn seen(situation: &Situation) -> Option<Seen> {
    let hand: [Card; 5] = situation.own[..].try_into().ok()?;
    let [up] = situation.dealer[..] else { return None };
    let pattern = Pattern::of(HandRank::best_of(&hand));
    Some(Seen::Street(Street::Bet, sight(pattern, up.rank() as usize)))
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
