//! What an outcome of the settlement brings the player.

use money::Odds;
use round::Outcome;

/// What an outcome brings, in units of the wager it is the outcome of.
pub(crate) fn net(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Paid(odds) => to_one(odds),
        Outcome::Collected => -1,
        Outcome::StandOff | Outcome::Returned => 0,
        Outcome::Won => panic!("only a Jackpot wager wins an amount"),
    }
}

/// Odds as a number to one.
pub(crate) fn to_one(odds: Odds) -> i64 {
    match odds {
        Odds::To(times) => i64::from(times),
        Odds::For(times) => i64::from(times) - 1,
    }
}
