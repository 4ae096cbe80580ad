//! What the wagers are paid at.
//!
//! A pay table turns counts into money. All of it is kept in whole *parts* of an Ante, as many to the Ante as make
//! every payment whole, so that odds such as 3 to 2 are exact too. With whole odds a part is an Ante.

use std::error::Error;
use std::fmt;

use cards::HandOrder;

use super::counts::{Class, DEALER_HANDS};
use super::pattern::Pattern;

/// The Bet is twice the Ante (MSSP9 3.9.2).
const BET: i64 = 2;
/// The largest payment, and the finest part, that sums over all deals leave room for.
const LIMIT: i64 = 1_000_000;

/// Odds: so much is paid on top of a wager of so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Odds {
    /// What is paid.
    pub pays: u32,
    /// On a wager of this.
    pub to: u32,
}

impl Odds {
    /// "`pays` to 1".
    pub const fn to_one(pays: u32) -> Odds {
        Odds { pays, to: 1 }
    }
}

/// A pay table that cannot be counted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayTableError {
    /// Odds on a wager of nothing.
    ToNothing,
    /// Odds over a million to 1.
    TooHigh,
    /// Odds with no common part of at least a millionth.
    TooFine,
}

impl fmt::Display for PayTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PayTableError::ToNothing => "odds on a wager of nothing",
            PayTableError::TooHigh => "odds of more than a million to 1",
            PayTableError::TooFine => "odds whose parts of an Ante are smaller than a millionth",
        })
    }
}

impl Error for PayTableError {}

/// What a round brings the player, by its outcome, in parts of an Ante.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayTable {
    parts: i64,
    no_hand: i64,
    win: [i64; 10],
    may_fold: bool,
}

impl PayTable {
    /// Singapore Stud Poker (MSSP9 4.1): the Ante 1 to 1, the Bet up to 250 to 1.
    pub const SINGAPORE: PayTable = PayTable::with_royal(250);
    /// Caribbean Stud as dealt in the United States and Macau: a royal flush pays 100 to 1.
    pub const UNITED_STATES: PayTable = PayTable::with_royal(100);

    /// A pay table from its odds: the Ante's if the dealer has no hand, the Ante's in a win, and the Bet's by the
    /// order of the winning hand, lowest first. Refused if the odds are too high or too fine to be summed exactly.
    pub fn new(ante_no_hand: Odds, ante: Odds, bet: [Odds; 10]) -> Result<PayTable, PayTableError> {
        let mut parts = 1;
        for odds in [ante_no_hand, ante].into_iter().chain(bet) {
            if odds.to == 0 {
                return Err(PayTableError::ToNothing);
            }
            if LIMIT * i64::from(odds.to) < i64::from(odds.pays) {
                return Err(PayTableError::TooHigh);
            }
            parts = common_multiple(parts, i64::from(odds.to));
            if LIMIT < parts {
                return Err(PayTableError::TooFine);
            }
        }
        let paid = |wager: i64, odds: Odds| wager * i64::from(odds.pays) * (parts / i64::from(odds.to));
        Ok(PayTable {
            parts,
            no_hand: paid(1, ante_no_hand),
            win: bet.map(|odds| paid(1, ante) + paid(BET, odds)),
            may_fold: true,
        })
    }

    /// The same pay table for a player who must Bet, as one who bets blind does.
    pub const fn without_fold(mut self) -> PayTable {
        self.may_fold = false;
        self
    }

    /// How many parts there are in an Ante.
    pub const fn parts(&self) -> i64 {
        self.parts
    }

    /// What a fold brings: the Ante is lost.
    pub const fn fold(&self) -> i64 {
        -self.parts
    }

    /// What a dealer without a hand brings: the Ante is paid, the Bet returned.
    pub const fn no_hand(&self) -> i64 {
        self.no_hand
    }

    /// What a win with a hand of this order brings: Ante and Bet are paid.
    pub const fn win(&self, order: HandOrder) -> i64 {
        self.win[order as usize]
    }

    /// What a loss brings: Ante and Bet are lost.
    pub const fn lose(&self) -> i64 {
        -self.parts * (1 + BET)
    }

    /// What the Bet brings over all 163,185 dealer hands.
    pub fn bet_total(&self, pattern: Pattern, class: &Class) -> i64 {
        i64::from(class.no_hand) * self.no_hand
            + i64::from(class.win) * self.win(pattern.order())
            + i64::from(class.lose()) * self.lose()
    }

    /// What a fold brings over all 163,185 dealer hands.
    pub fn fold_total(&self) -> i64 {
        i64::from(DEALER_HANDS) * self.fold()
    }

    /// Whether perfect play bets: where Bet and fold are level, the player folds.
    pub fn bets(&self, pattern: Pattern, class: &Class) -> bool {
        !self.may_fold || self.fold_total() < self.bet_total(pattern, class)
    }

    /// The usual pay table but for the royal flush.
    const fn with_royal(royal: i64) -> PayTable {
        let bet = [1, 1, 2, 3, 4, 5, 7, 20, 50, royal];
        let mut win = [0; 10];
        let mut order = 0;
        while order < 10 {
            win[order] = 1 + BET * bet[order];
            order += 1;
        }
        PayTable { parts: 1, no_hand: 1, win, may_fold: true }
    }
}

/// The least common multiple.
const fn common_multiple(a: i64, b: i64) -> i64 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}
