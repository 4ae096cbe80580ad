//! Hole cards as one suit sees them, and counts of showdowns for all of them at once.
//!
//! To a suit that can still make a flush, a card is one of its own or not; of the others only the rank matters. Hole
//! cards are then one of
//!
//! - two cards of the suit, [`SS`] + the pair of ranks (a pair of equal ranks cannot be and stays empty);
//! - one of the suit of rank `a`, one other of rank `b`, [`SO`] + `13 a + b`;
//! - two others, [`OO`] + the pair of ranks.
//!
//! The counts are in eleven parts: wins by the order of the player's hand, then ties ([`TIES`]).
//! They are 16-bit numbers modulo 65,536. Sums over the river are at most 46 · 990 = 45,540, so a true count is
//! recovered exactly, however often corrections on the way went below zero.

use super::ranks::{ORDERS, PAIR_RANKS, PAIRS, RANKS, members, pair};

pub(super) const SS: usize = 0;
pub(super) const SO: usize = PAIRS;
pub(super) const OO: usize = PAIRS + SQUARE;
/// The places of a view, padded to whole vectors.
pub(super) const PLACES: usize = 352;

/// Parts: wins by order of hand, and after them ties.
pub(super) const PARTS: usize = ORDERS + 1;
pub(super) const TIES: usize = ORDERS;

/// The pair of ranks of every place of a view.
pub(super) const PAIR_OF_PLACE: [u8; PLACES] = {
    let mut pairs = [0; PLACES];
    let mut place = 0;
    while place < PAIRS {
        pairs[SS + place] = place as u8;
        pairs[OO + place] = place as u8;
        place += 1;
    }
    let mut ranks = 0;
    while ranks < SQUARE {
        pairs[SO + ranks] = pair(ranks / RANKS, ranks % RANKS) as u8;
        ranks += 1;
    }
    pairs
};

/// Places of a block of two suits: both ranks, in order.
pub(super) const SQUARE: usize = RANKS * RANKS;

/// The pair of ranks of every place of such a block.
pub(super) const PLAIN_SQUARE: [u8; SQUARE] = {
    let mut pairs = [0; SQUARE];
    let mut i = 0;
    while i < SQUARE {
        pairs[i] = PAIR_OF_PLACE[SO + i];
        i += 1;
    }
    pairs
};

/// The place of ranks `b, a` in such a block, by that of `a, b`.
pub(super) const TRANSPOSED: [u8; SQUARE] = {
    let mut places = [0; SQUARE];
    let mut i = 0;
    while i < SQUARE {
        places[i] = (i % RANKS * RANKS + i / RANKS) as u8;
        i += 1;
    }
    places
};

/// Counts, or changes of counts, for all hole cards as one suit sees them, by part and place.
pub(super) type View = [[u16; PLACES]; PARTS];

pub(super) const EMPTY: View = [[0; PLACES]; PARTS];

/// What one board changes against the count by ranks: for every place wins with one order of hand gained, wins with
/// another lost, and a change of ties. Kept in this form because a view is eleven times as long as its places, and
/// nearly all of it would be zero.
#[derive(Clone)]
pub(super) struct Change {
    gained: Wins,
    lost: Wins,
    ties: [u16; PLACES],
}

/// Wins with one order of hand for every place, and the set of orders that occur.
#[derive(Clone)]
struct Wins {
    order: [u16; PLACES],
    count: [u16; PLACES],
    orders: u16,
    /// The places from here on are empty.
    end: usize,
}

impl Wins {
    const NONE: Wins = Wins { order: [0; PLACES], count: [0; PLACES], orders: 0, end: 0 };

    fn add_to(&self, wins: &[u16; PLACES], sum: &mut View) {
        for part in members(self.orders) {
            let places = sum[part][..self.end].iter_mut();
            for ((sum, &order), &wins) in places.zip(&self.order[..self.end]).zip(&wins[..self.end]) {
                *sum = sum.wrapping_add(if order == part as u16 { wins } else { 0 });
            }
        }
    }
}

impl Change {
    pub(super) const NONE: Change = Change { gained: Wins::NONE, lost: Wins::NONE, ties: [0; PLACES] };

    /// Forgets which orders occur. Places that are not written again keep what they had.
    pub(super) fn restart(&mut self) {
        self.gained.orders = 0;
        self.lost.orders = 0;
        self.lost.end = 0;
    }

    /// Writes a place in which the hand stays of one order, with wins and ties changed.
    pub(super) fn keep(&mut self, place: usize, order: u8, wins: u16, ties: u16) {
        self.gained.order[place] = u16::from(order);
        self.gained.count[place] = wins;
        self.ties[place] = ties;
    }

    /// Records the orders given to [`Change::keep`].
    pub(super) fn note(&mut self, orders: u16) {
        self.gained.orders |= orders;
        self.gained.end = PLACES;
    }

    /// Writes a place in which the hand becomes of another order: wins with it, and wins lost with the old.
    pub(super) fn turn(&mut self, place: usize, gained: (u8, u16), lost: (u8, u16), ties: u16) {
        self.keep(place, gained.0, gained.1, ties);
        self.note(1 << gained.0);
        self.lost.order[place] = u16::from(lost.0);
        self.lost.count[place] = 0_u16.wrapping_sub(lost.1);
        self.lost.orders |= 1 << lost.0;
        self.lost.end = self.lost.end.max(place + 1);
    }

    /// The change for the hole cards in one place, by part.
    pub(super) fn at(&self, place: usize) -> [u16; PARTS] {
        let mut parts = [0; PARTS];
        parts[usize::from(self.gained.order[place])] = self.gained.count[place];
        let lost = &mut parts[usize::from(self.lost.order[place])];
        *lost = lost.wrapping_add(self.lost.count[place]);
        parts[TIES] = self.ties[place];
        parts
    }

    pub(super) fn add_to(&self, sum: &mut View) {
        self.gained.add_to(&self.gained.count, sum);
        self.lost.add_to(&self.lost.count, sum);
        for (sum, ties) in sum[TIES].iter_mut().zip(&self.ties) {
            *sum = sum.wrapping_add(*ties);
        }
    }

    /// Adds the change once for each of the `left` cards of rank `rank` outside the suit, less those the hole cards
    /// hold.
    pub(super) fn add_for_others(&self, sum: &mut View, rank: usize, left: u16) {
        let times = |terms: &[u16; PLACES]| {
            let mut product = *terms;
            for (term, held) in product.iter_mut().zip(&OTHERS_HELD[rank]) {
                *term = term.wrapping_mul(left.wrapping_sub(*held));
            }
            product
        };
        self.gained.add_to(&times(&self.gained.count), sum);
        self.lost.add_to(&times(&self.lost.count), sum);
        for (sum, ties) in sum[TIES].iter_mut().zip(&times(&self.ties)) {
            *sum = sum.wrapping_add(*ties);
        }
    }
}

/// By rank, how many cards of it outside the suit the hole cards in every place hold.
pub(super) const OTHERS_HELD: [[u16; PLACES]; RANKS] = {
    let mut held = [[0; PLACES]; RANKS];
    let mut a = 0;
    while a < RANKS {
        let mut b = 0;
        while b < RANKS {
            held[b][SO + a * RANKS + b] = 1;
            held[b][OO + pair(a, b)] = 1 + (a == b) as u16;
            b += 1;
        }
        a += 1;
    }
    held
};

/// The suit cards, as a set of ranks, of the hole cards in every place.
pub(super) fn own_cards(place: usize) -> u16 {
    if place < SO {
        let (a, b) = PAIR_RANKS[place];
        1 << a | 1 << b
    } else if place < OO {
        1 << ((place - SO) / RANKS)
    } else {
        0
    }
}
