//! What every class of hole cards is worth before the flop, from a stored count.
//!
//! `start.txt` has one line a class in the order of the chart: the value of the Flop wager and perfect play after it
//! without what a winning Ante is paid, in Antes over the deals of one hand; ties; wins by order of hand. A test holds
//! it against [`super::count`].

use std::sync::OnceLock;

use super::class::HoleClass;
use super::counts::{ClassCounts, Counts, DEALS_PER_HAND, Deals};
use super::game::AntePays;

type Start = (i64, Deals);

/// The value of a class without what a winning Ante is paid, and its showdowns.
pub(super) fn start(class: HoleClass) -> Start {
    static STARTS: OnceLock<Vec<Start>> = OnceLock::new();
    STARTS.get_or_init(|| include_str!("start.txt").lines().map(parse).collect())[class.index()]
}

fn parse(line: &str) -> Start {
    let fields: Vec<i64> = line
        .split_whitespace()
        .skip(1)
        .map(|field| field.parse().expect("start.txt holds numbers"))
        .collect();
    let ties = fields[1].cast_unsigned();
    let wins = std::array::from_fn(|order| fields[2 + order].cast_unsigned());
    (fields[0], Deals { wins, ties, losses: DEALS_PER_HAND - ties - wins.iter().sum::<u64>() })
}

impl Counts {
    /// The text of `start.txt`, as it should be.
    pub fn start_table(&self) -> String {
        self.classes().iter().map(line).collect()
    }
}

fn line(counts: &ClassCounts) -> String {
    let deals = counts.showdowns();
    let wins: Vec<String> = deals.wins.iter().map(u64::to_string).collect();
    format!("{} {} {} {}\n", counts.class, counts.net(&AntePays([0; 10])), deals.ties, wins.join(" "))
}
