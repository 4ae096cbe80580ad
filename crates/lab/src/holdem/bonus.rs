//! The Bonus: a table of hole cards, weighed by how often each line is paid.

use cards::Card;
use money::Odds;
use rulebook::{BonusFollows, BonusLine, HoldemRules, HoleClass};

use super::count::{ClassCounts, Counts, DEALS, DEALS_PER_HAND, Deals};
use super::matchup::{against, hands_of};
use crate::exact::pays::to_one;
use crate::exact::{Bonus, BonusRow, Fraction};

/// The dealer's hole hands that a hole hand leaves.
const DEALER_HANDS: u64 = 1_225;

/// Hole hands and dealer's hole hands.
const BONUS_DEALS: u64 = 1_326 * DEALER_HANDS;

/// The odds of the Bonus table in its order, each once.
pub(super) fn odds(rules: &HoldemRules) -> Vec<Odds> {
    let mut odds: Vec<Odds> = Vec::new();
    for line in &rules.bonus {
        if !odds.contains(&line.pays) {
            odds.push(line.pays);
        }
    }
    odds
}

/// The Bonus with given folds, each of which loses it.
///
/// If it follows the hole cards, hole cards of both are all that matters: 1,624,350 equally likely pairs. If it
/// follows the comparison of hands, it is lost by a losing hand too, and the counts of the whole game say how often.
pub(super) fn bonus(counts: &Counts, rules: &HoldemRules, folds: &[bool]) -> Bonus {
    let showdown = rules.bonus_follows == BonusFollows::Showdown;
    let all = if showdown { DEALS } else { BONUS_DEALS };
    let mut deals = vec![0; rules.bonus.len()];
    let mut folded_deals = 0;
    for (class, &fold) in counts.classes().iter().zip(folds) {
        let hands = class.class.combinations();
        let paid = if showdown {
            paid_at_showdown(class, &rules.bonus)
        } else {
            paid_on_hole_cards(class.class, &rules.bonus)
        };
        for (line, paid) in paid {
            let sum = if fold { &mut folded_deals } else { &mut deals[line] };
            *sum += hands * paid;
        }
    }
    let row = |(line, &deals): (&BonusLine, &u64)| BonusRow {
        hole_cards: line.hole_cards.iter().map(ToString::to_string).collect(),
        dealer: line.dealer.iter().map(ToString::to_string).collect(),
        pays: u32::try_from(to_one(line.pays)).expect("odds are a small number"),
        deals,
        returned: Fraction::new(i128::from(to_one(line.pays)) * i128::from(deals), all),
    };
    let lines: Vec<BonusRow> = rules.bonus.iter().zip(&deals).map(row).collect();
    let lost = i128::from(all) - i128::from(deals.iter().sum::<u64>());
    let sum = |of: fn(i128) -> i128| -> i128 {
        lines.iter().map(|line| of(i128::from(line.pays)) * i128::from(line.deals)).sum::<i128>()
            + of(-1) * lost
    };
    let net = Fraction::new(sum(|won| won), all);
    let second_moment = Fraction::new(sum(|won| won * won), all);
    Bonus { deals: all, lines, folded_deals, ..Bonus::new(net, second_moment) }
}

/// What the Bonus brings with one class of hole cards that is not folded, in Bonus wagers.
pub(super) fn class_net(class: &ClassCounts, rules: &HoldemRules) -> Fraction {
    let (paid, all) = match rules.bonus_follows {
        BonusFollows::Showdown => (paid_at_showdown(class, &rules.bonus), DEALS_PER_HAND),
        BonusFollows::HoleCards => (paid_on_hole_cards(class.class, &rules.bonus), DEALER_HANDS),
    };
    let returned =
        |(line, deals): (usize, u64)| i128::from(to_one(rules.bonus[line].pays) + 1) * i128::from(deals);
    Fraction::new(paid.into_iter().map(returned).sum::<i128>() - i128::from(all), all)
}

/// Of the dealer's 1,225 hands, how many pay a class on each of its lines: one that asks for the dealer's cards too,
/// which stands above, and one that does not.
fn paid_on_hole_cards(class: HoleClass, lines: &[BonusLine]) -> Vec<(usize, u64)> {
    let mut left = DEALER_HANDS;
    let mut paid = Vec::new();
    for (place, line) in lines_of(class, lines) {
        let hands = if line.dealer.is_empty() {
            left
        } else {
            let hole = hands_of(class)[0];
            let free = |hand: &&[Card; 2]| !hand.iter().any(|card| hole.contains(card));
            dealer_classes(line)
                .iter()
                .map(|&dealer| hands_of(dealer).iter().filter(free).count() as u64)
                .sum()
        };
        left -= hands;
        paid.push((place, hands));
    }
    paid
}

/// The same over all deals of one hole hand, those it loses left out.
fn paid_at_showdown(class: &ClassCounts, lines: &[BonusLine]) -> Vec<(usize, u64)> {
    let kept = |deals: Deals| deals.won() + deals.ties;
    let mut left = kept(class.showdowns());
    debug_assert!(left <= DEALS_PER_HAND);
    let mut paid = Vec::new();
    for (place, line) in lines_of(class.class, lines) {
        let deals = if line.dealer.is_empty() {
            left
        } else {
            dealer_classes(line).iter().map(|&dealer| kept(against(class.class, dealer))).sum()
        };
        left -= deals;
        paid.push((place, deals));
    }
    paid
}

/// The lines that list a class.
pub(super) fn lines_of(class: HoleClass, lines: &[BonusLine]) -> impl Iterator<Item = (usize, &BonusLine)> {
    let lists = move |(_, line): &(usize, &BonusLine)| line.hole_cards.contains(&class);
    lines.iter().enumerate().filter(lists)
}

/// The dealer's classes of a line, each once.
pub(super) fn dealer_classes(line: &BonusLine) -> Vec<HoleClass> {
    let mut classes = line.dealer.clone();
    classes.sort_unstable();
    classes.dedup();
    classes
}
