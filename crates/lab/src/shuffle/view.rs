//! Counts of shuffles seen from a starting order: that of a new deck, of the deck before at the table, or of the deck
//! dealt before at any table. Of fair decks each of these is a fair shuffle, independent of the others.

use super::special::real;
use super::statistic::{Statistic, against, farthest_cell, frequency};
use super::{CARDS, Order, Values, exact};

/// The sum of squares of the numbers -51, -49, ..., 51, which stand for the cards in correlations.
const SQUARES: f64 = 46_852.0;

/// Counts of many shuffles.
#[derive(Clone)]
pub(super) struct View {
    pub(super) shuffles: u64,
    /// By place after, then place before.
    pub(super) cells: Vec<u64>,
    /// How many cards are followed by the same card as before, and by the one that was before them.
    kept: Vec<u64>,
    turned: Vec<u64>,
    /// Rising sequences, less one.
    rising: Vec<u64>,
    fixed: Vec<u64>,
    cycles: Vec<u64>,
    /// Products of the numbers of the cards, by place after, then place before.
    products: Option<Products>,
}

impl View {
    /// The shuffle of a deck is judged alone, or also against the cards of another deck.
    pub(super) fn new(with_products: bool) -> View {
        let counts = || vec![0; CARDS + 1];
        View {
            shuffles: 0,
            cells: vec![0; CARDS * CARDS],
            kept: counts(),
            turned: counts(),
            rising: counts(),
            fixed: counts(),
            cycles: counts(),
            products: with_products.then(Products::default),
        }
    }

    /// Counts a shuffle: for each place after it, the place before.
    pub(super) fn add(&mut self, shuffle: &Order) {
        self.shuffles += 1;
        let mut after: Order = [0; CARDS];
        let mut fixed = 0;
        for ((place, before), number) in shuffle.iter().enumerate().zip(0_u8..) {
            self.cells[place * CARDS + usize::from(*before)] += 1;
            after[usize::from(*before)] = number;
            fixed += usize::from(*before == number);
        }
        let (mut kept, mut turned) = (0, 0);
        for pair in shuffle.windows(2) {
            kept += usize::from(pair[0] + 1 == pair[1]);
            turned += usize::from(pair[1] + 1 == pair[0]);
        }
        let falls = after.windows(2).filter(|pair| pair[1] < pair[0]).count();
        self.fixed[fixed] += 1;
        self.kept[kept] += 1;
        self.turned[turned] += 1;
        self.rising[falls] += 1;
        self.cycles[cycles(shuffle)] += 1;
    }

    /// Adds the cards of two decks, by their numbers.
    pub(super) fn add_products(&mut self, deck: &Values, before: &Values) {
        if let Some(products) = &mut self.products {
            products.add(deck, before);
        }
    }

    pub(super) fn plus(mut self, other: &View) -> View {
        self.shuffles += other.shuffles;
        for (to, from) in [
            (&mut self.cells, &other.cells),
            (&mut self.kept, &other.kept),
            (&mut self.turned, &other.turned),
            (&mut self.rising, &other.rising),
            (&mut self.fixed, &other.fixed),
            (&mut self.cycles, &other.cycles),
        ] {
            add(to, from);
        }
        if let (Some(to), Some(from)) = (&mut self.products, &other.products) {
            to.plus(from);
        }
        self
    }

    pub(super) fn frequency(&self) -> Statistic {
        frequency(&self.cells, self.shuffles)
    }

    pub(super) fn farthest_cell(&self, name: impl Fn(usize, usize) -> String) -> Option<Statistic> {
        farthest_cell(&self.cells, self.shuffles, name)
    }

    pub(super) fn neighbours_kept(&self) -> Option<Statistic> {
        against(&self.kept, &exact::successions())
    }

    pub(super) fn neighbours_turned(&self) -> Option<Statistic> {
        against(&self.turned, &exact::successions())
    }

    pub(super) fn rising_sequences(&self) -> Option<Statistic> {
        against(&self.rising, &exact::rising_sequences())
    }

    pub(super) fn fixed_points(&self) -> Option<Statistic> {
        against(&self.fixed, &exact::fixed_points())
    }

    pub(super) fn cycles(&self) -> Option<Statistic> {
        against(&self.cycles, &exact::cycles())
    }

    /// Every place of a deck with every place of the other: 51 x 51, because the cards of a deck sum to zero.
    pub(super) fn correlation(&self) -> Option<Statistic> {
        let sums = self.products.as_ref()?.sums();
        let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
        let expected = real(self.shuffles) * SQUARES * SQUARES / (51.0 * 51.0);
        Some(Statistic::chi_square(squares / expected, 51.0 * 51.0))
    }
}

/// The number of cycles of a shuffle.
fn cycles(shuffle: &Order) -> usize {
    let mut left: u64 = (1 << CARDS) - 1;
    let mut cycles = 0;
    while left != 0 {
        let mut place = left.trailing_zeros();
        cycles += 1;
        while left & (1 << place) != 0 {
            left &= !(1 << place);
            place = u32::from(shuffle[place as usize]);
        }
    }
    cycles
}

pub(super) fn add(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// Sums of products of the cards' numbers, for every two places.
///
/// Recent products are summed as `f32`, which the processor adds four at a time. They are whole numbers, and exact as
/// long as they stay below 2 to the 24th.
#[derive(Clone)]
pub(super) struct Products {
    recent: Vec<f32>,
    recent_decks: u32,
    sums: Vec<i64>,
}

/// 51 · 51 · 6,000 is below 2 to the 24th.
const RECENT_MAX: u32 = 6_000;

impl Default for Products {
    fn default() -> Products {
        Products { recent: vec![0.0; CARDS * CARDS], recent_decks: 0, sums: vec![0; CARDS * CARDS] }
    }
}

impl Products {
    pub(super) fn add(&mut self, deck: &Values, other: &Values) {
        for (row, one) in self.recent.chunks_exact_mut(CARDS).zip(deck) {
            for (sum, two) in row.iter_mut().zip(other) {
                *sum += one * two;
            }
        }
        self.recent_decks += 1;
        if self.recent_decks == RECENT_MAX {
            self.settle();
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole numbers below 2 to the 24th")]
    fn settle(&mut self) {
        self.recent_decks = 0;
        for (sum, recent) in self.sums.iter_mut().zip(&mut self.recent) {
            *sum += *recent as i64;
            *recent = 0.0;
        }
    }

    pub(super) fn plus(&mut self, other: &Products) {
        self.settle();
        let mut other = other.clone();
        other.settle();
        self.sums.iter_mut().zip(&other.sums).for_each(|(to, from)| *to += from);
    }

    #[expect(clippy::cast_precision_loss, reason = "sums are far below 2 to the 52nd")]
    pub(super) fn sums(&self) -> Vec<f64> {
        let mut all = self.clone();
        all.settle();
        all.sums.iter().map(|sum| *sum as f64).collect()
    }
}
