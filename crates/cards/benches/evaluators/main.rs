//! Compares this crate's evaluators with `pokers` 0.10: one core, the same hands, the same loops.
//!
//! `cargo bench -p cards --bench evaluators`
//!
//! The workspace checks additions in release builds too; `pokers`, which adds with `+`, is built without these
//! checks. The evaluators take turns chunk by chunk, and the fastest turn of each chunk counts. Before the timing
//! starts, all must find the known number of hands in each category and agree on the random hands.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::inline_always,
    reason = "speeds are shown, not settled, and the loops must compile alike for all sides"
)]

mod checks;
mod deals;
mod loops;
mod sides;

use std::hint::black_box;
use std::time::{Duration, Instant};

use cards::Card;
use cards::lanes::Holes;
use sides::{Ours, Pokers};

/// The same hands as cards and as numbers.
type HandsAndIds<'a> = (&'a [[Card; 7]], &'a [[u8; 7]]);

/// The work that is timed, chunk by chunk.
type Loop<'a, Chunk> = &'a dyn Fn(&Chunk) -> u64;

fn main() {
    println!("{:52} {:>7} {:>7} {:>6}", "millions of hands a second, one core", "ours", "pokers", "ratio");
    hands_in_order();
    random_hands();
    random_boards();
}

fn hands_in_order() {
    checks::in_order::<Ours>();
    checks::in_order::<Pokers>();
    let (our_pairs, their_pairs) = (loops::pairs::<Ours>(), loops::pairs::<Pokers>());
    let chunks: Vec<[usize; 2]> = loops::two_highest().collect();
    let sides: [Loop<[usize; 2]>; 4] = [
        &|&highest| loops::in_order_by_card::<Ours>(highest),
        &|&highest| loops::in_order_by_card::<Pokers>(highest),
        &|&highest| loops::in_order_by_pair::<Ours>(highest, &our_pairs),
        &|&highest| loops::in_order_by_pair::<Pokers>(highest, &their_pairs),
    ];
    let [ours_by_card, pokers_by_card, ours_by_pair, pokers_by_pair] = race(12, &chunks, sides);
    report("all 133,784,560 hands of seven, card by card", 133_784_560, ours_by_card, pokers_by_card);
    report("  the last two cards as a pair", 133_784_560, ours_by_pair, pokers_by_pair);
}

fn random_hands() {
    let ids = deals::random_hands(4_000_000);
    let hands: Vec<[Card; 7]> = ids.iter().map(|ids| ids.map(deals::card)).collect();
    checks::random(&hands, &ids);
    let chunks: Vec<_> = hands.chunks(50_000).zip(ids.chunks(50_000)).collect();
    let sides: [Loop<HandsAndIds>; 3] = [
        &|(hands, _)| loops::one_by_one::<Ours>(hands),
        &|(hands, _)| loops::one_by_one_checked(hands),
        &|(_, ids)| loops::one_by_one::<Pokers>(ids),
    ];
    let [ours, best_of, pokers] = race(25, &chunks, sides);
    report("4,000,000 random hands of seven card ids", 4_000_000, ours, pokers);
    report("  by `HandRank::best_of`, which refuses duplicates", 4_000_000, best_of, pokers);
}

fn random_boards() {
    let boards = deals::random_boards(4_000);
    let holes = Holes::all();
    checks::boards(&boards, &holes);
    let chunks: Vec<&[[u8; 5]]> = boards.chunks(100).collect();
    let sides: [Loop<&[[u8; 5]]>; 3] = [
        &|boards| loops::boards_in_lanes(boards, &holes),
        &|boards| loops::boards_by_card::<Ours>(boards),
        &|boards| loops::boards_by_card::<Pokers>(boards),
    ];
    let [lanes, by_card, pokers] = race(25, &chunks, sides);
    report("4,000 random boards x the 1,081 pairs left, in lanes", 4_000 * 1_081, lanes, pokers);
    report("  card by card", 4_000 * 1_081, by_card, pokers);
}

/// Each side's time for all chunks: the sum of its fastest turns at each.
fn race<Chunk, const N: usize>(rounds: usize, chunks: &[Chunk], sides: [Loop<Chunk>; N]) -> [Duration; N] {
    let mut fastest = vec![[Duration::MAX; N]; chunks.len()];
    for _ in 0..rounds {
        for (chunk, fastest) in chunks.iter().zip(&mut fastest) {
            for (side, fastest) in sides.iter().zip(fastest) {
                let start = Instant::now();
                black_box(side(black_box(chunk)));
                *fastest = start.elapsed().min(*fastest);
            }
        }
    }
    std::array::from_fn(|side| fastest.iter().map(|times| times[side]).sum())
}

fn report(what: &str, hands: u64, ours: Duration, pokers: Duration) {
    let speed = |time: Duration| hands as f64 / time.as_secs_f64() / 1e6;
    println!("{what:52} {:7.0} {:7.0} {:6.2}", speed(ours), speed(pokers), speed(ours) / speed(pokers));
}
