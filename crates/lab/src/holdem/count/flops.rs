//! Sums over turn and river: the lead of every hole hand after the flop.
//!
//! The lead is wins less losses. The turn decision needs nothing else, so the parts of [`super::rivers`] are first
//! made into one number each, and then summed over the turn in the same way as they were over the river: a plain part
//! for the ranks of the flop, and one for each suit on it.

use super::parallel::map;
use super::ranks::{
    ORDERS, PAIRS, RANKS, all_multisets, all_subsets, copies, joined, listed, members, multiset, pair, subset,
};
use super::rivers::{AFTER_TURN, FOURS, Rivers, THREES, TWOS};
use super::view::{OO, OTHERS_HELD, PLACES, TIES, View, own_cards};

/// Wins less losses for all hole cards as one suit sees them: `2 wins + ties - showdowns`, which comes to the same.
pub(super) type Lead = [i32; PLACES];

/// What turn and river together bring, for every flop.
pub(super) struct Flops {
    /// By multiset of three ranks, the plain part by pair of ranks.
    pub(super) plain: Vec<[i32; PAIRS]>,
    /// A suit with one card, by its rank, then the pair of other ranks.
    pub(super) one: Vec<Lead>,
    /// A suit with two, by the two, then the other.
    pub(super) two: Vec<Lead>,
    /// A suit with three.
    pub(super) three: Vec<Lead>,
}

impl Flops {
    pub(super) fn new(rivers: &Rivers) -> Flops {
        let plain_four: Vec<[i32; PAIRS]> = rivers.plain.iter().map(plain_lead).collect();
        let two = map(PAIRS * TWOS, [0; PLACES], |place, lead| {
            small_lead(&rivers.two[place], lead);
        });
        let (threes, fours) = (all_subsets(3), all_subsets(4));
        let three = map(THREES * RANKS, [0; PLACES], |place, lead| {
            let own = threes[place / RANKS];
            let plain = &rivers.plain[multiset(joined::<3, 1, 4>(listed(own), [(place % RANKS) as u8]))];
            large_lead(own, &rivers.three[place], plain, lead);
        });
        let four = map(FOURS, [0; PLACES], |place, lead| {
            let own = fours[place];
            large_lead(own, &rivers.four[place], &rivers.plain[multiset(listed::<4>(own))], lead);
        });
        let (flops, twos) = (all_multisets::<3>(), all_subsets(2));
        Flops {
            plain: flops.iter().map(|&flop| plain_turns(flop, &plain_four)).collect(),
            one: map(RANKS * PAIRS, [0; PLACES], |place, sum| {
                one_turns(place / PAIRS, place % PAIRS, &two, sum);
            }),
            two: map(TWOS * RANKS, [0; PLACES], |place, sum| {
                two_turns(twos[place / RANKS], place % RANKS, &two, &three, sum);
            }),
            three: map(THREES, [0; PLACES], |place, sum| {
                three_turns(threes[place], &three, &four, sum);
            }),
        }
    }
}

/// The lead of a suit with two cards. At most 11 rivers change anything, so it is at most 2 · 11 · 990 either way.
type SmallLead = [i16; PLACES];

pub(super) fn plain_lead(view: &View) -> [i32; PAIRS] {
    std::array::from_fn(|pair| {
        let wins: i32 = (0..ORDERS).map(|part| i32::from(view[part][OO + pair])).sum();
        2 * wins + i32::from(view[TIES][OO + pair]) - i32::from(AFTER_TURN)
    })
}

fn small_lead(view: &View, lead: &mut SmallLead) {
    *lead = view[TIES].map(u16::cast_signed);
    for wins in &view[..ORDERS] {
        for (lead, wins) in lead.iter_mut().zip(wins) {
            *lead = lead.wrapping_add(wins.cast_signed().wrapping_mul(2));
        }
    }
}

/// As [`small_lead`], in full width.
pub(super) fn wide_lead(view: &View, lead: &mut Lead) {
    let mut small = [0; PLACES];
    small_lead(view, &mut small);
    *lead = small.map(i32::from);
}

/// The lead of a suit with three or four cards `own`: here only the sum with the plain part fits 16 bits.
pub(super) fn large_lead(own: u16, view: &View, plain: &View, lead: &mut Lead) {
    let mut wins = [[0_u16; PLACES]; 2];
    for (view, plain) in view[..ORDERS].iter().zip(plain) {
        for place in 0..PLACES {
            wins[0][place] = wins[0][place].wrapping_add(plain[place]);
            wins[1][place] = wins[1][place].wrapping_add(plain[place]).wrapping_add(view[place]);
        }
    }
    for place in 0..PLACES {
        let before = plain[TIES][place];
        let ties = i32::from(before.wrapping_add(view[TIES][place])) - i32::from(before);
        lead[place] = 2 * (i32::from(wins[1][place]) - i32::from(wins[0][place])) + ties;
    }
    for (place, lead) in lead[..OO].iter_mut().enumerate() {
        if own & own_cards(place) != 0 {
            *lead = 0;
        }
    }
}

fn add_lead<T: Copy + Into<i32>>(sum: &mut Lead, term: &[T; PLACES]) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum = sum.wrapping_add((*term).into());
    }
}

fn add_lead_for_others<T: Copy + Into<i32>>(sum: &mut Lead, term: &[T; PLACES], rank: usize, left: i32) {
    for ((sum, term), held) in sum.iter_mut().zip(term).zip(&OTHERS_HELD[rank]) {
        *sum = sum.wrapping_add((left - i32::from(*held)).wrapping_mul((*term).into()));
    }
}

fn plain_turns(flop: [u8; 3], four: &[[i32; PAIRS]]) -> [i32; PAIRS] {
    let mut sum = [0; PAIRS];
    for turn in 0..RANKS {
        let term = &four[multiset(joined::<3, 1, 4>(flop, [turn as u8]))];
        let left = 4 - i32::from(copies(&flop, turn));
        for (sum, term) in sum.iter_mut().zip(term) {
            *sum += left * term;
        }
        for other in 0..RANKS {
            sum[pair(turn, other)] -= term[pair(turn, other)] * (1 + i32::from(other == turn));
        }
    }
    sum
}

fn one_turns(own: usize, others: usize, two: &[SmallLead], sum: &mut Lead) {
    for turn in (0..RANKS).filter(|&turn| turn != own) {
        add_lead(sum, &two[others * TWOS + subset(1 << own | 1 << turn)]);
    }
}

fn two_turns(own: u16, other: usize, two: &[SmallLead], three: &[Lead], sum: &mut Lead) {
    for turn in members(!own & 0x1fff) {
        add_lead(sum, &three[subset(own | 1 << turn) * RANKS + other]);
    }
    for turn in 0..RANKS {
        let term = &two[pair(turn, other) * TWOS + subset(own)];
        add_lead_for_others(sum, term, turn, 3 - i32::from(turn == other));
    }
}

fn three_turns(own: u16, three: &[Lead], four: &[Lead], sum: &mut Lead) {
    for turn in members(!own & 0x1fff) {
        add_lead(sum, &four[subset(own | 1 << turn)]);
    }
    for turn in 0..RANKS {
        add_lead_for_others(sum, &three[subset(own) * RANKS + turn], turn, 3);
    }
}
