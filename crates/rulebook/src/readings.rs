//! Readings: our named choice where the rule text is unclear, stored in the book's data with its clause and reason.

use serde::{Deserialize, Serialize};

use crate::clause::Rule;

/// A reading of a book: the question, our choice and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    pub name: String,
    /// The chosen value.
    pub value: String,
    /// The possible values.
    pub values: Vec<&'static str>,
    /// The closest clause.
    pub clause: Rule,
    /// What the rule text leaves open.
    pub question: String,
    /// Why we chose this value.
    pub reason: String,
}

/// A type whose values are the values of one reading.
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
    /// Whether only the hole cards decide the Bonus, or it is also lost with the hand.
    BonusFollows "bonus-follows" {
        /// Decided by the hole cards only.
        HoleCards "hole-cards",
        /// Also lost when the hand loses.
        Showdown "showdown",
    }
}

reading! {
    /// How the total for several straight flushes at one table is computed.
    StraightFlushShare "straight-flush-share" {
        /// Each winner adds a tenth of what is left after the winner before.
        Declining "declining",
        /// The first winner adds a tenth of the meter, each further one a tenth of the reset amount.
        Reseeded "reseeded",
    }
}

reading! {
    /// The amount of which an award is a percentage.
    AwardBase "award-base" {
        /// The meter when the hand is entered.
        Entry "entry",
        /// What was displayed when bets closed. What came in since stays on the meter.
        BetsClosed "bets-closed",
    }
}

reading! {
    /// Whether one Jackpot wager may be paid on two lines.
    OneJackpotPayout "one-jackpot-payout" {
        /// Paid once, on the highest line it qualifies for.
        Highest "highest",
        /// Paid on the highest line of the Player's cards and on the highest line of the community cards.
        PlayerAndCommunity "player-and-community",
    }
}

reading! {
    /// What happens to the Bonus of an absent Player.
    AbsentBonus "absent-bonus" {
        /// It is returned with the Ante.
        Returned "returned",
        /// It is lost, as after a fold.
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

reading! {
    /// A Player at a table without staff who does not decide in time.
    Silence "silence" {
        /// A fold at the first decision, a check at a later one.
        Fold "fold",
        /// Treated as not present (5.11).
        Absent "absent",
    }
}

reading! {
    /// Where a Player counts as settled once under the minimum (5.13).
    WarnedWhere "warned-where" {
        /// At every table of the house.
        House "house",
        /// At that table only.
        Table "table",
    }
}

reading! {
    /// Whether several Players may reach the minimum of an area together.
    SharedMinimum "shared-minimum" {
        /// The limits are those of the whole wager. One that is under the minimum when bets close is returned.
        Wager "wager",
        /// The first share must reach the minimum; others may join.
        FirstShare "first-share",
    }
}

/// Readings with only one value: the code supports no other, and a book with another value is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The reading's name.
    pub name: &'static str,
    pub value: &'static str,
}

/// The displayed meter, plus a reset amount for each further royal, divided equally.
pub(crate) const ROYAL_SHARE: Settled = Settled { name: "royal-share", value: "resets-added" };

/// If the Dealer's cards come after the River decision, none are dealt when every hand has folded.
pub(crate) const DEALER_CARDS_AFTER_RIVER: Settled =
    Settled { name: "dealer-cards-after-river", value: "none-if-all-fold" };

/// A declined hand has no winning Jackpot combination, on the community cards either.
pub(crate) const DECLINED_COMMUNITY: Settled = Settled { name: "declined-community", value: "lost" };

/// The readings with one value that every game has.
pub(crate) const SETTLED: [Settled; 12] = [
    Settled { name: "fixed-paid-by", value: "house" },
    Settled { name: "contribution-booked", value: "at-entry" },
    Settled { name: "outcome-established", value: "face-up" },
    Settled { name: "odd-cents", value: "stay-in-meter" },
    Settled { name: "shared-limits", value: "by-share" },
    Settled { name: "payment-order", value: "entry" },
    Settled { name: "invalid-hand-wagers", value: "returned" },
    Settled { name: "count-noticed", value: "before-next-round" },
    Settled { name: "action-stopped", value: "as-absent" },
    Settled { name: "hand-without-player", value: "out" },
    Settled { name: "told-for", value: "the-table" },
    Settled { name: "under-minimum-once", value: "any-outcome" },
];

/// The name of the reading that says which office may permit a withdrawal under 5.7.1.
pub(crate) const WITHDRAWAL_PERMITTED_BY: &str = "withdrawal-permitted-by";
