//! Hold'em at the table: decisions looked up, hands settled by the settlement of the tables.

use std::cmp::Ordering;

use cards::Card;
use money::{Money, Odds};
use round::{HoldemHand, Outcome, holdem_outcomes};
use rulebook::{HoldemRules, PlayingArea};

use super::dealing::{Dealt, Plan};
use super::setup::Setup;
use super::stud::times_ante;
use super::table::{JackpotCards, Played, Table, net_cents};
use crate::holdem::{HoleClass, LaterBets};

/// A strategy: which classes of hole cards are folded, and what is done after the Flop wager.
pub(super) struct Decisions {
    folds: [bool; HoleClass::COUNT],
    /// Perfect play on turn and river; none checks both.
    later: Option<LaterBets>,
}

impl Decisions {
    pub(super) fn new(folds: &[bool], later: Option<LaterBets>) -> Decisions {
        Decisions { folds: std::array::from_fn(|class| folds[class]), later }
    }
}

/// The four ends of a hand that is compared; with each of the four ways to play turn and river.
pub(super) const WIN_WITH_ANTE: u8 = 0;
pub(super) const WIN: u8 = 1;
pub(super) const STAND_OFF: u8 = 2;
pub(super) const LOSE: u8 = 3;

/// The end as a number.
pub(super) const fn end(turn: bool, river: bool, result: u8) -> u8 {
    1 + 8 * turn as u8 + 4 * river as u8 + result
}

/// A hold'em table.
pub(super) struct HoldemTable<'a> {
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
    pub(super) fn new(setup: &'a Setup, rules: &'a HoldemRules, decisions: Decisions) -> HoldemTable<'a> {
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
            bonus_odds: bonus_odds(rules),
        }
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

/// The odds of the Bonus table in its order, each once.
pub(super) fn bonus_odds(rules: &HoldemRules) -> Vec<Odds> {
    let mut odds: Vec<Odds> = Vec::new();
    for line in &rules.bonus {
        if !odds.contains(&line.pays) {
            odds.push(line.pays);
        }
    }
    odds
}

impl Table for HoldemTable<'_> {
    fn cards(&self) -> usize {
        self.plan.cards
    }

    #[inline]
    fn play(&self, dealt: &Dealt, position: usize) -> Played {
        let hole = dealt.at(&self.plan.players[position]);
        if self.decisions.folds[HoleClass::of(hole).index()] {
            return Played::folded(self.ante, self.bonus);
        }
        let community = dealt.at(&self.plan.community);
        let (turn, river) = self.later_wagers(hole, community);
        let compared = HoldemHand::new(self.rules, hole, dealt.at(&self.plan.dealer), community);
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
        Played { end: end(turn, river, result), base, bonus, bonus_paid }
    }

    fn jackpot_cards(&self, dealt: &Dealt, position: usize) -> JackpotCards {
        JackpotCards::new(&dealt.at(&self.plan.players[position]), &dealt.at(&self.plan.community))
    }
}

impl HoldemTable<'_> {
    /// Whether the Turn and the River wager are made.
    #[inline]
    fn later_wagers(&self, hole: [Card; 2], community: [Card; 5]) -> (bool, bool) {
        let [a, b, c, d, _] = community;
        let later = self.decisions.later.as_ref();
        later.map_or((false, false), |later| {
            (later.bets_turn(hole, [a, b, c]), later.bets_river(hole, [a, b, c, d]))
        })
    }
}
