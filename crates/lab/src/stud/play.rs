//! The game played with a strategy: how often each outcome comes, and what that is worth.

use cards::HandOrder;

use super::counts::{Class, Counts, DEALS};
use super::pattern::{Pattern, RANKS};
use super::pay::PayTable;
use super::strategy::Rule;

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

    /// The name in data, such as `no-hand`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Fold => "fold",
            Outcome::NoHand => "no-hand",
            Outcome::Win => "win",
            Outcome::StandOff => "stand-off",
            Outcome::Lose => "lose",
        }
    }
}

/// How many of the 19,933,230,517,200 deals end how, by the order of the player's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    deals: [[u64; 5]; 10],
}

/// What a strategy is worth, in parts of an Ante summed over all deals. See [`PayTable::parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// How many parts there are in an Ante.
    pub parts: i64,
    /// What the player wins, less what the player loses.
    pub net: i128,
    /// The squares of what each deal brings, in squares of parts.
    pub squares: i128,
    /// All that is wagered, Antes and Bets.
    pub wagered: i128,
}

impl Counts {
    /// The outcomes if the player bets where `bets` says so, and folds elsewhere.
    pub fn play(&self, bets: impl Fn(Pattern, &Class) -> bool) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for (pattern, classes) in self.patterns() {
            let row = &mut outcomes.deals[pattern.order() as usize];
            for class in classes {
                add(row, deals_of(class), bets(pattern, class));
            }
        }
        outcomes
    }

    /// The outcomes of play by each of some rules, in one pass: rules do not look at suits.
    pub fn play_by<const N: usize>(&self, rules: [Rule; N]) -> [Outcomes; N] {
        let mut outcomes = [Outcomes::default(); N];
        for (pattern, classes) in self.patterns() {
            // The deals against each rank of up card, if the player bets.
            let mut against = [[0; 5]; RANKS];
            for class in classes {
                add(&mut against[usize::from(class.up)], deals_of(class), true);
            }
            for (rule, outcomes) in rules.into_iter().zip(&mut outcomes) {
                let row = &mut outcomes.deals[pattern.order() as usize];
                for (up, &deals) in against.iter().enumerate() {
                    add(row, deals, rule.bets(pattern, up));
                }
            }
        }
        outcomes
    }

    /// The outcomes of perfect play under a pay table.
    pub fn play_perfectly(&self, pay: &PayTable) -> Outcomes {
        self.play(|pattern, class| pay.bets(pattern, class))
    }
}

/// The deals of a class by their outcome, if the player bets.
fn deals_of(class: &Class) -> [u64; 5] {
    let hands = u64::from(class.hands);
    [0, class.no_hand, class.win, u32::from(class.stand_off), class.lose()]
        .map(|count| hands * u64::from(count))
}

/// Adds deals by their outcome, or all to the folds if the player does not bet.
fn add(row: &mut [u64; 5], deals: [u64; 5], bets: bool) {
    if bets {
        row.iter_mut().zip(deals).for_each(|(sum, deals)| *sum += deals);
    } else {
        row[Outcome::Fold as usize] += deals.iter().sum::<u64>();
    }
}

impl Outcomes {
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

    /// What these outcomes are worth under a pay table.
    pub fn worth(&self, pay: &PayTable) -> Worth {
        let mut worth = Worth { parts: pay.parts(), net: 0, squares: 0, wagered: 0 };
        for order in HandOrder::ALL {
            for (outcome, brings) in [
                (Outcome::Fold, pay.fold()),
                (Outcome::NoHand, pay.no_hand()),
                (Outcome::Win, pay.win(order)),
                (Outcome::StandOff, 0),
                (Outcome::Lose, pay.lose()),
            ] {
                let (deals, brings) = (i128::from(self.deals(order, outcome)), i128::from(brings));
                worth.net += deals * brings;
                worth.squares += deals * brings * brings;
                // A fold loses what it wagered, and so does a loss; all but a fold wager the same.
                let wager = if outcome == Outcome::Fold { pay.fold() } else { pay.lose() };
                worth.wagered -= deals * i128::from(wager);
            }
        }
        worth
    }
}

#[expect(clippy::cast_precision_loss, reason = "for reading only: the exact figures are the integers")]
impl Worth {
    /// The net per Ante as a fraction: numerator and denominator, not reduced.
    pub fn net_per_ante(&self) -> (i128, i128) {
        (self.net, i128::from(DEALS) * i128::from(self.parts))
    }

    /// What the house keeps of each Ante.
    pub fn house_edge(&self) -> f64 {
        -(self.net as f64) / self.antes()
    }

    /// What the house keeps of all that is wagered.
    pub fn element_of_risk(&self) -> f64 {
        -(self.net as f64) / self.wagered as f64
    }

    /// What is wagered in a round, in Antes.
    pub fn average_wager(&self) -> f64 {
        self.wagered as f64 / self.antes()
    }

    /// The standard deviation of a round, in Antes.
    pub fn standard_deviation(&self) -> f64 {
        let mean = self.net as f64 / self.antes();
        (self.squares as f64 / self.antes() / self.parts as f64 - mean * mean).sqrt()
    }

    /// All Antes, in parts.
    fn antes(&self) -> f64 {
        DEALS as f64 * self.parts as f64
    }
}
