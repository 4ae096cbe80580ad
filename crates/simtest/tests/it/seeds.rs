//! Two thousand seeds of the whole floor under faults.

use simtest::sim;

/// Zero lost, doubled or unexplained cents, and everything that can go wrong has gone wrong.
#[test]
fn two_thousand_seeds() {
    let coverage = sim::seeds(1, 2_000).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{} rounds, {} entries, {} awards", coverage.rounds, coverage.entries, coverage.awards);
    assert!(20_000 <= coverage.rounds, "{} rounds", coverage.rounds);
    assert!(
        coverage.requests <= 5 * coverage.repeated,
        "{} of {} sent again",
        coverage.repeated,
        coverage.requests
    );
    let missing = coverage.missing();
    assert!(missing.is_empty(), "never seen: {missing:#?}");
}
