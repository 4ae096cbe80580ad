//! Exact mathematics of the games, by counting rather than dealing.
//!
//! `holdem` and `stud` count how often each outcome happens: the costly part, which depends on cards alone. Everything
//! above them is weights on those counts, so a changed pay table, reading or meter is answered at once.

pub mod advice;
pub mod collude;
pub mod exact;
pub mod forecast;
mod game;
pub mod holdem;
pub mod honest;
pub mod lookup;
pub mod par;
pub mod pdf;
pub mod protect;
pub mod risk;
pub mod rules;
pub mod shuffle;
pub mod simulate;
pub mod stakes;
pub mod strategy;
pub mod stud;
mod svg;
pub mod what_if;
