//! What a round of stud brings the player, by its outcome.
//!
//! The figures come from [`round::stud_outcomes`], which settles the tables too: the lab has no pay table of its own.

use std::cmp::Ordering;

use cards::HandOrder;
use round::{StudHand, stud_outcomes};
use rulebook::{PlayingArea, Rulebook, StudRules};

use super::count::{Class, DEALER_HANDS, Outcome, Pattern};
use crate::exact::pays::{net, to_one};
use crate::exact::{LabError, not_counted};

/// The highest odds, to one, that sums over all deals leave room for.
const ODDS_MAX: i64 = 1_000_000;

/// What each outcome brings, in Antes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pays {
    no_hand: i64,
    win: [i64; 10],
    stand_off: i64,
    lose: i64,
    /// Ante and Bet together.
    stake: i64,
}

impl Pays {
    /// What a fold brings: the Ante is lost (3.9.1).
    pub(crate) const FOLD: i64 = -1;

    /// What a book pays. Refused where there is no Bet, or odds are too high to be summed.
    pub fn new(book: &Rulebook, rules: &StudRules) -> Result<Pays, LabError> {
        let times = book.multiple_of_ante(PlayingArea::Bet).unwrap_or(0);
        if times == 0 {
            return not_counted(book, "times_ante.bet", "without a Bet there is nothing to decide");
        }
        let odds = HandOrder::ALL.map(|order| rules.bet.odds(order));
        if odds.into_iter().chain([rules.ante]).any(|odds| ODDS_MAX < to_one(odds)) {
            return not_counted(book, "stud.bet", "odds of more than a million to 1");
        }
        Ok(Pays::of_rules(rules, times.into()))
    }

    /// Any amounts.
    #[cfg(test)]
    pub(crate) const fn for_test(no_hand: i64, win: [i64; 10], stand_off: i64, lose: i64) -> Pays {
        Pays { no_hand, win, stand_off, lose, stake: 3 }
    }

    fn of_rules(rules: &StudRules, bet: i64) -> Pays {
        let brings = |dealer_has_hand, against_dealer, order| {
            let hand = StudHand { dealer_has_hand, against_dealer, order };
            let of = |area| net(stud_outcomes(rules, area, hand).0);
            of(PlayingArea::Ante) + bet * of(PlayingArea::Bet)
        };
        // Only a win depends on the order of the hand.
        let lowest = HandOrder::FiveOddCards;
        Pays {
            no_hand: brings(false, Ordering::Greater, lowest),
            win: HandOrder::ALL.map(|order| brings(true, Ordering::Greater, order)),
            stand_off: brings(true, Ordering::Equal, lowest),
            lose: brings(true, Ordering::Less, lowest),
            stake: 1 + bet,
        }
    }

    /// What a deal brings.
    pub const fn of(&self, order: HandOrder, outcome: Outcome) -> i64 {
        match outcome {
            Outcome::Fold => Pays::FOLD,
            Outcome::NoHand => self.no_hand,
            Outcome::Win => self.win[order as usize],
            Outcome::StandOff => self.stand_off,
            Outcome::Lose => self.lose,
        }
    }

    /// What is wagered in a deal.
    pub fn stake(&self, outcome: Outcome) -> i64 {
        if outcome == Outcome::Fold { 1 } else { self.stake }
    }

    /// What the Bet brings over so many dealer hands without a hand, lower, equal and higher.
    pub(crate) fn bet_total(&self, order: HandOrder, dealer_hands: [u32; 4]) -> i64 {
        let outcomes = [Outcome::NoHand, Outcome::Win, Outcome::StandOff, Outcome::Lose];
        outcomes
            .into_iter()
            .zip(dealer_hands)
            .map(|(outcome, hands)| i64::from(hands) * self.of(order, outcome))
            .sum()
    }

    /// What the Bet brings with a class, over all 163,185 dealer hands.
    pub fn bet(&self, pattern: Pattern, class: &Class) -> i64 {
        let hands = [class.no_hand, class.win, u32::from(class.stand_off), class.lose()];
        self.bet_total(pattern.order(), hands)
    }

    /// What a fold brings over all 163,185 dealer hands.
    pub fn fold(&self) -> i64 {
        i64::from(DEALER_HANDS) * Pays::FOLD
    }

    /// Whether perfect play bets: where Bet and fold are level, the player folds.
    pub fn bets(&self, pattern: Pattern, class: &Class) -> bool {
        self.fold() < self.bet(pattern, class)
    }
}
