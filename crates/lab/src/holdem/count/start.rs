//! What every class of hole cards brings before the flop, from a stored count.
//!
//! `start.txt` has one line a class in the order of the chart: the value of the Flop wager and perfect play after it
//! without what a winning Ante is paid, in Antes over the deals of one hand; ties; wins by order of hand. A test holds
//! it against [`super::count`].

use std::sync::OnceLock;

use cards::Card;

use super::ahead::{Ahead, even_money};
use super::class::place_of_cards;
use super::counts::{DEALS_PER_HAND, Deals};

pub(super) fn start(hole: [Card; 2]) -> Ahead {
    static STARTS: OnceLock<Vec<Ahead>> = OnceLock::new();
    STARTS.get_or_init(|| include_str!("start.txt").lines().map(parse).collect())[place_of_cards(hole)]
}

fn parse(line: &str) -> Ahead {
    let fields: Vec<i64> = line
        .split_whitespace()
        .skip(1)
        .map(|field| field.parse().expect("start.txt holds numbers"))
        .collect();
    let ties = fields[1].cast_unsigned();
    let wins = std::array::from_fn(|order| fields[2 + order].cast_unsigned());
    let showdowns = Deals { wins, ties, losses: DEALS_PER_HAND - ties - wins.iter().sum::<u64>() };
    Ahead { showdowns, later: fields[0] - even_money(&showdowns) }
}
