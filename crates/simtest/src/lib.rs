//! Tests that no cent is lost: the floor under simulated faults, power cuts on a simulated disk, a model check of the
//! award protocol, fuzzing of every decoder, and a search for free money. No part of the product depends on this
//! crate.

#[cfg(feature = "outside")]
pub mod blackbox;
mod dice;
pub mod disk;
#[expect(dead_code, reason = "the automatic dealer's own tests use the rest of it")]
#[path = "../../automatic/tests/it/evening.rs"]
mod evening;
pub mod freemoney;
#[cfg(feature = "outside")]
pub mod fuzz;
pub mod model;
pub mod money;
#[path = "../../floor/tests/it/node_load.rs"]
mod node_load;
#[cfg_attr(
    not(feature = "outside"),
    expect(dead_code, reason = "half of it is for processes that the `kills` command kills")
)]
#[path = "../../floor/tests/it/node_process.rs"]
mod node_process;
pub mod planted;
pub mod power;
pub mod redteam;
pub mod sim;
#[expect(dead_code, reason = "the floor's own tests use the rest of it")]
#[path = "../../floor/tests/it/support.rs"]
mod support;

/// A failed check, in a sentence that says how to reproduce it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Finding(pub String);
