//! Boards as one suit sees them: the ranks in the suit, and up to two ranks outside it.

use super::super::ranks::{PAIR_RANKS, PAIRS, RANKS, all_subsets, multisets, pair, subset};
use super::super::view::{OO, SO, SS};

/// Cards as a suit sees them are 26: its own by rank, and others by rank. Rows leave room up to 16 for each.
pub(super) const HALF: usize = 16;
/// The numbers of a row of a suit's change.
pub(super) const LANES: usize = 2 * HALF;
/// Places of hole cards that a suit sees, the padding of [`super::super::view`] left out.
pub(super) const HANDS: usize = OO + PAIRS;

/// A board of `N` cards as one suit sees it, with at most two outside the suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The ranks in the suit.
    pub(super) own: u16,
    others: [u8; 2],
    count: usize,
}

impl Shape {
    /// The shape of ranks in the suit and others. Has none where more than two are outside.
    pub(super) fn new(own: u16, others: &[u8]) -> Option<Shape> {
        let mut shape = Shape { own, others: [0; 2], count: others.len() };
        shape.others.get_mut(..others.len())?.copy_from_slice(others);
        Some(shape)
    }

    pub(super) fn others(&self) -> &[u8] {
        &self.others[..self.count]
    }

    /// The place among all shapes with as many cards.
    pub(super) fn place(&self) -> usize {
        let set = subset(self.own);
        let size = self.own.count_ones() as usize + self.count;
        match *self.others() {
            [a, b] => set * PAIRS + pair(usize::from(a), usize::from(b)),
            [a] => sets(size - 2) * PAIRS + set * RANKS + usize::from(a),
            _ => sets(size - 2) * PAIRS + sets(size - 1) * RANKS + set,
        }
    }

    /// The shape with one more card: of the suit, or not. Has none where more than two are outside.
    pub(super) fn with(&self, card: SuitCard) -> Option<Shape> {
        match card {
            SuitCard::Own(rank) => Some(Shape { own: self.own | 1 << rank, ..*self }),
            SuitCard::Other(rank) => {
                let mut others = self.others;
                *others.get_mut(self.count)? = rank;
                Some(Shape { others, count: self.count + 1, ..*self })
            }
        }
    }

    /// The cards that can come next, with how many of each are left.
    pub(super) fn next(&self) -> impl Iterator<Item = (SuitCard, i16)> {
        let own = (0..13_u8).filter(|rank| self.own >> rank & 1 == 0).map(|rank| (SuitCard::Own(rank), 1));
        let left = |rank: u8| 3 - self.others().iter().map(|&other| i16::from(other == rank)).sum::<i16>();
        own.chain((0..13).map(move |rank| (SuitCard::Other(rank), left(rank))))
    }

    /// All ranks of the board.
    pub(super) fn ranks<const N: usize>(&self) -> [u8; N] {
        let own = (0..13_u8).filter(|rank| self.own >> rank & 1 == 1);
        let mut all = own.chain(self.others().iter().copied());
        std::array::from_fn(|_| all.next().expect("a shape has as many cards as its board"))
    }
}

/// A card as a suit sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SuitCard {
    Own(u8),
    Other(u8),
}

/// How many sets of so many ranks there are.
fn sets(size: usize) -> usize {
    // A set of n ranks is a multiset of n out of 14 - n, its members moved apart.
    [1, 13, 78, 286, 715, 1_287].get(size).copied().unwrap_or(0)
}

/// All shapes of `size` cards in the order of their places.
pub(super) fn all_shapes(size: usize) -> Vec<Shape> {
    let of = |own: u16, others: &[u8]| Shape::new(own, others).expect("two others at most");
    let sets = |size: usize| all_subsets(u32::try_from(size).expect("a board is small"));
    let mut all = Vec::new();
    for own in sets(size - 2) {
        all.extend(PAIR_RANKS.iter().map(|&(low, high)| of(own, &[low, high])));
    }
    for own in sets(size - 1) {
        all.extend((0..13).map(|other| of(own, &[other])));
    }
    all.extend(sets(size).into_iter().map(|own| of(own, &[])));
    all
}

/// How many multisets of so many ranks there are.
pub(super) const fn boards_of_ranks(size: usize) -> usize {
    multisets(size)
}

/// A card of the deck as rank and suit.
pub(super) type RankSuit = (usize, usize);

/// The place of two cards as a suit sees them.
pub(super) fn place_of(suit: usize, a: RankSuit, b: RankSuit) -> usize {
    match (a.1 == suit, b.1 == suit) {
        (true, true) => SS + pair(a.0, b.0),
        (true, false) => SO + a.0 * RANKS + b.0,
        (false, true) => SO + b.0 * RANKS + a.0,
        (false, false) => OO + pair(a.0, b.0),
    }
}

/// The lanes of both cards of every place.
pub(super) fn lanes_of_place(place: usize) -> [usize; 2] {
    if place < SO {
        let (a, b) = PAIR_RANKS[place];
        [usize::from(a), usize::from(b)]
    } else if place < OO {
        [(place - SO) / RANKS, HALF + (place - SO) % RANKS]
    } else {
        let (a, b) = PAIR_RANKS[place - OO];
        [HALF + usize::from(a), HALF + usize::from(b)]
    }
}
