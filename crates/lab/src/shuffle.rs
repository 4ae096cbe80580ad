//! Is a shuffle fair? The tests that regulators name, over many decks of any source.
//!
//! Each test compares a count with its exact distribution over all 52! orders and gives a p-value. Holm's correction
//! makes one verdict of them all: a fair shuffle fails it no more often than the level says. `docs/shuffle.md` has each
//! test and why it is right.

mod bits;
mod deck;
mod exact;
mod html;
mod orders;
mod report;
mod sequence;
pub mod special;
mod statistic;
mod view;

use rayon::prelude::*;

use self::bits::Bits;
use self::deck::Decks;
use self::sequence::{LAGS, Sequence};
use self::view::View;

pub use self::bits::Words;
pub use self::orders::{OrderError, read_orders};
pub use self::report::{Family, Passes, Report, Skipped, Test, shown};

const CARDS: usize = 52;

/// The fewest decks that are judged. The chi-squares are near their distribution from there on.
pub const DECKS_MIN: u64 = 200;

/// How many decks are counted at once.
const AT_ONCE: u64 = 4_096;

/// The cards of a deck, by index; the first to be dealt comes first.
pub type Order = [u8; CARDS];

/// The cards of a deck as the numbers -51, -49, ..., 51, which sum to zero.
type Values = [f32; CARDS];

/// Where decks come from. A deck must be the same whenever it is asked for.
pub trait Source: Sync {
    /// What it is, for the report.
    fn name(&self) -> String;

    /// How many decks there are.
    fn decks(&self) -> u64;

    /// At how many tables they are dealt, in turn.
    fn tables(&self) -> u64;

    /// A deck by its number, from zero.
    fn deck(&self, number: u64) -> Order;

    /// The first random words of a deck, where a program shuffled it.
    fn words(&self, number: u64) -> Option<Words>;
}

/// Decks that are known one by one, such as those of a file.
pub struct Listed {
    pub name: String,
    pub tables: u64,
    pub orders: Vec<Order>,
}

impl Source for Listed {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn decks(&self) -> u64 {
        self.orders.len() as u64
    }

    fn tables(&self) -> u64 {
        self.tables
    }

    fn deck(&self, number: u64) -> Order {
        self.orders[usize::try_from(number).expect("a place in the list")]
    }

    fn words(&self, _number: u64) -> Option<Words> {
        None
    }
}

/// Tests all decks of a source on all processors. `progress` is called with the number of decks done since.
pub fn test(source: &impl Source, progress: impl Fn(u64) + Sync) -> Report {
    let (decks, tables) = (source.decks(), source.tables());
    let counted = (0..decks.div_ceil(AT_ONCE))
        .into_par_iter()
        .map(|part| {
            let numbers = part * AT_ONCE..decks.min((part + 1) * AT_ONCE);
            let count = numbers.end - numbers.start;
            let counts = Counts::of(source, numbers);
            progress(count);
            counts
        })
        .reduce(|| Counts::new(tables), Counts::plus);
    report::report(source.name(), decks, tables, &counted)
}

/// Everything that is counted.
struct Counts {
    decks: Decks,
    sequence: Sequence,
    bits: Option<Bits>,
    from_new: View,
    from_before: View,
    /// Only where there are several tables.
    between_tables: Option<View>,
}

impl Counts {
    fn new(tables: u64) -> Counts {
        Counts {
            decks: Decks::default(),
            sequence: Sequence::default(),
            bits: None,
            from_new: View::new(false),
            from_before: View::new(true),
            between_tables: (1 < tables).then(|| View::new(true)),
        }
    }

    fn of(source: &impl Source, numbers: std::ops::Range<u64>) -> Counts {
        let tables = source.tables();
        let mut counts = Counts::new(tables);
        let back = tables.max(LAGS as u64);
        let start = numbers.start.saturating_sub(back);
        let known: Vec<Deck> = (start..numbers.end).map(|number| Deck::new(source.deck(number))).collect();
        for number in numbers {
            let place = usize::try_from(number - start).expect("a place among the decks at once");
            let deck = &known[place];
            let before = |back: u64| {
                usize::try_from(back).ok().and_then(|back| place.checked_sub(back)).map(|place| &known[place])
            };
            counts.decks.add(&deck.order, &deck.values);
            counts.sequence.add(&deck.order);
            counts.from_new.add(&deck.order);
            if let Some(before) = before(tables) {
                counts.from_before.add_pair(deck, before);
            }
            if let (Some(view), Some(before)) = (&mut counts.between_tables, before(1)) {
                view.add_pair(deck, before);
            }
            for lag in 1..=LAGS {
                if let Some(before) = before(lag as u64) {
                    counts.sequence.add_lag(lag, &deck.places, &before.places);
                }
            }
            if let Some(words) = source.words(number) {
                counts.bits.get_or_insert_default().add(&words);
            }
        }
        counts
    }

    fn plus(self, other: Counts) -> Counts {
        fn both<T>(one: Option<T>, other: Option<T>, plus: impl Fn(T, &T) -> T) -> Option<T> {
            match (one, other) {
                (Some(one), Some(other)) => Some(plus(one, &other)),
                (one, other) => one.or(other),
            }
        }
        Counts {
            decks: self.decks.plus(&other.decks),
            sequence: self.sequence.plus(&other.sequence),
            bits: both(self.bits, other.bits, Bits::plus),
            from_new: self.from_new.plus(&other.from_new),
            from_before: self.from_before.plus(&other.from_before),
            between_tables: both(self.between_tables, other.between_tables, View::plus),
        }
    }
}

/// A deck in the forms that are counted.
struct Deck {
    order: Order,
    /// The cards by place.
    values: Values,
    /// The places by card.
    places: Values,
    /// The place of each card.
    place_of: Order,
}

impl Deck {
    fn new(order: Order) -> Deck {
        let mut place_of = [0; CARDS];
        for (card, place) in order.iter().zip(0_u8..) {
            place_of[usize::from(*card)] = place;
        }
        Deck { order, values: values(&order), places: values(&place_of), place_of }
    }
}

impl View {
    /// Counts the shuffle that made a deck from the one before.
    fn add_pair(&mut self, deck: &Deck, before: &Deck) {
        self.add(&deck.order.map(|card| before.place_of[usize::from(card)]));
        self.add_products(&deck.values, &before.values);
    }
}

fn values(order: &Order) -> Values {
    order.map(|card| f32::from(card) * 2.0 - 51.0)
}
