//! Power cuts and failing disks: nothing is lost, and a broken promise of the disk is noticed.

use simtest::disk::Flaw;
use simtest::power::{PlantedBug, cut, fail_at_every_call};

const SEED: u64 = 1;

#[test]
fn two_thousand_power_cuts_lose_nothing() {
    let tally = cut(SEED, 2_000, u64::MAX, None, &|_| ()).expect("nothing is lost");
    assert!(2_000 <= tally.cuts && 200 < tally.in_recovery, "{tally:?}");
    assert!(10_000 < tally.answers && tally.losses == 0, "{tally:?}");
}

#[test]
fn a_disk_that_fails_at_any_call_loses_nothing() {
    let failed = fail_at_every_call(SEED).expect("nothing is lost");
    assert!(300 < failed.calls && 20 < failed.stopped && 20 < failed.waited, "{failed}");
}

/// With a planted bug the same power cuts find losses.
#[test]
fn planted_bugs_are_noticed() {
    for bug in [
        PlantedBug::Flaw(Flaw::LogIsNotSynced),
        PlantedBug::Flaw(Flaw::UnlinkIsNotSynced),
        PlantedBug::AnswersBeforeCommit,
    ] {
        let tally = cut(SEED, 300, u64::MAX, Some(bug), &|_| ()).expect("losses are counted");
        assert!(10 < tally.losses, "{bug:?} was not noticed enough: {tally:?}");
    }
}

/// The same seed gives the same result.
#[test]
fn a_seed_is_deterministic() {
    let once = || cut(7, 1, 1, None, &|_| ()).expect("nothing is lost");
    assert_eq!(format!("{:?}", once()), format!("{:?}", once()));
}
