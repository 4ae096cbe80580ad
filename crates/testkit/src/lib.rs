//! What the tests check the engine with: a second settlement of recorded rounds, written from the rule texts without
//! looking at the first; a generator of records with many rare situations; the script language of the clause tests; a
//! private PostgreSQL server; signals, waiting, and a way to report a test that cannot run.
//!
//! A dev-dependency, used only in tests. The auditor and the generator deliberately share no code with the rest of
//! the workspace. The scripts call the real round.

pub mod auditor;
pub mod generator;
pub mod postgres;
pub mod script;
mod signal;
mod skip;
mod times;
mod until;
mod variants;

pub use signal::{Signal, signal};
pub use skip::skip;
pub use times::compares_times;
pub use until::{PATIENCE, PAUSE, until, until_some};
pub use variants::variants;
