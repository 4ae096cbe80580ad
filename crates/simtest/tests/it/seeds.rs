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
    let (entered_anew, released) = (coverage.entered_anew, coverage.released);
    assert!(0 < entered_anew && 0 < released, "{entered_anew} awards entered anew, {released} released");
    let missing = coverage.missing();
    assert!(missing.is_empty(), "not covered: {missing:#?}");
}
