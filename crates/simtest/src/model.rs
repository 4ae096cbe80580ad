//! The award protocol, checked in every order of its steps.
//!
//! There are two models, both with the real [`jackpot::Link`]. The desk model accepts any command at any time, any
//! number of times: four claims on one meter, each entered, verified, approved, paid or rejected, in every order. The
//! node model adds three nodes. A command can go to any node, also again. A node waits for the lock of the link's
//! stream, catches up, looks for an earlier answer, decides and commits, and may crash in between. The search visits
//! every reachable state.

mod desk;
mod explore;
mod invariants;
mod nodes;
mod scenario;

use std::time::Instant;

use crate::Finding;

pub use self::explore::{Report, Violation};
pub use self::nodes::ProtocolBug;
pub use self::scenario::Scenario;

/// Options of `simtest model`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this scenario: flush-and-royal, royals-share or flushes-share
    #[arg(long)]
    scenario: Option<String>,
    /// Also plants every bug in the protocol, and prints how each is found
    #[arg(long)]
    planted: bool,
}

/// Checks the scenarios that the options ask for.
pub fn run(args: &Args) -> Result<(), Finding> {
    let wanted = |scenario: &Scenario| args.scenario.as_ref().is_none_or(|name| name == scenario.name());
    for scenario in Scenario::ALL.into_iter().filter(wanted) {
        let started = Instant::now();
        let report = desk(scenario, true).map_err(finding)?;
        println!("desk, {}: {report}; {:.1} s", scenario.name(), started.elapsed().as_secs_f64());
        let started = Instant::now();
        let report = nodes(scenario, None).map_err(finding)?;
        println!("three nodes, {}: {report}; {:.1} s", scenario.name(), started.elapsed().as_secs_f64());
    }
    for bug in ProtocolBug::ALL.into_iter().filter(|_| args.planted) {
        match nodes(Scenario::FlushAndRoyal, Some(bug)) {
            Ok(report) => return Err(Finding(format!("{bug:?} was not found: {report}"))),
            Err(violation) => println!("{bug:?} is found: {violation}"),
        }
    }
    Ok(())
}

/// Visits every state of the desk model. `whole` includes the table that only contributes, and whose round may be
/// undone.
pub fn desk(scenario: Scenario, whole: bool) -> Result<Report, Violation> {
    explore::explore(&desk::DeskModel::of(scenario, whole))
}

/// Visits every state of three nodes, with or without a bug.
pub fn nodes(scenario: Scenario, bug: Option<ProtocolBug>) -> Result<Report, Violation> {
    explore::explore(&nodes::NodeModel::of(scenario, bug))
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn finding(violation: Violation) -> Finding {
    Finding(violation.to_string())
}
