//! The exact value of every choice in a state of play, worked out for the one hole hand.
//!
//! After the flop 1,081 boards can come, of few kinds: 91 pairs of ranks, and for each suit that can make a flush the
//! ranks of its cards and of the others. The counts of each kind are those of [`super::plain`] and [`super::flush`],
//! read for this hole hand only. Before the flop the answer is read from a table that a test holds against the
//! full count.

use std::collections::HashMap;

use cards::Card;

use super::counts::Deals;
use super::flush::{self, FlushBoard};
use super::plain::PlainBoard;
use super::ranks::{ORDERS, RANKS, multiset, pair};
use super::view::{Change, OO, SO, SS, TIES};

/// What lies ahead of a hole hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The showdowns, by result.
    pub showdowns: Deals,
    /// What Turn and River wagers still to come add under perfect play, in Antes over all showdowns, if each is one Ante
    /// paid 1 to 1. A wager that is to be decided now is not among them.
    pub later: i64,
}

/// Hole cards alone, if the Flop wager is made. `later` holds Turn and River wagers.
pub fn before_flop(hole: [Card; 2]) -> Ahead {
    super::start::start(hole)
}

/// Hole cards and flop. `later` holds River wagers.
pub fn after_flop(hole: [Card; 2], flop: [Card; 3]) -> Ahead {
    let turns = Counter::new(hole).turns(flop);
    let showdowns = turns.iter().fold(Deals::default(), Deals::plus);
    Ahead { showdowns, later: turns.iter().map(|deals| lead(deals).max(0)).sum() }
}

/// Hole cards, flop and turn.
pub fn after_turn(hole: [Card; 2], board: [Card; 4]) -> Deals {
    let mut counter = Counter::new(hole);
    let rivers = all_cards().filter(|card| !hole.contains(card) && !board.contains(card));
    rivers.fold(Deals::default(), |showdowns, river| {
        showdowns.plus(&counter.count([board[0], board[1], board[2], board[3], river]))
    })
}

fn all_cards() -> impl Iterator<Item = Card> {
    (0..52).filter_map(Card::from_index)
}

pub(crate) fn lead(deals: &Deals) -> i64 {
    deals.won().cast_signed() - deals.losses.cast_signed()
}

/// What an Ante that is never paid and a Flop wager of two Antes paid 1 to 1 bring.
pub(super) fn even_money(deals: &Deals) -> i64 {
    2 * lead(deals) - deals.losses.cast_signed()
}

/// Counts boards of five for one hole hand, each kind of board once.
pub(super) struct Counter {
    cards: [Card; 2],
    /// The hole cards as rank and suit.
    hole: [(u8, u8); 2],
    plain: HashMap<usize, PlainBoard>,
    flush: HashMap<u16, FlushBoard>,
    /// By the suit's cards on the board, all ranks on it, and where the hole cards stand in the view of the suit.
    counted: HashMap<(u16, usize, usize), Deals>,
}

impl Counter {
    pub(super) fn new(cards: [Card; 2]) -> Counter {
        Counter {
            cards,
            hole: cards.map(rank_and_suit),
            plain: HashMap::new(),
            flush: HashMap::new(),
            counted: HashMap::new(),
        }
    }

    /// The showdowns after each of the 47 turn cards that a flop leaves.
    pub(super) fn turns(&mut self, flop: [Card; 3]) -> Vec<Deals> {
        let left: Vec<Card> =
            all_cards().filter(|card| !self.cards.contains(card) && !flop.contains(card)).collect();
        let mut turns = vec![Deals::default(); left.len()];
        for (turn, &first) in left.iter().enumerate() {
            for (river, &second) in left[..turn].iter().enumerate() {
                let deals = self.count([flop[0], flop[1], flop[2], first, second]);
                turns[turn] = turns[turn].plus(&deals);
                turns[river] = turns[river].plus(&deals);
            }
        }
        turns
    }

    /// The dealer's 990 hands against the hole hand on a board.
    fn count(&mut self, board: [Card; 5]) -> Deals {
        let board = board.map(rank_and_suit);
        let ranks = multiset(board.map(|(rank, _)| rank));
        let suit = (0..4).find(|&suit| 3 <= board.iter().filter(|card| card.1 == suit).count());
        let own = |card: &&(u8, u8)| Some(card.1) == suit;
        let suited = board.iter().filter(own).fold(0_u16, |set, card| set | 1 << card.0);
        let place = self.place(suit);
        if let Some(deals) = self.counted.get(&(suited, ranks, place)) {
            return *deals;
        }
        let plain = self.plain.entry(ranks).or_insert_with(|| PlainBoard::new(board.map(|(rank, _)| rank)));
        let ranks_held = pair(usize::from(self.hole[0].0), usize::from(self.hole[1].0));
        let mut parts = [0_u16; ORDERS + 1];
        parts[usize::from(plain.order[ranks_held])] = plain.result.wins[ranks_held];
        parts[TIES] = plain.result.ties[ranks_held];
        if suit.is_some() {
            let flush = self.flush.entry(suited).or_insert_with(|| FlushBoard::new(suited));
            let mut change = Change::NONE;
            let other = board.iter().find(|card| Some(card.1) != suit).map(|card| card.0);
            match (suited.count_ones(), other) {
                (3, _) => flush::three(suited, plain, flush, &mut change),
                (4, Some(other)) => flush::four(suited, other, plain, flush, &mut change),
                _ => flush::five(suited, plain, flush, &mut change),
            }
            for (part, change) in parts.iter_mut().zip(change.at(place)) {
                *part = part.wrapping_add(change);
            }
        }
        let wins = std::array::from_fn(|order| u64::from(parts[order]));
        let ties = u64::from(parts[TIES]);
        let deals = Deals { wins, ties, losses: 990 - ties - wins.iter().sum::<u64>() };
        self.counted.insert((suited, ranks, place), deals);
        deals
    }

    /// Where the hole hand stands in the view of a suit.
    fn place(&self, suit: Option<u8>) -> usize {
        let [(a, first), (b, second)] = self.hole;
        let (a, b) = (usize::from(a), usize::from(b));
        match (Some(first) == suit, Some(second) == suit) {
            (true, true) => SS + pair(a, b),
            (true, false) => SO + a * RANKS + b,
            (false, true) => SO + b * RANKS + a,
            (false, false) => OO + pair(a, b),
        }
    }
}

fn rank_and_suit(card: Card) -> (u8, u8) {
    (card.index() / 4, card.index() % 4)
}
