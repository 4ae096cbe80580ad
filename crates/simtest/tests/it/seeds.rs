//! Two thousand seeds of the whole floor under faults.

use simtest::sim;

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
