//! The turn decision for every flop and every hole hand, and the river decision for any board.
//!
//! After the flop the Ante is beyond the player's reach. A Turn wager of one Ante wins one where the hand wins and
//! loses one where it loses, whatever is done on the river, and the river decision depends on the cards alone. So it
//! is made exactly when the hand wins more of its completions than it loses: when its lead over all turns, rivers and
//! dealer's hands is positive. Where the lead is zero the player checks.
//!
//! Hole hands are kept apart by suit here, since a flop of three suits concerns three of them. Ten blocks, by the
//! suits of the two cards: four blocks of 91 for two cards of one suit (by pair of ranks; equal ranks cannot be), six
//! of 169 for suits `p < q` (`13 a + b`, with `a` of suit `p`).

use super::flops::{Flops, Lead, large_lead, plain_lead, wide_lead};
use super::parallel::map;
use super::ranks::{PAIR_RANKS, PAIRS, RANKS, all_subsets, listed, multiset, pair, subset};
use super::rivers::{Rivers, THREES, TWOS};
use super::view::{OO, PLACES, PLAIN_SQUARE, SO, SQUARE, SS, TRANSPOSED};

/// The places of all hole hands.
pub(super) const HOLES: usize = 4 * PAIRS + 6 * SQUARE;

/// For every hole hand, a small count or a flag.
pub(super) type Flags = [u8; HOLES];

/// Where the block of suits `p <= q` begins.
pub(super) const fn block(p: usize, q: usize) -> usize {
    if p == q { p * PAIRS } else { 4 * PAIRS + (p * (7 - p) / 2 + q - p - 1) * SQUARE }
}

/// A card as rank and suit.
pub(super) type RankSuit = (u8, u8);

/// Which hole hands bet the turn on a flop.
pub(super) fn turn_bets(flops: &Flops, flop: [RankSuit; 3], bets: &mut Flags) {
    turn_leads(flops, flop, |from, leads| mark(&mut bets[from..], leads));
    remove(bets, &flop);
}

/// Calls `take` with the leads of every block of hole hands on a flop, and where the block begins.
pub(super) fn turn_leads(flops: &Flops, flop: [RankSuit; 3], take: impl FnMut(usize, &[i32])) {
    let own = by_suit(&flop);
    let leads: [Option<&Lead>; 4] = std::array::from_fn(|suit| suit_lead(flops, flop, own[suit], suit));
    let plain = &flops.plain[multiset(flop.map(|(rank, _)| rank))];
    blocks(plain, leads, take);
}

/// Which hole hands bet the river on a board of four.
pub(super) fn river_bets(rivers: &Rivers, board: [RankSuit; 4], bets: &mut Flags) {
    river_leads(rivers, board, |from, leads| mark(&mut bets[from..], leads));
    remove(bets, &board);
}

/// Calls `take` with the leads of every block of hole hands on a board of four, and where the block begins.
pub(super) fn river_leads(rivers: &Rivers, board: [RankSuit; 4], take: impl FnMut(usize, &[i32])) {
    let plain = &rivers.plain[multiset(board.map(|(rank, _)| rank))];
    let mut leads = [[0; PLACES]; 4];
    let seen = by_suit(&board).map(|own| 2 <= own.count_ones());
    for ((lead, own), suit) in leads.iter_mut().zip(by_suit(&board)).zip(0..) {
        let mut others = board.iter().filter(|card| card.1 != suit).map(|card| usize::from(card.0));
        let mut other = || others.next().expect("a board has cards enough");
        match own.count_ones() {
            2 => wide_lead(rivers.two(own, pair(other(), other())), lead),
            3 => large_lead(own, rivers.three(own, other()), plain, lead),
            4 => large_lead(own, &rivers.four[subset(own)], plain, lead),
            _ => {}
        }
    }
    let leads = std::array::from_fn(|suit| seen[suit].then_some(&leads[suit]));
    blocks(&plain_lead(plain), leads, take);
}

/// The ranks of a board by suit.
pub(super) fn by_suit(board: &[RankSuit]) -> [u16; 4] {
    let mut own = [0; 4];
    for &(rank, suit) in board {
        own[usize::from(suit)] |= 1 << rank;
    }
    own
}

/// The leads of all hole hands, block by block: the plain part and those of the suits together.
fn blocks(plain: &[i32; PAIRS], leads: [Option<&Lead>; 4], mut take: impl FnMut(usize, &[i32])) {
    for p in 0..4 {
        let mut sums = *plain;
        for (suit, lead) in leads.iter().enumerate() {
            if let Some(lead) = lead {
                let from = if suit == p { SS } else { OO };
                for (sum, term) in sums.iter_mut().zip(&lead[from..]) {
                    *sum = sum.wrapping_add(*term);
                }
            }
        }
        take(block(p, p), &sums);
        for q in p + 1..4 {
            let mut sums = PLAIN_SQUARE.map(|pair| plain[usize::from(pair)]);
            for (suit, lead) in leads.iter().enumerate() {
                if let Some(lead) = lead {
                    add_block(&mut sums, lead, suit == p, suit == q);
                }
            }
            take(block(p, q), &sums);
        }
    }
}

fn mark(bets: &mut [u8], leads: &[i32]) {
    for (bet, lead) in bets.iter_mut().zip(leads) {
        *bet = u8::from(0 < *lead);
    }
}

fn suit_lead(flops: &Flops, flop: [RankSuit; 3], own: u16, suit: usize) -> Option<&Lead> {
    let mut others = flop.iter().filter(|card| usize::from(card.1) != suit).map(|card| usize::from(card.0));
    let mut other = || others.next().expect("a flop has three cards");
    match own.count_ones() {
        1 => Some(&flops.one[own.trailing_zeros() as usize * PAIRS + pair(other(), other())]),
        2 => Some(&flops.two[subset(own) * RANKS + other()]),
        3 => Some(&flops.three[subset(own)]),
        _ => None,
    }
}

/// Adds a suit's lead to a block of two suits, of which it is the first, the second or neither.
fn add_block(sums: &mut [i32; SQUARE], lead: &Lead, first: bool, second: bool) {
    let add = |sum: &mut i32, place: usize| *sum = sum.wrapping_add(lead[place]);
    if first {
        for (sum, term) in sums.iter_mut().zip(&lead[SO..OO]) {
            *sum = sum.wrapping_add(*term);
        }
    } else if second {
        sums.iter_mut().zip(&TRANSPOSED).for_each(|(sum, &place)| add(sum, SO + usize::from(place)));
    } else {
        sums.iter_mut().zip(&PLAIN_SQUARE).for_each(|(sum, &pair)| add(sum, OO + usize::from(pair)));
    }
}

/// Clears the hole hands that cannot be: a card twice, or one of the board's.
pub(super) fn remove(flags: &mut Flags, board: &[RankSuit]) {
    for suit in 0..4 {
        for rank in 0..RANKS {
            flags[block(suit, suit) + pair(rank, rank)] = 0;
        }
    }
    for &(rank, suit) in board {
        let (rank, suit) = (usize::from(rank), usize::from(suit));
        for other in 0..RANKS {
            for q in 0..4 {
                flags[hole((rank, suit), (other, q))] = 0;
            }
        }
    }
}

/// The place of two cards, each as rank and suit.
pub(super) fn hole(a: (usize, usize), b: (usize, usize)) -> usize {
    match a.1.cmp(&b.1) {
        std::cmp::Ordering::Less => block(a.1, b.1) + a.0 * RANKS + b.0,
        std::cmp::Ordering::Equal => block(a.1, a.1) + pair(a.0, b.0),
        std::cmp::Ordering::Greater => block(b.1, a.1) + b.0 * RANKS + a.0,
    }
}

/// The turn decisions on all flops that the boards of [`super::tally`] can have begun with.
pub(super) struct TurnBets {
    /// Suits 0, 1, 2: by the rank in suit 0, then the pair of the others, the lower in suit 1.
    three: Vec<Flags>,
    /// Two cards of suit 0 and one of suit 1; of 0 and 2; of 1 and 0: each by the two, then the third.
    two: [Vec<Flags>; 3],
    /// Three cards of suit 0.
    one: Vec<Flags>,
}

impl TurnBets {
    pub(super) fn new(flops: &Flops) -> TurnBets {
        let twos = all_subsets(2);
        let threes = all_subsets(3);
        TurnBets {
            three: map(RANKS * PAIRS, [0; HOLES], |place, bets| {
                let (low, high) = PAIR_RANKS[place % PAIRS];
                turn_bets(flops, [((place / PAIRS) as u8, 0), (low, 1), (high, 2)], bets);
            }),
            two: [(0, 1), (0, 2), (1, 0)].map(|(two, one)| {
                map(TWOS * RANKS, [0; HOLES], |place, bets| {
                    let [a, b] = listed(twos[place / RANKS]);
                    turn_bets(flops, [(a, two), (b, two), ((place % RANKS) as u8, one)], bets);
                })
            }),
            one: map(THREES, [0; HOLES], |place, bets| {
                turn_bets(flops, listed::<3>(threes[place]).map(|rank| (rank, 0)), bets);
            }),
        }
    }

    /// On a flop of suits 0, 1 and 2, the ranks in suits 1 and 2 in rising order.
    pub(super) fn three(&self, own: u8, others: usize) -> &Flags {
        &self.three[usize::from(own) * PAIRS + others]
    }

    /// On a flop of two cards of one suit and a third of another, the suits being (0, 1), (0, 2) or (1, 0).
    pub(super) fn two(&self, suits: usize, two: u16, third: u8) -> &Flags {
        &self.two[suits][subset(two) * RANKS + usize::from(third)]
    }

    /// On a flop of suit 0.
    pub(super) fn one(&self, set: u16) -> &Flags {
        &self.one[subset(set)]
    }
}
