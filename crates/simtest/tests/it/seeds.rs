//! Seeds of the whole floor under faults. `script/soak floor` runs thousands, until every clause is covered.

use simtest::sim::{self, Fault};

/// Too rare for a hundred seeds. `script/soak faults` waits for each.
const RARE: [Fault; 7] = [
    Fault::PrunedAhead,
    Fault::ArchiveLost,
    Fault::OlderCopy,
    Fault::StateForged,
    Fault::RulesTakenBack,
    Fault::LimitsTaken,
    Fault::SettingsTaken,
];

/// No cent is lost, doubled or unexplained, and every kind of fault that is not rare happens.
#[test]
fn a_hundred_seeds() {
    let coverage = sim::seeds(1, 100).unwrap_or_else(|finding| panic!("{finding}"));
    println!("{} rounds, {} entries, {} awards", coverage.rounds, coverage.entries, coverage.awards);
    assert!(900 <= coverage.rounds, "{} rounds", coverage.rounds);
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
    let missing: Vec<Fault> = coverage.missing_faults().filter(|fault| !RARE.contains(fault)).collect();
    assert!(missing.is_empty(), "never happened: {missing:?}");
}
