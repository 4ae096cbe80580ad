//! Tests over the sequence of decks: what comes again, how evenly orders fill the list of all orders, how long first
//! cards take to come again, and how decks depend on those before them.

use rayon::prelude::*;

use super::special::{kolmogorov_above, real};
use super::statistic::{Statistic, against};
use super::{CARDS, Order, Values, exact};

/// How many decks back the serial correlation goes.
pub(super) const LAGS: usize = 16;

/// How many cards of each end of a deck are kept. Their orders fit 64 bits: 52 · 51 · … · 42 is 2.4 · 10^18.
const KEPT: usize = 11;

/// How many gaps and collections are told apart by length.
const LONGEST: usize = 400;

/// Of each deck the number of its first cards in the list of all their orders, and of its last cards from the end.
#[derive(Clone, Default)]
pub(super) struct Sequence {
    first: Vec<u64>,
    last: Vec<u64>,
    /// Sums of the rank correlation with the deck so many decks before, and how many they are.
    lags: [(f64, u64); LAGS],
}

impl Sequence {
    pub(super) fn add(&mut self, deck: &Order) {
        self.first.push(number_of(deck.iter()));
        self.last.push(number_of(deck.iter().rev()));
    }

    /// Adds the correlation of the places of the cards in a deck with those in an earlier one.
    pub(super) fn add_lag(&mut self, lag: usize, places: &Values, before: &Values) {
        // Whole numbers below 2 to the 24th, exact in any order of adding.
        let products: f32 = places.iter().zip(before).map(|(one, other)| one * other).sum();
        let (sum, count) = &mut self.lags[lag - 1];
        *sum += f64::from(products);
        *count += 1;
    }

    pub(super) fn plus(mut self, other: &Sequence) -> Sequence {
        self.first.extend(&other.first);
        self.last.extend(&other.last);
        for (to, from) in self.lags.iter_mut().zip(&other.lags) {
            *to = (to.0 + from.0, to.1 + from.1);
        }
        self
    }

    /// How often two decks begin with the same five cards in the same order, and with the same eleven: as good as
    /// never.
    pub(super) fn again(&self) -> (Statistic, Statistic) {
        let mut sorted = self.first.clone();
        sorted.par_sort_unstable();
        let decks = real(self.first.len() as u64);
        let pairs = decks * (decks - 1.0) / 2.0;
        let later = orders_of(5, KEPT);
        let statistic = |same: u64, orders: u64| Statistic::poisson(same, pairs / real(orders));
        let five = statistic(same_pairs(&sorted, |number| number / later), orders_of(0, 5));
        let eleven = statistic(same_pairs(&sorted, |number| number), orders_of(0, KEPT));
        (five, eleven)
    }

    /// Kolmogorov and Smirnov: the decks' places in the list of all orders, by their first or their last cards.
    pub(super) fn evenly(&self, from_the_last: bool) -> Statistic {
        let mut sorted = if from_the_last { self.last.clone() } else { self.first.clone() };
        sorted.par_sort_unstable();
        let (decks, orders) = (real(sorted.len() as u64), real(orders_of(0, KEPT)));
        let mut distance: f64 = 0.0;
        for (number, place) in sorted.iter().zip(0_u64..) {
            let at = (real(*number) + 0.5) / orders;
            distance = distance.max(at - real(place) / decks).max(real(place + 1) / decks - at);
        }
        let p = kolmogorov_above(distance, sorted.len() as u64);
        Statistic { kind: "distance", value: distance, freedom: None, p, detail: None }
    }

    /// How many decks from one whose first card has a rank to the next, for each rank.
    pub(super) fn gaps(&self) -> Option<Statistic> {
        let mut since = [None; 13];
        let mut counts = vec![0; 13 * (LONGEST + 1)];
        for (number, place) in self.first.iter().zip(0_usize..) {
            let rank = first_rank(*number);
            if let Some(before) = since[rank].replace(place) {
                counts[rank * (LONGEST + 1) + LONGEST.min(place - before)] += 1;
            }
        }
        let chances = exact::gaps_between_decks(LONGEST);
        let ranks = counts.chunks_exact(LONGEST + 1).zip(cards::Rank::ALL);
        let of = |(counts, rank): (&[u64], cards::Rank)| {
            Some((format!("rank {}", rank.letter()), against(counts, &chances)?))
        };
        Statistic::worst(ranks.map(of).collect::<Option<_>>()?)
    }

    /// How many decks until their first cards have shown every rank, again and again.
    pub(super) fn collected(&self) -> Option<Statistic> {
        let mut counts = vec![0; LONGEST + 1];
        let (mut ranks, mut decks) = (0_u16, 0);
        for number in &self.first {
            ranks |= 1 << first_rank(*number);
            decks += 1;
            if ranks == 0x1FFF {
                counts[LONGEST.min(decks)] += 1;
                (ranks, decks) = (0, 0);
            }
        }
        against(&counts, &exact::collected_between_decks(LONGEST))
    }

    /// The rank correlation with each of the decks before, as one chi-square. A single correlation of fair decks has
    /// the variance 1/51.
    pub(super) fn serial_correlation(&self) -> Statistic {
        let deviation = |(sum, count): &(f64, u64)| sum / 46_852.0 * 51_f64.sqrt() / real(*count).sqrt();
        let squares = self.lags.iter().map(|lag| deviation(lag).powi(2)).sum();
        Statistic::chi_square(squares, real(LAGS as u64))
    }
}

/// The number of the first cards among all their orders, the lowest cards first.
fn number_of<'a>(cards: impl Iterator<Item = &'a u8>) -> u64 {
    let (mut number, mut used) = (0, 0_u64);
    for (card, left) in cards.take(KEPT).zip((1..=CARDS as u64).rev()) {
        let lower_used = used & ((1 << card) - 1);
        number = number * left + u64::from(*card) - u64::from(lower_used.count_ones());
        used |= 1 << card;
    }
    number
}

/// In how many orders cards can come to the places from `start` to before `end`.
fn orders_of(start: usize, end: usize) -> u64 {
    (start..end).map(|place| (CARDS - place) as u64).product()
}

/// The rank of the first card of a deck with this number.
fn first_rank(number: u64) -> usize {
    usize::try_from(number / orders_of(1, KEPT) / 4).expect("a rank")
}

/// How many pairs of sorted numbers are the same by `part`.
fn same_pairs(sorted: &[u64], part: impl Fn(u64) -> u64) -> u64 {
    let alike = sorted.chunk_by(|one, other| part(*one) == part(*other));
    alike.map(|alike| alike.len() as u64).map(|count| count * (count - 1) / 2).sum()
}
