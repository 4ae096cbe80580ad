//! What the laws share: tables, decks, a walk through a round, commands made up, and a second set of books.

pub(crate) mod cases;
pub(crate) mod chance;
pub(crate) mod commands;
pub(crate) mod ledger;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod table;
pub(crate) mod walk;
