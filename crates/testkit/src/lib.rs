//! What the tests check the engine against: a second settlement of recorded rounds, written from the rule texts
//! without looking at the first, a generator of records rich in what hardly ever happens, the language that the clause
//! tests are written in, a private PostgreSQL server, and a way to report a test that cannot run.
//!
//! A dev-dependency, used from tests only. The auditor and the generator share no code with the rest of the workspace,
//! on purpose; the scripts drive it.

pub mod auditor;
pub mod generator;
pub mod postgres;
pub mod script;
mod skip;

pub use skip::skip;
