//! What the fuzzing of every decoder begins from.

use proof::fuzz::{Decoder, Tally, try_one};

/// Every sample is accepted as it stands, or the mutations begin from nothing.
#[test]
fn samples_are_accepted() {
    for decoder in Decoder::all().iter().filter(|decoder| !["requests", "record"].contains(&decoder.name)) {
        let mut tally = Tally::default();
        for sample in decoder.samples() {
            try_one(decoder, sample, &mut tally).unwrap_or_else(|what| panic!("{what}"));
        }
        assert_eq!(tally.accepted, tally.inputs, "{}", decoder.name);
    }
}
