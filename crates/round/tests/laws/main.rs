//! The laws of a round: what holds at every table, in every book, whatever is asked of it and whatever goes wrong.
//!
//! Each module is one law. Cases come from proptest with a fixed seed; `LAWS_CASES=20 cargo test -p round --test laws`
//! tries twenty times as many, `LAWS_SEED=7` other ones.

mod dealing;
mod guided;
mod irregularities;
mod legal;
mod money_in_and_out;
mod offices;
mod power;
mod support;
mod walks;
