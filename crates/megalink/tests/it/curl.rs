//! A whole round with curl alone: the script from the README, and its steps as they are printed, against the program itself.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use testkit::until;

use crate::serve::{Served, command, serve_by};

/// Enough time for a script to wager and to decide; nothing else waits.
const PACE: &str = "{ before_bets_ms = 0, bets_ms_min = 2000, bets_ms_max = 4000, deal_ms = 0, expose_ms = 0, \
                    decide_ms_max = 30000, show_ms = 0, settle_ms = 0, next_round_ms = 500, withdraw_ms = 500, think_ms = 0 }";

fn serve() -> (tempfile::TempDir, Served) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut program = command(folder.path());
    program.env("MEGALINK_FLOOR__PACE", PACE);
    let served = serve_by(program);
    (folder, served)
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// What bash prints.
fn bash(arguments: &[&str]) -> String {
    let played = Command::new("bash").args(arguments).output().expect("bash and curl are here");
    let (output, errors) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert!(played.status.success(), "{output}{errors}");
    output.into_owned()
}

#[test]
fn a_round_with_curl() {
    let (_folder, served) = serve();
    let script = file("samples/round.sh");
    let output = bash(&[script.to_str().expect("a plain path"), &served.address]);
    for sentence in
        ["Place your bets, please.", "No more bets.", "The wagers are settled.", "an Ante in round"]
    {
        assert!(output.contains(sentence), "{output}");
    }
    // The Ante is settled with the wagers that follow it: none of them went back when bets closed.
    let name = output.split("\"name\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a guest");
    let settled = format!("\"owner\":\"{name}\",\"staked\":");
    assert!(2 <= output.lines().filter(|line| line.starts_with(&settled)).count(), "{output}");
}

/// Each step as soon as the floor takes it.
#[test]
fn the_steps_of_the_readme() {
    let (_folder, served) = serve();
    let readme = fs::read_to_string(file("README.md")).expect("it is there");
    let printed = readme.split("```").find(|block| block.starts_with("sh\nfloor=")).expect("the steps");
    let printed = printed.trim_start_matches("sh\n").replace("http://localhost:7777", &served.address);
    let (first, steps) = printed.split_once("\n\n").expect("a blank line after the sign-in");
    let (helpers, _) = first.split_once("TOKEN=").expect("the sign-in");
    let signed_in = bash(&["-c", &format!("{first}\necho \"TOKEN='$TOKEN' ME='$ME'\"")]);
    let name = signed_in.split('\'').nth(3).expect("the guest's name");
    let run = |step: &str| bash(&["-c", &format!("{helpers}\n{signed_in}\n{step}")]);
    for step in steps.lines() {
        until(step, || !run(step).contains("\"status\":4"));
    }
    let last = steps.lines().last().expect("steps");
    until("the result names the guest", || run(last).contains(&format!("\"owner\":\"{name}\"")));
}
