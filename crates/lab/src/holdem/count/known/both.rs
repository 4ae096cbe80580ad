//! Both of the Dealer's cards known: two hands meet on every board.
//!
//! On a board of five, one byte for each pair of cards says what it makes; two hands are compared by their bytes. Sums over
//! the river and the turn split by ranks and suit as everywhere, and are made for hole cards of one pair of ranks at a time
//! ([`rows`]). On each board in standard suits the parts are added up for all hands of the Dealer, suits by suits, and what is
//! above zero is summed. The lead of one hand over another is that of the other with the sign turned, so the sum of all leads
//! is what is above zero for the one less what is above zero for the other.

mod made;
mod rows;
mod unpaid;

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::parallel::{fold, map};
use super::super::ranks::{PAIR_RANKS, PAIRS, RANKS, multiset, pair};
use super::sums::{CARDS, Standard, Values, card, renamings, standard_boards, whole};
use made::Boards;
use rows::{BOTH, FIRST, Leads, Maker, NONE_OF_ONE, NONE_OF_TWO, ONE_SUIT, Rows, SECOND, TWO_SUITS, WAYS};
use unpaid::Unpaid;

/// The lanes of all hands of the Dealer: four blocks of one suit, six of two.
const LANES: usize = 4 * ONE_SUIT + 6 * TWO_SUITS;

/// Where the hands of suits `p <= q` begin.
const fn block(p: usize, q: usize) -> usize {
    if p == q { p * ONE_SUIT } else { 4 * ONE_SUIT + (p * (7 - p) / 2 + q - p - 1) * TWO_SUITS }
}

/// The lane of two cards.
fn lane_of(cards: [usize; 2]) -> usize {
    let [(a, p), (b, q)] = cards.map(card);
    match p.cmp(&q) {
        std::cmp::Ordering::Less => block(p, q) + a * RANKS + b,
        std::cmp::Ordering::Equal => block(p, p) + pair(a, b),
        std::cmp::Ordering::Greater => block(q, p) + b * RANKS + a,
    }
}

/// The numbers of a street, and those their sums are taken in.
trait Lane: Copy + Default + Send + Sync {
    type Sum: Copy + Default + Into<u32>;
    /// All bits.
    const FREE: Self;
    fn plus(self, other: Self) -> Self;
    /// Adds what is above zero, where `free` has all bits.
    fn add_above(self, free: Self, sum: &mut Self::Sum);
}

impl Lane for i8 {
    /// So many boards of 44 at most: see [`CHUNK`].
    type Sum = u16;
    const FREE: i8 = -1;

    #[inline]
    fn plus(self, other: i8) -> i8 {
        self.wrapping_add(other)
    }

    #[inline]
    fn add_above(self, free: i8, sum: &mut u16) {
        *sum = sum.wrapping_add(u16::from((self & free).max(0).cast_unsigned()));
    }
}

impl Lane for i16 {
    type Sum = u32;
    const FREE: i16 = -1;

    #[inline]
    fn plus(self, other: i16) -> i16 {
        self.wrapping_add(other)
    }

    #[inline]
    fn add_above(self, free: i16, sum: &mut u32) {
        *sum = sum.wrapping_add(u32::from((self & free).max(0).cast_unsigned()));
    }
}

/// A board with what its hands look up.
struct Ready<T> {
    board: Standard,
    ranks: usize,
    /// The suits that can make a flush, each with the place of the board's shape.
    suits: Vec<(usize, usize)>,
    /// The Dealer's hands that hold no card of the board.
    free: Vec<T>,
}

impl<T: Lane> Ready<T> {
    fn new(board: Standard, ranks: usize, suits: u32) -> Ready<T> {
        let mut free = vec![T::default(); LANES];
        let left = board.left();
        for (second, &b) in left.iter().enumerate() {
            left[..second].iter().for_each(|&a| free[lane_of([a, b])] = T::FREE);
        }
        let suits = board.shapes(suits).into_iter().map(|(suit, shape)| (suit, shape.place())).collect();
        Ready { board, ranks, suits, free }
    }

    /// Adds the leads above zero of one hole hand.
    fn add(&self, own: Own, leads: &Leads<T>, sums: &mut [T::Sum; LANES]) {
        match self.suits[..] {
            [] => self.add_suits(own, leads, [], sums),
            [a] => self.add_suits(own, leads, [a], sums),
            [a, b] => self.add_suits(own, leads, [a, b], sums),
            [a, b, c] => self.add_suits(own, leads, [a, b, c], sums),
            _ => unreachable!("a board of four has two suits of two cards at most, a flop three suits"),
        }
    }

    #[inline]
    fn add_suits<const N: usize>(
        &self,
        own: Own,
        leads: &Leads<T>,
        suits: [(usize, usize); N],
        sums: &mut [T::Sum; LANES],
    ) {
        let plain = &leads.plain[self.ranks];
        let rows = suits.map(|(suit, shape)| (suit, &leads.change[own.way(suit)][shape]));
        for p in 0..4 {
            let from = block(p, p);
            let parts = rows.map(|(suit, row)| &row[if suit == p { BOTH } else { NONE_OF_ONE }..]);
            add_block::<T, N, ONE_SUIT>(&mut sums[from..], plain, parts, &self.free[from..]);
            for q in p + 1..4 {
                let from = block(p, q);
                let parts = rows.map(|(suit, row)| {
                    &row[if suit == p {
                        FIRST
                    } else if suit == q {
                        SECOND
                    } else {
                        NONE_OF_TWO
                    }..]
                });
                let plain = &plain[ONE_SUIT..];
                add_block::<T, N, TWO_SUITS>(&mut sums[from..], plain, parts, &self.free[from..]);
            }
        }
    }
}

/// Adds the leads above zero of one block of hands.
#[inline]
fn add_block<T: Lane, const N: usize, const WIDTH: usize>(
    sums: &mut [T::Sum],
    plain: &[T],
    parts: [&[T]; N],
    free: &[T],
) {
    let (sums, plain, free) = (&mut sums[..WIDTH], &plain[..WIDTH], &free[..WIDTH]);
    let parts = parts.map(|part| &part[..WIDTH]);
    for lane in 0..WIDTH {
        let lead = parts.iter().fold(plain[lane], |sum, part| sum.plus(part[lane]));
        lead.add_above(free[lane], &mut sums[lane]);
    }
}

/// Hole cards of one pair of ranks, by suit of the lower and the higher.
#[derive(Clone, Copy)]
struct Own {
    ranks: usize,
    suits: [usize; 2],
}

impl Own {
    fn of(cards: [usize; 2]) -> Own {
        let [a, b] = cards.map(card);
        let [low, high] = if b.0 < a.0 { [b, a] } else { [a, b] };
        // Two cards of one rank are the same either way round.
        let is_pair = low.0 == high.0;
        let suits = if is_pair && high.1 < low.1 { [high.1, low.1] } else { [low.1, high.1] };
        Own { ranks: pair(low.0, high.0), suits }
    }

    /// All hole hands of a pair of ranks.
    fn all(ranks: usize) -> impl Iterator<Item = Own> {
        let is_pair = PAIR_RANKS[ranks].0 == PAIR_RANKS[ranks].1;
        let suits = (0..4).flat_map(|low| (0..4).map(move |high| [low, high]));
        suits.filter(move |[low, high]| !is_pair || low < high).map(move |suits| Own { ranks, suits })
    }

    fn cards(self) -> [(usize, usize); 2] {
        let (low, high) = PAIR_RANKS[self.ranks];
        [(usize::from(low), self.suits[0]), (usize::from(high), self.suits[1])]
    }

    /// The place among the hole hands of its ranks.
    fn place(self) -> usize {
        4 * self.suits[0] + self.suits[1]
    }

    /// How a suit sees it: both cards of it, the lower, the higher, none. Of two cards of one rank either is the lower.
    fn way(self, suit: usize) -> usize {
        let is_pair = PAIR_RANKS[self.ranks].0 == PAIR_RANKS[self.ranks].1;
        match self.suits.map(|own| own == suit) {
            [true, true] => 0,
            [true, false] => 1,
            [false, true] => 2 - usize::from(is_pair),
            [false, false] => WAYS - 1,
        }
    }
}

/// Boards that share the time in which their rows are at hand. What 64 boards of four add up to, 44 each, is less than 2¹⁶.
const CHUNK: usize = 64;

/// The boards of a street, those that stand for as many boards together.
struct Street<T>(Vec<Ready<T>>);

/// What is above zero, by place of hole cards and lane of the Dealer's.
type Above = Vec<[u32; LANES]>;

impl<T: Lane> Street<T> {
    fn new<const N: usize>(suits: u32) -> Street<T> {
        let mut boards = standard_boards(u32::try_from(N).expect("a board is small"));
        boards.sort_by_key(|board| board.weight);
        let ready = |board: Standard| Ready::new(board, multiset(board.ranks::<N>()), suits);
        Street(boards.into_iter().map(ready).collect())
    }

    /// The sums of all hole hands of a pair of ranks.
    fn sum(&self, ranks: usize, leads: &Leads<T>) -> Above {
        let mut above = vec![[0; LANES]; 16];
        let alike = self.0.chunk_by(|a, b| a.board.weight == b.board.weight);
        for boards in alike.flat_map(|boards| boards.chunks(CHUNK)) {
            let weight = u32::from(boards[0].board.weight.cast_unsigned());
            for own in Own::all(ranks) {
                let mut sums = [T::Sum::default(); LANES];
                for board in
                    boards.iter().filter(|board| !own.cards().iter().any(|&card| board.board.holds(card)))
                {
                    board.add(own, leads, &mut sums);
                }
                for (sum, term) in above[own.place()].iter_mut().zip(sums) {
                    *sum += weight * term.into();
                }
            }
        }
        above
    }
}

/// The sums of a street for all hole hands, by pair of ranks.
struct Sums(Vec<Above>);

impl Sums {
    fn above(&self, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        let place = Own::of(own);
        self.0[place.ranks][place.place()][lane_of(dealer)].into()
    }

    /// For hole cards against the Dealer's, over all renamings of suits: the sum of leads, and of those above zero.
    fn renamed(&self, renamings: &[[usize; 4]], own: [usize; 2], dealer: [usize; 2]) -> [i64; 2] {
        let mut sums = [0; 2];
        for suits in renamings {
            let [own, dealer] =
                [own, dealer].map(|cards| cards.map(|card| card % 13 + 13 * suits[card / 13]));
            let above = self.above(own, dealer);
            sums[0] += above - self.above(dealer, own);
            sums[1] += above;
        }
        sums
    }
}

/// The values of hole cards with each two cards of the Dealer known. The orders of hand with which a won Ante is paid are
/// bits of `ante_paid`; `progress` is called with the part that is done.
pub fn values(ante_paid: u16, progress: &(dyn Fn(f64) + Sync)) -> Vec<Values> {
    let boards = Boards::new(ante_paid);
    let maker = Maker::new(&boards);
    let (fours, flops) = (Street::<i8>::new::<4>(2), Street::<i16>::new::<3>(1));
    let done = AtomicU64::new(0);
    let pairs: Vec<usize> = (0..PAIRS).rev().collect();
    let empty = || (Rows::new(&maker), Vec::new());
    let workers = fold(&pairs, empty, |(rows, sums): &mut (Rows, Vec<(usize, Above, Above)>), &ranks| {
        rows.fill(&maker, ranks);
        sums.push((ranks, fours.sum(ranks, &rows.fours), flops.sum(ranks, &rows.flops)));
        progress((done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / PAIRS as f64);
    });
    let mut sums: Vec<_> = workers.into_iter().flat_map(|(_, sums)| sums).collect();
    sums.sort_unstable_by_key(|(ranks, ..)| *ranks);
    let (river, turn) = sums.into_iter().map(|(_, fours, flops)| (fours, flops)).unzip();
    cases(&Sums(river), &Sums(turn), &Unpaid::new(&boards))
}

fn cases(river: &Sums, turn: &Sums, unpaid: &Unpaid) -> Vec<Values> {
    let renamings = renamings();
    let deals = 48 * 47 * 46 / 6 * 45 * 44;
    let classes: Vec<_> = super::sums::classes().collect();
    let of_class = |place: usize, cases: &mut Vec<Values>| {
        let (own, hands) = classes[place];
        for b in (0..CARDS).filter(|b| !own.contains(b)) {
            for a in (0..b).filter(|a| !own.contains(a)) {
                let [four, four_above] = river.renamed(&renamings, own, [a, b]).map(|sum| whole(sum, 24));
                let turn = whole(turn.renamed(&renamings, own, [a, b])[1], 24);
                // A board of five comes in 20 orders, and has five sets of four, each with four turns.
                let lead = 4 * four;
                let ante = lead - 20 * unpaid.boards(own, [a, b]);
                cases.push(Values { lead, ante, turn, river: 4 * four_above, deals, cases: hands });
            }
        }
    };
    map(classes.len(), Vec::new(), of_class).concat()
}

/// Single figures, for tests.
#[cfg(test)]
pub(super) struct Check {
    boards: Boards,
    unpaid: Unpaid,
}

#[cfg(test)]
impl Check {
    pub(super) fn new(ante_paid: u16) -> Check {
        let boards = Boards::new(ante_paid);
        let unpaid = Unpaid::new(&boards);
        Check { boards, unpaid }
    }

    /// What says the lead of hole cards of two ranks: wins less losses of one hand over another, over what can follow a board
    /// of three or four.
    pub(super) fn leads(&self, ranks: [usize; 2]) -> impl Fn(&Standard, [usize; 2], [usize; 2]) -> i64 {
        let maker = Maker::new(&self.boards);
        let mut rows = Rows::new(&maker);
        rows.fill(&maker, pair(ranks[0], ranks[1]));
        move |board, own, dealer| {
            let own = Own::of(own);
            let [(_, p), (_, q)] = dealer.map(card);
            let lane = lane_of(dealer) - block(p.min(q), p.max(q));
            let part = |suit: usize| match (p == q, suit == p.min(q), suit == p.max(q)) {
                (true, true, _) => BOTH,
                (true, ..) => NONE_OF_ONE,
                (false, true, _) => FIRST,
                (false, _, true) => SECOND,
                (false, ..) => NONE_OF_TWO,
            };
            let plain = lane + if p == q { 0 } else { ONE_SUIT };
            if board.cards().count() == 4 {
                let changes = board.shapes(2).into_iter().map(|(suit, shape)| {
                    i64::from(rows.fours.change[own.way(suit)][shape.place()][part(suit) + lane])
                });
                return i64::from(rows.fours.plain[multiset(board.ranks::<4>())][plain])
                    + changes.sum::<i64>();
            }
            let changes = board.shapes(1).into_iter().map(|(suit, shape)| {
                i64::from(rows.flops.change[own.way(suit)][shape.place()][part(suit) + lane])
            });
            i64::from(rows.flops.plain[multiset(board.ranks::<3>())][plain]) + changes.sum::<i64>()
        }
    }

    pub(super) fn unpaid(&self, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        self.unpaid.boards(own, dealer)
    }
}
