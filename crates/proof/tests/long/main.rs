//! The long proofs, run by `script/proof`: seeds, power cuts, failing disks, mutated inputs, the real program.

mod blackbox;

use proof::fuzz::{Decoder, fuzz};
use proof::power::{cut, fail_at_every_call};
use proof::sim;

/// Counts memory for the fuzzing.
#[global_allocator]
static MEMORY: proof::fuzz::Counting = proof::fuzz::Counting;

/// The first history's seed.
const SEED: u64 = 1;

/// Zero lost, doubled or unexplained cents, and everything that can go wrong has gone wrong.
#[test]
fn two_thousand_seeds() {
    let marks = sim::seeds(1, 2_000).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{} rounds, {} entries, {} awards", marks.rounds, marks.entries, marks.awards);
    assert!(20_000 <= marks.rounds, "{} rounds", marks.rounds);
    assert!(marks.requests <= 5 * marks.repeated, "{} of {} sent again", marks.repeated, marks.requests);
    let missing = marks.missing();
    assert!(missing.is_empty(), "never seen: {missing:#?}");
}

#[test]
fn twenty_thousand_power_cuts_lose_nothing() {
    let tally = cut(SEED, 20_000, u64::MAX, None, &|_| ()).expect("nothing is lost");
    assert!(20_000 <= tally.cuts && 2_000 < tally.in_recovery, "{tally:?}");
    assert!(100_000 < tally.answers && tally.losses == 0, "{tally:?}");
}

#[test]
fn a_disk_that_fails_at_any_call_loses_nothing() {
    let failed = fail_at_every_call(SEED).expect("nothing is lost");
    assert!(300 < failed.calls && 20 < failed.stopped && 20 < failed.waited, "{failed}");
}

/// How many inputs each decoder gets here; by command any number.
const INPUTS: [(&str, u64); 12] = [
    ("names", 300_000),
    ("forms", 200_000),
    ("event", 200_000),
    ("transfers", 120_000),
    ("answer", 90_000),
    ("record", 60_000),
    ("checkpoint", 20_000),
    ("config", 10_000),
    ("record-lines", 4_000),
    ("proof", 3_000),
    ("requests", 2_000),
    ("rulebook", 1_500),
];

#[test]
fn no_decoder_panics_or_takes_long() {
    let mut inputs = 0;
    for (name, count) in INPUTS {
        let decoder = Decoder::named(name).expect("a decoder");
        let tally = fuzz(&decoder, 8, 0, count).unwrap_or_else(|finding| panic!("{finding}"));
        println!("{tally}");
        assert!(0 < tally.accepted && tally.accepted < tally.inputs, "{tally}");
        assert!(0 < tally.bytes, "memory was not counted: {tally}");
        inputs += tally.inputs;
    }
    assert!(1_000_000 <= inputs, "{inputs}");
    assert_eq!(Decoder::all().len(), INPUTS.len(), "a decoder is not fuzzed");
}
