//! A hundred thousand mutated inputs over all decoders.

use simtest::fuzz::{Decoder, Tally, fuzz, try_one};

/// Every sample is accepted, so that mutations start from valid input.
#[test]
fn samples_are_accepted() {
    // These samples are parsed but may be refused by the house or by the rules.
    let refusable = ["requests", "slow-requests", "record"];
    for decoder in Decoder::all().iter().filter(|decoder| !refusable.contains(&decoder.name)) {
        let mut tally = Tally::default();
        for sample in decoder.samples() {
            try_one(decoder, sample, &mut tally).unwrap_or_else(|what| panic!("{what}"));
        }
        assert_eq!(tally.accepted, tally.inputs, "{}", decoder.name);
    }
}

/// How many inputs each decoder gets here. On the command line it can be any number.
const INPUTS: [(&str, u64); 15] = [
    ("names", 30_000),
    ("forms", 20_000),
    ("event", 20_000),
    ("transfers", 12_000),
    ("answer", 9_000),
    ("record", 6_000),
    ("checkpoint", 2_000),
    ("config", 1_000),
    ("record-lines", 400),
    ("proof", 3_000),
    ("requests", 200),
    ("rulebook", 150),
    ("feed", 100),
    ("slow-requests", 40),
    ("command-line", 40),
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
    assert!(100_000 <= inputs, "{inputs}");
    assert_eq!(Decoder::all().len(), INPUTS.len(), "a decoder is not fuzzed");
}
