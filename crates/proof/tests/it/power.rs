//! Power cuts: what a broken promise costs is noticed, and a seed says it all.

use proof::disk::Flaw;
use proof::power::{Plant, cut};

/// The first history's seed.
const SEED: u64 = 1;

/// The same cuts find what is lost where a promise is broken.
#[test]
fn broken_promises_are_noticed() {
    for plant in
        [Plant::Flaw(Flaw::LogIsNotSynced), Plant::Flaw(Flaw::UnlinkIsNotSynced), Plant::AnswersEarly]
    {
        let tally = cut(SEED, 500, u64::MAX, Some(plant), &|_| ()).expect("losses are counted");
        assert!(20 < tally.losses, "{plant:?} was hardly noticed: {tally:?}");
    }
}

/// The same seed twice sees the same.
#[test]
fn a_seed_says_it_all() {
    let once = || cut(7, 1, 1, None, &|_| ()).expect("nothing is lost");
    assert_eq!(format!("{:?}", once()), format!("{:?}", once()));
}
