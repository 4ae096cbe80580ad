//! Rows summed over what is to come: the river, then turn and river.
//!
//! A sum is taken term by term, the part by ranks and the change of each suit for itself. A card to come is not the
//! player's and not the Dealer's known card: each has as many copies as are left, less those in the hole cards, less one in
//! the lane of that very card.

use super::super::parallel::map;
use super::super::ranks::{PAIR_RANKS, PAIRS, all_multisets, copies, multiset};
use super::super::view::{OTHERS_HELD, PAIR_OF_PLACE, own_cards};
use super::ladder::{Ladder, Score};
use super::shape::{HALF, HANDS, LANES, SuitCard, all_shapes, boards_of_ranks};

/// Rows of one number type by hole cards: by ranks alone, and as a suit sees them.
pub(super) type Plain<T> = [[T; HALF]; PAIRS];
pub(super) type Suited<T> = [[T; LANES]; HANDS];

/// Numbers that rows are summed in.
pub(super) trait Number: Copy + Send + Sync + Default + From<i8> {
    fn plus(self, other: Self) -> Self;
    fn times(self, factor: i16) -> Self;
}

impl Number for i16 {
    #[inline]
    fn plus(self, other: i16) -> i16 {
        self.wrapping_add(other)
    }
    #[inline]
    fn times(self, factor: i16) -> i16 {
        self.wrapping_mul(factor)
    }
}

impl Number for i32 {
    #[inline]
    fn plus(self, other: i32) -> i32 {
        self.wrapping_add(other)
    }
    #[inline]
    fn times(self, factor: i16) -> i32 {
        self.wrapping_mul(i32::from(factor))
    }
}

/// Boards of five, all their cards known: by ranks, and whole rows for a suit with three or more of them.
pub(super) struct Fives {
    pub(super) plain: Vec<Plain<i8>>,
    /// Not a change: the row of the board itself.
    pub(super) suited: Vec<Suited<i8>>,
}

impl Fives {
    pub(super) fn new(score: Score) -> Fives {
        let ranks = all_multisets::<5>();
        let plain = map(ranks.len(), [[0; HALF]; PAIRS], |place, rows: &mut Plain<i8>| {
            let ladder = Ladder::of_ranks(ranks[place]);
            rows.iter_mut().enumerate().for_each(|(hand, row)| *row = ladder.row(hand, score));
        });
        let shapes = all_shapes(5);
        let suited = map(shapes.len(), [[0; LANES]; HANDS], |place, rows: &mut Suited<i8>| {
            let ladder = Ladder::of_suit(&shapes[place]);
            rows.iter_mut().enumerate().for_each(|(hand, row)| *row = ladder.row(hand, score));
        });
        Fives { plain, suited }
    }
}

/// Boards of four or three: rows by ranks, and the change of a suit.
pub(super) struct Street<T> {
    pub(super) plain: Vec<Plain<T>>,
    pub(super) change: Vec<Suited<T>>,
}

impl Street<i16> {
    /// Boards of four, summed over the river.
    pub(super) fn fours(fives: &Fives) -> Street<i16> {
        let ranks = all_multisets::<4>();
        let plain = map(boards_of_ranks(4), [[0; HALF]; PAIRS], |place, sum: &mut Plain<i16>| {
            for river in 0..13 {
                let [a, b, c, d] = ranks[place];
                let board = &fives.plain[multiset([a, b, c, d, river])];
                add_rank(sum, &ranks[place], river, |hand| board[hand].map(i16::from));
            }
        });
        let shapes = all_shapes(4);
        let change = map(shapes.len(), [[0; LANES]; HANDS], |place, sum: &mut Suited<i16>| {
            for (river, left) in shapes[place].next() {
                let Some(board) = shapes[place].with(river).filter(|board| 3 <= board.own.count_ones())
                else {
                    continue;
                };
                let plain = &fives.plain[multiset(board.ranks::<5>())];
                let suited = &fives.suited[board.place()];
                add_card(sum, river, left, |hand| {
                    let plain = &plain[usize::from(PAIR_OF_PLACE[hand])];
                    std::array::from_fn(|lane| {
                        i16::from(suited[hand][lane]).wrapping_sub(i16::from(plain[lane % HALF]))
                    })
                });
            }
        });
        Street { plain, change }
    }
}

impl Street<i32> {
    /// Flops, summed over turn and river in order.
    pub(super) fn flops(fours: &Street<i16>) -> Street<i32> {
        let ranks = all_multisets::<3>();
        let plain = map(boards_of_ranks(3), [[0; HALF]; PAIRS], |place, sum: &mut Plain<i32>| {
            for turn in 0..13 {
                let [a, b, c] = ranks[place];
                let board = &fours.plain[multiset([a, b, c, turn])];
                add_rank(sum, &ranks[place], turn, |hand| board[hand].map(i32::from));
            }
        });
        let shapes = all_shapes(3);
        let change = map(shapes.len(), [[0; LANES]; HANDS], |place, sum: &mut Suited<i32>| {
            for (turn, left) in shapes[place].next() {
                let Some(board) = shapes[place].with(turn).filter(|board| 2 <= board.own.count_ones()) else {
                    continue;
                };
                let board = &fours.change[board.place()];
                add_card(sum, turn, left, |hand| board[hand].map(i32::from));
            }
        });
        Street { plain, change }
    }
}

/// Adds the rows of a board with one more rank, once for each card of it that is left.
fn add_rank<T: Number>(sum: &mut Plain<T>, board: &[u8], rank: u8, row: impl Fn(usize) -> [T; HALF]) {
    let copies = |ranks: &[u8]| copies(ranks, rank.into()).cast_signed();
    let left = 4 - copies(board);
    for (hand, sum) in sum.iter_mut().enumerate() {
        let (a, b) = PAIR_RANKS[hand];
        add_row(sum, &row(hand), left - copies(&[a, b]), usize::from(rank));
    }
}

/// Adds the rows of a board with one more card as the suit sees it, once for each such card that is left.
fn add_card<T: Number>(sum: &mut Suited<T>, card: SuitCard, left: i16, row: impl Fn(usize) -> [T; LANES]) {
    match card {
        SuitCard::Own(rank) => {
            for (hand, sum) in sum.iter_mut().enumerate() {
                if own_cards(hand) >> rank & 1 == 0 {
                    add_row(sum, &row(hand), 1, usize::from(rank));
                }
            }
        }
        SuitCard::Other(rank) => {
            let held = &OTHERS_HELD[usize::from(rank)];
            for (hand, sum) in sum.iter_mut().enumerate() {
                add_row(sum, &row(hand), left - held[hand].cast_signed(), HALF + usize::from(rank));
            }
        }
    }
}

/// Adds a row for each of `left` cards; in the lane of such a card itself for one less.
#[inline]
fn add_row<T: Number, const N: usize>(sum: &mut [T; N], row: &[T; N], left: i16, lane: usize) {
    for (sum, term) in sum.iter_mut().zip(row) {
        *sum = sum.plus(term.times(left));
    }
    sum[lane] = sum[lane].plus(row[lane].times(-1));
}
