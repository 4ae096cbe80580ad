//! What every pair of cards makes on every board of five, as a byte: the higher byte is the better hand.

use super::super::super::parallel::map;
use super::super::super::ranks::{PAIRS, all_multisets, all_subsets, multiset, subset};
use super::super::super::view::{PAIR_OF_PLACE, own_cards};
use super::super::ladder::Ladder;
use super::super::shape::{HANDS, Shape, all_shapes};

/// The lanes of a row: hands as a suit sees them, padded to whole vectors.
pub(super) const WIDTH: usize = 352;

/// A byte for each pair of cards: the higher makes the better hand.
pub(super) type Made = [u8; WIDTH];

/// All bits where hands can be, none elsewhere.
pub(super) type Mask = [i8; WIDTH];

/// What pairs of cards make on every board of five.
pub(super) struct Boards {
    /// By ranks alone, and the same as a suit sees the pairs.
    pub(super) ranks: Vec<[u8; PAIRS]>,
    plain: Vec<Made>,
    pub(super) suited: Vec<Made>,
    /// For the set of boards and places: whether the Ante is not paid with the hand made, by ranks and by suit.
    pub(super) ranks_unpaid: Vec<[bool; PAIRS]>,
    pub(super) suited_unpaid: Vec<[bool; WIDTH]>,
    /// Hands that hold no card of the suit that is on the board, by the ranks of three to five such cards.
    free: [Vec<Mask>; 3],
}

impl Boards {
    pub(super) fn new(ante_paid: u16) -> Boards {
        let unpaid = |order: u8| ante_paid >> order & 1 == 0;
        let boards = all_multisets::<5>();
        let ranks = map(boards.len(), ([0; PAIRS], [false; PAIRS]), |place, made| {
            let ladder = Ladder::of_ranks(boards[place]);
            *made = (ladder.class, ladder.order.map(unpaid));
        });
        let shapes = all_shapes(5);
        let suited = map(shapes.len(), ([0; WIDTH], [false; WIDTH]), |place, made| {
            let ladder = Ladder::of_suit(&shapes[place]);
            made.0[..HANDS].copy_from_slice(&ladder.class);
            made.1[..HANDS].copy_from_slice(&ladder.order.map(unpaid));
        });
        let (ranks, ranks_unpaid): (Vec<[u8; PAIRS]>, _) = ranks.into_iter().unzip();
        let (suited, suited_unpaid) = suited.into_iter().unzip();
        let as_seen = |made: &[u8; PAIRS]| PAIR_OF_PLACE.map(|pair| made[usize::from(pair)]);
        let plain = ranks.iter().map(as_seen).collect();
        let free = [3, 4, 5].map(|size| all_subsets(size).into_iter().map(free_of).collect());
        Boards { ranks, plain, suited, ranks_unpaid, suited_unpaid, free }
    }

    /// What pairs of cards make by ranks alone, as a suit sees them.
    pub(super) fn plain(&self, board: &Shape) -> &Made {
        &self.plain[multiset(board.ranks::<5>())]
    }

    /// The hands that hold no card of the suit that is on a board of five.
    pub(super) fn free(&self, board: &Shape) -> &Mask {
        &self.free[board.own.count_ones() as usize - 3][subset(board.own)]
    }
}

fn free_of(own: u16) -> Mask {
    std::array::from_fn(|place| if place < HANDS && own_cards(place) & own == 0 { -1 } else { 0 })
}

/// One for a win of the first byte, less one for a loss.
#[inline]
pub(super) fn lead(own: u8, other: u8) -> i8 {
    i8::from(other < own) - i8::from(own < other)
}
