//! Kill -9 at random moments under load (F1): the process is this very program, run again with another task.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::node_load::Dice;
use crate::node_process::{self as process, Place};

/// Where the process to be killed finds its log and its seed.
const LOG: &str = "MEGALINK_VICTIM_LOG";
const SEED: &str = "MEGALINK_VICTIM_SEED";

/// How many processes are killed, how many at a time, and after how many a log is begun anew.
const KILLS: u64 = 300;
const LANES: u64 = 4;
const KILLS_A_LOG: u64 = 25;

/// The process that is killed. It has nothing to do in a run of the tests by themselves.
#[test]
fn victim() {
    let (Ok(log), Ok(seed)) = (std::env::var(LOG), std::env::var(SEED)) else { return };
    process::run(&Place::parse(&log), seed.parse().expect("a number"));
}

pub(crate) fn spawn(place: &Place, seed: u64) -> std::process::Child {
    Command::new(process::this_program())
        .args(["--exact", "node_kill::victim", "--nocapture", "--quiet"])
        .env(LOG, place.text())
        .env(SEED, seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a program can run itself")
}

/// What is acknowledged is there, nothing is half done, money balances, and rounds go on or offer withdrawal.
#[test]
fn killed_at_any_moment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let (told, interrupted) = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|lane| scope.spawn(move || kill_in_lane(folder, lane))).collect();
        lanes
            .into_iter()
            .map(|lane| lane.join().expect("nothing is lost"))
            .fold((0, 0), |sum, lane| (sum.0 + lane.0, sum.1 + lane.1))
    });
    assert!(
        1_000 < told && 100 < interrupted,
        "a load that shows something: {told} told, {interrupted} interrupted"
    );
}

/// One log after the other, each through some kills. Says what was told and how many rounds were interrupted.
fn kill_in_lane(folder: &Path, lane: u64) -> (usize, usize) {
    let (mut told, mut interrupted) = (0, 0);
    let mut place = process::fresh(folder, 0);
    let mut acknowledged = Vec::new();
    let mut dice = Dice(lane);
    for kill in (0..KILLS).filter(|kill| kill % LANES == lane) {
        if (kill / LANES).is_multiple_of(KILLS_A_LOG) {
            place = process::fresh(folder, kill);
            acknowledged.clear();
        }
        let new = process::kill_at(spawn(&place, kill), process::moment(&mut dice));
        told += new.len();
        acknowledged.extend(new);
        interrupted += process::check(&place, &acknowledged, &mut dice).1;
    }
    (told, interrupted)
}
