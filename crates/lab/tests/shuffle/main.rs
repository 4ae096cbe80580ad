//! The tests of a shuffle: fair ones pass as often as stated, biased ones fail.

mod biased;
mod detects;
mod fair;
mod orders;
mod small;

use lab::shuffle::{Listed, Order, Report};

/// The verdicts on these decks.
fn judged(name: &str, tables: u64, orders: Vec<Order>) -> Report {
    lab::shuffle::test(&Listed { name: name.to_owned(), tables, orders }, |_| {})
}
