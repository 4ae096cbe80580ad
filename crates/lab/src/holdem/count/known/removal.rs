//! What hole cards are worth when one card is known to be elsewhere, for every such card.
//!
//! Without card `c` neither the Dealer nor the board can have it. Of all that follows a board of four, what the Dealer has
//! with `c` and what comes with `c` as the river is taken away: the lane of `c` in the row of the board, and the board of
//! five with `c`. The rest is as with nothing known.

use super::super::ranks::multiset;
use super::ladder::Score;
use super::shape::RankSuit;
use super::streets::{Fives, Street};
use super::sums::{CARDS, DECK, Standard, card, five_row, lane, street_row};

/// Boards of four and five for both scores, to ask about hole hands.
pub struct Removal {
    fives: [Fives; 2],
    fours: [Street<i16>; 2],
}

/// What each part of play brings without a card, over [`DEALS_WITHOUT`] deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    pub lead: i64,
    pub ante: i64,
    pub turn: i64,
    pub river: i64,
}

/// The deals of hole cards with one card elsewhere.
pub const DEALS_WITHOUT: i64 = 49 * 48 * 47 / 6 * 46 * 45 * (44 * 43 / 2);

impl Removal {
    /// Counts the boards; bits of `ante_paid` are the orders of hand with which a won Ante is paid.
    pub fn new(ante_paid: u16) -> Removal {
        let fives = [Score::Lead, Score::Ante(ante_paid)].map(Fives::new);
        let fours = [Street::fours(&fives[0]), Street::fours(&fives[1])];
        Removal { fives, fours }
    }

    /// The values of one hole hand, each card as rank and suit, by number of the card that is elsewhere: 13 for each suit.
    /// Those of the hand's own cards have no meaning.
    pub fn without(&self, own: [RankSuit; 2]) -> Vec<Without> {
        let left: Vec<usize> = (0..CARDS).filter(|&number| !own.contains(&card(number))).collect();
        let whole = [0, 1].map(|score| self.whole_boards(own, &left, score));
        let mut values = vec![Without::default(); CARDS];
        let mut flops = vec![[0_i32; CARDS]; choose(left.len(), 3)];
        for_each_set::<4>(left.len(), |set| {
            let cards = set.map(|place| left[place]);
            let board = board_of(&cards);
            let leads = self.of_four(&board, own, &left, set, &whole, 0);
            let antes = self.of_four(&board, own, &left, set, &whole, 1);
            for (value, (lead, ante)) in values.iter_mut().zip(leads.iter().zip(antes)) {
                // A board of five has five sets of four and comes in 20 orders.
                value.lead += 4 * i64::from(*lead);
                value.ante += 4 * i64::from(ante);
                value.river += 4 * i64::from((*lead).max(0));
            }
            for turn in 0..4 {
                let flop: [usize; 3] = std::array::from_fn(|i| set[if i < turn { i } else { i + 1 }]);
                let sums = &mut flops[place(&flop)];
                sums.iter_mut().zip(&leads).for_each(|(sum, lead)| *sum += lead);
            }
        });
        for sums in &flops {
            values.iter_mut().zip(sums).for_each(|(value, sum)| value.turn += i64::from((*sum).max(0)));
        }
        values
    }

    /// Scores on all boards of five, over all hands of the Dealer.
    fn whole_boards(&self, own: [RankSuit; 2], left: &[usize], score: usize) -> Vec<i16> {
        let mut whole = vec![0; choose(left.len(), 5)];
        let mut row = [0; DECK];
        for_each_set::<5>(left.len(), |set| {
            let board = board_of(&set.map(|place| left[place]));
            let (ranks, shapes) = (multiset(board.ranks::<5>()), board.shapes(3));
            five_row(&self.fives[score], ranks, shapes.first(), (own[0], own[1]), &mut row);
            whole[place(&set)] = (sum_of_hands(&row, left, &set) / 2) as i16;
        });
        whole
    }

    /// Scores after a board of four without each card.
    fn of_four(
        &self,
        board: &Standard,
        own: [RankSuit; 2],
        left: &[usize],
        set: [usize; 4],
        whole: &[Vec<i16>; 2],
        score: usize,
    ) -> [i32; CARDS] {
        let mut row = [0; DECK];
        let (ranks, shapes) = (multiset(board.ranks::<4>()), board.shapes(2));
        street_row(&self.fours[score], ranks, &shapes, (own[0], own[1]), &mut row);
        let all = sum_of_hands(&row, left, &set) / 2;
        let mut scores = [0; CARDS];
        for (number, &elsewhere) in left.iter().enumerate().filter(|(number, _)| !set.contains(number)) {
            let mut five = [set[0], set[1], set[2], set[3], number];
            five.sort_unstable();
            scores[elsewhere] = all - row[lane(card(elsewhere))] - i32::from(whole[score][place(&five)]);
        }
        scores
    }
}

/// The sum of a row over the cards that the Dealer can have.
fn sum_of_hands(row: &[i32; DECK], left: &[usize], board: &[usize]) -> i32 {
    let all: i32 = left.iter().map(|&number| row[lane(card(number))]).sum();
    all - board.iter().map(|&place| row[lane(card(left[place]))]).sum::<i32>()
}

fn board_of(cards: &[usize]) -> Standard {
    let mut suits = [0; 4];
    for &number in cards {
        suits[card(number).1] |= 1 << card(number).0;
    }
    Standard { suits, weight: 1 }
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// The place of a set in rising order among the sets of its size.
fn place(set: &[usize]) -> usize {
    set.iter().enumerate().map(|(i, &member)| choose(member, i + 1)).sum()
}

/// Calls `take` with every set of `N` numbers below `end`, in rising order.
fn for_each_set<const N: usize>(end: usize, mut take: impl FnMut([usize; N])) {
    let mut set: [usize; N] = std::array::from_fn(|i| i);
    loop {
        take(set);
        // The first member that may rise without reaching the next one.
        let Some(rises) = (0..N).find(|&i| set[i] + 1 < if i + 1 < N { set[i + 1] } else { end }) else {
            return;
        };
        set[rises] += 1;
        (0..rises).for_each(|i| set[i] = i);
    }
}
