//! What is asked.

use cards::HandOrder;
use rulebook::Rulebook;

/// What a question may choose that the book leaves to the table, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The Ante. It matters where Ante and jackpot are weighed against each other.
    pub ante_cents: u64,
    /// The jackpot wager that is made; 0 for none. Where it may be multiplied, this is the minimum.
    pub jackpot_wager_cents: u64,
    /// The meter, if it is known.
    pub meter_cents: Option<u64>,
    /// The lowest hand with which a won Ante is paid, if not the book's own.
    pub ante_pays_from: Option<HandOrder>,
}

impl Default for Question {
    fn default() -> Question {
        Question {
            ante_cents: Question::ANTE_CENTS,
            jackpot_wager_cents: 0,
            meter_cents: None,
            ante_pays_from: None,
        }
    }
}

impl Question {
    /// The Ante where none is named. The rulebooks name none.
    pub const ANTE_CENTS: u64 = 2_500;
    /// The jackpot wager that break-even meters are for where none is named. The rulebooks name none.
    pub const JACKPOT_WAGER_CENTS: u64 = 500;
    /// The largest amount that is counted with.
    pub const CENTS_MAX: u64 = 1_000_000_000_000_000;

    /// The jackpot wager that is made, or the one that figures are for where none is.
    pub const fn jackpot_unit_cents(&self) -> u64 {
        if self.jackpot_wager_cents == 0 { Question::JACKPOT_WAGER_CENTS } else { self.jackpot_wager_cents }
    }

    /// The jackpot wager and the meter, where both are named.
    pub(crate) fn jackpot_named(&self) -> Option<(u64, u64)> {
        let meter = self.meter_cents.filter(|_| 0 < self.jackpot_wager_cents);
        meter.map(|meter| (self.jackpot_wager_cents, meter))
    }

    /// Refuses an Ante of zero, and amounts that are too large.
    pub(crate) fn check(&self) -> Result<(), LabError> {
        if self.ante_cents == 0 {
            return Err(LabError::NoAnte);
        }
        let meter = self.meter_cents.unwrap_or(0);
        for (name, cents) in
            [("Ante", self.ante_cents), ("jackpot wager", self.jackpot_wager_cents), ("meter", meter)]
        {
            if Question::CENTS_MAX < cents {
                return Err(LabError::TooLarge { name, cents });
            }
        }
        Ok(())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabError {
    /// The book asks for something the counts do not hold.
    #[error("{book}: {key}: {reason}")]
    NotCounted {
        book: String,
        /// The key of its data.
        key: String,
        /// Why it is not counted, and what is.
        reason: String,
    },
    /// The game of the book has no such answer.
    #[error("{book}: {what} is not available for this game")]
    NotAvailable {
        book: String,
        /// What was asked for.
        what: &'static str,
    },
    /// An Ante of zero.
    #[error("an Ante of 0 cents: without an Ante there is no round")]
    NoAnte,
    /// An amount beyond what is counted with.
    #[error("{name}: {cents} cents are more than the lab counts with; the most is {max}", max = Question::CENTS_MAX)]
    TooLarge {
        /// Which amount.
        name: &'static str,
        /// How much it is.
        cents: u64,
    },
}

/// The book asks for something the counts do not hold.
pub(crate) fn not_counted<T>(
    book: &Rulebook,
    key: impl Into<String>,
    reason: impl Into<String>,
) -> Result<T, LabError> {
    Err(LabError::NotCounted { book: book.id.clone(), key: key.into(), reason: reason.into() })
}
