//! Sums over the river, for every board of four; and why they can be taken suit by suit.
//!
//! For every board of five, counts by ranks plus the change of at most one suit is the truth, and a suit with fewer
//! than three cards on the board changes nothing. So
//!
//! > count(hole, board) = plain(hole, board) + the sum over the four suits of change(suit; hole, board).
//!
//! Sums over rivers and turns can be taken term by term. After the turn the count summed over rivers is a plain part,
//! which only ranks decide, and a part for each suit with two or more cards on the board of four; after the flop, a
//! part for each suit on the flop. The part of a suit depends on the set `F` of its ranks on the board and on the
//! multiset `O` of the other ranks, never on the other suits. That is why there are few of them:
//!
//! | | `F` | `O` | number |
//! |---|---|---|---:|
//! | board of four | 2 | 2 | 78 · 91 |
//! | | 3 | 1 | 286 · 13 |
//! | | 4 | 0 | 715 |
//! | flop | 1 | 2 | 13 · 91 |
//! | | 2 | 1 | 78 · 13 |
//! | | 3 | 0 | 286 |
//!
//! A card of the suit can come once, and not if the hole cards hold it: the change is zero there, since hole cards
//! that collide with `F` are left empty. Of the other cards of a rank `3 - O(rank)` can come, less those in the hole
//! cards ([`Change::add_for_others`]).

use std::sync::{Mutex, MutexGuard};

use super::flush::{self, FlushBoard};
use super::parallel::{fold, map};
use super::plain::{PlainBoard, all_plain};
use super::ranks::{
    PAIR_RANKS, PAIRS, RANKS, all_multisets, all_subsets, copies, joined, listed, members, multiset, pair,
    subset,
};
use super::view::{Change, EMPTY, PAIR_OF_PLACE, PARTS, TIES, View};

/// Showdowns after the turn: 46 rivers and 990 hands of the dealer.
pub(super) const AFTER_TURN: u16 = 46 * 990;

/// The counts of all boards of four, summed over the river, in parts.
pub(super) struct Rivers {
    /// By multiset of four ranks: the plain part, spread over all places of a view.
    pub(super) plain: Vec<View>,
    /// A suit with two cards, by the pair of other ranks, then the two.
    pub(super) two: Vec<View>,
    /// A suit with three, by the three, then the other.
    pub(super) three: Vec<View>,
    /// A suit with four.
    pub(super) four: Vec<View>,
}

/// Sets of two, three and four ranks.
pub(super) const TWOS: usize = 78;
pub(super) const THREES: usize = 286;
pub(super) const FOURS: usize = 715;

impl Rivers {
    pub(super) fn new() -> Rivers {
        let boards = all_plain();
        let plain = plain_rivers(&boards);
        let mut two = vec![EMPTY; PAIRS * TWOS];
        let mut three = vec![EMPTY; THREES * RANKS];
        let mut four = vec![EMPTY; FOURS];
        let sums = SuitSums {
            boards: &boards,
            sets: [2, 3].map(all_subsets),
            flush: all_subsets(3).into_iter().map(FlushBoard::new).collect(),
            two: two.chunks_mut(TWOS).map(Mutex::new).collect(),
            three: three.chunks_mut(RANKS).map(Mutex::new).collect(),
            four: four.iter_mut().map(Mutex::new).collect(),
        };
        let mut tasks: Vec<Task> = (0..PAIRS).map(Task::Others).collect();
        tasks.extend(all_subsets(4).into_iter().map(Task::Four));
        tasks.extend(all_subsets(5).into_iter().map(Task::Five));
        let buffers = || [THREES, RANKS].map(|count| vec![Change::NONE; count]);
        fold(&tasks, buffers, |[threes, others], task| match *task {
            Task::Others(others) => sums.add_threes(others, threes),
            Task::Four(own) => sums.add_fours(own, others),
            Task::Five(own) => sums.add_five(own, &mut others[0]),
        });
        Rivers { plain, two, three, four }
    }

    /// A suit with two cards `own` and the pair of ranks `others` outside it.
    pub(super) fn two(&self, own: u16, others: usize) -> &View {
        &self.two[others * TWOS + subset(own)]
    }

    /// A suit with three cards `own` and one other.
    pub(super) fn three(&self, own: u16, other: usize) -> &View {
        &self.three[subset(own) * RANKS + other]
    }
}

/// A share of the boards of five.
enum Task {
    /// Three cards of the suit, by the pair of the other ranks.
    Others(usize),
    /// Four cards of the suit.
    Four(u16),
    Five(u16),
}

/// The sums of a suit while they are made, by its cards on the board of four: each board of five is worked out once,
/// and added wherever one of its cards can be the river.
struct SuitSums<'a> {
    boards: &'a [PlainBoard],
    /// All sets of two, and of three cards of the suit; and the flushes on the latter.
    sets: [Vec<u16>; 2],
    flush: Vec<FlushBoard>,
    two: Vec<Mutex<&'a mut [View]>>,
    three: Vec<Mutex<&'a mut [View]>>,
    four: Vec<Mutex<&'a mut View>>,
}

impl SuitSums<'_> {
    /// Adds all boards with three cards of the suit and the pair of ranks `others`.
    fn add_threes(&self, others: usize, changes: &mut [Change]) {
        let [twos, threes] = &self.sets;
        let (x, y) = PAIR_RANKS[others];
        let (a, b) = (usize::from(x), usize::from(y));
        for (number, (change, &own)) in changes.iter_mut().zip(threes).enumerate() {
            let plain = &self.boards[multiset(joined::<3, 2, 5>(listed(own), [x, y]))];
            flush::three(own, plain, &self.flush[number], change);
            let mut three = lock(&self.three[number]);
            if a == b {
                change.add_for_others(&mut three[a], a, 2);
            } else {
                change.add_for_others(&mut three[a], b, 3);
                change.add_for_others(&mut three[b], a, 3);
            }
        }
        for (sum, &own) in lock(&self.two[others]).iter_mut().zip(twos) {
            for rank in members(!own & 0x1fff) {
                changes[subset(own | 1 << rank)].add_to(sum);
            }
        }
    }

    /// Adds all boards with the four cards `own` of the suit.
    fn add_fours(&self, own: u16, changes: &mut [Change]) {
        let flush = FlushBoard::new(own);
        for (other, change) in changes.iter_mut().enumerate() {
            let plain = &self.boards[multiset(joined::<4, 1, 5>(listed(own), [other as u8]))];
            flush::four(own, other as u8, plain, &flush, change);
        }
        for rank in members(own) {
            let mut three = lock(&self.three[subset(own & !(1 << rank))]);
            for (sum, change) in three.iter_mut().zip(&*changes) {
                change.add_to(sum);
            }
        }
        let mut four = lock(&self.four[subset(own)]);
        for (other, change) in changes.iter().enumerate() {
            change.add_for_others(&mut four, other, 3);
        }
    }

    /// Adds the board of five cards `own` of the suit.
    fn add_five(&self, own: u16, change: &mut Change) {
        let plain = &self.boards[multiset(listed::<5>(own))];
        flush::five(own, plain, &FlushBoard::new(own), change);
        for rank in members(own) {
            change.add_to(&mut lock(&self.four[subset(own & !(1 << rank))]));
        }
    }
}

fn lock<T>(sum: &Mutex<T>) -> MutexGuard<'_, T> {
    sum.lock().expect("no worker panics with a sum in hand")
}

/// The plain part of every board of four.
fn plain_rivers(boards: &[PlainBoard]) -> Vec<View> {
    let fours = all_multisets::<4>();
    map(fours.len(), EMPTY, |place, view| {
        let sums = plain_sum(fours[place], boards);
        for (part, sums) in view.iter_mut().zip(&sums) {
            for (place, &pair) in part.iter_mut().zip(&PAIR_OF_PLACE) {
                *place = sums[usize::from(pair)];
            }
        }
    })
}

/// The plain counts on a board of four ranks, summed over the rivers that board and hole cards leave.
fn plain_sum(board: [u8; 4], boards: &[PlainBoard]) -> [[u16; PAIRS]; PARTS] {
    let mut sums = [[0_u16; PAIRS]; PARTS];
    for river in 0..RANKS {
        let left = 4 - copies(&board, river);
        if left == 0 {
            continue;
        }
        let plain = &boards[multiset(joined::<4, 1, 5>(board, [river as u8]))];
        let mut add = |pair: usize, times: u16| {
            let part = usize::from(plain.order[pair]);
            let (wins, ties) = (plain.result.wins[pair], plain.result.ties[pair]);
            sums[part][pair] = sums[part][pair].wrapping_add(wins.wrapping_mul(times));
            sums[TIES][pair] = sums[TIES][pair].wrapping_add(ties.wrapping_mul(times));
        };
        for pair in 0..PAIRS {
            add(pair, left);
        }
        for other in 0..RANKS {
            add(pair(river, other), 0_u16.wrapping_sub(1 + u16::from(other == river)));
        }
    }
    sums
}
