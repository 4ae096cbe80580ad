//! Insiders who try every command, and operators who alter the file.

use simtest::redteam::{attack, seeds};

/// Nothing reaches a Player that one person cannot give, and what is done to the file is named.
#[test]
fn neither_insiders_nor_operators_get_anything() {
    let tally = seeds(1, 32).unwrap_or_else(|finding| panic!("{finding}"));
    assert!(
        300 < tally.taken && 100 < tally.settled && 30 < tally.corrected && 5 < tally.rulings,
        "{tally:?}"
    );
    assert!(2 < tally.awards && 200 < tally.altered, "{tally:?}");
    assert!(tally.harmless + tally.open < tally.altered / 2, "{tally:?}");
}

/// The same seed gives the same run.
#[test]
fn a_seed_is_deterministic() {
    assert_eq!(attack(3), attack(3));
}
