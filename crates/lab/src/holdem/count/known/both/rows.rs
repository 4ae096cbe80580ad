//! The leads of all hole hands of one pair of ranks over all hands of the Dealer, on every board of four and every flop.
//!
//! A suit sees such hole cards in four ways at most: both of it, the lower, the higher, none. For each of these ways one row
//! for every shape of a board says what the suit changes, by the Dealer's cards as it sees them. On boards of five a row is
//! two comparisons of bytes; rows of four are sums over the river, rows of a flop over the turn.

use super::super::super::ranks::{PAIR_RANKS, PAIRS, RANKS, all_multisets, copies, multiset, pair};
use super::super::super::view::{OO, OTHERS_HELD, PLAIN_SQUARE, SO, SQUARE, SS, TRANSPOSED, own_cards};
use super::super::shape::{Shape, SuitCard, all_shapes};
use super::made::{Boards, Made, Mask, WIDTH, lead};

/// Lanes of the Dealer's hands of one suit, by pair of ranks, and of two suits, by both ranks; padded to whole vectors.
pub(super) const ONE_SUIT: usize = 96;
pub(super) const TWO_SUITS: usize = 176;

/// A row of a suit's change, laid out as the Dealer's hands of given suits need it.
pub(super) type Spread<T> = [T; SPREAD];
const SPREAD: usize = 2 * ONE_SUIT + 3 * TWO_SUITS;

/// Where in a row the Dealer's hands stand, by how many and which of their cards are of the suit: both, none of hands of one
/// suit; the first card, the second, none of hands of two suits.
pub(super) const BOTH: usize = 0;
pub(super) const NONE_OF_ONE: usize = ONE_SUIT;
pub(super) const FIRST: usize = 2 * ONE_SUIT;
pub(super) const SECOND: usize = FIRST + TWO_SUITS;
pub(super) const NONE_OF_TWO: usize = SECOND + TWO_SUITS;

/// A row by ranks alone: for hands of one suit, then for hands of two.
pub(super) type Plain<T> = [T; ONE_SUIT + TWO_SUITS];

/// The ways in which a suit sees hole cards of two ranks.
pub(super) const WAYS: usize = 4;

/// The numbers of a street.
pub(super) struct Leads<T> {
    /// By multiset of ranks on the board.
    pub(super) plain: Vec<Plain<T>>,
    /// By way, then shape of the board.
    pub(super) change: [Vec<Spread<T>>; WAYS],
}

impl<T: Copy + Default> Leads<T> {
    fn new(boards: usize, shapes: usize) -> Leads<T> {
        Leads {
            plain: vec![[T::default(); ONE_SUIT + TWO_SUITS]; boards],
            change: std::array::from_fn(|_| vec![[T::default(); SPREAD]; shapes]),
        }
    }
}

/// The boards of one more card that a shape can become.
struct Next {
    /// By a card of the suit, once each.
    own: Vec<u16>,
    /// By others of a rank, so many of them.
    others: Vec<(u16, u8, i16)>,
}

impl Next {
    /// Of boards of `size` cards, those that still have `least` of the suit.
    fn all(size: usize, least: u32) -> Vec<Next> {
        all_shapes(size).iter().map(|shape| Next::of(shape, least)).collect()
    }

    fn of(shape: &Shape, least: u32) -> Next {
        let mut next = Next { own: Vec::new(), others: Vec::new() };
        for (card, left) in shape.next() {
            let Some(board) = shape.with(card).filter(|board| least <= board.own.count_ones()) else {
                continue;
            };
            match card {
                SuitCard::Own(_) => next.own.push(board.place() as u16),
                SuitCard::Other(rank) => next.others.push((board.place() as u16, rank, left)),
            }
        }
        next
    }
}

/// A board of five: its cards of the suit, what pairs of cards make, and which of them can be.
struct Five<'a> {
    own: u16,
    suited: &'a Made,
    plain: &'a Made,
    free: &'a Mask,
}

impl Five<'_> {
    /// What the suit changes for the hole cards of one place.
    #[inline]
    fn change(&self, place: usize, row: &mut [i8; WIDTH]) {
        let [with, without] = [self.suited[place], self.plain[place]];
        let made = self.suited.iter().zip(self.plain).zip(self.free);
        for (row, ((&suited, &plain), &free)) in row.iter_mut().zip(made) {
            *row = lead(with, suited).wrapping_sub(lead(without, plain)) & free;
        }
    }
}

/// What the rows of all hole cards are made from.
pub(super) struct Maker<'a> {
    boards: &'a Boards,
    fives: Vec<Five<'a>>,
    rivers: Vec<Next>,
    turns: Vec<Next>,
    /// Hands that hold at least one card of a rank outside the suit, and those that hold two.
    with_other: Vec<[Mask; 2]>,
}

impl Maker<'_> {
    pub(super) fn new(boards: &Boards) -> Maker<'_> {
        let mask = |rank: usize, least| OTHERS_HELD[rank].map(|held| if least <= held { -1 } else { 0 });
        let five = |shape: &Shape| Five {
            own: shape.own,
            suited: &boards.suited[shape.place()],
            plain: boards.plain(shape),
            free: boards.free(shape),
        };
        Maker {
            boards,
            fives: all_shapes(5).iter().map(five).collect(),
            rivers: Next::all(4, 3),
            turns: Next::all(3, 2),
            with_other: (0..RANKS).map(|rank| [1, 2].map(|least| mask(rank, least))).collect(),
        }
    }
}

/// The rows of hole cards of one pair of ranks, to be filled again and again.
pub(super) struct Rows {
    pub(super) fours: Leads<i8>,
    pub(super) flops: Leads<i16>,
    /// The changes of a suit that is seen in one way, on boards of five and of four.
    on_five: Vec<[i8; WIDTH]>,
    on_four: Vec<[i8; WIDTH]>,
}

impl Rows {
    pub(super) fn new(maker: &Maker<'_>) -> Rows {
        let [fours, flops] = [maker.rivers.len(), maker.turns.len()];
        Rows {
            fours: Leads::new(all_multisets::<4>().len(), fours),
            flops: Leads::new(all_multisets::<3>().len(), flops),
            on_five: vec![[0; WIDTH]; maker.fives.len()],
            on_four: vec![[0; WIDTH]; fours],
        }
    }

    /// Makes the rows of one pair of ranks.
    pub(super) fn fill(&mut self, maker: &Maker<'_>, own: usize) {
        self.fill_plain(maker.boards, own);
        let (low, high) = (usize::from(PAIR_RANKS[own].0), usize::from(PAIR_RANKS[own].1));
        for way in 0..WAYS {
            let place = match way {
                0 => SS + own,
                1 => SO + low * RANKS + high,
                2 => SO + high * RANKS + low,
                _ => OO + own,
            };
            if low < high || way % 2 == 1 {
                self.fill_way(maker, way, place);
            }
        }
    }

    fn fill_way(&mut self, maker: &Maker<'_>, way: usize, place: usize) {
        let Rows { fours, flops, on_five, on_four } = self;
        for (board, row) in maker.fives.iter().zip(on_five.iter_mut()) {
            if board.own & own_cards(place) == 0 {
                board.change(place, row);
            } else {
                row.fill(0);
            }
        }
        for ((next, row), spread) in maker.rivers.iter().zip(on_four.iter_mut()).zip(&mut fours.change[way]) {
            row.fill(0);
            for &board in &next.own {
                add(row, &on_five[usize::from(board)]);
            }
            for &(board, rank, left) in &next.others {
                let five = &on_five[usize::from(board)];
                let with = &maker.with_other[usize::from(rank)];
                match left - OTHERS_HELD[usize::from(rank)][place].cast_signed() {
                    3 => add_other::<3>(row, five, with),
                    2 => add_other::<2>(row, five, with),
                    1 => add_other::<1>(row, five, with),
                    _ => add_other::<0>(row, five, with),
                }
            }
            spread_out(row, spread);
        }
        for (next, spread) in maker.turns.iter().zip(&mut flops.change[way]) {
            let mut row = [0_i16; WIDTH];
            for &board in &next.own {
                let four = &on_four[usize::from(board)];
                row.iter_mut().zip(four).for_each(|(sum, &term)| *sum = sum.wrapping_add(term.into()));
            }
            for &(board, rank, left) in &next.others {
                let held = &OTHERS_HELD[usize::from(rank)];
                let left = left - held[place].cast_signed();
                let four = &on_four[usize::from(board)];
                for lane in 0..WIDTH {
                    let left = left.wrapping_sub(held[lane].cast_signed());
                    row[lane] = row[lane].wrapping_add(i16::from(four[lane]).wrapping_mul(left));
                }
            }
            spread_out(&row, spread);
        }
    }

    /// Leads by ranks alone, summed over the river, and over turn and river.
    fn fill_plain(&mut self, boards: &Boards, own: usize) {
        let ranks = all_multisets::<4>();
        let mut fours = vec![[0_i16; PAIRS]; ranks.len()];
        for ((board, sum), spread) in ranks.iter().zip(&mut fours).zip(&mut self.fours.plain) {
            let [a, b, c, d] = *board;
            for river in 0..13 {
                let made = &boards.ranks[multiset([a, b, c, d, river])];
                add_rank(board, river, own, sum, |other| lead(made[own], made[other]).into());
            }
            // Within 44 wherever the cards can be together.
            spread_plain(&sum.map(|sum| sum as i8), spread);
        }
        for (board, spread) in all_multisets::<3>().iter().zip(&mut self.flops.plain) {
            let [a, b, c] = *board;
            let mut sum = [0_i16; PAIRS];
            for turn in 0..13 {
                let four = &fours[multiset([a, b, c, turn])];
                add_rank(board, turn, own, &mut sum, |other| four[other]);
            }
            spread_plain(&sum, spread);
        }
    }
}

#[inline]
fn add(sum: &mut [i8; WIDTH], row: &[i8; WIDTH]) {
    sum.iter_mut().zip(row).for_each(|(sum, &term)| *sum = sum.wrapping_add(term));
}

/// Adds a row for each of `LEFT` cards of a rank, less those that the Dealer holds.
#[inline]
fn add_other<const LEFT: i8>(sum: &mut [i8; WIDTH], row: &[i8; WIDTH], with: &[Mask; 2]) {
    for lane in 0..WIDTH {
        let held = (row[lane] & with[0][lane]).wrapping_add(row[lane] & with[1][lane]);
        sum[lane] = sum[lane].wrapping_add(row[lane].wrapping_mul(LEFT)).wrapping_sub(held);
    }
}

/// Adds a term for each card of a rank that is left.
fn add_rank(board: &[u8], rank: u8, own: usize, sum: &mut [i16; PAIRS], term: impl Fn(usize) -> i16) {
    let copies = |ranks: &[u8]| copies(ranks, rank.into()).cast_signed();
    let held = |pair: usize| copies(&[PAIR_RANKS[pair].0, PAIR_RANKS[pair].1]);
    let left = 4 - copies(board) - held(own);
    for (other, sum) in sum.iter_mut().enumerate() {
        *sum = sum.wrapping_add(term(other).wrapping_mul(left));
    }
    for other in 0..RANKS {
        let other = pair(usize::from(rank), other);
        sum[other] = sum[other].wrapping_sub(term(other).wrapping_mul(held(other)));
    }
}

fn spread_plain<T: Copy>(row: &[T; PAIRS], spread: &mut Plain<T>) {
    spread[..PAIRS].copy_from_slice(row);
    for (lane, &pair) in spread[ONE_SUIT..].iter_mut().zip(&PLAIN_SQUARE) {
        *lane = row[usize::from(pair)];
    }
}

fn spread_out<T: Copy>(row: &[T; WIDTH], spread: &mut Spread<T>) {
    spread[BOTH..BOTH + PAIRS].copy_from_slice(&row[SS..SS + PAIRS]);
    spread[NONE_OF_ONE..NONE_OF_ONE + PAIRS].copy_from_slice(&row[OO..OO + PAIRS]);
    spread[FIRST..FIRST + SQUARE].copy_from_slice(&row[SO..SO + SQUARE]);
    for (lane, &place) in spread[SECOND..].iter_mut().zip(&TRANSPOSED) {
        *lane = row[SO + usize::from(place)];
    }
    for (lane, &pair) in spread[NONE_OF_TWO..].iter_mut().zip(&PLAIN_SQUARE) {
        *lane = row[OO + usize::from(pair)];
    }
}
