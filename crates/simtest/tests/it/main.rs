//! The tests that run with every change. `tests/blackbox` tests the real program under failures.

mod freemoney;
mod fuzz;
mod growth;
mod model;
mod money;
mod power;
mod redteam;
mod seeds;
mod shuffle;
mod sim;
mod sim_regressions;

/// Counts memory, for the fuzzing and for what the house does for one Player.
#[global_allocator]
static MEMORY: simtest::fuzz::Counting = simtest::fuzz::Counting;
