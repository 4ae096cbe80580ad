//! The last pass: every board of four, its river decisions, and what they come to by class of hole cards.
//!
//! After the turn the river is bet exactly if the hand wins more than it loses over 46 rivers and 990 hands of the
//! dealer; the order in which flop and turn came does not matter. A board of four can have begun with four flops; `k`
//! of them, for a given hole hand, were bet on the turn. So a board adds `k` times its counts to the deals with a
//! Turn wager, `4 - k` times to those without, and its river decision says which of the two columns of river play.
//!
//! Boards are taken in standard suits, each standing for all boards that renaming the suits makes of it:
//!
//! | suits | boards | standing for | number |
//! |---|---|---|---:|
//! | 4 | F in suit 0 | 4 | 715 |
//! | 3 + 1 | F in suit 0, one in suit 1 | 12 | 286 · 13 |
//! | 2 + 2 | F in suit 0, G in suit 1, F ≤ G | 12, or 6 if F = G | 78 · 79 / 2 |
//! | 2 + 1 + 1 | F in suit 0, x ≤ y in suits 1 and 2 | 24, or 12 if x = y | 78 · 91 |
//! | 1 + 1 + 1 + 1 | four ranks rising, suits 0 to 3 | 24 over the orders of equal ranks | 1,820 |

use super::decide::{Flags, HOLES, RankSuit, TurnBets, block, remove};
use super::parallel::fold;
use super::ranks::{
    ORDERS, PAIR_RANKS, PAIRS, all_multisets, all_subsets, copies, listed, multiset, pair, subset,
};
use super::rivers::{AFTER_TURN, Rivers, TWOS};
use super::view::{EMPTY, OO, PARTS, PLACES, PLAIN_SQUARE, SO, SQUARE, SS, TIES, TRANSPOSED, View};

/// What is counted for every weight: wins by part, ties, and showdowns of four cards as such.
const COLUMNS: usize = PARTS + 1;
/// The column of boards of four as such.
pub(super) const BOARDS: usize = PARTS;

/// Weights: hole hands; with the turn bet; with the river bet; with both.
const WEIGHTS: usize = 4;

/// Sums by class of hole cards: suited by pair of ranks, unsuited by both ranks, unsuited by pair of ranks.
pub(super) struct Sums {
    /// By column, weight and place.
    pub(super) deals: Vec<[[u64; PLACES]; WEIGHTS]>,
    /// Hole hands and boards of four on which the river decision is level.
    pub(super) level: [u64; PLACES],
    recent: Vec<[[u32; PLACES]; WEIGHTS]>,
    boards: u32,
}

/// So many boards fit 32 bits: a weight is at most 24 · 4 · 12, a count at most 45,540.
const RECENT: u32 = 64;

impl Sums {
    fn new() -> Sums {
        Sums {
            deals: vec![[[0; PLACES]; WEIGHTS]; COLUMNS],
            level: [0; PLACES],
            recent: vec![[[0; PLACES]; WEIGHTS]; COLUMNS],
            boards: 0,
        }
    }

    fn flush(&mut self) {
        for (sums, recent) in self.deals.iter_mut().flatten().zip(self.recent.iter_mut().flatten()) {
            for (sum, recent) in sums.iter_mut().zip(recent) {
                *sum += u64::from(*recent);
                *recent = 0;
            }
        }
        self.boards = 0;
    }

    fn merge(mut self, mut other: Sums) -> Sums {
        self.flush();
        other.flush();
        for (sums, others) in self.deals.iter_mut().flatten().zip(other.deals.iter().flatten()) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += other;
            }
        }
        for (sum, other) in self.level.iter_mut().zip(&other.level) {
            *sum += other;
        }
        self
    }
}

/// Counts for some of the places of a view.
type Counts<const LEN: usize> = [[u16; LEN]; PARTS];

impl Sums {
    /// Adds hole hands that fare alike, from place `from`: how many they are, and how often they bet the turn.
    fn add<const LEN: usize>(&mut self, from: usize, weight: u16, hands: &Hands<LEN>, counts: &Counts<LEN>) {
        let mut weights = [[0_u16; LEN]; WEIGHTS];
        let wins = sum_of_wins(counts);
        let mut levels = 0;
        for i in 0..LEN {
            let losses = AFTER_TURN.wrapping_sub(wins[i]).wrapping_sub(counts[TIES][i]);
            let river = if losses < wins[i] { u16::MAX } else { 0 };
            let (all, bets) = (hands.all[i].wrapping_mul(weight), hands.bets[i].wrapping_mul(weight));
            weights[0][i] = all;
            weights[1][i] = bets;
            weights[2][i] = all & river;
            weights[3][i] = bets & river;
            levels |= if losses == wins[i] { all } else { 0 };
        }
        if levels != 0 {
            for i in 0..LEN {
                let losses = AFTER_TURN.wrapping_sub(wins[i]).wrapping_sub(counts[TIES][i]);
                self.level[from + i] += u64::from(if losses == wins[i] { weights[0][i] } else { 0 });
            }
        }
        for (counts, sums) in counts.iter().zip(self.recent.iter_mut()) {
            if counts.iter().fold(0, |any, count| any | count) != 0 {
                add_products(&weights, counts, sums, from);
            }
        }
        add_products(&weights, &[1; LEN], &mut self.recent[BOARDS], from);
    }
}

fn sum_of_wins<const LEN: usize>(counts: &Counts<LEN>) -> [u16; LEN] {
    let mut wins = counts[0];
    for counts in &counts[1..ORDERS] {
        for (wins, count) in wins.iter_mut().zip(counts) {
            *wins = wins.wrapping_add(*count);
        }
    }
    wins
}

fn add_products<const LEN: usize>(
    weights: &[[u16; LEN]; WEIGHTS],
    counts: &[u16; LEN],
    sums: &mut [[u32; PLACES]; WEIGHTS],
    from: usize,
) {
    for (weights, sums) in weights.iter().zip(sums) {
        for ((sum, &weight), &count) in sums[from..][..LEN].iter_mut().zip(weights).zip(counts) {
            *sum = sum.wrapping_add(u32::from(weight) * u32::from(count));
        }
    }
}

/// Hole hands that fare alike, by place: how many, and on how many flops in all they bet the turn.
struct Hands<const LEN: usize> {
    all: [u16; LEN],
    bets: [u16; LEN],
}

/// For every hole hand that a board leaves, [`HAND`] and the number of flops on which it bets the turn, in one byte.
struct Board(Flags);

/// Up to six hands of [`HAND`] fit a byte, and their turn bets under them.
const HAND: u8 = 32;

impl Board {
    /// A board of four cards that can have begun with four flops, on which `flops` bet the turn.
    fn new(cards: &[RankSuit], flops: [&Flags; 4]) -> Board {
        let mut hands = [0; HOLES];
        for (i, hand) in hands.iter_mut().enumerate() {
            let bets =
                flops[0][i].wrapping_add(flops[1][i]).wrapping_add(flops[2][i]).wrapping_add(flops[3][i]);
            *hand = bets.wrapping_add(HAND);
        }
        remove(&mut hands, cards);
        Board(hands)
    }

    /// The sum of some blocks.
    fn sum<const LEN: usize>(&self, blocks: &[(usize, usize)]) -> [u16; LEN] {
        let mut sum = [0_u8; LEN];
        for &(p, q) in blocks {
            for (sum, &hand) in sum.iter_mut().zip(&self.0[block(p, q)..][..LEN]) {
                *sum = sum.wrapping_add(hand);
            }
        }
        sum.map(u16::from)
    }

    /// The hands of some blocks.
    fn hands<const LEN: usize>(&self, blocks: &[(usize, usize)]) -> Hands<LEN> {
        apart(&self.sum(blocks))
    }

    /// The hands of some blocks of different suits, by pair of ranks.
    fn folded(&self, blocks: &[(usize, usize)]) -> Hands<PAIRS> {
        let square: [u16; SQUARE] = self.sum(blocks);
        let mut sum = [0_u16; PAIRS];
        for (hands, &pair) in square.iter().zip(&PLAIN_SQUARE) {
            sum[usize::from(pair)] += hands;
        }
        apart(&sum)
    }
}

/// Takes hands and their turn bets apart again.
fn apart<const LEN: usize>(sum: &[u16; LEN]) -> Hands<LEN> {
    Hands { all: sum.map(|hands| hands / u16::from(HAND)), bets: sum.map(|hands| hands % u16::from(HAND)) }
}

/// Some places of the plain part, with those of a suit added.
fn counts<const LEN: usize>(plain: (&View, usize), suit: (&View, usize)) -> Counts<LEN> {
    let mut counts = [[0; LEN]; PARTS];
    for ((counts, plain_part), suit_part) in counts.iter_mut().zip(plain.0).zip(suit.0) {
        let terms = plain_part[plain.1..][..LEN].iter().zip(&suit_part[suit.1..][..LEN]);
        for (count, (plain, suit)) in counts.iter_mut().zip(terms) {
            *count = plain.wrapping_add(*suit);
        }
    }
    counts
}

/// The same with a second suit.
fn plus<const LEN: usize>(mut counts: Counts<LEN>, suit: (&View, usize)) -> Counts<LEN> {
    for (counts, part) in counts.iter_mut().zip(suit.0) {
        for (count, term) in counts.iter_mut().zip(&part[suit.1..][..LEN]) {
            *count = count.wrapping_add(*term);
        }
    }
    counts
}

/// A board that one suit sees, suit 0.
fn one_suit(board: &Board, plain: &View, suit: &View, weight: u16, sums: &mut Sums) {
    let own: Counts<PAIRS> = counts((plain, SS), (suit, SS));
    let square: Counts<SQUARE> = counts((plain, SO), (suit, SO));
    let others: Counts<PAIRS> = counts((plain, OO), (suit, OO));
    sums.add(SS, weight, &board.hands(&[(0, 0)]), &own);
    sums.add(SO, weight, &board.hands(&[(0, 1), (0, 2), (0, 3)]), &square);
    sums.add(SS, weight, &board.hands(&[(1, 1), (2, 2), (3, 3)]), &others);
    sums.add(OO, weight, &board.folded(&[(1, 2), (1, 3), (2, 3)]), &others);
}

/// A board that two suits see, 0 and 1.
fn two_suits(board: &Board, plain: &View, suits: [&View; 2], weight: u16, sums: &mut Sums) {
    let [first, second] = suits;
    let own: Counts<PAIRS> = plus(counts((plain, SS), (first, SS)), (second, OO));
    sums.add(SS, weight, &board.hands(&[(0, 0)]), &own);
    let own: Counts<PAIRS> = plus(counts((plain, SS), (first, OO)), (second, SS));
    sums.add(SS, weight, &board.hands(&[(1, 1)]), &own);
    let others: Counts<PAIRS> = plus(counts((plain, OO), (first, OO)), (second, OO));
    sums.add(SS, weight, &board.hands(&[(2, 2), (3, 3)]), &others);
    sums.add(OO, weight, &board.folded(&[(2, 3)]), &others);
    let mut both: Counts<SQUARE> = counts((plain, SO), (first, SO));
    let mut one = both;
    let mut other: Counts<SQUARE> = counts((plain, SO), (second, SO));
    for part in 0..PARTS {
        for i in 0..SQUARE {
            let pair = OO + usize::from(PLAIN_SQUARE[i]);
            let add = |sum: &mut u16, view: &View, place: usize| *sum = sum.wrapping_add(view[part][place]);
            add(&mut both[part][i], second, SO + usize::from(TRANSPOSED[i]));
            add(&mut one[part][i], second, pair);
            add(&mut other[part][i], first, pair);
        }
    }
    sums.add(SO, weight, &board.hands(&[(0, 1)]), &both);
    sums.add(SO, weight, &board.hands(&[(0, 2), (0, 3)]), &one);
    sums.add(SO, weight, &board.hands(&[(1, 2), (1, 3)]), &other);
}

/// A share of the boards.
enum Task {
    /// Four or three of suit 0, by the four, or the three.
    Four(u16),
    Three(u16),
    /// Two of suit 0 and two of suit 1, by the first two.
    Two(usize),
    /// Two of suit 0, by the pair of the others.
    TwoOneOne(usize),
    /// Four suits, by the highest rank.
    Four1(u8),
}

/// Tallies all boards of four.
pub(super) fn tally(rivers: &Rivers, turns: &TurnBets) -> Sums {
    let twos = all_subsets(2);
    let mut tasks: Vec<Task> = (0..PAIRS).map(Task::TwoOneOne).collect();
    tasks.extend((0..TWOS).rev().map(Task::Two));
    tasks.extend((0..13).rev().map(Task::Four1));
    tasks.extend(all_subsets(3).into_iter().map(Task::Three));
    tasks.extend(all_subsets(4).into_iter().map(Task::Four));
    let rising = all_multisets::<4>();
    let work = |sums: &mut Sums, task: &Task| match *task {
        Task::Four(own) => four(rivers, turns, own, sums),
        Task::Three(own) => three(rivers, turns, own, sums),
        Task::Two(first) => {
            for second in 0..=first {
                two_two(rivers, turns, [twos[first], twos[second]], sums);
            }
        }
        Task::TwoOneOne(others) => {
            for &own in &twos {
                two_one_one(rivers, turns, own, others, sums);
            }
        }
        Task::Four1(high) => {
            for &board in rising.iter().filter(|board| board[3] == high) {
                four_suits(rivers, turns, board, sums);
            }
        }
    };
    let shares = fold(&tasks, Sums::new, work);
    shares.into_iter().reduce(Sums::merge).expect("there is a worker")
}

impl Sums {
    /// Makes room for one more board.
    fn next(&mut self) {
        if self.boards == RECENT {
            self.flush();
        }
        self.boards += 1;
    }
}

fn four(rivers: &Rivers, turns: &TurnBets, own: u16, sums: &mut Sums) {
    sums.next();
    let list: [u8; 4] = listed(own);
    let board = Board::new(&list.map(|rank| (rank, 0)), list.map(|rank| turns.one(own & !(1 << rank))));
    let suit = &rivers.four[subset(own)];
    one_suit(&board, &rivers.plain[multiset(list)], suit, 4, sums);
}

fn three(rivers: &Rivers, turns: &TurnBets, own: u16, sums: &mut Sums) {
    let [a, b, c] = listed(own);
    for other in 0..13 {
        sums.next();
        let two = |left_out: u8| turns.two(0, own & !(1 << left_out), other);
        let board =
            Board::new(&[(a, 0), (b, 0), (c, 0), (other, 1)], [turns.one(own), two(a), two(b), two(c)]);
        let plain = &rivers.plain[multiset([a, b, c, other])];
        one_suit(&board, plain, rivers.three(own, usize::from(other)), 12, sums);
    }
}

fn two_two(rivers: &Rivers, turns: &TurnBets, own: [u16; 2], sums: &mut Sums) {
    sums.next();
    let [[a, b], [c, d]] = own.map(listed::<2>);
    let flops =
        [turns.two(0, own[0], c), turns.two(0, own[0], d), turns.two(2, own[1], a), turns.two(2, own[1], b)];
    let board = Board::new(&[(a, 0), (b, 0), (c, 1), (d, 1)], flops);
    let plain = &rivers.plain[multiset([a, b, c, d])];
    let pair = |[low, high]: [u8; 2]| pair(usize::from(low), usize::from(high));
    let suits = [rivers.two(own[0], pair([c, d])), rivers.two(own[1], pair([a, b]))];
    two_suits(&board, plain, suits, if own[0] == own[1] { 6 } else { 12 }, sums);
}

fn two_one_one(rivers: &Rivers, turns: &TurnBets, own: u16, others: usize, sums: &mut Sums) {
    sums.next();
    let [a, b] = listed(own);
    let (low, high) = PAIR_RANKS[others];
    let flops =
        [turns.two(0, own, low), turns.two(1, own, high), turns.three(a, others), turns.three(b, others)];
    let board = Board::new(&[(a, 0), (b, 0), (low, 1), (high, 2)], flops);
    let plain = &rivers.plain[multiset([a, b, low, high])];
    one_suit(&board, plain, rivers.two(own, others), if low == high { 12 } else { 24 }, sums);
}

/// Four suits: no flush is possible, and all hole hands of a pair of ranks fare alike. The suits are renamed for each
/// flop, so that the turn card is of suit 3.
fn four_suits(rivers: &Rivers, turns: &TurnBets, ranks: [u8; 4], sums: &mut Sums) {
    sums.next();
    let plain: Counts<PAIRS> = counts((&rivers.plain[multiset(ranks)], OO), (&EMPTY, OO));
    let equal = |rank: u8| copies(&ranks, usize::from(rank));
    // 24 over the product of the factorials of the multiplicities.
    let weight = match ranks.map(equal) {
        [4, ..] => 1,
        [3, ..] | [_, 3, ..] => 4,
        [2, _, 2, _] => 6,
        [1, 1, 1, 1] => 24,
        _ => 12,
    };
    let mut suited = Hands { all: [0; PAIRS], bets: [0; PAIRS] };
    let mut others = Hands { all: [0; PAIRS], bets: [0; PAIRS] };
    for turn in 0..4 {
        let [a, b, c] = std::array::from_fn(|i| ranks[if i < turn { i } else { i + 1 }]);
        let flop = turns.three(a, pair(usize::from(b), usize::from(c)));
        let none = &[0; HOLES];
        let board = Board::new(&[(a, 0), (b, 1), (c, 2), (ranks[turn], 3)], [flop, none, none, none]);
        let same: Hands<PAIRS> = board.hands(&[(0, 0), (1, 1), (2, 2), (3, 3)]);
        let different = board.folded(&[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        for i in 0..PAIRS {
            suited.bets[i] += same.bets[i];
            others.bets[i] += different.bets[i];
        }
        suited.all = same.all;
        others.all = different.all;
    }
    sums.add(SS, weight, &suited, &plain);
    sums.add(OO, weight, &others, &plain);
}
