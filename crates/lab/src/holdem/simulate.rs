//! Hold'em simulated: decisions looked up, hands settled by the settlement of the tables.

use std::cmp::Ordering;

use cards::{Card, Hand, Pair};
use money::{Money, Odds};
use round::{HoldemHand, Outcome, holdem_outcomes};
use rulebook::{AfterFold, HoldemRules, PlayingArea, Rulebook};

use super::bonus;
use super::count::{
    Boards, CLASSES, ClassCounts, LaterBets, cards_of_class, chart, fold, place_of, place_of_cards,
};
use super::exact::{BaseGame, ByWagers, class_net};
use super::pays::Pays;
use super::rules::conditions;
use super::strategy::blind;
use super::streets::StreetJackpot;
use crate::exact::{Action, Bonus, BonusRow, Exact, Fraction, Question};
use crate::game::Lab;
use crate::rules::{RuleList, Street};
use crate::simulate::dealing::{Dealt, Plan};
use crate::simulate::table::{JackpotCards, PlayedHand, Table, net_cents, times_ante};
use crate::simulate::{BATCH, Expected, Played, Setup, SetupError, Strategy, play_all};

/// A strategy: which classes of hole cards are folded, and what is done after the Flop wager.
struct Decisions {
    folds: [bool; CLASSES],
    /// Perfect play on turn and river; none checks both.
    later: Option<LaterBets>,
}

impl Decisions {
    fn new(folds: &[bool], later: Option<LaterBets>) -> Decisions {
        Decisions { folds: std::array::from_fn(|class| folds[class]), later }
    }
}

/// What is decided in a round.
#[derive(Clone, Copy, Default)]
struct Decision {
    folds: bool,
    turn: bool,
    river: bool,
}

/// The four ends of a hand that is compared; with each of the four ways to play turn and river.
const WIN_WITH_ANTE: u8 = 0;
const WIN: u8 = 1;
const STAND_OFF: u8 = 2;
const LOSE: u8 = 3;

/// The end as a number: the place of its row in [`BaseGame::rows`].
const fn end(turn: bool, river: bool, result: u8) -> u8 {
    1 + 8 * turn as u8 + 4 * river as u8 + result
}

struct HoldemTable<'a> {
    rules: &'a HoldemRules,
    plan: Plan<2, 5>,
    decisions: Decisions,
    ante: Money,
    bonus: Money,
    flop: Money,
    turn: Money,
    river: Money,
    /// The odds of the Bonus table, each once.
    bonus_odds: Vec<Odds>,
}

impl<'a> HoldemTable<'a> {
    fn new(setup: &'a Setup, rules: &'a HoldemRules, decisions: Decisions) -> HoldemTable<'a> {
        let wager = |area| times_ante(&setup.book, area, setup.ante);
        HoldemTable {
            rules,
            plan: Plan::new(&setup.book, setup.players),
            decisions,
            ante: setup.ante,
            bonus: setup.bonus,
            flop: wager(PlayingArea::Flop),
            turn: wager(PlayingArea::Turn),
            river: wager(PlayingArea::River),
            bonus_odds: bonus::odds(rules),
        }
    }

    /// Compares the hands. Without a Bonus wager nobody asks what its table pays, and the board is evaluated once for both.
    #[inline]
    fn compared(&self, hole: [Card; 2], dealer: [Card; 2], community: [Card; 5]) -> HoldemHand {
        if !self.bonus.is_zero() {
            return HoldemHand::new(self.rules, hole, dealer, community);
        }
        let board = community.into_iter().fold(Hand::EMPTY, Hand::with);
        let [player, dealer] = [hole, dealer].map(|[a, b]| board.with_pair(Pair::new(a, b)).rank());
        HoldemHand { against_dealer: player.cmp(&dealer), order: player.order(), bonus: None }
    }

    /// What the Bonus brings, and at which odds it was paid.
    fn settle_bonus(&self, compared: &HoldemHand) -> (i64, Option<u8>) {
        if self.bonus.is_zero() {
            return (0, None);
        }
        let (outcome, _) = holdem_outcomes(self.rules, PlayingArea::Bonus, compared);
        let paid = match outcome {
            Outcome::Paid(odds) => self.bonus_odds.iter().position(|listed| *listed == odds),
            Outcome::Won | Outcome::Collected | Outcome::StandOff | Outcome::Returned => None,
        };
        let paid = paid.map(|place| u8::try_from(place).expect("a Bonus table is short"));
        (net_cents(outcome, self.bonus), paid)
    }
}

impl Table for HoldemTable<'_> {
    fn cards(&self) -> usize {
        self.plan.cards
    }

    type Decision = Decision;

    #[inline]
    fn decide(&self, dealt: &[Dealt], position: usize, decisions: &mut [Decision]) {
        let cards = |dealt: &Dealt| (dealt.at(&self.plan.players[position]), dealt.at(&self.plan.community));
        let mut hands = [cards(&dealt[0]); BATCH];
        for (hand, dealt) in hands.iter_mut().zip(dealt) {
            *hand = cards(dealt);
        }
        let hands = &hands[..dealt.len()];
        let mut wagers = [(false, false); BATCH];
        if let Some(later) = &self.decisions.later {
            later.bets_of_all(hands, &mut wagers[..dealt.len()]);
        }
        for ((decision, (hole, _)), (turn, river)) in decisions.iter_mut().zip(hands).zip(wagers) {
            *decision = Decision { folds: self.decisions.folds[place_of_cards(*hole)], turn, river };
        }
    }

    #[inline]
    fn play(&self, dealt: &Dealt, position: usize, decision: Decision) -> PlayedHand {
        let Decision { folds, turn, river } = decision;
        if folds {
            return PlayedHand::folded(self.ante, self.bonus);
        }
        let hole = dealt.at(&self.plan.players[position]);
        let community = dealt.at(&self.plan.community);
        let compared = self.compared(hole, dealt.at(&self.plan.dealer), community);
        let (ante, _) = holdem_outcomes(self.rules, PlayingArea::Ante, &compared);
        let net = |area, wager| net_cents(holdem_outcomes(self.rules, area, &compared).0, wager);
        let mut base = net_cents(ante, self.ante) + net(PlayingArea::Flop, self.flop);
        base += if turn { net(PlayingArea::Turn, self.turn) } else { 0 };
        base += if river { net(PlayingArea::River, self.river) } else { 0 };
        let result = match compared.against_dealer {
            Ordering::Greater if matches!(ante, Outcome::Paid(_)) => WIN_WITH_ANTE,
            Ordering::Greater => WIN,
            Ordering::Equal => STAND_OFF,
            Ordering::Less => LOSE,
        };
        let (bonus, bonus_paid) = self.settle_bonus(&compared);
        PlayedHand { end: end(turn, river, result), base, bonus, bonus_paid }
    }

    fn jackpot_cards(&self, dealt: &Dealt, position: usize) -> JackpotCards {
        JackpotCards::new(&dealt.at(&self.plan.players[position]), &dealt.at(&self.plan.community))
    }
}

/// Plays all rounds, with the exact figures of the strategy.
pub(super) fn simulate(
    setup: &Setup,
    lab: &Lab,
    rules: &HoldemRules,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Played, SetupError> {
    let question = setup.question();
    let exact = lab.exact(&setup.book, &question)?;
    let pays = Pays::new(&setup.book, rules)?;
    let list = rule_list(setup.strategy);
    let folds: Vec<bool> = match (&list, setup.strategy) {
        (Some(list), _) => {
            let folded = list.folds();
            chart().map(|class| folded.contains(&class)).collect()
        }
        (None, Strategy::Perfect) => {
            exact.hole_cards.iter().map(|class| class.play == Action::Fold).collect()
        }
        (None, Strategy::AlwaysFold) => vec![true; CLASSES],
        (None, Strategy::NeverFold | Strategy::Blind | Strategy::Rule(_)) => vec![false; CLASSES],
    };
    let is_blind = setup.strategy == Strategy::Blind;
    let later = (!is_blind && folds.contains(&false)).then(|| match &list {
        None => LaterBets::new(),
        Some(list) => LaterBets::by_sight(
            |sight| list.wagers(Street::Turn, sight),
            |sight| list.wagers(Street::River, sight),
        ),
    });
    let by_list = list.as_ref().and(later.as_ref()).map(|later| played(lab, later, &folds));
    let play = |class: &ClassCounts| match (folds[place_of(class.class)], is_blind, &by_list) {
        (true, ..) => None,
        (false, true, _) => Some(blind(class)),
        (false, false, Some(by_list)) => Some(by_list[place_of(class.class)]),
        (false, false, None) => Some(class.deals),
    };
    let game = BaseGame::new(lab.holdem(), play);
    let expected = Expected {
        deals: exact.deals,
        ends: game.rows(&pays).into_iter().enumerate().collect(),
        base: game.base(&pays),
        bonus: if list.is_some() {
            Some(bonus::bonus(lab.holdem(), rules, &folds))
        } else {
            bonus_of(setup.strategy, &exact)
        },
        jackpot_lines: jackpot_lines(&setup.book, &exact, &folds)?,
        notes: notes(setup, lab, &pays, &question, &folds)?,
    };
    let table = HoldemTable::new(setup, rules, Decisions::new(&folds, later));
    Ok(Played { expected, tally: play_all(setup, &table, progress) })
}

/// The list that a strategy names.
fn rule_list(strategy: Strategy) -> Option<RuleList> {
    let Strategy::Rule(name) = strategy else { return None };
    let game = conditions();
    let (_, text) = game.shipped.iter().find(|(shipped, _)| *shipped == name)?;
    RuleList::parse(text, &game).ok()
}

/// What becomes of every class that is not folded under these decisions, in the order of the chart.
fn played(lab: &Lab, later: &LaterBets, folds: &[bool]) -> Vec<ByWagers> {
    let boards = Boards::new();
    let classes: Vec<_> = lab.holdem().classes().iter().zip(folds).enumerate().collect();
    let shares = fold(&classes, Vec::new, |done, (place, (class, folded))| {
        if !**folded {
            done.push((*place, boards.played(later, cards_of_class(class.class))));
        }
    });
    let mut all = vec![ByWagers::default(); CLASSES];
    shares.into_iter().flatten().for_each(|(place, deals)| all[place] = deals);
    all
}

/// The Bonus does not depend on turn and river, only on hands of its table that are folded.
fn bonus_of(strategy: Strategy, exact: &Exact) -> Option<Bonus> {
    let bonus = exact.bonus.clone()?;
    match strategy {
        Strategy::Perfect => Some(bonus),
        Strategy::NeverFold | Strategy::Blind if bonus.folded_deals == 0 => Some(bonus),
        Strategy::NeverFold | Strategy::Blind | Strategy::Rule(_) => None,
        Strategy::AlwaysFold => Some(Bonus {
            net: Fraction::whole(-1),
            second_moment: Fraction::whole(1),
            lines: bonus.lines.into_iter().map(|line| BonusRow { deals: 0, ..line }).collect(),
            ..bonus
        }),
    }
}

fn jackpot_lines(book: &Rulebook, exact: &Exact, folds: &[bool]) -> Result<Vec<u64>, SetupError> {
    match book.jackpot.after_fold {
        AfterFold::EveryLine => Ok(exact.jackpot.lines.iter().map(|line| line.deals).collect()),
        AfterFold::CommunityLines => Ok(StreetJackpot::new(book, exact.jackpot.wager_cents)?.deals(folds)),
    }
}

/// Perfect play folds by the meter before the first round. A note says so where another meter would change a fold.
fn notes(
    setup: &Setup,
    lab: &Lab,
    pays: &Pays,
    question: &Question,
    folds: &[bool],
) -> Result<Vec<String>, SetupError> {
    if setup.strategy != Strategy::Perfect || setup.jackpot.is_none() {
        return Ok(Vec::new());
    }
    if setup.book.jackpot.after_fold == AfterFold::EveryLine {
        return Ok(Vec::new());
    }
    let nets: Vec<i128> = lab.holdem().classes().iter().map(|class| class_net(pays, &class.deals)).collect();
    let streets = StreetJackpot::new(&setup.book, question.jackpot_unit_cents())?;
    let at = |meter| streets.folds(&nets, question.ante_cents, meter);
    let reset = setup.jackpot.map_or(0, |jackpot| jackpot.reset.cents());
    let changes = [reset, Question::CENTS_MAX / 1_000].into_iter().any(|meter| at(meter) != folds);
    let note = "Folds are those of the meter at the start; at another meter some would differ.";
    Ok(if changes { vec![note.to_owned()] } else { Vec::new() })
}
