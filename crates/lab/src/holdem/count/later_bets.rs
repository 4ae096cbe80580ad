//! The Turn and River decisions of perfect play for any cards, looked up: a simulation meets millions of them.
//!
//! Suits are renamed so that 1,755 flops and 16,432 boards of four are left (`standard`); for each of these one bit says of every
//! hole hand, renamed with the board, whether it bets. The bits take 3 MB; all that says where to look is small.

use cards::Card;

use super::conditions::{Sight, sight};
use super::decide::{Flags, HOLES, RankSuit, hole as place_of_hole, river_bets, turn_bets};
use super::flop_values::FlopValues;
use super::flops::Flops;
use super::parallel::map;
use super::rivers::Rivers;
use super::standard::{Standards, of_flop_and_four, renamed_place};
use crate::simulate::BATCH;

/// Perfect play after the Flop wager.
pub struct LaterBets {
    flops: Boards<3>,
    turns: Boards<4>,
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
        self.flops.bets(Bit::new(hole, self.flops.standards.of(flop)))
    }

    /// Whether the River wager is made on a board of four.
    #[inline]
    pub fn bets_river(&self, hole: [Card; 2], board: [Card; 4]) -> bool {
        self.turns.bets(Bit::new(hole, self.turns.standards.of(board)))
    }

    /// Both for many hands at once, as many as a simulation takes together. The bits are more than the near caches hold. First it is said
    /// for all hands where to look, then all are read: no load waits for another.
    #[inline]
    pub fn bets_of_all(&self, hands: &[([Card; 2], [Card; 5])], wagers: &mut [(bool, bool)]) {
        let mut bits = [(Bit::default(), Bit::default()); BATCH];
        for (bits, &(hole, [a, b, c, d, _])) in bits.iter_mut().zip(hands) {
            let [flop, four] = of_flop_and_four(&self.flops.standards, &self.turns.standards, [a, b, c, d]);
            *bits = (Bit::new(hole, flop), Bit::new(hole, four));
        }
        for (wagers, (turn, river)) in wagers.iter_mut().zip(bits) {
            *wagers = (self.flops.bets(turn), self.turns.bets(river));
        }
    }
}

impl Default for LaterBets {
    fn default() -> LaterBets {
        LaterBets::new()
    }
}

/// Marks the hole hands that bet on a board by what they see.
fn mark_by_sight(board: &[RankSuit], bets: &mut Flags, decide: impl Fn(Sight) -> bool) {
    let card = |index: u8| (index / 4, index % 4);
    for a in 0..52_u8 {
        for b in 0..a {
            let own = [card(a), card(b)];
            let is_free = !own.iter().any(|card| board.contains(card));
            let [a, b] = own.map(|(rank, suit)| (usize::from(rank), usize::from(suit)));
            bets[place_of_hole(a, b)] = u8::from(is_free && decide(sight(own, board)));
        }
    }
}

/// One bit for every hole hand.
type Bits = [u64; HOLES.div_ceil(64)];

/// The decisions on all boards of `N` cards.
struct Boards<const N: usize> {
    standards: Standards<N>,
    /// By standard board: the hole hands that bet.
    bets: Vec<Bits>,
}

impl<const N: usize> Boards<N> {
    fn new(decide: impl Fn([RankSuit; N], &mut Flags) + Sync) -> Boards<N> {
        let standards = Standards::<N>::new();
        let boards = &standards.boards;
        let bets = map(boards.len(), [0; HOLES.div_ceil(64)], |number, bits: &mut Bits| {
            let mut flags = [0; HOLES];
            decide(boards[number], &mut flags);
            for (place, &flag) in flags.iter().enumerate() {
                bits[place / 64] |= u64::from(flag) << (place % 64);
            }
        });
        Boards { standards, bets }
    }

    /// Whether a hole hand bets.
    #[inline]
    fn bets(&self, bit: Bit) -> bool {
        let place = usize::from(bit.place);
        self.bets[usize::from(bit.standard)][place / 64] >> (place % 64) & 1 == 1
    }
}

/// The place of a decision: the board in standard suits, and the hole hand as renamed with it.
#[derive(Clone, Copy, Default)]
struct Bit {
    standard: u16,
    place: u16,
}

impl Bit {
    #[inline]
    fn new(hole: [Card; 2], (standard, renaming): (u16, u8)) -> Bit {
        Bit { standard, place: renamed_place(hole, renaming) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holdem::count::{after_flop, after_turn, lead};

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
