//! Tables to play at: every book, layout and dealing method, some with other readings, and what they remember.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use money::Money;
use proptest::prelude::*;
use round::{PlayerId, TableMemory, TableRules, WAGER_CENTS_MAX};
use rulebook::{Game, Limits, Rulebook, embedded, embedded_text};

/// Everybody who may turn up at a table.
pub(crate) static PLAYERS: LazyLock<Vec<PlayerId>> =
    LazyLock::new(|| ["P1", "P2", "P3", "P4", "P5"].map(PlayerId::new).to_vec());

/// The four books, then some of them with readings changed.
static BOOKS: LazyLock<Vec<Arc<Rulebook>>> = LazyLock::new(|| {
    let changed = [
        (
            "megalink-holdem-v9",
            vec![("bonus-follows", "showdown"), ("withdrawal-permitted-by", "pit-manager")],
        ),
        ("megalink-holdem-v6", vec![("absent-bonus", "collected")]),
        (
            "megalink-stud-v9",
            vec![("declined-no-hand", "lost"), ("withdrawal-permitted-by", "pit-supervisor")],
        ),
        ("holdem-progressive-v6", vec![("one-jackpot-payout", "player-and-community")]),
    ];
    let changed = changed.into_iter().map(|(id, readings)| {
        let text = embedded_text(id).expect("it comes with the program");
        Rulebook::parse_with(id, text, &readings).expect("each is a value of its reading")
    });
    embedded().into_iter().chain(changed).map(Arc::new).collect()
});

/// The book with this id, as it comes.
pub(crate) fn book(id: &str) -> Arc<Rulebook> {
    let book = BOOKS.iter().find(|book| book.id == id);
    Arc::clone(book.expect("the cases name books that come with the program"))
}

/// The limits all tables of these laws have.
fn limits(book: &Rulebook) -> Limits {
    let range = |least, most| Money::from_cents(least)..=Money::from_cents(most);
    let holdem = matches!(book.game, Game::Holdem(_));
    Limits { ante: range(5_000, 50_000), bonus: holdem.then(|| range(500, 20_000)) }
}

/// A table of a book with nothing special about it.
pub(crate) fn plain_table(id: &str, positions: u8) -> TableRules {
    let book = book(id);
    let limits = limits(&book);
    TableRules::new(book, positions, limits, None, None).expect("a layout of the book")
}

/// A table, in numbers that shrink. What does not fit a book is taken modulo what does.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    book: usize,
    positions: usize,
    method: usize,
    jackpot: u8,
    informed: u8,
    warned: u8,
    restricted: u8,
    prohibited: u8,
    /// The deck.
    pub(crate) cards: u64,
}

/// A table and what happens at it: wagers, then a number for each step.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) setup: Setup,
    pub(crate) wagers: u64,
    pub(crate) steps: Vec<u64>,
}

pub(crate) fn stories(steps: usize) -> impl Strategy<Value = Story> {
    let steps = prop::collection::vec(any::<u64>(), 0..=steps);
    (setups(), any::<u64>(), steps).prop_map(|(setup, wagers, steps)| Story { setup, wagers, steps })
}

pub(crate) fn setups() -> impl Strategy<Value = Setup> {
    let book = prop_oneof![3 => 0_usize..4, 1 => 4_usize..8];
    let few = || prop_oneof![4 => Just(0_u8), 1 => 0_u8..32];
    let most = prop_oneof![3 => Just(31_u8), 1 => 0_u8..32];
    let sizes = (0_usize..28, 0_usize..12, 0_u8..12);
    let remembered = (most, few(), few(), few());
    (book, sizes, remembered, any::<u64>()).prop_map(|(book, sizes, remembered, cards)| {
        let (positions, method, jackpot) = sizes;
        let (informed, warned, restricted, prohibited) = remembered;
        Setup { book, positions, method, jackpot, informed, warned, restricted, prohibited, cards }
    })
}

impl Setup {
    pub(crate) fn book(&self) -> &'static Arc<Rulebook> {
        &BOOKS[self.book]
    }

    pub(crate) fn table(&self) -> TableRules {
        let book = self.book();
        let fits: Vec<u8> = (1..=9).filter(|positions| book.layout_with(*positions).is_some()).collect();
        let positions = fits[self.positions % fits.len()];
        let method = self.method_name();
        let minimum = match self.jackpot {
            0 | 1 => None,
            2 => Some(WAGER_CENTS_MAX / 3),
            3 => Some(0),
            _ => Some(500),
        };
        let minimum = minimum.map(Money::from_cents);
        TableRules::new(Arc::clone(book), positions, self.limits(), Some(method), minimum)
            .expect("a layout, a method and limits of the book")
    }

    pub(crate) fn method_name(&self) -> &'static str {
        let methods = &self.book().methods;
        &methods[self.method % methods.len()].name
    }

    pub(crate) fn limits(&self) -> Limits {
        limits(self.book())
    }

    pub(crate) fn memory(&self) -> TableMemory {
        let those = |bits: u8| -> BTreeSet<PlayerId> {
            let chosen = PLAYERS.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
            chosen.map(|(_, player)| player.clone()).collect()
        };
        TableMemory {
            informed: those(self.informed),
            warned: those(self.warned),
            restricted: those(self.restricted),
            prohibited: those(self.prohibited),
        }
    }
}
