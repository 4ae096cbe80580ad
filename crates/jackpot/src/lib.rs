//! A link of tables and its meter: the rulebooks' "Progressive Jackpot" computer system, as a pure state machine.
//!
//! The core is one function, [`enter_round`]. Its input is a meter, a round's contribution and the hands that
//! claim a percentage; its output is the awards in the order paid and the meter after them. Batch settlement
//! calls it directly. Around it, a [`Link`] answers each [`Command`] with [`Event`]s or with a [`Refusal`] that
//! cites its clause. It prevents a second entry of the same round, follows every award from entry to payment with
//! the people who signed, and accounts for each ten-thousandth of a cent ([`Link::reconcile`]). It knows no time,
//! storage or randomness. All rules are in `decide`, which writes nothing; all writing is in `evolve`, which
//! knows no rule.
//!
//! What exact restoration means. Every 100% award puts one reset amount into the meter. For a single royal it is
//! the amount the meter restarts from. For n royals that share, n - 1 reset amounts are divided and one restarts
//! the meter. So every award lowers the meter by its amount and, at 100%, raises it by one reset amount, shared
//! or not. A rejection makes exactly these two moves backwards on the meter as it is now. If all awards of a
//! round are rejected, in any order, the meter is where the contributions alone would have left it. What the
//! other winners of a shared award would have received without the rejected one is a ruling of the Gaming Shift
//! Manager (6.1).
//!
//! A hand that is removed from its round (5.7) is different: it was never to be entered. The other hands of the round
//! are entered anew without it, so that a live table and a recorded round give every winner the same.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm
)]

mod account;
mod award;
mod command;
mod decide;
mod event;
mod evolve;
mod fault;
mod link;
mod meters;
mod names;
pub mod pairs;
mod refusal;
mod settings;
mod sharing;

pub use account::{Account, Balances, Movement, Total, Transfer};
pub use award::{
    Award, AwardState, Checklist, Custody, DUE_DILIGENCE_FROM, DueDiligence, Funding, PaidBy, RejectCause,
    Release, Ruling, Signed, Step,
};
pub use command::{Cause, Command, Destination, Entry, Evidence, FixedPrize, Shown, Undone, Wager};
pub use decide::split_at;
pub use event::{Contribution, Event, Raised, Restoration};
pub use fault::{Counts, Fault, FaultKind, FaultNumber, Locked};
pub use link::{Closing, Link, LinkError};
pub use meters::{Counted, Discrepancy, LAST_AWARDS, Level, LevelMeters, Meters, Statement};
pub use names::{AwardNumber, Department, EntryId, Pair, Person, Post, Signature, TableId, Terms};
pub use refusal::{Reason, Refusal};
pub use settings::{BoundTooLow, Parameters, Settings, SettingsError};
pub use sharing::{Claim, RoundAwards, Share, enter_round};
