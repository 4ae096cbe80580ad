//! The jackpot of `holdem-progressive-v6`: by street, best of seven, and the community's own table.
//!
//! All counts are over the [`super::BOARDS_PER_HAND`] boards of one hole hand, with flop, turn and river in order: 20
//! orders for each set of five. One wager is paid once, on the highest line it qualifies for (`one-jackpot-payout`),
//! so the lines are disjoint. A folded hand keeps the community table alone (THB6 4.2.1).
//!
//! A royal flush needs five given cards, of which the hole cards hold `j`. By the street that brings the last of the
//! other `5 - j`, with the rest of the board free:
//!
//! | `j` | flop | turn | river |
//! |---|---:|---:|---:|
//! | 2 | 47 · 46 | 3 · 47 · 46 | 3 · C(47,2) · 4 |
//! | 1 | | 4 · 46 | 4 · 46 · 4 |
//! | 0 | | | 20, wholly on the board |
//!
//! Four of a kind of a rank of which the hole cards hold `j` needs `4 - j` given board cards and leaves `1 + j` free:
//! C(46 + j, 1 + j) boards; never two ranks at once, and never with a straight flush. For straight flushes every set
//! `F` of three to five cards of the suit is tried, with the rest of the board outside the suit.

use std::collections::HashMap;
use std::sync::OnceLock;

use rulebook::HoleClass;

use super::class::{chart, place_of, rank_numbers};
use super::ranks::{STRAIGHT_FLUSH, all_subsets, suited_worth};

/// The ranks of a royal flush.
const ROYAL_RANKS: u16 = 0b1_1111 << 8;

/// Orders of flop, turn and river for a set of five.
const STREETS: u64 = 20;

/// For one hole hand, on how many of [`super::BOARDS_PER_HAND`] each line is the one paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreetLines {
    /// A royal flush complete with the flop.
    pub royal_on_flop: u64,
    /// A royal flush first complete with the turn.
    pub royal_on_turn: u64,
    /// A royal flush first complete with the river, at least one hole card in it.
    pub royal_on_river: u64,
    /// A royal flush wholly on the board.
    pub community_royal: u64,
    /// The best of seven is a straight flush, and the board alone is none.
    pub straight_flush: u64,
    /// The board alone is a straight flush, and hole cards make no royal of it.
    pub community_straight_flush: u64,
    /// The best of seven is four of a kind, and the board alone is not.
    pub four: u64,
    /// The board alone has four of a kind.
    pub community_four: u64,
}

/// The lines of one hole hand of a class, if it plays and if it folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreetCounts {
    pub class: HoleClass,
    /// The lines paid when the hand is played.
    pub played: StreetLines,
    /// The lines paid when it is folded: those of the community.
    pub folded: StreetLines,
}

impl StreetCounts {
    /// All classes, in the order of the chart; counted once.
    pub fn all() -> &'static [StreetCounts] {
        static ALL: OnceLock<Vec<StreetCounts>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut suits =
                StraightFlushes { boards: (3..=5).flat_map(all_subsets).collect(), counted: HashMap::new() };
            chart().map(|class| StreetCounts::count(class, &mut suits)).collect()
        })
    }

    pub fn of(class: HoleClass) -> &'static StreetCounts {
        &StreetCounts::all()[place_of(class)]
    }

    fn count(class: HoleClass, suits_seen: &mut StraightFlushes) -> StreetCounts {
        let (high, low) = rank_numbers(class);
        let (high, low) = (1 << high, 1 << low);
        let suits = if class.suited() { [high | low, 0, 0, 0] } else { [high, low, 0, 0] };
        let mut this = StreetCounts { class, played: StreetLines::default(), folded: StreetLines::default() };
        for own in suits {
            this.add_royals(own);
            let [by_hand, on_board, on_board_kept] = suits_seen.of(own);
            this.played.straight_flush += by_hand;
            this.played.community_straight_flush += on_board_kept;
            this.folded.community_straight_flush += on_board;
        }
        this.add_fours();
        this
    }

    fn add_royals(&mut self, own: u16) {
        let played = &mut self.played;
        match (own & ROYAL_RANKS).count_ones() {
            2 => {
                played.royal_on_flop += 47 * 46;
                played.royal_on_turn += 3 * 47 * 46;
                played.royal_on_river += 3 * (47 * 46 / 2) * 4;
            }
            1 => {
                played.royal_on_turn += 4 * 46;
                played.royal_on_river += 4 * 46 * 4;
            }
            _ => {
                played.community_royal += STREETS;
                self.folded.community_royal += STREETS;
            }
        }
    }

    fn add_fours(&mut self) {
        let (high, low) = rank_numbers(self.class);
        for rank in 0..13 {
            match u8::from(rank == high) + u8::from(rank == low) {
                0 => {
                    self.played.community_four += 46 * STREETS;
                    self.folded.community_four += 46 * STREETS;
                }
                1 => self.played.four += 47 * 46 / 2 * STREETS,
                _ => self.played.four += 48 * 47 * 46 / 6 * STREETS,
            }
        }
    }
}

/// Straight flushes of one suit, by the hole cards' own cards of it.
struct StraightFlushes {
    /// All sets of three to five cards of the suit.
    boards: Vec<u16>,
    counted: HashMap<u16, [u64; 3]>,
}

impl StraightFlushes {
    /// Boards with a straight flush made with a hole card; boards that are one; and of these, those that the hole
    /// cards do not make a royal flush of.
    fn of(&mut self, own: u16) -> [u64; 3] {
        *self.counted.entry(own).or_insert_with(|| {
            // Cards outside the suit that are left: 39, less the hole cards outside it.
            let others = 39 - (2 - u64::from(own.count_ones()));
            let is_one = |cards: u16| 4 < cards.count_ones() && suited_worth(cards).order() == STRAIGHT_FLUSH;
            let mut counts = [0; 3];
            for &board in self.boards.iter().filter(|&&board| board & own == 0) {
                let rest = [others * (others - 1) / 2, others, 1][board.count_ones() as usize - 3];
                let (alone, best) = (is_one(board), is_one(board | own));
                counts[0] += u64::from(best && !alone) * rest * STREETS;
                counts[1] += u64::from(alone) * STREETS;
                counts[2] += u64::from(best && alone) * STREETS;
            }
            counts
        })
    }
}
