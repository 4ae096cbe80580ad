//! The real binary under failures, at the length of a test run. Killing the floor's own process 300 times is a test of
//! `floor`.

use simtest::blackbox::Scenario;

fn check(scenario: Scenario, times: u64) {
    let summary = scenario.run(1, times).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{summary}");
}

#[test]
fn killed_under_load() {
    check(Scenario::Killed, 8);
}

#[test]
fn paused_and_fenced() {
    check(Scenario::Paused, 2);
}

#[test]
fn the_disk_is_full() {
    check(Scenario::Full, 4);
}

#[test]
fn syncs_fail() {
    check(Scenario::SyncsFail, 4);
}

#[test]
fn cut_off_from_clients() {
    check(Scenario::CutOff, 40);
}

#[test]
fn the_database_is_killed() {
    check(Scenario::DatabaseKilled, 2);
}
