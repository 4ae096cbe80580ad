//! The evaluator's tables, as `build/main.rs` wrote them.
//!
//! - `RANK_KEYS`: what a card of each rank adds to the sum of a hand.
//! - `ROWS`, `VALUES`: for the value of a hand without a flush; `Hand::rank_plain` shows how the two go together.
//! - `ROW_AT`, `COLUMN_AT`: the lowest bits of row and column in a sum.
//! - `FLUSHES`: the value of a flush, by the ranks of its suit as 13 bits.
#![allow(clippy::unreadable_literal, reason = "written by a program, for a program")]

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
