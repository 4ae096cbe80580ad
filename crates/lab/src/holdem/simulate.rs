//! Hold'em simulated: decisions looked up, hands settled by the settlement of the tables.

use std::cmp::Ordering;

use cards::{Card, Hand, HandOrder};
use money::Odds;
use round::{HoldemHand, Outcome, holdem_outcomes};
use rulebook::{AfterFold, BonusFollows, HoldemRules, PlayingArea, Rulebook};

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
use crate::simulate::table::{FOLD, JackpotCards, PlayedHand, Table, net_cents, times_ante};
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

/// What is decided in a round, and the class of hole cards it is decided with.
#[derive(Clone, Copy, Default)]
struct Decision {
    class: usize,
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

/// A fold, and the ends of a hand that is compared.
const ENDS: usize = 17;

struct HoldemTable<'a> {
    rules: &'a HoldemRules,
    plan: Plan<2, 5>,
    decisions: Decisions,
    /// By comparison, then order of hand: which of the four ends it is.
    results: [[u8; 10]; 3],
    /// By the class of hole cards: which of the Bonus table's odds it is paid.
    bonus_by_class: [BonusOf; CLASSES],
    /// The odds of the Bonus table, each once; none where no Bonus is wagered.
    bonus_odds: Vec<Odds>,
    /// By the odds that the Bonus is paid, those it is not paid at first; then by the end.
    kinds: Vec<PlayedHand>,
}

/// What the Bonus table says of a class of hole cards.
#[derive(Clone, Copy)]
enum BonusOf {
    /// Which of its odds it pays, counted from 1, or 0 if none; whatever the Dealer holds and however the hands compare.
    Always(u8),
    /// It depends on more.
    Asks,
}

impl<'a> HoldemTable<'a> {
    fn new(setup: &'a Setup, rules: &'a HoldemRules, decisions: Decisions) -> HoldemTable<'a> {
        let bonus_odds = if setup.bonus.is_zero() { Vec::new() } else { bonus::odds(rules) };
        let base = base_of_ends(setup, rules);
        let lost = PlayedHand::folded(setup.ante, setup.bonus);
        let unpaid = (lost.bonus, None);
        let paid = bonus_odds
            .iter()
            .zip(0..)
            .map(|(odds, place)| (net_cents(Outcome::Paid(*odds), setup.bonus), Some(place)));
        let kinds = std::iter::once(unpaid).chain(paid).flat_map(|(bonus, bonus_paid)| {
            base.iter().zip(0..).map(move |(&base, end)| PlayedHand { end, base, bonus, bonus_paid })
        });
        HoldemTable {
            plan: Plan::new(&setup.book, setup.players),
            decisions,
            results: COMPARISONS.map(|against_dealer| {
                HandOrder::ALL.map(|order| result(rules, &HoldemHand { against_dealer, order, bonus: None }))
            }),
            bonus_by_class: std::array::from_fn(|class| bonus_of_class(rules, &bonus_odds, class)),
            kinds: kinds.collect(),
            bonus_odds,
            rules,
        }
    }

    /// Which of the Bonus table's odds a hand is paid, counted from 1; 0 for none. The settlement of the tables is asked.
    #[cold]
    fn bonus_place(&self, hole: [Card; 2], dealer: [Card; 2], community: [Card; 5]) -> u8 {
        let compared = HoldemHand::new(self.rules, hole, dealer, community);
        paid_place(self.rules, &self.bonus_odds, &compared)
    }
}

/// How hands can compare.
const COMPARISONS: [Ordering; 3] = [Ordering::Less, Ordering::Equal, Ordering::Greater];

/// Which of the four ends a comparison is.
fn result(rules: &HoldemRules, compared: &HoldemHand) -> u8 {
    match compared.against_dealer {
        Ordering::Greater => match holdem_outcomes(rules, PlayingArea::Ante, compared).0 {
            Outcome::Paid(_) => WIN_WITH_ANTE,
            Outcome::Won | Outcome::Collected | Outcome::StandOff | Outcome::Returned => WIN,
        },
        Ordering::Equal => STAND_OFF,
        Ordering::Less => LOSE,
    }
}

/// What the main game brings at each end, as the settlement of the tables has it. The order of the winning hand matters only for the Ante, and that is
/// in the end.
fn base_of_ends(setup: &Setup, rules: &HoldemRules) -> [i64; ENDS] {
    let wager = |area| times_ante(&setup.book, area, setup.ante);
    let mut ends = [None; ENDS];
    ends[usize::from(FOLD)] = Some(PlayedHand::folded(setup.ante, setup.bonus).base);
    for against_dealer in COMPARISONS {
        for order in HandOrder::ALL {
            let compared = HoldemHand { against_dealer, order, bonus: None };
            let net = |area| net_cents(holdem_outcomes(rules, area, &compared).0, wager(area));
            for (turn, river) in [(false, false), (false, true), (true, false), (true, true)] {
                let mut base = net(PlayingArea::Ante) + net(PlayingArea::Flop);
                base += if turn { net(PlayingArea::Turn) } else { 0 };
                base += if river { net(PlayingArea::River) } else { 0 };
                let end = end(turn, river, result(rules, &compared));
                let known = ends[usize::from(end)].get_or_insert(base);
                assert_eq!(*known, base, "the end {end} is not always paid the same: {compared:?}");
            }
        }
    }
    // An Ante that no hand is paid has no such end.
    ends.map(Option::unwrap_or_default)
}

/// What the Bonus table says of a class, if neither the Dealer's cards nor the comparison matter.
fn bonus_of_class(rules: &HoldemRules, odds: &[Odds], class: usize) -> BonusOf {
    let Some(class) = chart().nth(class).filter(|_| !odds.is_empty()) else { return BonusOf::Always(0) };
    let mut lines = bonus::lines_of(class, &rules.bonus).peekable();
    match lines.peek() {
        None => BonusOf::Always(0),
        Some((_, line)) if line.dealer.is_empty() && rules.bonus_follows == BonusFollows::HoleCards => {
            let compared = HoldemHand {
                against_dealer: Ordering::Less,
                order: HandOrder::OnePair,
                bonus: Some(line.pays),
            };
            BonusOf::Always(paid_place(rules, odds, &compared))
        }
        Some(_) => BonusOf::Asks,
    }
}

/// Which of some odds the settlement pays the Bonus, counted from 1; 0 for none.
fn paid_place(rules: &HoldemRules, odds: &[Odds], compared: &HoldemHand) -> u8 {
    let place = match holdem_outcomes(rules, PlayingArea::Bonus, compared).0 {
        Outcome::Paid(paid) => odds.iter().position(|listed| *listed == paid),
        Outcome::Won | Outcome::Collected | Outcome::StandOff | Outcome::Returned => None,
    };
    place.map_or(0, |place| u8::try_from(place + 1).expect("a Bonus table is short"))
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
            let class = place_of_cards(*hole);
            *decision = Decision { class, folds: self.decisions.folds[class], turn, river };
        }
    }

    fn kinds(&self) -> &[PlayedHand] {
        &self.kinds
    }

    /// The board is evaluated once for both hands.
    #[inline]
    fn play(&self, dealt: &Dealt, position: usize, decision: Decision) -> usize {
        let Decision { class, folds, turn, river } = decision;
        if folds {
            return FOLD.into();
        }
        let hole = dealt.at(&self.plan.players[position]);
        let dealer = dealt.at(&self.plan.dealer);
        let community = dealt.at(&self.plan.community);
        let board = community.into_iter().fold(Hand::EMPTY, Hand::with);
        let [own, dealers] = [hole, dealer].map(|[a, b]| board.with(a).with(b).rank());
        let comparison = usize::from(dealers <= own) + usize::from(dealers < own);
        let result = self.results[comparison][own.order() as usize];
        let bonus = match self.bonus_by_class[class] {
            BonusOf::Always(place) => place,
            BonusOf::Asks => self.bonus_place(hole, dealer, community),
        };
        usize::from(bonus) * ENDS + usize::from(end(turn, river, result))
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
