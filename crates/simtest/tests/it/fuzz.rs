//! A million mutated inputs over all decoders.

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
    ("feed", 1_000),
    ("slow-requests", 300),
    ("command-line", 200),
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
