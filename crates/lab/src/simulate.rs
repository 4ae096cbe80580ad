//! Rounds dealt by the real shuffle and settled by the real settlement, with the exact figures beside what they came to.
//!
//! The shuffle is [`cards::shuffle`] on the words of ChaCha20; hands are judged by the functions of crate `round` that
//! tables are settled with, and the meter is moved by [`jackpot::enter_round`]. Only the decisions are the lab's: looked
//! up by class in stud and by board in hold'em, so that perfect play is perfect to the last hand.
//!
//! Rounds come in blocks, each with its own stream of random words, and all sums are whole numbers: the same seed gives
//! the same report whatever the number of threads.

mod block;
pub(crate) mod dealing;
mod estimate;
mod meter;
mod report;
mod sessions;
mod setup;
mod summary;
pub(crate) mod table;
mod tally;

pub(crate) use block::{BATCH, play_all};
pub use dealing::Stream;
pub use estimate::Estimate;
pub use report::{
    Bin, BonusEstimate, BonusReport, CourseAt, House, Intervals, JackpotReport, LineEstimate, MeterReport,
    OutcomeEstimate, Percentile, Report, Ruin, Sessions, Wagers,
};
pub use setup::{JackpotSetup, Setup, SetupError, Strategy};

use crate::exact::{Base, Bonus, Lab, OutcomeRow};
use crate::game::game_of;

/// What the rounds should come to: the exact figures of the strategy that is played.
pub(crate) struct Expected {
    pub(crate) deals: u64,
    /// Every end of a round with the number the game's table gives it.
    pub(crate) ends: Vec<(usize, OutcomeRow)>,
    pub(crate) base: Base,
    /// The Bonus, where it is known for the strategy.
    pub(crate) bonus: Option<Bonus>,
    /// In how many deals each line of the jackpot is paid.
    pub(crate) jackpot_lines: Vec<u64>,
    /// What a reader should know.
    pub(crate) notes: Vec<String>,
}

/// What the rounds came to, and what they should.
pub(crate) struct Played {
    pub(crate) expected: Expected,
    pub(crate) tally: block::Tally,
}

/// Simulates. `progress` is called with the number of rounds played since its last call, from any thread. Refused where
/// the setup contradicts the book or asks for what is not counted.
pub fn run(setup: &Setup, lab: &Lab, progress: impl Fn(u64) + Sync) -> Result<Report, SetupError> {
    setup.check()?;
    let Played { expected, mut tally } = game_of(&setup.book).simulate(setup, lab, &progress)?;
    let meter = setup.jackpot.as_ref().map(|jackpot| meter::enter(setup, jackpot, &mut tally));
    Ok(summary::report(setup, expected, &tally, meter.as_ref()))
}
