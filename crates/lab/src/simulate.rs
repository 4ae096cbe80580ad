//! Rounds dealt by the real shuffle and settled by the real settlement, with the exact figures beside what they came to.
//!
//! The shuffle is [`cards::shuffle`] on the words of ChaCha20; hands are judged by the functions of crate `round` that
//! tables are settled with, and the meter is moved by [`jackpot::enter_round`]. Only the decisions are the lab's: looked
//! up by class in stud and by board in hold'em, so that perfect play is perfect to the last hand.
//!
//! Rounds come in blocks, each with its own stream of random words, and all sums are whole numbers: the same seed gives
//! the same report whatever the number of threads.

mod block;
mod dealing;
mod estimate;
mod expected;
mod holdem;
mod meter;
mod report;
mod sessions;
mod setup;
mod stud;
mod summary;
mod table;
mod tally;

pub use dealing::Stream;
pub use estimate::Estimate;
pub use report::{
    Bin, BonusEstimate, BonusReport, CourseAt, House, Intervals, JackpotReport, LineEstimate, MeterReport,
    OutcomeEstimate, Percentile, Report, Ruin, Sessions, Wagers,
};
pub use setup::{JackpotSetup, Setup, SetupError, Strategy};

use rulebook::Game;

use crate::exact::Lab;

/// Simulates. `progress` is told how many rounds have been played since it was told last, from any thread. Refused
/// where the setup contradicts the book or asks for what is not counted.
pub fn run(setup: &Setup, lab: &Lab, progress: impl Fn(u64) + Sync) -> Result<Report, SetupError> {
    setup.check()?;
    let (expected, mut tally) = match &setup.book.game {
        Game::Stud(rules) => {
            let (decisions, expected) = expected::stud(setup, lab, rules)?;
            let table = stud::StudTable::new(setup, rules, decisions);
            (expected, block::play_all(setup, &table, &progress))
        }
        Game::Holdem(rules) => {
            let (decisions, expected) = expected::holdem(setup, lab, rules)?;
            let table = holdem::HoldemTable::new(setup, rules, decisions);
            (expected, block::play_all(setup, &table, &progress))
        }
    };
    let meter = setup.jackpot.as_ref().map(|jackpot| meter::enter(setup, jackpot, &mut tally));
    Ok(summary::report(setup, expected, &tally, meter.as_ref()))
}
