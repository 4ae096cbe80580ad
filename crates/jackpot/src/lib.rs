//! A link of tables and its meter: the rulebooks' "Progressive Jackpot" computer system, as a pure state machine.
//!
//! At the core is one function, [`enter_round`]: a meter, what a round contributes and the hands that claim a
//! percentage go in; the awards in the order paid and the meter after them come out. An auditor's batch calls it alone.
//! Around it a [`Link`] takes [`Command`]s and answers with [`Event`]s or with a [`Refusal`] that cites its clause: it
//! keeps each round from being entered twice, follows every award from entry to payment with the people who signed, and
//! knows where each ten-thousandth of a cent came from and went ([`Link::reconcile`]). It knows nothing of time,
//! storage or chance. All rules are in `decide`, which writes nothing; all writing is in `evolve`, which knows no rule.
//!
//! What exact restoration means. Every 100% award puts one reset amount into the meter: a single royal the one that the
//! meter restarts from, n royals that share the n - 1 that are divided and the one that the meter restarts from. So
//! every award moves the meter by its amount down and, at 100%, by one reset amount up, whether it was shared or not;
//! to reject it is to make exactly these two moves backwards on the meter as it stands now. All awards of a round
//! rejected, in any order, leave the meter where the contributions alone would have left it. What the other winners of
//! a shared award would have had without the rejected one is for the Gaming Shift Manager to rule (6.1).
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
mod link;
mod meters;
mod names;
mod refusal;
mod settings;
mod sharing;

pub use account::{Account, Balances, Movement, Total, Transfer};
pub use award::{
    Award, AwardState, Checklist, DUE_DILIGENCE_FROM, DueDiligence, Funding, RejectCause, Signed, Step,
};
pub use command::{Cause, Command, Entry, Undone, Wager};
pub use event::{Contribution, Event, Restoration};
pub use link::{Link, LinkError};
pub use meters::{Discrepancy, LAST_AWARDS, Meters, Statement};
pub use names::{AwardNumber, EntryId, Pair, Person, Signature, TableId, Terms};
pub use refusal::{Reason, Refusal};
pub use settings::{BoundTooLow, Parameters, Settings, SettingsError};
pub use sharing::{Claim, RoundAwards, Share, enter_round};
