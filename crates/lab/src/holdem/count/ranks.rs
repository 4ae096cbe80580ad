//! Ranks without suits: pairs of ranks, multisets of ranks, and what they are worth when no flush counts.
//!
//! A rank is 0 (deuce) to 12 (ace). Every table of this module is indexed by one of three things:
//!
//! - a *pair* of ranks, equal or not: 91 of them, `(low, high)` at `high * (high + 1) / 2 + low`;
//! - a *multiset* of three to five ranks, its members in rising order `r0 <= r1 <= ...`, at the sum of
//!   `C(r_i + i, i + 1)`: the usual numbering of combinations, stretched to allow repetition. For two ranks it is
//!   the pair number;
//! - a *set* of ranks (of one suit), a mask of 13 bits, at its place among the masks with as many bits.

/// Ranks in a suit.
pub(super) const RANKS: usize = 13;

/// Pairs of ranks, equal or not.
pub(super) const PAIRS: usize = 91;

/// The place of the pair of ranks `a`, `b`, whichever is higher.
pub(super) const fn pair(a: usize, b: usize) -> usize {
    if a < b { b * (b + 1) / 2 + a } else { a * (a + 1) / 2 + b }
}

/// The ranks of every pair, low then high.
pub(super) const PAIR_RANKS: [(u8, u8); PAIRS] = {
    let mut ranks = [(0, 0); PAIRS];
    let mut high = 0;
    while high < RANKS {
        let mut low = 0;
        while low <= high {
            ranks[pair(low, high)] = (low as u8, high as u8);
            low += 1;
        }
        high += 1;
    }
    ranks
};

const fn choose(n: usize, k: usize) -> usize {
    let (mut product, mut i) = (1, 0);
    while i < k {
        if n < i {
            return 0;
        }
        product = product * (n - i) / (i + 1);
        i += 1;
    }
    product
}

/// `C(n, k)` for every number a place of a multiset or set can need.
const CHOOSE: [[u16; 7]; 20] = {
    let mut table = [[0; 7]; 20];
    let mut n = 0;
    while n < 20 {
        let mut k = 0;
        while k < 7 {
            table[n][k] = choose(n, k) as u16;
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many multisets of `size` ranks there are, those of more than four equal ranks among them.
pub(super) const fn multisets(size: usize) -> usize {
    choose(RANKS + size - 1, size)
}

/// The place of a multiset of ranks, given in any order.
pub(super) fn multiset<const N: usize>(mut ranks: [u8; N]) -> usize {
    for i in 1..N {
        let mut j = i;
        while 0 < j && ranks[j] < ranks[j - 1] {
            ranks.swap(j, j - 1);
            j -= 1;
        }
    }
    (0..N).map(|i| CHOOSE[usize::from(ranks[i]) + i][i + 1] as usize).sum()
}

/// All multisets of `N` ranks in the order of their places, members rising.
pub(super) fn all_multisets<const N: usize>() -> Vec<[u8; N]> {
    let mut all = vec![[0; N]; multisets(N)];
    let mut ranks = [0; N];
    for _ in 0..all.len() {
        all[multiset(ranks)] = ranks;
        // The next multiset: raise the first member that may rise, and put those before it to zero.
        for i in 0..N {
            let limit = if i + 1 < N { ranks[i + 1] } else { 12 };
            if ranks[i] < limit {
                ranks[i] += 1;
                ranks[..i].fill(0);
                break;
            }
        }
    }
    all
}

/// The place of a set of ranks among the sets of its size.
pub(super) fn subset(mut mask: u16) -> usize {
    let (mut place, mut size) = (0, 0);
    while mask != 0 {
        size += 1;
        place += CHOOSE[mask.trailing_zeros() as usize][size] as usize;
        mask &= mask - 1;
    }
    place
}

/// All sets of `size` ranks in the order of their places.
pub(super) fn all_subsets(size: u32) -> Vec<u16> {
    (0..1 << RANKS).filter(|mask: &u16| mask.count_ones() == size).collect()
}

/// The ranks of a set, lowest first.
pub(super) fn members(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let rank = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (rank < 16).then_some(rank)
    })
}

/// The ranks of a set as a list.
pub(super) fn listed<const N: usize>(set: u16) -> [u8; N] {
    let mut list = [0; N];
    for (place, rank) in list.iter_mut().zip(members(set)) {
        *place = rank as u8;
    }
    list
}

/// Two lists in one.
pub(super) fn joined<const A: usize, const B: usize, const N: usize>(a: [u8; A], b: [u8; B]) -> [u8; N] {
    std::array::from_fn(|i| if i < A { a[i] } else { b[i - A] })
}

/// How often a rank is in a list.
pub(super) fn copies(ranks: &[u8], rank: usize) -> u16 {
    ranks.iter().map(|&other| u16::from(usize::from(other) == rank)).sum()
}

/// Ranks held at least once, twice, three and four times.
#[derive(Clone, Copy, Default)]
pub(super) struct Held([u16; 4]);

impl Held {
    pub(super) fn with(mut self, rank: u8) -> Held {
        let bit = 1 << rank;
        let Held([one, two, three, four]) = &mut self;
        *four |= *three & bit;
        *three |= *two & bit;
        *two |= *one & bit;
        *one |= bit;
        self
    }
}

/// The orders of MTHB9 3.11 as numbers, lowest first.
pub(super) const STRAIGHT: u8 = 4;
pub(super) const FLUSH: u8 = 5;
pub(super) const FULL_HOUSE: u8 = 6;
pub(super) const FOUR: u8 = 7;
pub(super) const STRAIGHT_FLUSH: u8 = 8;
pub(super) const ROYAL: u8 = 9;
/// How many orders there are.
pub(super) const ORDERS: usize = 10;

/// A hand's worth: the higher number wins, and equal numbers tie. The order is in the top bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Worth(u32);

impl Worth {
    fn new(order: u8, main: u32, rest: u32) -> Worth {
        Worth(u32::from(order) << 26 | main << 13 | rest)
    }

    pub(super) fn order(self) -> u8 {
        (self.0 >> 26) as u8
    }

    /// The worth with a tag of seven bits below it, to sort by.
    pub(super) fn tagged(self, tag: usize) -> u64 {
        u64::from(self.0) << 7 | tag as u64
    }

    pub(super) fn of_tagged(key: u64) -> (Worth, usize) {
        (Worth((key >> 7) as u32), (key & 127) as usize)
    }
}

fn top(mask: u16) -> u32 {
    mask.ilog2()
}

/// The highest `keep` ranks of a set.
fn highest(mut mask: u16, keep: u32) -> u32 {
    for _ in keep..mask.count_ones() {
        mask &= mask - 1;
    }
    u32::from(mask)
}

/// The high rank of the best straight in a set of ranks, the ace low in the wheel.
fn straight(mask: u16) -> Option<u32> {
    let wheel = mask << 1 | mask >> 12;
    let runs = wheel & wheel << 1 & wheel << 2 & wheel << 3 & wheel << 4;
    (runs != 0).then(|| top(runs) - 1)
}

/// The best five of five to seven cards when no flush counts.
pub(super) fn worth(held: Held) -> Worth {
    let Held([one, two, three, four]) = held;
    if four != 0 {
        return Worth::new(FOUR, top(four), highest(one & !(1 << top(four)), 1));
    }
    if three != 0 {
        let trips = 1 << top(three);
        let under = two & !trips;
        if under != 0 {
            return Worth::new(FULL_HOUSE, top(three), u32::from(1_u16 << top(under)));
        }
    }
    if let Some(high) = straight(one) {
        return Worth::new(STRAIGHT, high, 0);
    }
    if three != 0 {
        return Worth::new(3, top(three), highest(one & !(1 << top(three)), 2));
    }
    match two.count_ones() {
        0 => Worth::new(0, 0, highest(one, 5)),
        1 => Worth::new(1, top(two), highest(one & !two, 3)),
        _ => {
            let pairs = highest(two, 2);
            Worth::new(2, pairs, highest(one & !(pairs as u16), 1))
        }
    }
}

/// The best five of five to seven cards of one suit.
pub(super) fn suited_worth(mask: u16) -> Worth {
    match straight(mask) {
        Some(12) => Worth::new(ROYAL, 0, 0),
        Some(high) => Worth::new(STRAIGHT_FLUSH, high, 0),
        None => Worth::new(FLUSH, 0, highest(mask, 5)),
    }
}
