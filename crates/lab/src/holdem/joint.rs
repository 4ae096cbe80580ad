//! Everything one round brings a hold'em player together: main game, Bonus and the hand that the Jackpot looks at.

use std::collections::BTreeMap;

use cards::{Card, HandOrder};
use rulebook::{BonusFollows, HoldemRules, JackpotRules};

use super::bonus::{dealer_classes, lines_of};
use super::count::{
    Boards, ClassCounts, Deals, LaterBets, against_hand, cards_of_class, fold, on_high_boards,
};
use super::exact::ByWagers;
use super::matchup::hands_of;
use super::pays::Pays;
use crate::exact::pays::to_one;
use crate::exact::{Action, LabError, five_cards};
use crate::game::Case;
use crate::risk::{Joint, JointRow, line_bit, lines_by_hand};

/// Deals by the lines of the Jackpot's table that are paid, one bit each.
type ByLines = BTreeMap<u32, ByWagers>;

/// Deals with what the Bonus brings them, in Bonus wagers.
struct Piece {
    bonus: i64,
    deals: ByLines,
}

/// How the Jackpot is counted with the rest.
enum Jackpot<'a> {
    /// No wager is made.
    None,
    /// Its lines look at hole cards and flop: the line of each order of hand.
    Flop(Vec<(HandOrder, u32)>),
    /// Its lines look at more, and a fold loses some: every board is settled.
    Streets(&'a JackpotRules),
}

impl Jackpot<'_> {
    /// The deals of a class by the lines that are paid.
    fn of_class(&self, boards: &Boards, later: &LaterBets, class: &ClassCounts, is_folded: bool) -> ByLines {
        let hole = cards_of_class(class.class);
        let paid = match self {
            Jackpot::None => ByLines::new(),
            Jackpot::Flop(lines) => {
                let is_line = |order| lines.iter().any(|(hand, _)| *hand == order);
                let made = boards.by_flop_hand(later, hole, is_line);
                lines.iter().map(|&(hand, line)| (line, made[hand as usize])).collect()
            }
            Jackpot::Streets(rules) => {
                on_high_boards(later, hole, None, |board| lines_paid(rules, hole, board, is_folded))
            }
        };
        with_rest(paid, &class.deals)
    }

    /// The same against one hand of the dealer.
    fn against(&self, later: &LaterBets, hole: [Card; 2], dealer: [Card; 2], is_folded: bool) -> ByLines {
        let by_flop = against_hand(later, hole, dealer);
        let all = by_flop.iter().fold(ByWagers::default(), |sum, deals| combined(&sum, deals, Deals::plus));
        let paid = match self {
            Jackpot::None => ByLines::new(),
            Jackpot::Flop(lines) => {
                lines.iter().map(|&(hand, line)| (line, by_flop[hand as usize])).collect()
            }
            Jackpot::Streets(rules) => {
                on_high_boards(later, hole, Some(dealer), |board| lines_paid(rules, hole, board, is_folded))
            }
        };
        with_rest(paid, &all)
    }
}

/// Adds what is left of all deals: those on which no line is paid.
fn with_rest(mut paid: ByLines, all: &ByWagers) -> ByLines {
    let rest = paid.values().fold(*all, |rest, paid| combined(&rest, paid, Deals::minus));
    paid.insert(0, rest);
    paid
}

/// The lines that the settlement of the tables pays.
fn lines_paid(rules: &JackpotRules, hole: [Card; 2], board: [Card; 5], is_folded: bool) -> u32 {
    let paid = round::jackpot_lines(rules, &hole, &board, is_folded);
    paid.iter().map(|paid| line_bit(rules, |line| line == paid)).sum()
}

pub(super) fn joint(case: Case<'_>, rules: &HoldemRules, with_bonus: bool) -> Result<Joint, LabError> {
    let table = &case.book.jackpot;
    let jackpot = if case.question.jackpot_wager_cents == 0 {
        Jackpot::None
    } else if five_cards::is_five_cards(table) {
        Jackpot::Flop(lines_by_hand(table))
    } else {
        Jackpot::Streets(table)
    };
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
    let work = |sums: &mut BTreeMap<(i64, i64, u32), u64>, &(class, is_folded): &(&ClassCounts, bool)| {
        let all = jackpot.of_class(&boards, &later, class, is_folded);
        let pieces = if with_bonus {
            let against = |dealer| jackpot.against(&later, cards_of_class(class.class), dealer, is_folded);
            pieces(class, rules, all, against)
        } else {
            vec![Piece { bonus: 0, deals: all }]
        };
        let weight = class.class.combinations();
        for piece in pieces {
            for (lines, by_wagers) in piece.deals {
                let mut add = |base: i64, bonus: i64, deals: u64| {
                    if 0 < deals {
                        *sums.entry((base, bonus, lines)).or_default() += weight * deals;
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
    let row = |((base, bonus, lines), deals)| JointRow { base, bonus, lines, deals };
    Ok(Joint { deals: exact.deals, rows: sums.into_iter().map(row).collect() })
}

/// The deals of a class by what the Bonus pays: lines that ask for the dealer's cards stand above those that do not.
fn pieces(
    class: &ClassCounts,
    rules: &HoldemRules,
    all: ByLines,
    against: impl Fn([Card; 2]) -> ByLines,
) -> Vec<Piece> {
    let mut left = all;
    let mut pieces = Vec::new();
    let mut otherwise = -1;
    for (_, line) in lines_of(class.class, &rules.bonus) {
        if line.dealer.is_empty() {
            otherwise = to_one(line.pays);
            break;
        }
        let hole = cards_of_class(class.class);
        let is_free = |hand: &[Card; 2]| !hand.iter().any(|card| hole.contains(card));
        let mut paid = ByLines::new();
        for dealer in dealer_classes(line).into_iter().flat_map(hands_of).filter(is_free) {
            for (lines, deals) in against(dealer) {
                let sum = paid.entry(lines).or_default();
                *sum = combined(sum, &deals, Deals::plus);
            }
        }
        for (lines, paid) in &paid {
            let left = left.entry(*lines).or_default();
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
