//! The award protocol in every order of its steps.

use simtest::model::{ProtocolBug, Scenario, desk, nodes};

/// The desk, in every order of its commands: in every final state each claim is paid or rejected. `script/soak floor` adds a table
/// that only contributes, and whose round may be undone.
#[test]
fn every_order_at_the_desk() {
    for scenario in Scenario::ALL {
        let report = desk(scenario, false).unwrap_or_else(|violation| panic!("{violation}"));
        println!("{}: {report}", scenario.name());
        assert!(40_000 < report.states && 0 < report.ends, "{}: {report}", scenario.name());
    }
}

/// Three nodes: commands are sent again, nodes wait for the lock and crash.
#[test]
fn every_interleaving_of_three_nodes() {
    let report = nodes(Scenario::FlushAndRoyal, None).unwrap_or_else(|violation| panic!("{violation}"));
    println!("{report}");
    assert!(100_000 < report.states, "{report}");
}

/// Each bug in the protocol is found by the invariant that it breaks.
#[test]
fn planted_bugs_are_found() {
    for (bug, invariant) in [
        (ProtocolBug::StaleMemory, "M"),
        (ProtocolBug::NoLock, "M"),
        (ProtocolBug::AnswerNotLookedUp, "M8"),
        (ProtocolBug::TornCommit, "M5"),
    ] {
        match nodes(Scenario::FlushAndRoyal, Some(bug)) {
            Ok(report) => panic!("{bug:?} was not found: {report}"),
            Err(violation) => assert!(violation.what.contains(invariant), "{bug:?}: {violation}"),
        }
    }
}
