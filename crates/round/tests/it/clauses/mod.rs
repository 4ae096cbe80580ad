//! One module a section of the rulebooks, one test a clause and book, named by it: `section_3::r3_10_2::mthb9`.
//!
//! What follows a number tells several scripts of one clause apart (`r3_9_1_stud`). Where books number one rule
//! differently, one script stands under both numbers. The language of the scripts is described in `testkit::script`.

/// A module a clause, and in it a test for each book, all running one script.
macro_rules! clauses {
    ($($($(#[$doc:meta])* $name:ident for [$($book:ident)*])+ $script:literal)*) => {
        $($(
            $(#[$doc])*
            mod $name {
                $(
                    #[test]
                    fn $book() {
                        testkit::script::check(stringify!($book), stringify!($name), $script);
                    }
                )*
            }
        )+)*
    };
}

mod appendices;
mod readings;
mod section_1;
mod section_2;
mod section_3;
mod section_3_dealing;
mod section_3_hands;
mod section_3_play;
mod section_4;
mod section_5;
mod section_5_limits;
mod section_5_players;
mod section_5_power;
mod section_6;
