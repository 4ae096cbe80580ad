//! The round of play against its rulebooks: a test a clause and book, the register that matches tests and clauses both
//! ways, and whole rounds replayed.

mod asked;
mod by_hand;
mod clauses;
mod register;
mod replays;
