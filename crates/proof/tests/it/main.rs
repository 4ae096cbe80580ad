//! The proofs that run with every change. The long ones are in `tests/long`.

mod fuzz;
mod model;
mod money;
mod power;
mod shuffle;
mod sim;
mod sim_regressions;

/// Counts memory for the fuzzing.
#[global_allocator]
static MEMORY: proof::fuzz::Counting = proof::fuzz::Counting;
