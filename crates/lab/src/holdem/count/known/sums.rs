//! Every board in standard suits, its rows put together, and what they come to.
//!
//! A board is in standard suits if the sets of ranks by suit do not rise; it stands for all boards that a renaming of suits
//! makes of it. Sums over such boards with their weights are not those of given hole cards, but the mean over all 24
//! renamings of hole cards and known cards together is.

use std::sync::atomic::{AtomicU64, Ordering};

use super::super::parallel::fold;
use super::super::ranks::{all_subsets, multiset, pair};
use super::ladder::Score;
use super::shape::{HALF, LANES, RankSuit, Shape, place_of};
use super::streets::{Fives, Number, Street, Suited};

/// Which card of the board is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    Nothing,
    FlopCard,
    Turn,
    River,
}

/// What a wager of one Ante on each area brings, summed over deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Wins less losses over all deals: a wager that is made whatever comes.
    pub lead: i64,
    /// The Ante.
    pub ante: i64,
    /// A Turn wager made where it wins more than it loses.
    pub turn: i64,
    /// A River wager, likewise.
    pub river: i64,
    /// The deals summed over.
    pub deals: i64,
    /// How many cases of hole cards and known cards fare alike.
    pub cases: u64,
}

/// The lanes of a row of all cards: sixteen for each suit.
pub(super) const DECK: usize = 4 * HALF;
pub(super) const CARDS: usize = 52;

/// The hole hands, by the number of the higher card and the lower.
pub(super) const HOLES: usize = CARDS * (CARDS - 1) / 2;

/// A card from its number, suit by suit.
pub(super) const fn card(number: usize) -> RankSuit {
    (number % 13, number / 13)
}

pub(super) const fn number(card: RankSuit) -> usize {
    card.1 * 13 + card.0
}

pub(super) const fn hole(a: usize, b: usize) -> usize {
    if a < b { b * (b - 1) / 2 + a } else { a * (a - 1) / 2 + b }
}

pub(super) const fn lane(card: RankSuit) -> usize {
    card.1 * HALF + card.0
}

/// A board in standard suits.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Standard {
    /// The ranks of each suit.
    pub(super) suits: [u16; 4],
    /// How many boards it stands for.
    pub(in super::super) weight: i16,
}

impl Standard {
    pub(super) fn ranks<const N: usize>(&self) -> [u8; N] {
        let of_suit = |suit: &u16| {
            let suit = *suit;
            (0..13_u8).filter(move |rank| suit >> rank & 1 == 1)
        };
        let mut all = self.suits.iter().flat_map(of_suit);
        std::array::from_fn(|_| all.next().expect("a board has its cards"))
    }

    pub(super) fn holds(&self, (rank, suit): RankSuit) -> bool {
        self.suits[suit] >> rank & 1 == 1
    }

    pub(in super::super) fn cards(&self) -> impl Iterator<Item = usize> {
        (0..CARDS).filter(|&number| self.holds(card(number)))
    }

    /// The cards that are not on it.
    pub(super) fn left(&self) -> Vec<usize> {
        (0..CARDS).filter(|&number| !self.holds(card(number))).collect()
    }

    /// The board as each suit sees it that has at least so many cards of it.
    pub(super) fn shapes(&self, least: u32) -> Vec<(usize, Shape)> {
        let shape = |suit: usize| {
            let others = (0..4).filter(|&other| other != suit).flat_map(|other| {
                let ranks = self.suits[other];
                (0..13_u8).filter(move |rank| ranks >> rank & 1 == 1)
            });
            let others: Vec<u8> = others.collect();
            Some((suit, Shape::new(self.suits[suit], &others)?))
        };
        (0..4).filter(|&suit| least <= self.suits[suit].count_ones()).filter_map(shape).collect()
    }
}

/// All boards of `size` cards in standard suits.
pub(in super::super) fn standard_boards(size: u32) -> Vec<Standard> {
    let sets: Vec<Vec<u16>> = (0..=size).map(all_subsets).collect();
    let mut all = Vec::new();
    let mut suits = [0; 4];
    fill(&sets, 0, size, &mut suits, &mut all);
    all
}

fn fill(sets: &[Vec<u16>], suit: usize, left: u32, suits: &mut [u16; 4], all: &mut Vec<Standard>) {
    if suit == 4 {
        if left == 0 {
            all.push(Standard { suits: *suits, weight: weight(*suits) });
        }
        return;
    }
    let most = if suit == 0 { u16::MAX } else { suits[suit - 1] };
    let least = if suit == 3 { left } else { 0 };
    for size in least..=left {
        for &set in sets[size as usize].iter().filter(|&&set| set <= most) {
            suits[suit] = set;
            fill(sets, suit + 1, left - size, suits, all);
        }
    }
}

/// How many different boards the renamings of suits make of one.
fn weight(suits: [u16; 4]) -> i16 {
    let mut same = 1;
    let mut renamings = 1;
    for suit in 1..4 {
        same = if suits[suit] == suits[suit - 1] { same + 1 } else { 1 };
        renamings *= same;
    }
    24 / renamings
}

/// All ways to rename the suits.
pub(super) fn renamings() -> Vec<[usize; 4]> {
    let all = (0..256).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
    all.filter(|suits| (0..4).all(|suit| suits.contains(&suit))).collect()
}

/// The cards of the Dealer that one is known of: all at once, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// A number for every card of the Dealer.
    ByCard,
    /// The sum of all.
    Together,
}

impl Rows {
    const fn width(self) -> usize {
        match self {
            Rows::ByCard => DECK,
            Rows::Together => 1,
        }
    }
}

/// Sums by hole cards, card of the board, and lane.
pub(super) struct Table {
    width: usize,
    sums: Vec<i64>,
}

/// The same while it is added to.
enum Adding {
    /// By card of the Dealer, in numbers that are quick to add to.
    ByCard(Vec<[i32; DECK]>),
    Together(Vec<i64>),
}

impl Adding {
    fn new(rows: Rows) -> Adding {
        match rows {
            Rows::ByCard => Adding::ByCard(vec![[0; DECK]; HOLES * CARDS]),
            Rows::Together => Adding::Together(vec![0; HOLES * CARDS]),
        }
    }

    /// Adds the score of each lane, changed by `of`, for some cards of a board that stands for `weight` boards, and to what
    /// the boards of a batch come to.
    #[inline]
    fn add(
        &mut self,
        hole: usize,
        cards: &[usize],
        weight: i16,
        scores: &[i32; DECK],
        of: impl Fn(i32) -> i32,
        batch: &mut OfBatch,
    ) {
        match self {
            Adding::ByCard(sums) => {
                // The factors are constants for the compiler, which has no vector product of this width to use.
                let terms = match weight {
                    24 => scores.map(|score| of(score).wrapping_mul(24)),
                    12 => scores.map(|score| of(score).wrapping_mul(12)),
                    6 => scores.map(|score| of(score).wrapping_mul(6)),
                    4 => scores.map(|score| of(score).wrapping_mul(4)),
                    _ => scores.map(|score| of(score).wrapping_mul(weight.into())),
                };
                for &card in cards {
                    add_lanes(&mut sums[hole * CARDS + card], &terms);
                }
                add_lanes(&mut batch.lanes, &terms);
            }
            Adding::Together(sums) => {
                // Each hand of the Dealer is in the lanes of both its cards.
                let term = i64::from(of(scores.iter().sum::<i32>() / 2)) * i64::from(weight);
                for card in cards {
                    sums[hole * CARDS + card] += term;
                }
                batch.together += term;
            }
        }
    }

    /// Adds what a batch of boards comes to for the cards that are on all of them.
    fn add_batch(&mut self, hole: usize, cards: &[usize], batch: &OfBatch) {
        match self {
            Adding::ByCard(sums) => {
                for card in cards {
                    add_lanes(&mut sums[hole * CARDS + card], &batch.lanes);
                }
            }
            Adding::Together(sums) => {
                for card in cards {
                    sums[hole * CARDS + card] += batch.together;
                }
            }
        }
    }
}

/// What the boards of a batch come to for one hole hand.
struct OfBatch {
    lanes: [i32; DECK],
    together: i64,
}

#[inline]
fn add_lanes(sums: &mut [i32; DECK], terms: &[i32; DECK]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum = sum.wrapping_add(*term));
}

/// What is summed over the boards of one street.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// The score as it is, and what is above zero of it.
    Both,
    /// What is above zero.
    AboveZero,
    /// The score as it is.
    All,
}

impl Table {
    /// A table from those of all workers. By card of the Dealer no sum is beyond 2³¹, or 2³² where it has no terms below
    /// zero: 22,100 flops of 91,080 are most.
    fn of(workers: Vec<Adding>, rows: Rows, above_zero: bool) -> Table {
        let width = rows.width();
        let mut sums = vec![0; HOLES * CARDS * width];
        for worker in workers {
            match worker {
                Adding::ByCard(terms) => {
                    for (sum, &term) in sums.iter_mut().zip(terms.as_flattened()) {
                        *sum += if above_zero { i64::from(term.cast_unsigned()) } else { i64::from(term) };
                    }
                }
                Adding::Together(terms) => sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term),
            }
        }
        Table { width, sums }
    }

    /// The sum for hole cards, a card of the Dealer and one of the board, over all 24 renamings of suits.
    pub(super) fn renamed(
        &self,
        renamings: &[[usize; 4]],
        hole_cards: [usize; 2],
        dealer: Option<usize>,
        known: usize,
    ) -> i64 {
        let one = |suits: &[usize; 4]| {
            let rename = |number: usize| (number % 13, suits[number / 13]);
            let [a, b] = hole_cards.map(|card| number(rename(card)));
            let lane = dealer.map_or(0, |dealer| lane(rename(dealer)));
            self.sums[(hole(a, b) * CARDS + number(rename(known))) * self.width + lane]
        };
        renamings.iter().map(one).sum()
    }
}

/// Sums over all boards of a street, workers' tables of scores as they are and of scores above zero.
///
/// `rows_of` makes of a board what writes the row of hole cards.
pub(super) fn sum_boards<R: Fn(RankSuit, RankSuit, &mut [i32; DECK])>(
    size: u32,
    rows: Rows,
    of: Of,
    progress: &(dyn Fn(f64) + Sync),
    rows_of: impl Fn(&Standard) -> R + Sync,
) -> [Option<Table>; 2] {
    let boards = standard_boards(size);
    let done = AtomicU64::new(0);
    let groups: Vec<&[Standard]> = boards.chunks(64).collect();
    let wants = [of != Of::AboveZero, of != Of::All];
    let tables = || wants.map(|wanted| wanted.then(|| Adding::new(rows)));
    let workers = fold(&groups, tables, |tables, group| {
        // Hole cards by hole cards, so that the sums of a hand stay at hand for all boards of the group.
        let batches: Vec<Batch<R>> =
            batches(group).into_iter().map(|boards| Batch::new(boards, &rows_of)).collect();
        for b in 1..CARDS {
            for a in 0..b {
                for batch in &batches {
                    batch.add(a, b, tables);
                }
            }
        }
        let done = done.fetch_add(group.len() as u64, Ordering::Relaxed) + group.len() as u64;
        progress(done as f64 / boards.len() as f64);
    });
    let mut all: [Vec<Adding>; 2] = [Vec::new(), Vec::new()];
    for tables in workers {
        for (all, table) in all.iter_mut().zip(tables) {
            all.extend(table);
        }
    }
    let [scores, above] = all;
    let table = |workers: Vec<Adding>, above_zero| {
        (!workers.is_empty()).then(|| Table::of(workers, rows, above_zero))
    };
    [table(scores, false), table(above, true)]
}

/// Neighbouring boards that share all cards but one or two. What they come to is added up once for the cards they share.
struct Batch<R> {
    shared: Vec<usize>,
    boards: Vec<Ready<R>>,
}

/// The cards of a board as bits, by number.
fn bits(board: &Standard) -> u64 {
    board.cards().fold(0, |bits, number| bits | 1 << number)
}

/// Boards in the order they are in, cut where the cards they share become too few.
fn batches(mut boards: &[Standard]) -> Vec<&[Standard]> {
    let mut all = Vec::new();
    while let Some(first) = boards.first() {
        let mut shared = bits(first);
        let least = shared.count_ones() - 2;
        let goes_on = |board: &&Standard| {
            shared &= bits(board);
            least <= shared.count_ones()
        };
        let (batch, rest) = boards.split_at(boards.iter().take_while(goes_on).count());
        all.push(batch);
        boards = rest;
    }
    all
}

impl<R: Fn(RankSuit, RankSuit, &mut [i32; DECK])> Batch<R> {
    fn new(boards: &[Standard], rows_of: impl Fn(&Standard) -> R) -> Batch<R> {
        let shared = boards.iter().fold(u64::MAX, |shared, board| shared & bits(board));
        let is_shared = |number: &usize| shared >> number & 1 == 1;
        Batch {
            shared: (0..CARDS).filter(is_shared).collect(),
            boards: boards
                .iter()
                .map(|board| Ready {
                    weight: board.weight,
                    cards: board.cards().filter(|number| !is_shared(number)).collect(),
                    free: free_lanes(board),
                    row: rows_of(board),
                })
                .collect(),
        }
    }

    /// Adds the rows of hole cards on all boards that have none of them.
    #[inline]
    fn add(&self, a: usize, b: usize, tables: &mut [Option<Adding>; 2]) {
        if self.shared.contains(&a) || self.shared.contains(&b) {
            return;
        }
        let empty = || OfBatch { lanes: [0; DECK], together: 0 };
        let mut batch = [empty(), empty()];
        for board in &self.boards {
            board.add(a, b, tables, &mut batch);
        }
        for (table, batch) in tables.iter_mut().zip(&batch) {
            if let Some(table) = table {
                table.add_batch(hole(a, b), &self.shared, batch);
            }
        }
    }
}

/// A board with what writes its rows.
struct Ready<R> {
    weight: i16,
    /// Its cards that not all boards of the batch have.
    cards: Vec<usize>,
    /// All bits in the lanes of cards that are not on the board.
    free: [i32; DECK],
    row: R,
}

fn free_lanes(board: &Standard) -> [i32; DECK] {
    let mut free = [0; DECK];
    board.left().iter().for_each(|&number| free[lane(card(number))] = -1);
    free
}

impl<R: Fn(RankSuit, RankSuit, &mut [i32; DECK])> Ready<R> {
    /// Adds the row of hole cards, unless one of them is on the board.
    #[inline]
    fn add(&self, a: usize, b: usize, tables: &mut [Option<Adding>; 2], batch: &mut [OfBatch; 2]) {
        if self.free[lane(card(a))] == 0 || self.free[lane(card(b))] == 0 {
            return;
        }
        let mut scores = [0; DECK];
        (self.row)(card(a), card(b), &mut scores);
        scores.iter_mut().zip(&self.free).for_each(|(score, free)| *score &= free);
        scores[lane(card(a))] = 0;
        scores[lane(card(b))] = 0;
        let ([all, above], [all_batch, above_batch]) = (tables, batch);
        if let Some(all) = all {
            all.add(hole(a, b), &self.cards, self.weight, &scores, |score| score, all_batch);
        }
        if let Some(above) = above {
            above.add(hole(a, b), &self.cards, self.weight, &scores, |score| score.max(0), above_batch);
        }
    }
}

/// The row of a street: the part by ranks, and the change of each suit.
pub(super) fn street_row<T: Number + Into<i32>>(
    street: &Street<T>,
    ranks: usize,
    shapes: &[(usize, Shape)],
    (a, b): (RankSuit, RankSuit),
    row: &mut [i32; DECK],
) {
    let plain = &street.plain[ranks][pair(a.0, b.0)];
    let mut sum = [T::default(); DECK];
    sum.chunks_exact_mut(HALF).for_each(|suit| suit.copy_from_slice(plain));
    for &(suit, shape) in shapes {
        let change: &Suited<T> = &street.change[shape.place()];
        let change: &[T; LANES] = &change[place_of(suit, a, b)];
        for (of, sum) in sum.chunks_exact_mut(HALF).enumerate() {
            let from = if of == suit { 0 } else { HALF };
            sum.iter_mut().zip(&change[from..]).for_each(|(sum, term)| *sum = sum.plus(*term));
        }
    }
    row.iter_mut().zip(sum).for_each(|(row, sum)| *row = sum.into());
}

/// The row of a whole board: that of the suit with three or more cards, where there is one.
pub(super) fn five_row(
    fives: &Fives,
    ranks: usize,
    shape: Option<&(usize, Shape)>,
    (a, b): (RankSuit, RankSuit),
    row: &mut [i32; DECK],
) {
    let Some(&(suit, shape)) = shape else {
        let plain = fives.plain[ranks][pair(a.0, b.0)].map(i32::from);
        row.chunks_exact_mut(HALF).for_each(|suit| suit.copy_from_slice(&plain));
        return;
    };
    let suited = fives.suited[shape.place()][place_of(suit, a, b)].map(i32::from);
    for (of, row) in row.chunks_exact_mut(HALF).enumerate() {
        let from = if of == suit { 0 } else { HALF };
        row.copy_from_slice(&suited[from..from + HALF]);
    }
}

/// The orders of hand with which a won Ante is paid, as bits, and what is known; the values of hole cards with each case of
/// known cards. `dealer` is whether one of the Dealer's cards is known.
///
/// `progress` is called with the part that is done.
pub fn values(ante_paid: u16, dealer: bool, board: Board, progress: &(dyn Fn(f64) + Sync)) -> Vec<Values> {
    let rows = if dealer { Rows::ByCard } else { Rows::Together };
    let steps = if board == Board::River { 4.0 } else { 3.0 };
    let step = |number: f64| move |part: f64| progress((number + part) / steps);
    let fours = |fours: &Street<i16>, of: Of, progress: &(dyn Fn(f64) + Sync)| {
        sum_boards(4, rows, of, progress, |board| {
            let (ranks, shapes) = (multiset(board.ranks::<4>()), board.shapes(2));
            move |a, b, row: &mut _| street_row(fours, ranks, &shapes, (a, b), row)
        })
    };
    let ante = {
        let street = Street::fours(&Fives::new(Score::Ante(ante_paid)));
        fours(&street, Of::All, &step(0.0))[0].take().expect("scores were summed")
    };
    let fives = Fives::new(Score::Lead);
    let street = Street::fours(&fives);
    let [lead, four] = fours(&street, Of::Both, &step(1.0)).map(|table| table.expect("both were summed"));
    let above = |tables: [Option<Table>; 2]| tables.into_iter().flatten().next().expect("one was summed");
    let (mut flop, mut five) = (None, None);
    match board {
        Board::Nothing | Board::FlopCard => {
            drop(fives);
            let flops = Street::flops(&street);
            let flops = &flops;
            flop = Some(above(sum_boards(3, rows, Of::AboveZero, &step(2.0), |board| {
                let (ranks, shapes) = (multiset(board.ranks::<3>()), board.shapes(1));
                move |a, b, row: &mut _| street_row(flops, ranks, &shapes, (a, b), row)
            })));
        }
        Board::Turn => {}
        Board::River => {
            drop(street);
            let fives = &fives;
            five = Some(above(sum_boards(5, rows, Of::AboveZero, &step(2.0), |board| {
                let (ranks, shapes) = (multiset(board.ranks::<5>()), board.shapes(3));
                move |a, b, row: &mut _| five_row(fives, ranks, shapes.first(), (a, b), row)
            })));
        }
    }
    let tables = Tables { lead, ante, four, flop, five };
    tables.cases(dealer, board)
}

/// For hole cards, a card of the Dealer and one of the board, all renamings of suits not yet taken together.
struct Tables {
    /// Over boards of four with the card: wins less losses, the Ante, and leads above zero.
    lead: Table,
    ante: Table,
    four: Table,
    /// Leads above zero over flops, and over boards of five.
    flop: Option<Table>,
    five: Option<Table>,
}

impl Tables {
    fn cases(&self, dealer: bool, board: Board) -> Vec<Values> {
        let renamings = renamings();
        let mut cases = Vec::new();
        for (own, hands) in classes() {
            let dealers = (0..CARDS).filter(|card| !own.contains(card)).map(Some);
            let dealers: Vec<Option<usize>> = if dealer { dealers.collect() } else { vec![None] };
            for dealer in dealers {
                self.add_cases(&renamings, own, dealer, board, hands, &mut cases);
            }
        }
        cases
    }

    fn add_cases(
        &self,
        renamings: &[[usize; 4]],
        own: [usize; 2],
        dealer: Option<usize>,
        board: Board,
        hands: u64,
        cases: &mut Vec<Values>,
    ) {
        let known = (0..CARDS).filter(|card| !own.contains(card) && dealer != Some(*card));
        let of = |table: &Table, known: usize| table.renamed(renamings, own, dealer, known);
        let by_card = known.map(|known| {
            let option = |table: &Option<Table>| table.as_ref().map_or(0, |table| of(table, known));
            [
                of(&self.lead, known),
                of(&self.ante, known),
                option(&self.flop),
                of(&self.four, known),
                option(&self.five),
            ]
        });
        // Every board of four in the tables is there once for each of its cards, every flop likewise.
        if board == Board::Nothing {
            let mut sums = [0; 5];
            by_card.for_each(|card| sums.iter_mut().zip(card).for_each(|(sum, term)| *sum += term));
            let [lead, ante, flop, four, _] = sums;
            cases.push(case([lead, ante, whole(flop, 3), four], deals(dealer.is_some(), board), hands));
            return;
        }
        for [lead, ante, flop, four, five] in by_card {
            // In how many orders a board of four, or of five, has the card where it lies.
            let values = match board {
                Board::FlopCard => [3 * lead, 3 * ante, flop, 3 * four],
                Board::Turn => [lead, ante, four, four],
                Board::Nothing | Board::River => [lead, ante, four, 4 * five],
            };
            cases.push(case(values, deals(dealer.is_some(), board), hands));
        }
    }
}

/// One hole hand of each class, with how many there are; the first of its cards is of suit 0.
pub(super) fn classes() -> impl Iterator<Item = ([usize; 2], u64)> {
    (0..13).flat_map(|high| {
        (0..=high).flat_map(move |low| {
            let suited = (low < high).then_some(([low, high], 4));
            let unsuited = ([low, high + 13], if low == high { 6 } else { 12 });
            suited.into_iter().chain([unsuited])
        })
    })
}

/// Values from sums over all renamings.
fn case(sums: [i64; 4], deals: i64, cases: u64) -> Values {
    let [lead, ante, turn, river] = sums.map(|sum| whole(sum, 24));
    Values { lead, ante, turn, river, deals, cases }
}

/// A quotient that has no remainder.
pub(super) fn whole(sum: i64, parts: i64) -> i64 {
    assert_eq!(sum % parts, 0, "{sum} is {parts} equal parts");
    sum / parts
}

/// The deals of one case: flop, turn and river in order, and the Dealer's cards that are not known.
fn deals(dealer: bool, board: Board) -> i64 {
    let left = if dealer { 49 } else { 50 };
    let dealer_hands = if dealer { 44 } else { 990 };
    let boards = match board {
        Board::Nothing => left * (left - 1) * (left - 2) / 6 * (left - 3) * (left - 4),
        Board::FlopCard => (left - 1) * (left - 2) / 2 * (left - 3) * (left - 4),
        Board::Turn | Board::River => (left - 1) * (left - 2) * (left - 3) / 6 * (left - 4),
    };
    boards * dealer_hands
}
