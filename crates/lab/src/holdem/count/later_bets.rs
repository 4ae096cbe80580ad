//! The Turn and River decisions of perfect play for any cards, looked up: a simulation meets millions of them.
//!
//! Suits are renamed so that their ranks on the board stand in falling order. That leaves 1,755 of 22,100 flops and
//! 16,432 of 270,725 boards of four; for each of these one bit says of every hole hand whether it bets. A board's number
//! is looked up with the renaming, which then goes for the hole cards too: two loads a decision. All tables together
//! take 5 MB.

use cards::Card;

use super::conditions::{Sight, sight};
use super::decide::{Flags, HOLES, RankSuit, block, by_suit, river_bets, turn_bets};
use super::flop_values::FlopValues;
use super::flops::Flops;
use super::parallel::map;
use super::ranks::{RANKS, pair};
use super::rivers::Rivers;
use crate::simulate::BATCH;

/// Perfect play after the Flop wager.
pub struct LaterBets {
    flops: Boards,
    turns: Boards,
}

impl LaterBets {
    /// Makes the tables: the first half of a count, and the decisions for every board.
    pub fn new() -> LaterBets {
        let rivers = Rivers::new();
        LaterBets::of(&rivers, &Flops::new(&rivers))
    }

    /// The same, and what hole hands are about worth on every flop with nothing else known: wins less losses `always` times,
    /// and a Turn and a River wager of so many Antes where they win more than they lose.
    pub fn with_flop_values(always: f64, turn: f64, river: f64) -> (LaterBets, FlopValues) {
        let rivers = Rivers::new();
        let flops = Flops::new(&rivers);
        let values = FlopValues::new(&rivers, &flops, [always, turn, river]);
        (LaterBets::of(&rivers, &flops), values)
    }

    /// The same from counts that are there.
    pub(super) fn of(rivers: &Rivers, flops: &Flops) -> LaterBets {
        LaterBets {
            flops: Boards::new(|flop, bets| turn_bets(flops, flop, bets)),
            turns: Boards::new(|board, bets| river_bets(rivers, board, bets)),
        }
    }

    /// A player who decides by what is seen.
    pub fn by_sight(turn: impl Fn(Sight) -> bool + Sync, river: impl Fn(Sight) -> bool + Sync) -> LaterBets {
        LaterBets {
            flops: Boards::new(|flop: [RankSuit; 3], bets| mark_by_sight(&flop, bets, &turn)),
            turns: Boards::new(|board: [RankSuit; 4], bets| mark_by_sight(&board, bets, &river)),
        }
    }

    /// Whether the Turn wager is made on a flop: where wins and losses are level, the player checks.
    #[inline]
    pub fn bets_turn(&self, hole: [Card; 2], flop: [Card; 3]) -> bool {
        self.flops.bets(self.flops.bit(hole, number_of_flop(flop)))
    }

    /// Whether the River wager is made on a board of four.
    #[inline]
    pub fn bets_river(&self, hole: [Card; 2], board: [Card; 4]) -> bool {
        self.turns.bets(self.turns.bit(hole, number_of_four(board)))
    }

    /// Both for many hands at once, as many as a simulation takes together. A decision is two loads, the second at a place that the first says, and
    /// the tables are larger than the near caches. Taken step by step for all hands, the loads of a step do not wait for each
    /// other.
    #[inline]
    pub fn bets_of_all(&self, hands: &[([Card; 2], [Card; 5])], wagers: &mut [(bool, bool)]) {
        let mut numbers = [(0, 0); BATCH];
        for (numbers, (_, [a, b, c, d, _])) in numbers.iter_mut().zip(hands) {
            *numbers = (number_of_flop([*a, *b, *c]), number_of_four([*a, *b, *c, *d]));
        }
        let mut bits = [(Bit::default(), Bit::default()); BATCH];
        for ((bits, (hole, _)), (flop, four)) in bits.iter_mut().zip(hands).zip(numbers) {
            *bits = (self.flops.bit(*hole, flop), self.turns.bit(*hole, four));
        }
        for (wagers, (turn, river)) in wagers.iter_mut().zip(bits) {
            *wagers = (self.flops.bets(turn), self.turns.bets(river));
        }
    }
}

/// The number of a flop.
#[inline]
pub(super) fn number_of_flop(flop: [Card; 3]) -> usize {
    let [mut a, mut b, mut c] = flop.map(Card::index);
    order(&mut a, &mut b);
    order(&mut b, &mut c);
    order(&mut a, &mut b);
    number([a, b, c])
}

/// The number of a board of four.
#[inline]
fn number_of_four(board: [Card; 4]) -> usize {
    let [mut a, mut b, mut c, mut d] = board.map(Card::index);
    order(&mut a, &mut b);
    order(&mut c, &mut d);
    order(&mut a, &mut c);
    order(&mut b, &mut d);
    order(&mut b, &mut c);
    number([a, b, c, d])
}

impl Default for LaterBets {
    fn default() -> LaterBets {
        LaterBets::new()
    }
}

/// Puts two cards into rising order, without a branch.
#[inline]
fn order(low: &mut u8, high: &mut u8) {
    (*low, *high) = ((*low).min(*high), (*low).max(*high));
}

/// Marks the hole hands that bet on a board by what they see.
fn mark_by_sight(board: &[RankSuit], bets: &mut Flags, decide: impl Fn(Sight) -> bool) {
    let card = |index: u8| (index / 4, index % 4);
    for (a, places) in (0..52_u8).zip(&HOLE_PLACES) {
        for (b, place) in (0..a).zip(places) {
            let own = [card(a), card(b)];
            let is_free = !own.iter().any(|card| board.contains(card));
            bets[usize::from(*place)] = u8::from(is_free && decide(sight(own, board)));
        }
    }
}

/// One bit for every hole hand.
type Bits = [u64; HOLES.div_ceil(64)];

/// The decisions on all boards of a size.
struct Boards {
    /// By the number of the board: which board in standard suits it is, and by which renaming.
    standard: Vec<(u16, u8)>,
    /// By standard board: the hole hands that bet.
    bets: Vec<Bits>,
}

impl Boards {
    fn new<const N: usize>(decide: impl Fn([RankSuit; N], &mut Flags) + Sync) -> Boards {
        let Standards { standard, boards } = Standards::<N>::new();
        let bets = map(boards.len(), [0; HOLES.div_ceil(64)], |number, bits: &mut Bits| {
            let mut flags = [0; HOLES];
            decide(boards[number], &mut flags);
            for (place, &flag) in flags.iter().enumerate() {
                bits[place / 64] |= u64::from(flag) << (place % 64);
            }
        });
        Boards { standard, bets }
    }

    /// Where the decision of a hole hand on a board stands, by the number of the board.
    #[inline]
    fn bit(&self, hole: [Card; 2], board: usize) -> Bit {
        let (standard, renaming) = self.standard[board];
        let [a, b] = hole.map(|card| RENAMED[usize::from(renaming) % 32][usize::from(card.index()) % 64]);
        Bit { standard, place: HOLE_PLACES[usize::from(a) % 64][usize::from(b) % 64] }
    }

    /// Whether a hole hand bets.
    #[inline]
    fn bets(&self, bit: Bit) -> bool {
        let place = usize::from(bit.place);
        self.bets[usize::from(bit.standard)][place / 64] >> (place % 64) & 1 == 1
    }
}

/// The boards of a size in standard suits.
pub(super) struct Standards<const N: usize> {
    /// By the number of the board: which board in standard suits it is, and by which renaming.
    pub(super) standard: Vec<(u16, u8)>,
    pub(super) boards: Vec<[RankSuit; N]>,
}

impl<const N: usize> Standards<N> {
    pub(super) fn new() -> Standards<N> {
        let all = all_boards::<N>();
        let renamed: Vec<(usize, u8)> = all.iter().map(|board| renamed(*board)).collect();
        // A board in standard suits is renamed to itself.
        let mut numbers = vec![0; all.len()];
        let mut boards = Vec::new();
        for (number, (board, (standard, _))) in all.iter().zip(&renamed).enumerate() {
            if number == *standard {
                numbers[number] = boards.len() as u16;
                boards.push(board.map(|card| (card / 4, card % 4)));
            }
        }
        let standard =
            renamed.into_iter().map(|(standard, renaming)| (numbers[standard], renaming)).collect();
        Standards { standard, boards }
    }
}

/// The place of a hole hand after each renaming.
pub(super) fn renamed_places(hole: [Card; 2]) -> [u16; 24] {
    std::array::from_fn(|renaming| {
        let [a, b] = hole.map(|card| RENAMED[renaming][usize::from(card.index())]);
        HOLE_PLACES[usize::from(a)][usize::from(b)]
    })
}

/// The place of a decision: the board in standard suits, and the hole hand as renamed with it.
#[derive(Clone, Copy, Default)]
struct Bit {
    standard: u16,
    place: u16,
}

/// The number of a set of cards in rising order, among the sets of its size: the usual numbering of combinations.
#[inline]
fn number<const N: usize>(cards: [u8; N]) -> usize {
    (0..N).map(|place| CHOOSE[place][usize::from(cards[place]) % 64] as usize).sum()
}

/// All sets of `N` cards in the order of their numbers.
fn all_boards<const N: usize>() -> Vec<[u8; N]> {
    let mut boards = Vec::new();
    let mut board: [u8; N] = std::array::from_fn(|place| place as u8);
    while board[N - 1] < 52 {
        boards.push(board);
        // The next set: raise the first card that may rise, and put those before it to the lowest.
        let rising = (0..N - 1).find(|&place| board[place] + 1 < board[place + 1]).unwrap_or(N - 1);
        board[rising] += 1;
        (0..rising).for_each(|place| board[place] = place as u8);
    }
    boards
}

/// A board in standard suits, by its number, and the renaming that makes it so.
fn renamed<const N: usize>(board: [u8; N]) -> (usize, u8) {
    let own = by_suit(&board.map(|card| (card / 4, card % 4)));
    let stands =
        |suits: &[u8; 4]| suits.windows(2).all(|pair| own[usize::from(pair[1])] <= own[usize::from(pair[0])]);
    let renaming = SUIT_ORDERS.iter().position(stands).expect("some order of the suits is falling");
    let mut cards = board.map(|card| RENAMED[renaming][usize::from(card)]);
    cards.sort_unstable();
    (number(cards), renaming as u8)
}

/// `C(n, k + 1)` by `k`, then `n`.
const CHOOSE: [[u32; 64]; 4] = {
    let mut choose = [[0; 64]; 4];
    let mut n = 1;
    while n < 52 {
        choose[0][n] = n as u32;
        let mut k = 1;
        while k < 4 {
            choose[k][n] = choose[k][n - 1] + choose[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The orders of four suits: the suit that becomes 0, then 1, and so on.
const SUIT_ORDERS: [[u8; 4]; 24] = {
    let mut orders = [[0; 4]; 24];
    let (mut count, mut code) = (0, 0_usize);
    while code < 256 {
        let order = [(code & 3) as u8, (code >> 2 & 3) as u8, (code >> 4 & 3) as u8, (code >> 6 & 3) as u8];
        if (1_u8 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) == 0b1111 {
            orders[count] = order;
            count += 1;
        }
        code += 1;
    }
    orders
};

/// By renaming, then card: the card it becomes. Padded so that no index needs a check.
static RENAMED: [[u8; 64]; 32] = {
    let mut renamed = [[0; 64]; 32];
    let mut renaming = 0;
    while renaming < 24 {
        let mut card = 0;
        while card < 52 {
            let mut suit = 0;
            while SUIT_ORDERS[renaming][suit] as usize != card % 4 {
                suit += 1;
            }
            renamed[renaming][card] = (card / 4 * 4 + suit) as u8;
            card += 1;
        }
        renaming += 1;
    }
    renamed
};

/// The place of two cards among all hole hands, as [`super::decide::hole`] has it.
static HOLE_PLACES: [[u16; 64]; 64] = {
    let mut places = [[0; 64]; 64];
    let mut a = 0;
    while a < 52 {
        let mut b = 0;
        while b < 52 {
            let (low, high) = if a % 4 <= b % 4 { (a, b) } else { (b, a) };
            let within = if a % 4 == b % 4 { pair(a / 4, b / 4) } else { low / 4 * RANKS + high / 4 };
            places[a][b] = (block(low % 4, high % 4) + within) as u16;
            b += 1;
        }
        a += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holdem::count::{after_flop, after_turn, lead};

    /// The place of two cards is that of the decisions.
    #[test]
    fn places_of_hole_cards() {
        for (a, places) in HOLE_PLACES.iter().take(52).enumerate() {
            for (b, place) in places.iter().take(52).enumerate().filter(|&(b, _)| b != a) {
                let expected = crate::holdem::count::decide::hole((a / 4, a % 4), (b / 4, b % 4));
                assert_eq!(usize::from(*place), expected, "{a} {b}");
            }
        }
    }

    /// As many boards as there are but for the names of suits.
    #[test]
    fn boards_in_standard_suits() {
        let nothing = |_: [RankSuit; 3], _: &mut Flags| ();
        assert_eq!(Boards::new(nothing).bets.len(), 1_755);
        let nothing = |_: [RankSuit; 4], _: &mut Flags| ();
        assert_eq!(Boards::new(nothing).bets.len(), 16_432);
    }

    /// The tables say what the value of each choice says, for states drawn all over the deck.
    #[test]
    fn the_decisions_of_advice() {
        let bets = LaterBets::new();
        let mut state = 1_u32;
        for _ in 0..60 {
            let mut cards = [Card::from_index(0).expect("a card"); 6];
            cards::shuffle::deal(&mut cards, || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state
            });
            let (hole, board) = cards.split_first_chunk::<2>().expect("six cards are dealt");
            let (&hole, &board) = (hole, board.first_chunk::<4>().expect("four of them are the board"));
            let flop = [board[0], board[1], board[2]];
            assert_eq!(bets.bets_turn(hole, flop), 0 < lead(&after_flop(hole, flop).showdowns));
            assert_eq!(bets.bets_river(hole, board), 0 < lead(&after_turn(hole, board)));
            let mut wagers = [(false, false); 2];
            let hand = (hole, [flop[0], flop[1], flop[2], board[3], hole[0]]);
            bets.bets_of_all(&[hand, hand], &mut wagers);
            assert_eq!(wagers, [(bets.bets_turn(hole, flop), bets.bets_river(hole, board)); 2]);
        }
    }
}
