//! Everything one round brings a hold'em player together: main game, Bonus and the hand that the Jackpot looks at.

use std::collections::BTreeMap;

use cards::{Card, HandOrder};
use rulebook::{BonusFollows, HoldemRules};

use super::bonus::{dealer_classes, lines_of};
use super::count::{Boards, ClassCounts, Deals, LaterBets, against_hand, cards_of_class, fold};
use super::exact::ByWagers;
use super::matchup::hands_of;
use super::pays::Pays;
use crate::exact::pays::to_one;
use crate::exact::{Action, LabError};
use crate::game::Case;
use crate::risk::{Joint, JointRow, jackpot_hands};

/// Deals by the order of hand on the flop, those of no line last.
type ByHand = [ByWagers; 11];
const NO_LINE: usize = 10;

/// Deals with what the Bonus brings them, in Bonus wagers.
struct Piece {
    bonus: i64,
    deals: ByHand,
}

pub(super) fn joint(case: Case<'_>, rules: &HoldemRules, with_bonus: bool) -> Result<Joint, LabError> {
    let hands = jackpot_hands(case)?;
    let pays = Pays::new(case.book, rules)?;
    let exact = case.lab.exact(case.book, case.question)?;
    let counts = case.lab.holdem();
    let boards = Boards::new();
    let later = boards.perfect_play();
    let tasks: Vec<(&ClassCounts, bool)> = counts
        .classes()
        .iter()
        .zip(&exact.hole_cards)
        .map(|(class, played)| (class, played.play == Action::Fold))
        .collect();
    let work = |sums: &mut BTreeMap<(i64, i64, Option<HandOrder>), u64>,
                &(class, is_folded): &(&ClassCounts, bool)| {
        let by_hand = by_hand(&boards, &later, class, &hands);
        let pieces = if with_bonus {
            pieces(&later, class, rules, &by_hand, &hands)
        } else {
            vec![Piece { bonus: 0, deals: by_hand }]
        };
        let weight = class.class.combinations();
        for piece in pieces {
            for (place, by_wagers) in piece.deals.iter().enumerate() {
                let hand = HandOrder::ALL.get(place).copied().filter(|_| place != NO_LINE);
                let mut add = |base: i64, bonus: i64, deals: u64| {
                    if 0 < deals {
                        *sums.entry((base, bonus, hand)).or_default() += weight * deals;
                    }
                };
                for (wagers, deals) in by_wagers.as_flattened().iter().enumerate() {
                    let (turn, river) = (2 <= wagers, wagers % 2 == 1);
                    if is_folded {
                        add(Pays::FOLD, if with_bonus { -1 } else { 0 }, deals.all());
                        continue;
                    }
                    let loses_bonus = with_bonus && rules.bonus_follows == BonusFollows::Showdown;
                    for order in HandOrder::ALL {
                        add(pays.win(order, turn, river), piece.bonus, deals.won_with(order));
                    }
                    add(pays.stand_off(turn, river), piece.bonus, deals.ties);
                    add(pays.lose(turn, river), if loses_bonus { -1 } else { piece.bonus }, deals.losses);
                }
            }
        }
    };
    let mut sums = BTreeMap::new();
    for part in fold(&tasks, BTreeMap::new, work) {
        for (key, deals) in part {
            *sums.entry(key).or_default() += deals;
        }
    }
    let row = |((base, bonus, hand), deals)| JointRow { base, bonus, hand, deals };
    Ok(Joint { deals: exact.deals, rows: sums.into_iter().map(row).collect() })
}

/// The deals of a class, those apart in which hole cards and flop make a hand of the Jackpot's table.
fn by_hand(boards: &Boards, later: &LaterBets, class: &ClassCounts, hands: &[HandOrder]) -> ByHand {
    let mut all = [ByWagers::default(); 11];
    all[NO_LINE] = class.deals;
    if !hands.is_empty() {
        let made = boards.by_flop_hand(later, cards_of_class(class.class), |order| hands.contains(&order));
        for (place, made) in made.into_iter().enumerate() {
            all[NO_LINE] = combined(&all[NO_LINE], &made, Deals::minus);
            all[place] = made;
        }
    }
    all
}

/// The deals of a class by what the Bonus pays: lines that ask for the dealer's cards stand above those that do not.
fn pieces(
    later: &LaterBets,
    class: &ClassCounts,
    rules: &HoldemRules,
    all: &ByHand,
    hands: &[HandOrder],
) -> Vec<Piece> {
    let mut left = *all;
    let mut pieces = Vec::new();
    let mut otherwise = -1;
    for (_, line) in lines_of(class.class, &rules.bonus) {
        if line.dealer.is_empty() {
            otherwise = to_one(line.pays);
            break;
        }
        let hole = cards_of_class(class.class);
        let is_free = |hand: &[Card; 2]| !hand.iter().any(|card| hole.contains(card));
        let mut paid = [ByWagers::default(); 11];
        for dealer in dealer_classes(line).into_iter().flat_map(hands_of).filter(is_free) {
            for (place, deals) in against_hand(later, hole, dealer).iter().enumerate() {
                let place = if hands.contains(&HandOrder::ALL[place]) { place } else { NO_LINE };
                paid[place] = combined(&paid[place], deals, Deals::plus);
            }
        }
        for (left, paid) in left.iter_mut().zip(&paid) {
            *left = combined(left, paid, Deals::minus);
        }
        pieces.push(Piece { bonus: to_one(line.pays), deals: paid });
    }
    pieces.push(Piece { bonus: otherwise, deals: left });
    pieces
}

fn combined(one: &ByWagers, other: &ByWagers, with: fn(Deals, &Deals) -> Deals) -> ByWagers {
    std::array::from_fn(|turn| std::array::from_fn(|river| with(one[turn][river], &other[turn][river])))
}
