//! Insiders who try every command, and operators who alter the file.

use simtest::redteam::{attack, seeds};

/// Nothing reaches a Player that one person cannot give, and what is done to the file is named.
#[test]
fn neither_insiders_nor_operators_get_anything() {
    let tally = seeds(1, 8).unwrap_or_else(|finding| panic!("{finding}"));
    assert!(75 < tally.taken && 25 < tally.settled && 5 < tally.corrected && 0 < tally.rulings, "{tally:?}");
    assert!(0 < tally.awards && 50 < tally.altered, "{tally:?}");
    assert!(tally.harmless + tally.open < tally.altered / 2, "{tally:?}");
}

/// The same seed gives the same run.
#[test]
fn a_seed_is_deterministic() {
    assert_eq!(attack(3), attack(3));
}
