//! How fast an automatic table goes.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The timers of an automatic table, in milliseconds. Each starts when the table enters its present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pace {
    /// From the start of a round with a seated Player to "Place your bets, please".
    pub before_bets_ms: u64,
    /// From the first wager to "No more bets", if no seated Player can place another wager.
    pub bets_ms_min: u64,
    /// From the first wager to "No more bets" otherwise. Bets close sooner where every seated Player is ready.
    pub bets_ms_max: u64,
    /// The pause before cards are dealt.
    pub deal_ms: u64,
    /// The pause before cards are turned, so that people can follow.
    pub expose_ms: u64,
    /// How long Players have for a decision before the dealer makes it for them (reading `silence`).
    pub decide_ms_max: u64,
    /// How long Players have to show their hands or decline, before the Dealer turns them over.
    pub show_ms: u64,
    /// The pause before the settlement.
    pub settle_ms: u64,
    /// From the settlement to the next round, unless every seated Player is ready for it sooner.
    pub next_round_ms: u64,
    /// How long Players may withdraw after a power failure (5.16.1).
    pub withdraw_ms: u64,
    /// How long house players think, on average.
    pub think_ms: u64,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace::demonstration()
    }
}

impl Pace {
    /// A round takes 20 to 35 seconds, if no clock runs out; under eight where everybody decides at once and is ready.
    pub const fn demonstration() -> Pace {
        Pace {
            before_bets_ms: 1_000,
            bets_ms_min: 6_000,
            bets_ms_max: 12_000,
            deal_ms: 600,
            expose_ms: 900,
            decide_ms_max: 25_000,
            show_ms: 5_000,
            settle_ms: 900,
            next_round_ms: 6_000,
            withdraw_ms: 20_000,
            think_ms: 1_500,
        }
    }

    /// No pauses, for tests and load. A short time after the first wager remains, so that others can follow it
    /// and no table takes more than its share of the machine.
    pub const fn quick() -> Pace {
        Pace {
            before_bets_ms: 0,
            bets_ms_min: 5,
            bets_ms_max: 20,
            deal_ms: 0,
            expose_ms: 0,
            decide_ms_max: 1_000,
            show_ms: 0,
            settle_ms: 0,
            next_round_ms: 0,
            withdraw_ms: 20,
            think_ms: 0,
        }
    }
}

pub(super) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
