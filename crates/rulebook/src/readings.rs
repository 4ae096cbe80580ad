//! Readings: our named choice where a text is open, kept in the book's data with its clause and its reason.

use serde::{Deserialize, Serialize};

use crate::clause::Rule;

/// A reading of a book: what was open, what we chose, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    pub name: String,
    /// The value in force.
    pub value: String,
    /// The values it may have.
    pub values: Vec<&'static str>,
    /// The clause nearest to it.
    pub clause: Rule,
    /// What the text leaves open.
    pub question: String,
    /// Why we read it so.
    pub reason: String,
}

/// A type whose values are those of one reading.
pub(crate) trait ReadingValue: Sized + Copy + 'static {
    /// The reading's name in the data.
    const NAME: &'static str;
    /// The values with their names.
    const VALUES: &'static [(&'static str, Self)];
}

/// Declares a reading's type, its name and its values.
macro_rules! reading {
    ($(#[$about:meta])* $type:ident $name:literal { $($(#[$doc:meta])* $variant:ident $value:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $type {
            $($(#[$doc])* #[serde(rename = $value)] $variant),*
        }

        impl ReadingValue for $type {
            const NAME: &'static str = $name;
            const VALUES: &'static [(&'static str, Self)] = &[$(($value, $type::$variant)),*];
        }
    };
}

reading! {
    /// Whether the Bonus looks at the hole cards alone or is lost with the hand.
    BonusFollows "bonus-follows" {
        /// Paid or lost on the hole cards, however the comparison ends.
        HoleCards "hole-cards",
        /// Also lost when the hand loses.
        Showdown "showdown",
    }
}

reading! {
    /// What several straight flushes at one table add up to.
    StraightFlushShare "straight-flush-share" {
        /// Each winner adds a tenth of what is left after the one before.
        Declining "declining",
        /// The first adds a tenth of the meter, each further one a tenth of the reset amount.
        Reseeded "reseeded",
    }
}

reading! {
    /// Whether one Jackpot wager may collect on two lines.
    OneJackpotPayout "one-jackpot-payout" {
        /// The highest line it qualifies for, once.
        Highest "highest",
        /// The highest line on the Player's cards and the highest on the community cards.
        PlayerAndCommunity "player-and-community",
    }
}

reading! {
    /// What becomes of the Bonus of an absent Player.
    AbsentBonus "absent-bonus" {
        /// It goes back with the Ante.
        Returned "returned",
        /// It is lost, as by a fold.
        Collected "collected",
    }
}

reading! {
    /// A stud hand that declines comparison while the Dealer has no hand.
    DeclinedNoHand "declined-no-hand" {
        /// Ante paid, Bet returned.
        AntePaid "ante-paid",
        /// Ante and Bet lost.
        Lost "lost",
    }
}

/// Readings that have one value here: the code knows no other, and a book that asks for one is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The reading's name.
    pub name: &'static str,
    pub value: &'static str,
}

/// Meter as displayed and a reset amount for each further royal, divided equally.
pub(crate) const ROYAL_SHARE: Settled = Settled { name: "royal-share", value: "resets-added" };

/// The readings with one value that every game has.
pub(crate) const SETTLED: [Settled; 11] = [
    Settled { name: "fixed-paid-by", value: "house" },
    Settled { name: "contribution-booked", value: "at-entry" },
    Settled { name: "outcome-established", value: "face-up" },
    Settled { name: "odd-cents", value: "stay-in-meter" },
    Settled { name: "shared-limits", value: "by-share" },
    Settled { name: "shared-minimum", value: "first-share" },
    Settled { name: "count-noticed", value: "before-next-round" },
    Settled { name: "action-stopped", value: "as-absent" },
    Settled { name: "hand-without-player", value: "out" },
    Settled { name: "told-for", value: "the-table" },
    Settled { name: "under-minimum-once", value: "any-outcome" },
];

/// The office that may permit a withdrawal under 5.7.1, as a reading's name.
pub(crate) const WITHDRAWAL_PERMITTED_BY: &str = "withdrawal-permitted-by";
