//! Statistics of the shuffle and the deal.
//!
//! The decks come from the committed shuffle that the tables deal from. They are counted in three ways: every card in
//! every place, every pair of cards in neighbouring places, and the order of hand of the first five cards, compared
//! with the exact counts over all C(52,5) hands. Biased shuffles go through the same counts, which must detect them.

mod biased;
mod counts;
mod small;
mod statistics;

use std::time::Instant;

use floor::dealing::{self, Seed};
use journal::Hash;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Finding;

pub use self::biased::Biased;
pub use self::counts::{Counts, Verdict};
pub use self::small::{every_order_once, permutations};
pub use self::statistics::{ChiSquare, chi_square};

/// How far a statistic of an even shuffle may be from its expected value, in standard deviations. Chance exceeds it in
/// about one run in a million.
pub const DEVIATIONS_MAX: f64 = 5.0;

/// Options of `simtest shuffle`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many decks
    #[arg(long, default_value_t = 20_000_000)]
    decks: u64,
    /// Makes the seeds of the decks
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Counts the decks and checks the statistics.
pub fn run(args: &Args) -> Result<(), Finding> {
    let started = Instant::now();
    let verdict = count(args.decks, |number| committed(args.seed, number)).verdict();
    println!(
        "{} decks of the committed shuffle: {verdict}; {:.1} s",
        args.decks,
        started.elapsed().as_secs_f64()
    );
    verdict.even().map_err(Finding)?;
    for cards in 2..=6 {
        let statistic = permutations(cards, args.decks.min(10_000_000), args.seed);
        println!("all orders of {cards} cards: {statistic}");
        if !statistic.is_even() {
            return Err(Finding(format!("the orders of {cards} cards are not even: {statistic}")));
        }
    }
    for biased in Biased::ALL {
        let verdict = count(args.decks.min(1_000_000), |number| biased.deck(args.seed, number)).verdict();
        println!("{biased:?}: {verdict}");
        if verdict.even().is_ok() {
            return Err(Finding(format!("{biased:?} was not detected: {verdict}")));
        }
    }
    Ok(())
}

/// The cards of a deck, by index; the first to be dealt comes first.
pub type Order = [u8; 52];

/// A deck as the tables deal it.
pub fn committed(seed: u64, number: u64) -> Order {
    let digest = |what: &str| -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(what);
        hasher.update(seed.to_be_bytes());
        hasher.update(number.to_be_bytes());
        hasher.finalize().into()
    };
    let deck = dealing::deck(Seed(digest("seed")), Hash(digest("salt")));
    deck.cards().map(cards::Card::index)
}

/// Counts decks on all processors.
pub fn count(decks: u64, deck: impl Fn(u64) -> Order + Sync) -> Counts {
    const AT_ONCE: u64 = 50_000;
    let parts = decks.div_ceil(AT_ONCE);
    let part = |part: u64| {
        let mut counts = Counts::default();
        let numbers = part * AT_ONCE..decks.min((part + 1) * AT_ONCE);
        numbers.for_each(|number| counts.add(&deck(number)));
        counts
    };
    (0..parts).into_par_iter().map(part).reduce(Counts::default, |one, other| one.plus(&other))
}
