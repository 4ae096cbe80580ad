//! Both of the Dealer's cards known: two hands meet on every board.
//!
//! On a board of five, one byte for each pair of cards says what it makes; two hands are compared by their bytes. Sums over
//! the river and the turn split by ranks and suit as everywhere, as a *matrix*: hole cards as the suit sees them, by the
//! Dealer's as it sees them. The lead of one hand over another is that of the other with the sign turned, so each two hands
//! are taken once, with the sum of leads and the sum without signs: half their sum is what is above zero for the one, half
//! their difference for the other.
//!
//! Wins that do not pay the Ante need no decision. They are counted over all boards at once, each shape of a board with
//! the number of boards it stands for.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::parallel::{fold, map};
use super::super::ranks::{PAIR_RANKS, PAIRS, all_multisets, copies, multiset, pair};
use super::super::view::{OTHERS_HELD, PAIR_OF_PLACE, own_cards};
use super::ladder::Ladder;
use super::shape::{HANDS, Shape, SuitCard, all_shapes, place_of};
use super::sums::{CARDS, HOLES, Standard, Values, card, hole, number, renamings, standard_boards, whole};

/// The lanes of a row of a matrix: hands as a suit sees them, padded to whole vectors.
const WIDTH: usize = 352;

/// A byte for each pair of cards: the higher makes the better hand.
type Made = [u8; WIDTH];

/// Leads of hole cards over the Dealer's, as a suit sees both.
type Matrix<T> = [[T; WIDTH]; HANDS];

/// What pairs of cards make on every board of five.
struct Boards {
    ranks: Vec<[u8; PAIRS]>,
    suited: Vec<Made>,
    /// For the set of boards and places: whether the Ante is not paid with the hand made, by ranks and by suit.
    ranks_unpaid: Vec<[bool; PAIRS]>,
    suited_unpaid: Vec<[bool; WIDTH]>,
}

impl Boards {
    fn new(ante_paid: u16) -> Boards {
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
        let (ranks, ranks_unpaid) = ranks.into_iter().unzip();
        let (suited, suited_unpaid) = suited.into_iter().unzip();
        Boards { ranks, suited, ranks_unpaid, suited_unpaid }
    }

    /// What pairs of cards make by ranks alone, as a suit sees them.
    fn plain(&self, board: &Shape) -> Made {
        let made = &self.ranks[multiset(board.ranks::<5>())];
        std::array::from_fn(|place| made[usize::from(PAIR_OF_PLACE[place])])
    }
}

/// Which hands hold no card of a rank of the suit, as masks.
struct Masks {
    without_own: [[i8; WIDTH]; 13],
    /// By number of cards of the rank outside the suit that are held: one or two; two.
    with_other: [[[i8; WIDTH]; 2]; 13],
}

impl Masks {
    fn new() -> Masks {
        let mask = |is: bool| if is { -1 } else { 0 };
        Masks {
            without_own: std::array::from_fn(|rank| {
                std::array::from_fn(|place| mask(place < HANDS && own_cards(place) >> rank & 1 == 0))
            }),
            with_other: std::array::from_fn(|rank| {
                [1, 2].map(|least| std::array::from_fn(|place| mask(least <= OTHERS_HELD[rank][place])))
            }),
        }
    }
}

/// The change of a suit on a board of four, summed over the river.
fn four(boards: &Boards, masks: &Masks, shape: &Shape, sum: &mut Matrix<i8>) {
    sum.as_flattened_mut().fill(0);
    for (river, left) in shape.next() {
        let Some(board) = shape.with(river).filter(|board| 3 <= board.own.count_ones()) else { continue };
        let made = [&boards.suited[board.place()], &boards.plain(&board)];
        for (place, sum) in sum.iter_mut().enumerate() {
            match river {
                SuitCard::Own(rank) => {
                    if own_cards(place) >> rank & 1 == 0 {
                        add_own(sum, made, place, &masks.without_own[usize::from(rank)]);
                    }
                }
                SuitCard::Other(rank) => {
                    let with = &masks.with_other[usize::from(rank)];
                    match left - OTHERS_HELD[usize::from(rank)][place].cast_signed() {
                        3 => add_other::<3>(sum, made, place, with),
                        2 => add_other::<2>(sum, made, place, with),
                        1 => add_other::<1>(sum, made, place, with),
                        _ => add_other::<0>(sum, made, place, with),
                    }
                }
            }
        }
    }
}

/// One for a win of the first byte, less one for a loss.
#[inline]
fn lead(own: u8, other: u8) -> i8 {
    i8::from(other < own) - i8::from(own < other)
}

#[inline]
fn change([suited, plain]: [&Made; 2], place: usize, lane: usize) -> i8 {
    lead(suited[place], suited[lane]).wrapping_sub(lead(plain[place], plain[lane]))
}

#[inline]
fn add_own(sum: &mut [i8; WIDTH], made: [&Made; 2], place: usize, without: &[i8; WIDTH]) {
    for lane in 0..WIDTH {
        sum[lane] = sum[lane].wrapping_add(change(made, place, lane) & without[lane]);
    }
}

#[inline]
fn add_other<const LEFT: i8>(sum: &mut [i8; WIDTH], made: [&Made; 2], place: usize, with: &[[i8; WIDTH]; 2]) {
    for lane in 0..WIDTH {
        let term = change(made, place, lane);
        let held = (term & with[0][lane]).wrapping_add(term & with[1][lane]);
        sum[lane] = sum[lane].wrapping_add(term.wrapping_mul(LEFT)).wrapping_sub(held);
    }
}

/// The change of a suit on a flop, summed over turn and river.
fn flop(boards: &Boards, masks: &Masks, shape: &Shape, four_cards: &mut Matrix<i8>, sum: &mut Matrix<i16>) {
    sum.as_flattened_mut().fill(0);
    for (turn, left) in shape.next() {
        let Some(board) = shape.with(turn).filter(|board| 2 <= board.own.count_ones()) else { continue };
        four(boards, masks, &board, four_cards);
        for (place, (sum, row)) in sum.iter_mut().zip(four_cards.iter()).enumerate() {
            match turn {
                SuitCard::Own(rank) => {
                    if own_cards(place) >> rank & 1 == 0 {
                        let without = &masks.without_own[usize::from(rank)];
                        for lane in 0..WIDTH {
                            sum[lane] = sum[lane].wrapping_add(i16::from(row[lane] & without[lane]));
                        }
                    }
                }
                SuitCard::Other(rank) => {
                    let held = &OTHERS_HELD[usize::from(rank)];
                    let left = left - held[place].cast_signed();
                    for lane in 0..WIDTH {
                        let left = left.wrapping_sub(held[lane].cast_signed());
                        sum[lane] = sum[lane].wrapping_add(i16::from(row[lane]).wrapping_mul(left));
                    }
                }
            }
        }
    }
}

/// Leads by ranks alone on a board of four ranks, summed over the river.
fn four_ranks(boards: &Boards, board: [u8; 4], sum: &mut [[i16; PAIRS]; PAIRS]) {
    let [a, b, c, d] = board;
    for river in 0..13 {
        let made = &boards.ranks[multiset([a, b, c, d, river])];
        add_ranks(&board, river, sum, |own, other| i16::from(lead(made[own], made[other])));
    }
}

/// Leads by ranks alone on a flop, summed over turn and river.
fn flop_ranks(fours: &[[[i16; PAIRS]; PAIRS]], board: [u8; 3], sum: &mut [[i16; PAIRS]; PAIRS]) {
    let [a, b, c] = board;
    for turn in 0..13 {
        let four = &fours[multiset([a, b, c, turn])];
        add_ranks(&board, turn, sum, |own, other| four[own][other]);
    }
}

/// Adds a term for each card of a rank that is left.
fn add_ranks(board: &[u8], rank: u8, sum: &mut [[i16; PAIRS]; PAIRS], term: impl Fn(usize, usize) -> i16) {
    let copies = |ranks: &[u8]| copies(ranks, rank.into()).cast_signed();
    let held = PAIR_RANKS.map(|(a, b)| copies(&[a, b]));
    let left = 4 - copies(board);
    for (own, sum) in sum.iter_mut().enumerate() {
        for (other, sum) in sum.iter_mut().enumerate() {
            let left = left - held[own] - held[other];
            *sum = sum.wrapping_add(term(own, other).wrapping_mul(left));
        }
    }
}

/// For every two hole hands, the higher number first: the sum of leads, and the sum of leads without their signs.
struct Sums(Vec<[i32; 2]>);

const PAIRS_OF_HANDS: usize = HOLES * (HOLES - 1) / 2;

const fn two_hands(high: usize, low: usize) -> usize {
    high * (high - 1) / 2 + low
}

/// A board with what its hands look up.
struct Ready<T> {
    weight: i32,
    ranks: usize,
    /// The hole hands it leaves, in rising order, each with its pair of ranks.
    holes: Vec<(u16, u8)>,
    /// The change of each suit, and the place of each of those hands as it sees them.
    suits: Vec<(Box<Matrix<T>>, Vec<u16>)>,
}

impl<T: Copy + Into<i32>> Ready<T> {
    fn new(board: &Standard, ranks: usize, suits: Vec<(usize, Box<Matrix<T>>)>) -> Ready<T> {
        let left = board.left();
        let mut holes = Vec::with_capacity(HOLES);
        let mut cards = Vec::with_capacity(HOLES);
        for (second, &b) in left.iter().enumerate() {
            for &a in &left[..second] {
                holes.push((hole(a, b) as u16, pair(card(a).0, card(b).0) as u8));
                cards.push((card(a), card(b)));
            }
        }
        let suits = suits.into_iter().map(|(suit, matrix)| {
            let places = cards.iter().map(|&(a, b)| place_of(suit, a, b) as u16).collect();
            (matrix, places)
        });
        Ready { weight: i32::from(board.weight), ranks, holes, suits: suits.collect() }
    }

    /// Adds the leads of one hole hand over all with lower numbers.
    fn add(&self, own: u16, plain: &[[i16; PAIRS]; PAIRS], sums: &mut [[i32; 2]]) {
        let Ok(own) = self.holes.binary_search_by_key(&own, |hole| hole.0) else { return };
        let plain = &plain[usize::from(self.holes[own].1)];
        let row = |suit: &(Box<Matrix<T>>, Vec<u16>)| suit.0[usize::from(suit.1[own])];
        let add = |other: (u16, u8), change: i32, sums: &mut [[i32; 2]]| {
            let lead = self.weight * (i32::from(plain[usize::from(other.1)]) + change);
            let [leads, sizes] = &mut sums[usize::from(other.0)];
            *leads += lead;
            *sizes += lead.abs();
        };
        let others = &self.holes[..own];
        match &self.suits[..] {
            [] => others.iter().for_each(|&other| add(other, 0, sums)),
            [one] => {
                let first = row(one);
                for (&other, &place) in others.iter().zip(&one.1) {
                    add(other, first[usize::from(place)].into(), sums);
                }
            }
            [one, two] => {
                let (first, second) = (row(one), row(two));
                for ((&other, &one), &two) in others.iter().zip(&one.1).zip(&two.1) {
                    add(other, first[usize::from(one)].into() + second[usize::from(two)].into(), sums);
                }
            }
            several => {
                let rows: Vec<[T; WIDTH]> = several.iter().map(row).collect();
                for (place, &other) in others.iter().enumerate() {
                    let changes = several.iter().zip(&rows);
                    let change = changes.map(|(suit, row)| row[usize::from(suit.1[place])].into()).sum();
                    add(other, change, sums);
                }
            }
        }
    }
}

/// So many boards share the time in which a row of sums is at hand.
const BATCH: usize = 8;

/// Sums over all boards of a street.
fn sum_boards<T: Copy + Into<i32>>(
    size: u32,
    plain: &[[[i16; PAIRS]; PAIRS]],
    progress: &(dyn Fn(f64) + Sync),
    ready: impl Fn(&Standard) -> Ready<T> + Sync,
) -> Sums {
    let boards = standard_boards(size);
    let batches: Vec<&[Standard]> = boards.chunks(BATCH).collect();
    let done = AtomicU64::new(0);
    let workers = fold(
        &batches,
        || vec![[0; 2]; PAIRS_OF_HANDS],
        |sums: &mut Vec<[i32; 2]>, batch| {
            let ready: Vec<Ready<T>> = batch.iter().map(&ready).collect();
            for own in 1..HOLES {
                let sums = &mut sums[two_hands(own, 0)..two_hands(own + 1, 0)];
                for board in &ready {
                    board.add(own as u16, &plain[board.ranks], sums);
                }
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(done as f64 / batches.len() as f64);
        },
    );
    let mut workers = workers.into_iter();
    let mut all = workers.next().expect("there is a worker");
    for worker in workers {
        for (sum, term) in all.iter_mut().zip(worker) {
            sum[0] += term[0];
            sum[1] += term[1];
        }
    }
    Sums(all)
}

impl Sums {
    /// For hole cards against the Dealer's, over all renamings of suits: the sum of leads, and of those above zero.
    fn renamed(&self, renamings: &[[usize; 4]], own: [usize; 2], dealer: [usize; 2]) -> [i64; 2] {
        let mut sums = [0; 2];
        for suits in renamings {
            let renamed = |cards: [usize; 2]| {
                let [a, b] = cards.map(|card| number((card % 13, suits[card / 13])));
                hole(a, b)
            };
            let (own, dealer) = (renamed(own), renamed(dealer));
            let [lead, size] = self.0[two_hands(own.max(dealer), own.min(dealer))].map(i64::from);
            let lead = if own < dealer { -lead } else { lead };
            sums[0] += lead;
            sums[1] += whole(lead + size, 2);
        }
        sums
    }
}

/// Boards on which one hand beats another without being paid the Ante: by ranks, and the change of a suit.
struct Unpaid {
    ranks: Vec<[i64; PAIRS]>,
    change: Vec<[i64; WIDTH]>,
}

impl Unpaid {
    fn new(boards: &Boards) -> Unpaid {
        Unpaid { ranks: unpaid_ranks(boards), change: unpaid_change(boards) }
    }

    fn boards(&self, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        let ranks = |[a, b]: [usize; 2]| pair(a % 13, b % 13);
        let place = |suit: usize, [a, b]: [usize; 2]| place_of(suit, card(a), card(b));
        let changes = (0..4).map(|suit| self.change[place(suit, own)][place(suit, dealer)]);
        self.ranks[ranks(own)][ranks(dealer)] + changes.sum::<i64>()
    }
}

const fn choose(n: i64, k: usize) -> i64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * (n - 1) / 2,
        3 => n * (n - 1) * (n - 2) / 6,
        _ => n * (n - 1) * (n - 2) * (n - 3) / 24,
    }
}

fn unpaid_ranks(boards: &Boards) -> Vec<[i64; PAIRS]> {
    let all = all_multisets::<5>();
    let counts: Vec<[u8; 13]> = PAIR_RANKS
        .iter()
        .map(|&(a, b)| {
            std::array::from_fn(|rank| u8::from(usize::from(a) == rank) + u8::from(usize::from(b) == rank))
        })
        .collect();
    map(PAIRS, [0; PAIRS], |own, sums: &mut [i64; PAIRS]| {
        for (place, board) in all.iter().enumerate() {
            if !boards.ranks_unpaid[place][own] || board[0] == board[4] {
                continue;
            }
            let made = &boards.ranks[place];
            for (dealer, sum) in sums.iter_mut().enumerate() {
                if made[dealer] < made[own] {
                    let mut ways = 1;
                    for same in board.chunk_by(|a, b| a == b) {
                        let rank = usize::from(same[0]);
                        let left = 4 - i64::from(counts[own][rank]) - i64::from(counts[dealer][rank]);
                        ways *= choose(left, same.len());
                    }
                    *sum += ways;
                }
            }
        }
    })
}

fn unpaid_change(boards: &Boards) -> Vec<[i64; WIDTH]> {
    // Shapes with the same ranks outside the suit stand for as many boards each.
    let mut groups: Vec<(Vec<u8>, Vec<Shape>)> = Vec::new();
    for shape in all_shapes(5) {
        match groups.iter_mut().find(|(others, _)| others == shape.others()) {
            Some((_, shapes)) => shapes.push(shape),
            None => groups.push((shape.others().to_vec(), vec![shape])),
        }
    }
    let masks = Masks::new();
    let empty = || vec![[0_i64; WIDTH]; HANDS];
    let workers = fold(&groups, empty, |sums: &mut Vec<[i64; WIDTH]>, (others, shapes)| {
        let mut group = vec![[0_i16; WIDTH]; HANDS];
        for shape in shapes {
            add_unpaid(boards, &masks, shape, &mut group);
        }
        for (place, (sums, group)) in sums.iter_mut().zip(&group).enumerate() {
            for (lane, (sum, &count)) in sums.iter_mut().zip(group).enumerate() {
                if count != 0 {
                    let ways = others.chunk_by(|a, b| a == b).map(|same| {
                        let held = &OTHERS_HELD[usize::from(same[0])];
                        choose(3 - i64::from(held[place]) - i64::from(held[lane]), same.len())
                    });
                    *sum += i64::from(count) * ways.product::<i64>();
                }
            }
        }
    });
    let mut workers = workers.into_iter();
    let mut all = workers.next().expect("there is a worker");
    for worker in workers {
        for (sum, term) in all.as_flattened_mut().iter_mut().zip(worker.as_flattened()) {
            *sum += term;
        }
    }
    all
}

/// Adds what one shape changes: wins that are not paid, against those by ranks alone.
fn add_unpaid(boards: &Boards, masks: &Masks, shape: &Shape, group: &mut [[i16; WIDTH]]) {
    let suited = &boards.suited[shape.place()];
    let suited_unpaid = &boards.suited_unpaid[shape.place()];
    let plain = boards.plain(shape);
    let plain_unpaid = &boards.ranks_unpaid[multiset(shape.ranks::<5>())];
    let mut free = [-1_i8; WIDTH];
    for rank in (0..13).filter(|rank| shape.own >> rank & 1 == 1) {
        free.iter_mut().zip(&masks.without_own[rank]).for_each(|(free, without)| *free &= without);
    }
    for (place, sums) in group.iter_mut().enumerate() {
        if free[place] == 0 {
            continue;
        }
        let [with, without] = [suited_unpaid[place], plain_unpaid[usize::from(PAIR_OF_PLACE[place])]]
            .map(|unpaid| -i8::from(unpaid));
        if with == 0 && without == 0 {
            continue;
        }
        for lane in 0..WIDTH {
            let wins = i8::from(suited[lane] < suited[place]) & with;
            let plain = i8::from(plain[lane] < plain[place]) & without;
            sums[lane] += i16::from((wins - plain) & free[lane]);
        }
    }
}

/// The values of hole cards with each two cards of the Dealer known. The orders of hand with which a won Ante is paid are
/// bits of `ante_paid`; `progress` is called with the part that is done.
pub fn values(ante_paid: u16, progress: &(dyn Fn(f64) + Sync)) -> Vec<Values> {
    let boards = Boards::new(ante_paid);
    let masks = Masks::new();
    let ranks = all_multisets::<4>();
    let fours = map(ranks.len(), [[0; PAIRS]; PAIRS], |place, sum| four_ranks(&boards, ranks[place], sum));
    let ranks = all_multisets::<3>();
    let flops = map(ranks.len(), [[0; PAIRS]; PAIRS], |place, sum| flop_ranks(&fours, ranks[place], sum));
    let river = sum_boards(4, &fours, &|part| progress(part / 2.0), |board| {
        let matrix = |(suit, shape): (usize, Shape)| {
            let mut sum = Box::new([[0_i8; WIDTH]; HANDS]);
            four(&boards, &masks, &shape, &mut sum);
            (suit, sum)
        };
        let suits = board.shapes(2).into_iter().map(matrix).collect();
        Ready::new(board, multiset(board.ranks::<4>()), suits)
    });
    let turn = sum_boards(3, &flops, &|part| progress(0.5 + part / 2.0), |board| {
        let mut four_cards = Box::new([[0_i8; WIDTH]; HANDS]);
        let matrix = |(suit, shape): (usize, Shape)| {
            let mut sum = Box::new([[0_i16; WIDTH]; HANDS]);
            flop(&boards, &masks, &shape, &mut four_cards, &mut sum);
            (suit, sum)
        };
        let suits = board.shapes(1).into_iter().map(matrix).collect();
        Ready::new(board, multiset(board.ranks::<3>()), suits)
    });
    cases(&river, &turn, &Unpaid::new(&boards))
}

fn cases(river: &Sums, turn: &Sums, unpaid: &Unpaid) -> Vec<Values> {
    let renamings = renamings();
    let deals = 48 * 47 * 46 / 6 * 45 * 44;
    let mut cases = Vec::new();
    for (own, hands) in super::sums::classes() {
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
    }
    cases
}

/// Single figures, for tests.
#[cfg(test)]
pub(super) struct Check {
    boards: Boards,
    masks: Masks,
    fours: Vec<[[i16; PAIRS]; PAIRS]>,
    unpaid: Unpaid,
}

#[cfg(test)]
impl Check {
    pub(super) fn new(ante_paid: u16) -> Check {
        let boards = Boards::new(ante_paid);
        let ranks = all_multisets::<4>();
        let fours =
            map(ranks.len(), [[0; PAIRS]; PAIRS], |place, sum| four_ranks(&boards, ranks[place], sum));
        let unpaid = Unpaid::new(&boards);
        Check { boards, masks: Masks::new(), fours, unpaid }
    }

    /// Wins less losses of one hand over another, over what can follow a board of three or four.
    pub(super) fn lead(&self, board: &Standard, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        let ranks = |[a, b]: [usize; 2]| pair(a % 13, b % 13);
        let place = |suit: usize, [a, b]: [usize; 2]| place_of(suit, card(a), card(b));
        let mut four_cards = Box::new([[0_i8; WIDTH]; HANDS]);
        if board.cards().count() == 4 {
            let mut sum = i64::from(self.fours[multiset(board.ranks::<4>())][ranks(own)][ranks(dealer)]);
            for (suit, shape) in board.shapes(2) {
                four(&self.boards, &self.masks, &shape, &mut four_cards);
                sum += i64::from(four_cards[place(suit, own)][place(suit, dealer)]);
            }
            return sum;
        }
        let mut plain = Box::new([[0; PAIRS]; PAIRS]);
        flop_ranks(&self.fours, board.ranks::<3>(), &mut plain);
        let mut sum = i64::from(plain[ranks(own)][ranks(dealer)]);
        for (suit, shape) in board.shapes(1) {
            let mut change = Box::new([[0_i16; WIDTH]; HANDS]);
            flop(&self.boards, &self.masks, &shape, &mut four_cards, &mut change);
            sum += i64::from(change[place(suit, own)][place(suit, dealer)]);
        }
        sum
    }

    pub(super) fn unpaid(&self, own: [usize; 2], dealer: [usize; 2]) -> i64 {
        self.unpaid.boards(own, dealer)
    }
}
