//! One board of five: every pair of cards against all that a Dealer can hold with one card known.
//!
//! The pairs are sorted by what they make with the board. `below[c]` counts, for every card of the Dealer that may be
//! known, the second cards with which the pair lies in a class under `c`. The player's own two cards cannot be that second
//! card; both are taken out again by comparing the player's hand with the pairs they would make.

use super::super::ranks::{Held, PAIR_RANKS, PAIRS, Worth, copies, suited_worth, worth};
use super::super::view::{SS, own_cards};
use super::shape::{HALF, HANDS, LANES, Shape, lanes_of_place};

/// What is counted of a showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Score {
    /// One for a win, less one for a loss: a wager that is paid even money.
    Lead,
    /// The Ante: one for a win with a hand of one of these orders, as bits, less one for a loss.
    Ante(u16),
}

/// A board against which pairs of cards have been sorted. `HANDS` is how many pairs, `LANES` how many cards.
pub(super) struct Ladder<const HANDS: usize, const LANES: usize> {
    pub(super) class: [u8; HANDS],
    pub(super) order: [u8; HANDS],
    cards: [[usize; 2]; HANDS],
    /// By class, then by card known: hands of the Dealer in lower classes. One more than there are classes.
    below: Vec<[i16; LANES]>,
    /// The class of the pair of two cards.
    pairs: Box<[[i16; LANES]; LANES]>,
}

impl Ladder<HANDS, LANES> {
    /// A board of five as a suit with three or more cards sees it.
    pub(super) fn of_suit(board: &Shape) -> Ladder<HANDS, LANES> {
        let ranks: [u8; 5] = board.ranks();
        let held = ranks.iter().fold(Held::default(), |held, &rank| held.with(rank));
        let made = |place: usize| {
            let lanes = lanes_of_place(place);
            let [a, b] = lanes.map(|lane| (lane % HALF) as u8);
            let plain = worth(held.with(a).with(b));
            let suited = board.own | own_cards(place);
            if 5 <= suited.count_ones() { plain.max(suited_worth(suited)) } else { plain }
        };
        let mut left = [0; LANES];
        for rank in 0..13_u8 {
            let others = copies(board.others(), rank.into()).cast_signed();
            left[usize::from(rank)] = 1 - (board.own >> rank & 1).cast_signed();
            left[HALF + usize::from(rank)] = 3 - others;
        }
        // Two cards of the suit are of different ranks.
        let is_pair = |place: usize| SS + PAIRS <= place || PAIR_RANKS[place].0 != PAIR_RANKS[place].1;
        Ladder::new(std::array::from_fn(lanes_of_place), std::array::from_fn(made), left, is_pair)
    }
}

impl Ladder<PAIRS, HALF> {
    /// A board of five ranks, suits forgotten.
    pub(super) fn of_ranks(board: [u8; 5]) -> Ladder<PAIRS, HALF> {
        let held = board.iter().fold(Held::default(), |held, &rank| held.with(rank));
        let made = |place: usize| {
            let (a, b) = PAIR_RANKS[place];
            worth(held.with(a).with(b))
        };
        let mut left = [0; HALF];
        for rank in 0..13_u8 {
            left[usize::from(rank)] = 4 - copies(&board, rank.into()).cast_signed();
        }
        let cards = PAIR_RANKS.map(|(a, b)| [usize::from(a), usize::from(b)]);
        Ladder::new(cards, std::array::from_fn(made), left, |_| true)
    }
}

impl<const HANDS: usize, const LANES: usize> Ladder<HANDS, LANES> {
    fn new(
        cards: [[usize; 2]; HANDS],
        made: [Worth; HANDS],
        left: [i16; LANES],
        is_pair: impl Fn(usize) -> bool,
    ) -> Ladder<HANDS, LANES> {
        let mut sorted: [u16; HANDS] = std::array::from_fn(|place| place as u16);
        sorted.sort_unstable_by_key(|&place| made[usize::from(place)]);
        let mut this = Ladder {
            class: [0; HANDS],
            order: made.map(Worth::order),
            cards,
            below: Vec::with_capacity(HANDS + 1),
            pairs: Box::new([[0; LANES]; LANES]),
        };
        let mut so_far = [0; LANES];
        let mut last = made[usize::from(sorted[0])];
        this.below.push(so_far);
        for place in sorted.map(usize::from) {
            if last < made[place] {
                last = made[place];
                this.below.push(so_far);
            }
            let class = this.below.len() - 1;
            this.class[place] = class as u8;
            let [a, b] = cards[place];
            this.pairs[a][b] = class as i16;
            this.pairs[b][a] = class as i16;
            if a != b {
                so_far[a] += left[b];
                so_far[b] += left[a];
            } else if is_pair(place) {
                so_far[a] += left[a] - 1;
            }
        }
        this.below.push(so_far);
        this
    }

    /// The score of hole cards against the Dealer, for every card known. Where hole cards, board and card known cannot be
    /// together, the number has no meaning.
    pub(super) fn row(&self, place: usize, score: Score) -> [i8; LANES] {
        let class = usize::from(self.class[place]);
        let (low, high) = (&self.below[class], &self.below[class + 1]);
        let total = &self.below[self.below.len() - 1];
        let [a, b] = self.cards[place].map(|card| &self.pairs[card]);
        let class = class as i16;
        // Numbers without meaning may be anything: no check of their bounds, so that lanes are taken many at a time.
        let under = |pairs: &[i16; LANES], lane: usize| i16::from(pairs[lane] < class);
        let over = |pairs: &[i16; LANES], lane: usize| i16::from(class < pairs[lane]);
        let wins = |lane: usize| low[lane].wrapping_sub(under(a, lane)).wrapping_sub(under(b, lane));
        let losses = |lane: usize| {
            total[lane].wrapping_sub(high[lane]).wrapping_sub(over(a, lane)).wrapping_sub(over(b, lane))
        };
        match score {
            Score::Lead => std::array::from_fn(|lane| wins(lane).wrapping_sub(losses(lane)) as i8),
            Score::Ante(paid) if paid >> self.order[place] & 1 == 1 => {
                std::array::from_fn(|lane| wins(lane).wrapping_sub(losses(lane)) as i8)
            }
            Score::Ante(_) => std::array::from_fn(|lane| 0_i16.wrapping_sub(losses(lane)) as i8),
        }
    }
}
