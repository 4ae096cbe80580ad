//! Two thousand seeds of the whole floor under faults.

use simtest::sim;

/// No cent is lost, doubled or unexplained, and every fault and clause is covered.
#[test]
fn two_thousand_seeds() {
    let coverage = sim::seeds(1, 2_000).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{} rounds, {} entries, {} awards", coverage.rounds, coverage.entries, coverage.awards);
    assert!(20_000 <= coverage.rounds, "{} rounds", coverage.rounds);
    assert!(
        coverage.rounds <= coverage.records,
        "{} rounds, and {} settlements held against a record",
        coverage.rounds,
        coverage.records
    );
    assert!(
        coverage.requests <= 5 * coverage.repeated,
        "{} of {} sent again",
        coverage.repeated,
        coverage.requests
    );
    for (what, times) in [
        ("awards entered anew", coverage.entered_anew),
        ("settings filed while an award was open", coverage.settings_while_open),
        ("faults cleared", coverage.faults_cleared),
        ("links closed", coverage.links_closed),
        ("keys changed", coverage.keys_changed),
    ] {
        assert!(0 < times, "{times} {what}");
    }
    let missing = coverage.missing();
    assert!(missing.is_empty(), "not covered: {missing:#?}");
}
