//! Writes the evaluator's tables at build time, so that a program starts with them ready.
//!
//! Ranks and suits are separate: without a flush only the number of cards of each rank counts, with a flush only
//! the ranks of its suit. `strength` computes how strong each hand is, `displace` packs the first kind.

mod displace;
mod strength;

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::{env, fs};

use displace::Displaced;
use strength::{Counts, Strength};

/// One key per rank, lowest first. The sum over a hand of five to seven cards identifies its ranks: no two such
/// hands of different ranks have the same sum. Each key is the least for which that holds, given those before it.
const RANK_KEYS: [u32; 13] =
    [1, 4, 16, 67, 295, 1_334, 5_734, 23_800, 60_883, 208_450, 509_982, 1_304_151, 2_967_844];

/// A row is the hands whose sums agree in this many low bits.
const ROW_BITS: u32 = 13;

/// The sums are shifted so that the bits above the row index the values, whose number is a power of two: then no
/// index needs a bounds check.
const VALUE_BITS: u32 = 17;
const COLUMN_AT: u32 = 32 - VALUE_BITS;
const ROW_AT: u32 = COLUMN_AT - ROW_BITS;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let hands = all_counts();
    let values = Values::new(&hands);

    let mut by_sum = BTreeMap::new();
    for counts in &hands {
        let earlier = by_sum.insert(sum_of(counts), values.of(strength::of_counts(counts)));
        assert_eq!(earlier, None, "{counts:?} has the sum of another hand");
    }
    let Displaced { offsets, mut slots } = displace::pack(&by_sum, ROW_BITS);
    let rows: Vec<u32> = offsets.iter().map(|offset| offset << COLUMN_AT).collect();
    assert!(slots.len() <= 1 << VALUE_BITS, "{} values", slots.len());
    slots.resize(1 << VALUE_BITS, 0);
    let flush = |ranks: u16| match ranks.count_ones() {
        5..=7 => values.of(strength::of_flush(ranks)),
        _ => 0,
    };
    let flushes: Vec<u16> = (0..1 << 13).map(flush).collect();

    let mut text = format!(
        "pub(crate) const ROW_AT: u32 = {ROW_AT};\n\
         pub(crate) const COLUMN_AT: u32 = {COLUMN_AT};\n"
    );
    text += &array("const", "RANK_KEYS", "u32", &RANK_KEYS.map(|key| key << ROW_AT));
    text += &array("static", "ROWS", "u32", &rows);
    text += &array("static", "VALUES", "u16", &slots);
    text += &array("static", "FLUSHES", "u16", &flushes);
    let folder = env::var_os("OUT_DIR").expect("cargo names the output folder");
    fs::write(Path::new(&folder).join("tables.rs"), text).expect("the output folder can be written to");
}

/// The strengths of all hands, numbered from 1 up.
struct Values(Vec<Strength>);

impl Values {
    fn new(hands: &[Counts]) -> Values {
        let five = hands.iter().filter(|counts| counts.iter().sum::<u8>() == 5);
        let flushes = (0..1 << 13).filter(|ranks: &u16| ranks.count_ones() == 5);
        let mut all: Vec<Strength> =
            five.map(strength::of_counts).chain(flushes.map(strength::of_flush)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 7462, "strengths of five cards");
        Values(all)
    }

    fn of(&self, strength: Strength) -> u16 {
        let place = self.0.binary_search(&strength).expect("the best five cards are a five-card hand");
        u16::try_from(place + 1).expect("7462 is within 16 bits")
    }
}

/// Every way to hold five, six or seven cards by rank, at most four of a rank.
fn all_counts() -> Vec<Counts> {
    let mut all = vec![[0; 13]];
    for rank in 0..13 {
        all = all
            .iter()
            .flat_map(|counts: &Counts| {
                let left = 7 - counts.iter().sum::<u8>();
                (0..=left.min(4)).map(move |count| {
                    let mut with = *counts;
                    with[rank] = count;
                    with
                })
            })
            .collect();
    }
    all.retain(|counts| 5 <= counts.iter().sum::<u8>());
    all
}

fn sum_of(counts: &Counts) -> u32 {
    counts.iter().zip(RANK_KEYS).map(|(&count, key)| u32::from(count) * key).sum()
}

fn array<T: Display>(kind: &str, name: &str, of: &str, items: &[T]) -> String {
    let mut text = format!("pub(crate) {kind} {name}: [{of}; {}] = [", items.len());
    for item in items {
        write!(text, "{item},").expect("a string takes any text");
    }
    text + "];\n"
}
