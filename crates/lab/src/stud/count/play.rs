//! How often each outcome comes when the game is played with a strategy.

use cards::HandOrder;

use super::counts::{Class, Counts, DEALS};
use super::pattern::{Pattern, RANKS};
use crate::stud::strategy::Rule;

/// How a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player folded.
    Fold,
    /// The player bet and the dealer does not qualify.
    NoHand,
    /// The player's hand is higher.
    Win,
    /// The hands are equal.
    StandOff,
    /// The player's hand is lower.
    Lose,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Outcome; 5] =
        [Outcome::Fold, Outcome::NoHand, Outcome::Win, Outcome::StandOff, Outcome::Lose];
}

/// How many of the 19,933,230,517,200 deals end how, by the order of the player's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    deals: [[u64; 5]; 10],
}

impl Counts {
    /// The outcomes if the player bets where `bets` says so, and folds elsewhere.
    pub fn play(&self, bets: impl Fn(Pattern, &Class) -> bool) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for (pattern, classes) in self.patterns() {
            for class in classes {
                outcomes.add(pattern.order(), deals_of(class), bets(pattern, class));
            }
        }
        outcomes
    }

    /// The outcomes of play by each of some rules, in one pass: rules do not look at suits.
    pub fn play_by<const N: usize>(&self, rules: [Rule; N]) -> [Outcomes; N] {
        let mut outcomes = [Outcomes::default(); N];
        for (pattern, classes) in self.patterns() {
            let mut against = [[0; 4]; RANKS];
            for class in classes {
                let sums = &mut against[usize::from(class.up)];
                sums.iter_mut().zip(deals_of(class)).for_each(|(sum, deals)| *sum += deals);
            }
            for (rule, outcomes) in rules.into_iter().zip(&mut outcomes) {
                for (up, &deals) in against.iter().enumerate() {
                    outcomes.add(pattern.order(), deals, rule.bets(pattern, up));
                }
            }
        }
        outcomes
    }
}

/// The deals of a class by no hand, win, stand-off and loss, if the player bets.
pub(crate) fn deals_of(class: &Class) -> [u64; 4] {
    let hands = u64::from(class.hands);
    [class.no_hand, class.win, u32::from(class.stand_off), class.lose()].map(|count| hands * u64::from(count))
}

impl Outcomes {
    /// Adds deals by no hand, win, stand-off and loss, or all of them to the folds if the player does not bet.
    pub(crate) fn add(&mut self, order: HandOrder, deals: [u64; 4], bets: bool) {
        let row = &mut self.deals[order as usize];
        if bets {
            row[1..].iter_mut().zip(deals).for_each(|(sum, deals)| *sum += deals);
        } else {
            row[Outcome::Fold as usize] += deals.iter().sum::<u64>();
        }
    }

    /// The deals with one outcome and an order of the player's hand.
    pub const fn deals(&self, order: HandOrder, outcome: Outcome) -> u64 {
        self.deals[order as usize][outcome as usize]
    }

    /// The deals with one outcome.
    pub fn total(&self, outcome: Outcome) -> u64 {
        self.deals.iter().map(|row| row[outcome as usize]).sum()
    }

    /// The deals in which the player bets.
    pub fn bets(&self) -> u64 {
        DEALS - self.total(Outcome::Fold)
    }
}
