//! Tests of the journal.

mod checkpoint;
mod kept;
mod postgres;
mod sqlite;
mod stored;
mod suite;
mod tamper;
