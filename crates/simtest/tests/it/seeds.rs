//! Two thousand seeds of the whole floor under faults.

use simtest::sim;

/// No cent is lost, doubled or unexplained, and every fault and clause is covered.
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
    assert!(missing.is_empty(), "not covered: {missing:#?}");
}
