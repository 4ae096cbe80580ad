//! The exact value of each choice with one hole hand: the Flop wager or a fold, the Turn or River wager or a check.

use cards::{Card, HandOrder, HandRank, Rank};
use rulebook::{HoldemRules, HoleClass, PlayingArea};

use super::count::{self, DEALS_PER_HAND, Deals, lead};
use super::exact::{class_net, joint_meter};
use super::pays::Pays;
use super::streets::StreetJackpot;
use crate::advice::{Advice, AdviceError, Ahead, Part, Situation};
use crate::exact::{Action, Fraction, LabError};
use crate::game::Case;

/// The community cards that lie open at each decision.
const COMMUNITY: [usize; 3] = [0, 3, 4];

pub(super) fn situation_at(earlier: &[Action], now: &Situation) -> Option<Situation> {
    let community = now.community.get(..*COMMUNITY.get(earlier.len())?)?;
    let made = earlier.iter().zip([PlayingArea::Flop, PlayingArea::Turn]);
    let wagers = made.filter(|(action, _)| **action == Action::Bet).map(|(_, area)| area).collect();
    Some(Situation { wagers, ..Situation::of(&now.own).with_community(community) })
}

pub(super) fn advise(
    case: Case<'_>,
    rules: &HoldemRules,
    situation: &Situation,
) -> Result<Advice, AdviceError> {
    if !situation.dealer.is_empty() {
        return Err(Part::Dealer.is_wrong("hold'em has no up card"));
    }
    let [first, second] = situation.own[..] else {
        let count = situation.own.len();
        return Err(Part::Own.is_wrong(format!("there are 2 hole cards, not {count}")));
    };
    let hole = [first, second];
    let pays = Pays::new(case.book, rules)?;
    match situation.community[..] {
        [] => flop_wager(case, &pays, hole),
        [a, b, c] => Ok(turn_wager(&pays, hole, [a, b, c])),
        [a, b, c, d] => {
            Ok(river_wager(&pays, hole, [a, b, c, d], situation.wagers.contains(&PlayingArea::Turn)))
        }
        _ => {
            let count = situation.community.len();
            let reason = format!("a decision is made with 0, 3 or 4 community cards, not {count}");
            Err(Part::Community.is_wrong(reason))
        }
    }
}

fn flop_wager(case: Case<'_>, pays: &Pays, hole: [Card; 2]) -> Result<Advice, AdviceError> {
    let class = HoleClass::of(hole);
    let ahead = count::before_flop(hole);
    let net = if pays.turn_wager() == pays.river_wager() {
        ante_and_flop(pays, &ahead.showdowns) + i128::from(pays.turn_wager()) * i128::from(ahead.later)
    } else {
        // The stored table holds Turn and River wagers together.
        class_net(pays, &case.lab.holdem().class(class).deals)
    };
    let values = [net, -i128::from(DEALS_PER_HAND)].map(|net| Fraction::new(net, DEALS_PER_HAND));
    let combined = joint_cents(case, class, values)?;
    let actions = [Action::Bet, Action::Fold];
    let compared = compared(pays, &ahead.showdowns);
    let advice = Advice::new("Flop", class.to_string(), actions, values, combined, compared);
    Ok(advice.with_silence(case.book))
}

/// What Ante and jackpot bring together, where a fold loses lines of a jackpot that is wagered on.
fn joint_cents(
    case: Case<'_>,
    class: HoleClass,
    values: [Fraction; 2],
) -> Result<Option<[Fraction; 2]>, LabError> {
    let Some(meter) = joint_meter(case) else { return Ok(None) };
    let wager = case.question.jackpot_wager_cents;
    let jackpot = StreetJackpot::new(case.book, wager)?;
    let [played, folded] = jackpot.class_returns(class, meter);
    let cents = |net: Fraction, award: Fraction| {
        net.times(Fraction::whole(case.question.ante_cents)).plus(award).minus(Fraction::whole(wager))
    };
    Ok(Some([cents(values[0], played), cents(values[1], folded)]))
}

fn turn_wager(pays: &Pays, hole: [Card; 2], flop: [Card; 3]) -> Advice {
    let ahead = count::after_flop(hole, flop);
    let deals = &ahead.showdowns;
    let check = ante_and_flop(pays, deals) + i128::from(pays.river_wager()) * i128::from(ahead.later);
    later_wager("Turn", pays, &[&hole[..], &flop].concat(), deals, [check, pays.turn_wager().into()])
}

fn river_wager(pays: &Pays, hole: [Card; 2], board: [Card; 4], turn: bool) -> Advice {
    let deals = &count::after_turn(hole, board);
    let check = pays.total(deals, turn, false);
    later_wager("River", pays, &[&hole[..], &board].concat(), deals, [check, pays.river_wager().into()])
}

/// A Turn or River wager wins and loses with the hand, 1 to 1, and changes nothing else.
fn later_wager(
    name: &'static str,
    pays: &Pays,
    cards: &[Card],
    deals: &Deals,
    [check, wager]: [i128; 2],
) -> Advice {
    let bet = check + wager * i128::from(lead(deals));
    let values = [bet, check].map(|net| Fraction::new(net, deals.all()));
    let order = HandRank::best_of(cards).order().to_string();
    Advice::new(name, order, [Action::Bet, Action::Check], values, None, compared(pays, deals))
}

fn ante_and_flop(pays: &Pays, deals: &Deals) -> i128 {
    pays.total(deals, false, false)
}

fn compared(pays: &Pays, deals: &Deals) -> Ahead {
    let with_ante = pays.won_with_ante(deals);
    Ahead {
        win_with_ante: Some(with_ante),
        no_hand: None,
        win: deals.won() - with_ante,
        stand_off: deals.ties,
        lose: deals.losses,
        all: deals.all(),
    }
}

/// Pairs, suited or neighbouring cards and high cards before the flop; then a hand, or on the flop four of a suit.
pub(super) fn casual_player_wagers(situation: &Situation) -> Option<bool> {
    let hole: [Card; 2] = situation.own.as_slice().try_into().ok()?;
    let board = &situation.community[..];
    match board.len() {
        0 => Some(is_worth_a_look(hole)),
        3 => Some(has_something(hole, board) || has_four_of_a_suit(hole, board)),
        4 => Some(has_something(hole, board)),
        _ => None,
    }
}

/// A pair, two of a suit, neighbours, or a card from Nine up.
fn is_worth_a_look([one, other]: [Card; 2]) -> bool {
    let high = one.rank().max(other.rank());
    let are_neighbours = (one.rank() as u8).abs_diff(other.rank() as u8) == 1;
    one.rank() == other.rank() || one.suit() == other.suit() || are_neighbours || Rank::Nine <= high
}

/// A pair with a card of one's own, or a Straight and up.
fn has_something(hole: [Card; 2], board: &[Card]) -> bool {
    let is_paired = |card: &Card| board.iter().any(|shown| shown.rank() == card.rank());
    hole[0].rank() == hole[1].rank()
        || hole.iter().any(is_paired)
        || HandOrder::Straight <= HandRank::best_of(&[&hole[..], board].concat()).order()
}

fn has_four_of_a_suit(hole: [Card; 2], board: &[Card]) -> bool {
    let suited = |card: &Card| hole.iter().chain(board).filter(|other| other.suit() == card.suit()).count();
    hole.iter().any(|card| 4 <= suited(card))
}
