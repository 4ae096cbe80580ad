//! The award protocol over all interleavings.
//!
//! Two models, both over the real [`jackpot::Link`]. The desk model takes any command at any time, as often as anybody
//! likes: four claims on one meter, each entered, verified, approved, paid or rejected in every order there is. The node
//! model adds how three nodes come to decide at all: commands are handed to any of them and handed out again, nodes wait
//! for the lock of the link's stream, catch up, look for an earlier answer, decide, commit, and may die in between.
//! Every state is looked at, and the search ends because there are no more.

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

/// What may be asked of a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this scenario: flush-and-royal, royals-share or flushes-share
    #[arg(long)]
    scenario: Option<String>,
    /// Plants every bug in the protocol, and tells how each is found
    #[arg(long)]
    planted: bool,
}

/// Runs it, and says what was found wrong.
pub fn run(args: &Args) -> Result<(), Finding> {
    let wanted = |scenario: &Scenario| args.scenario.as_ref().is_none_or(|name| name == scenario.name());
    for scenario in Scenario::ALL.into_iter().filter(wanted) {
        let began = Instant::now();
        let report = desk(scenario, true).map_err(finding)?;
        println!("desk, {}: {report}; {:.1} s", scenario.name(), began.elapsed().as_secs_f64());
        let began = Instant::now();
        let report = nodes(scenario, None).map_err(finding)?;
        println!("three nodes, {}: {report}; {:.1} s", scenario.name(), began.elapsed().as_secs_f64());
    }
    for bug in ProtocolBug::ALL.into_iter().filter(|_| args.planted) {
        match nodes(Scenario::FlushAndRoyal, Some(bug)) {
            Ok(report) => return Err(Finding(format!("{bug:?} was not found: {report}"))),
            Err(violation) => println!("{bug:?} is found: {violation}"),
        }
    }
    Ok(())
}

/// Looks at every state of the desk model: the whole of it, or without the table that only contributes and whose round
/// may be undone.
pub fn desk(scenario: Scenario, whole: bool) -> Result<Report, Violation> {
    explore::explore(&desk::DeskModel::of(scenario, whole))
}

/// Looks at every state of three nodes, or of three nodes with a bug.
pub fn nodes(scenario: Scenario, bug: Option<ProtocolBug>) -> Result<Report, Violation> {
    explore::explore(&nodes::NodeModel::of(scenario, bug))
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn finding(violation: Violation) -> Finding {
    Finding(violation.to_string())
}
