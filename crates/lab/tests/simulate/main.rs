//! The simulator against the exact figures, and the PAR sheet against itself.

mod agreement;
mod par;
mod repeatable;
mod shuffle;
mod submission;

use lab::exact::Lab;
use lab::simulate::{JackpotSetup, Setup};
use money::{Money, Pool, Rate};
use rulebook::{PlayingArea, Rulebook};

/// Counts once made serve every test.
static LAB: Lab = Lab::new();

fn book(id: &str) -> Rulebook {
    let books = rulebook::embedded();
    books.into_iter().find(|book| book.id == id).unwrap_or_else(|| panic!("no rulebook {id}"))
}

/// A simulation of a book with every wager it knows.
fn with_every_wager(book: Rulebook) -> Setup {
    let mut setup = Setup::new(book);
    if setup.book.areas().contains(&PlayingArea::Bonus) {
        setup.bonus = Money::from_cents(1_000);
    }
    let meter = Money::from_cents(123_456_789);
    setup.jackpot = Some(JackpotSetup {
        units: 1,
        minimum: Money::from_cents(500),
        meter: Pool::from_parts(meter, 4_321).expect("a small meter"),
        contribution: Rate::from_basis_points(6_175).expect("a rate below one"),
        reset: Money::from_cents(10_000_000),
    });
    setup
}
