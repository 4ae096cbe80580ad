//! Boards of five as if no flush could be made: everything is then a matter of ranks.
//!
//! The board is a multiset of five ranks (6,175 of them), hole cards are one of 91 pairs of ranks. The 91 pairs are
//! sorted by the worth of board and pair together. Walking up that order with running counts gives, for every pair,
//! how many of the dealer's hands lie below it:
//!
//! - `n[x]` is how many cards of rank `x` the board leaves. A pair `x != y` stands for `n[x] * n[y]` hands, of which
//!   `n[y]` hold one given card of rank `x`; a pair `x, x` for `n[x] * (n[x] - 1) / 2`, of which `n[x] - 1` hold it.
//! - The player's own two cards `a`, `b` are not the dealer's. Of the hands below, those that hold `a` and those that
//!   hold `b` go; the one hand that holds both is the player's own and is not below itself. So
//!   wins = below − below(a) − below(b), and for ties, where the player's own hand was counted, the same plus one.
//!
//! The running counts are therefore fourteen: one for each rank (hands that hold a given card of it) and the total.

use super::parallel::map;
use super::ranks::{FULL_HOUSE, Held, PAIR_RANKS, PAIRS, RANKS, Worth, all_multisets, worth};

/// Where the running count of all hands stands, after those by rank.
pub(super) const ALL: usize = RANKS;

/// Counts of hands: by a card of each rank that they hold, and of all. Two lanes are idle.
pub(super) type Lanes = [u16; 16];

/// A board of five ranks against which all pairs of ranks have been sorted.
#[derive(Clone)]
pub(super) struct PlainBoard {
    /// Pairs in rising order of worth.
    pub(super) sorted: [u8; PAIRS],
    /// The class of equal worth of each pair, from the lowest up.
    pub(super) class: [u8; PAIRS],
    /// The order of the hand each pair makes.
    pub(super) order: [u8; PAIRS],
    /// The set of those orders.
    pub(super) orders: u16,
    /// The result of each pair against all the dealer's hands.
    pub(super) result: Result91,
    /// The dealer's hands from a full house up, the player's cards not yet taken away.
    pub(super) full: Lanes,
}

/// For each pair of ranks, how many of the dealer's hands it beats and ties.
#[derive(Clone)]
pub(super) struct Result91 {
    pub(super) wins: [u16; PAIRS],
    pub(super) ties: [u16; PAIRS],
}

impl PlainBoard {
    const EMPTY: PlainBoard = PlainBoard {
        sorted: [0; PAIRS],
        class: [0; PAIRS],
        order: [0; PAIRS],
        orders: 0,
        result: Result91 { wins: [0; PAIRS], ties: [0; PAIRS] },
        full: [0; 16],
    };

    /// Sorts and counts one board.
    pub(super) fn new(board: [u8; 5]) -> PlainBoard {
        let mut this = PlainBoard::EMPTY;
        this.sort(board);
        this
    }

    /// Sorts and counts one board. With five equal ranks there is no such board, and the counts have no meaning.
    fn sort(&mut self, board: [u8; 5]) {
        let held = board.iter().fold(Held::default(), |held, &rank| held.with(rank));
        let mut keys = [0; PAIRS];
        for (place, &(a, b)) in PAIR_RANKS.iter().enumerate() {
            keys[place] = worth(held.with(a).with(b)).tagged(place);
        }
        keys.sort_unstable();
        let mut class = 0;
        for (i, &key) in keys.iter().enumerate() {
            let (worth, place) = Worth::of_tagged(key);
            if 0 < i && Worth::of_tagged(keys[i - 1]).0 < worth {
                class += 1;
            }
            self.sorted[i] = place as u8;
            self.class[place] = class;
            self.order[place] = worth.order();
            self.orders |= 1 << worth.order();
        }
        let mut left = [4; RANKS];
        for rank in board {
            left[usize::from(rank)] -= u16::from(0 < left[usize::from(rank)]);
        }
        (self.result, self.full) = self.against(left);
    }

    /// Every pair against a dealer who has `left` cards of each rank to draw from, the player's two among them; and
    /// the dealer's hands from a full house up.
    ///
    /// Where fewer cards are left than the pair needs there is no such hole hand, and its counts have no meaning.
    pub(super) fn against(&self, left: [u16; RANKS]) -> (Result91, Lanes) {
        let mut below: [Lanes; PAIRS + 1] = [[0; 16]; PAIRS + 1];
        let mut so_far: Lanes = [0; 16];
        let mut under_full: Lanes = [0; 16];
        for &place in &self.sorted {
            let place = usize::from(place);
            let (x, y) = PAIR_RANKS[place];
            let (x, y) = (usize::from(x), usize::from(y));
            if x == y {
                let other = left[x].saturating_sub(1);
                so_far[x] += other;
                so_far[ALL] += left[x] * other / 2;
            } else {
                so_far[x] += left[y];
                so_far[y] += left[x];
                so_far[ALL] += left[x] * left[y];
            }
            below[usize::from(self.class[place]) + 1] = so_far;
            if self.order[place] < FULL_HOUSE {
                under_full = so_far;
            }
        }
        let mut result = Result91 { wins: [0; PAIRS], ties: [0; PAIRS] };
        for (place, &(x, y)) in PAIR_RANKS.iter().enumerate() {
            let without = |lanes: &Lanes| {
                lanes[ALL].wrapping_sub(lanes[usize::from(x)]).wrapping_sub(lanes[usize::from(y)])
            };
            let class = usize::from(self.class[place]);
            let wins = without(&below[class]);
            result.wins[place] = wins;
            result.ties[place] = without(&below[class + 1]).wrapping_add(1).wrapping_sub(wins);
        }
        (result, std::array::from_fn(|lane| so_far[lane] - under_full[lane]))
    }
}

/// All boards of five ranks, by the place of the multiset.
pub(super) fn all_plain() -> Vec<PlainBoard> {
    let boards = all_multisets::<5>();
    map(boards.len(), PlainBoard::EMPTY, |place, plain| {
        plain.sort(boards[place]);
    })
}
