//! Tests of the journal.

mod archive;
mod checkpoint;
mod kept;
mod postgres;
mod sqlite;
mod stored;
mod suite;
mod tamper;
