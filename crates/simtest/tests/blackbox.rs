//! The real binary under failures, at the length that fits a test run. kill -9 of the floor's own process, three hundred
//! times, is a test of the floor.

use simtest::blackbox::Scenario;

fn happens(scenario: Scenario, times: u64) {
    let seen = scenario.run(1, times).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{seen}");
}

#[test]
fn killed_under_load() {
    happens(Scenario::Killed, 8);
}

#[test]
fn frozen_and_fenced() {
    happens(Scenario::Frozen, 2);
}

#[test]
fn the_disk_is_full() {
    happens(Scenario::Full, 4);
}

#[test]
fn syncs_fail() {
    happens(Scenario::SyncsFail, 4);
}

#[test]
fn cut_off_from_clients() {
    happens(Scenario::CutOff, 40);
}

#[test]
fn the_database_is_killed() {
    happens(Scenario::DatabaseKilled, 2);
}
