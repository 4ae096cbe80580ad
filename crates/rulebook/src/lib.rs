//! The rulebooks as typed data: their figures, our readings of unclear points, and a register of every clause.
//!
//! A book is one file in `rulebooks/`. Differences between versions of a game are data in that file; differences
//! between games are types here. Parsing refuses a book that contradicts itself, with the file, the key and the
//! reason, so code that has a [`Rulebook`] does not check it again.

mod book;
mod clause;
mod dealing;
mod error;
mod figures;
mod game;
mod hole;
mod jackpot;
mod raw;
mod readings;
mod refusal;
mod rules;
mod substance;
mod table;
mod validate;

pub use book::{Rulebook, Viewing};
pub use clause::{Citation, Clause, ClauseEntry, ClauseKind, Rule, RuleError};
pub use dealing::{Device, Method, Receiver, Step};
pub use error::BookError;
pub use figures::{BonusLine, Figures};
pub use game::{Game, GameRules, HoldemRules, Outline, PayLine, StudRules};
pub use hole::{HoleClass, HoleClassError};
pub use jackpot::{AfterFold, JackpotCards, JackpotLine, JackpotRules, Pays, Sharing};
pub use readings::{
    AbsentBonus, AwardBase, BonusFollows, DeclinedNoHand, OneJackpotPayout, Reading, Settled, SharedMinimum,
    Silence, StraightFlushShare, WarnedWhere,
};
pub use rules::*;
pub use substance::{listed, substance};
pub use table::{ByArea, Layout, Limits, Means, Office, PlayingArea, Position};

/// The books that come with the program: file name and text.
const EMBEDDED: [(&str, &str); 4] = [
    ("megalink-holdem-v9.toml", include_str!("../../../rulebooks/megalink-holdem-v9.toml")),
    ("megalink-holdem-v6.toml", include_str!("../../../rulebooks/megalink-holdem-v6.toml")),
    ("megalink-stud-v9.toml", include_str!("../../../rulebooks/megalink-stud-v9.toml")),
    ("holdem-progressive-v6.toml", include_str!("../../../rulebooks/holdem-progressive-v6.toml")),
];

/// The four embedded books, always in this order.
///
/// # Panics
/// Never in a program that passed its tests: the texts are compiled in.
pub fn embedded() -> Vec<Rulebook> {
    let parse = |(file, text)| {
        Rulebook::parse(file, text).unwrap_or_else(|error| panic!("embedded rulebook: {error}"))
    };
    embedded_texts().map(parse).collect()
}

/// The texts of the embedded books with their file names, for code that reads the clauses directly.
pub fn embedded_texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    EMBEDDED.into_iter()
}

/// The text of one embedded book, for code that changes a figure and parses it again.
pub fn embedded_text(id: &str) -> Option<&'static str> {
    embedded_texts().find(|(file, _)| file.strip_suffix(".toml") == Some(id)).map(|(_, text)| text)
}
