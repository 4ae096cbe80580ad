//! Exports and reports of a floor that was played for a month.

#[path = "../../../floor/tests/it/node_load.rs"]
#[expect(dead_code, reason = "the floor's tests play more than these")]
mod node_load;

mod alone;
mod dictionary;
mod exports;
mod index;
mod month;
mod report;
mod statistics;
